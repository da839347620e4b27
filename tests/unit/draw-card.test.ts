import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { cardWords } from "#server/http/pages/card-paths.ts";
import { drawCard, drawText } from "#server/http/pages/draw-card.ts";

const folder = mkdtempSync(join(tmpdir(), "gona-fonts-"));
afterAll(() => rmSync(folder, { recursive: true }));

const program = `
  import { createHash } from "node:crypto";
  import sharp from "sharp";
import { cardWords } from "#server/http/pages/card-paths.ts";
import { drawCard, drawText } from "#server/http/pages/draw-card.ts";
  const drawn = [];
  for (const text of JSON.parse(process.argv[1])) {
    const { png, width } = await drawText(text, { px: 44, color: "#14532d" });
    drawn.push({ width, hash: createHash("sha256").update(png).digest("hex") });
  }
  console.log(JSON.stringify(drawn));
`;

/** Draws lines in a process that knows only the fonts of `config`, a file of fontconfig. */
function drawIn(config: string, texts: string[]): { width: number; hash: string }[] {
  const env = { ...process.env, FONTCONFIG_FILE: config };
  const args = ["--input-type=module", "--eval", program, JSON.stringify(texts)];
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: "utf8" }));
}

test("the words of a card look the same whatever fonts the system has, and ₦ is among them", {
  timeout: 30_000,
}, async () => {
  const none = join(folder, "fonts.conf");
  writeFileSync(none, `<?xml version="1.0"?><fontconfig><cachedir>${folder}</cachedir></fontconfig>`);
  const bare = drawIn(none, ["₦1,250,000", "₦", "N", "\ue000"]);
  const here = await drawText("₦1,250,000", { px: 44, color: "#14532d" });
  // Systems smooth letters in their own ways, by a pixel. Another font's would be wider by far.
  expect(Math.abs(here.width - (bare[0]?.width ?? 0))).toBeLessThanOrEqual(2);
  // The last one is in no font: what a missing sign looks like.
  expect(new Set(bare.map(({ hash }) => hash)).size).toBe(4);
});

test("the price of one lot is what a card says first", () => {
  const farm = { lots: 40, approvedLots: 12, outcome: null, lotPriceKobo: 5_000_000n, fundingGoalKobo: 200_000_000n };
  expect(cardWords(farm)).toEqual({ price: "₦50,000 a lot", details: "12 of 40 lots taken · Goal ₦2,000,000" });
  const whole = { ...farm, lots: 1, approvedLots: 0, lotPriceKobo: 200_000_000n };
  expect(cardWords(whole)).toEqual({ price: "₦2,000,000", details: "One lot" });
});

test("the price stands on top of its plate, twice as high as what is under it", async () => {
  const picture = await sharp({ create: { width: 1200, height: 750, channels: 3, background: "#c00000" } })
    .png()
    .toBuffer();
  const mark = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#fff" d="M0 0h8v8"/></svg>',
  );
  const drawn = await drawCard(picture, { mark, ink: "#14532d", price: "₦50,000", details: "12 of 40 lots" });
  const { data, info } = await sharp(drawn).raw().toBuffer({ resolveWithObject: true });
  const [price, details] = [
    { red: 0x14, green: 0x53, blue: 0x2d },
    { red: 0x57, green: 0x52, blue: 0x46 },
  ].map(({ red, green, blue }) => {
    const rows = Array.from({ length: info.height }, (_, y) => y).filter((y) =>
      Array.from({ length: info.width }, (_, x) => (y * info.width + x) * info.channels).some(
        (at) =>
          Math.abs((data[at] ?? 0) - red) +
            Math.abs((data[at + 1] ?? 0) - green) +
            Math.abs((data[at + 2] ?? 0) - blue) <
          24,
      ),
    );
    return { top: Math.min(...rows), bottom: Math.max(...rows) };
  });
  if (!price || !details) throw new Error("the plate has two lines");
  expect(price.bottom).toBeLessThan(details.top);
  expect(price.bottom - price.top).toBeGreaterThan(1.8 * (details.bottom - details.top));
});
