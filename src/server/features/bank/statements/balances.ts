import type { BalanceGap, Day, StatementLine } from "./statement.ts";

/** A line, or a balance that is printed between lines, which moves nothing. */
export type BalancePoint = Pick<StatementLine, "amountKobo" | "balanceKobo"> & { row: number | null; date: Day | null };

/** Finds the places where the printed balances don't follow from the lines between them. Points come oldest first. */
export function findGaps(points: Iterable<BalancePoint>): BalanceGap[] {
  const gaps: BalanceGap[] = [];
  let expected: bigint | null = null;
  let last: BalancePoint | null = null;
  for (const point of points) {
    if (expected !== null) expected += point.amountKobo;
    if (point.balanceKobo !== null) {
      if (expected !== null && expected !== point.balanceKobo) {
        gaps.push({
          afterRow: last?.row ?? null,
          fromDate: last?.date ?? null,
          beforeRow: point.row,
          toDate: point.date,
          missingKobo: point.balanceKobo - expected,
        });
      }
      expected = point.balanceKobo;
    }
    if (point.row !== null) last = point;
  }
  return gaps;
}

/** A balance that stands before, between or after the lines of a statement. */
export const printedBalance = (balanceKobo: bigint | null, date: Day | null = null): BalancePoint => ({
  row: null,
  date,
  amountKobo: 0n,
  balanceKobo,
});

/**
 * The lines of one statement, oldest first. Banks also write the newest first: the dates tell, or the balances where all
 * lines are of one day.
 */
export function oldestFirst(lines: StatementLine[]): StatementLine[] {
  const [first, last] = [lines.at(0), lines.at(-1)];
  if (!first || !last || first.date < last.date) return lines;
  const reversed = lines.toReversed();
  if (first.date > last.date) return reversed;
  return findGaps(reversed).length < findGaps(lines).length ? reversed : lines;
}

/** A statement within a file that may hold several, each with the balances around its lines. */
export interface StatementPart {
  opening: BalancePoint | null;
  lines: StatementLine[];
  closing: BalancePoint | null;
}

/** The lines and balances of several statements of one account, the oldest first. */
export function joinParts(parts: StatementPart[]) {
  const dateOf = ({ opening, lines }: StatementPart): Day => opening?.date ?? lines[0]?.date ?? "";
  // Statements of one day stay in the order of the file.
  const sorted = parts.toSorted((one, other) =>
    dateOf(one) < dateOf(other) ? -1 : Number(dateOf(one) > dateOf(other)),
  );
  const points: BalancePoint[] = [];
  const lines: StatementLine[] = [];
  for (const part of sorted) {
    const own = oldestFirst(part.lines);
    lines.push(...own);
    points.push(...(part.opening ? [part.opening] : []), ...own, ...(part.closing ? [part.closing] : []));
  }
  // An opening balance may be dated by the day before, which it doesn't tell of.
  const days = sorted.flatMap(({ closing }) => closing?.date ?? []).sort();
  const [first = null, last = null] = [days.at(0), days.at(-1)];
  return {
    lines,
    days: first === null || last === null ? null : { first, last },
    openingKobo: sorted[0]?.opening?.balanceKobo ?? null,
    closingKobo: sorted.at(-1)?.closing?.balanceKobo ?? null,
    gaps: findGaps(points),
  };
}
