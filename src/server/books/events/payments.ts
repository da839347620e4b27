import { and, eq, sql } from "drizzle-orm";
import { type PaymentMoney, placesOf, readMoney } from "#server/books/places.ts";
import { type LedgerEntry, type LedgerTransaction, post } from "#server/books/post.ts";
import { requireNotReleased } from "#server/books/rounds.ts";
import type { Tx } from "#server/db/open.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { projects } from "#server/db/schema/projects.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * The postings of payments. An event changes what their money is, and posts the difference of its places. The caller
 * locks the project alone and the payment; for an approval or a reversal the round too.
 */

export type PostedPayment = {
  id: number;
  projectId: number | null;
  projectTitle: string;
  round: number;
  userId: string;
  amountKobo: Kobo;
};
type Posting = { payment: PostedPayment; actorId: string | null; at: Date };

/** The entries of a change of the money's places; the caller adds what they change together. */
function entriesOf(paymentId: number, before: PaymentMoney, after: PaymentMoney): LedgerEntry[] {
  const from = placesOf(before);
  const to = placesOf(after);
  return [
    { account: "in_transit", paymentId, amountKobo: to.inTransitKobo - from.inTransitKobo },
    { account: "receivable", paymentId, amountKobo: to.receivableKobo - from.receivableKobo },
    { account: "unallocated", paymentId, amountKobo: from.unallocatedKobo - to.unallocatedKobo },
    { account: "operator", amountKobo: from.keptKobo - to.keptKobo },
  ];
}

/**
 * Posts an approved payment to its project's round, and returns its money then. What has arrived pays first; the rest is in
 * transit until a line shows it, less `writtenOffKobo`, which banks kept. `before` was read after the payment was locked.
 */
export async function postApproval(
  tx: Tx,
  {
    payment,
    project,
    before,
    writtenOffKobo,
    actorId,
    at,
  }: Posting & { project: { id: number; title: string }; before: PaymentMoney; writtenOffKobo: Kobo },
): Promise<PaymentMoney> {
  const { id: paymentId, amountKobo, round } = payment;
  const after = { ...before, isApproved: true, writtenOffKobo };
  await post(tx, { kind: "approval", ...about(payment, project), actorId, createdAt: at }, [
    ...entriesOf(paymentId, before, after),
    { account: "bank_charges", amountKobo: writtenOffKobo },
    { account: "project_funding", projectId: project.id, round, amountKobo: -amountKobo },
  ]);
  await addToFunding(tx, project.id, round, amountKobo);
  return after;
}

/**
 * Reverses the posting of a payment that is no longer approved, in the round it was posted to. What has arrived is
 * unallocated again, and the rest is no longer on its way. Throws "conflict" if the round's money went to its farm.
 */
export async function postReversal(tx: Tx, { payment, actorId, at }: Posting): Promise<void> {
  const { id: paymentId, amountKobo } = payment;
  const approval = await findStandingApproval(tx, paymentId);
  if (!approval?.projectId || approval.round === null) {
    throw new Error(`payment ${paymentId} is approved but has no standing posting`);
  }
  const { id: reversesId, projectId, projectTitle, round, userId } = approval;
  const before = await readMoney(tx, payment);
  const { inTransitKobo, receivableKobo } = placesOf(before);
  await requireNotReleased(tx, { projectId, round, amountKobo, unseenKobo: inTransitKobo + receivableKobo });
  const after = { ...before, isApproved: false, writtenOffKobo: 0n, takenBackKobo: 0n };
  const transaction = { kind: "reversal" as const, paymentId, projectId, projectTitle, round, userId };
  await post(tx, { ...transaction, actorId, reversesId, createdAt: at }, [
    ...entriesOf(paymentId, before, after),
    { account: "bank_charges", amountKobo: -before.writtenOffKobo },
    { account: "project_funding", projectId, round, amountKobo },
  ]);
  await addToFunding(tx, projectId, round, -amountKobo);
}

/**
 * Posts that more of a payment has arrived, or less than it was: where that moves its money, beside the entry that says
 * where the money comes from. Of a match, `before` was read before its row was written or undone. Throws if less than nothing
 * would be left; the caller refuses that before.
 */
