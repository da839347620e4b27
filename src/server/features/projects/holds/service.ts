import { randomUUID } from "node:crypto";
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, like, lte, ne, or, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { type NotifyDeps, notify } from "#server/features/notifications/service.ts";
import {
  clearHeldLots,
  countHeldLots,
  freeLots,
  lockRound,
  type Project,
  type Round,
  type RoundKey,
} from "#server/features/projects/rounds/service.ts";
import { findHoldHours, findOfferHours } from "#server/features/settings/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { afterWakingHours, afterWorkingDays } from "#shared/lagos-time.ts";
import { holdLimits, holdTexts } from "#shared/projects/holds-texts.ts";
import { heldNotice, holdEndedNotice, projectRemovedNotice, yourTurnNotice } from "./emails.ts";

/**
 * Holds of lots, and the waiting list. Every function works inside the caller's transaction, which locks the project and
 * then the round: it first ends what has lapsed, so that counts are those of this moment.
 *
 * - Live holds and approved lots are at most the lots of the round. Others' holds aren't free for an approval.
 * - The first receipt keeps a hold for three working days, or seven where statements are imported, and never shortens it. A rejection puts
 *   the end back to where it was before the receipt, with at least twelve hours left, once.
 * - One person has at most two live holds without a receipt. Who let three lapse within 30 days holds none until 30 days after the last;
 *   offers that nobody took don't count, nor do holds that ended while we reviewed their receipt.
 * - While lots are held, goal, lots and terms stay as they are, and the round isn't decided. Closing a project ends no hold.
 * - Lots that come free are offered to whoever joined the waiting list first, once, for `offerhours`, of which the night in Lagos doesn't
 *   count. An offer is a hold without a reference until it is taken. An empty list opens them to all.
 */

export type Hold = typeof holds.$inferSelect;
type Place = { project: Project; round: Round };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const isOpen = inArray(holds.state, ["live", "claimed"]);
const isOfRound = ({ projectId, round }: RoundKey) => and(eq(holds.projectId, projectId), eq(holds.round, round));

/** Whether a hold stands: its end is read, so that one that no job has ended yet holds nothing. */
export const standsAt = (now: Date) =>
  or(eq(holds.state, "claimed"), and(eq(holds.state, "live"), gt(holds.until, now)));

/** How many lots of the round are held now; with `exceptUserId` those of everybody else. */
export async function countLotsHeld(db: DbOrTx, key: RoundKey, now: Date, exceptUserId?: string): Promise<number> {
  const isOther = exceptUserId === undefined ? undefined : ne(holds.userId, exceptUserId);
  const [held] = await db
    .select({ lots: sql<number>`coalesce(sum(${holds.lots}), 0)::int` })
    .from(holds)
    .where(and(isOfRound(key), standsAt(now), isOther));
  return held?.lots ?? 0;
}

/** Ends the holds of the round whose time is over, then offers what came free. Returns the round as it is then. */
export async function settleHolds(tx: Tx, deps: NotifyDeps, { project, round }: Place): Promise<Round> {
  const now = deps.clock.now();
  const lapsed = await tx
    .update(holds)
    .set({ state: "lapsed", until: null, endedAt: holds.until })
    .where(and(isOfRound(round), eq(holds.state, "live"), lte(holds.until, now)))
    .returning();
  let current = round;
  for (const hold of lapsed) {
    current = await countHeldLots(tx, current, -hold.lots);
    await tellEnd(tx, deps, { project, hold, reason: null });
  }
  return offerFreeLots(tx, deps, { project, round: current });
}

/**
 * Offers free lots of an open project's round to the waiting list, each entry once, until none is free or nobody waits.
 * While holding is switched off nothing is offered.
 */
async function offerFreeLots(tx: Tx, deps: NotifyDeps, { project, round }: Place): Promise<Round> {
  let current = round;
  if (project.isClosed || project.round !== round.round || (await findHoldHours(tx)) === 0) return current;
  while (freeLots(current) > 0) {
    const [next] = await tx
      .select()
      .from(waitingList)
      .where(
        and(
          eq(waitingList.projectId, round.projectId),
          eq(waitingList.round, round.round),
          isNull(waitingList.offeredAt),
          isNull(waitingList.leftAt),
        ),
      )
      .orderBy(asc(waitingList.id))
      .limit(1)
      // Who closes their account at this moment is passed over.
      .for("update", { skipLocked: true });
    if (!next) break;
    current = await offer(tx, deps, { project, round: current, entry: next });
  }
  return current;
}

