import { and, asc, eq, inArray, isNull, not, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { refuseOwnMoney } from "#server/accounts/owners/who-may-confirm.ts";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { users } from "#server/db/schema/users.ts";
import { missingKobo } from "#server/features/payments/queries.ts";
import { approvePayment, rejectPayment } from "#server/features/payments/review/service.ts";
import { lockPayment } from "#server/features/payments/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, refusalOf } from "#server/platform/errors.ts";
import type { confirmSurePaymentsInput } from "#shared/bank/inputs.ts";
import { bankLimits, bankTexts } from "#shared/bank/texts.ts";
import { refreshAroundPayments } from "./suggestions.ts";

/**
 * Payments that the bank shows wholly, matched by the system or by hand: an owner approves them at once. Nothing is
 * matched here.
 */

const hasMatch = (kinds: SQL): SQL => sql`exists (select from line_matches shown
  where shown.payment_id = ${projectPayments.id} and shown.undone_at is null and shown.kind in (${kinds}))`;

/**
 * Condition of payments under review that the bank shows wholly, and took nothing back of. Sums are only made of those
 * with a match.
 */
export const isWhollyShown: SQL | undefined = and(
  eq(projectPayments.status, "pending"),
  sql`case when ${hasMatch(sql`'payment'`)} then ${missingKobo} = 0 else false end`,
  not(hasMatch(sql`'taken_back', 'loss'`)),
);

/** Sure payments in the order in which their money arrived, as many as are confirmed at once. */
export function findSurePayments(db: DbOrTx, which?: SQL) {
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
      /** True if a person matched some of its money. */
      isByHand: sql<boolean>`bool_or(${lineMatches.rule} is null)`,
      /** True if a line of it doesn't say that it is its backer's. */
      isUnnamed: sql<boolean>`not bool_and(${lineMatches.isNamed})`,
      /** True if its lots are still to be had; where they are gone, a refund becomes due. */
      hasLots: sql<boolean>`coalesce(${projectRounds.lots} - ${projectRounds.approvedLots} >= ${projectPayments.lots}, false)`,
    })
    .from(projectPayments)
    .innerJoin(users, eq(users.id, projectPayments.userId))
    .innerJoin(
      lineMatches,
      and(eq(lineMatches.paymentId, projectPayments.id), isNull(lineMatches.undoneAt), eq(lineMatches.kind, "payment")),
    )
    .innerJoin(statementLines, eq(statementLines.id, lineMatches.lineId))
    .leftJoin(
      projectRounds,
      and(eq(projectRounds.projectId, projectPayments.projectId), eq(projectRounds.round, projectPayments.round)),
    )
    .where(and(isWhollyShown, which))
    .groupBy(projectPayments.id, users.id, projectRounds.projectId, projectRounds.round)
    .orderBy(sql`max(${statementLines.date})`, sql`max(${statementLines.id})`, asc(projectPayments.id))
    .limit(bankLimits.sureAtOnce);
}

/** The list that an owner confirms at once. */
export const listSurePayments = (ctx: ActorContext) => findSurePayments(ctx.db);

type Confirmed = { approved: number; refundsDue: number; refused: { paymentId: number; why: string }[] };

/**
 * Approves the payments that an owner saw to be sure, in the order of their money's arrival, each in its own transaction.
 * Where the lots are gone by then, the payment is rejected and its money is due to the backer. One that has changed, or
 * can't be approved now, stays as it is, with the reason.
 */
export async function confirmSurePayments(
  ctx: ActorContext,
  input: z.output<typeof confirmSurePaymentsInput>,
): Promise<Confirmed> {
  const wanted = [...new Set(input.paymentIds)];
  const sure = await findSurePayments(ctx.db, inArray(projectPayments.id, wanted));
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
  const [stillSure] = await findSurePayments(tx, eq(projectPayments.id, paymentId));
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
