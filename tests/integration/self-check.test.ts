import { rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { invariants } from "#server/books/checks/invariants.ts";
import { runCommand } from "#server/cli/commands.ts";
import { inTransaction } from "#server/db/open.ts";
import { alarms } from "#server/db/schema/alarms.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { paymentReceipts } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { listOpenAlarms } from "#server/features/alarms/queries.ts";
import { raiseAlarms } from "#server/features/alarms/service.ts";
import { runFileChecks } from "#server/files/checks.ts";
import { newFileKey } from "#server/files/storage.ts";
import { checkMails, queueMail } from "#server/mail/outbox.ts";
import type { Violation } from "#server/platform/findings.ts";
import { checkItself } from "#server/self-check.ts";
import { openTestDeps, queuedMailsTo, type TestDeps } from "#tests/support/deps.ts";
import { contextOf, createPayment } from "#tests/support/money.ts";

const deps = await openTestDeps();
const world = await createPayment(deps, { status: "approved" });
const ownerMails = () => queuedMailsTo(deps.db, world.owner.email);
const alarmMails = async () => (await ownerMails()).filter(({ eventKey }) => eventKey.startsWith("alarm:"));

/** Expects every test to begin without faults: each one removes those that it plants. */
beforeEach(async () => {
  await checkItself(deps);
  expect(await deps.db.$count(alarms, sql`resolved_at is null`)).toBe(0);
});

/** A payment's receipt, which is gone with the payment once the test is over. */
async function keepReceipt() {
  const receipt = await receiptOf((await createPayment(deps)).payment.id);
  onTestFinished(() => forget(receipt));
  return receipt;
}

/** Takes a file and its row away, with what refers to it. */
async function forget({ fileId, path }: { fileId: string; path: string }): Promise<void> {
  await rm(path, { force: true });
  await inTransaction(deps.db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`delete from project_payments where current_receipt_id in
      (select id from payment_receipts where file_id = ${fileId}::uuid)`);
    await tx.execute(sql`delete from payment_receipts where file_id = ${fileId}::uuid`);
    await tx.execute(sql`delete from stored_files where id = ${fileId}::uuid`);
  });
}

/** Makes a file old, because every hourly check looks at new ones. */
const makeOld = (fileId: string) =>
  deps.db
    .update(storedFiles)
    .set({ createdAt: new Date(0) })
    .where(eq(storedFiles.id, fileId));

const setBackers = (backersCount: number) =>
  deps.db.update(projects).set({ backersCount }).where(eq(projects.id, world.project.id));
const shownAlarms = async () => listOpenAlarms(await contextOf(deps, world.owner));

async function receiptOf(paymentId: number) {
  const [found] = await deps.db
    .select({ fileId: storedFiles.id, key: storedFiles.storageKey })
    .from(paymentReceipts)
    .innerJoin(storedFiles, eq(storedFiles.id, paymentReceipts.fileId))
    .where(eq(paymentReceipts.paymentId, paymentId));
  if (!found) throw new Error("the payment has no receipt");
  return { ...found, path: join(deps.env.dataDir, "files", found.key) };
}

async function findings(from: Pick<TestDeps, "clock" | "db" | "storage"> = deps, isFull = true) {
  const checks = await runFileChecks(from, { isFull });
  return checks.flatMap(({ name, violations }) =>
    violations.map(({ violation }) => `${name.slice(0, 2)} ${violation}`),
  );
}

test("a receipt whose bytes changed, shrank or are gone is found", async () => {
  expect(await findings()).toEqual([]);
  const { path, fileId } = await keepReceipt();
  await writeFile(path, "another picture");
  expect(await findings()).toEqual(["I9 receipt's bytes don't have its hash"]);
  await truncate(path);
  expect(await findings()).toEqual(["I9 receipt's bytes don't have its hash"]);
  await rm(path);
  expect(await findings()).toEqual(["I9 stored file is missing"]);
  const [, found] = await runFileChecks(deps, { isFull: true });
  expect(found?.violations[0]?.row).toMatchObject({ fileId, kind: "receipt" });
});

