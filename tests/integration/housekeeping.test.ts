import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentReceipts } from "#server/db/schema/payments.ts";
import { rateLimits } from "#server/db/schema/sessions.ts";
import { deleteStoredFile } from "#server/files/orphans.ts";
import { newFileKey } from "#server/files/storage.ts";
import { cleanUp } from "#server/housekeeping.ts";
import { AppError } from "#server/platform/errors.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment, storeReceiptFile } from "#tests/support/money.ts";

const deps = await openTestDeps();

/** A stored file without a row, last written that many hours ago. */
async function strayFile(hours: number, key = newFileKey("resume")): Promise<string> {
  await deps.storage.write(key, Buffer.from("stray"));
  const at = new Date(deps.clock.now().getTime() - hours * 3_600_000);
  await utimes(join(deps.env.dataDir, "files", key), at, at);
  return key;
}

async function storedRow(kind: "receipt" | "resume" = "resume") {
  const { key, ...file } = await storeReceiptFile(deps);
  const createdAt = new Date(deps.clock.now().getTime() - 2 * 3_600_000);
  const [row] = await deps.db
    .insert(storedFiles)
    .values({ kind, storageKey: key, ...file, createdAt })
    .returning();
  if (!row) throw new Error("the file's row was not written");
  return row;
}

test("what an upload left behind is removed after an hour", async () => {
  const [fresh, stray, unused] = [await strayFile(0.9), await strayFile(1.1), await storedRow()];
  await cleanUp(deps);
  expect(await deps.storage.exists(fresh)).toBe(true);
  expect(await deps.storage.exists(stray)).toBe(false);
  expect(await deps.storage.exists(unused.storageKey)).toBe(false);
  expect(await deps.db.$count(storedFiles, eq(storedFiles.id, unused.id))).toBe(0);
});

test("what expired is deleted also while the files are away", async () => {
  const resetsAt = new Date(deps.clock.now().getTime() - 1);
  await deps.db.insert(rateLimits).values({ key: "test:expired", hits: 1, resetsAt });
  const away = vi.spyOn(deps.storage, "list").mockImplementation(() => {
    throw new AppError("unavailable", "the S3 server is away");
  });
  await expect(cleanUp(deps)).rejects.toThrow("the S3 server is away");
  away.mockRestore();
  expect(await deps.db.$count(rateLimits, eq(rateLimits.key, "test:expired"))).toBe(0);
});

test("a file's row stays with its bytes while a backup holds them, whatever ends the process then", async () => {
  const unused = await storedRow();
  const release = deps.storage.holdRemovals();
  await expect(deleteStoredFile(deps, unused.id)).rejects.toMatchObject({ reason: "unavailable" });
  expect(await deps.db.$count(storedFiles, eq(storedFiles.id, unused.id))).toBe(1);
  await release();
  await deleteStoredFile(deps, unused.id);
  expect(await deps.db.$count(storedFiles, eq(storedFiles.id, unused.id))).toBe(0);
  expect(await deps.storage.exists(unused.storageKey)).toBe(false);
});

test("files of another database, which this one took the place of, stay", async () => {
  const key = await strayFile(49);
  await cleanUp(deps);
  expect(await deps.storage.exists(key)).toBe(true);
});

test("a photo's smaller sizes stay with its row, and go without one", async () => {
  const folders = ["a".repeat(32), "b".repeat(32)].map((id) => `photo/${id}`);
  const keys = folders.flatMap((folder) => [`${folder}/480.webp`, `${folder}/960.webp`]);
  for (const key of keys) await strayFile(2, key);
  const file = { sha256: "0".repeat(64), bytes: 5, contentType: "image/webp", originalName: "a.png" };
  const createdAt = deps.clock.now();
  await deps.db.insert(storedFiles).values({ kind: "photo", storageKey: keys[1] ?? "", ...file, createdAt });
  await cleanUp(deps);
  expect(await Promise.all(keys.map((key) => deps.storage.exists(key)))).toEqual([true, true, false, false]);
});

test("a receipt is never deleted: without a row it is set aside, and comes back with its row", async () => {
  const [fresh, stray] = [await strayFile(0.9, newFileKey("receipt")), await strayFile(1.1, newFileKey("receipt"))];
  await cleanUp(deps);
  await cleanUp(deps);
  expect(await deps.storage.exists(fresh)).toBe(true);
  expect(await deps.storage.exists(stray)).toBe(false);
  expect(await text(await deps.storage.read(`set-aside/${stray}`))).toBe("stray");

  const file = { sha256: "0".repeat(64), bytes: 5, contentType: "image/png", originalName: "a.png" };
  await deps.db.insert(storedFiles).values({ kind: "receipt", storageKey: stray, ...file });
  await cleanUp(deps);
  expect(await text(await deps.storage.read(stray))).toBe("stray");
  expect(await deps.storage.exists(`set-aside/${stray}`)).toBe(false);
});

test("the row of a receipt that no payment refers to stays, and so do its bytes", async () => {
  const { id, storageKey } = await storedRow("receipt");
  await cleanUp(deps);
  expect(await deps.storage.exists(storageKey)).toBe(true);
  expect(await deps.db.$count(storedFiles, eq(storedFiles.id, id))).toBe(1);
});

test("a receipt that a payment refers to is not deleted", async () => {
  const { payment } = await createPayment(deps);
  const [receipt] = await deps.db.select().from(paymentReceipts).where(eq(paymentReceipts.paymentId, payment.id));
  if (!receipt) throw new Error("the payment has no receipt");
  await deleteStoredFile(deps, receipt.fileId);
  const [file] = await deps.db.select().from(storedFiles).where(eq(storedFiles.id, receipt.fileId));
  expect(await deps.storage.exists(file?.storageKey ?? "")).toBe(true);
});

test("bytes that can't be removed keep their row for another try", async () => {
  const file = await storedRow();
  vi.spyOn(deps.storage, "remove").mockRejectedValueOnce(new Error("the disk is away"));
  await expect(deleteStoredFile(deps, file.id)).rejects.toThrow("the disk is away");
  expect(await deps.db.$count(storedFiles, eq(storedFiles.id, file.id))).toBe(1);
  await deleteStoredFile(deps, file.id);
  expect(await deps.storage.exists(file.storageKey)).toBe(false);
});
