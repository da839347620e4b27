import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createStorage } from "#server/files/open-storage.ts";
import { FileMissingError, newFileKey } from "#server/files/storage.ts";
import type { FileStorage } from "#server/platform/deps.ts";
import { EnvError } from "#server/platform/env.ts";
import { tempFolder } from "#tests/support/http-app.ts";
import { type S3Server, startS3 } from "#tests/support/s3-server.ts";

async function keysOf(list: AsyncIterable<{ key: string }>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of list) keys.push(key);
  return keys.sort();
}

/** A storage of the test's own in a folder, or in a bucket. */
const kinds: [string, (folder: string) => Promise<FileStorage>][] = [
  ["disk", (dataDir) => createStorage({ dataDir })],
  ["S3", async (dataDir) => createStorage({ dataDir, s3: (await s3ForTest()).settings })],
];

async function s3ForTest(): Promise<S3Server> {
  const server = await startS3();
  onTestFinished(() => server.remove());
  return server;
}

test.each(kinds)(
  "%s: a stored file can be read whole and in part, measured, listed and removed",
  async (_name, open) => {
    const storage = await open(await tempFolder());
    const receipt = newFileKey("receipt");
    const photo = newFileKey("photo");
    await storage.write(receipt, Readable.from([Buffer.from("hello "), Buffer.from("farm")]));
    await storage.write(photo, Buffer.from("picture"));

    expect(await text(await storage.read(receipt))).toBe("hello farm");
    expect(await text(await storage.read(receipt, { start: 6, end: 8 }))).toBe("far");
    expect(await storage.size(receipt)).toBe(10);
    expect(await keysOf(storage.list())).toEqual([photo, receipt].sort());
    expect(await keysOf(storage.list("receipt/"))).toEqual([receipt]);
    expect(await keysOf(storage.list("resume/"))).toEqual([]);

    await storage.remove(receipt);
    await storage.remove(receipt);
    expect(await storage.exists(receipt)).toBe(false);
    expect(await storage.exists(photo)).toBe(true);
    await expect(storage.read(receipt)).rejects.toBeInstanceOf(FileMissingError);
    await expect(storage.size(receipt)).rejects.toBeInstanceOf(FileMissingError);
  },
);

test("keys are random and one kind's", () => {
  expect(newFileKey("receipt")).toMatch(/^receipt\/[0-9a-f]{32}$/);
  expect(newFileKey("receipt")).not.toBe(newFileKey("receipt"));
});

const noKeys = [
  "../secret",
  "receipt/../../secret",
  "/etc/passwd",
  "receipt/.hidden",
  "a\\..\\b",
  "receipt/\0x",
  "",
  "a//b",
];

test.each(kinds)("%s: what could climb or hide is no key", async (_name, open) => {
  const folder = await tempFolder();
  const storage = await open(folder);
  for (const key of noKeys) {
    await expect(storage.write(key, Buffer.from("x")), key).rejects.toThrow("not a storage key");
    await expect(storage.read(key), key).rejects.toThrow("not a storage key");
    await expect((async () => storage.remove(key))(), key).rejects.toThrow("not a storage key");
    await expect((async () => storage.move(newFileKey("receipt"), key))(), key).rejects.toThrow("not a storage key");
  }
  expect(await keysOf(storage.list())).toEqual([]);
  expect(await readdir(folder, { recursive: true })).toEqual(["files", "files/.partial"]);
});

test.each(kinds)("%s: a file can be given another key", async (_name, open) => {
  const storage = await open(await tempFolder());
  const key = newFileKey("receipt");
  await storage.write(key, Buffer.from("a receipt"));
  await storage.move(key, `set-aside/${key}`);
  expect(await storage.exists(key)).toBe(false);
  expect(await text(await storage.read(`set-aside/${key}`))).toBe("a receipt");
  await expect(storage.move(key, `set-aside/${key}`)).rejects.toBeInstanceOf(FileMissingError);
});

test.each(kinds)("%s: a large file comes back as it was sent", async (_name, open) => {
  const storage = await open(await tempFolder());
  const key = newFileKey("video");
  const chunks = Array.from({ length: 100 }, () => randomBytes(64 * 1024));
  await storage.write(key, Readable.from(chunks));
  const whole = Buffer.concat(chunks);
  expect((await buffer(await storage.read(key))).equals(whole)).toBe(true);
  const part = await buffer(await storage.read(key, { start: 5_000_000, end: 5_999_999 }));
  expect(part.equals(whole.subarray(5_000_000, 6_000_000))).toBe(true);
});

test.each(kinds)("%s: a source that fails half way leaves nothing under the key nor beside it", async (_name, open) => {
  const folder = await tempFolder();
  const storage = await open(folder);
  const key = newFileKey("receipt");
  await storage.write(key, Buffer.from("first"));
  async function* failing() {
    yield Buffer.alloc(100_000, 1);
    expect(await text(await storage.read(key)), "the old file stands while the new one is written").toBe("first");
    throw new Error("the line broke");
  }
  await expect(storage.write(key, failing())).rejects.toThrow("the line broke");
  expect(await text(await storage.read(key))).toBe("first");
  expect(await readdir(join(folder, "files/.partial"))).toEqual([]);
});

