import { join } from "node:path";
import sharp, { type OverlayOptions } from "sharp";
import { cardSize } from "./card-paths.ts";

/** What a picture of ours may weigh and measure before it is drawn: far above what we make or take. */
const LIMIT_PIXELS = 50_000_000;
const QUALITY = 80;
const MARK_PX = 112;
const MARGIN_PX = 40;
const PADDING_PX = 32;
const ink = { label: "#575246", amount: "#14532d" };
/** Cut from the pages' typeface by scripts/make-fonts.ts: what the system brings may have no ₦, or no letters at all. */
const fontfile = join(import.meta.dirname, "fonts/inter.ttf");

/** What lies on the picture: our mark, and beside it an amount with what it is. Both are our own words. */
export type CardPlate = { mark: Buffer; label: string; amount: string };

/** The JPEG of a card: the picture fills it, a plate lies in the corner. Throws where it is no picture. */
export async function drawCard(picture: Buffer, plate?: CardPlate): Promise<Buffer> {
  const card = sharp(picture, { limitInputPixels: LIMIT_PIXELS, failOn: "error" })
    .rotate()
    .resize({ ...cardSize, fit: "cover", position: "centre" })
    .flatten({ background: "#fbf8f1" });
  if (plate) card.composite(await drawPlate(plate));
  return card.jpeg({ quality: QUALITY, progressive: true, mozjpeg: true }).toBuffer();
}

async function drawPlate({ mark, label, amount }: CardPlate): Promise<OverlayOptions[]> {
  const size = Math.round(MARK_PX * 0.68);
  const inset = Math.round((MARK_PX - size) / 2);
  const drawnMark = await sharp(mark, { density: 300 }).resize(size, size, { fit: "inside" }).png().toBuffer();
  const [drawnLabel, drawnAmount] = [
    await drawText(label, { px: 24, color: ink.label }),
    await drawText(amount, { px: 44, color: ink.amount }),
  ];
  const top = cardSize.height - MARGIN_PX - MARK_PX;
  const left = MARGIN_PX + MARK_PX;
  const width = MARK_PX + Math.max(drawnLabel.width, drawnAmount.width) + PADDING_PX;
  const plate = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${MARK_PX}"><rect width="${width}" height="${MARK_PX}" rx="24" fill="#fbf8f1"/></svg>`;
  return [
    { input: Buffer.from(plate), left: MARGIN_PX, top },
    { input: drawnMark, left: MARGIN_PX + inset, top: top + inset },
    { input: drawnLabel.png, left, top: top + 20 },
    { input: drawnAmount.png, left, top: top + MARK_PX - 20 - drawnAmount.height },
  ];
}

/** A line in our typeface, cut to its ink. `text` is no markup and has no letters but those of the file. */
export async function drawText(
  text: string,
  { px, color }: { px: number; color: string },
): Promise<{ png: Buffer; width: number; height: number }> {
  const markup = `<span foreground="${color}" font_features="tnum">${text}</span>`;
  // At 72 dpi a point is a pixel.
  const line = { text: markup, font: `Inter Variable ${px}`, fontfile, rgba: true, dpi: 72 };
  const { data, info } = await sharp({ text: line }).png().toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}
