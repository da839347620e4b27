import type { Things } from "#server/features/bank/matching/match-places.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import type { LineMatchKind } from "#shared/bank/texts.ts";
import { farmPaidBackKind, farmPaidBackPart } from "./farms.ts";
import {
  harvestCostKind,
  harvestCostPart,
  saleKind,
  salePart,
  saleTakenBackKind,
  saleTakenBackPart,
} from "./harvests.ts";
import type { MatchKind, ReadyPartKind } from "./kind.ts";
import {
  bankChargesKind,
  bankChargesPart,
  lossKind,
  operatorKind,
  operatorPart,
  vatKind,
  vatPart,
  whtKind,
  whtPart,
} from "./own-money.ts";
import { ownTransferKind, ownTransferPart } from "./own-transfer.ts";
import { paymentKind, paymentPart, purchasePart } from "./payment.ts";
import { payoutKind, payoutPart, payoutRunPart, returnedKind, returnedPart } from "./payouts.ts";
import { sentBackKind, sentBackPart } from "./sent-back.ts";
import { takenBackKind, takenBackPart } from "./taken-back.ts";

/** Every way of explaining a part of a line. */
const partKinds: { [Kind in LinePart["kind"]]: ReadyPartKind<Extract<LinePart, { kind: Kind }>> } = {
  payment: paymentPart,
  purchase: purchasePart,
  taken_back: takenBackPart,
  own_transfer: ownTransferPart,
  bank_charges: bankChargesPart,
  payout: payoutPart,
  payout_run: payoutRunPart,
  returned: returnedPart,
  sale: salePart,
  sale_taken_back: saleTakenBackPart,
  harvest_cost: harvestCostPart,
  vat: vatPart,
  wht: whtPart,
  operator: operatorPart,
  farm_paid_back: farmPaidBackPart,
  sent_back: sentBackPart,
};

/**
 * The kind of a part, which takes this part. The compiler checks the table entry by entry, but can't follow that the entry of a
 * part's own kind takes that part: hence the assertion.
 */
export const kindOf = <Part extends LinePart>({ kind }: Part): ReadyPartKind<Part> =>
  partKinds[kind] as unknown as ReadyPartKind<Part>;

/** Joins the ids that all parts of a line name. */
export function thingsOf(parts: readonly LinePart[]): Things {
  const each = parts.map((part) => kindOf(part).lock(part));
  const all = <Key extends keyof Things>(key: Key) => each.flatMap((one): Things[Key][number][] => one[key] ?? []);
  return {
    paymentIds: all("paymentIds"),
    references: all("references"),
    saleIds: all("saleIds"),
    harvestIds: all("harvestIds"),
    releaseIds: all("releaseIds"),
    payoutIds: all("payoutIds"),
    runIds: all("runIds"),
    returnedIds: all("returnedIds"),
    counterLineIds: all("counterLineIds"),
  };
}

/** Every kind of match, as it is undone. */
export const matchKinds: Record<LineMatchKind, MatchKind> = {
  payment: paymentKind,
  operator: operatorKind,
  own_transfer: ownTransferKind,
  taken_back: takenBackKind,
  loss: lossKind,
  bank_charges: bankChargesKind,
  payout: payoutKind,
  returned: returnedKind,
  sale: saleKind,
  sale_taken_back: saleTakenBackKind,
  harvest_cost: harvestCostKind,
  vat: vatKind,
  wht: whtKind,
  farm_paid_back: farmPaidBackKind,
  sent_back: sentBackKind,
};
