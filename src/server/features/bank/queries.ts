import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { sumOfEntries } from "#server/books/sums.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { ownAccounts, statementLines, statementLineTexts, statements } from "#server/db/schema/bank.ts";
import { harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { bareReference, projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { linkToStatement } from "#server/features/bank/importing/evidence.ts";
import { findCandidates } from "#server/features/bank/matching/candidates/find-candidates.ts";
import { candidateColumns, isForLine } from "#server/features/bank/matching/candidates/payouts.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import { shownName } from "#server/platform/names.ts";
import { contains } from "#server/platform/search.ts";
import type { lineIdInput, linePayoutsInput, listLinesInput } from "#shared/bank/inputs.ts";
import type { LineTab } from "#shared/bank/line-tabs.ts";
import { bankLimits, bankTexts, type LineMatchKind, restOf } from "#shared/bank/texts.ts";
import { type Kobo, MAX_STATEMENT_KOBO, parseNaira } from "#shared/money.ts";

/**
 * The own accounts, the active one first: what the bank says that each holds, what the ledger says, and how many lines
 * wait. The bank's word is the last balance that its lines print, with the lines after it; where they print none, the
 * closing balance of the latest statement, else the opening one with all lines.
 */
export async function readOverview(ctx: ActorContext) {
  const figures = await rows<{
    id: number;
    lastDay: string | null;
    bankKobo: string | null;
    ledgerKobo: string;
    gapsKobo: string;
    imports: number;
  }>(
    ctx.db,
    sql`select account.id::float8 as id, latest.last_day::text as "lastDay",
      coalesce(
        printed.balance_kobo + (
          select coalesce(sum(amount_kobo), 0) from statement_lines
          where own_account_id = account.id and position > printed.position
        ),
        latest.closing_kobo,
        account.opening_kobo + (
          select coalesce(sum(amount_kobo), 0) from statement_lines where own_account_id = account.id
        )
      )::text as "bankKobo",
      (
        select coalesce(sum(amount_kobo), 0) from ledger_entries
        where account = 'bank' and own_account_id = account.id
      )::text as "ledgerKobo",
      (
        select coalesce(sum(gap_kobo), 0) from statement_lines where own_account_id = account.id
      )::text as "gapsKobo",
      (select count(*) from statements where own_account_id = account.id)::int as imports
    from own_accounts account
    left join lateral (
      select last_day, closing_kobo from statements where own_account_id = account.id order by last_day desc, id desc limit 1
    ) latest on true
    left join lateral (
      select position, balance_kobo from statement_lines
      where own_account_id = account.id and balance_kobo is not null order by position desc limit 1
    ) printed on true`,
  );
  const counts = await rows<{ accountId: number; tab: LineTab; lines: number }>(
    ctx.db,
    sql`select line.own_account_id::float8 as "accountId", ${tabOfLine} as tab, count(*)::int as lines
      from statement_lines line
      left join (
        select distinct line_id from line_matches where kind = 'operator' and undone_at is null
      ) ignored on ignored.line_id = line.id
      group by 1, 2`,
  );
  const found = await ctx.db.select().from(ownAccounts).orderBy(desc(ownAccounts.isActive), asc(ownAccounts.id));
  const isOnItsWay = eq(ledgerEntries.account, "in_transit");
  const [onItsWay] = await ctx.db.select({ kobo: sumOfEntries() }).from(ledgerEntries).where(isOnItsWay);
  return {
    /** What was approved, or said to have arrived, and no statement shows. */
    inTransitKobo: onItsWay?.kobo ?? 0n,
    accounts: found.map(({ id, bankName, accountName, accountNumber, isActive, openedOn }) => {
      const figure = figures.find((one) => one.id === id);
      const bankKobo = figure?.bankKobo == null ? null : BigInt(figure.bankKobo);
      const ledgerKobo = BigInt(figure?.ledgerKobo ?? 0);
      const countOf = (tab: LineTab) => counts.find((one) => one.accountId === id && one.tab === tab)?.lines ?? 0;
      return {
        id,
        bankName,
        accountName,
        accountNumber,
        isActive,
        openedOn,
        lastDay: figure?.lastDay ?? null,
        bankKobo,
        ledgerKobo,
        /** What the bank has more than the ledger; null before the first statement. */
        differenceKobo: bankKobo === null ? null : bankKobo - ledgerKobo,
        /** Of the difference, what was accepted as missing at imports. */
        gapsKobo: BigInt(figure?.gapsKobo ?? 0),
        /** How many files were imported. */
        imports: figure?.imports ?? 0,
        counts: {
          to_explain: countOf("to_explain"),
          suggested: countOf("suggested"),
          explained: countOf("explained"),
          ignored: countOf("ignored"),
        },
      };
    }),
    /** Whether the caller may import statements and explain lines. */
    canImport: ctx.actor.permissions.includes("bank:import"),
    /** Whether the product runs on the caller's own computer, where a sample statement can be had. */
    isLocalUse: ctx.env.isLocalUse,
  };
}

/** The tab of a row `line` that is joined with `ignored`. */
const tabOfLine = sql`case
  when line.matched_kobo <> abs(line.amount_kobo) then
    case when line.suggested_rule is null then 'to_explain' else 'suggested' end
  when ignored.line_id is null then 'explained' else 'ignored' end`;

const isUnexplained = sql`${statementLines.matchedKobo} <> abs(${statementLines.amountKobo})`;

/** The lines that are our own money, or were ignored, to join with lines. */
const ignoredLines = (db: DbOrTx) =>
  db
    .selectDistinct({ lineId: lineMatches.lineId })
    .from(lineMatches)
    .where(and(eq(lineMatches.kind, "operator"), isNull(lineMatches.undoneAt)))
    .as("ignored");

type LinesFilter = { accountId?: number | undefined; tab?: LineTab | undefined; search?: string };

/** The lines that are chosen, and the tab that each stands under; for a query that joins `ignored`. */
function chooseLines(ignored: ReturnType<typeof ignoredLines>, { accountId, tab, search }: LinesFilter) {
  const conditionOf: Record<LineTab, SQL | undefined> = {
    to_explain: and(isUnexplained, isNull(statementLines.suggestedRule)),
    suggested: and(isUnexplained, isNotNull(statementLines.suggestedRule)),
    explained: and(not(isUnexplained), isNull(ignored.lineId)),
    ignored: and(not(isUnexplained), isNotNull(ignored.lineId)),
  };
  return and(
    accountId ? eq(statementLines.ownAccountId, accountId) : undefined,
    tab ? conditionOf[tab] : undefined,
    search ? matches(search) : undefined,
  );
}

/** A page of an account's lines, the latest first, each with what explains it. */
export async function listLines(ctx: ActorContext, { cursor, ...filter }: z.output<typeof listLinesInput>) {
  const ignored = ignoredLines(ctx.db);
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
    .leftJoin(ignored, eq(ignored.lineId, statementLines.id))
    .where(and(chooseLines(ignored, filter), cursor ? after(cursor) : undefined))
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
  const ignored = ignoredLines(db);
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
      tab: sql<LineTab>`case
        when ${isUnexplained} then case when ${statementLines.suggestedRule} is null then 'to_explain' else 'suggested' end
        when ${ignored.lineId} is null then 'explained' else 'ignored' end`,
      matchedKobo: statementLines.matchedKobo,
      fileName: statements.fileName,
      row: statementLines.row,
    })
    .from(statementLines)
    .innerJoin(ownAccounts, eq(ownAccounts.id, statementLines.ownAccountId))
    .innerJoin(statements, eq(statements.id, statementLines.statementId))
    .leftJoin(ignored, eq(ignored.lineId, statementLines.id))
    .where(and(chooseLines(ignored, filter), gt(statementLines.id, after)))
    .orderBy(asc(statementLines.id))
    .limit(limit);
}

