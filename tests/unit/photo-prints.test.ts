import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { readPixels } from "#server/files/draw-photo.ts";
import { type PhotoPrints, readPrints, readTakenAt } from "#server/files/photo-prints.ts";
import { isLong } from "#tests/support/length.ts";

const size = { width: 640, height: 480 };
const alikeBits = 8;

/** Numbers from 0 to 1 that are the same in each run. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const skies = ["none", "blue", "clipped"] as const;

/** A made-up photo: light and shade all over it, a sky over some, and a dozen things below it. */
async function drawScene(seed: number): Promise<Buffer> {
  const next = numbersOf(seed * 7919);
  const shades = Buffer.from(Array.from({ length: 8 * 6 * 3 }, () => Math.floor(next() * 256)));
  const sky = skies[seed % skies.length];
  const horizon = sky === "none" ? 0 : size.height * (0.25 + next() * 0.35);
  const things = Array.from({ length: 12 }, () => {
    const color = `rgb(${[next(), next(), next()].map((part) => Math.floor(part * 255)).join(",")})`;
    const [x, y] = [next() * size.width, horizon + next() * (size.height - horizon)];
    if (next() < 0.5) return `<circle cx="${x}" cy="${y}" r="${20 + next() * 90}" fill="${color}"/>`;
    return `<rect x="${x}" y="${y}" width="${30 + next() * 200}" height="${20 + next() * 160}" fill="${color}"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">
    <linearGradient id="blue" x2="0" y2="1"><stop stop-color="#5b9bd8"/><stop offset="1" stop-color="#dcebf7"/></linearGradient>
    <rect width="640" height="${horizon}" fill="${sky === "blue" ? "url(#blue)" : "white"}"/>${things.join("")}</svg>`;
  return sharp(shades, { raw: { width: 8, height: 6, channels: 3 } })
    .resize(size.width, size.height, { kernel: "cubic" })
    .composite([{ input: Buffer.from(drawing) }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

const changes: Record<string, (scene: Buffer) => Sharp> = {
  resized: (scene) => sharp(scene).resize(320),
  "quality 40": (scene) => sharp(scene).jpeg({ quality: 40 }),
  "cropped 5 %": (scene) => sharp(scene).extract({ left: 16, top: 12, width: 608, height: 456 }),
  mirrored: (scene) => sharp(scene).flop(),
  brighter: (scene) => sharp(scene).modulate({ brightness: 1.25 }),
};

const printsOf = async (picture: Buffer): Promise<PhotoPrints | null> => readPrints(await readPixels(picture));
const bitsApart = (one: string, other: string): number => [...one].filter((bit, at) => bit !== other[at]).length;

/** Compares as the query does: the new photo's whole and inner part, and their mirrors, with an earlier photo. */
function distance(earlier: PhotoPrints | null, later: PhotoPrints | null): number {
  if (!earlier || !later) return 128;
  const wholes = [later.print, later.mirror];
  const withWhole = [...wholes, later.inner, later.innerMirror].map((print) => bitsApart(earlier.print, print));
  return Math.min(...withWhole, ...wholes.map((print) => bitsApart(earlier.inner, print)));
}

const count = isLong ? 400 : 12;

describe(`of ${count} photos, with a blue sky, a white one and none`, async () => {
  const scenes = await Promise.all(Array.from({ length: count }, (_, index) => drawScene(index + 1)));
  const originals: (PhotoPrints | null)[] = [];
  for (const scene of scenes) originals.push(await printsOf(scene));

  test.each(Object.entries(changes))("those %s are known again", async (name, change) => {
    const apart: number[] = [];
    for (const [index, scene] of scenes.entries()) {
      const changed = await printsOf(
        await change(scene)
          .jpeg({ quality: name === "quality 40" ? 40 : 80 })
          .toBuffer(),
      );
      apart.push(distance(originals[index] ?? null, changed));
    }
    const found = apart.filter((bits) => bits <= alikeBits).length;
    expect(found / count, `${found} of ${count}`).toBeGreaterThanOrEqual(0.95);
  });

  test("none is taken for another", () => {
    const pairs = originals.flatMap((one, index) => originals.slice(index + 1).map((other) => distance(one, other)));
    const mistaken = pairs.filter((bits) => bits <= alikeBits).length;
    expect(mistaken / pairs.length, `${mistaken} of ${pairs.length}`).toBeLessThanOrEqual(0.001);
  });
});

test.each([
  ["one colour", "<rect width='640' height='480' fill='#9a9a92'/>"],
  ["a white sky and a bird", "<rect width='640' height='480' fill='white'/><circle cx='200' cy='90' r='9'/>"],
  [
    "a wall in the shade",
    "<rect width='640' height='480' fill='#b9b4a8'/><rect width='640' height='90' fill='#b6b1a5'/>",
  ],
  ["the night and a lamp", "<rect width='640' height='480'/><circle cx='400' cy='90' r='15' fill='#ffd'/>"],
])("a photo of %s has no print", async (_, drawn) => {
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">${drawn}</svg>`);
  const grain = { type: "gaussian" as const, mean: 128, sigma: 6 };
  const grains = await sharp({ create: { ...size, channels: 3, background: "grey", noise: grain } })
    .png()
    .toBuffer();
  const photo = sharp(svg)
    .composite([{ input: grains, blend: "soft-light" }])
    .flatten()
    .jpeg({ quality: 75 });
  expect(await printsOf(await photo.toBuffer())).toBeNull();
});

const withDate = (date: string): Promise<Buffer> =>
  sharp({ create: { ...size, channels: 3, background: "green" } })
    .withExif({ IFD2: { DateTimeOriginal: date } })
    .jpeg()
    .toBuffer();

test.each([
  ["2026:11:20 09:30:00", "2026-11-20T08:30:00Z"],
  ["2028:02:29 00:10:00", "2028-02-28T23:10:00Z"],
  ["2026:13:01 09:30:00", null],
  ["2026:02:31 09:30:00", null],
  ["2027:02:29 09:30:00", null],
  ["2026:11:20 25:30:00", null],
  ["0000:00:00 00:00:00", null],
  ["1980:01:01 00:00:00", null],
  ["    :  :     :  :  ", null],
  ["yesterday", null],
])("the camera's date %s is read as Lagos keeps it, if it is a real day: %s", async (written, takenAt) => {
  expect(await readTakenAt(await withDate(written))).toEqual(takenAt === null ? null : new Date(takenAt));
});

test("a photo without a date has none", async () => {
  const plain = sharp({ create: { ...size, channels: 3, background: "green" } }).jpeg();
  expect(await readTakenAt(await plain.toBuffer())).toBeNull();
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["no photo", Buffer.from("not a photo")],
])("%s has no date, and no fault", async (_, bytes) => {
  expect(await readTakenAt(bytes)).toBeNull();
});
