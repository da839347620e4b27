import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

/**
 * `npm run fonts`: cuts our one typeface, Inter, out of the whole font of its package. The files are kept in the
 * repository: the server draws with one of them where no development package is installed, and a build needs no
 * compressor of fonts. A test makes them again and compares.
 */
const root = fileURLToPath(new URL("../", import.meta.url));
const packageRoot = join(createRequire(import.meta.url).resolve("inter-ui/package.json"), "..");

const span = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join("");

/** What the pages can be written in; other scripts fall back to the system's fonts. */
export const letters = [
  span(0x20, 0x7e),
  // Without the soft hyphen, which is drawn as the hyphen.
  span(0xa0, 0xac) + span(0xae, 0xff),
  // Names from elsewhere in Latin letters, but for one that Unicode advises against.
  span(0x100, 0x148) + span(0x14a, 0x17f),
  // Hausa, Yoruba and Igbo, and the accents that their tones are written with.
  "ƁɓƊɗƘƙƳƴẸẹỌọṢṣỊịỤụṄṅǸǹḾḿ",
  // Every mark that may stand on a letter: one from another font beside those of this one takes room of its own.
  span(0x300, 0x36f),
  "‐‑–—‘’‚“”„†•…‰‹›⁄\u2009\u202f",
  "₦€™←↑→↓↗−≈≠≤≥✓",
].join("");

const features = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum"];
/** Inter's letters stand closer the larger they are meant to be shown. 20 is as wide as what phones bring, within 4 %. */
const opsz = 20;

/** The files by their path in the project. */
export async function makeFonts(): Promise<Record<string, Buffer>> {
  const whole = readFileSync(join(packageRoot, "variable/InterVariable.woff2"));
  const licence = readFileSync(join(packageRoot, "LICENSE.txt"));
  const ofPages = await subsetFont(whole, letters, {
    targetFormat: "woff2",
    keepFeatures: features,
    variationAxes: { opsz, wght: { min: 400, max: 700 } },
  });
  // The library that draws pictures reads no WOFF2. Pictures hold amounts and our own words, in one weight.
  const ofPictures = await subsetFont(whole, `${span(0x20, 0x7e)}₦…·`, {
    targetFormat: "sfnt",
    keepFeatures: ["kern", "tnum"],
    variationAxes: { opsz, wght: 650 },
  });
  return {
    "src/client/app/fonts/inter.woff2": ofPages,
    "src/client/app/fonts/LICENSE.txt": licence,
    "src/server/http/pages/fonts/inter.ttf": ofPictures,
    "src/server/http/pages/fonts/LICENSE.txt": licence,
  };
}

if (import.meta.main) {
  for (const [path, content] of Object.entries(await makeFonts())) {
    writeFileSync(join(root, path), content);
    console.log(`${(content.length / 1000).toFixed(1).padStart(6)} kB  ${path}`);
  }
}
