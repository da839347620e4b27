import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, not, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { ownAccounts, statementLines, statementLineTexts, statements } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";
import { linkToStatement } from "#server/features/bank/importing/statement-file.ts";
import { findCandidates } from "#server/features/bank/matching/candidates/find-candidates.ts";
import { findSurePayments } from "#server/features/bank/matching/confirm-sure-payments.ts";
import { isUnexplained } from "#server/features/bank/matching/match-rows.ts";
import { counterLine, ownLine, readMatches, selectMatches } from "#server/features/bank/matching/read-matches.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import { contains, containsReference } from "#server/platform/search.ts";
import type { lineIdInput, listLinesInput } from "#shared/bank/inputs.ts";
import type { LineTab } from "#shared/bank/line-tabs.ts";
import { bankLimits, bankTexts } from "#shared/bank/texts.ts";
import { MAX_STATEMENT_KOBO, parseNaira } from "#shared/money.ts";

/** The lines of our bank accounts, for the screen, the drawer of one, and files of them. */

/** The matches that say that a line, or a part of it, is our own money, or was ignored. */
const ofOwnMoney = sql`from ${lineMatches} where ${lineMatches.lineId} = ${statementLines.id}
  and ${lineMatches.kind} = 'operator' and ${lineMatches.undoneAt} is null`;
const isOwnMoney = sql`exists (select ${ofOwnMoney})`;

type LinesFilter = { accountId?: number | undefined; tab?: LineTab | undefined; search?: string };

/** Condition of the lines that a filter leaves. */
function areChosen({ accountId, tab, search }: LinesFilter): SQL | undefined {
  const conditionOf: Record<LineTab, SQL | undefined> = {
    to_match: and(isUnexplained, isNull(statementLines.suggestedRule)),
    suggested: and(isUnexplained, isNotNull(statementLines.suggestedRule)),
    matched: and(not(isUnexplained), not(isOwnMoney)),
    own: and(not(isUnexplained), isOwnMoney),
  };
  return and(
    accountId ? eq(statementLines.ownAccountId, accountId) : undefined,
    tab ? conditionOf[tab] : undefined,
    search ? matches(search) : undefined,
  );
}

/** A page of an account's lines, the latest first, each with what explains it. */
export async function listLines(ctx: ActorContext, { cursor, ...filter }: z.output<typeof listLinesInput>) {
  const found = await ctx.db
    .select({
      id: statementLines.id,
      position: statementLines.position,
      date: statementLines.date,
      amountKobo: statementLines.amountKobo,
      matchedKobo: statementLines.matchedKobo,
      narration: statementLines.narration,
      counterparty: statementLines.counterparty,
      reference: statementLines.reference,
      isReversal: statementLines.isReversal,
      suggestedRule: statementLines.suggestedRule,
      gapKobo: statementLines.gapKobo,
    })
    .from(statementLines)
    .where(and(areChosen(filter), cursor ? after(cursor) : undefined))
    .orderBy(desc(statementLines.position), desc(statementLines.id))
    .limit(bankLimits.pageSize + 1);
  const page = pageOf(found, bankLimits.pageSize, (last) => encodeCursor([last.position, last.id]));
  const standing = await readMatches(ctx.db, page.items, "standing");
  return {
    items: page.items.map((line) => ({
      ...line,
      explainedBy: standing
        .filter((match) => match.line.id === line.id || match.counterLine?.id === line.id)
        .map(({ kind, amountKobo, payment, payout, buyer, harvest, ofRun }) => ({
          kind,
          amountKobo,
          reference: payment?.reference ?? payout?.reference ?? null,
          personName: payment?.backerName ?? payout?.payeeName ?? buyer ?? harvest?.projectTitle ?? null,
          ofRun,
        })),
    })),
    nextCursor: page.nextCursor,
  };
}

/** Lines with all that the bank wrote, for a file of them: those with a larger id, in the order of their import. */
export async function listLinesAfter(
  db: DbOrTx,
  filter: LinesFilter,
  { after, limit }: { after: number; limit: number },
) {
  return db
    .select({
      id: statementLines.id,
      bankName: ownAccounts.bankName,
      accountNumber: ownAccounts.accountNumber,
      position: statementLines.position,
      date: statementLines.date,
      valueDate: statementLines.valueDate,
      amountKobo: statementLines.amountKobo,
      balanceKobo: statementLines.balanceKobo,
      gapKobo: statementLines.gapKobo,
      narration: statementLines.narration,
      counterparty: statementLines.counterparty,
      bankReference: statementLines.bankReference,
      customerReference: statementLines.customerReference,
      sessionId: statementLines.sessionId,
      reference: statementLines.reference,
      isReversal: statementLines.isReversal,
      // Counted: for a column that says "exists", PostgreSQL reads all matches anew at each page.
      tab: sql<LineTab>`case
        when ${isUnexplained} then case when ${statementLines.suggestedRule} is null then 'to_match' else 'suggested' end
        when (select count(*) ${ofOwnMoney}) > 0 then 'own' else 'matched' end`,
      matchedKobo: statementLines.matchedKobo,
      fileName: statements.fileName,
      row: statementLines.row,
    })
    .from(statementLines)
    .innerJoin(ownAccounts, eq(ownAccounts.id, statementLines.ownAccountId))
    .innerJoin(statements, eq(statements.id, statementLines.statementId))
    .where(and(areChosen(filter), gt(statementLines.id, after)))
    .orderBy(asc(statementLines.id))
    .limit(limit);
}

