import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { deleteStoredFile, keepHouse } from "#server/core/housekeeping.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentReceipts } from "#server/db/schema/payments.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment, storeReceiptFile } from "#tests/support/money.ts";

const deps = await openTestDeps();

/** A stored file without a row, last written that many hours ago. */
async function strayFile(hours: number): Promise<string> {
  const { key } = await storeReceiptFile(deps);
  const at = new Date(deps.clock.now().getTime() - hours * 3_600_000);
  await utimes(join(deps.env.dataDir, "files", key), at, at);
  return key;
}

async function storedRow() {
  const { key, ...file } = await storeReceiptFile(deps);
  const createdAt = new Date(deps.clock.now().getTime() - 2 * 3_600_000);
  const [row] = await deps.db
    .insert(storedFiles)
    .values({ kind: "receipt", storageKey: key, ...file, createdAt })
    .returning();
  if (!row) throw new Error("the file's row was not written");
  return row;
}

test("what an upload left behind is removed after an hour", async () => {
  const [fresh, stray, unused] = [await strayFile(0.9), await strayFile(1.1), await storedRow()];
  await keepHouse(deps);
  expect(await deps.storage.exists(fresh)).toBe(true);
  expect(await deps.storage.exists(stray)).toBe(false);
  expect(await deps.storage.exists(unused.storageKey)).toBe(false);
  expect(await deps.db.$count(storedFiles, eq(storedFiles.id, unused.id))).toBe(0);
});

test("receipts of another database, which this one took the place of, stay", async () => {
  const key = await strayFile(49);
  await keepHouse(deps);
  expect(await deps.storage.exists(key)).toBe(true);
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
