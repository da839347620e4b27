import { execFile } from "node:child_process";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { asc, eq, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { headsAndClosingsHold } from "#server/books/checks/i26-heads-and-closings.ts";
import { findBrokenHead, writeHeads } from "#server/books/heads.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { ledgerHeads } from "#server/db/schema/ledger-heads.ts";
import { papers } from "#server/db/schema/papers.ts";
import { exportPath } from "#shared/exports/texts.ts";
import { shortHash } from "#shared/papers/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { download } from "#tests/support/downloads.ts";
import { tempFolder } from "#tests/support/http-app.ts";
import { createPayment, expectMoneyHolds, listViolated } from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";

/** The chain of the ledger: written each hour, printed on papers, checked by anybody, with the server or without. */

const deps = await openTestDeps();
const { db, clock } = deps;
let app: FastifyInstance;
let owner: TestUser;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  owner = await createAdmin(db, "owner");
});
afterAll(() => app.close());

const approveOne = () => createPayment(deps, { owner, status: "approved" });
const headsOf = () => db.select().from(ledgerHeads).orderBy(asc(ledgerHeads.n));

/** Raises an old payment by a naira on both sides, as somebody could who switches the triggers off. */
const rewriteLedger = () =>
  inTransaction(db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update ledger_entries set amount_kobo = amount_kobo + 100 * sign(amount_kobo)::bigint
      where transaction_id = (select min(id) from ledger_transactions)`);
  });

const run = promisify(execFile);
/** Runs the script in a folder with nothing else but the export, and with an empty environment. */
async function verify(ledger: string, ...heads: string[]): Promise<{ code: number; said: string }> {
  const folder = await tempFolder();
  const script = join(folder, "verify-ledger.mjs");
  await copyFile("scripts/verify-ledger.mjs", script);
  await writeFile(join(folder, "ledger.json"), ledger);
  return run(process.execPath, [script, "ledger.json", ...heads], { cwd: folder, env: {} }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );
}
const exported = async () => (await download(deps, app, owner, exportPath("ledger", "json"))).body;

describe("heads", () => {
  test("are written each hour of the entries since the last, and not where there are none", async () => {
    await writeHeads(deps);
    expect(await headsOf()).toEqual([]);
    await approveOne();
    await Promise.all([writeHeads(deps), writeHeads(deps)]);
    await writeHeads(deps);
    expect((await headsOf()).map(({ n }) => n)).toEqual([1]);
    for (let paper = 0; paper < 10; paper += 1) {
      await approveOne();
      clock.advance({ hours: 1 });
      await writeHeads(deps);
    }
    const heads = await headsOf();
    expect(heads.map(({ n }) => n)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
    const [last] = await rows<{ id: string }>(db, sql`select max(id) as id from ledger_entries`);
    expect(heads.at(-1)?.lastEntryId).toBe(Number(last?.id));
    expect(await findBrokenHead(db)).toBeNull();
    await expectMoneyHolds(deps);
  });

  test("are printed by papers: each prints the last before it, and /verify finds it in today's chain", async () => {
    const receipts = await db.select().from(papers).where(eq(papers.kind, "receipt")).orderBy(asc(papers.id));
    expect(receipts.map(({ headN }) => headN)).toEqual([null, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const visitor = await callAs(deps, "anonymous");
    const heads = await headsOf();
    for (const { code, headN } of receipts) {
      const { books } = await visitor.papers.verify({ code });
      const hash = heads.find(({ n }) => n === headN)?.hash;
      expect(books).toEqual(hash ? { text: `Books ${headN} · ${shortHash(hash)}`, isInChain: true } : null);
    }
  });
});

describe("an export, without the server", () => {
  test("is recomputed by Node and the script alone, with the heads that papers print and the months' hashes", async () => {
    const heads = await headsOf();
    clock.set(new Date("2026-12-02T09:00:00Z"));
    const closed = await callAs(deps, owner);
    await closed.books.close({ month: "2026-11" });
    const { closings } = await closed.books.closings();
    const { n, hash } = heads[6] ?? { n: 0, hash: "" };
    const { code, said } = await verify(await exported(), `${n} ${shortHash(hash)}`, `Books ${n} · ${shortHash(hash)}`);
    expect([code, said]).toEqual([0, expect.stringContaining("The chain and all sums are right.")]);
    expect(said).toContain(`The paper's head ${n} is in this chain.`);
    expect(said).toMatch(/all accounts +0\.00/);
    expect(said).toContain(closings[0]?.hash);
  });

  test("is refused where an entry, a sum or a head is another, or a part is missing", async () => {
    const ledger = await exported();
    const [, first = ""] = ledger.split("\n");
    const { amountKobo } = JSON.parse(first.replace(/,$/, ""));
    const changed = ledger.replace(`"amountKobo":"${amountKobo}"`, `"amountKobo":"${BigInt(amountKobo) + 1n}"`);
    expect(changed).not.toBe(ledger);
    const renamed = ledger.replace('"kind":"approval"', '"kind":"reversal"');
    for (const wrong of [changed, renamed, ledger.replace(`${first}\n`, "")])
      expect((await verify(wrong)).code).toBe(1);
    expect(await verify(ledger, "3 0000 0000")).toMatchObject({
      code: 1,
      said: expect.stringContaining("3 0000 0000"),
    });
  });
});

test("a ledger that is rewritten: the check is red, and 10 of 10 old papers expose it", async () => {
  await rewriteLedger();
  const found = await listViolated(deps);
  expect(found.map(({ name }) => name)).toContain(headsAndClosingsHold.name);
  // What was computed ten minutes ago is forgotten.
  clock.advance({ minutes: 11 });
  const visitor = await callAs(deps, "anonymous");
  const receipts = await db.select().from(papers).where(eq(papers.kind, "receipt")).orderBy(asc(papers.id));
  const old = receipts.filter(({ headN }) => headN !== null);
  const exposed = [];
  for (const { code } of old) exposed.push((await visitor.papers.verify({ code })).books?.isInChain);
  expect(exposed).toEqual(Array.from({ length: 10 }, () => false));

  // Who rewrites the heads too contradicts the papers: what they print isn't in the new chain.
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`delete from ledger_heads`);
  });
  await writeHeads(deps);
  clock.advance({ minutes: 11 });
  expect(await findBrokenHead(db)).toBeNull();
  for (const { code } of old) expect((await visitor.papers.verify({ code })).books?.isInChain).toBe(false);
  expect((await listViolated(deps)).map(({ name }) => name)).toContain(headsAndClosingsHold.name);
});