test("a file that the disk refuses to give is found", async () => {
  const { key: refused } = await keepReceipt();
  const read = deps.storage.read.bind(deps.storage);
  const broken = vi
    .spyOn(deps.storage, "read")
    .mockImplementation((key) => (key === refused ? Promise.reject(new Error("EIO: i/o error")) : read(key)));
  expect(await findings()).toEqual(["I9 stored file can't be read"]);
  broken.mockRestore();
});

test("a connection that breaks once in the middle of a file is no finding", async () => {
  const breaks = Readable.from(
    (async function* () {
      yield Buffer.from("half of");
      throw new Error("aborted");
    })(),
  );
  const broken = vi.spyOn(deps.storage, "read").mockResolvedValueOnce(breaks);
  expect(await findings()).toEqual([]);
  expect(breaks.destroyed).toBe(true);
  broken.mockRestore();
});

test("a photo that can't be drawn again is found, one without a smaller size is not", async () => {
  const folder = `photo/${"c".repeat(32)}`;
  const [file] = await deps.db
    .insert(storedFiles)
    .values({
      kind: "photo",
      storageKey: `${folder}/960.webp`,
      sha256: "0".repeat(64),
      bytes: 5,
      contentType: "image/webp",
      originalName: "c.png",
    })
    .returning();
  expect(await findings()).toEqual(["I7 stored file is missing"]);
  await deps.storage.write(`${folder}/960.webp`, Buffer.from("large"));
  expect(await findings()).toEqual([]);
  await forget({ fileId: file?.id ?? "", path: join(deps.env.dataDir, "files", folder, "960.webp") });
});

test("a file without a row is found once it is an hour old", async () => {
  const key = newFileKey("video");
  const written = async (minutes: number) => {
    const at = new Date(deps.clock.now().getTime() - minutes * 60_000);
    await utimes(join(deps.env.dataDir, "files", key), at, at);
  };
  await deps.storage.write(key, Buffer.from("stray"));
  await written(59);
  expect(await findings()).toEqual([]);
  await written(61);
  expect(await findings()).toEqual(["I9 stored file without a row"]);
  await deps.storage.remove(key);
});

test("hour by hour, every receipt is read within a week", async () => {
  const { path, fileId, key } = await keepReceipt();
  await writeFile(path, "another picture");
  await makeOld(fileId);
  const read = vi.spyOn(deps.storage, "read");
  const clock = { now: vi.fn(() => deps.clock.now()) };
  let found = 0;
  for (let hour = 0; hour < 168; hour += 1) {
    clock.now.mockReturnValue(new Date(deps.clock.now().getTime() + (hour + 24) * 3_600_000));
    const checks = await runFileChecks({ ...deps, clock }, { isFull: false });
    found += checks
      .flatMap(({ violations }) => violations)
      .filter(({ row }) => (row as { key: string }).key === key).length;
  }
  expect(found).toBe(1);
  expect(read.mock.calls.filter(([asked]) => asked === key)).toHaveLength(1);
  read.mockRestore();
});

test("owners are mailed of a finding once, read it on the dashboard while it stands, and of its return again", async () => {
  const error = vi.spyOn(deps.log, "error");
  const before = (await alarmMails()).length;
  await setBackers(2);
  await checkItself(deps);
  await checkItself(deps);
  expect(error).toHaveBeenCalledTimes(2);
  expect(error).toHaveBeenCalledWith(
    { invariant: expect.stringMatching(/^I1 /), violations: [expect.anything()] },
    "self-check failed",
  );
  const mails = (await alarmMails()).slice(before);
  expect(mails.map(({ subject }) => subject)).toEqual(["Gona: the self-check found a problem"]);
  expect(mails[0]?.text).toContain("number of backers is not that of the backings");
  expect(await queuedMailsTo(deps.db, world.backer.email)).not.toContainEqual(
    expect.objectContaining({ subject: "Gona: the self-check found a problem" }),
  );
  const since = deps.clock.now();
  expect(await shownAlarms()).toEqual([
    { violation: "number of backers is not that of the backings", count: 1, since },
  ]);

  await setBackers(1);
  await checkItself(deps);
  expect(await shownAlarms()).toEqual([]);
  await setBackers(2);
  await checkItself(deps);
  expect(await alarmMails()).toHaveLength(before + 2);
  await setBackers(1);
});