function after(cursor: string): SQL {
  const [position, id] = decodeCursor(cursor, ["int", "bigint"]);
  return sql`(${statementLines.position}, ${statementLines.id}) < (${position}, ${id})`;
}

const SHORTEST_PART = 3;

/** Matches a part of what the bank wrote, of our reference with or without its dashes, or the amount. */
function matches(search: string): SQL | undefined {
  const amount = parseNaira(search.replace(/^[-+−]/, ""), MAX_STATEMENT_KOBO);
  const bare = search.replace(/[\s\p{Dash}]+/gu, "");
  return or(
    contains(statementLines.narration, search),
    contains(statementLines.counterparty, search),
    contains(statementLines.bankReference, search),
    contains(statementLines.customerReference, search),
    bare.length < SHORTEST_PART ? undefined : contains(bareReference(statementLines), bare),
    amount === null ? undefined : sql`abs(${statementLines.amountKobo}) = ${amount}`,
  );
}

const ownLine = alias(statementLines, "own_line");
const ownAccount = alias(ownAccounts, "own_account");
const counterLine = alias(statementLines, "counter_line");
const counterAccount = alias(ownAccounts, "counter_account");
const backers = alias(users, "backers");
const maker = alias(users, "maker");
const undoer = alias(users, "undoer");

