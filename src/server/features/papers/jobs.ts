import { inTransaction, type Tx } from "#server/db/open.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { lockMissing, type MissingKind } from "./rows.ts";
import { makeReceipts, makeRefundNotes, makeRunSheet, makeSettlementStatements } from "./service.ts";

/** Papers of what happened before there were papers. What happens since then makes its own. */

const make: Record<MissingKind, (tx: Tx, ids: number[], at: Date) => Promise<unknown>> = {
  receipt: makeReceipts,
  refund_note: makeRefundNotes,
  settlement: (tx, ids, at) => eachOf(ids, (id) => makeSettlementStatements(tx, id, at)),
  run_sheet: (tx, ids, at) => eachOf(ids, (id) => makeRunSheet(tx, id, at)),
};

async function eachOf(ids: readonly number[], run: (id: number) => Promise<unknown>): Promise<void> {
  for (const id of ids) await run(id);
}

/** A settlement has papers of up to a thousand people, so it is made by itself. */
const batches: Record<MissingKind, number> = { receipt: 200, refund_note: 200, settlement: 1, run_sheet: 10 };

/**
 * The job: makes what is missing in the order of ids, in batches of a transaction each. Again it makes none. A kind that fails
 * doesn't keep the others from theirs.
 */
export async function makeMissingPapers({
  db,
  clock,
  log,
}: Pick<Deps, "clock" | "db"> & { log: Pick<Deps["log"], "error"> }): Promise<void> {
  await forEachOnItsOwn(log, ["receipt", "refund_note", "settlement", "run_sheet"] as const, async (kind) => {
    // Each id is taken once, so something that no paper can be made of doesn't come again and again.
    let after: number | undefined = 0;
    while (after !== undefined) {
      const last: number = after;
      after = await inTransaction(db, async (tx) => {
        const ids = await lockMissing(tx, kind, { after: last, limit: batches[kind] });
        await make[kind](tx, ids, clock.now());
        return ids.at(-1);
      });
    }
  });
}

/** The same of one thing, for whoever asks for its paper before the job came to it. */
export async function makeMissingPaper(
  { db, clock }: Pick<Deps, "clock" | "db">,
  kind: MissingKind,
  id: number,
): Promise<void> {
  await inTransaction(db, async (tx) => make[kind](tx, await lockMissing(tx, kind, { id }), clock.now()));
}
