import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { type Db, inTransaction } from "#server/db/open.ts";

const root = join(import.meta.dirname, "../..");

/** Applies the migrations up to one of them to an empty database, as the version of that time did. */
export async function migrateUpTo(db: Db, last: string): Promise<void> {
  const { entries } = JSON.parse(readFileSync(join(root, "drizzle/meta/_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  const applied = sql.raw("drizzle.__drizzle_migrations");
  await db.execute(sql`create schema drizzle`);
  await db.execute(sql`create table ${applied} (id serial primary key, hash text not null, created_at bigint)`);
  for (const { tag, when } of entries.slice(0, entries.findIndex((entry) => entry.tag === last) + 1)) {
    const text = readFileSync(join(root, `drizzle/${tag}.sql`), "utf8");
    await inTransaction(db, async (tx) => {
      for (const statement of text.split("--> statement-breakpoint")) await tx.execute(sql.raw(statement));
    });
    const hash = createHash("sha256").update(text).digest("hex");
    await db.execute(sql`insert into ${applied} (hash, created_at) values (${hash}, ${when})`);
  }
}
