import { sql } from "drizzle-orm";
import { type DatabaseHandle, inTransaction } from "#server/db/open.ts";
import { openJobs } from "#server/platform/jobs.ts";

/**
 * Nobody can wait for the weeks of a harvest, or for the two days that a new account rests. What has a date is brought
 * forward, and the processes do what is due then.
 */
export interface Time {
  stop(): Promise<void>;
}

const pauseMs = 1500;

export async function letTimePass(handle: DatabaseHandle): Promise<Time> {
  const ignore = () => {};
  const jobs = await openJobs(handle, { log: { warn: ignore, error: ignore } });
  const { db } = handle;
  const pass = () =>
    inTransaction(db, async (tx) => {
      // These dates never change in the product, which triggers see to.
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`update payee_accounts set usable_from = now() where usable_from > now()`);
      await tx.execute(sql`update harvests h set chooses_until = now() - interval '1 second'
        where h.state = 'choosing' and h.chooses_until > now() and random() < case when exists (
          select from harvest_parts p where p.harvest_id = h.id and p.chosen_at is not null) then 0.1 else 0.01 end`);
      await tx.execute(sql`update harvests h set collects_until = now() - interval '1 second'
        where h.collects_until > now() and random() < case when exists (
          select from harvest_parts p where p.harvest_id = h.id and p.collected_at is not null) then 0.05 else 0.01 end`);
      await jobs.enqueue(tx, "sweep-harvests", {});
    });
  let isOver = false;
  const passing = (async () => {
    while (!isOver) {
      // The database may be away.
      await pass().catch(ignore);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await passing;
      await jobs.stop();
    },
  };
}
