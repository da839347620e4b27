import { buffer } from "node:stream/consumers";
import { storedFiles } from "#server/db/schema/files.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { photoPath, widthsOfPhoto } from "#shared/photos.ts";
import { drawPhoto, inDrawingTurn, readPixels } from "./draw-photo.ts";
import { newPhotoId, photoKey, variantsOfPhoto } from "./photo-files.ts";
import { discardUpload } from "./uploads.ts";

/**
 * Photos are never served as they came: each is drawn anew in the widths and formats of #shared/photos.ts, upright and
 * without its metadata (which may tell where and by whom it was taken).
 */

/** What `receiveUpload` gives of a file of kind "photo". */
type UploadedPhoto = { key: string; sha256: string; originalName: string };

type StoredPhoto = {
  fileId: string;
  /** Of the largest size; `photoSrcSet` of #shared/photos.ts knows the others. */
  url: string;
  width: number;
  height: number;
  /** Widths, smallest first. */
  sizes: number[];
};

/**
 * Re-encodes an uploaded photo, stores its files and their row, and removes the upload. Nothing refers to the photo yet:
 * unless a row does within an hour it is swept. Throws AppError "invalid" for a photo that is too large or damaged.
 */
export async function storePhoto(ctx: ActorContext, upload: UploadedPhoto): Promise<StoredPhoto> {
  // An id of its own: the upload's key is a file, where the sizes need a folder.
  const id = newPhotoId();
  let written: string[] = [];
  try {
    const original = await buffer(await ctx.storage.read(upload.key));
    const { width, height, files } = await inDrawingTurn(() => drawAll(id, original));
    written = files.map(({ key }) => key);
    // All are waited for also where one fails: what is still being written could not be removed.
    const results = await Promise.allSettled(files.map(({ key, bytes }) => ctx.storage.write(key, bytes)));
    for (const result of results) if (result.status === "rejected") throw result.reason;
    const [row] = await ctx.db
      .insert(storedFiles)
      .values({
        kind: "photo",
        storageKey: photoKey({ id, width, format: "webp" }),
        sha256: upload.sha256,
        bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
        contentType: "image/webp",
        originalName: upload.originalName,
        uploadedBy: ctx.actor.id,
        createdAt: ctx.clock.now(),
      })
      .returning({ id: storedFiles.id });
    if (!row) throw new Error("the photo's row was not written");
    return { fileId: row.id, url: photoPath(id, width), width, height, sizes: widthsOfPhoto(width) };
  } catch (error) {
    for (const key of written) await discardUpload(ctx, key);
    throw error;
  } finally {
    await discardUpload(ctx, upload.key);
  }
}

async function drawAll(id: string, original: Buffer) {
  const pixels = await readPixels(original);
  const files: { key: string; bytes: Buffer }[] = [];
  for (const variant of variantsOfPhoto(id, pixels.width)) {
    files.push({ key: photoKey(variant), bytes: await drawPhoto(pixels, variant) });
  }
  return { width: pixels.width, height: pixels.height, files };
}
