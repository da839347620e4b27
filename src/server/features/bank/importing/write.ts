import { eq, gt, sql } from "drizzle-orm";
import { postLines, postOpening } from "#server/books/events/lines.ts";
import type { Tx } from "#server/db/open.ts";
import { ownAccounts, statements } from "#server/db/schema/bank.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { findReferences, indexReferences, type OpenReferences } from "#server/features/bank/statements/narrations.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";
import type { FileLine, FoundGap } from "./merge.ts";
import type { Import, ImportPlan, OwnAccount } from "./plan.ts";
import { keepOtherTexts } from "./rewritten.ts";
import { keepStatementFile } from "./statement-file.ts";

/** Writing an import as it was planned: its statement, its lines in their places, and what they post. */

type Writing = ImportPlan & { account: OwnAccount; given: Import; openingKobo: Kobo };

/** Gives the statement's id. */
export async function writeImport(tx: Tx, ctx: ActorContext, writing: Writing): Promise<number> {
  const { account, given, firstDay, lastDay, openingKobo, newLines } = writing;
  const { statement, file } = given;
  const at = ctx.clock.now();
  const actorId = ctx.actor.id;
  const gapReason = writing.gaps.length > 0 ? (given.gapReason ?? null) : null;
  const [kept] = await tx
    .insert(statements)
    .values({
      ownAccountId: account.id,
      fileId: await keepStatementFile(tx, ctx, file),
      fileName: file.originalName,
      sha256: file.sha256,
      bytes: file.bytes,
      format: statement.format,
      firstDay,
      lastDay,
      lines: writing.lines.length,
      newLines: newLines.length,
      pendingEntries: statement.leftOut.pending,
      failedEntries: statement.leftOut.failed,
      reversedEntries: statement.leftOut.reversed,
      zeroEntries: statement.leftOut.zero,
      otherRows: statement.leftOut.other,
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
    await postOpening(tx, { ownAccountId, openingKobo, actorId, at });
  }
  await postLines(tx, { ownAccountId, statementId, actorId, at });
  const opened = account.openedOn === null ? { openedOn: firstDay, openingKobo } : {};
  const mapping = statement.table?.mapping ?? account.mapping;
  const dayOrder = statement.dayOrder?.isProved ? statement.dayOrder.order : account.dayOrder;
  await tx
    .update(ownAccounts)
    .set({ ...opened, mapping, dayOrder })
    .where(eq(ownAccounts.id, account.id));
  // The answer doesn't wait for it. Where one is at work already, the next minute's does it.
  await ctx.jobs.enqueue(tx, "match-sure-lines", {});
  // Receipts of days that it covers keep their holds for one working day more.
  await ctx.jobs.enqueue(tx, "sweep-holds", {});
  await recordAudit(tx, ctx, "import_statement", {
    statementId,
    accountId: account.id,
    fileName: file.originalName,
    sha256: file.sha256,
    firstDay,
    lastDay,
    lines: writing.lines.length,
    newLines: newLines.length,
    gapReason,
    leftOut: statement.leftOut,
    rewrittenLines: same.length,
    ...(dayOrder === account.dayOrder ? {} : { dayOrder }),
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
  const since = new Date(at.getTime() - referenceDays * dayMs);
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
