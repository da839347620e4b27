import { type LeftOut, statementRowTexts as texts } from "#shared/bank/statement-texts.ts";
import type { RowFaults, StatementLine } from "./statement.ts";

/**
 * Rows of a table that by themselves can be read in two ways: those that the bank calls reversed, which it may have
 * booked or not, and those printed with a minus in the column of debits or of credits. The balances decide.
 */

export interface Doubt {
  /** The bank says that the money went back. */
  isReversed: boolean;
  /** The column in which the amount is printed with a minus; null if it isn't. */
  turned: "debit" | "credit" | null;
}

export type Doubtful = { line: StatementLine; doubt: Doubt | null };

/** The lines that are sure now, in the order of the file. What nothing proves is a fault, or left out and counted. */
export function settleDoubts(
  items: readonly Doubtful[],
  given: { openingKobo: bigint | null; hasPlainDebits: boolean; leftOut: LeftOut; faults: RowFaults },
): StatementLine[] {
  if (items.every(({ doubt }) => doubt === null)) return items.map(({ line }) => line);
  const proven = proveByBalances(items, given.openingKobo);
  // Where all debits have a minus, it is only the way in which this bank prints them.
  const isStyle =
    !given.hasPlainDebits && items.every((item) => item.doubt?.turned !== "debit" || !isTurnedIn(proven.get(item)));
  const free = Map.groupBy(
    items.filter(({ doubt }) => doubt === null),
    ({ line }) => line.amountKobo,
  );
  return items.flatMap((item): StatementLine[] => {
    const { line, doubt } = item;
    if (doubt === null) return [line];
    let amountKobo = proven.get(item);
    if (amountKobo === undefined && doubt.isReversed) {
      // The money went back in a row of its own, if the file has one.
      const back = free.get(-line.amountKobo)?.findIndex((other) => other.line.date >= line.date) ?? -1;
      if (back >= 0) free.get(-line.amountKobo)?.splice(back, 1);
      amountKobo = back >= 0 ? line.amountKobo : 0n;
    }
    if (amountKobo === undefined && doubt.turned === "debit" && isStyle) amountKobo = line.amountKobo;
    if (amountKobo === undefined) {
      given.faults.add(line.row, doubt.turned === "debit" ? texts.negativeDebit : texts.negativeCredit);
      return [];
    }
    if (amountKobo === 0n) {
      given.leftOut.reversed += 1;
      return [];
    }
    const isReversal = doubt.turned === "credit" || (doubt.turned === "debit" && isTurnedIn(amountKobo));
    return [{ ...line, amountKobo, isReversal, ...(doubt.isReversed && { isTakenBack: true }) }];
  });
}

const isTurnedIn = (kobo: bigint | undefined): boolean => kobo !== undefined && kobo > 0n;

/** Returns the amount of each doubtful row that the balances prove, in whichever order of the file proves more. */
function proveByBalances(items: readonly Doubtful[], openingKobo: bigint | null): Map<Doubtful, bigint> {
  const [first, last] = [items.at(0)?.line, items.at(-1)?.line];
  const forward = () => proveInOrder(items, openingKobo);
  const backward = () => proveInOrder(items.toReversed(), openingKobo);
  if (!first || !last || first.date < last.date) return forward();
  if (first.date > last.date) return backward();
  const [one, other] = [forward(), backward()];
  return other.size > one.size ? other : one;
}

function proveInOrder(items: readonly Doubtful[], openingKobo: bigint | null): Map<Doubtful, bigint> {
  const proven = new Map<Doubtful, bigint>();
  let before = openingKobo;
  for (const item of items) {
    const { amountKobo, balanceKobo } = item.line;
    let moved: bigint | undefined = amountKobo;
    if (item.doubt !== null) {
      const start = before;
      const fits =
        start === null || balanceKobo === null
          ? []
          : readingsOf(amountKobo, item.doubt).filter((kobo) => start + kobo === balanceKobo);
      moved = fits.length === 1 ? fits[0] : undefined;
      if (moved !== undefined) proven.set(item, moved);
    }
    before = balanceKobo ?? (before === null || moved === undefined ? null : before + moved);
  }
  return proven;
}

const readingsOf = (kobo: bigint, { isReversed, turned }: Doubt): bigint[] => [
  kobo,
  ...(turned === "debit" ? [-kobo] : []),
  ...(isReversed ? [0n] : []),
];
