import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import type { FileStorage } from "#server/platform/deps.ts";
import { type PhotoFormat, photoPath, readPhotoPath, widthsOfPhoto } from "#shared/photos.ts";

/**
 * A photo's files are stored as "<folder>/<width>.<format>". The row in stored_files names the largest WebP, from which
 * the others can be drawn again. The folder is "photo/<id>" for photos that anyone may see, and "evidence/<id>" for
 * those of harvests, which also have their original there, as uploaded.
 */

/** One sent file of a photo. */
export type PhotoVariant = { folder: string; width: number; format: PhotoFormat };

export const newPhotoId = () => randomBytes(16).toString("hex");
const publicFolder = (id: string) => `photo/${id}`;
export const photoKey = ({ folder, width, format }: PhotoVariant) => `${folder}/${width}.${format}`;
/** The uploaded file of a photo that is evidence. It is sent to nobody. */
export const originalKey = (folder: string) => `${folder}/original`;

/** Every sent file of a photo. */
export const variantsOfPhoto = (folder: string, largest: number): PhotoVariant[] =>
  (["avif", "webp"] as const).flatMap((format) => widthsOfPhoto(largest).map((width) => ({ folder, width, format })));

/** The storage key of a public photo's largest file, from its address; null for any other address. */
export function keyOfPhotoPath(path: string): string | null {
  const photo = readPhotoPath(path);
  return photo && photoKey({ folder: publicFolder(photo.id), width: photo.width, format: "webp" });
}

/** The address of a public photo's largest file, from the key in its row; null for any other key. */
export function photoPathOfKey(storageKey: string): string | null {
  const photo = readVariantKey(storageKey);
  const [kind, id = ""] = photo?.folder.split("/") ?? [];
  return photo && kind === "photo" ? photoPath(id, photo.width) : null;
}

const keyPattern = /^((?:photo|evidence)\/[0-9a-f]{32})\/(?:([1-9]\d{0,3})\.(avif|webp)|original)$/;

/** The sent file of a photo that a key names; null for any other key. */
export function readVariantKey(key: string): PhotoVariant | null {
  const [, folder, width, format] = keyPattern.exec(key) ?? [];
  return folder && width ? { folder, width: Number(width), format: format as PhotoFormat } : null;
}

const markKeyPattern = /^(mark\/[0-9a-f]{32})\/[1-9]\d{1,2}\.png$/;

/** One size of the operator's mark. */
export const markKey = (folder: string, size: number) => `${folder}/${size}.png`;

/** The folder of any file of a photo or a mark; undefined for any other key. */
export const folderOfPhoto = (key: string): string | undefined =>
  (keyPattern.exec(key) ?? markKeyPattern.exec(key))?.[1];

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

/** The width of the largest file in a photo's folder; undefined if the photo isn't stored. */
export async function findLargestWidth(db: DbOrTx, folder: string): Promise<number | undefined> {
  const [found] = await rows<{ key: string }>(
    db,
    // "0" is the character after "/": the range covers the folder's keys, and uses an index.
    sql`select storage_key as key from stored_files
      where storage_key ~>=~ ${`${folder}/`} and storage_key ~<~ ${`${folder}0`}`,
  );
  return found && readVariantKey(found.key)?.width;
}

/**
 * The file row of a public photo's address, locked so that no sweep removes it before a row refers to it. Null for any
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