async function offer(
  tx: Tx,
  deps: NotifyDeps,
  { project, round, entry }: Place & { entry: typeof waitingList.$inferSelect },
): Promise<Round> {
  const now = deps.clock.now();
  const lots = Math.min(entry.lots, freeLots(round));
  const until = afterWakingHours(now, await findOfferHours(tx));
  await tx.update(waitingList).set({ offeredAt: now }).where(eq(waitingList.id, entry.id));
  const { projectId, userId } = entry;
  const [made] = await tx
    .insert(holds)
    .values({ projectId, round: round.round, userId, lots, until, createdAt: now })
    .returning({ id: holds.id });
  await notify(tx, deps, {
    ...yourTurnNotice({ publicUrl: deps.env.publicUrl, projectId, projectTitle: project.title, lots, until }),
    userIds: [userId],
    kind: "payment_status",
    projectId,
    eventKey: `hold:${made?.id}:offered`,
  });
  return countHeldLots(tx, round, lots);
}

/** The caller's hold of the round that stands: live or claimed, an offer too. */
export async function findOwnHold(tx: Tx, round: RoundKey, userId: string): Promise<Hold | undefined> {
  const [own] = await tx
    .select()
    .from(holds)
    .where(and(isOfRound(round), eq(holds.userId, userId), isOpen));
  return own;
}

/**
 * Holds lots for the caller under the reference of their purchase, or takes what is offered to them; who holds lots no
 * longer waits. Where holding is switched off, only an offer that stands is taken, until its end. Throws "conflict" if too
 * few lots are free, they hold some already, or {@link requireMayHold} refuses.
 */
export async function placeHold(
  tx: Tx,
  ctx: ActorContext,
  { project, round, lots, reference }: Place & { lots: number; reference: string },
): Promise<void> {
  const hours = await findHoldHours(tx);
  const settled = await settleHolds(tx, ctx, { project, round });
  const own = await findOwnHold(tx, settled, ctx.actor.id);
  if (hours === 0 && !own) return;
  if (own?.reference === reference) throw new AppError("conflict", holdTexts.alreadyHeld);
  const spare = freeLots(settled) + (own?.lots ?? 0);
  if (lots > spare) throw new AppError("conflict", holdTexts.noneFree);
  await requireMayHold(tx, ctx, own);
  const now = ctx.clock.now();
  const until = hours === 0 && own?.until ? own.until : new Date(now.getTime() + hours * hourMs);
  const values = { lots, reference, until, warnedAt: null };
  const [held] = own
    ? await tx.update(holds).set(values).where(eq(holds.id, own.id)).returning({ id: holds.id })
    : await tx
        .insert(holds)
        .values({ ...values, projectId: project.id, round: round.round, userId: ctx.actor.id, createdAt: now })
        .returning({ id: holds.id });
  await leaveWaitingLists(tx, ctx, ctx.actor.id, project.id);
  const after = await countHeldLots(tx, settled, lots - (own?.lots ?? 0));
  await offerFreeLots(tx, ctx, { project, round: after });
  await notify(tx, ctx, {
    ...heldNotice({ publicUrl: ctx.env.publicUrl, projectId: project.id, projectTitle: project.title, lots, until }),
    userIds: [ctx.actor.id],
    kind: "payment_status",
    projectId: project.id,
    // Each placing is told of, also of a hold that comes under the reference of another purchase.
    eventKey: `hold:${held?.id}:held:${randomUUID()}`,
  });
}

/**
 * Throws "conflict" if the caller holds two others without a receipt, or has three holds that came to nothing, and
 * "rate_limited" if they held lots and joined waiting lists often today. Lapses are read here too: other rounds may have
 * some that no job has ended yet.
 */
export async function requireMayHold(tx: Tx, ctx: ActorContext, own?: Hold): Promise<void> {
  const now = ctx.clock.now();
  const isOther = own && ne(holds.id, own.id);
  const [open] = await tx
    .select({ total: count() })
    .from(holds)
    .where(
      and(isTakenBy(ctx.actor.id), eq(holds.hasReceipt, false), isOther, eq(holds.state, "live"), gt(holds.until, now)),
    );
  if ((open?.total ?? 0) >= holdLimits.open) throw new AppError("conflict", holdTexts.tooMany);
  const { pausedUntil } = await countVain(tx, ctx.actor.id, now);
  if (pausedUntil) throw new AppError("conflict", holdTexts.paused(pausedUntil));
  if ((await countToday(tx, ctx.actor.id, now)) >= holdLimits.perDay) {
    throw new AppError("rate_limited", holdTexts.tooManyToday);
  }
}

