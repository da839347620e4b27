import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { type releaseAsks, releaseProofs } from "#server/db/schema/release-parts.ts";
import { backersOfRound } from "#server/features/projects/queries.ts";
import { keepDocument } from "#server/files/documents.ts";
import { areReferenced } from "#server/files/orphans.ts";
import { photoPathOfKey } from "#server/files/photo-files.ts";
import { writePhotoFindings } from "#server/files/photo-findings.ts";
import { readPhotoSize, storePhoto } from "#server/files/photos.ts";
import { requireShowable } from "#server/files/showable.ts";
import type { ReceivedFile } from "#server/files/uploads.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";

/**
 * The photos and documents that a part of a round's money is asked for with. A photo is public, a document for its
 * backers.
 */

/** Stores an uploaded proof, which an ask names within the hour. Throws "invalid" if it can't be read. */
export async function storeProof(ctx: ActorContext, upload: ReceivedFile): Promise<{ fileId: string }> {
  if (upload.contentType.startsWith("image/")) {
    const { fileId } = await storePhoto(ctx, upload);
    return { fileId };
  }
  await requireShowable(ctx, upload);
  return { fileId: await keepDocument(ctx, upload) };
}

type Photo = { url: string; width: number; height: number };
type Uploads = ReadonlyMap<string, Photo | null>;

/** The caller's uploads among these files: a photo with its address and size, null for a document. */
export async function readUploads(ctx: ActorContext, fileIds: string[]): Promise<Uploads> {
  const found = new Map<string, Photo | null>();
  if (fileIds.length === 0) return found;
  const { id, kind, storageKey } = storedFiles;
  for (const file of await ctx.db.select({ id, kind, storageKey }).from(storedFiles).where(isOwn(ctx, fileIds))) {
    const url = file.kind === "photo" ? photoPathOfKey(file.storageKey) : null;
    found.set(file.id, url ? { url, ...(await readPhotoSize(ctx, file.storageKey)) } : null);
  }
  return found;
}

const isOwn = ({ actor }: ActorContext, fileIds: string[]) =>
  and(
    inArray(storedFiles.id, fileIds),
    inArray(storedFiles.kind, ["photo", "evidence"]),
    eq(storedFiles.uploadedBy, actor.id),
  );

type Ask = typeof releaseAsks.$inferSelect;
type Proofs = { ask: Ask; fileIds: string[]; files: Uploads };

/**
 * Part of a transaction: keeps the files of an ask, in their order, and compares them with all others but those of
 * earlier asks for the same part. Throws "invalid" if one isn't the caller's own upload, is swept, or is kept
 * elsewhere.
 */
export async function keepProofs(tx: Tx, ctx: ActorContext, { ask, fileIds, files }: Proofs): Promise<void> {
  if (fileIds.length === 0) return;
  const now = ctx.clock.now();
  // The lock keeps the sweep away until the rows below name the files, and another ask from taking them at once.
  const locked = await tx
    .select({ id: storedFiles.id, cameAt: storedFiles.createdAt })
    .from(storedFiles)
    .where(isOwn(ctx, fileIds))
    .orderBy(asc(storedFiles.id))
    .for("no key update");
  const cameAt = new Map(locked.map((file) => [file.id, file.cameAt]));
  const isAnyMissing = fileIds.some((fileId) => !files.has(fileId) || !cameAt.has(fileId));
  if (isAnyMissing || new Set(fileIds).size < fileIds.length || (await areReferenced(tx, fileIds))) {
    throw new AppError("invalid", texts.proofUpload, { fields: { fileIds: [texts.proofUpload] } });
  }
  const proofs = fileIds.map((fileId, index) => ({
    askId: ask.id,
    position: index + 1,
    fileId,
    ...files.get(fileId),
    createdAt: now,
  }));
  await tx.insert(releaseProofs).values(proofs);
  const sent = fileIds.map((fileId) => ({ fileId, cameAt: cameAt.get(fileId) ?? now }));
  await writePhotoFindings(tx, { sent, ownFileIds: await listFilesOfPart(tx, ask), now });
}

async function listFilesOfPart(tx: Tx, { projectId, round, part }: Ask): Promise<string[]> {
  const found = await rows<{ fileId: string }>(
    tx,
    sql`select p.file_id as "fileId" from release_proofs p join release_asks a on a.id = p.ask_id
      where a.project_id = ${projectId} and a.round = ${round} and a.part = ${part}`,
  );
  return found.map(({ fileId }) => fileId);
}

type Reader = { proofId: number; userId: string; isAdministrator: boolean; keptFarmIds: number[] };

/**
 * The document of a proof, if the person is an administrator who sees harvests, keeps the farm that ran the round, or
 * backs the round and the ask was checked. Otherwise undefined.
 */
export async function findReadableProof(db: DbOrTx, { proofId, userId, isAdministrator, keptFarmIds }: Reader) {
  const isOfKeptFarm =
    keptFarmIds.length === 0
      ? sql`false`
      : sql`exists (select from project_rounds r
          where r.project_id = a.project_id and r.round = a.round and r.farm_id in ${keptFarmIds})`;
  const [found] = await rows<{ key: string; contentType: string; originalName: string }>(
    db,
    sql`select s.storage_key as key, s.content_type as "contentType", s.original_name as "originalName"
      from release_proofs p join stored_files s on s.id = p.file_id join release_asks a on a.id = p.ask_id
      where p.id = ${proofId} and p.url is null and (${isAdministrator} or ${isOfKeptFarm} or (a.verdict = 'checked'
        and ${userId} in ${backersOfRound({ projectId: sql`a.project_id`, round: sql`a.round` })}))`,
  );
  return found;
}
