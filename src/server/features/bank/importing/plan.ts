import { and, asc, between, desc, eq, gt, isNotNull, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Tx } from "#server/db/open.ts";
import { type ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { fingerprintLines } from "#server/features/bank/statements/fingerprints.ts";
import type { Day, StatementFile } from "#server/features/bank/statements/statement.ts";
import type { importStatementFields } from "#shared/bank/import-inputs.ts";
import { bankImportTexts as texts } from "#shared/bank/import-texts.ts";
import type { ShownGap } from "#shared/bank/statement-import-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";
import type { Kobo } from "#shared/money.ts";
import { findKnown, findRewritten, sameAmounts } from "./known-lines.ts";
import { type FileLine, type FoundGap, findGapsBetween, type KeptLine, mergeLines, withBalances } from "./merge.ts";
import type { UploadedStatement } from "./statement-file.ts";

/** Plans an import: the new lines, their places, and the sums that are missing between them. Nothing is written. */

export type OwnAccount = typeof ownAccounts.$inferSelect;

/** A file that was read, and what was said of it. */
export type Import = z.output<typeof importStatementFields> & {
  file: UploadedStatement;
  openingKobo: Kobo | null;
  statement: StatementFile;
};

export type ImportPlan = Awaited<ReturnType<typeof planImport>>;

/** Reads the account's lines around the file's days, and says where the new ones belong and what is missing. */
export async function planImport(
  tx: Tx,
  account: OwnAccount,
  { statement, openingKobo: typedKobo, sameLines }: Import,
) {
  const prints = fingerprintLines(account.id, statement.lines);
  const lines = withBalances(statement).map((line, index): FileLine => {
    const print = prints[index];
    if (!print) throw new Error("a line without a fingerprint");
    return { ...line, ...print };
  });
  const days = lines.map(({ date }) => date).sort();
  const firstDay = days.at(0) ?? statement.days?.first ?? "";
  const lastDay = days.at(-1) ?? statement.days?.last ?? "";
  const openingKobo = account.openingKobo ?? statement.openingKobo ?? typedKobo;
  const around = await readAround(tx, account.id, { firstDay, lastDay });
  const found = findKnown(around.window, lines);
  const areSameColumns = readsSameColumns(account.mapping, statement);
  const rewritten = findRewritten(around.window, lines, { known: found, areSameColumns });
  const same = rewritten.map(({ line, kept }) => [line, kept] as const);
  // Until it is answered nothing is taken for new that may be known.
  const known = new Map([...found, ...(sameLines === "no" ? [] : same)]);
  const newLines = lines.filter((line) => !known.has(line));
  const nextRepetition = countRepetitions(around.window);
  for (const line of newLines) line.repetition = nextRepetition(line.fingerprint);
  const merged = mergeLines(around.window, lines, known);
  const gaps = findGapsBetween([...merged, ...around.after.map((kept) => ({ kept, line: null }))], {
    startKobo: around.beforeKobo ?? (openingKobo === null ? null : openingKobo + around.sinceOpeningKobo),
    before: around.beforeDay,
  });
  return {
    lines,
    newLines,
    areSameColumns,
    rewritten,
    nextRepetition,
    known: new Map([...found, ...same]),
    window: around.window,
    firstDay,
    lastDay,
    openingKobo,
    otherFormat: findOtherFormat(around.window, statement),
    merged,
    firstPosition: around.firstPosition,
    lastPosition: around.lastPosition,
    foundGaps: gaps,
    gaps: [...gaps.flatMap(viewOfGap), ...viewOfLastGap(statement), ...viewOfQuietGap(statement, around, firstDay)],
  };
}

/** Counts how often a fingerprint is there, on from those that are kept: all of its day are among them. */
function countRepetitions(window: readonly Kept[]): (fingerprint: string) => number {
  const next = new Map<string, number>();
  const counted = (fingerprint: string, repetition: number) =>
    next.set(fingerprint, Math.max(next.get(fingerprint) ?? 0, repetition + 1));
  for (const { fingerprint, repetition } of window) counted(fingerprint, repetition);
  return (fingerprint) => {
    const repetition = next.get(fingerprint) ?? 0;
    counted(fingerprint, repetition);
    return repetition;
  };
}

/** Shows the sum that moved before a day without lines, by its balance. */
function viewOfQuietGap(
  { lines, closingKobo }: StatementFile,
  { window, beforeKobo, beforeDay }: Awaited<ReturnType<typeof readAround>>,
  day: Day,
): ShownGap[] {
  const last = window.at(-1);
  const expectedKobo = last ? last.balanceKobo : beforeKobo;
  if (lines.length > 0 || closingKobo === null || expectedKobo === null || closingKobo === expectedKobo) return [];
  return [shownGap(closingKobo - expectedKobo, last?.date ?? beforeDay, day)];
}

const shownGap = (missingKobo: Kobo, fromDate: Day | null, toDate: Day | null): ShownGap => ({
  fromDate,
  toDate,
  missingKobo: missingKobo.toString(),
});

/** A gap that nobody has accepted yet. */
function viewOfGap({ placed, fromDate, gapKobo, isChanged }: FoundGap): ShownGap[] {
  if (gapKobo === null || !isChanged) return [];
  return [shownGap(gapKobo, fromDate, (placed.line ?? placed.kept).date)];
}

/** Shows the sum that is missing after the last line, by the printed closing balance. */
function viewOfLastGap({ gaps, lines }: StatementFile): ShownGap[] {
  const last = lines.at(-1);
  return gaps
    .filter(({ afterRow }) => last !== undefined && afterRow === last.row)
    .map(({ missingKobo }) => shownGap(missingKobo, last?.date ?? null, null));
}

type Kept = KeptLine & { format: StatementFile["format"] };

/** Lines of one day in two formats can't be told from each other, because their narrations differ. */
function findOtherFormat(window: readonly Kept[], { format, lines }: StatementFile): string | null {
  const days = new Set(lines.map(({ date }) => date));
  const other = window.filter((line) => line.format !== format && days.has(line.date));
  const [first] = other;
  return first ? texts.otherFormat([...new Set(other.map(({ date }) => date))].sort(), first.format, format) : null;
}

/** True if a file's texts and references stand in the columns, by their titles, that the account's last table had them in. */
function readsSameColumns(before: OwnAccount["mapping"], { table }: StatementFile): boolean {
  const now = table?.mapping;
  if (!now || !before) return true;
  const titleOf = ({ titles }: StatementMapping, column: number | null) => (column === null ? null : titles[column]);
  return (
    titleOf(before, before.narration) === titleOf(now, now.narration) &&
    titleOf(before, before.reference) === titleOf(now, now.reference)
  );
}

/** Days whose lines were read from other columns, and would count twice. Unless the balances say that both are there. */
export function findOtherColumns({ window, lines, newLines, known, gaps, areSameColumns }: ImportPlan): string | null {
  if (newLines.length === 0) return null;
  const isProven = ({ balanceKobo }: FileLine) => gaps.length === 0 && balanceKobo !== null;
  const days = sameAmounts(window, lines, { known, areSameColumns, isProven }).filter(
    ({ tells }) => tells === "other columns",
  );
  return days.length > 0 ? texts.otherColumns(days.map(({ day }) => day).sort()) : null;
}

/**
 * The account's lines from the first of the file's days to the last, the balance before them, and the next line after them
 * that has one.
 */
async function readAround(tx: Tx, ownAccountId: number, { firstDay, lastDay }: { firstDay: Day; lastDay: Day }) {
  const isOfAccount = eq(statementLines.ownAccountId, ownAccountId);
  const [bounds] = await tx
    .select({
      first: sql<number | null>`min(${statementLines.position}) filter (where ${statementLines.date} >= ${firstDay})`,
      last: sql<number | null>`max(${statementLines.position}) filter (where ${statementLines.date} <= ${lastDay})`,
      end: sql<number>`coalesce(max(${statementLines.position}), 0)`,
    })
    .from(statementLines)
    .where(isOfAccount);
  const firstPosition = bounds?.first ?? (bounds?.end ?? 0) + 1;
  const lastPosition = Math.max(bounds?.last ?? 0, firstPosition - 1);
  const { position, id, date, amountKobo, balanceKobo, gapKobo, fingerprint, repetition } = statementLines;
  const { narration, bankReference, reference } = statementLines;
  const columns = {
    position,
    id,
    date,
    amountKobo,
    balanceKobo,
    gapKobo,
    fingerprint,
    repetition,
    narration,
    bankReference,
    reference,
    otherPrints: sql<string[]>`coalesce((
      select jsonb_agg(told.fingerprint) from statement_line_texts told where told.line_id = ${id}), '[]')`,
  };
  const window: Kept[] = await tx
    .select({ ...columns, format: statements.format })
    .from(statementLines)
    .innerJoin(statements, eq(statements.id, statementLines.statementId))
    .where(and(isOfAccount, between(position, firstPosition, lastPosition)))
    .orderBy(asc(position));
  const [before] = await tx
    .select({ date })
    .from(statementLines)
    .where(and(isOfAccount, lt(position, firstPosition)))
    .orderBy(desc(position))
    .limit(1);
  const [balanced] = await tx
    .select({ position, balanceKobo })
    .from(statementLines)
    .where(and(isOfAccount, lt(position, firstPosition), isNotNull(balanceKobo)))
    .orderBy(desc(position))
    .limit(1);
  const [since] = await tx
    .select({ kobo: sql`coalesce(sum(${amountKobo}), 0)::bigint`.mapWith(amountKobo) })
    .from(statementLines)
    .where(and(isOfAccount, lt(position, firstPosition), gt(position, balanced?.position ?? 0)));
  const sinceKobo = since?.kobo ?? 0n;
  const after: KeptLine[] = await tx
    .select(columns)
    .from(statementLines)
    .where(and(isOfAccount, gt(position, lastPosition), lt(position, firstBalanceAfter(ownAccountId, lastPosition))))
    .orderBy(asc(position));
  return {
    firstPosition,
    lastPosition,
    window,
    beforeDay: before?.date ?? null,
    beforeKobo: balanced?.balanceKobo != null ? balanced.balanceKobo + sinceKobo : null,
    sinceOpeningKobo: sinceKobo,
    after,
  };
}

/** The position behind the first line with a balance after the window; nothing if none has one. */
const firstBalanceAfter = (ownAccountId: number, lastPosition: number) => sql<number>`(
  select min(next.position) + 1 from statement_lines next
  where next.own_account_id = ${ownAccountId} and next.position > ${lastPosition} and next.balance_kobo is not null
)`;
