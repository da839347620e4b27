import { createHash } from "node:crypto";
import { asc, desc, eq } from "drizzle-orm";
import { inTransaction } from "#server/db/open.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { useAccount } from "#server/features/payee-accounts/service.ts";
import type { Payee, Payout } from "#server/features/payouts/service.ts";
import type { Deps } from "#server/platform/deps.ts";
import { payeeAccountLimits } from "#shared/payee-accounts-texts.ts";
import { createPayment, decide } from "./money.ts";
import type { TestUser } from "./people.ts";
import type { TestProject } from "./projects.ts";

/** Money that is owed, and accounts to pay it to, as the product makes them. */

type Owing = { owner: TestUser; backer?: TestUser; project?: TestProject };

/** A payment that was approved and is given back: its refund is due to the backer. Before the first statement only. */
export async function oweRefund(deps: Deps, { owner, ...given }: Owing) {
  const { payment, backer } = await createPayment(deps, { ...given, owner, status: "approved" });
  const back = { status: "rejected" as const, arrivedKobo: payment.amountKobo, isGivenBack: true };
  await decide(deps, owner, { paymentId: payment.id, ...back });
  const [refund] = await deps.db.select().from(refunds).where(eq(refunds.paymentId, payment.id));
  if (!refund) throw new Error("nothing is due");
  return { refund, payment, backer, payouts: await payoutsOf(deps, refund.id) };
}

/** A refund's payouts, oldest first. */
export const payoutsOf = (deps: Deps, refundId: number): Promise<Payout[]> =>
  deps.db.select().from(payouts).where(eq(payouts.refundId, refundId)).orderBy(asc(payouts.id));

export async function findPayout(deps: Deps, payoutId: number): Promise<Payout> {
  const [payout] = await deps.db.select().from(payouts).where(eq(payouts.id, payoutId));
  if (!payout) throw new Error("no such payout");
  return payout;
}

let given = 0;

/** An account of a backer or a farm. Unless it is to rest, it was given two days ago. */
export async function giveAccount(
  deps: Deps,
  payee: Payee,
  { addedBy, accountName = "Ada Obi", rests = false }: { addedBy: string; accountName?: string; rests?: boolean },
) {
  given += 1;
  const restMs = rests ? 0 : payeeAccountLimits.restHours * 3_600_000;
  const at = new Date(deps.clock.now().getTime() - restMs);
  const accountNumber = String(given).padStart(10, "0");
  const account = { bankCode: "044", accountNumber, accountName, addedBy, at };
  const { account: used } = await inTransaction(deps.db, (tx) => useAccount(tx, payee, account));
  return used;
}

/** What a run's lines have, as its hash has it. */
export const linesHash = (lines: readonly string[][]): string =>
  createHash("sha256")
    .update(lines.map((line) => line.join("|")).join("\n"))
    .digest("hex");

/** The newest payout. */
export async function lastPayout(deps: Deps): Promise<Payout> {
  const [payout] = await deps.db.select().from(payouts).orderBy(desc(payouts.id)).limit(1);
  if (!payout) throw new Error("no payout");
  return payout;
}
