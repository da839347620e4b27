import { and, eq, type SQL } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { harvestFiles } from "#server/db/schema/harvests.ts";
import { lockSale } from "#server/features/harvests/selling/sales.ts";
import { areReferenced } from "#server/files/orphans.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { lockKeepersRight } from "#server/platform/farm-rights.ts";
import type { addHarvestFileInput } from "#shared/harvests/inputs.ts";
import { type HarvestFilePurpose, harvestLimits as limits, harvestTexts as texts } from "#shared/harvests/texts.ts";
import { factsOf, type Harvest, lockHarvest } from "./harvest-rows.ts";

/** Photos and documents of harvests, and of their costs and sales. */

/** The number of photos and documents of the harvest itself; `when` may narrow it to those of a time. */
export async function countEvidence(tx: Tx, harvestId: number, when?: SQL): Promise<number> {
  return tx.$count(harvestFiles, and(eq(harvestFiles.harvestId, harvestId), eq(harvestFiles.purpose, "harvest"), when));
}

type Attached = { harvestId: number; fileId: string; purpose: HarvestFilePurpose; costId?: number; saleId?: number };

/** Keeps an uploaded file with a harvest. Throws "invalid" if it isn't the actor's own evidence, or kept elsewhere. */
export async function attachFile(tx: Tx, ctx: ActorContext, attached: Attached): Promise<void> {
  const { harvestId, fileId } = attached;
  const isOwn = and(eq(storedFiles.id, fileId), eq(storedFiles.uploadedBy, ctx.actor.id));
  const [file] = await tx.select({ kind: storedFiles.kind }).from(storedFiles).where(isOwn).for("update");
  const kept = await tx.$count(harvestFiles, eq(harvestFiles.harvestId, harvestId));
  if (file?.kind !== "evidence" || (await areReferenced(tx, [fileId])) || kept >= limits.files) {
    throw new AppError("invalid", texts.evidenceFirst, { fields: { fileId: [texts.evidenceFirst] } });
  }
  await tx
    .insert(harvestFiles)
    .values({ ...attached, idempotencyKey: fileId, addedBy: ctx.actor.id, createdAt: ctx.clock.now() });
}

/** Adds a photo or a document of the harvest itself, of its loss, or of a sale. `lock` may refuse harvests by their state. */
export async function addHarvestFile(
  ctx: ActorContext,
  input: z.output<typeof addHarvestFileInput>,
  lock: (tx: Tx, harvestId: number) => Promise<Harvest> = lockHarvest,
): Promise<void> {
  const { harvestId, saleId, fileId } = input;
  await inTransaction(ctx.db, async (tx) => {
    const { harvest } = saleId === undefined ? { harvest: await lock(tx, harvestId) } : await lockSale(tx, saleId);
    await lockKeepersRight(tx, ctx);
    if (harvest.id !== harvestId) throw new AppError("not_found", texts.saleGone);
    const purpose = saleId === undefined ? "harvest" : "sale";
    await attachFile(tx, ctx, { harvestId, fileId, purpose, ...(saleId !== undefined && { saleId }) });
    await recordAudit(tx, ctx, "add_harvest_file", {
      ...factsOf(harvest),
      fileId,
      ...(saleId !== undefined && { saleId }),
    });
  });
}

/** True if a file was kept as evidence of the sale. */
export async function hasSaleEvidence(db: DbOrTx, saleId: number): Promise<boolean> {
  return (await db.$count(harvestFiles, eq(harvestFiles.saleId, saleId))) > 0;
}
