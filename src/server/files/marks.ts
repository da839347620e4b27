import { buffer } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { storedFiles } from "#server/db/schema/files.ts";
import { atMost } from "#server/platform/async.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { letterOf } from "#server/platform/site.ts";
import { fontFile } from "#server/root.ts";
import { markTexts } from "#shared/files.ts";
import { type MarkSize, markSizes, productColor, type SiteProfile } from "#shared/site/site.ts";
import { inDrawingTurn, inReadingTurn, requireWhole } from "./draw-photo.ts";
import { markKey } from "./photo-files.ts";
import { newFileKey } from "./storage.ts";
import { discardUpload } from "./uploads.ts";

/**
 * The operator's mark. Never served as uploaded: it is re-encoded as PNG of four sizes, and the row in stored_files names the
 * largest. Where there is none, the first letter on the operator's colour stands in for it.
 */

const largest = 512;
const limits = { least: 256, most: 4096 };

/**
 * Stores an uploaded mark, and removes the upload. Nothing refers to it yet; it is swept unless a profile does within
 * an hour. Throws AppError "invalid" for a picture that is damaged or not from 256 to 4,096 pixels wide and high.
 */
export async function storeMark(
  ctx: ActorContext,
  upload: { key: string; sha256: string; originalName: string },
): Promise<{ fileId: string }> {
  return inReadingTurn(() => storeInTurn(ctx, upload));
}

async function storeInTurn(ctx: ActorContext, upload: { key: string; sha256: string; originalName: string }) {
  const folder = newFileKey("mark");
  const written: string[] = [];
  try {
    const original = await buffer(await ctx.storage.read(upload.key));
    await requireWhole(original);
    const { width, height } = await sharp(original).metadata();
    if (Math.min(width, height) < limits.least || Math.max(width, height) > limits.most) throw refusal(markTexts.size);
    let bytes = 0;
    for (const size of markSizes) {
      const png = await inDrawingTurn(() => drawMark(original, size));
      bytes += png.length;
      written.push(markKey(folder, size));
      await ctx.storage.write(markKey(folder, size), png);
    }
    const [row] = await ctx.db
      .insert(storedFiles)
      .values({
        kind: "mark",
        storageKey: markKey(folder, largest),
        sha256: upload.sha256,
        bytes,
        contentType: "image/png",
        originalName: upload.originalName,
        uploadedBy: ctx.actor.id,
        createdAt: ctx.clock.now(),
      })
      .returning({ id: storedFiles.id });
    if (!row) throw new Error("the mark's row was not written");
    return { fileId: row.id };
  } catch (error) {
    for (const key of written) await discardUpload(ctx, key);
    throw error;
  } finally {
    await discardUpload(ctx, upload.key);
  }
}

const refusal = (text: string) => new AppError("invalid", text, { fields: { file: [text] } });

/** Square, upright and without metadata. What isn't square stands in the middle; phones' home screens get white behind it. */
async function drawMark(original: Buffer, size: MarkSize): Promise<Buffer> {
  const picture = sharp(original, { failOn: "error" })
    .autoOrient()
    .resize({ width: size, height: size, fit: "contain", background: "#ffffff00" });
  return (size === 180 ? picture.flatten({ background: "#ffffff" }) : picture).png({ compressionLevel: 9 }).toBuffer();
}

/** The key of one size of a stored mark; null where there is no such mark. */
export async function findMarkKey({ db }: Pick<Deps, "db">, fileId: string, size: MarkSize): Promise<string | null> {
  const [row] = await db
    .select({ kind: storedFiles.kind, key: storedFiles.storageKey })
    .from(storedFiles)
    .where(eq(storedFiles.id, fileId));
  return row?.kind === "mark" ? markKey(row.key.replace(/\/[^/]*$/, ""), size) : null;
}

/** The mark as PNG, for cards and papers; null for the product's own leaf, which the demo shows. */
export async function readMark(
  deps: Pick<Deps, "db" | "env" | "storage">,
  site: SiteProfile,
  size: MarkSize,
): Promise<Buffer | null> {
  if (site.markFileId === null) return deps.env.demo ? null : drawLetter(site, size);
  const key = await findMarkKey(deps, site.markFileId, size);
  if (key === null) throw new Error("the site's mark has no row");
  return buffer(await deps.storage.read(key));
}

/** Drawing a letter takes some milliseconds, and anybody may ask for one. */
const inLetterTurn = atMost(2);

/** The first letter of the site's name in white on the operator's colour. */
export function drawLetter(site: Pick<SiteProfile, "name" | "look">, size: MarkSize): Promise<Buffer> {
  return inLetterTurn(async () => {
    const color = site.look?.color ?? productColor;
    const corner = size === 180 ? 0 : Math.round(size * 0.22);
    const ground = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" rx="${corner}" fill="${color}"/></svg>`;
    const line = {
      text: `<span foreground="#ffffff" weight="bold">${escapeMarkup(letterOf(site))}</span>`,
      font: `Inter Variable ${Math.round(size * 0.6)}`,
      fontfile: fontFile("inter/inter.ttf"),
      rgba: true,
      dpi: 72,
    };
    const most = Math.round(size * 0.7);
    const letter = await sharp({ text: line })
      .resize({ width: most, height: most, fit: "inside", withoutEnlargement: true })
      .png()
      .toBuffer();
    return sharp(Buffer.from(ground))
      .composite([{ input: letter, gravity: "centre" }])
      .png()
      .toBuffer();
  });
}

const markup: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeMarkup = (text: string) => text.replace(/[&<>]/g, (sign) => markup[sign] ?? "");
