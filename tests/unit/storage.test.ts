import { execFileSync } from "node:child_process";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createStorage, FileMissingError, newFileKey } from "#server/core/storage.ts";
import { tempFolder } from "#tests/support/http-app.ts";

async function keysOf(list: AsyncIterable<{ key: string }>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of list) keys.push(key);
  return keys.sort();
}

test("a stored file can be read whole and in part, measured, listed and removed", async () => {
  const storage = await createStorage({ dataDir: await tempFolder() });
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
});

test("keys are random and one kind's", () => {
  expect(newFileKey("receipt")).toMatch(/^receipt\/[0-9a-f]{32}$/);
  expect(newFileKey("receipt")).not.toBe(newFileKey("receipt"));
});

test.each([
  "../secret",
  "receipt/../../secret",
  "/etc/passwd",
  "receipt/.hidden",
  "a\\..\\b",
  "receipt/\0x",
  "",
  "a//b",
])("%j is no key", async (key) => {
  const folder = await tempFolder();
  const storage = await createStorage({ dataDir: folder });
  await expect(storage.write(key, Buffer.from("x"))).rejects.toThrow("not a storage key");
  await expect(storage.read(key)).rejects.toThrow("not a storage key");
  await expect((async () => storage.remove(key))()).rejects.toThrow("not a storage key");
  expect(await readdir(folder, { recursive: true })).toEqual(["files", "files/.partial"]);
});

test("a source that fails half way leaves nothing under the key nor beside it", async () => {
  const folder = await tempFolder();
  const storage = await createStorage({ dataDir: folder });
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
