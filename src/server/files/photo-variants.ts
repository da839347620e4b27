import { buffer } from "node:stream/consumers";
import type { Deps } from "#server/platform/deps.ts";
import { widthsOfPhoto } from "#shared/photos.ts";
import { drawPhoto, inDrawingTurn, readPixels } from "./draw-photo.ts";
import { findLargestWidth, type PhotoVariant, photoKey } from "./photo-files.ts";

/** A longer queue would delay visitors and uploads too much. */
const MAX_WAITING = 10;

type Found = {
  key: string;
  /** The largest WebP, sent in place of the wanted file for now. */
  isSubstitute: boolean;
};

/**
 * Returns a function that finds a photo file that isn't stored: the photo is older than that size, or a disk lost the
 * file.
 * The file is drawn again from the largest one and stored, once for all concurrent requests. If that isn't possible
 * now, the largest file is the substitute. Null if the key names no file of a photo.
 * Two processes may draw the same file, with the same result. If the photo is deleted meanwhile, the file is swept.
 */
export function openVariants({ db, log, storage }: Pick<Deps, "db" | "log" | "storage">) {
  const pending = new Map<string, Promise<void>>();

  const make = async (variant: PhotoVariant, source: string) => {
    // A request that found nothing before the last drawing was stored comes after it.
    if (await storage.exists(photoKey(variant))) return;
    const largest = await buffer(await storage.read(source));
    const drawn = await inDrawingTurn(async () => drawPhoto(await readPixels(largest), variant));
    await storage.write(photoKey(variant), drawn);
  };

  return async (variant: PhotoVariant): Promise<Found | null> => {
    const width = await findLargestWidth(db, variant.folder);
    if (width === undefined || !widthsOfPhoto(width).includes(variant.width)) return null;
    const key = photoKey(variant);
    const source = photoKey({ folder: variant.folder, width, format: "webp" });
    // The largest file itself is lost.
    if (key === source) return null;
    try {
      const running = pending.get(key);
      if (!running && inDrawingTurn.waiting() >= MAX_WAITING) return { key: source, isSubstitute: true };
      const making = running ?? make(variant, source).finally(() => pending.delete(key));
      pending.set(key, making);
      await making;
      return { key, isSubstitute: false };
    } catch (error) {
      log.warn({ err: error, key }, "a photo's file could not be drawn");
      return { key: source, isSubstitute: true };
    }
  };
}
