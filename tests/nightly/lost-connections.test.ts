import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Db, inTransaction, openDatabase, rows, type Tx } from "#server/db/open.ts";
import { openTestDatabase, type TestDatabase } from "#tests/support/database.ts";

// The driver by itself goes on with a transaction whose connection is gone, and so ended the whole process.
let database: TestDatabase;
let other: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.db.execute(sql`create table notes (text text not null)`);
  // A process of its own, as far as the database can tell: its connections can be lost.
  const handle = await openDatabase({ url: database.url, dataDir: "" });
  other = handle.db;
  close = handle.close;
});
beforeEach(async () => {
  await database.db.execute(sql`truncate notes`);
});
afterAll(async () => {
  await close();
  await database.close();
});

const write = (tx: Tx, text: string) => tx.execute(sql`insert into notes values (${text})`);
const notes = async () => {
  const found = await rows<{ text: string }>(database.db, sql`select text from notes order by text`);
  return found.map(({ text }) => text);
};
const pidOf = async (tx: Tx) => {
  const [row] = await rows<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`);
  if (!row) throw new Error("no process");
  return row.pid;
};
const end = async (pid: number) => {
  await database.db.execute(sql`select pg_terminate_backend(${pid}, 5000)`);
};
const untilAsleep = (pid: number) =>
  expect
    .poll(() => rows(database.db, sql`select from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`))
    .toHaveLength(1);
const gate = () => Promise.withResolvers<void>();
/** More than there are connections: each of them is used. */
const everyConnection = Array.from({ length: 20 }, (_, n) => n);

test("a transaction that loses its connection while it waits for an answer fails alone, and the process lives on", async () => {
  for (const n of everyConnection) {
    const losing = inTransaction(other, async (tx) => {
      await write(tx, `lost ${n}`);
      const pid = await pidOf(tx);
      await Promise.all([tx.execute(sql`select pg_sleep(60)`), untilAsleep(pid).then(() => end(pid))]);
    });
    await expect(losing).rejects.toThrow();
  }
  // The driver tells a connection's loss once more to the first who uses it again.
  await Promise.allSettled(everyConnection.map(() => other.execute(sql`select 1`).then()));
  await Promise.all(everyConnection.map((n) => inTransaction(other, (tx) => write(tx, `kept ${n}`))));
  expect(await notes()).toEqual(everyConnection.map((n) => `kept ${n}`).sort());
});

test.each(["goes on", "ends", "gives up"])(
  "a transaction that %s after its connection was lost touches nobody else's",
  async (what) => {
    const lost = gate();
    const isReady = gate();
    const isTried = gate();
    let pid = 0;
    const losing = inTransaction(other, async (tx) => {
      await write(tx, "lost");
      pid = await pidOf(tx);
      isReady.resolve();
      await lost.promise;
      if (what === "goes on") await write(tx, "stray").finally(isTried.resolve);
      isTried.resolve();
      if (what === "gives up") throw new Error("something else");
    });
    losing.catch(() => {});
    await isReady.promise;
    await end(pid);
    await expect(losing).rejects.toThrow();

    // All connections are in transactions of others now, the one that took the lost one's place too.
    const done = gate();
    const begun = everyConnection.slice(0, 10).map(() => gate());
    const others = begun.map((begin, n) =>
      inTransaction(other, async (tx) => {
        await write(tx, `undone ${n}`);
        begin.resolve();
        await done.promise;
        await write(tx, `undone ${n} too`);
        throw new Error("undo");
      }),
    );
    for (const it of others) it.catch(() => {});
    await Promise.all(begun.map(({ promise }) => promise));
    lost.resolve();
    await isTried.promise;
    // By then the driver has sent what it sends at a transaction's end.
    await new Promise(setImmediate);
    done.resolve();
    await Promise.allSettled(others);
    expect(await notes()).toEqual([]);
  },
);

test("a file that fails within a transaction is no lost connection: it is rolled back at once", async () => {
  const failing = inTransaction(other, async (tx) => {
    await write(tx, "undone");
    await readFile("/no/such/file");
  });
  await expect(failing).rejects.toMatchObject({ code: "ENOENT", syscall: "open" });
  expect(await notes()).toEqual([]);
});
