import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Db, rows } from "#server/db/open.ts";
import type { TestClock } from "./deps.ts";

type Stage = { db: Db; clock: TestClock };
type Run = () => Promise<void>;
const scenesOf = new WeakMap<Db, { restore: Run; prepare: Run }[]>();
let kept = 0;

/**
 * For the top of a test file or of a `describe` in it: what each of its tests starts with is built once, and then put
 * back before each in a tenth of the time. The scene of a `describe` is built upon that of its file. A function that
 * `build` returns runs before each test too: it sets variables that tests change, and begins sessions of the moment.
 * Rows and the clock are put back, stored files and caches are not.
 */
export function startEachWith(stage: Stage, build: (() => Promise<void>) | (() => Promise<() => unknown>)): void {
  const scenes = scenesOf.get(stage.db) ?? [];
  scenesOf.set(stage.db, scenes);
  let own: { restore: Run; prepare: Run } | undefined;
  beforeAll(async () => {
    const below = scenes.at(-1);
    await below?.restore();
    await below?.prepare();
    const again = await build();
    const prepare = async () => {
      await below?.prepare();
      if (typeof again === "function") await again();
    };
    own = { restore: await keepScene(stage), prepare };
    scenes.push(own);
  });
  beforeEach(async () => {
    if (own !== scenes.at(-1)) return;
    await own?.restore();
    await own?.prepare();
  });
  afterAll(() => void scenes.pop());
}

/**
 * Keeps all rows and the moment; gives what puts them back, without triggers. Sequences go on: what comes later has ids that
 * nothing had before.
 */
async function keepScene({ db, clock }: Stage): Promise<Run> {
  const at = clock.now();
  const tables = await rows<{ name: string; columns: string }>(
    db,
    sql`select format('%I.%I', n.nspname, c.relname) as name, string_agg(quote_ident(attname), ', ') as columns
      from pg_class c join pg_namespace n on n.oid = relnamespace join pg_attribute on attrelid = c.oid
      where attnum > 0 and not attisdropped and attgenerated = ''
        and (n.nspname = 'public' and relkind = 'r' and relname <> 'site_profiles' or c.oid = 'jobs.job'::regclass)
      group by 1`,
  );
  kept += 1;
  const restore = ["perform set_config('session_replication_role', 'replica', true);"];
  await db.execute(sql.raw(`create schema kept_${kept}`));
  for (const [index, { name, columns }] of tables.entries()) {
    restore.push(`delete from ${name};`);
    if ((await rows(db, sql.raw(`select from ${name} limit 1`))).length === 0) continue;
    const copy = `kept_${kept}.table_${index}`;
    await db.execute(sql.raw(`create table ${copy} as select ${columns} from ${name}`));
    restore.push(`insert into ${name} (${columns}) overriding system value select * from ${copy};`);
  }
  return async () => {
    clock.set(at);
    await db.execute(sql.raw(`do $$ begin ${restore.join("\n")} end $$`));
  };
}
