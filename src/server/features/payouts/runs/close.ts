import { and, asc, eq, inArray } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import type { Payout } from "#server/features/payouts/service.ts";

/** Closes a run if none of its payouts is on its way any more. */
export async function closeRun(tx: Tx, { runId }: Pick<Payout, "runId">, at: Date): Promise<void> {
  if (runId === null) return;
  const isOpen = and(eq(payoutRuns.id, runId), eq(payoutRuns.state, "exported"));
  const [run] = await tx.select({ id: payoutRuns.id }).from(payoutRuns).where(isOpen).for("update");
  if (!run || (await tx.$count(payouts, and(eq(payouts.runId, runId), eq(payouts.state, "sent")))) > 0) return;
  await tx.update(payoutRuns).set({ state: "closed", closedAt: at }).where(eq(payoutRuns.id, runId));
}

/** Lets runs that were closed wait for a line again. */
export async function reopenRuns(tx: Tx, runIds: number[]): Promise<void> {
  if (runIds.length === 0) return;
  const isClosed = and(inArray(payoutRuns.id, runIds), eq(payoutRuns.state, "closed"));
  await tx.select({ id: payoutRuns.id }).from(payoutRuns).where(isClosed).orderBy(asc(payoutRuns.id)).for("update");
  await tx.update(payoutRuns).set({ state: "exported", closedAt: null }).where(isClosed);
}
