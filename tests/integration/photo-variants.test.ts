import { rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { buildApp } from "#server/app.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { inDrawingTurn } from "#server/files/draw-photo.ts";
import { deleteStoredFile } from "#server/files/orphans.ts";
import { storePhoto } from "#server/files/photos.ts";
import { newFileKey } from "#server/files/storage.ts";
import { cleanUp } from "#server/housekeeping.ts";
import { AppError } from "#server/platform/errors.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { contextOf } from "#tests/support/money.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";

const forever = "public, max-age=31536000, immutable";
const forNow = "public, max-age=60";

const deps = await openTestDeps();
let app: FastifyInstance;
let manager: TestUser;
/** A photo as storePhoto leaves it, 700 wide. */
let photo: { fileId: string; id: string };

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  manager = await createAdmin(deps.db, "manager");
});
afterAll(async () => {
  await app.close();
});
afterEach(() => {
  vi.restoreAllMocks();
});
beforeEach(async () => {
  const key = newFileKey("photo");
  const original = await sharp({ create: { width: 700, height: 350, channels: 3, background: "green" } })
    .png()
    .toBuffer();
  await deps.storage.write(key, original);
  const ctx = await contextOf(deps, manager);
  const { fileId, url } = await storePhoto(ctx, { key, sha256: "0".repeat(64), originalName: "farm.png" });
  photo = { fileId, id: url.split("/")[3] ?? "" };
});

const keyOf = (name: string) => `photo/${photo.id}/${name}`;
const get = (name: string, headers: Record<string, string> = {}) =>
  app.inject({ url: `/files/photos/${photo.id}/${name}`, headers });

async function countFiles(): Promise<number> {
  let count = 0;
  for await (const _ of deps.storage.list(`photo/${photo.id}/`)) count += 1;
  return count;
}

test.each([
  ["320.avif", "image/avif"],
  ["672.webp", "image/webp"],
  ["700.avif", "image/avif"],
])("%s that isn't stored is drawn again, once for all who ask, and stays", async (name, type) => {
  await deps.storage.remove(keyOf(name));
  const write = vi.spyOn(deps.storage, "write");
  const answers = await Promise.all([get(name), get(name), get(name)]);
  for (const { statusCode, headers, rawPayload } of answers) {
    expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([200, type, forever]);
    expect(await sharp(rawPayload).metadata()).toMatchObject({ mediaType: type, width: Number.parseInt(name, 10) });
  }
  expect(write.mock.calls.map(([key]) => key)).toEqual([keyOf(name)]);
  expect((await get(name)).rawPayload).toEqual(answers[0]?.rawPayload);
  expect(write).toHaveBeenCalledTimes(1);
});

test("nothing is drawn in a width that a photo doesn't have, of no photo, and without its largest file", async () => {
  const before = await countFiles();
  const others = ["321.avif", "1008.avif", "1600.webp", "0320.webp", "320.jpeg", "320.png", "99999.webp", "320"];
  for (const name of others) expect([name, (await get(name)).statusCode]).toEqual([name, 404]);
  const ofNone = await app.inject(`/files/photos/${"e".repeat(32)}/320.avif`);
  expect([ofNone.statusCode, ofNone.headers["cache-control"]]).toEqual([404, "no-store"]);
  expect(await countFiles()).toBe(before);
  await deps.storage.remove(keyOf("700.webp"));
  await deps.storage.remove(keyOf("320.avif"));
  expect([(await get("700.webp")).statusCode, (await get("320.avif")).statusCode]).toEqual([404, 404]);
});

test("the largest file stands in for a minute where another can't be stored, and then no longer", async () => {
  await deps.storage.remove(keyOf("480.avif"));
  const full = new AppError("unavailable", "The disk is full.");
  vi.spyOn(deps.storage, "write").mockRejectedValueOnce(full);
  const substitute = await get("480.avif");
  expect([substitute.statusCode, substitute.headers["content-type"]]).toEqual([200, "image/webp"]);
  expect(substitute.headers["cache-control"]).toBe(forNow);
  expect((await sharp(substitute.rawPayload).metadata()).width).toBe(700);
  // Its validator is not the real one's.
  const real = await get("480.avif", { "if-none-match": String(substitute.headers.etag) });
  expect([real.statusCode, real.headers["content-type"], real.headers["cache-control"]]).toEqual([
    200,
    "image/avif",
    forever,
  ]);
});

test("the largest file stands in while too many drawings wait", async () => {
  await deps.storage.remove(keyOf("480.avif"));
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const waiting = Array.from({ length: 10 }, () => inDrawingTurn(() => held));
  const { headers } = await get("480.avif");
  expect([headers["content-type"], headers["cache-control"]]).toEqual(["image/webp", forNow]);
  release();
  await Promise.all(waiting);
  expect((await get("480.avif")).headers["content-type"]).toBe("image/avif");
});

test("while the storage is away a photo is unavailable, not missing", async () => {
  vi.spyOn(deps.storage, "size").mockRejectedValue(new AppError("unavailable", "Try again."));
  const { statusCode, headers } = await get("320.avif");
  expect([statusCode, headers["cache-control"]]).toEqual([503, "no-store"]);
});

test("a photo's files of other widths, as they were once, go with it", async () => {
  await deps.storage.write(keyOf("640.webp"), Buffer.from("of before"));
  await deleteStoredFile(deps, photo.fileId);
  expect(await countFiles()).toBe(0);
});

test("a photo whose files are lost can be deleted", async () => {
  for await (const { key } of deps.storage.list(`photo/${photo.id}/`)) await deps.storage.remove(key);
  await rm(join(deps.env.dataDir, "files/photo", photo.id), { recursive: true });
  await deleteStoredFile(deps, photo.fileId);
  expect(await deps.db.$count(storedFiles, eq(storedFiles.id, photo.fileId))).toBe(0);
});

test("no file of a deleted photo stays, not even one that was being drawn then", async () => {
  await deps.storage.remove(keyOf("320.avif"));
  const write = deps.storage.write;
  vi.spyOn(deps.storage, "write").mockImplementationOnce(async (key, bytes) => {
    await deleteStoredFile(deps, photo.fileId);
    expect(await countFiles()).toBe(0);
    await write(key, bytes);
    const at = deps.clock.now();
    await utimes(join(deps.env.dataDir, "files", key), at, at);
  });
  expect((await get("320.avif")).statusCode).toBe(200);
  deps.clock.advance({ hours: 2 });
  await cleanUp(deps);
  expect(await countFiles()).toBe(0);
  expect((await get("320.avif")).statusCode).toBe(404);
});
