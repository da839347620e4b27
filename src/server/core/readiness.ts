import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { migrationsPending } from "#server/db/migrate.ts";
import { type Db, rows } from "#server/db/open.ts";

const PATIENCE_MS = 2000;

/** Asks whether the database answers, and holds every migration. Throws where it fails or takes over two seconds. */
export function readinessProbe(db: Db): () => Promise<"ready" | "migrations pending"> {
  // Applied migrations stay applied: asked until they are, then not again.
  let isMigrated = false;
  return () =>
    withinTime(async () => {
      await rows(db, sql`select 1 as one`);
      isMigrated ||= !(await migrationsPending({ db }));
      return isMigrated ? "ready" : "migrations pending";
    });
}

async function withinTime<T>(work: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const tooLate = delay(PATIENCE_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`no answer within ${PATIENCE_MS} ms`);
  });
  try {
    return await Promise.race([work(), tooLate]);
  } finally {
    tooLate.catch(() => undefined);
    stop.abort();
  }
}
