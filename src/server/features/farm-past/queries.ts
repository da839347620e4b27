import { and, asc, desc, eq, inArray } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { findConfirmRefusal } from "#server/accounts/owners/who-may-confirm.ts";
import { listActiveOwners } from "#server/accounts/users.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { farmPast, farmPastFiles } from "#server/db/schema/farm-past.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { users } from "#server/db/schema/users.ts";
import { listFarmPeople } from "#server/features/farms/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { personName } from "#server/platform/names.ts";
import type { FarmContext } from "#server/platform/procedures.ts";
import { farmPastTexts as texts } from "#shared/farm-past/texts.ts";
import { farmPeopleTexts } from "#shared/farms/people-texts.ts";

/** A farm's years before this site, as told by the farm: for the public, its keepers and the office. */

type ByFarm = { farmId: number };
type Past = typeof farmPast.$inferSelect;

const newestFirst = [desc(farmPast.toYear), desc(farmPast.fromYear), desc(farmPast.id)];
const { id, fromYear, toYear, farmed, outcome, unit, planned, harvested, paidBy, evidence } = farmPast;
const told = { id, fromYear, toYear, farmed, outcome, unit, planned, harvested, paidBy, evidence };

/** The entries of a farm's past that an owner has confirmed. */
export async function listConfirmedPast(db: DbOrTx, farmId: number) {
  return db
    .select(told)
    .from(farmPast)
    .where(and(eq(farmPast.farmId, farmId), eq(farmPast.state, "confirmed")))
    .orderBy(...newestFirst);
}

/** Lists a farm's past with its files, for its keepers. Throws "forbidden" for another farm. */
export async function listKeptPast({ db, farms }: FarmContext, { farmId }: ByFarm) {
  if (!farms.some((own) => own.farmId === farmId)) throw new AppError("forbidden", farmPeopleTexts.notOfFarm);
  const { state, reason, createdAt } = farmPast;
  const found = await db
    .select({ ...told, state, reason, createdAt })
    .from(farmPast)
    .where(eq(farmPast.farmId, farmId))
    .orderBy(...newestFirst);
  return withFiles(db, found);
}

const enterer = alias(users, "enterer");
const decider = alias(users, "decider");

/** Lists it for the office, with the people who entered and decided it, and the caller's `confirmRefusal` or null. */
export async function listPastOfFarm(ctx: ActorContext, { farmId }: ByFarm) {
  const { state, reason, createdAt, enteredBy, decidedAt } = farmPast;
  const names = { enteredByName: personName(enterer), decidedByName: personName(decider) };
  const found = await ctx.db
    .select({ ...told, farmId: farmPast.farmId, state, reason, createdAt, enteredBy, decidedAt, ...names })
    .from(farmPast)
    .innerJoin(enterer, eq(enterer.id, enteredBy))
    .leftJoin(decider, eq(decider.id, farmPast.decidedBy))
    .where(eq(farmPast.farmId, farmId))
    .orderBy(...newestFirst);
  const shown = [];
  for (const { enteredBy: by, ...past } of await withFiles(ctx.db, found)) {
    const isOwn = by === ctx.actor.id;
    shown.push({ ...past, isOwn, confirmRefusal: await findPastRefusal(ctx, { ...past, enteredBy: by }) });
  }
  return shown;
}

async function withFiles<Row extends { id: number }>(db: DbOrTx, found: Row[]) {
  const { pastId, fileId } = farmPastFiles;
  const files = await db
    .select({ id: farmPastFiles.id, pastId, contentType: storedFiles.contentType })
    .from(farmPastFiles)
    .innerJoin(storedFiles, eq(storedFiles.id, fileId))
    .where(
      inArray(
        pastId,
        found.map((row) => row.id),
      ),
    )
    .orderBy(asc(farmPastFiles.id));
  return found.map((row) => ({
    ...row,
    files: files
      .filter((file) => file.pastId === row.id)
      .map((file) => ({ id: file.id, isPhoto: file.contentType.startsWith("image/") })),
  }));
}

type Confirming = Pick<Past, "farmId" | "enteredBy">;

/**
 * Returns the reason why the caller can't confirm an entry of a farm's past, or null. Whoever entered it can only as the one
 * owner, and whoever works or worked for the farm only if every other owner did too or entered it.
 */
export async function findPastRefusal(
  { db, actor, clock }: Pick<ActorContext, "db" | "actor" | "clock">,
  { farmId, enteredBy }: Confirming,
): Promise<string | null> {
  if (enteredBy === actor.id) {
    return findConfirmRefusal(db, { madeBy: enteredBy, userId: actor.id, now: clock.now() });
  }
  const ofFarm = await listFarmPeople(db, farmId);
  if (!ofFarm.includes(actor.id)) return null;
  const owners = await listActiveOwners(db);
  return owners.some(({ id }) => id !== enteredBy && !ofFarm.includes(id)) ? texts.ofFarm : null;
}

/** A file of an entry, for the office and the farm's keepers. Otherwise undefined. */
export async function findPastFile(
  db: DbOrTx,
  { fileId, isOffice, keptFarmIds }: { fileId: number; isOffice: boolean; keptFarmIds: number[] },
) {
  const { storageKey, contentType, originalName } = storedFiles;
  const [found] = await db
    .select({ farmId: farmPast.farmId, key: storageKey, contentType, originalName })
    .from(farmPastFiles)
    .innerJoin(farmPast, eq(farmPast.id, farmPastFiles.pastId))
    .innerJoin(storedFiles, eq(storedFiles.id, farmPastFiles.fileId))
    .where(eq(farmPastFiles.id, fileId));
  return found && (isOffice || keptFarmIds.includes(found.farmId)) ? found : undefined;
}
