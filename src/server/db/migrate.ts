import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { migrationsFolder } from "#server/root.ts";
import {
  type DatabaseHandle,
  type Db,
  type DbOrTx,
  forQuickReads,
  inTransaction,
  openSingleConnection,
  rows,
} from "./open.ts";

// drizzle-kit's own table, so that its tools see the same state.
const appliedTable = sql.raw("drizzle.__drizzle_migrations");
const statementEnd = "--> statement-breakpoint";

type Migration = { tag: string; when: number; hash: string; statements: string[] };

/**
 * Applies the missing migrations of the `drizzle` folder in order, each in its own transaction.
 * Several processes may start at once: one migrates and the others wait. Throws an error that names the failed
 * migration, which is rolled back.
 */
export async function migrate(handle: DatabaseHandle): Promise<void> {
  // A migration's row is committed with its changes, so a process that finds all rows needs no lock. Most starts do.
  // This reads from the pool of quick reads, so that the first list finds its connection open.
  if (lacksNothing(await appliedMigrations(forQuickReads(handle.db)))) return;
  // The embedded database has one process, so it needs no lock.
  if (handle.kind === "embedded") return applyMissing(handle.db);
  const connection = openSingleConnection(handle.url);
  try {
    await connection.db.execute(sql`select pg_advisory_lock(hashtext('gona migrations'))`);
    await applyMissing(connection.db);
  } finally {
    // The lock ends with the session.
    await connection.close();
  }
}

/** Returns true if the database lacks a migration of this program. */
export async function migrationsPending(handle: { db: Db }): Promise<boolean> {
  const applied = await appliedMigrations(handle.db);
  return readMigrations().some((migration) => !applied.has(migration.when));
}

/** Returns true if the database has a migration of a newer version, unknown to this program. */
export async function hasUnknownMigrations(handle: { db: Db }): Promise<boolean> {
  const known = new Set(readMigrations().map(({ when }) => when));
  return [...(await appliedMigrations(handle.db)).keys()].some((when) => !known.has(when));
}

const lacksNothing = (applied: Map<number, string>): boolean =>
  readMigrations().every(({ when, hash }) => applied.get(when) === hash);

async function applyMissing(db: Db): Promise<void> {
  await db.execute(sql`create schema if not exists drizzle`);
  await db.execute(
    sql`create table if not exists ${appliedTable} (id serial primary key, hash text not null, created_at bigint)`,
  );
  const applied = await appliedMigrations(db);
  for (const migration of readMigrations()) {
    const hash = applied.get(migration.when);
    if (hash === undefined) await apply(db, migration);
    else if (hash !== migration.hash) throw new Error(`Migration ${migration.tag} was edited after it was applied`);
  }
}

async function apply(db: Db, migration: Migration): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      for (const statement of migration.statements) await tx.execute(sql.raw(statement));
      await tx.execute(
        sql`insert into ${appliedTable} (hash, created_at) values (${migration.hash}, ${migration.when})`,
      );
    });
  } catch (error) {
    throw new Error(`Migration ${migration.tag} failed and was rolled back`, { cause: error });
  }
}

/** Hashes by timestamp, which identify a migration in drizzle's journal. */
async function appliedMigrations(db: DbOrTx): Promise<Map<number, string>> {
  const [table] = await rows<{ exists: boolean }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  );
  if (!table?.exists) return new Map();
  const applied = await rows<{ hash: string; created_at: string }>(
    db,
    sql`select hash, created_at from ${appliedTable}`,
  );
  return new Map(applied.map((migration) => [Number(migration.created_at), migration.hash]));
}

function readMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(join(migrationsFolder, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(join(migrationsFolder, `${tag}.sql`), "utf8");
    const hash = createHash("sha256").update(text).digest("hex");
    return { tag, when, hash, statements: text.split(statementEnd) };
  });
}