/** An offer that nobody took is no hold of theirs. */
const isTakenBy = (userId: string) => and(eq(holds.userId, userId), isNotNull(holds.reference));

/**
 * How many holds of a person came to nothing within 30 days, and until when holding is paused: for 30 days after one that was the
 * third within 30 days, also when the first of the three is longer ago by then. They are those that lapsed without a receipt, that they gave back, however soon, or whose receipt was rejected. One that ended while we reviewed
 * its receipt is not their lapse, unless that is rejected afterwards.
 */
export async function countVain(
  db: DbOrTx,
  userId: string,
  now: Date,
): Promise<{ total: number; pausedUntil: Date | null }> {
  const pauseMs = holdLimits.days * dayMs;
  const since = new Date(now.getTime() - pauseMs);
  const isOver = or(eq(holds.state, "lapsed"), and(eq(holds.state, "live"), lte(holds.until, now)));
  const isRejected = sql`(select ${projectPayments.status} from ${projectPayments}
    where ${projectPayments.reference} = ${holds.reference} order by ${projectPayments.id} desc limit 1) = 'rejected'`;
  const isVain = or(
    eq(holds.state, "released"),
    and(isOver, or(eq(holds.hasReceipt, false), isRejected)),
    and(inArray(holds.state, ["live", "lapsed"]), eq(holds.isExtended, true)),
  );
  const at = sql`coalesce(${holds.endedAt}, least(${holds.until}, ${now.toISOString()}::timestamptz))`;
  const vain = db
    .select({
      at: at.as("at"),
      thirdLast: sql`lag(${at}, ${holdLimits.lapsed - 1}::int) over (order by ${at})`.as("third_last"),
    })
    .from(holds)
    .where(
      and(isTakenBy(userId), isVain, sql`${at} > ${new Date(since.getTime() - pauseMs).toISOString()}::timestamptz`),
    )
    .as("vain");
  const isRecent = sql`${vain.at} > ${since.toISOString()}::timestamptz`;
  const isThird = sql`${vain.thirdLast} > ${vain.at} - make_interval(days => ${holdLimits.days}::int)`;
  const [found] = await db
    .select({ total: count(), pausing: sql`max(${vain.at}) filter (where ${isThird})`.mapWith(holds.endedAt) })
    .from(vain)
    .where(isRecent);
  const pausing = found?.pausing ?? null;
  return { total: found?.total ?? 0, pausedUntil: pausing && new Date(pausing.getTime() + pauseMs) };
}

/** How often a person held lots or joined a waiting list within a day; each of them makes mails. */
async function countToday(tx: Tx, userId: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - dayMs);
  const isPlacing = and(eq(notifications.userId, userId), like(notifications.eventKey, "hold:%:held:%"));
  const placed = await tx.$count(notifications, and(isPlacing, gt(notifications.createdAt, since)));
  const joined = await tx.$count(waitingList, and(eq(waitingList.userId, userId), gt(waitingList.joinedAt, since)));
  return placed + joined;
}

/** Whether lots are held under a reference now. */
export async function holdStands(tx: Tx, reference: string, now: Date): Promise<boolean> {
  const found = await tx
    .select({ id: holds.id })
    .from(holds)
    .where(and(eq(holds.reference, reference), standsAt(now)))
    .limit(1);
  return found.length > 0;
}

const isHeldUnder = (reference: string, at: Date) =>
  and(eq(holds.reference, reference), eq(holds.state, "live"), gt(holds.until, at));

/** Whether statements of the account that backers transfer to are imported, so that one will cover the day of a receipt. */
export async function areTransfersRead(db: DbOrTx): Promise<boolean> {
  const isRead = and(eq(ownAccounts.isActive, true), isNotNull(ownAccounts.openedOn));
  return (await db.$count(ownAccounts, isRead)) > 0;
}

/**
 * The first receipt keeps the hold until it is reviewed: for three working days where statements don't show transfers, else for
 * seven, of which the statement of its day leaves one.
 */
export async function extendByReceipt(tx: Tx, reference: string, at: Date): Promise<void> {
  const until = afterWorkingDays(at, (await areTransfersRead(tx)) ? holdLimits.reviewDays : holdLimits.receiptDays);
  const isUnderReview = and(isHeldUnder(reference, at), eq(holds.hasReceipt, false));
  await tx
    .update(holds)
    .set({
      hasReceipt: true,
      untilBeforeReceipt: holds.until,
      until: sql`greatest(${holds.until}, ${until.toISOString()}::timestamptz)`,
    })
    .where(isUnderReview);
}

