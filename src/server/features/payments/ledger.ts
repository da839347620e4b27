import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { projects } from "#server/db/schema/projects.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * The ledger: every approval and every reversal is a new transaction of two entries that sum to zero.
 * Both functions also update the project's cached funding. The caller locks the project and the payment.
 */

type Posting = {
  payment: { id: number; userId: string; amountKobo: Kobo };
  actorId: string;
  at: Date;
};

/** Posts an approved payment: increases the bank account and the amount received in the project's current round. */
export async function postApproval(
  tx: Tx,
  { payment, project, actorId, at }: Posting & { project: { id: number; title: string; round: number } },
): Promise<void> {
  const [posted] = await tx
    .insert(ledgerTransactions)
    .values({
      kind: "approval",
      paymentId: payment.id,
      projectId: project.id,
      projectTitle: project.title,
      round: project.round,
      userId: payment.userId,
      actorId,
      createdAt: at,
    })
    .returning({ id: ledgerTransactions.id });
  if (!posted) throw new Error("the ledger transaction was not written");
  await writeEntries(tx, posted.id, payment.amountKobo);
  await addToFunding(tx, project.id, project.round, payment.amountKobo);
}

/** Reverses the posting of a payment that is no longer approved, in the round it was posted to. */
export async function postReversal(tx: Tx, { payment, actorId, at }: Posting): Promise<void> {
  const isStanding = sql`not exists (
    select from ledger_transactions reversal where reversal.reverses_id = ${ledgerTransactions.id}
  )`;
  const [approval] = await tx
    .select()
    .from(ledgerTransactions)
    .where(and(eq(ledgerTransactions.paymentId, payment.id), eq(ledgerTransactions.kind, "approval"), isStanding));
  if (!approval) throw new Error(`payment ${payment.id} is approved but has no standing posting`);
  const { projectId, projectTitle, round, userId } = approval;
  const [posted] = await tx
    .insert(ledgerTransactions)
    .values({
      kind: "reversal",
      paymentId: payment.id,
      projectId,
      projectTitle,
      round,
      userId,
      actorId,
      reversesId: approval.id,
      createdAt: at,
    })
    .returning({ id: ledgerTransactions.id });
  if (!posted) throw new Error("the ledger transaction was not written");
  await writeEntries(tx, posted.id, -payment.amountKobo);
  await addToFunding(tx, projectId, round, -payment.amountKobo);
}

async function writeEntries(tx: Tx, transactionId: number, amountKobo: Kobo): Promise<void> {
  await tx.insert(ledgerEntries).values([
    { transactionId, account: "bank", amountKobo },
    { transactionId, account: "project_funding", amountKobo: -amountKobo },
  ]);
}

/** Only the current round is cached, so postings to an earlier round or a deleted project don't change it. */
async function addToFunding(tx: Tx, projectId: number, round: number, amountKobo: Kobo): Promise<void> {
  await tx
    .update(projects)
    .set({ currentFundingKobo: sql`${projects.currentFundingKobo} + ${amountKobo.toString()}::bigint` })
    .where(and(eq(projects.id, projectId), eq(projects.round, round)));
}
