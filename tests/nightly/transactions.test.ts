import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { databaseErrorOf } from "#server/db/errors.ts";
import { migrate } from "#server/db/migrate.ts";
import { type DbOrTx, inTransaction, openDatabase, openSingleConnection, rows } from "#server/db/open.ts";
import { openEmptyDatabase, openTestDatabase, type TestDatabase } from "#tests/support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.db.execute(sql`create table counters (id int primary key, value int not null)`);
});
beforeEach(async () => {
  await database.db.execute(sql`truncate counters`);
  await database.db.execute(sql`insert into counters values (1, 0), (2, 0)`);
});
afterAll(() => database.close());

const read = async (db: DbOrTx, id: number) => {
  const [row] = await rows<{ value: number }>(db, sql`select value from counters where id = ${id}`);
  return row?.value ?? 0;
};
const add = (db: DbOrTx, id: number, amount: number) =>
  db.execute(sql`update counters set value = value + ${amount} where id = ${id}`);

test("a transaction that loses a race runs again on the new state", async () => {
  let attempts = 0;
  const seen = await inTransaction(
    database.db,
    async (tx) => {
      attempts += 1;
      const value = await read(tx, 1);
      if (attempts === 1) await add(database.db, 1, 5);
      await add(tx, 1, 10);
      return value;
    },
    { isolation: "repeatable read" },
  );
  expect({ attempts, seen, value: await read(database.db, 1) }).toEqual({ attempts: 2, seen: 5, value: 15 });
});

test("one that always loses gives up after three more tries, with the database's error", async () => {
  let attempts = 0;
  const losing = inTransaction(
    database.db,
    async (tx) => {
      attempts += 1;
      await read(tx, 1);
      await add(database.db, 1, 1);
      await add(tx, 1, 10);
    },
    { isolation: "serializable" },
  );
  const error = await losing.catch((cause: unknown) => cause);
  expect(databaseErrorOf(error)?.code).toBe("40001");
  expect({ attempts, value: await read(database.db, 1) }).toEqual({ attempts: 4, value: 4 });
});

test("a transaction whose statement was prepared before a migration changed its columns runs again", async () => {
  const { db, close } = await openDatabase({ url: database.url ?? "", dataDir: "" });
  const total = () =>
    inTransaction(db, (tx) => rows<{ total: unknown }>(tx, sql`select total from totals where id = ${1}::int`));
  await database.db.execute(sql`create table totals (id int primary key, total int not null)`);
  await database.db.execute(sql`insert into totals values (1, 7)`);
  // Its text is prepared from the second time on.
  for (let time = 0; time < 3; time += 1) expect(await total()).toEqual([{ total: 7 }]);
  await database.db.execute(sql`alter table totals alter column total type bigint`);
  expect(await total()).toEqual([{ total: "7" }]);
  await database.db.execute(sql`drop table totals`);
  await close();
});

test("of two that wait for each other both are done in the end", async () => {
  let attempts = 0;
  let held = 0;
  const bothHold = Promise.withResolvers<void>();
  const oneIsDone = Promise.withResolvers<void>();
  const move = (from: number, to: number) =>
    inTransaction(database.db, async (tx) => {
      attempts += 1;
      // On a busy machine it would be back before the other goes on, and could end in the same deadlock again.
      if (attempts > 2) await oneIsDone.promise;
      await add(tx, from, -1);
      held += 1;
      if (held === 2) bothHold.resolve();
      await bothHold.promise;
      await add(tx, to, 1);
    });
  await Promise.all([move(1, 2), move(2, 1)].map((moved) => moved.then(oneIsDone.resolve)));
  expect({ attempts, values: [await read(database.db, 1), await read(database.db, 2)] }).toEqual({
    attempts: 3,
    values: [0, 0],
  });
});

test("processes that start at once apply each migration once", async () => {
  const empty = await openEmptyDatabase();
  const others = await Promise.all([1, 2, 3].map(() => openDatabase({ url: empty.url, dataDir: "" })));
  await Promise.all([empty.handle, ...others].map((handle) => migrate(handle)));
  const [found] = await rows<{ applied: number; different: number }>(
    empty.db,
    sql`select count(*)::int as applied, count(distinct hash)::int as different from drizzle.__drizzle_migrations`,
  );
  expect(found?.applied).toBeGreaterThan(0);
  expect(found?.applied).toBe(found?.different);
  await Promise.all(others.map((handle) => handle.close()));
  await empty.close();
});

test("a request's statement ends after half a minute, a migration's never", async () => {
  const limitOf = (db: DbOrTx) => rows(db, sql`select current_setting('statement_timeout') as limit`);
  const migrating = openSingleConnection(database.url ?? "");
  expect([await limitOf(database.db), await limitOf(migrating.db)]).toEqual([[{ limit: "30s" }], [{ limit: "0" }]]);
  await migrating.close();
});
