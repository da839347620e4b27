import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { farmInvites, farmPeople, farms } from "#server/db/schema/farms.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import { personName } from "#server/platform/names.ts";
import { contains } from "#server/platform/search.ts";
import type { listFarmsInput } from "#shared/farms/inputs.ts";
import { farmLimits, farmTexts } from "#shared/farms/texts.ts";

/** Reads of farms for administrators. What a farm's own people read is in own-farms.ts. */

const sortName = sql<string>`lower(${farms.name})`;
const byName = [asc(sortName), asc(farms.id)];

/** A page of farms by name, with how many projects each runs, how many of them are open, and how many people it has. */
export async function listFarms({ db }: ActorContext, input: z.output<typeof listFarmsInput>) {
  const { search, showClosed, cursor } = input;
  const after = cursor ? decodeCursor(cursor, ["string", "int"]) : null;
  const { id, name, state, place, visitedOn, closedAt } = farms;
  const found = await db
    .select({
      id,
      name,
      state,
      place,
      visitedOn,
      closedAt,
      sortName,
      projects: sql<number>`(select count(*)::int from ${projects} p where p.farm_id = farms.id)`,
      openProjects: sql<number>`(select count(*)::int from ${projects} p where p.farm_id = farms.id and not p.is_closed)`,
      people: sql<number>`(select count(*)::int from ${farmPeople} w where w.farm_id = farms.id and w.ended_at is null)`,
    })
    .from(farms)
    .where(
      and(
        showClosed ? undefined : isNull(closedAt),
        search ? contains(name, search) : undefined,
        after ? sql`(${sortName}, farms.id) > (${after[0]}, ${after[1]})` : undefined,
      ),
    )
    .orderBy(...byName)
    .limit(farmLimits.pageSize + 1);
  const page = pageOf(found, farmLimits.pageSize, (last) => encodeCursor([last.sortName, last.id]));
  return { ...page, items: page.items.map(({ sortName: _, ...farm }) => farm) };
}

/** Open farms by a part of their name, for whoever chooses who runs a project. */
export async function searchFarms({ db }: ActorContext, { search }: { search: string }) {
  const { id, name, state, place } = farms;
  const found = await db
    .select({ id, name, state, place })
    .from(farms)
    .where(and(isNull(farms.closedAt), search ? contains(name, search) : undefined))
    .orderBy(...byName)
    .limit(farmLimits.picked + 1);
  return { farms: found.slice(0, farmLimits.picked), hasMore: found.length > farmLimits.picked };
}

/** A farm with its projects, its people, those who were, and its open invitations. Throws "not_found". */
export async function getFarm({ db, clock }: ActorContext, { farmId }: { farmId: number }) {
  const [farm] = await db.select().from(farms).where(eq(farms.id, farmId));
  if (!farm) throw new AppError("not_found", farmTexts.notFound);
  const now = clock.now();
  return {
    ...farm,
    projects: await listProjectsOf(db, farmId),
    people: await listPeopleOf(db, farmId),
    invites: (await listOpenInvites(db, farmId)).map((invite) => ({ ...invite, isExpired: invite.expiresAt <= now })),
  };
}

/** Newest first. */
async function listProjectsOf(db: DbOrTx, farmId: number) {
  const { id, title, isClosed, round } = projects;
  return db
    .select({ id, title, isClosed, round, outcome: projectRounds.outcome })
    .from(projects)
    .innerJoin(projectRounds, and(eq(projectRounds.projectId, id), eq(projectRounds.round, round)))
    .where(eq(projects.farmId, farmId))
    .orderBy(sql`${id} desc`)
    .limit(farmLimits.listed);
}

/** Lists a farm's present people first, then its former ones. */
async function listPeopleOf(db: DbOrTx, farmId: number) {
  const { id, role, createdAt, endedAt, userId } = farmPeople;
  return db
    .select({ id, userId, role, createdAt, endedAt, fullName: personName(users), email: users.email })
    .from(farmPeople)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(farmPeople.farmId, farmId))
    .orderBy(sql`${endedAt} is not null`, asc(createdAt), asc(id))
    .limit(farmLimits.listed);
}

/** Lists a farm's open invitations, newest first. Expired ones stay, so that they can be sent again. */
async function listOpenInvites(db: DbOrTx, farmId: number) {
  const { id, email, fullName, role, createdAt, expiresAt } = farmInvites;
  return db
    .select({ id, email, fullName, role, createdAt, expiresAt })
    .from(farmInvites)
    .where(and(eq(farmInvites.farmId, farmId), isNull(farmInvites.consumedAt), isNull(farmInvites.revokedAt)))
    .orderBy(sql`${id} desc`)
    .limit(farmLimits.listed);
}

/**
 * Part of a transaction that gives a project a farm: the farm, which can't be closed before the commit. Throws "invalid" at
 * the form's field if it is closed or doesn't exist.
 */
export async function lockFarmForProject(tx: Tx, farmId: number): Promise<{ id: number; name: string }> {
  const [farm] = await tx
    .select({ id: farms.id, name: farms.name, closedAt: farms.closedAt })
    .from(farms)
    .where(eq(farms.id, farmId))
    .for("share");
  if (!farm) throw fieldRefusal("farmId", farmTexts.notFound);
  if (farm.closedAt !== null) throw fieldRefusal("farmId", farmTexts.chooseOpen);
  return { id: farm.id, name: farm.name };
}

/** The rounds that a farm ran and that may not be over: sold and not decided, or funded. */
export async function listRoundsToEnd(db: DbOrTx, farmId: number): Promise<{ projectId: number; round: number }[]> {
  return rows(
    db,
    sql`select project_id as "projectId", round from project_rounds where farm_id = ${farmId}
      and (outcome = 'funded' or outcome is null and approved_lots > 0)`,
  );
}

/** Lists everybody who works or worked for a farm: none of them releases money to it, or confirms its past. */
export async function listFarmPeople(db: DbOrTx, farmId: number | null): Promise<string[]> {
  if (farmId === null) return [];
  const found = await db
    .selectDistinct({ id: farmPeople.userId })
    .from(farmPeople)
    .where(eq(farmPeople.farmId, farmId));
  return found.map(({ id }) => id);
}

/** Lists a farm's present keepers who can sign in, with their addresses; none for a closed farm. */
export async function listKeepers(db: DbOrTx, farmId: number) {
  const { id, email, fullName } = users;
  return db
    .select({ id, email, fullName })
    .from(farmPeople)
    .innerJoin(users, eq(users.id, farmPeople.userId))
    .innerJoin(farms, eq(farms.id, farmPeople.farmId))
    .where(
      and(
        eq(farms.id, farmId),
        eq(farmPeople.role, "keeper"),
        isNull(farmPeople.endedAt),
        isNull(farms.closedAt),
        eq(users.isBlocked, false),
        isNull(users.closedAt),
      ),
    );
}
