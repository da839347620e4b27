import { and, asc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { refuseOwnMoney } from "#server/accounts/owner-terms.ts";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { statementLines, statements } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { users } from "#server/db/schema/users.ts";
import { hasId } from "#server/features/bank/matching/candidates/candidate.ts";
import { findCandidates } from "#server/features/bank/matching/candidates/find-candidates.ts";
import { missingKobo } from "#server/features/payments/queries.ts";
import { approvePayment, rejectPayment } from "#server/features/payments/review/service.ts";
import { lockPayment } from "#server/features/payments/service.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError, refusalOf } from "#server/platform/errors.ts";
import type { confirmSureInput } from "#shared/bank/inputs.ts";
import { bankLimits, bankTexts, restOf, sureRules } from "#shared/bank/texts.ts";
import { matchParts } from "./match-line.ts";
import { refreshAround, refreshAroundPayments, refreshSuggestions, type SureLine } from "./suggestions.ts";

/**
 * Lines with our reference and the missing amount, or a payout's and its sum, or a run's total: the system matches them, and an
 * owner confirms the payments among them at once.
 */

/**
 * Matches every line that is sure, each in its own transaction, in the name of whoever imported it. Runs after an import,
 * and each minute for what a kill left undone; several processes may run it at once.
 */
export async function matchSureLines(deps: Deps): Promise<void> {
  const sure = await withoutUndone(deps.db, await refreshSuggestions(deps.db));
  // What a reference says goes before what only the total of a run does.
  const isRun = ({ rule }: SureLine) => Number(rule === "run_total");
  sure.sort((one, other) => isRun(one) - isRun(other) || one.date.localeCompare(other.date) || one.id - other.id);
  const ids = sure.map(({ id }) => id);
  await forEachOnItsOwn(deps.log, ids, (id) => matchSureLine(deps, id));
  await refreshAround(deps.db, ids);
}

/** Where a person undid a match, a person decides. */
async function withoutUndone(db: DbOrTx, lines: readonly SureLine[]): Promise<SureLine[]> {
  if (lines.length === 0) return [];
  const ids = lines.map(({ id }) => id);
  const undone = await db
    .selectDistinct({ id: lineMatches.lineId })
    .from(lineMatches)
    .where(and(hasId(lineMatches.lineId, ids), isNotNull(lineMatches.undoneAt)));
  const those = new Set(undone.map(({ id }) => id));
  return lines.filter(({ id }) => !those.has(id));
}

async function matchSureLine(deps: Deps, lineId: number): Promise<void> {
  try {
    await inTransaction(deps.db, async (tx) => {
      const [found] = await tx
        .select({ line: statementLines, importer: { id: users.id, email: users.email } })
        .from(statementLines)
        .innerJoin(statements, eq(statements.id, statementLines.statementId))
        .innerJoin(users, eq(users.id, statements.importedBy))
        .where(eq(statementLines.id, lineId));
      if (!found || restOf(found.line) === 0n) return;
      const [candidate] = (await findCandidates(tx, [found.line])).get(lineId) ?? [];
      if (!candidate?.isSure || !candidate.part) return;
      const by = { ...deps, actor: found.importer, ipAddress: null };
      const seenMatchedKobo = found.line.matchedKobo;
      const rule = sureRules.find((one) => one === candidate.rule);
      if (!rule) throw new Error(`rule ${candidate.rule} is never sure`);
      await matchParts(tx, by, { lineId, seenMatchedKobo, parts: [candidate.part], rule });
    });
  } catch (error) {
    // Another process or a person was faster, or the line's payment can't be made.
    if (!(error instanceof AppError)) throw error;
    deps.log.info({ lineId, reason: error.message }, "a sure line was left to a person");
  }
}

/** Payments under review that the bank shows wholly, by sure matches alone, in the order in which their money arrived. */
function findSure(db: DbOrTx, which?: SQL) {
  const lastDay = sql<string>`max(${statementLines.date})::text`;
  return db
    .select({
      paymentId: projectPayments.id,
      reference: projectPayments.reference,
      backerName: users.fullName,
      projectTitle: projectPayments.projectTitle,
      amountKobo: projectPayments.amountKobo,
      lots: projectPayments.lots,
      hasReceipt: sql<boolean>`${projectPayments.currentReceiptId} is not null`,
      arrivedOn: lastDay,
      /** Whether its lots are still to be had; where they are gone, a refund becomes due. */
      hasLots: sql<boolean>`coalesce(${projectRounds.lots} - ${projectRounds.approvedLots} >= ${projectPayments.lots}, false)`,
    })
    .from(projectPayments)
    .innerJoin(users, eq(users.id, projectPayments.userId))
    .innerJoin(
      lineMatches,
      and(
        eq(lineMatches.paymentId, projectPayments.id),
        isNull(lineMatches.undoneAt),
        inArray(lineMatches.kind, ["payment", "taken_back", "loss"]),
      ),
    )
    .innerJoin(statementLines, eq(statementLines.id, lineMatches.lineId))
    .leftJoin(
      projectRounds,
      and(eq(projectRounds.projectId, projectPayments.projectId), eq(projectRounds.round, projectPayments.round)),
    )
    .where(and(eq(projectPayments.status, "pending"), sql`${missingKobo} = 0`, which))
    .groupBy(projectPayments.id, users.id, projectRounds.projectId, projectRounds.round)
    .having(sql`bool_and(${lineMatches.kind} = 'payment' and ${lineMatches.rule} is not null)`)
    .orderBy(sql`max(${statementLines.date})`, sql`max(${statementLines.id})`, asc(projectPayments.id))
    .limit(bankLimits.sureAtOnce);
}

/** The list that an owner confirms at once. */
export const listSure = (ctx: ActorContext) => findSure(ctx.db);

type Confirmed = { approved: number; refundsDue: number; refused: { paymentId: number; why: string }[] };

/**
 * Approves the payments that an owner saw to be sure, in the order of their money's arrival, each in its own transaction.
 * Where the lots are gone by then, the payment is rejected and its money is due to the backer. One that has changed, or
 * can't be approved now, stays as it is, with the reason.
 */
export async function confirmSure(ctx: ActorContext, input: z.output<typeof confirmSureInput>): Promise<Confirmed> {
  const wanted = [...new Set(input.paymentIds)];
  const sure = await findSure(ctx.db, inArray(projectPayments.id, wanted));
  const ids = sure.map(({ paymentId }) => paymentId);
  const result: Confirmed = {
    approved: 0,
    refundsDue: 0,
    refused: wanted.filter((id) => !ids.includes(id)).map((paymentId) => ({ paymentId, why: bankTexts.notSure })),
  };
  for (const paymentId of ids) {
    try {
      const outcome = await inTransaction(ctx.db, (tx) => confirmOne(tx, ctx, paymentId));
      result[outcome] += 1;
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      result.refused.push({ paymentId, why: refusal.message });
    }
  }
  await refreshAroundPayments(ctx.db, ids);
  return result;
}

async function confirmOne(tx: Tx, ctx: ActorContext, paymentId: number): Promise<"approved" | "refundsDue"> {
  const locked = await lockPayment(tx, paymentId);
  const { payment, round } = locked;
  await refuseOwnMoney(tx, ctx, { userId: payment.userId, hasReason: false });
  const [stillSure] = await findSure(tx, eq(projectPayments.id, paymentId));
  if (!stillSure) throw new AppError("conflict", bankTexts.notSure);
  // What others only hold may come free again; what is approved is gone.
  const isOpen = round?.outcome !== "not_funded" && round?.outcome !== "written_off";
  if (!round || !isOpen || payment.lots <= round.lots - round.approvedLots) {
    await approvePayment(tx, ctx, locked, {});
    return "approved";
  }
  await rejectPayment(tx, ctx, locked, { reason: bankTexts.lotsGone, isGivenBack: true });
  return "refundsDue";
}