/** The matches of lines, oldest first; money between own accounts is a match of both of its lines. */
async function readMatches(db: DbOrTx, lines: readonly { id: number }[], which: "standing" | "all") {
  if (lines.length === 0) return [];
  const ids = lines.map(({ id }) => id);
  const found = await selectMatches(db)
    .where(
      and(
        or(inArray(lineMatches.lineId, ids), inArray(lineMatches.counterLineId, ids)),
        which === "standing" ? isNull(lineMatches.undoneAt) : undefined,
      ),
    )
    .orderBy(asc(lineMatches.id));
  return groupDebits(found).map(({ line, bankName, counterLine, counterBankName, ...match }) => ({
    ...match,
    /** The line that it explains; of money between own accounts the one that came in. */
    line: { ...line, bankName },
    /** For money between own accounts: the line that went out. */
    counterLine: counterLine && { ...counterLine, bankName: counterBankName ?? "" },
  }));
}

const selectMatches = (db: DbOrTx) =>
  db
    .select({
      id: lineMatches.id,
      kind: lineMatches.kind,
      amountKobo: lineMatches.amountKobo,
      rule: lineMatches.rule,
      reason: lineMatches.reason,
      madeByName: maker.fullName,
      createdAt: lineMatches.createdAt,
      undoneAt: lineMatches.undoneAt,
      undoneByName: undoer.fullName,
      undoneReason: lineMatches.undoneReason,
      payment: {
        id: projectPayments.id,
        reference: projectPayments.reference,
        status: projectPayments.status,
        amountKobo: projectPayments.amountKobo,
        projectTitle: sql<string>`coalesce(${projects.title}, ${projectPayments.projectTitle}, 'Unknown')`,
        backerName: shownName(backers),
      },
      payout: candidateColumns,
      /** Of a sale, or a cost: which harvest. */
      harvest: {
        id: harvests.id,
        projectTitle: harvests.projectTitle,
        round: harvests.round,
        number: harvests.number,
        isInsurance: harvests.isInsurance,
      },
      buyer: harvestSales.buyer,
      line: { id: ownLine.id, date: ownLine.date },
      bankName: ownAccount.bankName,
      counterLine: { id: counterLine.id, date: counterLine.date },
      counterBankName: counterAccount.bankName,
    })
    .from(lineMatches)
    .leftJoin(projectPayments, eq(projectPayments.id, lineMatches.paymentId))
    .leftJoin(projects, eq(projects.id, projectPayments.projectId))
    .leftJoin(backers, eq(backers.id, projectPayments.userId))
    .leftJoin(payouts, eq(payouts.id, lineMatches.payoutId))
    .leftJoin(users, eq(users.id, payouts.userId))
    .leftJoin(harvestSales, eq(harvestSales.id, lineMatches.saleId))
    .leftJoin(harvests, sql`${harvests.id} = coalesce(${harvestSales.harvestId}, ${lineMatches.harvestId})`)
    .leftJoin(maker, eq(maker.id, lineMatches.madeBy))
    .leftJoin(undoer, eq(undoer.id, lineMatches.undoneBy))
    .innerJoin(ownLine, eq(ownLine.id, lineMatches.lineId))
    .innerJoin(ownAccount, eq(ownAccount.id, ownLine.ownAccountId))
    .leftJoin(counterLine, eq(counterLine.id, lineMatches.counterLineId))
    .leftJoin(counterAccount, eq(counterAccount.id, counterLine.ownAccountId));

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

type Grouped = {
  kind: LineMatchKind;
  amountKobo: Kobo;
  undoneAt: Date | null;
  payout: { runId: number | null } | null;
  line: { id: number };
};

