import readExif from "exif-reader";
import sharp from "sharp";
import type { Pixels } from "./draw-photo.ts";

/**
 * How a photo looks, so that it is known again when it was made smaller, encoded anew, mirrored, brightened or cropped a
 * little: for 64 places each, whether the picture gets brighter to the right and downwards (a difference hash).
 */

/** Of the whole photo, and of its inner part: one that was cropped looks like the inner part of the original. */
export type PhotoPrints = { whole: string; inner: string };

const side = 8;
/** What stays of each side in the inner part. */
const innerShare = 0.95;

/** Both prints, as 128 digits "0" and "1". */
export async function readPrints(pixels: Pixels): Promise<PhotoPrints> {
  const { width, height } = pixels;
  const part = {
    width: Math.max(1, Math.round(width * innerShare)),
    height: Math.max(1, Math.round(height * innerShare)),
  };
  const left = Math.floor((width - part.width) / 2);
  const top = Math.floor((height - part.height) / 2);
  return {
    whole: await readPrint(pixels, { left: 0, top: 0, width, height }),
    inner: await readPrint(pixels, { left, top, ...part }),
  };
}

type Part = { left: number; top: number; width: number; height: number };

async function readPrint({ data, width, height, channels }: Pixels, part: Part): Promise<string> {
  const cells = (columns: number, rows: number) =>
    sharp(data, { raw: { width, height, channels } })
      .extract(part)
      .removeAlpha()
      .greyscale()
      .resize(columns, rows, { fit: "fill" })
      .raw()
      .toBuffer();
  const [across, down] = [await cells(side + 1, side), await cells(side, side + 1)];
  const bits: boolean[] = [];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const at = row * (side + 1) + column;
      bits.push((across[at] ?? 0) < (across[at + 1] ?? 0));
    }
  }
  for (let at = 0; at < side * side; at++) bits.push((down[at] ?? 0) < (down[at + side] ?? 0));
  return bits.map(Number).join("");
}

/** The print of the mirrored photo: each row backwards, and what got brighter to the right gets darker. */
export function mirroredPrint(print: string): string {
  const rows = Array.from({ length: 2 * side }, (_, row) => [...print.slice(row * side, (row + 1) * side)].reverse());
  return rows.map((row, at) => (at < side ? row.map((bit) => (bit === "1" ? "0" : "1")) : row).join("")).join("");
}

const lagosMs = 3_600_000;
/** A camera whose clock was never set counts from 1970 or 1980. */
const firstDay = new Date("1990-01-01T00:00:00Z");

/**
 * When the camera says that a photo was taken, read before it is encoded anew. Null if it says nothing or no real day: phones'
 * browsers strip it, and a damaged block refuses no photo. Cameras keep no zone; theirs is Lagos.
 */
export async function readTakenAt(original: Buffer): Promise<Date | null> {
  try {
    const { exif } = await sharp(original, { limitInputPixels: false }).metadata();
    const written = exif && readExif(exif).Photo?.DateTimeOriginal;
    if (!exif || !(written instanceof Date)) return null;
    // The library counts on from 31 February to 3 March: the day that it gives must stand in the photo.
    const text = written.toISOString().slice(0, 19).replaceAll("-", ":").replace("T", " ");
    if (written < firstDay || !exif.includes(text, "latin1")) return null;
    return new Date(written.getTime() - lagosMs);
  } catch {
    return null;
  }
}
