import { and, eq } from "drizzle-orm";
import { harvestParts } from "#server/db/schema/harvests.ts";
import { koboToNairaText } from "#shared/money.ts";
import { quantityText } from "#shared/projects/terms-texts.ts";
import { keepEvidence, seenDraft } from "#tests/support/harvests.ts";
import { confirmByTwo, explain } from "./calls.ts";
import * as sales from "./harvest-sales.ts";
import * as harvests from "./harvests.ts";
import { cast, type Real } from "./real.ts";
import { lastCreditOfSale, neverSeenKobo } from "./sale-money.ts";
import * as back from "./sales-taken-back.ts";
import * as settlements from "./settlements.ts";
import { at, type Model } from "./state.ts";

/** The calls about harvests, by their places as in calls.ts. */

const nothing = (call: Promise<unknown>) => call.then(() => ({}));
const reason = "As the model wants it to be.";
const reference = koboToNairaText(harvests.priceKobo);

type OnHarvest = { caller: number; harvest: number };
const harvestId = (real: Real, harvest: number) => real.nthId("harvests", harvest);

/** A file that the caller has uploaded. */
const evidence = (real: Real, caller: number) => keepEvidence(real.deps, { id: real.personId(caller) });

export const draft = (real: Real, { caller, project, round, quantity }: harvests.Drafting) =>
  nothing(
    real.as(caller).harvests.create({
      projectId: real.projectId(project),
      round,
      quantity: quantityText(quantity),
      lostQuantity: "0",
      referencePrice: reference,
      note: "",
    }),
  );

export const insure = (real: Real, { caller, project, round }: Omit<harvests.Drafting, "quantity">) =>
  nothing(real.as(caller).harvests.createInsurance({ projectId: real.projectId(project), round, note: "" }));

const seen = async (real: Real, harvest: number) => seenDraft(real.deps.db, await harvestId(real, harvest));

export const open = async (real: Real, { caller, harvest }: OnHarvest) =>
  nothing(real.as(caller).harvests.open(await seen(real, harvest)));
export async function openTogether(real: Real, args: harvests.OpeningTogether, model: Readonly<Model>) {
  const unseenKobo = String(harvests.openedUnseenKobo(model, args));
  const { seenAt, ...draft } = await seen(real, args.harvest);
  return confirmByTwo(real, {
    kind: "open_harvest",
    details: { ...draft, seenAt: seenAt.toISOString(), unseenKobo },
    reason,
  });
}
export const withdraw = async (real: Real, { caller, harvest }: OnHarvest) =>
  nothing(real.as(caller).harvests.withdraw({ harvestId: await harvestId(real, harvest), reason }));

export async function lower(real: Real, { caller, harvest, by }: harvests.Lowering, model: Readonly<Model>) {
  const quantity = quantityText(at(model.harvests, harvest).quantity - by);
  return nothing(real.as(caller).harvests.lower({ harvestId: await harvestId(real, harvest), quantity, reason }));
}

export async function lowerMuch(real: Real, args: Omit<harvests.Lowering, "caller">, model: Readonly<Model>) {
  const { quantity } = at(model.harvests, args.harvest);
  const lowered = { quantity: String(quantity - args.by), seenQuantity: String(quantity) };
  const details = { harvestId: await harvestId(real, args.harvest), ...lowered };
  return confirmByTwo(real, { kind: "lower_harvest", details, reason });
}

export async function choose(real: Real, args: harvests.Choosing, model: Readonly<Model>) {
  const { taken, given } = harvests.wanted(model, args);
  const choice = { taken: quantityText(taken), given: quantityText(given) };
  return nothing(real.as(args.caller).harvests.choose({ harvestId: await harvestId(real, args.harvest), ...choice }));
}

