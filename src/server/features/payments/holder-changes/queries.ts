import { and, asc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { holderChanges } from "#server/db/schema/holder-changes.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { isUnstruck } from "#server/db/schema/strikes.ts";
import { users } from "#server/db/schema/users.ts";
import { findPartOf, readWaiting } from "#server/features/harvests/holders/service.ts";
import { linkToEvidence } from "#server/features/payments/evidence/queries.ts";
import { isStruck } from "#server/features/payments/strikes/queries.ts";
import { sumPayouts } from "#server/features/payouts/queries.ts";
import { isHeld } from "#server/features/payouts/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, refusalOf } from "#server/platform/errors.ts";
import type { changeHolderDetails, previewHolderChangeInput } from "#shared/payments/holder-changes.ts";
import { holderChangeTexts as texts } from "#shared/payments/holder-changes-texts.ts";
import { paymentTexts } from "#shared/payments/texts.ts";

/** Reads changes of holder: their facts, and whether one can be carried out. */

export type HolderChange = typeof holderChanges.$inferSelect;

/** Condition of a change that can still be stopped, or is about to be carried out. */
export const isRunning = isNull(holderChanges.outcome);

/** The approved payments of a person in a round, which a change of holder moves together. */
export const isOfHolder = ({
  projectId,
  round,
  fromUserId,
}: {
  projectId: number;
  round: number;
  fromUserId: string;
}) =>
  and(
    eq(projectPayments.projectId, projectId),
    eq(projectPayments.round, round),
    eq(projectPayments.userId, fromUserId),
    eq(projectPayments.status, "approved"),
    isUnstruck,
  );

type Asked = Pick<z.output<typeof changeHolderDetails>, "paymentId" | "fromUserId">;

/**
 * A payment whose holder may change, with its round. Throws "not_found", or "conflict" if its project was deleted, it
 * has another holder, or nobody holds lots by it.
 */
export async function requireHeldPayment(db: DbOrTx, { paymentId, fromUserId }: Asked) {
  const [payment] = await db.select().from(projectPayments).where(eq(projectPayments.id, paymentId));
  if (!payment) throw new AppError("not_found", paymentTexts.gone);
  const { projectId } = payment;
  if (projectId === null) throw new AppError("conflict", texts.projectGone);
  if (payment.userId !== fromUserId) throw new AppError("conflict", texts.otherHolder);
  if (payment.status !== "approved") throw new AppError("conflict", texts.notApproved);
  if (await isStruck(db, paymentId)) throw new AppError("conflict", texts.struck);
  return { ...payment, projectId };
}

type HeldPayment = Awaited<ReturnType<typeof requireHeldPayment>>;

/**
 * The person to whom a payment may pass. Throws "not_found", or "conflict" if it is theirs already, their account is
 * closed, blocked or without a confirmed address, or they have a part in the round's harvests already.
 */
export async function requireNewHolder(db: DbOrTx, { projectId, round, userId }: HeldPayment, toUserId: string) {
  const [person] = await db.select().from(users).where(eq(users.id, toUserId));
  if (!person) throw new AppError("not_found", texts.noSuchPerson);
  if (toUserId === userId) throw new AppError("conflict", texts.samePerson);
  if (person.closedAt !== null) throw new AppError("conflict", texts.closed);
  if (person.isBlocked) throw new AppError("conflict", texts.blocked);
  if (person.emailVerifiedAt === null) throw new AppError("conflict", texts.unconfirmed);
  if (await findPartOf(db, { projectId, round }, toUserId)) {
    throw new AppError("conflict", texts.hasPart(person.fullName));
  }
  return person;
}

/** Throws "conflict" if another change runs for what the person has in the round. */
export async function requireNoneRunning(db: DbOrTx, { projectId, round, userId }: HeldPayment): Promise<void> {
  const isOfPerson = and(
    eq(holderChanges.projectId, projectId),
    eq(holderChanges.round, round),
    eq(holderChanges.fromUserId, userId),
  );
  if ((await db.$count(holderChanges, and(isOfPerson, isRunning))) > 0) {
    throw new AppError("conflict", texts.runningAlready);
  }
}

/**
 * Throws "conflict" if the old holder's account was blocked since a change began, even if it was let in again:
 * meanwhile they could not sign in and object, and one owner alone blocks people.
 */
export async function requireCouldObject(db: DbOrTx, { fromUserId, createdAt }: HolderChange): Promise<void> {
  const isOfHolder = sql`${auditLogs.details}->>'userId' = ${fromUserId}`;
  const isBlock = and(eq(auditLogs.actionType, "block_user"), gt(auditLogs.createdAt, createdAt), isOfHolder);
  if ((await db.$count(auditLogs, isBlock)) > 0) throw new AppError("conflict", texts.holderBlocked);
}

/** Reads what a change of holder would move now, in figures. */
export async function readHeld(db: DbOrTx, { projectId, round, userId: fromUserId }: HeldPayment) {
  const key = { projectId, round };
  const found = await db
    .select({ id: projectPayments.id, lots: projectPayments.lots, amountKobo: projectPayments.amountKobo })
    .from(projectPayments)
    .where(isOfHolder({ ...key, fromUserId }));
  const held = { ...key, fromUserId, paymentIds: found.map(({ id }) => id) };
  const pending = and(
    eq(projectPayments.projectId, projectId),
    eq(projectPayments.round, round),
    eq(projectPayments.userId, fromUserId),
    eq(projectPayments.status, "pending"),
  );
  return {
    payments: found.length,
    lots: found.reduce((sum, { lots }) => sum + lots, 0),
    amountKobo: found.reduce((sum, one) => sum + one.amountKobo, 0n),
    pending: await db.$count(projectPayments, pending),
    openKobo: await sumPayouts(db, isHeld(held, ["waiting", "due"])),
    inRunKobo: await sumPayouts(db, isHeld(held, ["in_run"])),
    ...(await readWaiting(db, key, fromUserId)),
  };
}

/** Puts what moves into sentences. */
export function describeMoves(held: Awaited<ReturnType<typeof readHeld>>): string[] {
  const { payments, lots, amountKobo, pending, openKobo, inRunKobo, isChoosing, isProduceReady } = held;
  return [
    texts.whatMoves(payments, lots, amountKobo),
    ...(openKobo > 0n ? [texts.openMoves(openKobo)] : []),
    ...(inRunKobo > 0n ? [texts.inRunStays(inRunKobo)] : []),
    ...(isChoosing ? [texts.choiceMoves] : []),
    ...(isProduceReady ? [texts.produceMoves] : []),
    ...(pending > 0 ? [texts.stillPending(pending)] : []),
  ];
}

/** Previews a change for an owner: who holds the lots, what moves, or the reason why it can't be done. */
export async function previewChange({ db }: ActorContext, { paymentId }: z.output<typeof previewHolderChangeInput>) {
  const [payment] = await db
    .select({ userId: projectPayments.userId, name: users.fullName })
    .from(projectPayments)
    .innerJoin(users, eq(users.id, projectPayments.userId))
    .where(eq(projectPayments.id, paymentId));
  if (!payment) throw new AppError("not_found", paymentTexts.gone);
  const { userId: fromUserId, name: fromName } = payment;
  try {
    const held = await requireHeldPayment(db, { paymentId, fromUserId });
    await requireNoneRunning(db, held);
    return { fromUserId, fromName, refusal: null, moves: describeMoves(await readHeld(db, held)) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { fromUserId, fromName, refusal: refusal.message, moves: [] };
  }
}

const fromPerson = alias(users, "from_person");
const toPerson = alias(users, "to_person");
const heldKobo = sql`(select coalesce(sum(p.amount_kobo), 0) from project_payments p
  where p.project_id = ${holderChanges.projectId} and p.round = ${holderChanges.round} and p.status = 'approved'
    and p.user_id = ${holderChanges.fromUserId}
    and not exists (select from payment_strikes k where k.payment_id = p.id))::bigint`.mapWith(
  projectPayments.amountKobo,
);

const selectRunning = (db: DbOrTx) =>
  db
    .select({
      change: holderChanges,
      fromName: fromPerson.fullName,
      toName: toPerson.fullName,
      heldKobo,
      details: secondPersonRequests.details,
    })
    .from(holderChanges)
    .innerJoin(fromPerson, eq(fromPerson.id, holderChanges.fromUserId))
    .innerJoin(toPerson, eq(toPerson.id, holderChanges.toUserId))
    .innerJoin(secondPersonRequests, eq(secondPersonRequests.id, holderChanges.requestId))
    .orderBy(asc(holderChanges.until), asc(holderChanges.id));

/** The changes that run and are about the caller. */
export async function listOwnChanges({ db, actor, clock }: ActorContext) {
  const isMine = or(eq(holderChanges.fromUserId, actor.id), eq(holderChanges.toUserId, actor.id));
  const found = await selectRunning(db).where(and(isMine, isRunning));
  return {
    now: clock.now(),
    changes: found.map(({ change, fromName, toName, heldKobo: amountKobo }) => {
      const { id, projectTitle, round, cause, reason, until, createdAt, fromUserId } = change;
      const isFrom = fromUserId === actor.id;
      return { id, projectTitle, round, cause, reason, until, createdAt, amountKobo, isFrom, fromName, toName };
    }),
  };
}

/** The changes that run, for owners, with links to the papers that prove them. */
export async function listRunningChanges(ctx: ActorContext) {
  const found = await selectRunning(ctx.db).where(isRunning);
  const changes = [];
  for (const { change, fromName, toName, heldKobo: amountKobo, details } of found) {
    const { id, paymentId, projectTitle, round, cause, reason, until, createdAt } = change;
    const { fileIds } = details as { fileIds: string[] };
    const papers = await linkToEvidence(ctx, fileIds);
    changes.push({
      id,
      paymentId,
      projectTitle,
      round,
      cause,
      reason,
      until,
      createdAt,
      amountKobo,
      fromName,
      toName,
      papers,
    });
  }
  return { now: ctx.clock.now(), changes };
}

/** Finds the end of the running change that is about a person, the earliest of several; null if none runs. */
export async function findRunningEnd(db: DbOrTx, userId: string): Promise<Date | null> {
  const isTheirs = or(eq(holderChanges.fromUserId, userId), eq(holderChanges.toUserId, userId));
  const [found] = await db
    .select({ until: holderChanges.until })
    .from(holderChanges)
    .where(and(isTheirs, isRunning))
    .orderBy(asc(holderChanges.until))
    .limit(1);
  return found?.until ?? null;
}
