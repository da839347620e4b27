import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import type { ActorContext } from "#server/core/context.ts";
import { discardUpload } from "#server/core/discard-upload.ts";
import { AppError } from "#server/core/errors.ts";
import type { FileStorage } from "#server/core/storage.ts";
import type { Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { MAX_PHOTO_PIXELS, photoTexts } from "#shared/files.ts";
import { photoPath, photoWidths, readPhotoPath, widthsOfPhoto } from "#shared/photos.ts";

/**
 * Photos are never served as they came: each is drawn anew in the widths of #shared/photos.ts, upright and without its
 * metadata (which may tell where and by whom it was taken). In the storage they are "photo/<id>/<width>.webp"; the row
 * in stored_files names the largest.
 */

const WEBP = "image/webp";
const QUALITY = 80;

/** What `receiveUpload` gives of a file of kind "photo". */
type UploadedPhoto = { key: string; sha256: string; originalName: string };

type StoredPhoto = {
  fileId: string;
  /** Of the largest size; `photoSrcSet` and `photoPath` of #shared/photos.ts know the others. */
  url: string;
  width: number;
  height: number;
  /** Widths, smallest first. */
  sizes: number[];
};

/**
 * Re-encodes an uploaded photo, stores its sizes and their row, and removes the upload. Nothing refers to the file yet:
 * unless a row does within an hour it is swept. Throws AppError "invalid" for a photo that is too large or damaged.
 */
export async function storePhoto(ctx: ActorContext, upload: UploadedPhoto): Promise<StoredPhoto> {
  // An id of its own: the upload's key is a file, where the sizes need a folder.
  const id = newPhotoId();
  const written: string[] = [];
  try {
    const original = await buffer(await ctx.storage.read(upload.key));
    const { width, height } = await sizeOf(original);
    const sizes = widthsOfPhoto(width);
    let bytes = 0;
    for (const size of sizes) {
      const key = photoKey(id, size);
      const picture = await draw(original, size);
      bytes += picture.length;
      written.push(key);
      await ctx.storage.write(key, picture);
    }
    const [row] = await ctx.db
      .insert(storedFiles)
      .values({
        kind: "photo",
        storageKey: photoKey(id, width),
        sha256: upload.sha256,
        bytes,
        contentType: WEBP,
        originalName: upload.originalName,
        uploadedBy: ctx.actor.id,
        createdAt: ctx.clock.now(),
      })
      .returning({ id: storedFiles.id });
    if (!row) throw new Error("the photo's row was not written");
    return { fileId: row.id, url: photoPath(id, width), width, height, sizes };
  } catch (error) {
    for (const key of written) await discardUpload(ctx, key);
    throw error;
  } finally {
    await discardUpload(ctx, upload.key);
  }
}

/** How large the largest size becomes, upright. */
async function sizeOf(original: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = (await readHead(original)).autoOrient;
  const shown = Math.min(width, photoWidths.max);
  return { width: shown, height: Math.max(1, Math.round((height * shown) / width)) };
}

/** Looks at the head only: nothing is decoded, however large the picture says it is. Throws as {@link storePhoto}. */
async function readHead(original: Buffer) {
  const found = await reading(() => sharp(original, { limitInputPixels: false }).metadata());
  if (found.width * found.height > MAX_PHOTO_PIXELS) throw refusal(photoTexts.pixels);
  return found;
}

/**
 * Whether an uploaded picture that is kept as it came can be shown without harm to who looks at it.
 * Throws AppError "invalid" for one that is too large or damaged.
 */
export async function requireShowable(storage: FileStorage, key: string): Promise<void> {
  await readHead(await buffer(await storage.read(key)));
}

const draw = (original: Buffer, width: number) =>
  reading(() =>
    sharp(original, { limitInputPixels: MAX_PHOTO_PIXELS, failOn: "error" })
      .autoOrient()
      .resize({ width, withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer(),
  );

/** What the library can't read is the file's fault. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw refusal(photoTexts.unreadable, error);
  }
}

const refusal = (text: string, cause?: unknown) => new AppError("invalid", text, { fields: { file: [text] }, cause });

const newPhotoId = () => randomBytes(16).toString("hex");
const photoKey = (id: string, width: number) => `photo/${id}/${width}.webp`;

/** Where a photo's largest size is stored, by its address; null for any other address. */
export function keyOfPhotoPath(path: string): string | null {
  const photo = readPhotoPath(path);
  return photo && photoKey(photo.id, photo.width);
}

/** The address of a photo's largest size, by the key in its row; null for any other key. */
export function photoPathOfKey(storageKey: string): string | null {
  const [, folder = "", width] = sizePattern.exec(storageKey) ?? [];
  return width ? photoPath(folder.slice("photo/".length), Number(width)) : null;
}

const sizePattern = /^(photo\/[0-9a-f]{32})\/(\d{1,4})\.webp$/;

/** "photo/<id>" of one of a photo's sizes; undefined for any other key. */
export const folderOfPhoto = (key: string): string | undefined => sizePattern.exec(key)?.[1];

/** Every key that a row of stored_files stands for. */
export function storedKeysOf(storageKey: string): string[] {
  const [, folder, width] = sizePattern.exec(storageKey) ?? [];
  return folder ? widthsOfPhoto(Number(width)).map((size) => `${folder}/${size}.webp`) : [storageKey];
}

/**
 * The file of the photo of ours behind an address, held so that no sweeping takes it before a row refers to it. Null for
 * any other address, undefined where the photo isn't stored any more.
 */
export async function findPhotoFile(tx: Tx, address: string): Promise<string | null | undefined> {
  const storageKey = keyOfPhotoPath(address);
  if (!storageKey) return null;
  const [file] = await tx
    .select({ id: storedFiles.id })
    .from(storedFiles)
    .where(eq(storedFiles.storageKey, storageKey))
    .for("key share");
  return file?.id;
}
