import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { inTransaction } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { photoPrints } from "#server/db/schema/update-photos.ts";
import type { Context } from "#server/platform/context.ts";
import { photoPath, widthsOfPhoto } from "#shared/photos.ts";
import { drawPhoto, inDrawingTurn, inReadingTurn, readPixels } from "./draw-photo.ts";
import { newPhotoId, originalKey, photoKey, variantsOfPhoto } from "./photo-files.ts";
import { readPrints, readTakenAt } from "./photo-prints.ts";
import { discardUpload } from "./uploads.ts";

/**
 * Photos are never served as uploaded. Each is re-encoded in the widths and formats of #shared/photos.ts, upright and
 * without metadata, which may reveal the place and the photographer.
 */

/** A photo as `receiveUpload` returns it. */
type UploadedPhoto = { key: string; sha256: string; originalName: string };

type StoredPhoto = {
  fileId: string;
  /** The address of the largest size; `photoSrcSet` of #shared/photos.ts derives the others. */
  url: string;
  width: number;
  height: number;
  /** The widths, smallest first. */
  sizes: number[];
};

/**
 * Re-encodes an uploaded photo, stores its files and their row, and removes the upload. Nothing refers to the photo
 * yet; it is swept unless a row does within an hour. `givenId` becomes the file's id, instead of a new one. Throws AppError
 * "invalid" for a photo that is too large or damaged.
 */
export async function storePhoto(ctx: StoringContext, upload: UploadedPhoto, givenId?: string): Promise<StoredPhoto> {
  const { id, fileId, width, height } = await storeAs("photo", ctx, { ...upload, givenId });
  return { fileId, url: photoPath(id, width), width, height, sizes: widthsOfPhoto(width) };
}

/**
 * Stores a photo that is evidence, as {@link storePhoto} does, with its original beside the sizes: the proof is what
 * was uploaded. Neither has a public address. Returns the file's id.
 */
export async function storeEvidencePhoto(ctx: StoringContext, upload: UploadedPhoto): Promise<string> {
  const { fileId } = await storeAs("evidence", ctx, upload);
  return fileId;
}

/** Whoever reports by a link has no account. */
type StoringContext = Pick<Context, "db" | "storage" | "clock" | "log" | "actor">;

type Storing = UploadedPhoto & { givenId?: string | undefined };

const storeAs = (kind: "photo" | "evidence", ctx: StoringContext, upload: Storing) =>
  inReadingTurn(() => storeInTurn(kind, ctx, upload));

async function storeInTurn(kind: "photo" | "evidence", ctx: StoringContext, upload: Storing) {
  // A new id, because the upload's key is a file where the photo needs a folder.
  const id = newPhotoId();
  const folder = `${kind}/${id}`;
  let written: string[] = [];
  try {
    const original = await buffer(await ctx.storage.read(upload.key));
    const { width, height, files, prints } = await inDrawingTurn(() => drawAll(folder, original));
    const takenAt = await readTakenAt(original);
    if (kind === "evidence") files.push({ key: originalKey(folder), bytes: original });
    written = files.map(({ key }) => key);
    // All writes are awaited even if one fails, because an unfinished one could not be removed.
    const results = await Promise.allSettled(files.map(({ key, bytes }) => ctx.storage.write(key, bytes)));
    for (const result of results) if (result.status === "rejected") throw result.reason;
    const createdAt = ctx.clock.now();
    const fileId = await inTransaction(ctx.db, async (tx) => {
      const [row] = await tx
        .insert(storedFiles)
        .values({
          id: upload.givenId,
          kind,
          storageKey: photoKey({ folder, width, format: "webp" }),
          sha256: upload.sha256,
          bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
          contentType: "image/webp",
          originalName: upload.originalName,
          uploadedBy: ctx.actor?.id ?? null,
          createdAt,
        })
        .returning({ id: storedFiles.id });
      if (!row) throw new Error("the photo's row was not written");
      // Evidence is nobody's to compare with: it isn't shown.
      if (kind === "photo") await tx.insert(photoPrints).values({ fileId: row.id, ...prints, takenAt, createdAt });
      return row.id;
    });
    return { id, fileId, width, height };
  } catch (error) {
    for (const key of written) await discardUpload(ctx, key);
    throw error;
  } finally {
    await discardUpload(ctx, upload.key);
  }
}

async function drawAll(folder: string, original: Buffer) {
  const pixels = await readPixels(original);
  const files: { key: string; bytes: Buffer }[] = [];
  for (const variant of variantsOfPhoto(folder, pixels.width)) {
    files.push({ key: photoKey(variant), bytes: await drawPhoto(pixels, variant) });
  }
  return { width: pixels.width, height: pixels.height, files, prints: await readPrints(pixels) };
}

/** The size of a stored photo, as its largest file has it. */
export async function readPhotoSize({ storage }: Pick<Context, "storage">, storageKey: string) {
  const { width, height } = await sharp(await buffer(await storage.read(storageKey))).metadata();
  return { width, height };
}
