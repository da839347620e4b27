import { and, asc, eq, gt, inArray, isNull, ne, or, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import type { RoundKey } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { countVain } from "./limits.ts";

export type Hold = typeof holds.$inferSelect;

export const isOpen = inArray(holds.state, ["live", "claimed"]);

export const isOfRound = ({ projectId, round }: RoundKey) =>
  and(eq(holds.projectId, projectId), eq(holds.round, round));

/** The condition that a hold stands at a time. A hold past its end holds nothing, even before a job ends it. */
export const standsAt = (now: Date) =>
  or(eq(holds.state, "claimed"), and(eq(holds.state, "live"), gt(holds.until, now)));

/** Counts the lots of the round that are held now; with `exceptUserId` those of everybody else. */
export async function countLotsHeld(db: DbOrTx, key: RoundKey, now: Date, exceptUserId?: string): Promise<number> {
  const isOther = exceptUserId === undefined ? undefined : ne(holds.userId, exceptUserId);
  const [held] = await db
    .select({ lots: sql<number>`coalesce(sum(${holds.lots}), 0)::int` })
    .from(holds)
    .where(and(isOfRound(key), standsAt(now), isOther));
  return held?.lots ?? 0;
}

/** The caller's hold of the round that stands: live or claimed, an offer too. */
export async function findOwnHold(tx: Tx, round: RoundKey, userId: string): Promise<Hold | undefined> {
  const [own] = await tx
    .select()
    .from(holds)
    .where(and(isOfRound(round), eq(holds.userId, userId), isOpen));
  return own;
}

/** True while lots are held under the reference. */
export async function holdStands(tx: Tx, reference: string, now: Date): Promise<boolean> {
  const found = await tx
    .select({ id: holds.id })
    .from(holds)
    .where(and(eq(holds.reference, reference), standsAt(now)))
    .limit(1);
  return found.length > 0;
}

const isWaiting = and(isNull(waitingList.offeredAt), isNull(waitingList.leftAt));

/** Reads a round's holds: the caller's own, those of others, and the waiting list. */
export async function findHoldState(db: DbOrTx, key: RoundKey, userId: string, now: Date) {
  const standing = await db
    .select({ id: holds.id, userId: holds.userId, lots: holds.lots, until: holds.until, reference: holds.reference })
    .from(holds)
    .where(and(isOfRound(key), standsAt(now)))
    .orderBy(asc(holds.until));
  const others = standing.filter((hold) => hold.userId !== userId);
  const own = standing.find((hold) => hold.userId === userId) ?? null;
  const queue = await db
    .select({ userId: waitingList.userId })
    .from(waitingList)
    .where(and(eq(waitingList.projectId, key.projectId), eq(waitingList.round, key.round), isWaiting))
    .orderBy(asc(waitingList.id));
  const place = queue.findIndex((entry) => entry.userId === userId);
  return {
    /** An offer has no reference yet. */
    own: own && { lots: own.lots, until: own.until, isOffer: own.reference === null },
    /** How many holds of the caller came to nothing within 30 days: the third pauses holding. */
    vain: (await countVain(db, userId, now)).total,
    heldByOthers: others.reduce((sum, { lots }) => sum + lots, 0),
    /** When the first of the others' holds ends, if it has an end. */
    nextFreeAt: others.find(({ until }) => until !== null)?.until ?? null,
    /** The caller's place on the waiting list, from 1; null if they don't wait. */
    place: place < 0 ? null : place + 1,
    waiting: queue.length,
  };
}

/** The holds and the waiting list of a project's current round, for administrators. */
export async function listHolds(ctx: ActorContext, { projectId }: { projectId: number }) {
  const now = ctx.clock.now();
  const [project] = await ctx.db.select({ round: projects.round }).from(projects).where(eq(projects.id, projectId));
  if (!project) throw new AppError("not_found", projectAdminTexts.notFound);
  const key = { projectId, round: project.round };
  const standing = await ctx.db
    .select({
      id: holds.id,
      fullName: users.fullName,
      lots: holds.lots,
      until: holds.until,
      hasReceipt: holds.hasReceipt,
      isOffer: sql<boolean>`${holds.reference} is null`,
      createdAt: holds.createdAt,
    })
    .from(holds)
    .innerJoin(users, eq(users.id, holds.userId))
    .where(and(isOfRound(key), standsAt(now)))
    .orderBy(asc(holds.until), asc(holds.id))
    .limit(listLimit);
  const waiting = await ctx.db
    .select({ id: waitingList.id, fullName: users.fullName, lots: waitingList.lots, joinedAt: waitingList.joinedAt })
    .from(waitingList)
    .innerJoin(users, eq(users.id, waitingList.userId))
    .where(and(eq(waitingList.projectId, projectId), eq(waitingList.round, key.round), isWaiting))
    .orderBy(asc(waitingList.id))
    .limit(listLimit);
  return { holds: standing, waiting, canProcess: ctx.actor.permissions.includes("payments:process") };
}

/** A round has at most a thousand lots. */
const listLimit = 1000;
