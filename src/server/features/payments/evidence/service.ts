import { and, eq } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentEvidence } from "#server/db/schema/payments.ts";
import { areReferenced } from "#server/files/orphans.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { paymentEvidenceTexts as texts } from "#shared/payments/evidence.ts";

/**
 * Keeps uploaded files with a payment that they prove something about. Throws "invalid" if there is none, or one isn't
 * the asking owner's own upload and wasn't kept for this payment before.
 */
export async function keepEvidenceOf(
  tx: Tx,
  ctx: ActorContext,
  { paymentId, fileIds }: { paymentId: number; fileIds: readonly string[] },
): Promise<void> {
  if (fileIds.length === 0) throw fileFirst();
  for (const fileId of fileIds) {
    const [kept] = await tx.select().from(paymentEvidence).where(eq(paymentEvidence.fileId, fileId));
    if (kept?.paymentId === paymentId) continue;
    const isOwn = and(eq(storedFiles.id, fileId), eq(storedFiles.uploadedBy, ctx.actor.id));
    const [file] = await tx.select({ kind: storedFiles.kind }).from(storedFiles).where(isOwn).for("update");
    if (file?.kind !== "evidence" || (await areReferenced(tx, [fileId]))) throw fileFirst();
    await tx.insert(paymentEvidence).values({ fileId, paymentId, addedBy: ctx.actor.id, createdAt: ctx.clock.now() });
  }
}

const fileFirst = () => new AppError("invalid", texts.fileFirst, { fields: { fileId: [texts.fileFirst] } });
