import { sql } from "drizzle-orm";
import type { Db } from "#server/db/open.ts";

/**
 * No row in any table but the operator's profile, and no job: much faster than a new database. Without the triggers
 * that refuse just that, for this one statement.
 */
export async function emptyDatabase(db: Db): Promise<void> {
  await db.execute(sql`do $$
    declare name text;
    begin
      perform set_config('session_replication_role', 'replica', true);
      for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname <> 'site_profiles' loop
        execute format('delete from %I', name);
      end loop;
      delete from jobs.job;
    end $$`);
}
