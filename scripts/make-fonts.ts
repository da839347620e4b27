import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

/**
 * `npm run fonts`: cuts our typefaces out of the whole fonts of their packages, Inter for pages and pictures, Noto Sans for
 * papers. The files are kept in the repository: the server draws and prints with some of them where no development package
 * is installed, and a build needs no compressor of fonts. A test makes them again and compares.
 */
const root = fileURLToPath(new URL("../", import.meta.url));
const rootOf = (name: string) => join(createRequire(import.meta.url).resolve(`${name}/package.json`), "..");
const interRoot = rootOf("inter-ui");
const notoRoot = rootOf("@expo-google-fonts/noto-sans");

const span = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join("");

/** The characters of the pages' fonts. Other scripts fall back to the system's fonts. */
export const letters = [
  span(0x20, 0x7e),
  // Without the soft hyphen, which is drawn as the hyphen.
  span(0xa0, 0xac) + span(0xae, 0xff),
  // Names from elsewhere in Latin letters, but for one that Unicode advises against.
  span(0x100, 0x148) + span(0x14a, 0x17f),
  // Hausa, Yoruba and Igbo, and the accents that their tones are written with.
  "ƁɓƊɗƘƙƳƴẸẹỌọṢṣỊịỤụṄṅǸǹḾḿ",
  // Every mark that may stand on a letter: a mark from another font takes up a space of its own.
  span(0x300, 0x36f),
  "‐‑–—‘’‚“”„†•…‰‹›⁄\u2009\u202f",
  "₦€™←↑→↓↗−≈≠≤≥✓",
].join("");

const features = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum"];
/** Inter's optical size: the larger it is, the closer the letters. 20 is within 4 % of the width of phones' fonts. */
const opsz = 20;

/** All of Latin, Greek and Cyrillic: papers print names that somebody typed, and have no font to fall back to. */
const lettersOfPapers = [
  letters,
  span(0x180, 0x24f),
  span(0x250, 0x2af),
  span(0x370, 0x52f),
  span(0x1e00, 0x1eff),
  // The replacement for letters of other scripts.
  "\ufffd",
].join("");

/** The files by their path in the project. */
export async function makeFonts(): Promise<Record<string, Buffer>> {
  const whole = readFileSync(join(interRoot, "variable/InterVariable.woff2"));
  const licence = readFileSync(join(interRoot, "LICENSE.txt"));
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
  const ofPapers = (file: string) =>
    subsetFont(readFileSync(join(notoRoot, file)), lettersOfPapers, {
      targetFormat: "sfnt",
      // Without ccmp, which draws ọ as o and a dot: text copied out of a PDF then reads o. Kerning takes long to read.
      keepFeatures: ["mark", "mkmk"],
    });
  return {
    "src/client/app/fonts/inter.woff2": ofPages,
    "src/client/app/fonts/LICENSE.txt": licence,
    "fonts/inter/inter.ttf": ofPictures,
    "fonts/inter/LICENSE.txt": licence,
    "fonts/noto-sans/noto-sans.ttf": await ofPapers("400Regular/NotoSans_400Regular.ttf"),
    "fonts/noto-sans/noto-sans-bold.ttf": await ofPapers("600SemiBold/NotoSans_600SemiBold.ttf"),
    "fonts/noto-sans/LICENSE.txt": readFileSync(join(notoRoot, "LICENSE_FONT")),
  };
}

if (import.meta.main) {
  for (const [path, content] of Object.entries(await makeFonts())) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    console.log(`${(content.length / 1000).toFixed(1).padStart(6)} kB  ${path}`);
  }
}
