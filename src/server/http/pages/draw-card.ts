import sharp, { type OverlayOptions } from "sharp";
import { escapeHtml } from "#server/platform/text.ts";
import { fontFile } from "#server/root.ts";
import { cardSize } from "./card-paths.ts";

/** The limit of a source picture's pixels, far above those we draw or accept. */
const LIMIT_PIXELS = 50_000_000;
const QUALITY = 80;
const MARK_PX = 136;
const MARGIN_PX = 40;
const PADDING_PX = 32;
const PRICE_PX = 60;
const DETAILS_PX = 26;
const pale = "#575246";
const ground = "#fbf8f1";
/** Subset of the pages' font by scripts/make-fonts.ts. The system's fonts may lack ₦, or there may be none. */
const fontfile = fontFile("inter/inter.ttf");

/** The plate on the picture: the mark, a price in the operator's colour, and under it what else is to know. */
export type CardPlate = { mark: Buffer; ink: string; price: string; details: string };

/** Draws a card as JPEG: the picture covers it, and a plate is in the corner. Throws if the picture can't be read. */
export async function drawCard(picture: Buffer, plate?: CardPlate): Promise<Buffer> {
  const card = sharp(picture, { limitInputPixels: LIMIT_PIXELS, failOn: "error" })
    .rotate()
    .resize({ ...cardSize, fit: "cover", position: "centre" })
    .flatten({ background: ground });
  if (plate) card.composite(await drawPlate(plate));
  return card.jpeg({ quality: QUALITY, progressive: true, mozjpeg: true }).toBuffer();
}

async function drawPlate({ mark, ink, price, details }: CardPlate): Promise<OverlayOptions[]> {
  const size = Math.round(MARK_PX * 0.68);
  const inset = Math.round((MARK_PX - size) / 2);
  const drawnMark = await sharp(mark, { density: 300 }).resize(size, size, { fit: "inside" }).png().toBuffer();
  const [drawnPrice, drawnDetails] = [
    await drawText(price, { px: PRICE_PX, color: ink }),
    await drawText(details, { px: DETAILS_PX, color: pale }),
  ];
  const top = cardSize.height - MARGIN_PX - MARK_PX;
  const left = MARGIN_PX + MARK_PX;
  const width = MARK_PX + Math.max(drawnPrice.width, drawnDetails.width) + PADDING_PX;
  const plate = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${MARK_PX}"><rect width="${width}" height="${MARK_PX}" rx="24" fill="${ground}"/></svg>`;
  return [
    { input: Buffer.from(plate), left: MARGIN_PX, top },
    { input: drawnMark, left: MARGIN_PX + inset, top: top + inset },
    { input: drawnPrice.png, left, top: top + 22 },
    { input: drawnDetails.png, left, top: top + MARK_PX - 22 - drawnDetails.height },
  ];
}

const SITE_MARK_PX = 200;
const NAME_PX = 84;
const TAGLINE_PX = 36;

/** Draws a site's own card: mark, name and tagline on a plain ground. A long line is made smaller. */
export async function drawSiteCard({
  mark,
  ink,
  name,
  tagline,
}: {
  mark: Buffer;
  ink: string;
  name: string;
  tagline: string;
}): Promise<Buffer> {
  const most = cardSize.width - 4 * MARGIN_PX;
  const fitted = async (text: string, look: { px: number; color: string }) => {
    const { png, width, height } = await drawText(text, look);
    if (width <= most) return { png, height };
    const { data, info } = await sharp(png).resize({ width: most }).png().toBuffer({ resolveWithObject: true });
    return { png: data, height: info.height };
  };
  const [drawnName, drawnTagline] = [
    await fitted(name, { px: NAME_PX, color: ink }),
    await fitted(tagline, { px: TAGLINE_PX, color: pale }),
  ];
  const drawnMark = await sharp(mark).resize(SITE_MARK_PX, SITE_MARK_PX, { fit: "inside" }).png().toBuffer();
  const left = 2 * MARGIN_PX;
  return sharp({ create: { ...cardSize, channels: 3, background: ground } })
    .composite([
      { input: drawnMark, left, top: 110 },
      { input: drawnName.png, left, top: 360 },
      { input: drawnTagline.png, left, top: 360 + drawnName.height + PADDING_PX },
    ])
    .jpeg({ quality: QUALITY, progressive: true, mozjpeg: true })
    .toBuffer();
}

/** Draws a line in our font, trimmed. Signs that the font file lacks are the system's, or empty boxes. */
export async function drawText(
  text: string,
  { px, color }: { px: number; color: string },
): Promise<{ png: Buffer; width: number; height: number }> {
  const markup = `<span foreground="${color}" font_features="tnum">${escapeHtml(text)}</span>`;
  // At 72 dpi one point is one pixel.
  const line = { text: markup, font: `Inter Variable ${px}`, fontfile, rgba: true, dpi: 72 };
  const { data, info } = await sharp({ text: line }).png().toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}
