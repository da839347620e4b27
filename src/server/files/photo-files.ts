import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import type { FileStorage } from "#server/platform/deps.ts";
import { type PhotoFormat, photoPath, readPhotoPath, widthsOfPhoto } from "#shared/photos.ts";

/**
 * A photo's files are stored as "photo/<id>/<width>.<format>". The row in stored_files names the largest WebP, from
 * which the others can be drawn again.
 */

/** One file of a photo. */
export type PhotoVariant = { id: string; width: number; format: PhotoFormat };

export const newPhotoId = () => randomBytes(16).toString("hex");
export const photoKey = ({ id, width, format }: PhotoVariant) => `photo/${id}/${width}.${format}`;

/** Every file of a photo. */
export const variantsOfPhoto = (id: string, largest: number): PhotoVariant[] =>
  (["avif", "webp"] as const).flatMap((format) => widthsOfPhoto(largest).map((width) => ({ id, width, format })));

/** The storage key of a photo's largest file, from its address; null for any other address. */
export function keyOfPhotoPath(path: string): string | null {
  const photo = readPhotoPath(path);
  return photo && photoKey({ ...photo, format: "webp" });
}

/** The address of a photo's largest file, from the key in its row; null for any other key. */
export function photoPathOfKey(storageKey: string): string | null {
  const photo = readPhotoKey(storageKey);
  return photo && photoPath(photo.id, photo.width);
}

const keyPattern = /^photo\/([0-9a-f]{32})\/([1-9]\d{0,3})\.(avif|webp)$/;

/** The photo file that a key names; null for any other key. */
export function readVariantKey(key: string): PhotoVariant | null {
  const [, id, width, format] = keyPattern.exec(key) ?? [];
  return id ? { id, width: Number(width), format: format as PhotoFormat } : null;
}

/** Reads the key of a photo's row; null for any other key. */
function readPhotoKey(storageKey: string): PhotoVariant | null {
  const variant = readVariantKey(storageKey);
  return variant?.format === "webp" ? variant : null;
}

/** "photo/<id>" for the key of a photo's file; undefined for any other key. */
export function folderOfPhoto(key: string): string | undefined {
  const variant = readVariantKey(key);
  return variant ? `photo/${variant.id}` : undefined;
}

/**
 * Every file that a row of stored_files stands for, with the named one last. For a photo that is every file in its
 * folder:
 * older photos may have other widths.
 */
export async function* listFilesOf(storage: Pick<FileStorage, "list">, storageKey: string): AsyncGenerator<string> {
  const folder = folderOfPhoto(storageKey);
  if (folder) for await (const { key } of storage.list(`${folder}/`)) if (key !== storageKey) yield key;
  yield storageKey;
}

/** The width of a photo's largest file; undefined if the photo isn't stored. */
export async function findLargestWidth(db: DbOrTx, id: string): Promise<number | undefined> {
  const [found] = await rows<{ key: string }>(
    db,
    // "0" is the character after "/": the range covers the folder's keys, and uses an index.
    sql`select storage_key as key from stored_files
      where storage_key ~>=~ ${`photo/${id}/`} and storage_key ~<~ ${`photo/${id}0`}`,
  );
  return found && readPhotoKey(found.key)?.width;
}

/**
 * The file row of a stored photo's address, locked so that no sweep removes it before a row refers to it. Null for any
 * other address; undefined if the photo is no longer stored.
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