/**
 * A rejected receipt no longer extends the hold, which ends when it would have without it. Once, at least twelve hours are
 * left to send another; a later rejection may leave none. A claimed hold has an end again.
 */
export async function extendByRejection(tx: Tx, reference: string, at: Date): Promise<void> {
  const least = new Date(at.getTime() + holdLimits.rejectionHours * hourMs);
  const isUnderReview = and(isHeldUnder(reference, at), eq(holds.hasReceipt, true));
  const isClaimed = and(eq(holds.reference, reference), eq(holds.state, "claimed"));
  const { untilBeforeReceipt: before, isExtended, warnedAt } = holds;
  await tx
    .update(holds)
    .set({
      state: "live",
      until: sql`case when ${isExtended} then coalesce(${before}, ${at.toISOString()}::timestamptz)
        else greatest(${before}, ${least.toISOString()}::timestamptz) end`,
      untilBeforeReceipt: null,
      hasReceipt: false,
      isExtended: true,
      warnedAt: sql`case when ${isExtended} then ${warnedAt} end`,
    })
    .where(or(isUnderReview, isClaimed));
}

/**
 * A transfer that the bank shows keeps the hold until its payment is decided. The end that it had comes back if the payment
 * is rejected.
 */
export async function claimHold(tx: Tx, reference: string, at: Date): Promise<void> {
  await tx
    .update(holds)
    .set({
      state: "claimed",
      until: null,
      untilBeforeReceipt: sql`coalesce(${holds.untilBeforeReceipt}, ${holds.until})`,
    })
    .where(and(eq(holds.reference, reference), eq(holds.state, "live"), gt(holds.until, at)));
}

/**
 * The transfer was another's: its payer has some working days to send the money or a receipt. Where a receipt came
 * already, no statement ends the hold before.
 */
export async function unclaimHold(tx: Tx, reference: string, at: Date): Promise<void> {
  const until = sql`greatest(${holds.untilBeforeReceipt}, ${afterWorkingDays(at, holdLimits.unclaimedDays).toISOString()}::timestamptz)`;
  await tx
    .update(holds)
    .set({
      state: "live",
      until,
      untilBeforeReceipt: sql`case when ${holds.hasReceipt} then ${until} end`,
      warnedAt: null,
    })
    .where(and(eq(holds.reference, reference), eq(holds.state, "claimed")));
}

/** Keeps only so many lots of the hold under a reference, and offers the others. */
export async function reduceHold(
  tx: Tx,
  deps: NotifyDeps,
  { project, round, reference, lots }: Place & { reference: string; lots: number },
): Promise<void> {
  const [hold] = await tx
    .select()
    .from(holds)
    .where(and(eq(holds.reference, reference), isOpen, gt(holds.lots, lots)));
  if (hold) await tx.update(holds).set({ lots }).where(eq(holds.id, hold.id));
  const current = hold ? await countHeldLots(tx, round, lots - hold.lots) : round;
  await settleHolds(tx, deps, { project, round: current });
}

/** A hold becomes the lots of its holder's approved payment. Returns the round as it is then. */
export async function consumeHold(tx: Tx, round: Round, { id, lots }: Hold, at: Date): Promise<Round> {
  await tx.update(holds).set({ state: "used", until: null, endedAt: at }).where(eq(holds.id, id));
  return countHeldLots(tx, round, -lots);
}

type Ending = Place & { hold: Hold; deps: NotifyDeps; at: Date };
type ByHand = { state: "ended"; by: string; reason: string; isBlocked?: boolean };

/** Ends a hold before its time, and offers its lots. */
export async function endHold(
  tx: Tx,
  { project, round, hold, deps, at, ...how }: Ending & ({ state: "released" } | ByHand),
): Promise<Round> {
  const ended = how.state === "ended" ? { endedBy: how.by, endReason: how.reason } : {};
  await tx
    .update(holds)
    .set({ state: how.state, until: null, endedAt: at, ...ended })
    .where(eq(holds.id, hold.id));
  const current = await countHeldLots(tx, round, -hold.lots);
  if (how.state === "ended") await tellEnd(tx, deps, { project, hold, ...how });
  return offerFreeLots(tx, deps, { project, round: current });
}

