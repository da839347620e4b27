import { and, asc, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import { actAsSecondOwner, lockOwners } from "#server/accounts/second-owner.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { farmPast, farmPastFiles } from "#server/db/schema/farm-past.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { lockFarm } from "#server/features/farms/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { holdFarmRight } from "#server/platform/farm-rights.ts";
import type { FarmContext } from "#server/platform/procedures.ts";
import { dayInLagos } from "#shared/dates.ts";
import type { confirmPastInput, enterPastInput, refusePastInput } from "#shared/farm-past/inputs.ts";
import { farmPastLimits as limits, pastYears, farmPastTexts as texts } from "#shared/farm-past/texts.ts";
import { farmPeopleTexts } from "#shared/farms/people-texts.ts";
import { findPastRefusal } from "./queries.ts";

/** What a farm tells of the years before this site: one enters it with evidence, and an owner who didn't confirms it. */

type Past = typeof farmPast.$inferSelect;
type Entering = z.output<typeof enterPastInput>;

/** The same by a keeper of the farm. Throws "forbidden" for another farm. */
export async function enterPastAsKeeper(ctx: FarmContext, input: Entering): Promise<void> {
  const { farmId } = input;
  if (!ctx.farms.some((own) => own.farmId === farmId)) throw new AppError("forbidden", farmPeopleTexts.notOfFarm);
  await enterPast(ctx, input, (tx) => holdFarmRight(tx, { farmId, userId: ctx.actor.id, right: "keep" }));
}

/**
 * Enters what a farm tells, with its evidence. Throws "not_found" without the farm; "conflict" if it has told enough; "invalid"
 * for a year to come, and for files that aren't the caller's own or that something else keeps. `requireRight` is asked once the
 * farm is locked.
 */
export async function enterPast(
  ctx: ActorContext,
  { fileIds, ...told }: Entering,
  requireRight?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const createdAt = ctx.clock.now();
  if (told.toYear > Number(dayInLagos(createdAt).slice(0, 4))) throw fieldRefusal("toYear", texts.yearAhead);
  try {
    await inTransaction(ctx.db, async (tx) => {
      const farm = await lockFarm(tx, told.farmId);
      await requireRight?.(tx);
      await requireRoom(tx, farm.id);
      const [past] = await tx
        .insert(farmPast)
        .values({ ...told, enteredBy: ctx.actor.id, createdAt })
        .returning();
      if (!past) throw new Error("the entry was not written");
      await requireUploads(tx, ctx, fileIds);
      await tx.insert(farmPastFiles).values(fileIds.map((fileId) => ({ pastId: past.id, fileId, createdAt })));
      await recordAudit(tx, ctx, "enter_past", { ...factsOf(past, farm), files: fileIds.length });
    });
  } catch (error) {
    if (!isUniqueViolation(error, "farm_past_files_file_key")) throw error;
    throw fieldRefusal("fileIds", texts.uploadAgain);
  }
}

/** Throws "conflict" if the farm has told enough. What was refused or taken down doesn't count. */
async function requireRoom(tx: Tx, farmId: number): Promise<void> {
  const stands = and(eq(farmPast.farmId, farmId), inArray(farmPast.state, ["waiting", "confirmed"]));
  if ((await tx.$count(farmPast, stands)) >= limits.entries) throw new AppError("conflict", texts.tooMany);
}

/** Refuses what isn't the caller's own evidence. The lock keeps the sweep away until a row names the files. */
async function requireUploads(tx: Tx, { actor }: ActorContext, fileIds: string[]): Promise<void> {
  const { id, kind, uploadedBy } = storedFiles;
  const own = await tx
    .select({ id })
    .from(storedFiles)
    .where(and(inArray(id, fileIds), eq(kind, "evidence"), eq(uploadedBy, actor.id)))
    .orderBy(asc(id))
    .for("no key update");
  if (own.length < fileIds.length) throw fieldRefusal("fileIds", texts.uploadAgain);
}

/**
 * Makes an entry public, also one that was refused or taken down by mistake. Throws "not_found"; "conflict" if it is public;
 * "forbidden" as {@link findPastRefusal} and the second owner's rules have it. The only owner confirms their own with a reason.
 */
export async function confirmPast(
  ctx: ActorContext,
  { pastId, reason, ...proof }: z.output<typeof confirmPastInput>,
): Promise<void> {
  const [entered] = await ctx.db.select().from(farmPast).where(eq(farmPast.id, pastId));
  if (!entered) throw new AppError("not_found", texts.gone);
  await actAsSecondOwner(ctx, {
    madeBy: entered.enteredBy,
    proof,
    lockSubject: async (tx) => {
      const { past } = await lockPast(tx, pastId);
      if (past.state === "confirmed") throw new AppError("conflict", texts.decidedAlready);
      if (past.state !== "waiting") await requireRoom(tx, past.farmId);
      const refusal = await findPastRefusal({ ...ctx, db: tx }, past);
      if (refusal !== null) throw new AppError("forbidden", refusal);
    },
    act: async (tx, { isAlone }) => {
      if (isAlone && reason === undefined) throw fieldRefusal("reason", texts.needsReason);
      await decide(tx, ctx, { pastId, state: "confirmed", reason: isAlone ? (reason ?? null) : null });
    },
  });
}

/** Refuses an entry that waits, or takes down a public one; the farm reads why. Throws "not_found", or "conflict" if neither. */
export async function refusePast(
  ctx: ActorContext,
  { pastId, reason }: z.output<typeof refusePastInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { past } = await lockPast(tx, pastId);
    await lockOwners(tx, ctx, "share");
    const state = { waiting: "refused", confirmed: "taken_down", refused: null, taken_down: null } as const;
    const next = state[past.state];
    if (next === null) throw new AppError("conflict", texts.decidedAlready);
    await decide(tx, ctx, { pastId, state: next, reason });
  });
}

/** Locks an entry after its farm. Throws "not_found". */
async function lockPast(tx: Tx, pastId: number) {
  const [found] = await tx.select({ farmId: farmPast.farmId }).from(farmPast).where(eq(farmPast.id, pastId));
  if (!found) throw new AppError("not_found", texts.gone);
  const farm = await lockFarm(tx, found.farmId);
  const [past] = await tx.select().from(farmPast).where(eq(farmPast.id, pastId)).for("update");
  if (!past) throw new AppError("not_found", texts.gone);
  return { past, farm };
}

type Decision = { pastId: number; state: "confirmed" | "refused" | "taken_down"; reason: string | null };
const auditActions = { confirmed: "confirm_past", refused: "refuse_past", taken_down: "take_past_down" } as const;

async function decide(tx: Tx, ctx: ActorContext, { pastId, state, reason }: Decision): Promise<void> {
  const { past, farm } = await lockPast(tx, pastId);
  await tx
    .update(farmPast)
    .set({ state, reason, decidedBy: ctx.actor.id, decidedAt: ctx.clock.now() })
    .where(eq(farmPast.id, pastId));
  await recordAudit(tx, ctx, auditActions[state], {
    ...factsOf(past, farm),
    before: past.state,
    ...(reason !== null && { reason }),
  });
}

const factsOf = ({ id, farmed, ...years }: Past, farm: { id: number; name: string }) => ({
  pastId: id,
  farmId: farm.id,
  farm: farm.name,
  farmed,
  years: pastYears(years),
});
