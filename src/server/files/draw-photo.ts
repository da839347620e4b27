import sharp, { type Sharp } from "sharp";
import { atMost, oneAtATime } from "#server/platform/async.ts";
import { AppError } from "#server/platform/errors.ts";
import { MAX_PHOTO_PIXELS, photoTexts } from "#shared/files.ts";
import { type PhotoFormat, photoWidths } from "#shared/photos.ts";

/** An upright picture as raw pixels, at most `photoWidths.max` wide and `MAX_HEIGHT` high. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

/**
 * Draws one photo at a time in this process. Drawing takes a processor core for a second, and the pixels of many photos
 * would fill the memory of a small server. One that the library never finishes is no longer
 * waited for, or it would stop all others.
 */
export const inDrawingTurn = oneAtATime(2 * 60_000);

/** Whoever looks at a whole file has it in memory: so many of this process at once, however many wait to be drawn. */
export const inReadingTurn = atMost(4);

/** WebP holds 16,383 rows; a screenshot of a whole page may have more. */
const MAX_HEIGHT = 16_000;

/** Decodes a photo at its largest size. Throws AppError "invalid" if it is too large or damaged. */
export async function readPixels(original: Buffer): Promise<Pixels> {
  await readHead(original);
  const { data, info } = await reading(() =>
    sharp(original, { limitInputPixels: MAX_PHOTO_PIXELS, failOn: "error" })
      .autoOrient()
      .resize({ width: photoWidths.max, height: MAX_HEIGHT, fit: "inside", withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  return { data, width: info.width, height: info.height, channels: info.channels as Pixels["channels"] };
}

/** Encodes one file of a photo, without metadata. Throws as {@link readPixels} if the format can't hold the picture. */
export async function drawPhoto(pixels: Pixels, wanted: { width: number; format: PhotoFormat }): Promise<Buffer> {
  const { data, width, height, channels } = pixels;
  const picture = sharp(data, { raw: { width, height, channels }, limitInputPixels: MAX_PHOTO_PIXELS });
  const sized = wanted.width < width ? picture.resize({ width: wanted.width }) : picture;
  return reading(() => encode[wanted.format](sized).toBuffer());
}

/** docs/decisions/0017-… has the CPU time of each format, and the gain of more effort. */
const encode: Record<PhotoFormat, (picture: Sharp) => Sharp> = {
  avif: (picture) => picture.avif({ quality: 50, effort: 1, chromaSubsampling: "4:2:0" }),
  webp: (picture) => picture.webp({ quality: 80 }),
};

/**
 * Checks a picture's size by its header, without decoding, whatever size the header claims.
 * Throws AppError "invalid" if it is too large or damaged.
 */
async function readHead(original: Buffer): Promise<void> {
  const { width, height } = await reading(() => sharp(original, { limitInputPixels: false }).metadata());
  if (width * height > MAX_PHOTO_PIXELS) throw refusal(photoTexts.pixels);
}

/** The size of pixels that are decoded only as a check. */
const GLANCE_WIDTH = 32;
const GLANCE_SECONDS = 30;

/**
 * Checks that a picture stored as uploaded is safe and complete: it is decoded line by line, and the result dropped.
 * Progressive JPEGs and interlaced PNGs take up to 130 MB meanwhile, so decoding waits its turn.
 * Throws as {@link readPixels}.
 */
export async function requireWhole(original: Buffer): Promise<void> {
  await readHead(original);
  await inDrawingTurn(() =>
    reading(() =>
      sharp(original, { limitInputPixels: MAX_PHOTO_PIXELS, failOn: "error", sequentialRead: true })
        .resize({ width: GLANCE_WIDTH, withoutEnlargement: true })
        .timeout({ seconds: GLANCE_SECONDS })
        .raw()
        .toBuffer(),
    ),
  );
}

/** Any error of the library means that the file is unreadable. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw refusal(photoTexts.unreadable, error);
  }
}

const refusal = (text: string, cause?: unknown) => new AppError("invalid", text, { fields: { file: [text] }, cause });
