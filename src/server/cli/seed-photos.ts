import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { z } from "zod";
import { sceneFile } from "#server/root.ts";
import { readDemoFile } from "./demo-data.ts";
import type { DemoPhoto } from "./demo-reports.ts";

/** The photos of the demo's reports: a part of the farm's scene, with a slate on which the report's code is written. */

/** Small, because each is encoded in all sizes of its width while the demo is loaded. */
const size = { width: 440, height: 330 };

/** How to write each letter and digit of a code, 10 wide and 14 high. The machine may have no font. */
const readChalk = async () => z.record(z.string(), z.string()).parse(await readDemoFile("chalk.json"));

type Drawn = { slug: string; photo: DemoPhoto; code: string };

/** A JPEG file, as a phone makes it. */
export async function drawReportPhoto({ slug, photo, code }: Drawn): Promise<Buffer> {
  const { x, y, width, slate, isMirrored } = photo;
  const height = (width * size.height) / size.width;
  const scene = (await readFile(sceneFile(slug), "utf8")).replace(
    /^<svg[^>]*>/,
    `<svg width="${size.width}" height="${size.height}" viewBox="${x} ${y} ${width} ${height}">`,
  );
  const held = slate ? drawSlate(await readChalk(), code, slate) : "";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${scene}${held}</svg>`;
  const drawn = sharp(Buffer.from(svg)).flatten({ background: "#ffffff" });
  return (isMirrored ? drawn.flop() : drawn).jpeg({ quality: 85 }).toBuffer();
}

/** A slate in a wooden frame, held into the picture from below. */
function drawSlate(chalk: Record<string, string>, code: string, side: "left" | "right"): string {
  const letters = [...code].map((letter, index) => `<path d="${chalk[letter]}" transform="translate(${index * 15})"/>`);
  const place = side === "left" ? "translate(22 214) rotate(-5)" : "translate(266 202) rotate(4)";
  return `<g transform="${place}">
    <path d="M46 140V96q0-12 10-12t10 12v44z" fill="#7a4a2b"/>
    <path d="M86 140V98q0-12 10-12t10 12v42z" fill="#7a4a2b"/>
    <rect width="152" height="96" rx="6" fill="#b9814a"/>
    <rect x="8" y="8" width="136" height="80" rx="2" fill="#2b3331"/>
    <g transform="translate(22 26) scale(2 3)" fill="none" stroke="#f3efe4" stroke-linecap="round" stroke-linejoin="round" stroke-width="1.7">${letters.join("")}</g>
    <path d="M52 98V88q0-8 7-8t7 8v10zM90 98V90q0-8 7-8t7 8v8z" fill="#8d5a36"/>
  </g>`;
}
