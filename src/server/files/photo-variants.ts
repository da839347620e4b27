import { buffer } from "node:stream/consumers";
import type { Deps } from "#server/platform/deps.ts";
import { widthsOfPhoto } from "#shared/photos.ts";
import { drawPhoto, inDrawingTurn, readPixels } from "./draw-photo.ts";
import { findLargestWidth, type PhotoVariant, photoKey } from "./photo-files.ts";

/** More of them would keep whoever waits for a picture, and uploads, too long. */
const MAX_WAITING = 10;

type Found = {
  key: string;
  /** The largest WebP in its place: for now. */
  isSubstitute: boolean;
};

/**
 * Gives what finds the file of a photo that isn't stored: one of before there were so many, or lost with a disk. It is
 * drawn again of the largest one and stored, once for all who ask at the same time; where that can't be done now, the
 * largest one stands in. Null for what is no file of any photo.
 * Two processes may draw the same one: that gives the same file twice. One whose photo is deleted meanwhile is swept.
 */
export function openVariants({ db, log, storage }: Pick<Deps, "db" | "log" | "storage">) {
  const inMaking = new Map<string, Promise<void>>();

  const make = async (variant: PhotoVariant, source: string) => {
    const largest = await buffer(await storage.read(source));
    const drawn = await inDrawingTurn(async () => drawPhoto(await readPixels(largest), variant));
    await storage.write(photoKey(variant), drawn);
  };

  return async (variant: PhotoVariant): Promise<Found | null> => {
    const width = await findLargestWidth(db, variant.id);
    if (width === undefined || !widthsOfPhoto(width).includes(variant.width)) return null;
    const key = photoKey(variant);
    const source = photoKey({ id: variant.id, width, format: "webp" });
    // The one that the others are made of is lost.
    if (key === source) return null;
    try {
      const running = inMaking.get(key);
      if (!running && inDrawingTurn.waiting() >= MAX_WAITING) return { key: source, isSubstitute: true };
      const making = running ?? make(variant, source).finally(() => inMaking.delete(key));
      inMaking.set(key, making);
      await making;
      return { key, isSubstitute: false };
    } catch (error) {
      log.warn({ err: error, key }, "a photo's file could not be drawn");
      return { key: source, isSubstitute: true };
    }
  };
}