async function tellEnd(
  tx: Tx,
  deps: NotifyDeps,
  { project, hold, ...why }: { project: Project; hold: Hold; reason: string | null; isBlocked?: boolean },
): Promise<void> {
  const { id, userId, lots, projectId, hasReceipt } = hold;
  const held = { publicUrl: deps.env.publicUrl, projectId, projectTitle: project.title, lots };
  await notify(tx, deps, {
    ...holdEndedNotice({ ...held, isOffer: hold.reference === null, hasReceipt, ...why }),
    userIds: [userId],
    kind: "payment_status",
    projectId,
    eventKey: `hold:${id}:ended`,
  });
}

const isPlaceOf = (userId: string) =>
  or(
    inArray(
      projects.id,
      sql`(select ${holds.projectId} from ${holds} where ${holds.userId} = ${userId} and ${holds.state} = 'live')`,
    ),
    inArray(
      projects.id,
      sql`(select ${waitingList.projectId} from ${waitingList}
        where ${waitingList.userId} = ${userId} and ${waitingList.offeredAt} is null and ${waitingList.leftAt} is null)`,
    ),
  );

/** Locks the projects in which a person holds lots or waits for some, by their ids. It comes before the person's lock. */
export async function lockPlacesOf(tx: Tx, userId: string): Promise<Project[]> {
  return tx.select().from(projects).where(isPlaceOf(userId)).orderBy(asc(projects.id)).for("no key update");
}

/**
 * Ends what a blocked person holds, and takes them off every waiting list. The caller holds the locks of
 * {@link lockPlacesOf}, then the person's. False if they came to another place between the two: nothing is done then.
 */
export async function endPlacesOf(tx: Tx, ctx: ActorContext, userId: string, places: Project[]): Promise<boolean> {
  const now = await tx.select({ id: projects.id }).from(projects).where(isPlaceOf(userId));
  if (now.some(({ id }) => places.every((place) => place.id !== id))) return false;
  await leaveWaitingLists(tx, ctx, userId);
  for (const project of places) {
    const held = await tx
      .select()
      .from(holds)
      .where(and(eq(holds.projectId, project.id), eq(holds.userId, userId), eq(holds.state, "live")));
    for (const hold of held) {
      const round = await lockRound(tx, hold);
      const how = { state: "ended" as const, by: ctx.actor.id, reason: holdTexts.accountBlocked, isBlocked: true };
      await endHold(tx, { project, round, hold, deps: ctx, at: ctx.clock.now(), ...how });
    }
  }
  return true;
}

/** Takes a person off the waiting list of one project, or of all. An offer that is being made is theirs already. */
export async function leaveWaitingLists(
  tx: Tx,
  { clock }: Pick<NotifyDeps, "clock">,
  userId: string,
  projectId?: number,
): Promise<void> {
  const isThere = projectId === undefined ? undefined : eq(waitingList.projectId, projectId);
  await tx
    .update(waitingList)
    .set({ leftAt: clock.now() })
    .where(and(eq(waitingList.userId, userId), isThere, isNull(waitingList.offeredAt), isNull(waitingList.leftAt)));
}

/**
 * Ends all holds of a project that is being deleted, and its waiting list, and tells whose they were. Nothing is offered.
 * The caller locks the project.
 */
export async function endHoldsOfDeleted(
  tx: Tx,
  ctx: ActorContext,
  { id: projectId, title }: { id: number; title: string },
): Promise<void> {
  const at = ctx.clock.now();
  const ended = await tx
    .update(holds)
    .set({ state: "ended", until: null, endedAt: at, endedBy: ctx.actor.id, endReason: holdTexts.projectRemoved })
    .where(and(eq(holds.projectId, projectId), inArray(holds.state, ["live", "claimed"])))
    .returning({ userId: holds.userId, lots: holds.lots });
  await clearHeldLots(tx, projectId);
  const left = await tx
    .update(waitingList)
    .set({ leftAt: at })
    .where(and(eq(waitingList.projectId, projectId), isNull(waitingList.offeredAt), isNull(waitingList.leftAt)))
    .returning({ userId: waitingList.userId });
  for (const { userId, lots } of [...ended, ...left.map(({ userId }) => ({ userId, lots: null }))]) {
    await notify(tx, ctx, {
      ...projectRemovedNotice({ publicUrl: ctx.env.publicUrl, projectTitle: title, heldLots: lots }),
      userIds: [userId],
      kind: "payment_status",
      projectId: null,
      eventKey: `project:${projectId}:removed`,
    });
  }
}
