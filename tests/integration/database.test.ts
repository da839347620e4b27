import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isCheckViolation, isForeignKeyViolation, isUniqueViolation } from "#server/db/errors.ts";
import { migrate, migrationsPending } from "#server/db/migrate.ts";
import { forQuickReads, inTransaction, openDatabase, openSingleConnection, rows } from "#server/db/open.ts";
import { openJobs } from "#server/platform/jobs.ts";
import { isPostgres, openEmptyDatabase, openTestDatabase, type TestDatabase } from "#tests/support/database.ts";

const runs = isPostgres() ? "postgres" : "embedded";
const caught = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

describe("a migrated database", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    await database.db.execute(sql`create table fields (id int primary key, name text not null)`);
    await database.db.execute(sql`create unique index fields_by_name on fields (name)`);
    await database.db.execute(
      sql`create table crops (field_id int constraint crops_of_field references fields, tons int constraint crops_tons check (tons > 0))`,
    );
    await database.db.execute(sql`insert into fields values (1, 'North')`);
  });
  afterAll(() => database.close());

  test("is of the kind that was asked for", () => {
    expect(database.handle.kind).toBe(runs);
  });

  test("gives raw rows in the same shape, whichever kind it is", async () => {
    const statement = sql`select 9007199254740993::bigint as big, 1.50::numeric as exact, 7 as small, true as flag, '{"a": [1]}'::jsonb as json, null as nothing`;
    expect(await rows(database.db, statement)).toEqual([
      { big: "9007199254740993", exact: "1.50", small: 7, flag: true, json: { a: [1] }, nothing: null },
    ]);
  });

  test("names the constraint that refused a row", async () => {
    const twice = await caught(database.db.execute(sql`insert into fields values (2, 'North')`));
    expect(isUniqueViolation(twice)).toBe(true);
    expect(isUniqueViolation(twice, "fields_by_name")).toBe(true);
    expect(isUniqueViolation(twice, "fields_pkey")).toBe(false);
    expect(isForeignKeyViolation(twice)).toBe(false);

    const orphan = await caught(database.db.execute(sql`insert into crops values (9, 1)`));
    expect(isForeignKeyViolation(orphan, "crops_of_field")).toBe(true);
    const empty = await caught(database.db.execute(sql`insert into crops values (1, 0)`));
    expect(isCheckViolation(empty, "crops_tons")).toBe(true);
    expect(isUniqueViolation(empty)).toBe(false);
  });

  test("keeps nothing of a transaction that throws", async () => {
    const failing = inTransaction(database.db, async (tx) => {
      await tx.execute(sql`insert into fields values (3, 'South')`);
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect(await rows(database.db, sql`select 1 from fields where id = 3`)).toEqual([]);
  });

  test("rolls back to a savepoint and goes on", async () => {
    await inTransaction(database.db, async (tx) => {
      const inner = tx.transaction((nested) => nested.execute(sql`insert into fields values (1, 'Again')`));
      expect(isUniqueViolation(await caught(inner), "fields_pkey")).toBe(true);
      await tx.execute(sql`insert into fields values (4, 'West')`);
    });
    expect(await rows(database.db, sql`select name from fields where id = 4`)).toEqual([{ name: "West" }]);
  });

  test("has no migration pending", async () => {
    expect(await migrationsPending(database.handle)).toBe(false);
  });
});

describe("migrations", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openEmptyDatabase();
  });
  afterAll(() => database.close());
  const hasTable = async (name: string) => {
    const [found] = await rows<{ exists: boolean }>(
      database.db,
      sql`select to_regclass(${name}) is not null as exists`,
    );
    return found?.exists;
  };

  test("one that fails is named and leaves nothing", async () => {
    expect(await migrationsPending(database.handle)).toBe(true);
    await database.db.execute(sql`create table users (in_the_way int)`);
    await expect(migrate(database.handle)).rejects.toThrow("Migration 0000_baseline failed and was rolled back");
    expect(await hasTable("audit_logs")).toBe(false);
    expect(await migrationsPending(database.handle)).toBe(true);
  });

  test("go on once nothing is in the way, and run once", async () => {
    await database.db.execute(sql`drop table users`);
    await migrate(database.handle);
    expect(await hasTable("audit_logs")).toBe(true);
    expect(await migrationsPending(database.handle)).toBe(false);
    await migrate(database.handle);
  });

  test("one that was edited afterwards is refused", async () => {
    await database.db.execute(sql`update drizzle.__drizzle_migrations set hash = 'other' where id = 1`);
    await expect(migrate(database.handle)).rejects.toThrow("0000_baseline was edited after it was applied");
  });
});

