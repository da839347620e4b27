import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { projects } from "#server/db/schema/projects.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * The ledger: each event of money is a new transaction whose entries sum to zero. The functions also update the
 * project's cached funding. The caller locks the project, the round and the payment.
 */

type PaidPayment = { id: number; userId: string; amountKobo: Kobo };
type Posting = { payment: PaidPayment; actorId: string; at: Date };
type Transaction = typeof ledgerTransactions.$inferInsert;
type Entry = Omit<typeof ledgerEntries.$inferInsert, "transactionId">;

/**
 * Posts an approved payment to its project's round. What is held of it pays first; the rest is posted to the bank account:
 * until the first bank statement an approval is taken as proof that the money came.
 */
export async function postApproval(
  tx: Tx,
  {
    payment: { id: paymentId, userId, amountKobo },
    project: { id: projectId, title: projectTitle },
    round,
    actorId,
    at,
  }: Posting & { project: { id: number; title: string }; round: number },
): Promise<void> {
  const heldKobo = await findHeld(tx, paymentId);
  const coveredKobo = heldKobo < amountKobo ? heldKobo : amountKobo;
  await post(tx, { kind: "approval", paymentId, projectId, projectTitle, round, userId, actorId, createdAt: at }, [
    { account: "bank", amountKobo: amountKobo - coveredKobo },
    { account: "receipts_held", paymentId, amountKobo: coveredKobo },
    { account: "project_funding", projectId, round, amountKobo: -amountKobo },
  ]);
  await addToFunding(tx, projectId, round, amountKobo);
}

/**
 * Reverses the posting of a payment that is no longer approved, in the round it was posted to. What has arrived is held
 * for the backer; the rest leaves the bank account, because it never came.
 */
export async function postReversal(
  tx: Tx,
  { payment, arrivedKobo, actorId, at }: Posting & { arrivedKobo: Kobo },
): Promise<void> {
  const { id: paymentId, amountKobo } = payment;
  const isStanding = sql`not exists (
    select from ledger_transactions reversal where reversal.reverses_id = ${ledgerTransactions.id}
  )`;
  const [approval] = await tx
    .select()
    .from(ledgerTransactions)
    .where(and(eq(ledgerTransactions.paymentId, paymentId), eq(ledgerTransactions.kind, "approval"), isStanding));
  if (!approval) throw new Error(`payment ${paymentId} is approved but has no standing posting`);
  const { id: reversesId, projectId, projectTitle, round, userId } = approval;
  const reversal = { kind: "reversal" as const, paymentId, projectId, projectTitle, round, userId };
  await post(tx, { ...reversal, actorId, reversesId, createdAt: at }, [
    { account: "bank", amountKobo: arrivedKobo - amountKobo },
    { account: "receipts_held", paymentId, amountKobo: -arrivedKobo },
    { account: "project_funding", projectId, round, amountKobo },
  ]);
  await addToFunding(tx, projectId, round, -amountKobo);
}

/** Owes a person what is held of a payment. */
export async function postRefundDue(
  tx: Tx,
  { payment, round, projectId, projectTitle, amountKobo, actorId, at }: RefundPosting,
): Promise<void> {
  const { id: paymentId, userId } = payment;
  const about = { paymentId, projectId, projectTitle, round, userId, actorId, createdAt: at };
  await post(tx, { kind: "refund_due", ...about }, [
    { account: "receipts_held", paymentId, amountKobo },
    { account: "backer_due", paymentId, userId, amountKobo: -amountKobo },
  ]);
}

type RefundPosting = Posting & { round: number; projectId: number; projectTitle: string; amountKobo: Kobo };

/** What has arrived of a payment and is neither approved nor given back, in kobo. */
async function findHeld(tx: Tx, paymentId: number): Promise<Kobo> {
  const [held] = await tx
    .select({ kobo: sql`coalesce(-sum(${ledgerEntries.amountKobo}), 0)::bigint`.mapWith(ledgerEntries.amountKobo) })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.account, "receipts_held"), eq(ledgerEntries.paymentId, paymentId)));
  return held?.kobo ?? 0n;
}

/** Entries of nothing are left out. */
async function post(tx: Tx, transaction: Transaction, entries: Entry[]): Promise<void> {
  const [posted] = await tx.insert(ledgerTransactions).values(transaction).returning({ id: ledgerTransactions.id });
  if (!posted) throw new Error("the ledger transaction was not written");
  const { id: transactionId } = posted;
  const moved = entries.filter(({ amountKobo }) => amountKobo !== 0n);
  await tx.insert(ledgerEntries).values(moved.map((entry) => ({ transactionId, ...entry })));
}

/** Only the current round is cached, so postings to an earlier round or a deleted project don't change it. */
async function addToFunding(tx: Tx, projectId: number, round: number, amountKobo: Kobo): Promise<void> {
  await tx
    .update(projects)
    .set({ currentFundingKobo: sql`${projects.currentFundingKobo} + ${amountKobo.toString()}::bigint` })
    .where(and(eq(projects.id, projectId), eq(projects.round, round)));
}
