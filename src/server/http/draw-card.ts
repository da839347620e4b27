import { loadSharp } from "#server/core/draw-photo.ts";
import { cardSize } from "./card-paths.ts";

/** What a picture of ours may weigh and measure before it is drawn: far above what we make or take. */
const LIMIT_PIXELS = 50_000_000;
const QUALITY = 80;
const MARK_PX = 112;
const MARGIN_PX = 40;

/** The JPEG of a card: the picture fills it, our mark lies on a plate in the corner. Throws where it is no picture. */
export async function drawCard(picture: Buffer, mark?: Buffer): Promise<Buffer> {
  const sharp = await loadSharp();
  const card = sharp(picture, { limitInputPixels: LIMIT_PIXELS, failOn: "error" })
    .rotate()
    .resize({ ...cardSize, fit: "cover", position: "centre" })
    .flatten({ background: "#fbf8f1" });
  if (mark) {
    const size = Math.round(MARK_PX * 0.68);
    const drawnMark = await sharp(mark, { density: 300 }).resize(size, size, { fit: "inside" }).png().toBuffer();
    const top = cardSize.height - MARGIN_PX - MARK_PX;
    const inset = Math.round((MARK_PX - size) / 2);
    card.composite([
      { input: plate, left: MARGIN_PX, top },
      { input: drawnMark, left: MARGIN_PX + inset, top: top + inset },
    ]);
  }
  return card.jpeg({ quality: QUALITY, progressive: true, mozjpeg: true }).toBuffer();
}

const plate = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${MARK_PX}" height="${MARK_PX}"><rect width="${MARK_PX}" height="${MARK_PX}" rx="24" fill="#fbf8f1"/></svg>`,
);