/** Payouts of one run that left by one debit are one explanation, and are undone as one. */
function groupDebits<Row extends Grouped>(found: readonly Row[]) {
  const groups = new Map<string, Row & { ofRun: { id: number; payouts: number } | null }>();
  for (const [index, row] of found.entries()) {
    const runId = row.kind === "payout" ? row.payout?.runId : null;
    const key = runId == null ? `one ${index}` : [row.line.id, runId, row.undoneAt?.getTime()].join(" ");
    const group = groups.get(key);
    if (!group) groups.set(key, { ...row, ofRun: null });
    else {
      group.amountKobo += row.amountKobo;
      group.ofRun = { id: runId ?? 0, payouts: (group.ofRun?.payouts ?? 1) + 1 };
      group.payout = null;
    }
  }
  return [...groups.values()];
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
  return {
    ...line,
    /** The file that it came with; its bytes are for those who may import. */
    statement: { ...imported, fileUrl: canImport ? linkToStatement(ctx, fileId) : null },
    otherTexts: await listOtherTexts(ctx.db, lineId),
    matches: await readMatches(ctx.db, [line], "all"),
    /** What may explain the rest of it, for those who may choose. */
    candidates: canImport ? ((await findCandidates(ctx.db, [whole])).get(lineId) ?? []) : [],
    canImport,
  };
}

/** What else the bank has written for the same line, at other times; the latest first. */
const listOtherTexts = (db: DbOrTx, lineId: number) =>
  db
    .select({ narration: statementLineTexts.narration, bankReference: statementLineTexts.bankReference })
    .from(statementLineTexts)
    .where(eq(statementLineTexts.lineId, lineId))
    .orderBy(desc(statementLineTexts.id));

const counterDays = 10;
const counterChoices = 20;

/**
 * Lines of our other bank accounts in the other direction that aren't wholly explained, around the same days: what money
 * between own accounts came from or went to. Those of the same amount come first.
 */
export async function listCounterLines({ db }: ActorContext, { lineId }: z.output<typeof lineIdInput>) {
  const here = alias(statementLines, "here");
  const days = sql`abs(${statementLines.date} - ${here.date})`;
  return db
    .select({
      id: statementLines.id,
      date: statementLines.date,
      amountKobo: statementLines.amountKobo,
      matchedKobo: statementLines.matchedKobo,
      narration: statementLines.narration,
      bankName: ownAccounts.bankName,
      accountNumber: ownAccounts.accountNumber,
    })
    .from(statementLines)
    .innerJoin(here, eq(here.id, lineId))
    .innerJoin(ownAccounts, eq(ownAccounts.id, statementLines.ownAccountId))
    .where(
      and(
        ne(statementLines.ownAccountId, here.ownAccountId),
        isUnexplained,
        sql`sign(${statementLines.amountKobo}) = -sign(${here.amountKobo})`,
        sql`${days} <= ${counterDays}`,
      ),
    )
    .orderBy(sql`abs(${statementLines.amountKobo} + ${here.amountKobo})`, days, asc(statementLines.id))
    .limit(counterChoices);
}

/**
 * Payouts that a person may choose for a line, those of its amount first: of a debit the ones that no line shows leaving, of a
 * credit the ones that didn't come back yet. Throws "not_found".
 */
export async function listPayoutsForLine({ db }: ActorContext, { lineId, search }: z.output<typeof linePayoutsInput>) {
  const [line] = await db.select().from(statementLines).where(eq(statementLines.id, lineId));
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  const bare = search?.replace(/[\s\p{Dash}]+/gu, "") ?? "";
  const isFound = search
    ? or(
        contains(users.fullName, search),
        contains(payouts.projectTitle, search),
        bare.length < SHORTEST_PART ? undefined : contains(bareReference(payouts), bare),
      )
    : undefined;
  return db
    .select({ ...candidateColumns, sentAt: sql<Date>`${payouts.sentAt}`.mapWith(payouts.sentAt) })
    .from(payouts)
    .leftJoin(users, eq(users.id, payouts.userId))
    .where(and(isForLine(line), isFound))
    .orderBy(
      sql`abs(${payouts.amountKobo} - ${restOf(line).toString()}::bigint)`,
      desc(payouts.sentAt),
      desc(payouts.id),
    )
    .limit(bankLimits.payoutChoices);
}
