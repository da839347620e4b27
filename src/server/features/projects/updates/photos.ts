import { and, asc, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import { isUniqueViolation } from "#server/db/errors.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { updatePhotos } from "#server/db/schema/update-photos.ts";
import { photoPathOfKey } from "#server/files/photo-files.ts";
import { readPhotoSize, storePhoto } from "#server/files/photos.ts";
import { discardUpload } from "#server/files/uploads.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { publishUpdateInput } from "#shared/projects/updates.ts";
import { updateTexts as texts } from "#shared/projects/updates-texts.ts";

/**
 * Photos of an administrator's update. Each is uploaded before the update is published, under a key of the browser that
 * becomes the file's id. One that no update names is swept like any other unused file.
 */

/** An upload as `receiveUpload` returns it. */
type Upload = { key: string; sha256: string; originalName: string };
type Kept = { photoKey: string; url: string };
type NamedPhoto = z.output<typeof publishUpdateInput>["photos"][number];

/**
 * Stores an uploaded photo, once for its key. Throws "invalid" if it can't be read, "conflict" if somebody else used the
 * key; the upload is then removed.
 */
export async function keepUpdatePhoto(
  ctx: ActorContext,
  { photoKey, upload }: { photoKey: string; upload: Upload },
): Promise<Kept> {
  const earlier = await findStored(ctx, photoKey).catch(async (error) => {
    await discardUpload(ctx, upload.key);
    throw error;
  });
  if (earlier) {
    await discardUpload(ctx, upload.key);
    return earlier;
  }
  try {
    const { url } = await storePhoto(ctx, upload, photoKey);
    return { photoKey, url };
  } catch (error) {
    // The same photo came twice at once.
    const other = isUniqueViolation(error, "stored_files_pkey") && (await findStored(ctx, photoKey));
    if (!other) throw error;
    return other;
  }
}

/** The photo that the caller stored under this key, or null. Throws "conflict" if the file is another one. */
async function findStored({ db, actor }: ActorContext, photoKey: string): Promise<Kept | null> {
  const { kind, storageKey, uploadedBy } = storedFiles;
  const [file] = await db
    .select({ kind, storageKey, uploadedBy })
    .from(storedFiles)
    .where(eq(storedFiles.id, photoKey));
  if (!file) return null;
  const url = file.kind === "photo" && file.uploadedBy === actor.id ? photoPathOfKey(file.storageKey) : null;
  if (!url) throw new AppError("conflict", texts.photoKeyUsed);
  return { photoKey, url };
}

type StoredPhoto = { url: string; width: number; height: number };

/** The caller's photos among these keys, each with its address and size. */
export async function readUpdatePhotos(ctx: ActorContext, photoKeys: string[]): Promise<Map<string, StoredPhoto>> {
  const found = new Map<string, StoredPhoto>();
  if (photoKeys.length === 0) return found;
  const files = await ctx.db
    .select({ id: storedFiles.id, storageKey: storedFiles.storageKey })
    .from(storedFiles)
    .where(isOwnPhoto(ctx, photoKeys));
  for (const { id, storageKey } of files) {
    const url = photoPathOfKey(storageKey);
    if (url) found.set(id, { url, ...(await readPhotoSize(ctx, storageKey)) });
  }
  return found;
}

const isOwnPhoto = ({ actor }: ActorContext, photoKeys: string[]) =>
  and(inArray(storedFiles.id, photoKeys), eq(storedFiles.kind, "photo"), eq(storedFiles.uploadedBy, actor.id));

type NewPhotos = { updateId: number; photos: NamedPhoto[]; stored: Map<string, StoredPhoto> };

/**
 * Part of a transaction: gives an update its photos, in their order. Throws "conflict" if one was never uploaded by the
 * caller or is swept, or belongs to another update.
 */
export async function addUpdatePhotos(
  tx: Tx,
  ctx: ActorContext,
  { updateId, photos, stored }: NewPhotos,
): Promise<void> {
  if (photos.length === 0) return;
  const photoKeys = photos.map(({ photoKey }) => photoKey);
  // The lock keeps the sweep away until the rows below name the files.
  const files = await tx
    .select({ id: storedFiles.id })
    .from(storedFiles)
    .where(isOwnPhoto(ctx, photoKeys))
    .orderBy(asc(storedFiles.id))
    .for("key share");
  const kept = new Set(files.map(({ id }) => id));
  const createdAt = ctx.clock.now();
  const rows = photos.map(({ photoKey, altText }, index) => {
    const photo = stored.get(photoKey);
    if (!photo || !kept.has(photoKey)) throw new AppError("conflict", texts.photoGone);
    return { updateId, photoKey, altText, fileId: photoKey, position: index + 1, ...photo, createdAt };
  });
  const made = await tx
    .insert(updatePhotos)
    .values(rows)
    .onConflictDoNothing({ target: updatePhotos.fileId })
    .returning({ id: updatePhotos.id });
  if (made.length < rows.length) throw new AppError("conflict", texts.photoUsed);
}

/** Returns true if an update has exactly these photos with these texts, in this order. */
export async function hasSamePhotos(db: DbOrTx, updateId: number, photos: NamedPhoto[]): Promise<boolean> {
  const kept = await db
    .select({ photoKey: updatePhotos.photoKey, altText: updatePhotos.altText })
    .from(updatePhotos)
    .where(eq(updatePhotos.updateId, updateId))
    .orderBy(asc(updatePhotos.position));
  return (
    kept.length === photos.length &&
    kept.every(({ photoKey, altText }, at) => photos[at]?.photoKey === photoKey && photos[at]?.altText === altText)
  );
}
