import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { inTransaction, rows } from "#server/db/open.ts";
import { startExport } from "#server/features/exports/service.ts";
import { exportables } from "#server/features/exports/tables.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { isPostgres } from "#tests/support/database.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { isLong } from "#tests/support/length.ts";
import { contextOf, createPayment } from "#tests/support/money.ts";
import { createAdmin } from "#tests/support/people.ts";

/** Exports too large to be held in memory, and readers who are slow or leave. */

const deps = await openTestDeps();
const { db } = deps;
/** Makes a file of some 12 MB; 40 MB in the nightly run. */
const ENTRIES = isLong ? 200_000 : 60_000;
const memoryLimit = (isLong ? 30 : 9) * 1024 * 1024;
let ctx: ActorContext;

beforeAll(async () => {
  await inTransaction(db, async (tx) => {
    // With the books' keys and triggers, so many rows would take minutes.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`insert into ledger_transactions (kind, match_id, created_at)
      select 'match', n, timestamptz '2026-01-01' + n * interval '1 second' from generate_series(1, ${sql.raw(String(ENTRIES / 2))}) n`);
    await tx.execute(sql`insert into ledger_entries (transaction_id, account, amount_kobo)
      select t.id, side.account, side.sign * (t.id % 1000 + 1)
      from ledger_transactions t, (values (1, 'operator', 1), (2, 'losses', -1)) side (position, account, sign)
      order by t.id, side.position`);
  });
  await db.execute(sql`analyze ledger_entries`);
});
beforeEach(async () => {
  ctx = await contextOf(deps, await createAdmin(db, "owner"));
});
afterEach(async () => {
  expect(await countOpenExports()).toBe(0);
});

const exportLedger = () => startExport(ctx, { name: "ledger", format: "csv", table: exportables.ledger.read({}) });

/** Counts the transactions that read the ledger or pause while reading it, without the server's own vacuum. */
async function countOpenExports(): Promise<number> {
  const [found] = await rows<{ open: number }>(
    db,
    sql`select count(*)::int as open from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and state <> 'idle'
        and query like '%ledger_entries%' and pid <> pg_backend_pid()`,
  );
  return found?.open ?? 0;
}

/** Reads the parts up to the first rows. The titles come before the database is asked for any. */
async function readFirstRows(reading: AsyncGenerator<Buffer>): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  while (!Buffer.concat(parts).includes('"match"')) {
    const { value } = await reading.next();
    if (!value) throw new Error("the export has no rows");
    parts.push(value);
  }
  return parts;
}

const atMost = async (seconds: number, isSo: () => Promise<boolean>): Promise<boolean> => {
  for (let waited = 0; waited < seconds * 10; waited++) {
    if (await isSo()) return true;
    await sleep(100);
  }
  return false;
};

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Returns the bytes in use, without garbage. A first collection only begins to free the memory of buffers. */
function memoryInUse(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("all entries come in small parts, each once, and memory doesn't grow with them", async () => {
  let [entries, largest, rest, sum, memory] = [0, 0, "", 0n, 0];
  const began = memoryInUse();
  for await (const part of await exportLedger()) {
    largest = Math.max(largest, part.length);
    const lines = (rest + part.toString("latin1")).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.includes('"match"')) {
        entries += 1;
        sum += BigInt((line.split('","')[5] ?? "").replace(".", ""));
        if (entries % 20_000 === 0) memory = Math.max(memory, memoryInUse() - began);
      }
    }
  }
  expect([entries, sum, rest]).toEqual([ENTRIES, 0n, ""]);
  // A part is what goes to the socket at once. As objects the whole would have ten times as much as the file.
  expect(largest).toBeLessThanOrEqual(64 * 1024);
  expect(memory).toBeLessThan(memoryLimit);
}, 60_000);

// The embedded database has one connection, which an export has to itself.
test.runIf(isPostgres())(
  "a reader who rests holds no transaction, and gets the moment at which they asked",
  async () => {
    const reading = await exportLedger();
    const parts = await readFirstRows(reading);
    expect(await countOpenExports()).toBe(1);
    const { payment } = await createPayment(deps, { status: "approved" });
    expect(await atMost(30, async () => (await countOpenExports()) === 0)).toBe(true);
    for await (const part of reading) parts.push(part);
    const text = Buffer.concat(parts).toString();
    expect(text.split("\r\n")).toHaveLength(ENTRIES + 2);
    expect(text).not.toContain(payment.reference);
  },
  60_000,
);

test.runIf(isPostgres())(
  "a reader who leaves ends the reading",
  async () => {
    const reading = await exportLedger();
    await readFirstRows(reading);
    expect(await countOpenExports()).toBe(1);
    const asked = performance.now();
    await reading.return(undefined);
    expect(await countOpenExports()).toBe(0);
    expect(performance.now() - asked).toBeLessThan(2000);
  },
  60_000,
);

test("a failure midway breaks the file off, and the reader is told", async () => {
  const table = exportables.ledger.read({});
  const failing = {
    ...table,
    async *write() {
      yield "one\r\n";
      throw new Error("the database went away");
    },
  };
  const reading = await startExport(ctx, { name: "ledger", format: "csv", table: failing });
  expect(String((await reading.next()).value)).toBe("one\r\n");
  await expect(reading.next()).rejects.toThrow("the database went away");
});
