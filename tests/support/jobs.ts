import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { type Db, rows } from "#server/db/open.ts";
import type { JobName } from "#server/platform/jobs.ts";

/** How many jobs of a queue wait, also for another try, or run. */
export async function countOpenJobs(db: Db, name: JobName): Promise<number> {
  const [found] = await rows<{ count: number }>(
    db,
    sql`select count(*)::int as count from jobs.job where name = ${name} and state in ('created', 'retry', 'active')`,
  );
  return found?.count ?? 0;
}

/** Waits until no job of a queue waits or runs any more. Throws after the time limit. */
export async function drainJobs(db: Db, name: JobName, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const open = await countOpenJobs(db, name);
    if (open === 0) return;
    if (Date.now() > deadline) throw new Error(`${open} jobs of ${name} are still open after ${timeoutMs} ms`);
    await sleep(20);
  }
}