export async function postArrival(
  tx: Tx,
  {
    payment,
    transaction,
    before,
    after,
    from,
  }: {
    payment: PostedPayment;
    transaction: Pick<LedgerTransaction, "kind" | "matchId" | "actorId" | "createdAt">;
    before: PaymentMoney;
    after: PaymentMoney;
    /** The other side: a line's unexplained rest, or a refund that was due. Nothing where people only say so. */
    from: LedgerEntry[];
  },
): Promise<void> {
  if (after.arrivedKobo < 0n) throw new Error(`less than nothing of payment ${payment.id} would have arrived`);
  await post(tx, { ...transaction, ...about(payment) }, [...from, ...entriesOf(payment.id, before, after)]);
}

/** Posts that money of a payment that isn't approved came, as people say: it is on its way until a line takes its place. */
export async function postDeclaredArrival(
  tx: Tx,
  kind: "declared_arrival" | "assumed_arrival",
  { payment, byKobo, actorId, at }: Posting & { byKobo: Kobo },
): Promise<void> {
  const before = await readMoney(tx, payment);
  if (before.isApproved) throw new Error(`payment ${payment.id} is approved: its money is on its way already`);
  const [arrivedKobo, saidKobo] = [before.arrivedKobo + byKobo, before.saidKobo + byKobo];
  const transaction = { kind, actorId, createdAt: at };
  await postArrival(tx, { payment, transaction, before, after: { ...before, arrivedKobo, saidKobo }, from: [] });
}

/** Owes a person what is unallocated of a payment. */
export async function postRefundDue(
  tx: Tx,
  { payment, amountKobo, actorId, at }: Posting & { amountKobo: Kobo },
): Promise<void> {
  const { id: paymentId, userId } = payment;
  await post(tx, { kind: "refund_due", ...about(payment), actorId, createdAt: at }, [
    { account: "unallocated", paymentId, amountKobo },
    { account: "backer_due", paymentId, userId, amountKobo: -amountKobo },
  ]);
}

/**
 * Takes back that a refund is due, as if its money arrived again. It pays first for what is missing of an approved payment,
 * where a match was undone meanwhile; the rest is unallocated.
 */
export async function postRefundTakenBack(
  tx: Tx,
  { payment, owed, actorId, at }: Posting & { owed: readonly { userId: string; amountKobo: Kobo }[] },
): Promise<void> {
  const before = await readMoney(tx, payment);
  const amountKobo = owed.reduce((sum, one) => sum + one.amountKobo, 0n);
  await postArrival(tx, {
    payment,
    transaction: { kind: "refund_taken_back", actorId, createdAt: at },
    before,
    after: { ...before, arrivedKobo: before.arrivedKobo + amountKobo },
    from: owed.map((one) => ({ account: "backer_due", paymentId: payment.id, ...one })),
  });
}

/** The columns of a transaction about a payment. */
const about = (
  { id: paymentId, userId, round, projectId, projectTitle }: PostedPayment,
  project: { id: number; title: string } | null = projectId === null ? null : { id: projectId, title: projectTitle },
) => ({ paymentId, userId, round, projectId: project?.id ?? null, projectTitle: project?.title ?? projectTitle });

/** The posting of a payment's approval that no reversal has taken back. */
async function findStandingApproval(tx: Tx, paymentId: number) {
  const isStanding = sql`not exists (
    select from ledger_transactions reversal where reversal.reverses_id = ${ledgerTransactions.id}
  )`;
  const [approval] = await tx
    .select()
    .from(ledgerTransactions)
    .where(and(eq(ledgerTransactions.paymentId, paymentId), eq(ledgerTransactions.kind, "approval"), isStanding));
  return approval;
}

/** Only the current round is cached, so postings to an earlier round or a deleted project don't change it. */
async function addToFunding(tx: Tx, projectId: number, round: number, amountKobo: Kobo): Promise<void> {
  await tx
    .update(projects)
    .set({ currentFundingKobo: sql`${projects.currentFundingKobo} + ${amountKobo.toString()}::bigint` })
    .where(and(eq(projects.id, projectId), eq(projects.round, round)));
}
