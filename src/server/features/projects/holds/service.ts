import { randomUUID } from "node:crypto";
import { and, asc, eq, inArray, isNull, lte, or, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { projects } from "#server/db/schema/projects.ts";
import { type NotifyDeps, notify } from "#server/features/notifications/service.ts";
import {
  clearHeldLots,
  countHeldLots,
  freeLots,
  lockProject,
  lockRound,
  type Project,
  type Round,
} from "#server/features/projects/rounds/service.ts";
import { findHoldHours, findOfferHours } from "#server/features/settings/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { afterWakingHours, hourMs } from "#shared/lagos-time.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { heldNotice, holdEndedNotice, projectRemovedNotice, yourTurnNotice } from "./emails.ts";
import { requireMayHold } from "./limits.ts";
import { findOwnHold, type Hold, isOfRound } from "./queries.ts";

/**
 * Holds of lots, and the waiting list. Every function works inside the caller's transaction, which locks the project
 * and then the round: it first ends what has lapsed, so that counts are those of this moment.
 *
 * - Live holds and approved lots are at most the lots of the round. Others' holds aren't free for an approval.
 * - The first receipt keeps a hold for three working days, or seven where statements are imported, and never shortens
 *   it. A rejection puts the end back to where it was before the receipt, with at least twelve hours left, once.
 * - One person has at most two live holds without a receipt. Who let three lapse within 30 days holds none until 30
 *   days after the last; offers that nobody took don't count, nor do holds that ended while we reviewed their receipt.
 * - While lots are held, goal, lots and terms stay as they are, and the round isn't decided. Closing a project ends no
 *   hold.
 * - Lots that come free are offered to whoever joined the waiting list first, once, for `offerhours`, of which the
 *   night in Lagos doesn't count. An offer is a hold without a reference until it is taken. An empty list opens them to
 *   all.
 */

export type Place = { project: Project; round: Round };

/** Ends the holds of the round whose time is over, then offers what came free. Returns the round as it is then. */
export async function endLapsedHolds(tx: Tx, deps: NotifyDeps, { project, round }: Place): Promise<Round> {
  const now = deps.clock.now();
  const lapsed = await tx
    .update(holds)
    .set({ state: "lapsed", until: null, endedAt: holds.until })
    .where(and(isOfRound(round), eq(holds.state, "live"), lte(holds.until, now)))
    .returning();
  let current = round;
  for (const hold of lapsed) {
    current = await countHeldLots(tx, current, -hold.lots);
    await notifyEnd(tx, deps, { project, hold, reason: null });
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
    ...yourTurnNotice({ site: deps.site.current(), projectId, projectTitle: project.title, lots, until }),
    userIds: [userId],
    kind: "payment_status",
    projectId,
    eventKey: `hold:${made?.id}:offered`,
  });
  return countHeldLots(tx, round, lots);
}

/**
 * Holds lots for the caller under the reference of their purchase, or takes what is offered to them; who holds lots no
 * longer waits. Where holding is switched off, only an offer that stands is taken, until its end. Throws "conflict" if too
 * few lots are free, they hold some already, or {@link requireMayHold} refuses.
 */
export async function placeHold(
  tx: Tx,
  ctx: ActorContext,
  { project, round, lots, reference, isPaid = false }: Place & { lots: number; reference: string; isPaid?: boolean },
): Promise<void> {
  const hours = await findHoldHours(tx);
  const settled = await endLapsedHolds(tx, ctx, { project, round });
  const own = await findOwnHold(tx, settled, ctx.actor.id);
  if (hours === 0 && !own) return;
  if (isPaid && own?.reference === reference && own.lots === lots) return;
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
  // Of money that is here already they are told otherwise.
  if (isPaid) return;
  await notify(tx, ctx, {
    ...heldNotice({ site: ctx.site.current(), projectId: project.id, projectTitle: project.title, lots, until }),
    userIds: [ctx.actor.id],
    kind: "payment_status",
    projectId: project.id,
    // Each placing is told of, also of a hold that comes under the reference of another purchase.
    eventKey: `hold:${held?.id}:held:${randomUUID()}`,
  });
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
  if (how.state === "ended") await notifyEnd(tx, deps, { project, hold, ...how });
  return offerFreeLots(tx, deps, { project, round: current });
}

async function notifyEnd(
  tx: Tx,
  deps: NotifyDeps,
  { project, hold, ...why }: { project: Project; hold: Hold; reason: string | null; isBlocked?: boolean },
): Promise<void> {
  const { id, userId, lots, projectId, hasReceipt } = hold;
  const held = { site: deps.site.current(), projectId, projectTitle: project.title, lots };
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
      ...projectRemovedNotice({ site: ctx.site.current(), projectTitle: title, heldLots: lots }),
      userIds: [userId],
      kind: "payment_status",
      projectId: null,
      eventKey: `project:${projectId}:removed`,
    });
  }
}

export async function lockWithHoldsEnded(tx: Tx, ctx: ActorContext, projectId: number, number?: number) {
  const project = await lockProject(tx, projectId);
  const round = await lockRound(tx, { projectId, round: number ?? project.round });
  return { project, round: await endLapsedHolds(tx, ctx, { project, round }) };
}
