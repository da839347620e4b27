import { and, asc, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import { actAsSecondOwner, lockOwners } from "#server/accounts/owners/second-owner.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { farmPast, farmPastFiles } from "#server/db/schema/farm-past.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { listKeepers } from "#server/features/farms/queries.ts";
import { lockFarm } from "#server/features/farms/service.ts";
import { notify } from "#server/features/notifications/service.ts";
import { areReferenced, enqueueRemoval } from "#server/files/orphans.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { holdFarmRight } from "#server/platform/farm-rights.ts";
import type { FarmContext } from "#server/platform/procedures.ts";
import { dayInLagos } from "#shared/dates.ts";
import type { confirmPastInput, enterPastInput, pastIdInput, refusePastInput } from "#shared/farm-past/inputs.ts";
import { farmPastLimits as limits, pastYears, farmPastTexts as texts } from "#shared/farm-past/texts.ts";
import { farmPeopleTexts } from "#shared/farms/people-texts.ts";
import { pastDecidedNotice } from "./emails.ts";
import { findPastRefusal } from "./queries.ts";

/**
 * A farm's years before this site: one person enters them with evidence, and an owner confirms
 * them. Only a site's only owner may confirm their own.
 */

type Past = typeof farmPast.$inferSelect;
type ByPast = z.output<typeof pastIdInput>;
type Entering = z.output<typeof enterPastInput>;

/** The same by a keeper of the farm. Throws "forbidden" for another farm. */
export async function enterPastAsKeeper(ctx: FarmContext, input: Entering): Promise<void> {
  const { farmId } = input;
  if (!ctx.farms.some((own) => own.farmId === farmId)) throw new AppError("forbidden", farmPeopleTexts.notOfFarm);
  await enterPast(ctx, input, (tx) => holdFarmRight(tx, { farmId, userId: ctx.actor.id, right: "keep" }));
}

/**
 * Enters what a farm tells, with its evidence. Throws "not_found" without the farm; "conflict" if it has told enough;
 * "invalid" for a year to come, and for files that aren't the caller's own or that something else keeps. `requireRight`
 * is asked once the farm is locked.
 */
export async function enterPast(
  ctx: ActorContext,
  { fileIds, ...told }: Entering,
  requireRight?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const createdAt = ctx.clock.now();
  if (told.toYear > Number(dayInLagos(createdAt).slice(0, 4))) throw fieldRefusal("toYear", texts.yearAhead);
  await inTransaction(ctx.db, async (tx) => {
    const farm = await lockFarm(tx, told.farmId);
    await requireRight?.(tx);
    await requireRoom(tx, farm.id);
    await requireUploads(tx, ctx, fileIds);
    const [past] = await tx
      .insert(farmPast)
      .values({ ...told, enteredBy: ctx.actor.id, createdAt })
      .returning();
    if (!past) throw new Error("the entry was not written");
    await tx.insert(farmPastFiles).values(fileIds.map((fileId) => ({ pastId: past.id, fileId, createdAt })));
    await recordAudit(tx, ctx, "enter_past", { ...factsOf(past, farm), files: fileIds.length });
  });
}

/** Throws "conflict" if the farm has told enough. What was refused or taken down doesn't count. */
async function requireRoom(tx: Tx, farmId: number): Promise<void> {
  const stands = and(eq(farmPast.farmId, farmId), inArray(farmPast.state, ["waiting", "confirmed"]));
  if ((await tx.$count(farmPast, stands)) >= limits.entries) throw new AppError("conflict", texts.tooMany);
}

/** Refuses what isn't the caller's own evidence, or is kept. The lock keeps the sweep away until a row names the files. */
async function requireUploads(tx: Tx, { actor }: ActorContext, fileIds: string[]): Promise<void> {
  const { id, kind, uploadedBy } = storedFiles;
  const own = await tx
    .select({ id })
    .from(storedFiles)
    .where(and(inArray(id, fileIds), eq(kind, "evidence"), eq(uploadedBy, actor.id)))
    .orderBy(asc(id))
    .for("no key update");
  if (own.length < fileIds.length || (await areReferenced(tx, fileIds)))
    throw fieldRefusal("fileIds", texts.uploadAgain);
}

/**
 * Withdraws an entry that nobody has decided yet, with its files, for a keeper of its farm. Throws "not_found";
 * "forbidden" for another farm's; "conflict" if it was decided.
 */
export async function withdrawPastAsKeeper(ctx: FarmContext, { pastId }: ByPast): Promise<void> {
  await withdraw(ctx, pastId, async (tx, { farmId }) => {
    if (!ctx.farms.some((own) => own.farmId === farmId)) throw new AppError("forbidden", farmPeopleTexts.notOfFarm);
    await holdFarmRight(tx, { farmId, userId: ctx.actor.id, right: "keep" });
  });
}

/** The same for who entered it in office. Throws "forbidden" for what another entered. */
export async function withdrawPast(ctx: ActorContext, { pastId }: ByPast): Promise<void> {
  await withdraw(ctx, pastId, async (_tx, { enteredBy }) => {
    if (enteredBy !== ctx.actor.id) throw new AppError("forbidden", texts.notOwn);
  });
}

async function withdraw(ctx: ActorContext, pastId: number, requireRight: (tx: Tx, past: Past) => Promise<void>) {
  await inTransaction(ctx.db, async (tx) => {
    const locked = await lockPast(tx, pastId);
    await requireRight(tx, locked.past);
    if (locked.past.state !== "waiting") throw new AppError("conflict", texts.decidedAlready);
    const files = await tx.delete(farmPastFiles).where(eq(farmPastFiles.pastId, pastId)).returning();
    await tx.delete(farmPast).where(eq(farmPast.id, pastId));
    await enqueueRemoval(
      tx,
      ctx,
      files.map(({ fileId }) => fileId),
    );
    await recordAudit(tx, ctx, "withdraw_past", factsOf(locked.past, locked.farm));
  });
}

/**
 * Makes an entry public, also one that was refused or taken down by mistake. Throws "not_found"; "conflict" if it is
 * public; "forbidden" as {@link findPastRefusal} and the second owner's rules have it. The only owner confirms their
 * own with a reason.
 */
export async function confirmPast(
  ctx: ActorContext,
  { pastId, reason, ...proof }: z.output<typeof confirmPastInput>,
): Promise<void> {
  const [entered] = await ctx.db.select().from(farmPast).where(eq(farmPast.id, pastId));
  if (!entered) throw new AppError("not_found", texts.gone);
  let locked: LockedPast | undefined;
  await actAsSecondOwner(ctx, {
    madeBy: entered.enteredBy,
    proof,
    lockSubject: async (tx) => {
      locked = await lockPast(tx, pastId);
      const { past } = locked;
      if (past.state === "confirmed") throw new AppError("conflict", texts.decidedAlready);
      if (past.state !== "waiting") await requireRoom(tx, past.farmId);
      const refusal = await findPastRefusal({ ...ctx, db: tx }, past);
      if (refusal !== null) throw new AppError("forbidden", refusal);
    },
    act: async (tx, { isAlone }) => {
      if (isAlone && reason === undefined) throw fieldRefusal("reason", texts.needsReason);
      if (!locked) throw new Error("the entry was not locked");
      await decide(tx, ctx, locked, { state: "confirmed", reason: isAlone ? (reason ?? null) : null });
    },
  });
}

/**
 * Refuses an entry that waits, or takes down a public one; the farm reads why. Throws "not_found", or "conflict" if
 * neither.
 */
export async function refusePast(
  ctx: ActorContext,
  { pastId, reason }: z.output<typeof refusePastInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const locked = await lockPast(tx, pastId);
    await lockOwners(tx, ctx, "share");
    const state = { waiting: "refused", confirmed: "taken_down", refused: null, taken_down: null } as const;
    const next = state[locked.past.state];
    if (next === null) throw new AppError("conflict", texts.decidedAlready);
    await decide(tx, ctx, locked, { state: next, reason });
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

type LockedPast = Awaited<ReturnType<typeof lockPast>>;
type Decision = { state: "confirmed" | "refused" | "taken_down"; reason: string | null };
const auditActions = { confirmed: "confirm_past", refused: "refuse_past", taken_down: "take_past_down" } as const;

/** Writes a decision, and tells the farm's keepers but whoever made it. */
async function decide(
  tx: Tx,
  ctx: ActorContext,
  { past, farm }: LockedPast,
  { state, reason }: Decision,
): Promise<void> {
  await tx
    .update(farmPast)
    .set({ state, reason, decidedBy: ctx.actor.id, decidedAt: ctx.clock.now() })
    .where(eq(farmPast.id, past.id));
  const auditId = await recordAudit(tx, ctx, auditActions[state], {
    ...factsOf(past, farm),
    before: past.state,
    ...(reason !== null && { reason }),
  });
  const keepers = (await listKeepers(tx, farm.id)).map(({ id }) => id).filter((id) => id !== ctx.actor.id);
  await notify(tx, ctx, {
    ...pastDecidedNotice({ ...past, site: ctx.site.current(), farmName: farm.name, state, reason }),
    projectId: null,
    eventKey: `farm_past:${past.id}:${auditId}`,
    kind: "farm_past",
    userIds: keepers,
  });
}

const factsOf = ({ id, farmed, ...years }: Past, farm: { id: number; name: string }) => ({
  pastId: id,
  farmId: farm.id,
  farm: farm.name,
  farmed,
  years: pastYears(years),
});
