import { bankTexts, harvestLineTexts } from "#shared/bank/texts.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import {
  awayKobo,
  lastCreditOfSale,
  neverSeenKobo,
  receivableOfSale,
  seenKobo,
  settledOfCredit,
} from "./sale-money.ts";
import { confirmByTwo } from "./second-person.ts";
import { at, type LineMatch, type Model, Refused, requireStandingLine, restKobo } from "./state.ts";
import { requireCredit } from "./walls.ts";

/** Money of sales that the bank took back, as two owners say, and what of it won't come again. */

export type TakingSaleMoneyBack = { line: number; sale: number; share: "rest" | "half" | "more" };

/** How much of a line it is: it is never nothing. */
export function saleTakenBackKobo(model: Readonly<Model>, { line, share }: TakingSaleMoneyBack): bigint {
  const rest = restKobo(model, line);
  if (share === "more" || rest === 0n) return rest + 1n;
  return share === "half" && rest > 1n ? rest / 2n : rest;
}

/** Takes unsettled money out of the proceeds; the settled part is missing, and the settlement stays. */
export function takeSaleMoneyBack(model: Model, args: TakingSaleMoneyBack) {
  const { line, sale: index } = args;
  requireStandingLine(model, line);
  const amountKobo = saleTakenBackKobo(model, args);
  if (amountKobo > restKobo(model, line)) throw new Refused("conflict", bankTexts.moreThanRest(restKobo(model, line)));
  if (at(model.lines, line).amountKobo > 0n) throw new Refused("conflict", bankTexts.onlyOut);
  const credit = requireCredit(model, { line, credit: lastCreditOfSale(model, index), amountKobo });
  const receivableKobo = settledOfCredit(model, { sale: index, credit, amountKobo });
  const sale = at(model.sales, index);
  if (sale.declaredAt !== null && receivableKobo < amountKobo) {
    if (neverSeenKobo(model, index) > 0n) throw new Refused("conflict", harvestLineTexts.declaredTakenBack);
    sale.declaredAt = null;
  }
  confirmByTwo(model);
  model.matches.push({
    line,
    kind: "sale_taken_back",
    payment: null,
    payout: null,
    harvest: null,
    release: null,
    sale: index,
    amountKobo,
    receivableKobo,
    credit,
    order: model.audit.length,
    isUndone: false,
    at: model.now,
    isByTwo: true,
  });
  model.audit.push("match_line");
  return {};
}

/** It stays taken back once the buyer paid again, or two owners gave it up. */
export function requireNotAgain(model: Model, { kind, sale: index, amountKobo, receivableKobo = 0n }: LineMatch): void {
  if (kind !== "sale_taken_back" || index === null) return;
  const shown = seenKobo(model, index) + amountKobo + awayKobo(model, index) - receivableKobo;
  if (receivableOfSale(model, index) < receivableKobo || shown > at(model.sales, index).amountKobo) {
    throw new Refused("conflict", harvestLineTexts.cameAgain);
  }
}

export type LosingSale = { sale: number; isSeen: boolean };

/** Returns the missing money as two owners saw it: it is never zero. */
export function lostOfSaleKobo(model: Readonly<Model>, { sale, isSeen }: LosingSale): bigint {
  const receivable = receivableOfSale(model, sale);
  return isSeen && receivable > 0n ? receivable : receivable + 1n;
}

export function loseSale(model: Model, args: LosingSale) {
  const sale = at(model.sales, args.sale);
  if (sale.isRemoved) throw new Refused("not_found", texts.saleGone);
  const receivable = receivableOfSale(model, args.sale);
  if (receivable === 0n) throw new Refused("conflict", texts.nothingOfSaleLost);
  if (lostOfSaleKobo(model, args) !== receivable) throw new Refused("conflict", texts.changed);
  sale.lostKobo += receivable;
  confirmByTwo(model, "lose_sale");
  return {};
}
