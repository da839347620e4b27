import { and, asc, eq, gt, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { DbOrTx } from "#server/db/open.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { paymentStrikes } from "#server/db/schema/strikes.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import {
  arrivalColumns,
  currentReceipt,
  isProjectTaken,
  order,
  projectOfPayment,
  refundKobo,
  refundReason,
  refundsOfPayment,
  roundOfPayment,
  sold,
  withRefundDue,
} from "#server/features/payments/queries.ts";
import { currentRound, lotColumns, projectCardColumns, toCard } from "#server/features/projects/queries.ts";
import { readable, shownTermsColumns } from "#server/features/projects/rounds/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { paymentLimits } from "#shared/payments/texts.ts";

const ownPaymentColumns = {
  id: projectPayments.id,
  projectId: projectPayments.projectId,
  status: projectPayments.status,
  amountKobo: projectPayments.amountKobo,
  lots: projectPayments.lots,
  reference: projectPayments.reference,
  rejectionReason: projectPayments.rejectionReason,
  submittedAt: paymentReceipts.createdAt,
  /** Of how many lots its round is; null if the project was deleted. */
  roundLots: sold.lots,
  isProjectTaken,
  roundOutcome: sold.outcome,
  refundReason,
  refundKobo,
  ...arrivalColumns,
};

/** The person's relevant payment for a project: the pending one, else the latest. Null without any. */
export async function findOwnPayment(db: DbOrTx, projectId: number, userId: string) {
  const [found] = await db
    .select(ownPaymentColumns)
    .from(projectPayments)
    .leftJoin(paymentReceipts, currentReceipt)
    .leftJoin(projects, projectOfPayment)
    .leftJoin(sold, roundOfPayment)
    .where(and(eq(projectPayments.projectId, projectId), eq(projectPayments.userId, userId)))
    .orderBy(sql`${projectPayments.status} <> 'pending'`, ...order.by)
    .limit(1);
  return found ? withRefundDue(found) : null;
}

/**
 * What the caller bought of a project, or is about to: their approved and pending payments, oldest first, each with the
 * terms they agreed to.
 */
export async function listMyPurchases(ctx: ActorContext, { projectId }: { projectId: number }) {
  const found = await ctx.db
    .select({
      id: projectPayments.id,
      status: projectPayments.status,
      lots: projectPayments.lots,
      amountKobo: projectPayments.amountKobo,
      reference: projectPayments.reference,
      submittedAt: projectPayments.createdAt,
      agreedAt: projectPayments.agreedAt,
      /** Why it no longer counts; null unless it was struck. */
      struckReason: sql<string | null>`${paymentStrikes.reason}`,
      ...arrivalColumns,
      terms: shownTermsColumns,
    })
    .from(projectPayments)
    .leftJoin(paymentStrikes, eq(paymentStrikes.paymentId, projectPayments.id))
    .innerJoin(
      roundTerms,
      and(
        eq(roundTerms.projectId, projectPayments.projectId),
        eq(roundTerms.round, projectPayments.round),
        eq(roundTerms.version, projectPayments.termsVersion),
      ),
    )
    .where(
      and(
        eq(projectPayments.projectId, projectId),
        eq(projectPayments.userId, ctx.actor.id),
        ne(projectPayments.status, "rejected"),
      ),
    )
    .orderBy(asc(projectPayments.id))
    .limit(paymentLimits.purchases);
  return found.map(({ terms, ...purchase }) => ({ ...purchase, terms: readable(terms) }));
}

/** Other people's payments for the project: whether one is under review, or one was approved in this round. */
export async function findReviewState(db: DbOrTx, project: { id: number; round: number }, userId: string) {
  const [state] = await db
    .select({
      isOtherUnderReview: sql<boolean>`coalesce(bool_or(${projectPayments.status} = 'pending'), false)`,
      isSoldToOther: sql<boolean>`coalesce(bool_or(${projectPayments.status} = 'approved' and ${projectPayments.round} = ${project.round}), false)`,
    })
    .from(projectPayments)
    .where(and(eq(projectPayments.projectId, project.id), ne(projectPayments.userId, userId)));
  return state ?? { isOtherUnderReview: false, isSoldToOther: false };
}

const recentMs = 30 * dayMs;

/**
 * The Pending tab: the caller's pending payments, those rejected in the last 30 days without a later payment, and all of
 * which money is due back. Each has its project's card, or null if the project was deleted. Latest first, at most 100.
 */
export async function listMyPending(ctx: ActorContext) {
  const later = alias(projectPayments, "later");
  const isReplaced = sql`exists (
    select from ${projectPayments} ${later}
    where ${later.projectId} = ${projectPayments.projectId} and ${later.userId} = ${projectPayments.userId}
      and ${later.id} > ${projectPayments.id}
  )`;
  const hasStandingRefund = sql`exists (select from ${refunds} where ${refundsOfPayment})`;
  const isRecentlyRejected = and(
    eq(projectPayments.status, "rejected"),
    or(
      and(gt(projectPayments.decidedAt, new Date(ctx.clock.now().getTime() - recentMs)), sql`not ${isReplaced}`),
      // Money that is due is shown as long as it is.
      hasStandingRefund,
    ),
  );
  const isSurplusDue = and(eq(projectPayments.status, "approved"), hasStandingRefund);
  const found = await ctx.db
    .select({
      payment: { ...ownPaymentColumns, projectTitle: projectPayments.projectTitle },
      project: { ...projectCardColumns, shortDescription: projects.shortDescription },
      round: lotColumns,
    })
    .from(projectPayments)
    .leftJoin(paymentReceipts, currentReceipt)
    .leftJoin(projects, projectOfPayment)
    .leftJoin(sold, roundOfPayment)
    .leftJoin(projectRounds, currentRound)
    .where(
      and(
        eq(projectPayments.userId, ctx.actor.id),
        or(eq(projectPayments.status, "pending"), isRecentlyRejected, isSurplusDue),
      ),
    )
    .orderBy(...order.by)
    .limit(paymentLimits.backingsPage);
  const items = found.map(({ payment, project, round }) => ({
    payment: withRefundDue(payment),
    project: project && round && toCard(ctx, { ...project, ...round }),
  }));
  return {
    pending: items.filter(({ payment }) => payment.status === "pending"),
    rejected: items.filter(({ payment }) => payment.status === "rejected"),
    /** Approved, with a surplus that is due. */
    approved: items.filter(({ payment }) => payment.status === "approved"),
  };
}
