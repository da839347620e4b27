import { sql } from "drizzle-orm";
import { type Db, rows, type Tx } from "#server/db/open.ts";
import type { Deps } from "#server/platform/deps.ts";

export const killPoints = ["before commit", "after commit", "before mail", "after mail"] as const;
export type KillPoint = (typeof killPoints)[number];

/** The test's order to die at a point once `skip` others have passed it; a null point calls it off. */
export interface KillOrder {
  point: KillPoint | null;
  skip: number;
}

export interface FaultPoints {
  order: KillOrder;
}

/** The process dies at the point that is ordered. Commits count only where the transaction is an event's. */
export function killAtPoints(deps: Deps, points: FaultPoints): void {
  const reach = (point: KillPoint) => {
    const { order } = points;
    if (order.point !== point) return;
    if (order.skip === 0) process.kill(process.pid, "SIGKILL");
    else order.skip -= 1;
  };
  const isAsked = () => points.order.point === "before commit" || points.order.point === "after commit";
  wrapTransactions(deps.db, (transaction) => async (run, config) => {
    let isEvent = false;
    const result = await transaction(async (tx) => {
      const written = await run(tx);
      isEvent = isAsked() && (await wroteMail(tx));
      if (isEvent) reach("before commit");
      return written;
    }, config);
    if (isEvent) reach("after commit");
    return result;
  });
  const send = deps.mailer.send.bind(deps.mailer);
  deps.mailer.send = async (mail) => {
    reach("before mail");
    await send(mail);
    reach("after mail");
  };
}

type Transaction = Db["transaction"];

/** Every transaction of the database goes by what is made of its method. */
export function wrapTransactions(db: Db, wrap: (transaction: Transaction) => Transaction): void {
  db.transaction = wrap(db.transaction.bind(db) as Transaction);
}

/** Then the transaction is one that people are told of. */
async function wroteMail(tx: Tx): Promise<boolean> {
  const [found] = await rows<{ found: boolean }>(
    tx,
    sql`select exists (select from outgoing_mails where xmin = pg_current_xact_id_if_assigned()::xid) as found`,
  );
  return found?.found === true;
}
