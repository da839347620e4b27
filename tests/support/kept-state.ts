import { sql } from "drizzle-orm";
import { type Db, rows } from "#server/db/open.ts";

/** Keeps all rows of a database beside it, and puts them back: much faster than doing again what made them. */
export type KeptState = { keep(): Promise<void>; restore(): Promise<void> };

/** Makes room for them, once: each change of the schema has every statement of the checks planned anew. */
export async function offerKeptState(db: Db): Promise<KeptState> {
  const tables = await rows<{ name: string; columns: string }>(
    db,
    sql`select format('%I.%I', c.table_schema, c.table_name) as name, string_agg(quote_ident(c.column_name), ', ') as columns
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where (c.table_schema = 'public' or (c.table_schema, c.table_name) = ('jobs', 'job'))
        and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      group by 1`,
  );
  const copied = tables.map((table, index) => ({ ...table, copy: `kept.table_${index}` }));
  const each = (write: (table: (typeof copied)[number]) => string) => copied.map(write).join("\n");
  // Without the triggers that refuse just that.
  const head = "returns void language plpgsql set session_replication_role = 'replica'";
  await db.execute(
    sql.raw(`create schema kept;
      ${each(({ name, columns, copy }) => `create table ${copy} as select ${columns} from ${name} where false;`)}
      create function kept.keep() ${head} as $$ begin
        ${each(({ name, columns, copy }) => `delete from ${copy}; insert into ${copy} select ${columns} from ${name};`)}
      end $$;
      create function kept.restore() ${head} as $$ begin
        ${each(({ name, columns, copy }) => `delete from ${name}; insert into ${name} (${columns}) overriding system value table ${copy};`)}
      end $$`),
  );
  return {
    keep: async () => void (await db.execute(sql`select kept.keep()`)),
    restore: async () => void (await db.execute(sql`select kept.restore()`)),
  };
}
