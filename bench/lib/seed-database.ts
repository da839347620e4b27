import { sql } from "drizzle-orm";
import { migrate } from "#server/db/migrate.ts";
import { type Db, openDatabase, openSingleConnection, rows, type Tx } from "#server/db/open.ts";
import { ADMINS, statementsFor } from "./seed-rows.ts";

/** Random-looking numbers and choices that are the same every time: no statement depends on the order rows come in. */
const functions = `
  -- From 0 up to 1, different for each salt.
  create function pg_temp.chance(n bigint, salt int) returns float8 language sql immutable as
    'select (hashint8extended(n, salt) & 9007199254740991)::float8 / 9007199254740992';
  -- 1 up to count, the first ones most often.
  create function pg_temp.rank_of(count int, chance float8) returns int language sql immutable as
    'select least(count, floor(power(count + 1, chance))::int)';
  -- With the version and variant of a random one, which inputs are checked for.
  create function pg_temp.uuid_of(name text) returns uuid language sql immutable as
    $$select overlay(overlay(md5(name) placing '4' from 13) placing '8' from 17)::uuid$$;
  create function pg_temp.person(n bigint) returns uuid language sql immutable as
    $$select pg_temp.uuid_of('person' || n)$$;
  create function pg_temp.admin(n bigint) returns uuid language sql immutable as
    'select pg_temp.person(pg_temp.rank_of(${ADMINS}, pg_temp.chance(n, 901)))';
  -- Under 0.5 paid for and closed, under 0.6 closed, from 0.8 on open with a payment that waits.
  create function pg_temp.fate(n bigint) returns float8 language sql immutable as
    'select pg_temp.chance(n, 902)';
  -- So many people were made backers by an administrator.
  create function pg_temp.granted(n bigint) returns int language sql immutable as
    'select case when x < 0.7 then 0 when x < 0.9 then 1 when x < 0.99 then 2 + floor(400 * (x - 0.9))::int % 5
      else 6 + pg_temp.rank_of(150, (x - 0.99) * 100) end from (select pg_temp.chance(n, 903)) drawn (x)';
  -- The person in this slot of the project; the payer is in slot 0.
  create function pg_temp.backer(n bigint, people int, slot int) returns uuid language sql immutable as
    'select pg_temp.person(${ADMINS} + 1 +
      (pg_temp.rank_of(people, sqrt(pg_temp.chance(n, 904)))::bigint - 1 + slot * 7919) % people)'`;

/** The address that shows that a database is a seeded one. */
const seededOwner = "owner@seeded.example";

/**
 * Fills the PostgreSQL at `url` with {@link statementsFor}, in place of what an earlier run put there. Throws for a database with anybody else's data. The role must be a superuser: triggers and keys are
 * off meanwhile.
 */
export async function seedDatabase(url: string, count: number, say: (line: string) => void): Promise<void> {
  const handle = await openDatabase({ url, dataDir: "" });
  await migrate(handle).finally(handle.close);
  const { db, close } = openSingleConnection(url);
  try {
    await emptyIfSeeded(db);
    await db.execute(sql`set maintenance_work_mem = '512MB'`);
    await db.execute(sql`set work_mem = '256MB'`);
    for (const definition of functions.split(";\n")) await db.execute(sql.raw(definition));
    for (const { table, fill } of statementsFor(count)) {
      const started = performance.now();
      await db.transaction((tx) => fillTable(tx, table, fill));
      await db.execute(sql.raw(`analyze ${table}`));
      say(`${table}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
    await db.execute(sql`vacuum analyze`);
  } finally {
    await close();
  }
}

const withoutTriggers = sql`set local session_replication_role = replica`;

async function emptyIfSeeded(db: Db): Promise<void> {
  const [found] = await rows<{ people: boolean; isSeeded: boolean }>(
    db,
    sql`select exists (select from users) as people,
      exists (select from users where email = ${seededOwner}) as "isSeeded"`,
  );
  if (!found?.people) return;
  if (!found.isSeeded) throw new Error("This database has people's data. Seed an empty one.");
  await db.transaction(async (tx) => {
    await tx.execute(withoutTriggers);
    await tx.execute(sql`do $$ begin
      execute (select 'truncate ' || string_agg(quote_ident(tablename), ', ') || ' restart identity'
        from pg_tables where schemaname = 'public');
    end $$`);
  });
}

/** Into a table without its indexes, which are then built at once: much faster than row by row. */
async function fillTable(tx: Tx, table: string, fill: string): Promise<void> {
  await tx.execute(withoutTriggers);
  const found = await rows<{ remove: string; restore: string }>(
    tx,
    sql`select case when c.oid is null then 'drop index ' || i.indexrelid::regclass
          else format('alter table %I drop constraint %I', ${table}::text, c.conname) end as remove,
        case when c.oid is null then pg_get_indexdef(i.indexrelid)
          else format('alter table %I add constraint %I ', ${table}::text, c.conname) || pg_get_constraintdef(c.oid) end as restore
      from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
      where i.indrelid = ${table}::regclass and c.contype is distinct from 'p' and not exists (
        select from pg_constraint f where f.contype = 'f' and f.conindid = i.indexrelid)`,
  );
  for (const { remove } of found) await tx.execute(sql.raw(remove));
  await tx.execute(sql.raw(fill));
  for (const { restore } of found) await tx.execute(sql.raw(restore));
  const [numbered] = await rows(
    tx,
    sql`select from pg_attribute where attrelid = ${table}::regclass and attidentity <> ''`,
  );
  if (numbered) {
    await tx.execute(
      sql.raw(`select setval(pg_get_serial_sequence('${table}', 'id'), coalesce(max(id), 1)) from ${table}`),
    );
  }
}
