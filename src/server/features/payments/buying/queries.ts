import { and, asc, eq, gt, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { statementsExist } from "#server/books/statements.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { agreedTexts } from "#server/db/schema/site.ts";
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
import type { RoundKey } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";
import { lateReviewText } from "#shared/payments/late-texts.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { paymentLimits } from "#shared/payments/texts.ts";

/** The columns that a promise of an answer follows from, see {@link withLateText}. */
const promiseColumns = {
  reviewBy: projectPayments.reviewBy,
  isBankKnown: statementsExist,
};

type Promised = {
  status: PaymentStatus;
  amountKobo: Kobo;
  arrivedKobo: Kobo;
  lots: number;
  reviewBy: Date | null;
  isBankKnown: boolean;
};

/** Replaces {@link promiseColumns} by what the backer reads once our answer is late; null before. */
function withLateText<Row extends Promised>({ reviewBy, isBankKnown, ...row }: Row, now: Date) {
  const isLate = row.status === "pending" && reviewBy !== null && reviewBy <= now;
  return { ...row, lateText: isLate ? lateReviewText({ ...row, reviewBy }, { now, isBankKnown }) : null };
}

const ownPaymentColumns = {
  id: projectPayments.id,
  projectId: projectPayments.projectId,
  status: projectPayments.status,
  amountKobo: projectPayments.amountKobo,
  lots: projectPayments.lots,
  reference: projectPayments.reference,
  rejectionReason: projectPayments.rejectionReason,
  submittedAt: paymentReceipts.createdAt,
  /** The number of lots of its round; null if the project was deleted. */
  roundLots: sold.lots,
  isProjectTaken,
  roundOutcome: sold.outcome,
  refundReason,
  refundKobo,
  ...arrivalColumns,
  ...promiseColumns,
};

/** The person's relevant payment for a project: the pending one, else the latest. Null without any. */
export async function findOwnPayment(
  db: DbOrTx,
  { projectId, userId, now }: { projectId: number; userId: string; now: Date },
) {
  const [found] = await db
    .select(ownPaymentColumns)
    .from(projectPayments)
    .leftJoin(paymentReceipts, currentReceipt)
    .leftJoin(projects, projectOfPayment)
    .leftJoin(sold, roundOfPayment)
    .where(and(eq(projectPayments.projectId, projectId), eq(projectPayments.userId, userId)))
    .orderBy(sql`${projectPayments.status} <> 'pending'`, ...order.by)
    .limit(1);
  return found ? withLateText(withRefundDue(found), now) : null;
}

/** Lists the caller's approved and pending payments of a project, oldest first, each with the terms they agreed to. */
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
      /** The reason why it no longer counts; null unless it was struck. */
      struckReason: sql<string | null>`${paymentStrikes.reason}`,
      ...arrivalColumns,
      ...promiseColumns,
      terms: shownTermsColumns,
      siteTerms: { sha256: agreedTexts.sha256, version: agreedTexts.version },
    })
    .from(projectPayments)
    .leftJoin(agreedTexts, eq(agreedTexts.sha256, projectPayments.siteTerms))
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
  const now = ctx.clock.now();
  return found.map(({ terms, ...purchase }) => ({ ...withLateText(purchase, now), terms: readable(terms) }));
}

export type Surplus = {
  paymentId: number;
  unallocatedKobo: Kobo;
  /** With what can still be taken back of what is due to the backer. */
  surplusKobo: Kobo;
  /** Refunds of it that nobody has begun to send or withholds, the latest first. */
  refunds: { refundId: number; amountKobo: Kobo }[];
  /** The lines' sums that it could be taken out of, the smallest first. */
  transfers: { matchId: number; lineId: number; amountKobo: Kobo }[];
};

/**
 * Lists the surplus of each approved payment of a person in a round, with the transfers that it could pay for other
 * lots by: the line says whose they are, and the bank took nothing back. Leaves out payments that were struck, or whose
 * money people said had come.
 */
