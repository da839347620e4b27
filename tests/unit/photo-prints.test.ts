import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { readPixels } from "#server/files/draw-photo.ts";
import { mirroredPrint, type PhotoPrints, readPrints, readTakenAt } from "#server/files/photo-prints.ts";
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

/** A made-up photo: light and shade all over it, and a dozen things in it. */
async function drawScene(seed: number): Promise<Buffer> {
  const next = numbersOf(seed * 7919);
  const shades = Buffer.from(Array.from({ length: 8 * 6 * 3 }, () => Math.floor(next() * 256)));
  const things = Array.from({ length: 12 }, () => {
    const color = `rgb(${[next(), next(), next()].map((part) => Math.floor(part * 255)).join(",")})`;
    const [x, y] = [next() * size.width, next() * size.height];
    if (next() < 0.5) return `<circle cx="${x}" cy="${y}" r="${20 + next() * 90}" fill="${color}"/>`;
    return `<rect x="${x}" y="${y}" width="${30 + next() * 200}" height="${20 + next() * 160}" fill="${color}"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">${things.join("")}</svg>`;
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

const printsOf = async (picture: Buffer): Promise<PhotoPrints> => readPrints(await readPixels(picture));
const bitsApart = (one: string, other: string): number => [...one].filter((bit, at) => bit !== other[at]).length;

/** As the query compares: the new photo's whole and inner part, and their mirrors, with an earlier photo. */
function distance(earlier: PhotoPrints, later: PhotoPrints): number {
  const wholes = [later.whole, mirroredPrint(later.whole)];
  const withWhole = [...wholes, later.inner, mirroredPrint(later.inner)].map((print) =>
    bitsApart(earlier.whole, print),
  );
  return Math.min(...withWhole, ...wholes.map((print) => bitsApart(earlier.inner, print)));
}

const count = isLong ? 400 : 24;

test(`${count} photos are known again when they were changed a little, and unlike ones aren't`, async () => {
  const originals: PhotoPrints[] = [];
  let found = 0;
  for (let seed = 1; seed <= count; seed++) {
    const scene = await drawScene(seed);
    const original = await printsOf(scene);
    originals.push(original);
    for (const change of Object.values(changes)) {
      const changed = await printsOf(await change(scene).png().toBuffer());
      if (distance(original, changed) <= alikeBits) found += 1;
    }
  }
  expect(found / (count * Object.keys(changes).length)).toBeGreaterThanOrEqual(0.95);
  const pairs = originals.flatMap((one, index) => originals.slice(index + 1).map((other) => distance(one, other)));
  const mistaken = pairs.filter((apart) => apart <= alikeBits).length;
  expect(mistaken / pairs.length).toBeLessThanOrEqual(0.001);
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
