import { sql } from "drizzle-orm";
import { openSingleConnection, rows, type Tx } from "#server/db/open.ts";
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

/**
 * Fills the migrated, empty PostgreSQL at `url` with {@link statementsFor}. Its role is a superuser: triggers and
 * foreign keys are off meanwhile.
 */
export async function seedDatabase(url: string, count: number): Promise<void> {
  const { db, close } = openSingleConnection(url);
  try {
    for (const definition of functions.split(";\n")) await db.execute(sql.raw(definition));
    for (const { table, fill } of statementsFor(count)) await db.transaction((tx) => fillTable(tx, table, fill));
    await db.execute(sql`vacuum analyze`);
  } finally {
    await close();
  }
}

async function fillTable(tx: Tx, table: string, fill: string): Promise<void> {
  await tx.execute(sql`set local session_replication_role = replica`);
  await tx.execute(sql`set local statement_timeout = 0`);
  await tx.execute(sql.raw(fill));
  const [numbered] = await rows(
    tx,
    sql`select from pg_attribute where attrelid = ${table}::regclass and attidentity <> ''`,
  );
  if (!numbered) return;
  await tx.execute(
    sql.raw(`select setval(pg_get_serial_sequence('${table}', 'id'), coalesce(max(id), 1)) from ${table}`),
  );
}
