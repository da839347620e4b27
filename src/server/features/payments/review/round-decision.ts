import { asc, eq } from "drizzle-orm";
import type { z } from "zod";
import { postDeclaredArrival } from "#server/books/events/payments.ts";
import { lockBank } from "#server/books/locks.ts";
import { placesOf, readMoney, readMoneyOf } from "#server/books/places.ts";
import { hasStatements } from "#server/books/statements.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { notifyEach } from "#server/features/notifications/service.ts";
import { makeRefundNotes } from "#server/features/papers/service.ts";
import { countWaiting, isApprovedIn, requireNothingWaits } from "#server/features/payments/queries.ts";
import { factsOf, type Payment } from "#server/features/payments/service.ts";
import { isStruck } from "#server/features/payments/strikes/queries.ts";
import { type MadeRefund, makeRefundDue } from "#server/features/payments/unallocated/service.ts";
import { endLapsedHolds } from "#server/features/projects/holds/service.ts";
import {
  decideRound,
  findRound,
  lockProject,
  lockRound,
  type Project,
  type Round,
} from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { decideRoundInput } from "#shared/payments/inputs.ts";
import { strikeTexts } from "#shared/payments/strikes-texts.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { notFundedNotice } from "./emails.ts";
import { reverseApproval } from "./service.ts";

/**
 * The decision on a round whose time is over before its last lot was sold: at its minimum or above the farm starts,
 * below it everything is given back. A person decides; no job does.
 */

/** The round of a closed project that waits for a decision, and whom it concerns; null if there is nothing to decide. */
export async function findRoundToDecide(ctx: ActorContext, { projectId }: { projectId: number }) {
  const [project] = await ctx.db
    .select({ round: projects.round, isClosed: projects.isClosed })
    .from(projects)
    .where(eq(projects.id, projectId));
  if (!project) throw new AppError("not_found", paymentTexts.projectNotFound);
  const round = await findRound(ctx.db, { projectId, round: project.round });
  if (!project.isClosed || round.outcome !== null || round.approvedLots === 0) return null;
  const backers = await ctx.db
    .select({
      paymentId: projectPayments.id,
      fullName: users.fullName,
      lots: projectPayments.lots,
      amountKobo: projectPayments.amountKobo,
    })
    .from(projectPayments)
    .leftJoin(users, eq(users.id, projectPayments.userId))
    .where(isApprovedIn(round))
    .orderBy(asc(projectPayments.id));
  const { lots, minimumLots, approvedLots } = round;
  const money = (await hasStatements(ctx.db))
    ? await readMoneyOf(
        ctx.db,
        backers.map(({ paymentId }) => paymentId),
      )
    : null;
  const concerned = backers.map((backer) => ({
    ...backer,
    /** The sum due to them if everything was given back. */
    dueKobo: money ? (money.get(backer.paymentId)?.arrivedKobo ?? 0n) : backer.amountKobo,
  }));
  return {
    round: round.round,
    lots,
    minimumLots,
    approvedLots,
    backers: concerned,
    totalKobo: backers.reduce((total, { amountKobo }) => total + amountKobo, 0n),
    totalDueKobo: concerned.reduce((total, { dueKobo }) => total + dueKobo, 0n),
    isReached: approvedLots >= minimumLots,
    waiting: await countWaiting(ctx.db, round),
  };
}

/**
 * Declares the ended round funded, or gives everything back: each approval is reversed, each amount becomes a refund due.
 * Throws "not_found", or "conflict" if the project is open, the round is decided, payments wait that could still be
 * approved, more or fewer lots are approved than the owner saw, or the outcome doesn't fit the minimum.
 */
export async function decideOnRound(ctx: ActorContext, input: z.output<typeof decideRoundInput>): Promise<void> {
  const { projectId, outcome, seenApprovedLots } = input;
  await inTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, projectId);
    const locked = await lockRound(tx, { projectId, round: project.round });
    const round = await endLapsedHolds(tx, ctx, { project, round: locked });
    const at = ctx.clock.now();
    await requireDecidable(tx, project, round);
    if (round.approvedLots !== seenApprovedLots) throw new AppError("conflict", paymentTexts.roundChanged);
    const isReached = round.approvedLots >= round.minimumLots;
    if (isReached !== (outcome === "funded")) {
      throw new AppError("conflict", isReached ? paymentTexts.minimumReached : paymentTexts.minimumMissed);
    }
    const givenBack = outcome === "not_funded" ? await giveBack(tx, ctx, { project, round, at }) : [];
    await decideRound(tx, round, { outcome, decidedBy: ctx.actor.id, at });
    await recordAudit(tx, ctx, "decide_round", {
      projectId,
      title: project.title,
      round: round.round,
      outcome,
      approvedLots: round.approvedLots,
      minimumLots: round.minimumLots,
      refundedPaymentIds: givenBack.map(({ id }) => id),
    });
  });
}