test("a damaged receipt stays an alarm until it is mended, whichever part of the files is looked at", async () => {
  const { path, fileId } = await keepReceipt();
  await writeFile(path, "another picture");
  await checkItself(deps);
  deps.clock.advance({ hours: 3 });
  await makeOld(fileId);
  await checkItself(deps);
  expect(await shownAlarms()).toMatchObject([{ violation: "receipt's bytes don't have its hash" }]);
});

test("a mail that used up its tries is told of once, and one that tells of alarms raises none", async () => {
  const before = (await alarmMails()).length;
  const mail = { to: "amina@example.com", subject: "Lost", content: { title: "", paragraphs: [] } };
  for (const eventKey of ["test:dead", "alarm:dead"]) {
    await inTransaction(deps.db, (tx) => queueMail(tx, deps, { eventKey, ...mail }));
  }
  expect((await checkMails(deps)).violations).toEqual([]);
  await deps.db.execute(sql`update jobs.job set state = 'failed' where name = 'mail'
    and (data->>'mailId')::bigint in (select id from outgoing_mails where recipient = 'amina@example.com')`);
  expect((await checkMails(deps)).violations).toEqual([
    {
      violation: "mail that was not sent and is tried no more",
      row: { mailId: expect.any(Number), event: "test:dead" },
    },
  ]);
  await checkItself(deps);
  await checkItself(deps);
  expect(await alarmMails()).toHaveLength(before + 1);
  await deps.db.update(outgoingMails).set({ refusal: "x" }).where(eq(outgoingMails.recipient, "amina@example.com"));
});

test("of more findings than an owner is told of, each that stands is told of once", async () => {
  const before = (await alarmMails()).length;
  const lost = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({ violation: "lost", row: { file: from + index } }));
  const raise = (violations: Violation[]) => raiseAlarms(deps, [{ name: "files", violations }], { isComplete: true });
  const standing = () => deps.db.$count(alarms, sql`resolved_at is null`);
  await raise(lost(40, 120));
  // The next hour finds other files first, before those of the last hour.
  for (const _hour of [1, 2, 3]) await raise(lost(0, 120));
  expect(await standing()).toBe(100);
  expect(await deps.db.$count(alarms, sql`name = 'files' and resolved_at is not null`)).toBe(0);
  expect(await alarmMails()).toHaveLength(before + 2);
  await raise([]);
  expect(await standing()).toBe(0);
});

test("stored files that can't be listed are told of, and keep nobody from checking the books", async () => {
  const list = vi.spyOn(deps.storage, "list").mockImplementation(() => {
    throw new Error("EIO: i/o error, scandir");
  });
  await setBackers(7);
  await checkItself(deps);
  expect((await shownAlarms()).map(({ violation }) => violation).sort()).toEqual([
    "number of backers is not that of the backings",
    "the stored files can't be checked",
  ]);
  list.mockRestore();
  await setBackers(1);
});

test("check:money prints every rule of the books and the files, and fails on a violation", async () => {
  const { isOk, lines } = await runCommand(deps, { name: "check-money" });
  expect(isOk).toBe(true);
  const ofFiles = await runFileChecks(deps, { isFull: true });
  expect(lines).toEqual([...invariants, ...ofFiles].map(({ name }) => `ok   ${name}`));
  const { path, key } = await receiptOf(world.payment.id);
  const kept = await deps.storage.read(key).then((stream) => stream.toArray());
  await rm(path);
  const failed = await runCommand(deps, { name: "check-money" });
  expect(failed.isOk).toBe(false);
  expect(failed.lines.at(-2)).toMatch(/^FAIL I9 /);
  expect(failed.lines.at(-1)).toContain("stored file is missing");
  await deps.storage.write(key, Buffer.concat(kept));
});
