import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { DbOrTx } from "#server/db/open.ts";
import { ownAccounts, statementLines } from "#server/db/schema/bank.ts";
import { harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { candidateColumns } from "#server/features/bank/matching/candidates/payouts.ts";
import { shownName } from "#server/platform/names.ts";
import type { LineMatchKind } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import type { PayoutState } from "#shared/payouts/texts.ts";

/** Matches with all that a screen or a file says of them. */

export const ownLine = alias(statementLines, "own_line");
const ownAccount = alias(ownAccounts, "own_account");
export const counterLine = alias(statementLines, "counter_line");
const counterAccount = alias(ownAccounts, "counter_account");
const backers = alias(users, "backers");
const maker = alias(users, "maker");
const undoer = alias(users, "undoer");

/** The matches of lines, oldest first; money between own accounts is a match of both of its lines. */
export async function readMatches(db: DbOrTx, lines: readonly { id: number }[], which: "standing" | "all") {
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

export const selectMatches = (db: DbOrTx) =>
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
      /** The state of the first payout that sends the money back; null for other matches. */
      sentBack: sql<PayoutState | null>`case when ${lineMatches.kind} = 'sent_back' and ${lineMatches.undoneAt} is null then (
        select back.state from payouts back where back.line_id = ${lineMatches.lineId} and back.state not in ('failed', 'cancelled')
        order by back.id limit 1) end`,
      /** The harvest of a sale or a cost. */
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
