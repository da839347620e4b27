import { and, eq, isNull } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { farmPeople, farms } from "#server/db/schema/farms.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { users } from "#server/db/schema/users.ts";
import { farmPeopleTexts } from "#shared/farms/people-texts.ts";
import { type FarmRight, type FarmRole, farmRightsOf } from "#shared/farms/texts.ts";
import type { ActorContext } from "./context.ts";
import { AppError } from "./errors.ts";

/**
 * The rights of a farm's people. They are read from `farm_people` at each request and kept nowhere, so that they end
 * with `ended_at`. A closed farm gives no rights, and a blocked person has none. Being an administrator gives none.
 */

/** A farm that a person works for. */
export type OwnFarm = { farmId: number; role: FarmRole };

type Caller = { db: DbOrTx; actor: Pick<ActorContext["actor"], "id"> };

/** The farms of the caller on which they hold the right. */
export async function listFarmsWithRight({ db, actor }: Caller, right: FarmRight): Promise<OwnFarm[]> {
  const found = await db
    .select({ farmId: farmPeople.farmId, role: farmPeople.role })
    .from(farmPeople)
    .innerJoin(farms, eq(farms.id, farmPeople.farmId))
    .innerJoin(users, eq(users.id, farmPeople.userId))
    .where(
      and(
        eq(farmPeople.userId, actor.id),
        isNull(farmPeople.endedAt),
        isNull(farms.closedAt),
        eq(users.isBlocked, false),
        isNull(users.closedAt),
      ),
    )
    .orderBy(farmPeople.farmId);
  return found.filter(({ role }) => farmRightsOf[role].includes(right));
}

/**
 * Gives the farm that runs a project, if the caller holds the right on it; otherwise throws "forbidden", for a project that
 * doesn't exist too. With `round` it is the farm that ran that round, which outlives a deleted project. Within a
 * transaction the caller gives it as `db`.
 */
export async function requireFarmRight(
  caller: Caller,
  projectId: number,
  right: FarmRight,
  round?: number,
): Promise<OwnFarm> {
  const found = await findFarmWithRight(caller, projectId, right, round);
  if (!found) throw new AppError("forbidden", farmPeopleTexts.otherFarm);
  return found;
}

/** The same without refusing: undefined if the caller doesn't hold the right. */
export async function findFarmWithRight(
  { db, actor }: Caller,
  projectId: number,
  right: FarmRight,
  round?: number,
): Promise<OwnFarm | undefined> {
  const farmId = round === undefined ? await findFarm(db, projectId) : await findFarmOfRound(db, projectId, round);
  const own = await listFarmsWithRight({ db, actor }, right);
  return own.find((farm) => farm.farmId === farmId);
}

type Held = { farmId: number; userId: string; right: FarmRight };

/**
 * Part of a transaction that has its locks: a person's right on a farm is asked for again, because their work may have ended
 * while it waited, and can't end before the commit. Throws "forbidden".
 */
export async function holdFarmRight(tx: Tx, { farmId, userId, right }: Held): Promise<void> {
  const isOwn = and(eq(farmPeople.farmId, farmId), eq(farmPeople.userId, userId), isNull(farmPeople.endedAt));
  const [own] = await tx.select({ role: farmPeople.role }).from(farmPeople).where(isOwn).for("share");
  if (!own || !farmRightsOf[own.role].includes(right)) throw new AppError("forbidden", farmPeopleTexts.otherFarm);
}

/** The same where a keeper's right lets the caller act; an administrator needs none. */
export async function lockKeepersRight(tx: Tx, { actor, keeperOf }: ActorContext): Promise<void> {
  if (keeperOf) await holdFarmRight(tx, { farmId: keeperOf.farmId, userId: actor.id, right: "keep" });
}

async function findFarm(db: DbOrTx, projectId: number): Promise<number | null> {
  const [project] = await db.select({ farmId: projects.farmId }).from(projects).where(eq(projects.id, projectId));
  return project?.farmId ?? null;
}

async function findFarmOfRound(db: DbOrTx, projectId: number, round: number): Promise<number | null> {
  const [found] = await db
    .select({ farmId: projectRounds.farmId })
    .from(projectRounds)
    .where(and(eq(projectRounds.projectId, projectId), eq(projectRounds.round, round)));
  return found?.farmId ?? null;
}
