import { eq } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { payoutRuns } from "#server/db/schema/payouts.ts";
import { AppError } from "#server/platform/errors.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import type { RunLine } from "./lines.ts";

export type Run = typeof payoutRuns.$inferSelect;

/** A line as the files and the hash have it. */
export const fileLine = ({ payout, account }: RunLine) => ({ ...payout, ...accountOf(account) });

const accountOf = ({ bankCode, bankName, accountNumber, accountName }: RunLine["account"]) => ({
  bankCode,
  bankName,
  accountNumber,
  accountName,
});

/** The facts that each audit entry about a run has. */
export const factsOf = ({ id, payouts: count, totalKobo, linesSha256 }: Run) => ({
  runId: id,
  payouts: count,
  totalKobo: totalKobo.toString(),
  linesSha256,
});

/** Locks a run. Its payouts and accounts are locked before. */
export async function lockRun(tx: Tx, runId: number): Promise<Run> {
  const [run] = await tx.select().from(payoutRuns).where(eq(payoutRuns.id, runId)).for("update");
  if (!run) throw new AppError("not_found", texts.gone);
  return run;
}
