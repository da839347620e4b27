import { asc, eq, inArray } from "drizzle-orm";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentEvidence } from "#server/db/schema/payments.ts";
import { signLink } from "#server/files/signed-links.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { SIGNED_LINK_SECONDS } from "#shared/files.ts";
import { paymentEvidenceTexts as texts } from "#shared/payments/evidence.ts";

/** Files by which two owners decide on payments, for whoever may view payments. */

export const evidencePath = (fileId: string) => `/files/payment-evidence/${fileId}`;

/** Links to files that a request names, valid in the caller's session only. */
export async function linkToEvidence(ctx: ActorContext, fileIds: readonly string[]) {
  if (fileIds.length === 0) return [];
  return link(
    ctx,
    await selectFiles(ctx)
      .where(inArray(storedFiles.id, [...fileIds]))
      .orderBy(...oldestFirst),
  );
}

/** Links to all files that were kept for a payment, valid in the caller's session only. */
export async function listEvidence(ctx: ActorContext, paymentId: number) {
  return link(
    ctx,
    await selectFiles(ctx)
      .where(eq(paymentEvidence.paymentId, paymentId))
      .orderBy(...oldestFirst),
  );
}

const oldestFirst = [asc(storedFiles.createdAt), asc(storedFiles.id)];

const selectFiles = ({ db }: ActorContext) =>
  db
    .select({
      id: storedFiles.id,
      key: storedFiles.storageKey,
      contentType: storedFiles.contentType,
      originalName: storedFiles.originalName,
    })
    .from(storedFiles)
    .innerJoin(paymentEvidence, eq(paymentEvidence.fileId, storedFiles.id));

function link(ctx: ActorContext, files: { id: string; originalName: string }[]) {
  const expiresAt = new Date(ctx.clock.now().getTime() + SIGNED_LINK_SECONDS * 1000);
  return files.map(({ id, originalName }) => ({
    name: originalName,
    url: signLink({ secret: ctx.appSecret, path: evidencePath(id), subject: ctx.actor.session.idHash, expiresAt }),
  }));
}

/** One stored file of evidence. Throws "not_found". */
export async function findEvidence(ctx: ActorContext, fileId: string) {
  const [file] = await selectFiles(ctx).where(eq(storedFiles.id, fileId));
  if (!file) throw new AppError("not_found", texts.fileGone);
  return file;
}