/** By the code that the taker shows. */
export async function collect(real: Real, args: harvests.Collecting, model: Readonly<Model>) {
  const id = await harvestId(real, args.harvest);
  const taker = harvests.takerOf(model, args)?.person ?? -1;
  const [part] = await real.deps.db
    .select()
    .from(harvestParts)
    .where(and(eq(harvestParts.harvestId, id), eq(harvestParts.userId, real.personId(taker))));
  return nothing(real.as(args.caller).harvests.collect({ harvestId: id, code: part?.code ?? "" }));
}

export async function addFile(real: Real, { caller, harvest }: OnHarvest) {
  const fileId = await evidence(real, caller);
  return nothing(real.as(caller).harvests.addFile({ harvestId: await harvestId(real, harvest), fileId }));
}

export async function addCost(real: Real, { caller, harvest, amountKobo, paidBy }: sales.Spending) {
  const cost = { label: "Feed", amount: koboToNairaText(amountKobo), paidBy, fileId: await evidence(real, caller) };
  return nothing(real.as(caller).harvests.addCost({ harvestId: await harvestId(real, harvest), ...cost }));
}
export const removeCost = async (real: Real, { caller, cost }: { caller: number; cost: number }) =>
  nothing(real.as(caller).harvests.removeCost({ costId: await real.nthId("harvest_costs", cost) }));

/** With the paper that shows it, so that two owners may declare its money. */
export async function sell(real: Real, args: sales.Selling, model: Readonly<Model>) {
  const { caller, harvest, pool, amountKobo } = args;
  const id = await harvestId(real, harvest);
  const bought = sales.boughtOf(model, args);
  const quantity = bought === null ? "" : quantityText(bought);
  const amount = koboToNairaText(amountKobo);
  await real.as(caller).harvests.addSale({
    harvestId: id,
    pool,
    buyer: "Market",
    quantity,
    amount,
    isWithoutQuantity: args.part === "nothing",
  });
  const saleId = await real.nthId("harvest_sales", model.sales.length);
  return nothing(real.as(caller).harvests.addFile({ harvestId: id, saleId, fileId: await evidence(real, caller) }));
}
export async function measure(real: Real, args: sales.Measuring, model: Readonly<Model>) {
  const saleId = await real.nthId("harvest_sales", args.sale);
  const quantity = quantityText(sales.measuredOf(model, args));
  return nothing(real.as(args.caller).harvests.setSaleQuantity({ saleId, quantity }));
}
export const removeSale = async (real: Real, { sale }: { sale: number }, model: Readonly<Model>) => {
  const amountKobo = String(at(model.sales, sale).amountKobo);
  const details = { saleId: await real.nthId("harvest_sales", sale), amountKobo };
  return confirmByTwo(real, { kind: "remove_sale", details, reason });
};
export const changeSale = async (real: Real, args: sales.Changing, model: Readonly<Model>) => {
  const seenKobo = String(at(model.sales, args.sale).amountKobo);
  const amountKobo = String(sales.changedKobo(model, args));
  const details = { saleId: await real.nthId("harvest_sales", args.sale), amountKobo, seenKobo };
  return confirmByTwo(real, { kind: "change_sale", details, reason });
};
export const countCost = async (real: Real, { cost }: { cost: number }, model: Readonly<Model>) => {
  const amountKobo = String(at(model.costs, cost).amountKobo);
  const details = { costId: await real.nthId("harvest_costs", cost), amountKobo };
  return confirmByTwo(real, { kind: "count_cost", details, reason });
};

/** Returns the amount of a sale that no line has shown, as an owner saw it: it is never zero. */
async function aboutSale(real: Real, sale: number, model: Readonly<Model>) {
  const missing = neverSeenKobo(model, sale);
  return { saleId: await real.nthId("harvest_sales", sale), amountKobo: String(missing > 0n ? missing : 1n) };
}
export const declareSale = async (real: Real, { sale }: { sale: number }, model: Readonly<Model>) =>
  confirmByTwo(real, { kind: "declare_sale", details: await aboutSale(real, sale, model), reason });
