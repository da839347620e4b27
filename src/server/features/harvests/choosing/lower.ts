import { and, eq, gte } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { harvestFiles, harvests } from "#server/db/schema/harvests.ts";
import { factsOf, type Harvest, isShort, lockHarvest, readTerms } from "#server/features/harvests/harvest-rows.ts";
import { tellLowered } from "#server/features/harvests/notices.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { lowerQuantityInput } from "#shared/harvests/inputs.ts";
import { harvestLimits as limits, harvestTexts as texts } from "#shared/harvests/texts.ts";
import { requireChoosing } from "./choose.ts";

/** Lowers the quantity while backers choose. Throws as {@link requireLower}, and "conflict" where two owners do it. */
export async function lowerQuantity(ctx: ActorContext, input: z.output<typeof lowerQuantityInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockHarvest(tx, input.harvestId);
    await requireLower(tx, ctx, harvest, input.quantity);
    if (isSteepFall(harvest, input.quantity)) throw new AppError("conflict", texts.lowerSteep);
    await lowerTo(tx, ctx, harvest, input);
  });
}

/** Less than half of what backers were told when it opened: as a loss, two owners say so. */
export const isSteepFall = ({ openedQuantity }: Pick<Harvest, "openedQuantity">, quantity: bigint): boolean =>
  quantity * 10_000n < (openedQuantity ?? 0n) * BigInt(limits.steepRate);

/**
 * Throws "invalid" unless it is less and not nothing, and "conflict" unless backers choose, or if it is less than 90 % of the plan,
 * or of what was opened, without a photo from since the opening.
 */
export async function requireLower(tx: Tx, ctx: ActorContext, harvest: Harvest, quantity: bigint): Promise<void> {
  requireChoosing(harvest, ctx.clock.now());
  if (harvest.quantity === null || quantity >= harvest.quantity || quantity === 0n) {
    throw new AppError("invalid", texts.onlyLess, { fields: { quantity: [texts.onlyLess] } });
  }
  const { openedQuantity, openedAt, createdAt, id } = harvest;
  const isMuchLess = quantity * 10_000n < (openedQuantity ?? 0n) * BigInt(limits.shortRate);
  if (!isMuchLess && !isShort(quantity, await readTerms(tx, harvest))) return;
  const isOfHarvest = and(eq(harvestFiles.harvestId, id), eq(harvestFiles.purpose, "harvest"));
  const since = gte(harvestFiles.createdAt, openedAt ?? createdAt);
  if ((await tx.$count(harvestFiles, and(isOfHarvest, since))) === 0) throw new AppError("conflict", texts.lowerPhoto);
}

/** Lowers the quantity: what backers chose is cut in proportion, and they are told why. */
export async function lowerTo(
  tx: Tx,
  ctx: ActorContext,
  harvest: Harvest,
  { quantity, reason, requestId }: { quantity: bigint; reason: string; requestId?: number },
): Promise<void> {
  const changed = { quantity, note: reason, updatedAt: ctx.clock.now() };
  await tx.update(harvests).set(changed).where(eq(harvests.id, harvest.id));
  const before = String(harvest.quantity);
  await recordAudit(tx, ctx, "lower_harvest", {
    ...factsOf(harvest),
    before,
    quantity: String(quantity),
    reason,
    ...(requestId !== undefined && { requestId }),
  });
  const terms = await readTerms(tx, harvest);
  await tellLowered(tx, ctx, { harvest: { ...harvest, quantity }, terms, reason });
}
