import type { Fingerprint } from "#server/features/bank/statements/fingerprints.ts";
import type { BalanceGap, Day, StatementFile, StatementLine } from "#server/features/bank/statements/statement.ts";

/**
 * Places a file's lines among those that an own account already has, and finds the sums that the printed balances say
 * are missing between them. Nothing here asks the database.
 */

/** A line that is kept. */
export type KeptLine = Fingerprint & {
  id: number;
  position: number;
  date: Day;
  amountKobo: bigint;
  balanceKobo: bigint | null;
  gapKobo: bigint | null;
  narration: string;
  bankReference: string | null;
  reference: string | null;
  /** The prints of its other tellings. */
  otherPrints: readonly string[];
};
/** A line of the file, with the balance after it where the file's printed balances tell it. */
export type FileLine = StatementLine & Fingerprint;
type Placed = { kept: KeptLine; line: null } | { kept: null; line: FileLine };

/**
 * The kept lines and the file's new ones, oldest first. Lines that both have hold the two orders together; between them the
 * day decides, and of one day what is kept comes first.
 */
export function mergeLines(
  kept: readonly KeptLine[],
  lines: readonly FileLine[],
  known: ReadonlyMap<FileLine, KeptLine>,
): Placed[] {
  const indexOf = new Map(kept.map((line, index) => [line, index]));
  const merged: Placed[] = [];
  let next = 0;
  let waiting: FileLine[] = [];
  const placeUpTo = (end: number) => {
    for (const line of waiting) {
      for (; next < end && dateAt(kept, next) <= line.date; next++) merged.push(placedAt(kept, next));
      merged.push({ kept: null, line });
    }
    for (; next < end; next++) merged.push(placedAt(kept, next));
    waiting = [];
  };
  for (const line of lines) {
    const one = known.get(line);
    const index = one && indexOf.get(one);
    if (index === undefined) waiting.push(line);
    // Two exports may order the lines of a day differently: what is placed already stays.
    else if (index >= next) {
      // What the file has before a line stands before it, on its day too.
      placeUpTo(index);
      placeUpTo(index + 1);
    }
  }
  placeUpTo(kept.length);
  return merged;
}

const dateAt = (kept: readonly KeptLine[], index: number): Day => kept[index]?.date ?? "";

function placedAt(kept: readonly KeptLine[], index: number): Placed {
  const line = kept[index];
  if (!line) throw new Error("no such line");
  return { kept: line, line: null };
}

/**
 * The file's lines with the balance after each, as far as its printed balances tell it: MT940 and CAMT.053 print one
 * before the first line and one after the last.
 */
export function withBalances(file: Pick<StatementFile, "openingKobo" | "gaps" | "lines">): StatementLine[] {
  let balanceKobo = file.openingKobo;
  let afterRow: number | null = null;
  return file.lines.map((line) => {
    if (balanceKobo !== null) balanceKobo += line.amountKobo + missingAfter(file.gaps, afterRow);
    balanceKobo = line.balanceKobo ?? balanceKobo;
    afterRow = line.row;
    return { ...line, balanceKobo };
  });
}

const missingAfter = (gaps: readonly BalanceGap[], row: number | null): bigint =>
  gaps.filter(({ afterRow }) => afterRow === row).reduce((sum, { missingKobo }) => sum + missingKobo, 0n);

/** A sum that is missing before a line, by its balance and the one before. */
export type FoundGap = { placed: Placed; fromDate: Day | null; gapKobo: bigint | null; isChanged: boolean };

/**
 * The gap before each line that has a balance. `startKobo` is the balance before the first one, as far as it is known;
 * `before` is the day of the line before it.
 */
export function findGapsBetween(
  merged: readonly Placed[],
  { startKobo, before }: { startKobo: bigint | null; before: Day | null },
): FoundGap[] {
  const found: FoundGap[] = [];
  let expected = startKobo;
  let fromDate = before;
  for (const placed of merged) {
    const { amountKobo, balanceKobo, date } = placed.line ?? placed.kept;
    if (expected !== null) expected += amountKobo;
    if (balanceKobo !== null) {
      const missing = expected === null ? 0n : balanceKobo - expected;
      const gapKobo = missing === 0n ? null : missing;
      found.push({ placed, fromDate, gapKobo, isChanged: gapKobo !== (placed.kept?.gapKobo ?? null) });
      expected = balanceKobo;
    }
    fromDate = date;
  }
  return found;
}
