import { asc, eq } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { projects } from "#server/db/schema/projects.ts";
import { listSettledRounds } from "#server/features/projects/rounds/queries.ts";
import { changesBetween, recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { dayInLagos } from "#shared/dates.ts";
import type { farmForm, updateFarmInput } from "#shared/farms/inputs.ts";
import { farmTexts as texts } from "#shared/farms/texts.ts";
import { listRoundsToEnd } from "./queries.ts";

type Farm = typeof farms.$inferSelect;
type ById = { farmId: number };

/** Writes a farm. Throws "invalid" as {@link refuseFuture} does. */
export async function createFarm(ctx: ActorContext, form: z.output<typeof farmForm>): Promise<{ id: number }> {
  refuseFuture(ctx, form);
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (tx) => {
    const [farm] = await tx
      .insert(farms)
      .values({ ...form, createdAt: now, updatedAt: now })
      .returning({ id: farms.id });
    if (!farm) throw new Error("the farm was not written");
    const { after } = changesBetween({}, form);
    await recordAudit(tx, ctx, "create_farm", { farmId: farm.id, farm: form.name, after });
    return farm;
  });
}

/**
 * Saves a farm's page. The creator of its projects follows its name. Throws "not_found"; "conflict" if the farm has changed
 * since the form was filled; "invalid" as {@link refuseFuture} does.
 */
export async function updateFarm(
  ctx: ActorContext,
  { farmId, seenUpdatedAt, ...form }: z.output<typeof updateFarmInput>,
): Promise<void> {
  refuseFuture(ctx, form);
  await inTransaction(ctx.db, async (tx) => {
    // A new name is written into its projects, which are locked before their farm everywhere.
    await tx
      .select({ id: projects.id })
      .from(projects)
      .where(eq(projects.farmId, farmId))
      .orderBy(asc(projects.id))
      .for("no key update");
    const farm = await lockFarm(tx, farmId);
    if (farm.updatedAt.getTime() !== seenUpdatedAt.getTime()) throw new AppError("conflict", texts.changed);
    await change(tx, ctx, farm, form);
    await recordAudit(tx, ctx, "edit_farm", { farmId, farm: form.name, ...changesBetween(farm, form) });
  });
}

/** Throws "invalid" for a year or a visit that is still to come. */
function refuseFuture(
  { clock }: Pick<ActorContext, "clock">,
  { sinceYear, visitedOn }: Pick<z.output<typeof farmForm>, "sinceYear" | "visitedOn">,
): void {
  const today = dayInLagos(clock.now());
  if (sinceYear !== null && sinceYear > Number(today.slice(0, 4))) throw fieldRefusal("sinceYear", texts.sinceAhead);
  if (visitedOn !== null && visitedOn > today) throw fieldRefusal("visitedOn", texts.visitedOnAhead);
}

/**
 * Closes a farm: nothing is sold for it any more, and the rights of its people rest. Throws "not_found"; "conflict" if it is
 * closed already, runs an open project, or ran a round that isn't over.
 */
export async function closeFarm(ctx: ActorContext, { farmId }: ById): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const farm = await lockFarm(tx, farmId);
    if (farm.closedAt !== null) throw new AppError("conflict", texts.alreadyClosed);
    const running = await tx.select({ isClosed: projects.isClosed }).from(projects).where(eq(projects.farmId, farmId));
    if (running.some(({ isClosed }) => !isClosed)) throw new AppError("conflict", texts.hasOpenProject);
    for (const { projectId, round } of await listRoundsToEnd(tx, farmId)) {
      const settled = await listSettledRounds(tx, projectId);
      if (!settled.has(round)) throw new AppError("conflict", texts.hasOpenRound);
    }
    await change(tx, ctx, farm, { closedAt: ctx.clock.now() });
    await recordAudit(tx, ctx, "close_farm", { farmId, farm: farm.name });
  });
}

/** Throws "not_found", or "conflict" if the farm is open. */
export async function reopenFarm(ctx: ActorContext, { farmId }: ById): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const farm = await lockFarm(tx, farmId);
    if (farm.closedAt === null) throw new AppError("conflict", texts.alreadyOpen);
    await change(tx, ctx, farm, { closedAt: null });
    await recordAudit(tx, ctx, "reopen_farm", { farmId, farm: farm.name });
  });
}

/** Part of a transaction: the farm, locked. Throws "not_found". */
export async function lockFarm(tx: Tx, farmId: number): Promise<Farm> {
  const [farm] = await tx.select().from(farms).where(eq(farms.id, farmId)).for("no key update");
  if (!farm) throw new AppError("not_found", texts.notFound);
  return farm;
}

/** Every change advances `updated_at`, so that a form filled before it can't overwrite it. */
async function change(tx: Tx, { clock }: ActorContext, farm: Farm, changes: Partial<Farm>): Promise<void> {
  const updatedAt = new Date(Math.max(clock.now().getTime(), farm.updatedAt.getTime() + 1));
  await tx
    .update(farms)
    .set({ ...changes, updatedAt })
    .where(eq(farms.id, farm.id));
}
