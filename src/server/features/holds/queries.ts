import { and, asc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import type { RoundKey } from "#server/features/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { projectAdminTexts } from "#shared/projects-admin-texts.ts";

const isOfRound = ({ projectId, round }: RoundKey) => and(eq(holds.projectId, projectId), eq(holds.round, round));

/** Whether a hold stands now: its end is read, so that one that no job has ended yet holds nothing. */
const standsAt = (now: Date) => or(eq(holds.state, "claimed"), and(eq(holds.state, "live"), gt(holds.until, now)));

const isWaiting = and(isNull(waitingList.offeredAt), isNull(waitingList.leftAt));

/** How a round is held: by the caller, by others, and who waits. */
export async function findHoldState(db: DbOrTx, key: RoundKey, userId: string, now: Date) {
  const standing = await db
    .select({ id: holds.id, userId: holds.userId, lots: holds.lots, until: holds.until, reference: holds.reference })
    .from(holds)
    .where(and(isOfRound(key), standsAt(now)))
    .orderBy(asc(holds.until));
  const others = standing.filter((hold) => hold.userId !== userId);
  const own = standing.find((hold) => hold.userId === userId) ?? null;
  const [queue] = await db
    .select({
      place: sql<number | null>`min(case when ${waitingList.userId} = ${userId} then ${waitingList.id} end)`,
      waiting: sql<number>`count(*)::int`,
    })
    .from(waitingList)
    .where(and(eq(waitingList.projectId, key.projectId), eq(waitingList.round, key.round), isWaiting));
  const ahead = queue?.place
    ? await db.$count(
        waitingList,
        and(
          eq(waitingList.projectId, key.projectId),
          eq(waitingList.round, key.round),
          isWaiting,
          lt(waitingList.id, queue.place),
        ),
      )
    : 0;
  return {
    /** An offer has no reference yet. */
    own: own && { lots: own.lots, until: own.until, isOffer: own.reference === null },
    heldByOthers: others.reduce((sum, { lots }) => sum + lots, 0),
    /** When the first of the others' holds ends, if it has an end. */
    nextFreeAt: others.find(({ until }) => until !== null)?.until ?? null,
    /** The caller's place on the waiting list, from 1; null if they don't wait. */
    place: queue?.place ? ahead + 1 : null,
    waiting: queue?.waiting ?? 0,
  };
}

/** Whether a hold of the round stands now. */
export async function hasLiveHolds(db: DbOrTx, key: RoundKey, now: Date): Promise<boolean> {
  const found = await db
    .select({ id: holds.id })
    .from(holds)
    .where(and(isOfRound(key), standsAt(now)))
    .limit(1);
  return found.length > 0;
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
