import { sql } from "drizzle-orm";
import { type Db, rows } from "#server/db/open.ts";
import type { TestClock } from "./deps.ts";

/**
 * Keeps all rows and the moment, for tests that begin with the same scene: a tenth of the time of building it again. Gives
 * what puts them back, which is done without triggers. Sequences go on: what comes later has ids that nothing had before.
 */
export async function keepScene({ db, clock }: { db: Db; clock: TestClock }): Promise<() => Promise<void>> {
  const at = clock.now();
  const tables = await rows<{ name: string; columns: string }>(
    db,
    sql`select format('%I.%I', n.nspname, c.relname) as name, string_agg(quote_ident(attname), ', ') as columns
      from pg_class c join pg_namespace n on n.oid = relnamespace join pg_attribute on attrelid = c.oid
      where attnum > 0 and not attisdropped and attgenerated = ''
        and (n.nspname = 'public' and relkind = 'r' and relname <> 'site_profiles' or c.oid = 'jobs.job'::regclass)
      group by 1`,
  );
  const restore = ["perform set_config('session_replication_role', 'replica', true);"];
  await db.execute(sql`drop schema if exists kept cascade`);
  await db.execute(sql`create schema kept`);
  for (const [index, { name, columns }] of tables.entries()) {
    restore.push(`delete from ${name};`);
    if ((await rows(db, sql.raw(`select from ${name} limit 1`))).length === 0) continue;
    await db.execute(sql.raw(`create table kept.t${index} as select ${columns} from ${name}`));
    restore.push(`insert into ${name} (${columns}) overriding system value select * from kept.t${index};`);
  }
  return async () => {
    clock.set(at);
    await db.execute(sql.raw(`do $$ begin ${restore.join("\n")} end $$`));
  };
}