async function requireDecidable(tx: Tx, project: Project, round: Round): Promise<void> {
  if (!project.isClosed) throw new AppError("conflict", paymentTexts.roundOpen);
  if (round.outcome !== null) throw new AppError("conflict", paymentTexts.roundDecided);
  await requireNothingWaits(tx, round);
}

/**
 * Reverses every approval of the round, in the order of the payments' ids. What has arrived of each is due to its
 * backer; on a site without statements all of it counts as arrived. Throws "conflict" if one of them was struck, of
 * which nothing is given back.
 */
async function giveBack(
  tx: Tx,
  ctx: ActorContext,
  { project, round, at }: { project: Project; round: Round; at: Date },
): Promise<Payment[]> {
  const payments = await tx
    .select()
    .from(projectPayments)
    .where(isApprovedIn(round))
    .orderBy(asc(projectPayments.id))
    .for("update");
  for (const { id } of payments) {
    if (await isStruck(tx, id)) throw new AppError("conflict", strikeTexts.notGivenBack);
  }
  await lockBank(tx, "share");
  const isBankKnown = await hasStatements(tx);
  const given: GivenBack[] = [];
  for (const payment of payments) given.push(await giveBackPayment(tx, ctx, { payment, project, isBankKnown, at }));
  await notifyGivenBack(tx, ctx, { project, given, at });
  return payments;
}

type GivenBack = { payment: Payment; refund: MadeRefund | null; auditId: number };

/** Notes of all refunds at once, because their counter is the last lock; then each backer is told. */
async function notifyGivenBack(
  tx: Tx,
  ctx: ActorContext,
  { project, given, at }: { project: Project; given: readonly GivenBack[]; at: Date },
): Promise<void> {
  const notes = await makeRefundNotes(
    tx,
    given.flatMap(({ refund }) => refund?.id ?? []),
    at,
  );
  const noteOf = new Map(notes.map((note) => [note.refundId, note]));
  const notices = given.map(({ payment, refund, auditId }) => ({
    ...notFundedNotice(factsOf(ctx, payment, project), refund && { ...refund, note: noteOf.get(refund.id) }),
    userId: payment.userId,
    projectId: project.id,
    eventKey: `payment:${payment.id}:rejected:${auditId}`,
  }));
  await notifyEach(tx, ctx, "payment_status", notices);
}

async function giveBackPayment(
  tx: Tx,
  ctx: ActorContext,
  { payment, project, isBankKnown, at }: { payment: Payment; project: Project; isBankKnown: boolean; at: Date },
): Promise<GivenBack> {
  const { id, userId, amountKobo, lots, reference } = payment;
  const actorId = ctx.actor.id;
  const change = { status: "rejected" as const, rejectionReason: paymentTexts.roundNotFunded };
  await tx
    .update(projectPayments)
    .set({ ...change, decidedBy: actorId, decidedAt: at, updatedAt: at })
    .where(eq(projectPayments.id, id));
  const round = await findRound(tx, { projectId: project.id, round: payment.round });
  await reverseApproval(tx, { payment, round, actorId, at });
  if (!isBankKnown) await assumeArrived(tx, { payment, actorId, at });
  const { unallocatedKobo: arrivedKobo } = placesOf(await readMoney(tx, payment));
  const about = { payment, amountKobo: arrivedKobo, reason: "not_funded" as const, actorId, at };
  const refund = arrivedKobo > 0n ? await makeRefundDue(tx, about) : null;
  const auditId = await recordAudit(tx, ctx, "update_payment_status", {
    paymentId: id,
    before: "approved",
    after: "rejected",
    amountKobo: amountKobo.toString(),
    lots,
    projectId: project.id,
    projectTitle: project.title,
    backerId: userId,
    reference,
    round: payment.round,
    reason: paymentTexts.roundNotFunded,
    arrivedKobo: arrivedKobo.toString(),
  });
  return { payment, refund, auditId };
}

/** No statement can show that a payment came: all that is missing of one that was approved counts as arrived. */
async function assumeArrived(
  tx: Tx,
  { payment, actorId, at }: { payment: Payment; actorId: string; at: Date },
): Promise<void> {
  const { missingKobo: byKobo } = placesOf(await readMoney(tx, payment));
  if (byKobo > 0n) await postDeclaredArrival(tx, "assumed_arrival", { payment, byKobo, actorId, at });
}
