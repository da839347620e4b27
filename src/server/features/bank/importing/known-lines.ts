import { withoutSpaces } from "#server/features/bank/statements/narrations.ts";
import type { Day } from "#server/features/bank/statements/statement.ts";
import type { FileLine, KeptLine } from "./merge.ts";

/**
 * Which lines of a file are kept already: by their fingerprints, or perhaps, because a bank may write a text anew
 * overnight. Nothing here asks the database.
 */

export type KnownLines = ReadonlyMap<FileLine, KeptLine>;

/** A line of the file that may be a kept one with another text. */
export type Rewritten = { line: FileLine; kept: KeptLine };

/** Pairs lines of the file with kept ones by what both are called; each is in one pair at most, the first ones first. */
class Pairs {
  readonly found = new Map<FileLine, KeptLine>();
  readonly #taken: Set<KeptLine>;

  constructor(taken: Iterable<KeptLine> = []) {
    this.#taken = new Set(taken);
  }

  add(
    kept: readonly KeptLine[],
    lines: Iterable<FileLine>,
    name: { kept: (line: KeptLine) => readonly (string | null)[]; line: (line: FileLine) => string | null },
  ): void {
    const named = new Map<string, KeptLine[]>();
    for (const line of kept.toReversed()) {
      for (const key of this.#taken.has(line) ? [] : name.kept(line)) {
        if (key !== null)
          named
            .set(key, named.get(key) ?? [])
            .get(key)
            ?.push(line);
      }
    }
    for (const line of lines) {
      const key = this.found.has(line) ? null : name.line(line);
      const same = key === null ? undefined : named.get(key);
      let one = same?.pop();
      while (one && this.#taken.has(one)) one = same?.pop();
      if (!one) continue;
      this.found.set(line, one);
      this.#taken.add(one);
    }
  }
}

const withBalance = (name: string, { balanceKobo }: { balanceKobo: bigint | null }): string | null =>
  balanceKobo === null ? null : `${name} ${balanceKobo}`;

/**
 * Finds the file's lines that are kept already, by their fingerprints. Of those with equal ones the balances tell which is
 * which, as far as they are printed.
 */
export function findKnown(kept: readonly KeptLine[], lines: readonly FileLine[]): KnownLines {
  const pairs = new Pairs();
  const printsOf = [
    ({ fingerprint }: KeptLine) => [fingerprint],
    ({ otherPrints }: KeptLine): readonly string[] => otherPrints,
  ];
  for (const prints of printsOf) {
    pairs.add(kept, lines, {
      kept: (line) => prints(line).map((print) => withBalance(print, line)),
      line: (line) => withBalance(line.fingerprint, line),
    });
  }
  for (const prints of printsOf) pairs.add(kept, lines, { kept: prints, line: ({ fingerprint }) => fingerprint });
  return pairs.found;
}

type Placed = Pick<KeptLine, "date" | "amountKobo" | "balanceKobo" | "bankReference" | "narration">;

const placeOf = ({ date, amountKobo }: Placed): string => `${date} ${amountKobo}`;
const withReference = (line: Placed): string | null =>
  line.bankReference === null ? null : JSON.stringify([placeOf(line), line.bankReference]);

/**
 * The file's unknown lines that have day, amount and the bank's reference, or day, amount and balance, of a kept line that
 * the file doesn't have. And, of days that {@link sameAmounts} names, those that nothing tells from a kept line.
 */
export function findRewritten(
  kept: readonly KeptLine[],
  lines: readonly FileLine[],
  { known, areSameColumns }: { known: KnownLines; areSameColumns: boolean },
): Rewritten[] {
  const pairs = new Pairs(known.values());
  const unknown = lines.filter((line) => !known.has(line));
  const names = [
    (line: Placed) => {
      const name = withReference(line);
      return name && withBalance(name, line);
    },
    withReference,
    (line: Placed) => withBalance(placeOf(line), line),
  ];
  for (const name of names) pairs.add(kept, unknown, { kept: (line) => [name(line)], line: name });
  const isProven = ({ balanceKobo }: FileLine) => balanceKobo !== null;
  const unsure = sameAmounts(kept, lines, { known, areSameColumns, isProven }).filter(
    ({ tells }) => tells === "nothing",
  );
  const days = new Set(unsure.map(({ day }) => day));
  pairs.add(
    kept,
    unknown.filter(({ date }) => days.has(date)),
    { kept: (line) => [placeOf(line)], line: placeOf },
  );
  return [...pairs.found].map(([line, one]) => ({ line, kept: one }));
}

type SameAmounts = { day: Day; tells: "other columns" | "other lines" | "nothing" };

/**
 * Days of which the file has the kept amounts, and not one line that is known. Their lines may be known ones that were
 * read from other columns, as texts that both have tell, or other people's, as the bank's own references tell; or
 * nothing tells. Banks write "TRANSFER" of everybody: where texts and references came from the same columns as before,
 * equal texts say nothing. `isProven` are lines of which the balances tell.
 */
export function sameAmounts(
  kept: readonly KeptLine[],
  lines: readonly FileLine[],
  {
    known,
    areSameColumns,
    isProven,
  }: { known: KnownLines; areSameColumns: boolean; isProven: (line: FileLine) => boolean },
): SameAmounts[] {
  const keptOf = Map.groupBy(kept, ({ date }) => date);
  const days = Map.groupBy(lines, ({ date }) => date);
  return [...days].flatMap(([day, ofFile]): SameAmounts[] => {
    const before = keptOf.get(day) ?? [];
    const isUnknown = ofFile.every((line) => !known.has(line) && !isProven(line));
    if (before.length === 0 || !isUnknown || !haveSameAmounts(before, ofFile)) return [];
    const textsBefore = new Set(before.flatMap(textsOf));
    const hasKnownText = (line: FileLine) => textsOf(line).some((text) => textsBefore.has(text));
    if (!areSameColumns && ofFile.some(hasKnownText)) return [{ day, tells: "other columns" }];
    const hasReferences = [...before, ...ofFile].every(({ bankReference }) => bankReference !== null);
    // References that an export numbers anew stand beside the texts of before, of each line its own.
    const isNumberedAnew = new Set(ofFile.map(({ narration }) => narration)).size > 1 && ofFile.every(hasKnownText);
    return [{ day, tells: hasReferences && !isNumberedAnew ? "other lines" : "nothing" }];
  });
}

/** Returns a line's texts, each with its amount. A text counts as the same in any column. */
const textsOf = ({ amountKobo, narration, bankReference }: Placed): string[] =>
  [narration, bankReference ?? ""].filter((text) => text !== "").map((text) => `${amountKobo} ${withoutSpaces(text)}`);

/** True if the amounts of one are all among those of the other, each as often: an export may end in the middle of a day. */
function haveSameAmounts(...both: [readonly { amountKobo: bigint }[], readonly { amountKobo: bigint }[]]): boolean {
  const [fewer, more] = both[0].length <= both[1].length ? both : [both[1], both[0]];
  const left = Map.groupBy(more, ({ amountKobo }) => amountKobo);
  return fewer.every(({ amountKobo }) => left.get(amountKobo)?.pop() !== undefined);
}