export const takeSaleBack = async (real: Real, { sale }: { sale: number }, model: Readonly<Model>) =>
  confirmByTwo(real, { kind: "take_back_sale", details: await aboutSale(real, sale, model), reason });

export async function takeSaleMoneyBack(real: Real, args: back.TakingSaleMoneyBack, model: Readonly<Model>) {
  const { line, sale } = args;
  const credit = lastCreditOfSale(model, sale);
  const creditMatchId = credit === null ? 999_999_999 : await real.nthId("line_matches", credit);
  const saleId = await real.nthId("harvest_sales", sale);
  const part = {
    kind: "sale_taken_back" as const,
    amountKobo: back.saleTakenBackKobo(model, args),
    saleId,
    creditMatchId,
  };
  return explain(real, model, { caller: cast.owner, line, part, isByTwo: true });
}
export async function loseSale(real: Real, args: back.LosingSale, model: Readonly<Model>) {
  const amountKobo = String(back.lostOfSaleKobo(model, args));
  const details = { saleId: await real.nthId("harvest_sales", args.sale), amountKobo };
  return confirmByTwo(real, { kind: "lose_sale", details, reason });
}

export async function matchHarvest(real: Real, args: sales.MatchingHarvest, model: Readonly<Model>) {
  const { caller, line, kind, sale, isRaised } = args;
  const amountKobo = sales.harvestMatchKobo(model, args);
  const part =
    kind === "sale"
      ? { kind, amountKobo, saleId: await real.nthId("harvest_sales", sale), isRaised }
      : { kind, amountKobo, harvestId: await harvestId(real, at(model.sales, sale).harvest) };
  return explain(real, model, { caller, line, part });
}

export async function settle(real: Real, args: settlements.Settling, model: Readonly<Model>) {
  const amount = koboToNairaText(settlements.typedKobo(model, args));
  const { caller, harvest, pool } = args;
  return nothing(real.as(caller).harvests.settle({ harvestId: await harvestId(real, harvest), pool, amount }));
}
export async function settleTogether(real: Real, args: Omit<settlements.Settling, "caller">, model: Readonly<Model>) {
  const { harvest, pool } = args;
  const amountKobo = String(settlements.typedKobo(model, { ...args, caller: -1 }));
  const taxes = { vatRate: model.vatRate, whtRate: model.whtRate };
  const details = { harvestId: await harvestId(real, harvest), pool, amountKobo, ...taxes };
  return confirmByTwo(real, { kind: "settle_harvest", details, reason });
}
export const reverse = async (real: Real, { caller, settlement }: { caller: number; settlement: number }) =>
  nothing(real.as(caller).harvests.reverse({ settlementId: await real.nthId("settlements", settlement), reason }));
export const finish = async (real: Real, { caller, harvest }: OnHarvest) =>
  nothing(real.as(caller).harvests.finish({ harvestId: await harvestId(real, harvest) }));

type Ended = { harvest: number };
export const lose = async (real: Real, { harvest }: Ended) =>
  confirmByTwo(real, { kind: "lose", details: { what: "harvest", harvestId: await harvestId(real, harvest) }, reason });
export async function loseRest(real: Real, { harvest }: Ended, model: Readonly<Model>) {
  const details = {
    what: "rest" as const,
    harvestId: await harvestId(real, harvest),
    lostKobo: String(settlements.lostAtEndKobo(model, harvest)),
  };
  return confirmByTwo(real, { kind: "lose", details, reason });
}
export async function loseCosts(real: Real, { harvest }: Ended, model: Readonly<Model>) {
  const lost = settlements.lostAtEndKobo(model, harvest);
  const details = {
    what: "costs" as const,
    harvestId: await harvestId(real, harvest),
    lostKobo: String(lost > 0n ? lost : 1n),
  };
  return confirmByTwo(real, { kind: "lose", details, reason });
}
