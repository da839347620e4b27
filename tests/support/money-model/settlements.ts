import { type HarvestPool, harvestTexts as texts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import {
  hasProceeds,
  hasRecordedSale,
  isWithoutSales,
  leftToSell,
  openCosts,
  platformRestKobo,
  poolOf,
  requireAllotted,
  requirePool,
  unwrittenKobo,
} from "./harvest-sales.ts";
import {
  atLeastNothing,
  freeze,
  isReady,
  leavePlace,
  newParts,
  type OnHarvest,
  type Part,
  produceKobo,
  requireWeights,
  type Settlement,
  share,
  sum,
  tellParts,
  termsOf,
  thaw,
  weightsOf,
} from "./harvests.ts";
import { makePaper, replacePapers } from "./papers.ts";
import { cancelPayouts, refuseOnItsWay } from "./payouts.ts";
import { awayKobo, proceedsKobo, receivableOfSale, seenKobo, standing } from "./sale-money.ts";
import { confirmByTwo } from "./second-person.ts";
import { at, farmOf, type Model, owe, Refused, require, tell } from "./state.ts";
import { taxOwedKobo } from "./taxes.ts";

/** The division of sales' proceeds, and the end of a harvest. */

export type Settling = OnHarvest & { pool: HarvestPool; isSeen: boolean };

/** Returns the amount that an owner types: what the pool brought, or a kobo more. */
export const typedKobo = (model: Readonly<Model>, { harvest, pool, isSeen }: Settling): bigint => {
  const kobo = proceedsKobo(model, harvest, pool);
  return isSeen && kobo > 0n ? kobo : kobo + 1n;
};

const rateOf = (kobo: bigint, rate: number): bigint => (kobo * BigInt(rate)) / 10_000n;

/** One owner settles what others wrote down. */
export function settle(model: Model, args: Settling) {
  require(model, args.caller, "harvests:settle");
  return divideProceeds(model, args, false);
}

/** Two owners settle what one of them wrote down. */
export const settleTogether = (model: Model, args: Omit<Settling, "caller">) =>
  divideProceeds(model, { ...args, caller: -1 }, true);

/** Returns the rest of a cost that may fall on a pool: at most its part of everything sold or not collected. */
function costLimitKobo(
  model: Model,
  { cost, harvest: index, pool }: { cost: number; harvest: number; pool: HarvestPool },
): bigint {
  const harvest = at(model.harvests, index);
  const { amountKobo } = at(model.costs, cost);
  if (harvest.isInsurance) return amountKobo;
  const quantities = (["sold", "uncollected"] as const).map((name) => {
    return poolOf(harvest, name).whole;
  });
  const taken = standing(model, index).filter((it) => it.pool === pool);
  const takenKobo = sum(taken.flatMap(({ costs }) => costs.flatMap((it) => (it.cost === cost ? [it.amountKobo] : []))));
  const limitKobo = at(share(amountKobo, quantities), pool === "sold" ? 0 : 1);
  return atLeastNothing(limitKobo - takenKobo);
}

/** Costs come off first, in their order; the rest is shared by quantity, of which backers pay fee and taxes. */
function divideProceeds(model: Model, args: Settling, isByTwo: boolean) {
  const { caller, harvest: index, pool } = args;
  const harvest = at(model.harvests, index);
  requireAllotted(harvest);
  if (harvest.isInsurance) requireWeights(model, harvest);
  const proceeds = proceedsKobo(model, index, pool);
  if (proceeds <= 0n) throw new Refused("conflict", texts.nothingReceived);
  const { own, farm } = requirePool(model, harvest, pool);
  if (typedKobo(model, args) !== proceeds) throw new Refused("conflict", texts.proceedsChanged);
  let left = proceeds;
  const costs: Settlement["costs"] = [];
  let farmCostsKobo = 0n;
  for (const { cost, paidBy, openKobo: wholeOpenKobo } of harvest.state === "done" ? [] : openCosts(model, index)) {
    const limitKobo = costLimitKobo(model, { cost, harvest: index, pool });
    const openKobo = wholeOpenKobo - atLeastNothing(wholeOpenKobo - limitKobo);
    const amountKobo = openKobo - atLeastNothing(openKobo - left);
    if (amountKobo > 0n) costs.push({ cost, amountKobo });
    if (paidBy === "farm") farmCostsKobo += amountKobo;
    left -= amountKobo;
  }
  const isCostTheirs = costs.some(({ cost }) => at(model.costs, cost).recordedBy === caller);
  const isTheirs = isCostTheirs || hasRemovedCost(model, { caller, harvest: index });
  if (!isByTwo && (isTheirs || hasRecordedSale(model, index, { pool, caller }))) {
    throw new Refused("forbidden", texts.settledByRecorder);
  }
  const shares = share(left, [...own.map(({ quantity }) => quantity), farm]);
  const farmKobo = at(shares, own.length);
  const fee = harvest.isInsurance ? 0 : termsOf(model, harvest).fee;
  const parts = own.map(({ person, backing }, place) => {
    const shareKobo = at(shares, place);
    const feeKobo = rateOf(shareKobo, fee);
    const [vatKobo, whtKobo] = [rateOf(feeKobo, model.vatRate), rateOf(shareKobo, model.whtRate)];
    return { person, backing, shareKobo, feeKobo, vatKobo, whtKobo, netKobo: shareKobo - feeKobo - vatKobo - whtKobo };
  });
  const payee = farmOf(model, harvest.project);
  if (payee === null && farmKobo + farmCostsKobo > 0n) throw new Refused("conflict", farmReleaseTexts.noFarm);
  if (harvest.isInsurance) freeze(model, harvest);
  const settlement = model.settlements.length;
  model.settlements.push({
    harvest: index,
    pool,
    proceedsKobo: proceeds,
    costs,
    farmKobo,
    deductedKobo: 0n,
    parts,
    isReversed: false,
    madeAt: model.now,
    order: model.audit.length,
  });
  for (const { person, netKobo } of parts) {
    owe(model, { settlement, payee: person, amountKobo: netKobo });
    makePaper(model, { kind: "settlement", about: settlement, person, amountKobo: netKobo });
  }
  if (payee !== null) owe(model, { settlement, payee, amountKobo: farmKobo + farmCostsKobo });
  if (harvest.state === "allotted" || harvest.state === "draft") harvest.state = "settled";
  if (isByTwo) confirmByTwo(model, "settle_harvest");
  else model.audit.push("settle_harvest");
  tell(
    model,
    parts.map(({ person }) => person),
    "harvest",
  );
  return {};
}

export function reverse(model: Model, { caller, settlement: index }: { caller: number; settlement: number }) {
  require(model, caller, "harvests:settle");
  const settlement = at(model.settlements, index);
  const harvest = at(model.harvests, settlement.harvest);
  if (settlement.isReversed) throw new Refused("conflict", texts.reversedAlready);
  if (harvest.state === "done") throw new Refused("conflict", texts.payoutLeft);
  const isMissing = [...model.sales.entries()].some(
    ([sale, it]) =>
      it.harvest === settlement.harvest && it.pool === settlement.pool && receivableOfSale(model, sale) > 0n,
  );
  if (isMissing) throw new Refused("conflict", texts.settledTakenBack);
  refuseOnItsWay(model, (it) => it.settlement === index, texts.payoutLeft);
  const takenOut = model.takenOut.filter((it) => it.settlement === index);
  const vatKobo = sum(settlement.parts.map((part) => part.vatKobo)) - sum(takenOut.map((it) => it.vatKobo));
  const whtKobo = sum(settlement.parts.map((part) => part.whtKobo)) - sum(takenOut.map((it) => it.whtKobo));
  const isPassedOn = vatKobo > taxOwedKobo(model, "vat") || whtKobo > taxOwedKobo(model, "wht");
  if ((vatKobo > 0n || whtKobo > 0n) && isPassedOn) throw new Refused("conflict", texts.taxPassedOn);
  cancelPayouts(model, (it) => it.settlement === index, texts.payoutLeft);
  settlement.isReversed = true;
  replacePapers(model, { kind: "settlement", about: index });
  if (standing(model, settlement.harvest).length === 0) {
    harvest.state = harvest.isInsurance ? "draft" : "allotted";
  }
  model.audit.push("reverse_settlement");
  return {};
}

const pools: HarvestPool[] = ["sold", "uncollected"];

function refuseOpenEnd(model: Model, index: number): void {
  const { state, parts } = at(model.harvests, index);
  if (state !== "settled" && state !== "allotted") throw new Refused("conflict", texts.notAllotted);
  if (parts.some(isReady)) throw new Refused("conflict", texts.stillOpen);
  if (hasProceeds(model, index)) throw new Refused("conflict", texts.moneyLeft);
}

/** Returns what each pool still lacks: a settlement, sales of all of it, or its buyers' money. */
const listPoolGaps = (model: Model, index: number) =>
  pools.map((pool) => ({
    pool,
    hasOwners: poolOf(at(model.harvests, index), pool).own.length > 0,
    isSettled: standing(model, index).some((it) => it.pool === pool),
    isUnsold: leftToSell(model, index, pool) > 0n,
    isUnpaid: [...model.sales.entries()].some(
      ([sale, it]) =>
        it.harvest === index &&
        it.pool === pool &&
        !it.isRemoved &&
        (it.declaredAt === null ? it.amountKobo - seenKobo(model, sale) : awayKobo(model, sale)) > it.lostKobo,
    ),
  }));

/** Payouts of a settlement's farm that no run has taken. */
const unsentToFarm = (model: Model, settlement: number) =>
  model.payouts.filter(
    (it) => it.settlement === settlement && it.payee < 0 && (it.state === "waiting" || it.state === "due"),
  );

/** Returns the platform's costs, unwritten ones too, that neither sales nor what is owed to the farm bring back. */
export const lostAtEndKobo = (model: Model, index: number): bigint =>
  uncoveredKobo(model, index) + unwrittenKobo(model, index);

/** Returns the platform's open costs beyond what is owed to the farm and in no run. */
function uncoveredKobo(model: Model, index: number): bigint {
  const owed = [...model.settlements.entries()]
    .filter(([, it]) => it.harvest === index && !it.isReversed)
    .flatMap(([place]) => unsentToFarm(model, place).map(({ amountKobo }) => amountKobo));
  return atLeastNothing(platformRestKobo(model, index) - sum(owed));
}

function refuseExpected(model: Model, index: number): void {
  refuseOpenEnd(model, index);
  const rests = listPoolGaps(model, index);
  if (rests.some((it) => it.hasOwners && !it.isSettled)) throw new Refused("conflict", texts.nothingSettled);
  if (rests.some((it) => it.isUnpaid)) throw new Refused("conflict", texts.salesUnpaid);
  if (rests.some((it) => it.hasOwners && it.isUnsold)) throw new Refused("conflict", texts.unsold);
}

/** Returns true if the caller removed a cost that another wrote down, since the last settlement. */
function hasRemovedCost(model: Model, { caller, harvest }: OnHarvest): boolean {
  const since = Math.max(...standing(model, harvest).map(({ madeAt }) => madeAt), Number.NEGATIVE_INFINITY);
  return model.costs.some(
    (it) =>
      it.harvest === harvest &&
      it.isCounted &&
      it.recordedBy !== caller &&
      it.removed?.by === caller &&
      it.removed.at >= since,
  );
}

/** Returns true if the caller wrote down an open platform cost while such costs come off what is owed to the farm. */
export function isRecorderOfRest(model: Readonly<Model>, { caller, harvest }: OnHarvest): boolean {
  const isTheirs = openCosts(model, harvest).some(
    ({ cost, paidBy }) => paidBy === "platform" && at(model.costs, cost).recordedBy === caller,
  );
  return isTheirs && platformRestKobo(model, harvest) > uncoveredKobo(model, harvest);
}

/** One owner ends what is sold, paid and settled, if nothing is lost by it. */
export function finish(model: Model, { caller, harvest: index }: OnHarvest) {
  require(model, caller, "harvests:settle");
  refuseExpected(model, index);
  const lost = lostAtEndKobo(model, index);
  if (lost > 0n) throw new Refused("conflict", texts.costsLost(formatNaira(lost)));
  if (isRecorderOfRest(model, { caller, harvest: index })) throw new Refused("forbidden", texts.endedByRecorder);
  end(model, index);
  model.audit.push("finish_harvest");
  return {};
}

/** Takes the rest of the platform's costs off what is owed to the farm and in no run; what remains is lost. */
function end(model: Model, index: number): void {
  const harvest = at(model.harvests, index);
  let left = platformRestKobo(model, index);
  const unwritten = unwrittenKobo(model, index);
  harvest.lostKobo = left;
  for (const [place, settlement] of model.settlements.entries()) {
    if (settlement.harvest !== index || settlement.isReversed) continue;
    const unsent = unsentToFarm(model, place);
    const owed = sum(unsent.map(({ amountKobo }) => amountKobo));
    const taken = owed - atLeastNothing(owed - left);
    if (taken === 0n) continue;
    const isWithheld = unsent.some((payout) => payout.isWithheld);
    for (const payout of unsent) payout.state = "cancelled";
    const before = model.payouts.length;
    owe(model, { settlement: place, payee: at(unsent, 0).payee, amountKobo: owed - taken });
    for (const payout of model.payouts.slice(before)) payout.isWithheld = isWithheld;
    settlement.deductedKobo = taken;
    left -= taken;
  }
  harvest.ofFarmKobo = harvest.lostKobo - left;
  const lostKobo = left + unwritten;
  harvest.unwrittenLostKobo += unwritten;
  Object.assign(harvest, { lostKobo, areCostsLost: lostKobo > 0n, state: "done" });
}

/** Nobody has chosen, and nothing waits to be divided. */
export function withdraw(model: Model, { caller, harvest: index }: OnHarvest) {
  require(model, caller, "harvests:manage");
  const harvest = at(model.harvests, index);
  if (harvest.state !== "draft" && harvest.state !== "choosing") throw new Refused("conflict", texts.notDraft);
  if (harvest.parts.some(({ choice }) => choice !== null)) throw new Refused("conflict", texts.choicesMade);
  if (hasProceeds(model, index)) throw new Refused("conflict", texts.soldAlready);
  if (harvest.state === "choosing") tellParts(model, harvest);
  harvest.state = "withdrawn";
  leavePlace(model, harvest);
  thaw(model, harvest);
  model.audit.push("withdraw_harvest");
  return {};
}

/** Two owners, where nothing of it was settled or collected. A draft of nothing is lost by them too. */
export function lose(model: Model, { harvest: index }: { harvest: number }) {
  const harvest = at(model.harvests, index);
  const { state, isInsurance, quantity, filesAt, parts } = harvest;
  if (isInsurance || !["draft", "choosing", "allotted"].includes(state) || (state === "draft" && quantity > 0n)) {
    throw new Refused("conflict", texts.changed);
  }
  if (filesAt.length === 0) throw new Refused("conflict", texts.evidenceFirst);
  if (parts.some(({ isCollected }) => isCollected)) throw new Refused("conflict", texts.collected);
  if (standing(model, index).length > 0) throw new Refused("conflict", texts.settledPart);
  if (hasProceeds(model, index)) throw new Refused("conflict", texts.saleMoneyStays);
  if (state === "draft") harvest.parts = newParts(freeze(model, harvest));
  harvest.state = "lost";
  confirmByTwo(model, "lose_harvest");
  tellParts(model, harvest);
  return {};
}

export function loseRest(model: Model, { harvest: index }: { harvest: number }) {
  refuseOpenEnd(model, index);
  const harvest = at(model.harvests, index);
  const { state, isInsurance, parts, filesAt, allottedAt, madeAt } = harvest;
  if (state === "allotted" && !parts.some(({ isCollected }) => isCollected)) {
    throw new Refused("conflict", texts.loseInstead);
  }
  const lost = listPoolGaps(model, index).filter(
    (it) => it.isUnpaid || (it.hasOwners && (it.isUnsold || !it.isSettled)),
  );
  if (lost.length === 0) throw new Refused("conflict", texts.nothingLost);
  if (!filesAt.some((fileAt) => fileAt > (allottedAt ?? madeAt))) throw new Refused("conflict", texts.restEvidence);
  end(model, index);
  harvest.isRestLost = true;
  confirmByTwo(model, "lose_rest");
  const isLost = ({ sold, isUncollected }: Part) =>
    lost.some(({ pool }) => (pool === "sold" ? sold > 0n : isUncollected));
  const sharers = isInsurance ? weightsOf(model, harvest) : parts.filter(isLost);
  tell(
    model,
    sharers.map(({ person }) => person),
    "harvest",
  );
  return {};
}

/** Books lost costs. This ends the harvest, unless it was lost or withdrawn: then it keeps its state. */
export function loseCosts(model: Model, { harvest: index }: { harvest: number }) {
  const harvest = at(model.harvests, index);
  const lost = lostAtEndKobo(model, index);
  if (!isWithoutSales(harvest)) {
    refuseExpected(model, index);
    if (lost === 0n) throw new Refused("conflict", texts.nothingLost);
    end(model, index);
    confirmByTwo(model, "lose_costs");
    return {};
  }
  if (harvest.areCostsLost || lost === 0n) throw new Refused("conflict", texts.noCostsLeft);
  harvest.unwrittenLostKobo += unwrittenKobo(model, index);
  Object.assign(harvest, { areCostsLost: true, lostKobo: lost });
  confirmByTwo(model, "lose_costs");
  return {};
}

/** Returns the ledger's balances of a harvest. */
export function booksOf(model: Model, index: number) {
  const harvest = at(model.harvests, index);
  const seenCosts = model.matches.filter((it) => it.harvest === index && !it.isUndone);
  const taken = standing(model, index).flatMap(({ costs }) =>
    costs.filter(({ cost }) => at(model.costs, cost).paidBy === "platform"),
  );
  // What strikes took out is no posting of the harvest's; a settlement that is reversed without it leaves it there.
  const reversed = model.takenOut.filter(({ settlement }) => {
    const { harvest: of, isReversed } = at(model.settlements, settlement);
    return of === index && isReversed;
  });
  const settled = [...standing(model, index).flatMap(({ parts }) => parts), ...reversed];
  return {
    proceedsKobo: sum(pools.map((pool) => proceedsKobo(model, index, pool))),
    costsKobo:
      sum(seenCosts.map(({ amountKobo }) => amountKobo)) -
      sum(taken.map(({ amountKobo }) => amountKobo)) -
      harvest.lostKobo -
      harvest.ofFarmKobo,
    lostKobo: harvest.lostKobo,
    feeKobo: sum(settled.map(({ feeKobo }) => feeKobo)),
    vatKobo: sum(settled.map(({ vatKobo }) => vatKobo)),
    whtKobo: sum(settled.map(({ whtKobo }) => whtKobo)),
    produceKobo: produceKobo(harvest),
    dueKobo: sum(
      model.payouts
        .filter(
          ({ settlement, payee, state }) =>
            settlement !== null &&
            payee >= 0 &&
            at(model.settlements, settlement).harvest === index &&
            ["waiting", "due", "in_run"].includes(state),
        )
        .map(({ amountKobo }) => amountKobo),
    ),
  };
}