function after(cursor: string): SQL {
  const [position, id] = decodeCursor(cursor, ["int", "bigint"]);
  return sql`(${statementLines.position}, ${statementLines.id}) < (${position}, ${id})`;
}

/** Matches a part of what the bank wrote, of our reference with or without its dashes, or the amount. */
function matches(search: string): SQL | undefined {
  const amount = parseNaira(search.replace(/^[-+−]/, ""), MAX_STATEMENT_KOBO);
  return or(
    contains(statementLines.narration, search),
    contains(statementLines.counterparty, search),
    contains(statementLines.bankReference, search),
    contains(statementLines.customerReference, search),
    containsReference(statementLines, search),
    amount === null ? undefined : sql`abs(${statementLines.amountKobo}) = ${amount}`,
  );
}

/** The matches of all lines, or of an account's, for a file of them: those with a larger id, oldest first. */
export async function listMatchesAfter(
  db: DbOrTx,
  { accountId }: { accountId?: number | undefined },
  { after, limit }: { after: number; limit: number },
) {
  return selectMatches(db)
    .where(
      and(
        gt(lineMatches.id, after),
        accountId ? or(eq(ownLine.ownAccountId, accountId), eq(counterLine.ownAccountId, accountId)) : undefined,
      ),
    )
    .orderBy(asc(lineMatches.id))
    .limit(limit);
}

/** One line with all that the bank wrote, its file, and its matches, also those that were undone. */
export async function findLine(ctx: ActorContext, { lineId }: z.output<typeof lineIdInput>) {
  const [found] = await ctx.db
    .select({
      whole: statementLines,
      id: statementLines.id,
      accountId: statementLines.ownAccountId,
      date: statementLines.date,
      valueDate: statementLines.valueDate,
      amountKobo: statementLines.amountKobo,
      balanceKobo: statementLines.balanceKobo,
      gapKobo: statementLines.gapKobo,
      matchedKobo: statementLines.matchedKobo,
      narration: statementLines.narration,
      bankReference: statementLines.bankReference,
      customerReference: statementLines.customerReference,
      counterparty: statementLines.counterparty,
      sessionId: statementLines.sessionId,
      isReversal: statementLines.isReversal,
      reference: statementLines.reference,
      row: statementLines.row,
      account: { bankName: ownAccounts.bankName, accountNumber: ownAccounts.accountNumber },
      statement: {
        fileId: statements.fileId,
        fileName: statements.fileName,
        format: statements.format,
        importedAt: statements.createdAt,
        importedByName: users.fullName,
      },
    })
    .from(statementLines)
    .innerJoin(ownAccounts, eq(ownAccounts.id, statementLines.ownAccountId))
    .innerJoin(statements, eq(statements.id, statementLines.statementId))
    .innerJoin(users, eq(users.id, statements.importedBy))
    .where(eq(statementLines.id, lineId));
  if (!found) throw new AppError("not_found", bankTexts.lineGone);
  const { whole, statement, ...line } = found;
  const { fileId, ...imported } = statement;
  const canImport = ctx.actor.permissions.includes("bank:import");
  const matches = await readMatches(ctx.db, [line], "all");
  return {
    ...line,
    /** The file that it came with; its bytes are for those who may import. */
    statement: { ...imported, fileUrl: canImport ? linkToStatement(ctx, fileId) : null },
    otherTexts: await listOtherTexts(ctx.db, lineId),
    matches,
    approvable: await listApprovable(ctx, matches),
    /** Suggested explanations of the rest, for those who may match. */
    candidates: canImport ? ((await findCandidates(ctx.db, [whole])).get(lineId) ?? []) : [],
    /** Matching takes the right to import. */
    canMatch: canImport,
  };
}

/** The ids of the payments of a line that the caller may approve at once, because the bank shows them wholly. */
async function listApprovable(ctx: ActorContext, matches: Awaited<ReturnType<typeof readMatches>>): Promise<number[]> {
  const ids = matches.flatMap(({ payment, undoneAt }) => (payment && undoneAt === null ? [payment.id] : []));
  if (ids.length === 0 || !ctx.actor.permissions.includes("payments:process")) return [];
  return (await findSurePayments(ctx.db, inArray(projectPayments.id, ids))).map(({ paymentId }) => paymentId);
}

/** Lists the texts that the bank wrote for the same line at other times, the latest first. */
const listOtherTexts = (db: DbOrTx, lineId: number) =>
  db
    .select({ narration: statementLineTexts.narration, bankReference: statementLineTexts.bankReference })
    .from(statementLineTexts)
    .where(eq(statementLineTexts.lineId, lineId))
    .orderBy(desc(statementLineTexts.id));