if (runs === "postgres") {
  test("no connection of ours compiles its statements, whatever the database's own setting", async () => {
    const { handle: first, url = "", ...database } = await openTestDatabase();
    onTestFinished(() => database.close());
    await first.db.execute(sql.raw(`alter database ${new URL(url).pathname.slice(1)} set jit = on`));
    // The job queue's connections are its own, so the database is asked what they are set to.
    await first.db.execute(sql`create table seen (jit text, client text)`);
    await first.db.execute(sql`
      create function see() returns trigger language plpgsql as $$
      begin
        insert into public.seen values (current_setting('jit'), current_setting('application_name'));
        return new;
      end $$`);
    await first.db.execute(sql`create trigger see after insert on jobs.schedule for each row execute function see()`);

    const handle = await openDatabase({ url, dataDir: "" });
    const single = openSingleConnection(url);
    const jobs = await openJobs(handle, { log: pino({ level: "silent" }) });
    onTestFinished(async () => {
      await jobs.stop();
      await Promise.all([handle.close(), single.close()]);
    });
    for (const db of [handle.db, forQuickReads(handle.db), single.db]) {
      expect(await rows(db, sql`show jit`)).toEqual([{ jit: "off" }]);
    }
    await jobs.start({ "check-money": async () => {} });
    expect(await rows(handle.db, sql`select jit, client from seen`)).toEqual([{ jit: "off", client: "gona-jobs" }]);
  });
}

if (runs === "embedded") {
  describe("the embedded database", () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await openTestDatabase();
    });
    afterAll(() => database.close());

    test("keeps its rows, and belongs to one process at a time", async () => {
      const { handle: first, dataDir: folder = "" } = await openEmptyDatabase();
      onTestFinished(() => rmSync(folder, { recursive: true }));
      await first.db.execute(sql`create table fields as select 1 as id`);
      await expect(openDatabase({ dataDir: folder })).rejects.toThrow("is in use by another process");
      const program = `import { openDatabase } from "#server/db/open.ts"; await openDatabase({ dataDir: ${JSON.stringify(folder)} });`;
      const second = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
      await expect(second).rejects.toThrow(`The database in ${folder}/pg is in use by another process`);
      await first.close();

      const again = await openDatabase({ dataDir: folder });
      expect(await rows(again.db, sql`select id from fields`)).toEqual([{ id: 1 }]);
      await again.close();
    });

    test("refuses to be used beside its own open transaction, and works afterwards", async () => {
      const beside = inTransaction(database.db, () => rows(database.db, sql`select 1`));
      expect(String(((await caught(beside)) as Error).cause)).toContain("pass tx on instead of db");
      const inside = inTransaction(database.db, () => inTransaction(database.db, async () => 1));
      await expect(inside).rejects.toThrow("pass tx on instead of db");
      expect(await rows(database.db, sql`select 1 as one`)).toEqual([{ one: 1 }]);
    });

    test("lets others wait for the end of a transaction", async () => {
      const order: string[] = [];
      const opened = Promise.withResolvers<void>();
      const transaction = inTransaction(database.db, async (tx) => {
        opened.resolve();
        for (let statement = 0; statement < 20; statement += 1) await tx.execute(sql`select 1`);
        order.push("transaction");
      });
      await opened.promise;
      await database.db.execute(sql`select 1`).then(() => order.push("query"));
      await transaction;
      expect(order).toEqual(["transaction", "query"]);
    });

    test("leaves turns to timers while it works", async () => {
      let ticks = 0;
      const timer = setInterval(() => {
        ticks += 1;
      }, 1);
      for (let query = 0; query < 200; query++) await database.db.execute(sql`select count(*) from pg_class`);
      clearInterval(timer);
      expect(ticks).toBeGreaterThan(20);
    });
  });
}

test.runIf(isPostgres())(
  "a command ends with an error if PostgreSQL can't be reached",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "gona-unreachable-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // Nothing listens on port 1.
    const env = { ...process.env, DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", DATA_DIR: folder };
    const command = promisify(execFile)(process.execPath, ["src/server/cli/main.ts", "check-money"], {
      env,
      timeout: 45_000,
    });
    await expect(command).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("ECONNREFUSED") });
  },
  60_000,
);
