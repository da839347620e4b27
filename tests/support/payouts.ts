import { createHash } from "node:crypto";
import { asc, desc, eq, inArray } from "drizzle-orm";
import { postPayouts } from "#server/books/events/payouts.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { payoutFiles, payoutRunLines, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { makeRunSheet } from "#server/features/papers/service.ts";
import type { Payment } from "#server/features/payments/service.ts";
import { type PayeeAccount, useAccount } from "#server/features/payouts/payee-accounts/service.ts";
import type { Payee } from "#server/features/payouts/payees/service.ts";
import type { Payout } from "#server/features/payouts/service.ts";
import type { Deps } from "#server/platform/deps.ts";
import { payeeAccountLimits } from "#shared/payouts/payee-accounts-texts.ts";
import { createPayment, decide, declareArrived } from "./money.ts";
import type { TestUser } from "./people.ts";
import type { TestProject } from "./projects.ts";

/** Money that is owed, and accounts to pay it to, as the product makes them. */

type Owing = { owner: TestUser; backer?: TestUser; project?: TestProject };

/** A payment that was approved and is given back: its refund is due to the backer. */
export async function oweRefund(deps: Deps, { owner, ...given }: Owing) {
  const { payment, backer } = await createPayment(deps, { ...given, owner, status: "approved" });
  return { backer, ...(await giveBack(deps, owner, payment)) };
}

/** Takes an approval back, says that all of it came, though no line shows it, and owes it. */
export async function giveBack(deps: Deps, owner: TestUser, payment: Pick<Payment, "id" | "amountKobo">) {
  const paymentId = payment.id;
  await decide(deps, owner, { paymentId, status: "pending" });
  await declareArrived(deps, owner, payment);
  await decide(deps, owner, { paymentId, status: "rejected", isGivenBack: true });
  const [refund] = await deps.db.select().from(refunds).where(eq(refunds.paymentId, payment.id));
  if (!refund) throw new Error("nothing is due");
  return { refund, payment, payouts: await payoutsOf(deps, refund.id) };
}

/** A refund's payouts, oldest first. */
const payoutsOf = (deps: Deps, refundId: number): Promise<Payout[]> =>
  deps.db.select().from(payouts).where(eq(payouts.refundId, refundId)).orderBy(asc(payouts.id));

export async function findPayout(deps: Deps, payoutId: number): Promise<Payout> {
  const [payout] = await deps.db.select().from(payouts).where(eq(payouts.id, payoutId));
  if (!payout) throw new Error("no such payout");
  return payout;
}

/** Inserts the confirmed request behind an account of a farm, or of the sender of a line; returns its id. */
export async function keepConfirmed(
  tx: Tx,
  { by, at, ...payee }: ({ farmId: number } | { lineId: number }) & { by: string; at: Date },
): Promise<number> {
  const asked =
    "farmId" in payee
      ? { kind: "set_farm_account" as const, subject: String(payee.farmId), details: payee }
      : { kind: "enter_payee_account" as const, subject: `line/${payee.lineId}`, details: payee };
  const decided = { decision: "confirmed" as const, decidedBy: by, decidedAt: at, isAlone: true };
  const [request] = await tx
    .insert(secondPersonRequests)
    .values({ ...asked, ...decided, reason: "Their papers name it.", requestedBy: by, requestedAt: at })
    .returning();
  if (!request) throw new Error("the request was not written");
  return request.id;
}

let given = 0;
type GivenAccount = { addedBy: string; accountName?: string; accountNumber?: string; rests?: boolean };

/** An account of a backer, a farm or the sender of a line. Unless it is to rest, it was given two days ago. */
export async function giveAccount(
  deps: Deps,
  payee: Payee,
  { addedBy, accountName = "Ada Obi", rests = false, ...named }: GivenAccount,
) {
  given += 1;
  const restMs = rests ? 0 : payeeAccountLimits.restHours * 3_600_000;
  const at = new Date(deps.clock.now().getTime() - restMs);
  const { accountNumber = String(given).padStart(10, "0") } = named;
  const account = { bankCode: "044", accountNumber, accountName, addedBy, at };
  const { account: used } = await inTransaction(deps.db, async (tx) => {
    const requestId = "userId" in payee ? null : await keepConfirmed(tx, { ...payee, by: addedBy, at });
    return useAccount(tx, payee, { ...account, ...(requestId && { requestId }) });
  });
  return used;
}

/** Returns the SHA-256 of a run's lines in hexadecimal. */
export const linesHash = (lines: readonly string[][]): string =>
  createHash("sha256")
    .update(lines.map((line) => line.join("|")).join("\n"))
    .digest("hex");

type Owed = { payout: Payout; account: PayeeAccount };
type Run = { ownAccount: { id: number }; owner: TestUser; second: TestUser; isExported?: boolean };

/** A run of these payouts with everything that an export leaves, or a draft. */
export async function keepRun(
  deps: Deps,
  owed: Owed[],
  { ownAccount, owner, second, isExported = true }: Run,
): Promise<number> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (tx) => {
    const lines = owed.map(({ payout, account }) =>
      [payout.reference, payout.amountKobo, account.bankCode, account.accountNumber, account.accountName].map(String),
    );
    const [run] = await tx
      .insert(payoutRuns)
      .values({
        ownAccountId: ownAccount.id,
        payouts: owed.length,
        totalKobo: owed.reduce((sum, { payout }) => sum + payout.amountKobo, 0n),
        linesSha256: linesHash(lines),
        madeBy: owner.id,
      })
      .returning();
    const runId = run?.id ?? 0;
    await tx.insert(payoutRunLines).values(
      owed.map(({ payout, account }, index) => ({
        runId,
        position: index + 1,
        payoutId: payout.id,
        payeeAccountId: account.id,
      })),
    );
    const payoutIds = owed.map(({ payout }) => payout.id);
    const areTheirs = inArray(payouts.id, payoutIds);
    await tx.update(payouts).set({ state: "in_run", runId }).where(areTheirs);
    if (!isExported) return runId;
    const isIt = eq(payoutRuns.id, runId);
    await tx.update(payoutRuns).set({ state: "approved", approvedBy: second.id, approvedAt: at }).where(isIt);
    await tx.update(payoutRuns).set({ state: "exported", exportedBy: owner.id, exportedAt: at }).where(isIt);
    await tx.update(payouts).set({ state: "sent", sentAt: at }).where(areTheirs);
    await postPayouts(tx, "payout_sent", { payoutIds, actorId: owner.id, at });
    for (const format of ["csv", "xlsx"] as const) {
      const bytes = Buffer.from(`${format} of ${runId}`);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      await tx.insert(payoutFiles).values({ runId, format, columns: [], sha256, bytes });
    }
    await makeRunSheet(tx, runId, at);
    return runId;
  });
}

/** The newest payout. */
export async function lastPayout(deps: Deps): Promise<Payout> {
  const [payout] = await deps.db.select().from(payouts).orderBy(desc(payouts.id)).limit(1);
  if (!payout) throw new Error("no payout");
  return payout;
}
