import { and, asc, between, desc, eq, gt, isNotNull, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import { requireOpenAccount } from "#server/accounts/sessions.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { fingerprintLines } from "#server/features/bank/statements/fingerprints.ts";
import { findReferences, indexReferences, type OpenReferences } from "#server/features/bank/statements/narrations.ts";
import type { Day, StatementFile, StatementRefusal } from "#server/features/bank/statements/statement.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import type { importStatementFields } from "#shared/bank-import.ts";
import { bankImportTexts as texts } from "#shared/bank-import-texts.ts";
import { isoInLagos } from "#shared/dates.ts";
import { type Kobo, MAX_STATEMENT_KOBO, parseNaira } from "#shared/money.ts";
import type { ImportAnswer, ShownGap } from "#shared/statement-import-texts.ts";
import { statementLimits } from "#shared/statements-texts.ts";
import { type EvidenceFile, keepEvidence, withEvidence } from "./evidence.ts";
import { findKnown, findRewritten, sameAmounts } from "./known-lines.ts";
import { type FileLine, type FoundGap, findGapsBetween, type KeptLine, mergeLines, withBalances } from "./merge.ts";
import { postLines, postOpening } from "./posting.ts";
import { readApart } from "./reading.ts";
import { keepOtherTexts, viewOfRewritten } from "./rewritten.ts";

/**
 * Importing a bank's statement: all of it in one transaction, with the own account locked, or nothing. What has to be asked
 * first is asked without anything being written.
 */

type GivenFile = { content: Uint8Array<ArrayBuffer>; sha256: string; bytes: number; originalName: string };
type Given = z.output<typeof importStatementFields> & { file: GivenFile };
type OwnAccount = typeof ownAccounts.$inferSelect;

/**
 * Reads a statement and keeps the lines that aren't known yet, each posted once. Gives what is asked instead where columns
 * have to be confirmed, a balance typed or a gap explained, and what is wrong where the file is refused. Throws "not_found".
 */
export async function importStatement(ctx: ActorContext, given: Given): Promise<ImportAnswer> {
  const [account] = await ctx.db.select().from(ownAccounts).where(eq(ownAccounts.id, given.accountId));
  if (!account) throw new AppError("not_found", texts.accountNotFound);
  const openingKobo = readOpening(given.openingNaira);
  const mapping = given.mapping ?? account.mapping;
  const statement = await readApart(ctx, { content: given.file.content, mapping });
  if (statement.kind === "refused") return refused(statement);
  return withEvidence(ctx, given.file, (file) =>
    inTransaction(ctx.db, (tx) => keepStatement(tx, ctx, { ...given, openingKobo, statement, file })),
  );
}

/** A typed balance; an overdrawn account's begins with a minus sign. */
function readOpening(text: string | undefined): Kobo | null {
  if (!text) return null;
  const isNegative = /^[-−]/.test(text);
  const kobo = parseNaira(isNegative ? text.slice(1) : text, MAX_STATEMENT_KOBO);
  if (kobo === null) throw fieldRefusal("openingNaira", texts.openingInvalid);
  return isNegative ? -kobo : kobo;
}

const refused = ({ faults, moreFaults, table }: Omit<StatementRefusal, "kind" | "format">): ImportAnswer => ({
  kind: "refused",
  faults,
  moreFaults,
  table,
});

type Import = Omit<Given, "file"> & {
  file: EvidenceFile;
  openingKobo: Kobo | null;
  statement: StatementFile;
};

/** The import's transaction, of a file that was read. */
export async function keepStatement(tx: Tx, ctx: ActorContext, given: Import): Promise<ImportAnswer> {
  // Another import of the account may be at work for a while.
  await tx.execute(sql`set local lock_timeout = '60s'`);
  await requireOpenAccount(tx, ctx.actor);
  const [account] = await tx.select().from(ownAccounts).where(eq(ownAccounts.id, given.accountId)).for("no key update");
  if (!account) throw new AppError("not_found", texts.accountNotFound);
  const { statement } = given;
  const faults = faultsOf(ctx, account, statement);
  if (faults.length > 0) {
    const shown = faults.slice(0, statementLimits.faults);
    return refused({ faults: shown, moreFaults: faults.length - shown.length, table: statement.table });
  }
  const plan = await planImport(tx, account, given);
  if (plan.otherFormat !== null) {
    return refused({ faults: [{ row: null, text: plan.otherFormat }], moreFaults: 0, table: null });
  }
  const earlierAt = await findEarlier(tx, account, given.file.sha256);
  const otherColumns =
    earlierAt && plan.newLines.length + plan.rewritten.length > 0
      ? texts.otherColumnsOfFile(earlierAt)
      : findOtherColumns(plan);
  if (otherColumns !== null) {
    return refused({ faults: [{ row: null, text: otherColumns }], moreFaults: 0, table: statement.table });
  }
  const { lines, firstDay, lastDay } = plan;
  const counted = {
    lines: lines.length,
    newLines: plan.newLines.length,
    knownLines: lines.length - plan.newLines.length - (given.sameLines ? 0 : plan.rewritten.length),
    pendingEntries: statement.leftOut.pending,
    otherRows: statement.leftOut.other,
    firstDay,
    lastDay,
    notes: [...statement.notes, ...(earlierAt ? [texts.alreadyImported(earlierAt)] : [])],
  };
  const asked = {
    mapping: statement.table?.isAsked && !given.mapping ? statement.table : null,
    opening: plan.openingKobo === null,
    rewritten: given.sameLines ? null : viewOfRewritten(plan.rewritten),
    gaps: given.gapReason ? [] : plan.gaps,
  };
  if (asked.mapping || plan.openingKobo === null || asked.rewritten || asked.gaps.length > 0)
    return { kind: "asks", ...counted, ...asked };
  const statementId = await writeImport(tx, ctx, { ...plan, account, given, openingKobo: plan.openingKobo });
  return { kind: "imported", statementId, ...counted };
}

/** What is wrong with the file for this account and day. */
function faultsOf(ctx: Pick<Context, "clock">, account: OwnAccount, statement: StatementFile) {
  const { accountNumber, openedOn } = account;
  if (statement.account !== null && !namesAccount(statement.account, accountNumber)) {
    return [{ row: null, text: texts.otherAccount(statement.account, accountNumber) }];
  }
  const today = isoInLagos(ctx.clock.now()).slice(0, 10);
  const { lines, days } = statement;
  if (lines.length === 0 && days && days.last > today) return [{ row: null, text: texts.dayInFuture(days.last) }];
  return statement.lines.flatMap(({ row, date }) => {
    if (date > today) return [{ row, text: texts.inFuture(row, date) }];
    return openedOn !== null && date < openedOn ? [{ row, text: texts.beforeOpening(row, date, openedOn) }] : [];
  });
}

/** Whether a printed number is the account's: banks put codes around it, and hide a part of it. */
function namesAccount(printed: string, accountNumber: string): boolean {
  const groups = printed.match(/\d+/g) ?? [];
  const isHidden = /[*x]/i.test(printed) && groups.every(({ length }) => length < accountNumber.length);
  if (isHidden) return groups.every((group) => accountNumber.startsWith(group) || accountNumber.endsWith(group));
  return groups.join("").includes(accountNumber) || groups.some((group) => group.replace(/^0+/, "") === accountNumber);
}

/** When the same file was imported for the account. */
async function findEarlier(tx: Tx, { id }: OwnAccount, sha256: string): Promise<Date | null> {
  const [earlier] = await tx
    .select({ createdAt: statements.createdAt })
    .from(statements)
    .where(and(eq(statements.ownAccountId, id), eq(statements.sha256, sha256)))
    .limit(1);
  return earlier?.createdAt ?? null;
}

/** Reads the account's lines around the file's days, and says where the new ones belong and what is missing. */
async function planImport(tx: Tx, account: OwnAccount, { statement, openingKobo: typedKobo, sameLines }: Import) {
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
  const rewritten = findRewritten(around.window, lines, found);
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

/** What has moved before a day of which the bank tells no line, by its balance then. */
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

/** What the printed closing balance says is missing after the last line. */
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

/** Days whose lines were read from other columns, and would count twice. Unless the balances say that both are there. */
function findOtherColumns({ window, lines, newLines, known, gaps }: Awaited<ReturnType<typeof planImport>>) {
  if (newLines.length === 0) return null;
  const isProven = ({ balanceKobo }: FileLine) => gaps.length === 0 && balanceKobo !== null;
  const days = sameAmounts(window, lines, { known, isProven }).filter(({ tells }) => tells === "other columns");
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
    ...{ position, id, date, amountKobo, balanceKobo, gapKobo, fingerprint, repetition },
    ...{ narration, bankReference, reference },
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

type Writing = Awaited<ReturnType<typeof planImport>> & { account: OwnAccount; given: Import; openingKobo: Kobo };

async function writeImport(tx: Tx, ctx: ActorContext, writing: Writing): Promise<number> {
  const { account, given, firstDay, lastDay, openingKobo, newLines } = writing;
  const { statement, file } = given;
  const at = ctx.clock.now();
  const actorId = ctx.actor.id;
  const gapReason = writing.gaps.length > 0 ? (given.gapReason ?? null) : null;
  const [kept] = await tx
    .insert(statements)
    .values({
      ownAccountId: account.id,
      fileId: await keepEvidence(tx, ctx, file),
      fileName: file.originalName,
      sha256: file.sha256,
      bytes: file.bytes,
      format: statement.format,
      firstDay,
      lastDay,
      lines: writing.lines.length,
      newLines: newLines.length,
      pendingEntries: statement.leftOut.pending,
      openingKobo: statement.openingKobo,
      closingKobo: statement.closingKobo,
      gapReason,
      importedBy: actorId,
      createdAt: at,
    })
    .returning({ id: statements.id });
  if (!kept) throw new Error("the statement was not written");
  const statementId = kept.id;
  await makeRoom(tx, writing);
  const references = indexReferences(await listReferences(tx, at));
  await insertLines(tx, { ...writing, statementId, references, at });
  const same = given.sameLines === "yes" ? writing.rewritten : [];
  await keepOtherTexts(tx, same, { references, nextRepetition: writing.nextRepetition, at });
  await updateGaps(tx, writing.foundGaps);
  const ownAccountId = account.id;
  if (account.openedOn === null) {
    await postOpening(tx, { ownAccountId, isOriginal: account.isOriginal, openingKobo, actorId, at });
  }
  await postLines(tx, { ownAccountId, statementId, actorId, at });
  const opened = account.openedOn === null ? { openedOn: firstDay, openingKobo } : {};
  const mapping = statement.table?.mapping ?? account.mapping;
  await tx
    .update(ownAccounts)
    .set({ ...opened, mapping })
    .where(eq(ownAccounts.id, account.id));
  // Receipts of days that it covers keep their holds for one working day more.
  await ctx.jobs.enqueue(tx, "sweep-holds", {});
  await recordAudit(tx, ctx, "import_statement", {
    ...{ statementId, accountId: account.id, fileName: file.originalName, sha256: file.sha256 },
    ...{ firstDay, lastDay, lines: writing.lines.length, newLines: newLines.length, gapReason },
    ...{ leftOut: statement.leftOut, rewrittenLines: same.length },
    ...(account.openedOn === null ? { openingKobo: openingKobo.toString() } : {}),
  });
  return statementId;
}

/** Moves lines that are kept already behind the new ones that come before them. */
async function makeRoom(tx: Tx, { account, merged, newLines, firstPosition, lastPosition }: Writing): Promise<void> {
  if (newLines.length === 0) return;
  const moves: { first: number; last: number; by: number }[] = [];
  for (const [index, { kept }] of merged.entries()) {
    if (!kept) continue;
    const by = firstPosition + index - kept.position;
    const move = moves.at(-1);
    if (move?.by === by) move.last = kept.position;
    else moves.push({ first: kept.position, last: kept.position, by });
  }
  moves.push({ first: lastPosition + 1, last: 2_000_000_000, by: newLines.length });
  await tx.execute(sql`
    update statement_lines line set position = line.position + move.by
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as move (first int, last int, by int)
    where line.own_account_id = ${account.id} and line.position between move.first and move.last and move.by <> 0`);
}

const linesAtOnce = 2000;

/** Keeps the new lines in few statements: a statement of 20,000 lines must not take a minute. */
async function insertLines(
  tx: Tx,
  {
    account,
    merged,
    foundGaps,
    firstPosition,
    statementId,
    references,
    at,
  }: Writing & { statementId: number; references: OpenReferences; at: Date },
): Promise<void> {
  const gapOf = new Map(foundGaps.map(({ placed, gapKobo }) => [placed.line, gapKobo]));
  const rows = merged.flatMap(({ line }, index) =>
    line ? [rowOf(line, { position: firstPosition + index, gapKobo: gapOf.get(line) ?? null, references })] : [],
  );
  for (let from = 0; from < rows.length; from += linesAtOnce) {
    await tx.execute(sql`
      insert into statement_lines (own_account_id, statement_id, "row", position, date, value_date, amount_kobo, balance_kobo,
        gap_kobo, narration, bank_reference, customer_reference, counterparty, session_id, is_reversal, reference,
        fingerprint, repetition, created_at)
      select ${account.id}, ${statementId}, line."row", position, date, "valueDate", "amountKobo", "balanceKobo", "gapKobo",
        narration, "bankReference", "customerReference", counterparty, "sessionId", "isReversal", reference, fingerprint,
        repetition, ${at.toISOString()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + linesAtOnce))}::jsonb) as line ("row" int,
        position int, date date, "valueDate" date, "amountKobo" bigint, "balanceKobo" bigint, "gapKobo" bigint,
        narration text, "bankReference" text, "customerReference" text, counterparty text, "sessionId" text,
        "isReversal" boolean, reference text, fingerprint text, repetition int)`);
  }
}

type Place = { position: number; gapKobo: Kobo | null; references: OpenReferences };

/** A line as JSON, whose sums are texts. */
function rowOf(line: FileLine, { position, gapKobo, references }: Place) {
  return {
    ...line,
    position,
    amountKobo: line.amountKobo.toString(),
    balanceKobo: line.balanceKobo?.toString() ?? null,
    gapKobo: gapKobo?.toString() ?? null,
    reference: findOurReference(line, references),
  };
}

/**
 * Our reference in the line's texts, of which banks choose different ones for what the payer wrote: whole if one is, else
 * cut off. Money that the bank calls reversed is nobody's payment.
 */
function findOurReference(line: FileLine, references: OpenReferences): string | null {
  if (line.isTakenBack) return null;
  const texts = [line.narration, line.customerReference ?? "", line.bankReference ?? ""];
  const found = texts.flatMap((text) => findReferences(text, references));
  return (found.find(({ isWhole }) => isWhole) ?? found[0])?.reference ?? null;
}

const referenceDays = 180;

/** References that a line may still come with: those in use, and those of payments and sent payouts of half a year. */
async function listReferences(tx: Tx, at: Date): Promise<string[]> {
  const since = new Date(at.getTime() - referenceDays * 86_400_000);
  const inUse = await tx
    .select({ reference: paymentReferences.reference })
    .from(paymentReferences)
    .where(sql`${paymentReferences.retiredAt} is null`);
  const ofPayments = await tx
    .select({ reference: projectPayments.reference })
    .from(projectPayments)
    .where(gt(projectPayments.createdAt, since));
  const ofPayouts = await tx.select({ reference: payouts.reference }).from(payouts).where(gt(payouts.sentAt, since));
  return [...new Set([...inUse, ...ofPayments, ...ofPayouts].map(({ reference }) => reference))];
}

/** Gaps before lines that are kept already: missing days that were imported close one, others may part it. */
async function updateGaps(tx: Tx, found: readonly FoundGap[]): Promise<void> {
  const changed = found.flatMap(({ placed, gapKobo, isChanged }) =>
    placed.kept && isChanged ? [{ id: placed.kept.id, gapKobo: gapKobo?.toString() ?? null }] : [],
  );
  if (changed.length === 0) return;
  await tx.execute(sql`
    update statement_lines line set gap_kobo = gap."gapKobo"
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as gap (id bigint, "gapKobo" bigint)
    where line.id = gap.id`);
}
