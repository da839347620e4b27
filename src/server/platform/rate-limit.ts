import { sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { errorTexts } from "#shared/errors.ts";
import type { Clock } from "./clock.ts";
import { AppError } from "./errors.ts";

/**
 * Counts one hit on a key, and beyond the limit throws "Too many attempts. Please try again later.". The count is one
 * atomic statement outside business transactions, so that it holds across replicas. Only who holds a lock that all of
 * the key's attempts wait for may count within its transaction.
 */
export async function limitRate(
  { db, clock }: { db: DbOrTx; clock: Clock },
  key: string,
  limit: { hits: number; windowSeconds: number },
): Promise<void> {
  const now = clock.now();
  const resetsAt = new Date(now.getTime() + limit.windowSeconds * 1000);
  const [row] = await rows<{ hits: number }>(
    db,
    sql`insert into rate_limits as r (key, hits, resets_at) values (${key}, 1, ${resetsAt.toISOString()}::timestamptz)
      on conflict (key) do update set
        hits = case when r.resets_at <= ${now.toISOString()}::timestamptz then 1 else r.hits + 1 end,
        resets_at = case when r.resets_at <= ${now.toISOString()}::timestamptz then excluded.resets_at else r.resets_at end
      returning hits`,
  );
  if (row && row.hits > limit.hits) throw new AppError("rate_limited", errorTexts.rateLimited);
}

/** Takes one hit of a key back: it was counted before it was known that it doesn't count. */
export async function takeHitBack({ db }: { db: DbOrTx }, key: string): Promise<void> {
  await db.execute(sql`update rate_limits set hits = greatest(hits - 1, 0) where key = ${key}`);
}

/** How many hits a key has left before its limit, without counting one. */
export async function hitsLeft(
  { db, clock }: { db: DbOrTx; clock: Clock },
  key: string,
  limit: { hits: number },
): Promise<number> {
  const [row] = await rows<{ hits: number }>(
    db,
    sql`select hits from rate_limits where key = ${key} and resets_at > ${clock.now().toISOString()}::timestamptz`,
  );
  return Math.max(0, limit.hits - (row?.hits ?? 0));
}
