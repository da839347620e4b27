import { sql } from "drizzle-orm";
import { migrationsPending } from "#server/db/migrate.ts";
import { type Db, rows } from "#server/db/open.ts";
import { within } from "./async.ts";

const PATIENCE_MS = 2000;

/** Checks that the database responds and has every migration. Throws if it fails or takes over two seconds. */
export function readinessProbe(db: Db): () => Promise<"ready" | "migrations pending"> {
  // Applied migrations stay applied, so the check ends once it has passed.
  let isMigrated = false;
  const ask = async () => {
    await rows(db, sql`select 1 as one`);
    isMigrated ||= !(await migrationsPending({ db }));
    return isMigrated ? "ready" : "migrations pending";
  };
  return () => within(PATIENCE_MS, ask());
}