test("what a killed process left half-written is cleared a day later, and never listed", async () => {
  const folder = await tempFolder();
  const partials = join(folder, "files/.partial");
  await mkdir(partials, { recursive: true });
  await writeFile(join(partials, "old"), "x");
  await writeFile(join(partials, "new"), "x");
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 3600 * 1000);
  await utimes(join(partials, "old"), twoDaysAgo, twoDaysAgo);
  const storage = await createStorage({ dataDir: folder });
  expect(await readdir(partials)).toEqual(["new"]);
  expect(await keysOf(storage.list())).toEqual([]);
});

// A full disk needs a small one: mounting it takes root.
test.skipIf(process.getuid?.() !== 0 || process.platform !== "linux")(
  "a full disk is told and keeps what was there",
  async () => {
    const folder = await tempFolder();
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "none", folder]);
    onTestFinished(() => void execFileSync("/bin/umount", [folder]));
    const storage = await createStorage({ dataDir: folder });
    const kept = newFileKey("receipt");
    await storage.write(kept, Buffer.alloc(200_000, 7));
    const lost = newFileKey("receipt");
    const twoMegabytes = Readable.from(Array.from({ length: 32 }, () => Buffer.alloc(64 * 1024)));
    await expect(storage.write(lost, twoMegabytes)).rejects.toMatchObject({
      reason: "unavailable",
      message: "We couldn't store the file. Nothing was changed; please try again.",
    });
    expect(await keysOf(storage.list())).toEqual([kept]);
    expect((await buffer(await storage.read(kept))).length).toBe(200_000);
    expect(await readdir(join(folder, "files/.partial"))).toEqual([]);
  },
);

test("every file of a large bucket is listed, and names that aren't ours are passed over", async () => {
  const server = await s3ForTest();
  const storage = await createStorage({ dataDir: await tempFolder(), s3: server.settings });
  // A page of S3 has a thousand.
  const keys = Array.from({ length: 1003 }, () => newFileKey("resume"));
  await mkdir(dirname(server.pathOf(keys[0] ?? "")));
  for (const key of [...keys, "resume/Somebody's backup.tar"]) await writeFile(server.pathOf(key), "x");
  expect(await keysOf(storage.list())).toEqual(keys.sort());
});

test("while S3 is away nothing is stored, read or forgotten, which is told; then all goes on", async () => {
  const server = await s3ForTest();
  const folder = await tempFolder();
  const storage = await createStorage({ dataDir: folder, s3: server.settings });
  const kept = newFileKey("receipt");
  await storage.write(kept, Buffer.from("kept"));
  await server.stop();

  const notStored = "We couldn't store the file. Nothing was changed; please try again.";
  const lost = newFileKey("receipt");
  for (const source of [Buffer.from("x"), Readable.from([Buffer.from("x")])]) {
    await expect(storage.write(lost, source)).rejects.toMatchObject({ reason: "unavailable", message: notStored });
  }
  const message = "This file can't be loaded at the moment. Please try again.";
  const questions = [
    () => storage.read(kept),
    () => storage.size(kept),
    () => storage.exists(kept),
    () => keysOf(storage.list()),
  ];
  for (const ask of questions) {
    await expect(ask()).rejects.toMatchObject({ reason: "unavailable", message });
  }
  expect(await readdir(join(folder, "files/.partial"))).toEqual([]);

  await server.start();
  expect(await keysOf(storage.list())).toEqual([kept]);
  await storage.write(lost, Readable.from([Buffer.from("found")]));
  expect(await text(await storage.read(lost))).toBe("found");
});

test("a bucket that isn't there stops the start with one line, a server that is away doesn't", async () => {
  const server = await s3ForTest();
  const dataDir = await tempFolder();
  const s3 = { ...server.settings, bucket: "another" };
  await expect(createStorage({ dataDir, s3 })).rejects.toThrow(
    new EnvError([`S3_BUCKET: the bucket another of ${s3.endpoint} doesn't exist`]),
  );
  await server.stop();
  const storage = await createStorage({ dataDir, s3: server.settings });
  await server.start();
  expect(await keysOf(storage.list())).toEqual([]);
});

test("S3's SDK is loaded only where S3 is set up", async () => {
  const script = `
    import { registerHooks } from "node:module";
    const seen = [];
    registerHooks({ load: (url, context, next) => (seen.push(url), next(url, context)) });
    const { createStorage } = await import("#server/files/open-storage.ts");
    await createStorage({ dataDir: process.env.FOLDER });
    const isSdk = (url) => url.includes("@aws-sdk");
    const before = seen.filter(isSdk).length;
    await import("#server/files/s3-storage.ts");
    console.log(before, seen.filter(isSdk).length > 0);`;
  const env = { ...process.env, FOLDER: await tempFolder() };
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { env, encoding: "utf8" });
  expect(output.trim()).toBe("0 true");
}, 60_000);

test("removals that were held up are each tried, also after one that fails", async () => {
  const storage = await createStorage({ dataDir: await tempFolder() });
  const inFolder = `photo/${"a".repeat(32)}/480.webp`;
  const receipt = newFileKey("receipt");
  for (const key of [inFolder, receipt]) await storage.write(key, Buffer.from("bytes"));
  const release = storage.holdRemovals();
  // A folder is no file: it can't be removed.
  for (const key of [inFolder.slice(0, -"/480.webp".length), receipt]) await storage.remove(key);
  expect(await storage.exists(receipt)).toBe(true);
  await expect(release()).rejects.toThrow();
  expect(await storage.exists(receipt)).toBe(false);
});
