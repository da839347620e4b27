import readExif from "exif-reader";
import sharp, { type Sharp } from "sharp";
import { lagosOffsetMs } from "#shared/lagos-time.ts";
import type { Pixels } from "./draw-photo.ts";

/**
 * How a photo looks, so that it is known again when it was made smaller, encoded anew, mirrored, brightened or cropped a
 * little: for 64 places each, whether the picture gets clearly brighter to the right and downwards (a difference hash).
 */

/** As 128 digits "0" and "1". A photo that was cropped looks like the inner part of the original. */
export type PhotoPrints = Record<"print" | "inner" | "mirror" | "innerMirror", string>;

const side = 8;
/** The share of each side that the inner part keeps. */
const innerShare = 0.95;
/** Prints are read from a small picture: eight times from all pixels would take a second of a phone's photo. */
const smallSide = 320;
/** Greys of 255 that are noise of the encoding. */
const noise = 2;
/**
 * The brighter half of a picture counts as one grey. A photo made brighter loses what is in it, and a white sky has
 * only noise there.
 */
const readShare = 0.5;
/** Fewer places that get brighter are those of a wall, of fog or of the night. */
const fewestBits = 10;

/** The prints of a photo, or null if it has nearly one colour: it would look like any other of one colour. */
export async function readPrints({ data, width, height, channels }: Pixels): Promise<PhotoPrints | null> {
  const upright = await read(
    sharp(data, { raw: { width, height, channels } })
      .removeAlpha()
      .resize({ width: smallSide, height: smallSide, fit: "inside", withoutEnlargement: true }),
  );
  // Turning bits isn't the same: where neighbours are equal, neither gets brighter.
  const mirrored = await read(open(upright).flop());
  const [whole, inner] = [{ left: 0, top: 0, width: upright.width, height: upright.height }, innerPart(upright)];
  const prints = {
    print: await readPrint(upright, whole),
    inner: await readPrint(upright, inner),
    mirror: await readPrint(mirrored, whole),
    innerMirror: await readPrint(mirrored, inner),
  };
  const isPlain = Object.values(prints).some((print) => print.replaceAll("0", "").length < fewestBits);
  return isPlain ? null : prints;
}

type Greys = { data: Buffer; width: number; height: number };
type Part = { left: number; top: number; width: number; height: number };

async function read(picture: Sharp): Promise<Greys> {
  const { data, info } = await picture.greyscale().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const open = ({ data, width, height }: Greys): Sharp => sharp(data, { raw: { width, height, channels: 1 } });

/** The same distance from the left as from the right, so that the mirror's inner part is the inner part's mirror. */
function innerPart({ width, height }: Greys): Part {
  const [left, top] = [width, height].map((length) => Math.round((length * (1 - innerShare)) / 2)) as [number, number];
  return { left, top, width: width - 2 * left, height: height - 2 * top };
}

async function readPrint(greys: Greys, part: Part): Promise<string> {
  const cells = async (columns: number, rows: number) => {
    const { data } = await read(open(greys).extract(part).resize(columns, rows, { fit: "fill" }));
    const brightest = [...data].sort((one, other) => one - other)[Math.floor((data.length - 1) * readShare)] ?? 0;
    return [...data].map((grey) => Math.min(grey, brightest));
  };
  const [across, down] = [await cells(side + 1, side), await cells(side, side + 1)];
  const getsBrighter = (from = 0, to = 0): string => (from + noise < to ? "1" : "0");
  let bits = "";
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const at = row * (side + 1) + column;
      bits += getsBrighter(across[at], across[at + 1]);
    }
  }
  for (let at = 0; at < side * side; at++) bits += getsBrighter(down[at], down[at + side]);
  return bits;
}

/** A camera whose clock was never set counts from 1970 or 1980. */
const firstDay = new Date("1990-01-01T00:00:00Z");

/**
 * When the camera says that a photo was taken, read before it is encoded anew. Null if it says nothing or no real day:
 * phones' browsers strip it, and a damaged block refuses no photo. Cameras keep no zone; theirs is Lagos.
 */
export async function readTakenAt(original: Buffer): Promise<Date | null> {
  try {
    const { exif } = await sharp(original, { limitInputPixels: false }).metadata();
    const written = exif && readExif(exif).Photo?.DateTimeOriginal;
    if (!exif || !(written instanceof Date)) return null;
    // The library counts on from 31 February to 3 March: the day that it gives must stand in the photo.
    const text = written.toISOString().slice(0, 19).replaceAll("-", ":").replace("T", " ");
    if (written < firstDay || !exif.includes(text, "latin1")) return null;
    return new Date(written.getTime() - lagosOffsetMs);
  } catch {
    return null;
  }
}
