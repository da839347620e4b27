import { harvestLineTexts } from "#shared/bank/texts.ts";
import { at, type Model, Refused } from "./state.ts";

/** Taxes that settlements owe to the state, and lines that pass them on. */

export type Tax = "vat" | "wht";
export const taxes = ["vat", "wht"] as const;

export const isTax = (kind: string): kind is Tax => kind === "vat" || kind === "wht";

export function taxOwedKobo(model: Readonly<Model>, tax: Tax): bigint {
  const made = model.settlements.filter(({ isReversed }) => !isReversed).flatMap(({ parts }) => parts);
  const takenOut = model.takenOut.filter(({ settlement }) => !at(model.settlements, settlement).isReversed);
  const passed = model.matches.filter(({ kind, isUndone }) => kind === tax && !isUndone);
  return (
    made.reduce((sum, part) => sum + (tax === "vat" ? part.vatKobo : part.whtKobo), 0n) -
    takenOut.reduce((sum, part) => sum + (tax === "vat" ? part.vatKobo : part.whtKobo), 0n) -
    passed.reduce((sum, { amountKobo }) => sum + amountKobo, 0n)
  );
}

export function requireTaxOwed(model: Model, tax: Tax, amountKobo: bigint): void {
  const owed = taxOwedKobo(model, tax);
  if (amountKobo > owed) throw new Refused("conflict", harvestLineTexts.moreThanTaxOwed(tax, owed));
}
