import sharp, { type Sharp } from "sharp";
import { oneAtATime } from "#server/platform/async.ts";
import { AppError } from "#server/platform/errors.ts";
import { MAX_PHOTO_PIXELS, photoTexts } from "#shared/files.ts";
import { type PhotoFormat, photoWidths } from "#shared/photos.ts";

/** An upright picture as bare pixels, at most `photoWidths.max` wide. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

/**
 * A photo at a time in this process: drawing takes a processor for a second, and the pixels of many would fill the
 * memory of a small server.
 */
export const inDrawingTurn = oneAtATime();

/** Decodes a photo in its largest size. Throws AppError "invalid" for one that is too large or damaged. */
export async function readPixels(original: Buffer): Promise<Pixels> {
  await readHead(original);
  const { data, info } = await reading(() =>
    sharp(original, { limitInputPixels: MAX_PHOTO_PIXELS, failOn: "error" })
      .autoOrient()
      .resize({ width: photoWidths.max, withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  return { data, width: info.width, height: info.height, channels: info.channels as Pixels["channels"] };
}

/** A file of a photo, without metadata. Throws as {@link readPixels} where the format can't hold the picture. */
export async function drawPhoto(pixels: Pixels, wanted: { width: number; format: PhotoFormat }): Promise<Buffer> {
  const { data, width, height, channels } = pixels;
  const picture = sharp(data, { raw: { width, height, channels }, limitInputPixels: MAX_PHOTO_PIXELS });
  const sized = wanted.width < width ? picture.resize({ width: wanted.width }) : picture;
  return reading(() => encode[wanted.format](sized).toBuffer());
}

/** What each takes of a processor, and what more effort would gain, is in docs/decisions/0017-…. */
const encode: Record<PhotoFormat, (picture: Sharp) => Sharp> = {
  avif: (picture) => picture.avif({ quality: 50, effort: 1, chromaSubsampling: "4:2:0" }),
  webp: (picture) => picture.webp({ quality: 80 }),
};

/**
 * Whether a picture could be shown without harm, by its head only: nothing is decoded, however large the picture says
 * it is. Throws AppError "invalid" for one that is too large or damaged.
 */
async function readHead(original: Buffer): Promise<void> {
  const { width, height } = await reading(() => sharp(original, { limitInputPixels: false }).metadata());
  if (width * height > MAX_PHOTO_PIXELS) throw refusal(photoTexts.pixels);
}

/** Of pixels that are only looked at. */
const GLANCE_WIDTH = 32;
const GLANCE_SECONDS = 30;

/**
 * Whether a picture that is kept as it came can be shown, without harm and to its end: it is decoded line by line, and
 * nothing of it is kept. What comes in several passes (a progressive JPEG, an interlaced PNG) takes up to 130 MB
 * meanwhile, so it waits for its turn. Throws as {@link readPixels}.
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

/** What the library can't read is the file's fault. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw refusal(photoTexts.unreadable, error);
  }
}

const refusal = (text: string, cause?: unknown) => new AppError("invalid", text, { fields: { file: [text] }, cause });
