import type { NamedIds } from "#server/features/bank/matching/locked-rows.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import type { LineMatchKind } from "#shared/bank/texts.ts";
import { farmPaidBackPart, farmPaidBackUndoing } from "./farms.ts";
import {
  harvestCostPart,
  harvestCostUndoing,
  salePart,
  saleTakenBackPart,
  saleTakenBackUndoing,
  saleUndoing,
} from "./harvests.ts";
import type { ReadyPartKind, Undoing } from "./kind.ts";
import {
  bankChargesPart,
  bankChargesUndoing,
  lossUndoing,
  operatorPart,
  operatorUndoing,
  vatPart,
  vatUndoing,
  whtPart,
  whtUndoing,
} from "./own-money.ts";
import { ownTransferPart, ownTransferUndoing } from "./own-transfer.ts";
import { paymentPart, paymentUndoing, purchasePart } from "./payment.ts";
import { payoutPart, payoutRunPart, payoutUndoing, returnedPart, returnedUndoing } from "./payouts.ts";
import { sentBackPart, sentBackUndoing } from "./sent-back.ts";
import { takenBackPart, takenBackUndoing } from "./taken-back.ts";

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
 * The kind of a part, which takes this part. The compiler checks the table entry by entry, but can't follow that the
 * entry of a part's own kind takes that part: hence the assertion.
 */
export const kindOf = <Part extends LinePart>({ kind }: Part): ReadyPartKind<Part> =>
  partKinds[kind] as unknown as ReadyPartKind<Part>;

/** Joins the ids that all parts of a line name. */
export function collectNamedIds(parts: readonly LinePart[]): NamedIds {
  const each = parts.map((part) => kindOf(part).names(part));
  const all = <Key extends keyof NamedIds>(key: Key) => each.flatMap((one): NamedIds[Key][number][] => one[key] ?? []);
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
export const undoings: Record<LineMatchKind, Undoing> = {
  payment: paymentUndoing,
  operator: operatorUndoing,
  own_transfer: ownTransferUndoing,
  taken_back: takenBackUndoing,
  loss: lossUndoing,
  bank_charges: bankChargesUndoing,
  payout: payoutUndoing,
  returned: returnedUndoing,
  sale: saleUndoing,
  sale_taken_back: saleTakenBackUndoing,
  harvest_cost: harvestCostUndoing,
  vat: vatUndoing,
  wht: whtUndoing,
  farm_paid_back: farmPaidBackUndoing,
  sent_back: sentBackUndoing,
};