export async function listSurpluses(db: DbOrTx, key: RoundKey, userId: string): Promise<Surplus[]> {
  const found = await rows<{
    paymentId: number;
    unallocatedKobo: string;
    refunds: { refundId: number; kobo: string }[];
    transfers: { matchId: number; lineId: number; kobo: string }[];
  }>(
    db,
    sql`select p.id::float8 as "paymentId", (
        select coalesce(-sum(e.amount_kobo), 0)::text from ledger_entries e
        where e.account = 'unallocated' and e.payment_id = p.id
      ) as "unallocatedKobo", (
        select coalesce(json_agg(json_build_object('refundId', r.id, 'kobo', r.amount_kobo::text) order by r.id desc), '[]')
        from refunds r
        where r.payment_id = p.id and r.reason = 'surplus' and r.taken_back_at is null and not exists (
          select from payouts o where o.refund_id = r.id and (o.state not in ('waiting', 'due', 'failed', 'cancelled')
            or o.withheld_at is not null and o.let_go_request_id is null and o.state in ('waiting', 'due'))
        )
      ) as refunds, (
        select coalesce(json_agg(json_build_object('matchId', m.id, 'lineId', m.line_id, 'kobo', m.amount_kobo::text)
          order by m.amount_kobo, m.id), '[]')
        from line_matches m join statement_lines l on l.id = m.line_id
        where m.payment_id = p.id and m.kind = 'payment' and m.undone_at is null and m.is_named
          and l.own_account_id is not null and not exists (
            select from line_matches t where t.credit_match_id = m.id and t.undone_at is null
          )
      ) as transfers
      from project_payments p
      where p.project_id = ${key.projectId} and p.round = ${key.round} and p.user_id = ${userId}
        and p.status = 'approved' and not exists (
          select from ledger_transactions t
          where t.payment_id = p.id and t.kind in ('declared_arrival', 'assumed_arrival', 'strike')
        )
      order by p.id`,
  );
  return found.map(({ paymentId, ...one }) => {
    const refundsDue = one.refunds.map(({ refundId, kobo }) => ({ refundId, amountKobo: BigInt(kobo) }));
    const transfers = one.transfers.map(({ kobo, ...transfer }) => ({ ...transfer, amountKobo: BigInt(kobo) }));
    const unallocatedKobo = BigInt(one.unallocatedKobo);
    const surplusKobo = refundsDue.reduce((sum, { amountKobo }) => sum + amountKobo, unallocatedKobo);
    return { paymentId, unallocatedKobo, surplusKobo, refunds: refundsDue, transfers };
  });
}

/** The surplus that pays for the most other lots, at most so many, of a round. Null if none pays for one. */
export async function findUsableSurplus(
  db: DbOrTx,
  round: RoundKey & { lotPriceKobo: Kobo },
  { userId, mostLots, exactLots }: { userId: string; mostLots: number; exactLots: number | null },
) {
  const fitting = (await listSurpluses(db, round, userId)).map(({ paymentId, surplusKobo, transfers }) => {
    const largest = transfers.at(-1)?.amountKobo ?? 0n;
    const paid = Number((surplusKobo < largest ? surplusKobo : largest) / round.lotPriceKobo);
    const lots = exactLots === null ? Math.min(paid, mostLots) : paid >= exactLots ? exactLots : 0;
    return { paymentId, surplusKobo, lots, amountKobo: round.lotPriceKobo * BigInt(lots) };
  });
  fitting.sort((one, other) => other.lots - one.lots);
  return fitting.find(({ lots }) => lots > 0) ?? null;
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
  const now = ctx.clock.now();
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
      and(gt(projectPayments.decidedAt, new Date(now.getTime() - recentMs)), sql`not ${isReplaced}`),
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
    payment: withLateText(withRefundDue(payment), now),
    project: project && round && toCard(ctx, { ...project, ...round }),
  }));
  return {
    pending: items.filter(({ payment }) => payment.status === "pending"),
    rejected: items.filter(({ payment }) => payment.status === "rejected"),
    /** Approved, with a surplus that is due. */
    approved: items.filter(({ payment }) => payment.status === "approved"),
  };
}
