import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { projects } from "#server/db/schema/projects.ts";
import {
  hasStatements,
  type LedgerEntry,
  type LedgerTransaction,
  lockBank,
  post,
} from "#server/features/ledger/service.ts";
import { requireNotReleased } from "#server/features/payouts/releases/queries.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * What payments post to the ledger. Where a payment's money stands follows from four numbers: its amount, what has
 * arrived of it, what was written off, and what an approval from before the first statement took for granted. An event
 * changes one of them, and posts the difference. The caller locks the project, the round and the payment.
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

/** The money of one payment, in kobo. */
export interface PaymentMoney {
  isApproved: boolean;
  amountKobo: Kobo;
  /** What has arrived, less what was given back or is due to be. */
  arrivedKobo: Kobo;
  /** The missing rest that the approval wrote off. */
  writtenOffKobo: Kobo;
  /** What the approval posted to `bank`, before the first statement: nobody had seen it. */
  assumedKobo: Kobo;
  /** What people said had arrived before the first statement, and when they last did; the opening counts it. */
  saidKobo: Kobo;
  saidOn: string | null;
  /** What lines up to that day show of the payment: as far as it was said, it arrived once. */
  shownKobo: Kobo;
}

/** What people said had arrived before the first statement, and no line has shown. */
const unshownKobo = ({ saidKobo, shownKobo }: PaymentMoney): Kobo => atLeastNothing(saidKobo - shownKobo);

/** What a line of this day would show if it was all that is expected of the payment. */
export function expectedKobo(money: PaymentMoney, day: string): Kobo {
  const { missingKobo } = placesOf(money);
  return money.saidOn !== null && day <= money.saidOn ? missingKobo + unshownKobo(money) : missingKobo;
}

/**
 * The money after a line of this day shows more of the payment, or less. A line of a day up to which people said that money had
 * arrived shows that first, so that it doesn't arrive a second time.
 */
export function withLine(money: PaymentMoney, { day, byKobo }: { day: string; byKobo: Kobo }): PaymentMoney {
  if (money.saidOn === null || day > money.saidOn) return { ...money, arrivedKobo: money.arrivedKobo + byKobo };
  const after = { ...money, shownKobo: money.shownKobo + byKobo };
  const saidKobo = unshownKobo(money) - unshownKobo(after);
  return { ...after, arrivedKobo: money.arrivedKobo + byKobo - saidKobo };
}

/** Where a payment's money stands. Amounts are positive, in kobo. */
export function placesOf(money: PaymentMoney) {
  const { isApproved, amountKobo, arrivedKobo, writtenOffKobo, assumedKobo, saidKobo } = money;
  const restKobo = amountKobo - writtenOffKobo - arrivedKobo;
  const missingKobo = atLeastNothing(restKobo);
  const shownKobo = saidKobo - unshownKobo(money);
  if (!isApproved) return { missingKobo, inTransitKobo: 0n, heldKobo: arrivedKobo, seenKobo: shownKobo };
  const explainedKobo = atLeastNothing(assumedKobo - missingKobo);
  return {
    missingKobo,
    inTransitKobo: atLeastNothing(missingKobo - assumedKobo),
    /** Arrived, and neither approved nor given back. */
    heldKobo: atLeastNothing(-restKobo),
    /** What the bank has shown since of what was assumed or said: it explains a part of the opening difference. */
    seenKobo: explainedKobo + shownKobo,
  };
}

const atLeastNothing = (kobo: Kobo): Kobo => (kobo > 0n ? kobo : 0n);

type MoneyRow = {
  id: string;
  amountKobo: string;
  isApproved: boolean;
  heldKobo: string;
  inTransitKobo: string;
  assumedKobo: string;
  writtenOffKobo: string;
  seenKobo: string;
  saidKobo: string;
  saidOn: string | null;
  shownKobo: string;
};

/** The first opening of an own account, which posts nothing where nothing differs, but lines follow: what came before counts in it. */
const firstOpening = sql`coalesce(least(
  (select min(opening.id) from ledger_transactions opening where opening.own_account_id is not null),
  (select min(first.id) from ledger_transactions first where first.line_id is not null)), 9223372036854775807)`;

/**
 * Condition of a transaction `t` of a payment from before the first statement that says what had arrived: but for an approval
 * that stood at the opening, which only assumed it.
 */
const saysArrived = sql`(t.id < ${firstOpening} and (t.kind <> 'approval' or exists (
  select from ledger_transactions reversal where reversal.reverses_id = t.id and reversal.id < ${firstOpening})))`;

/** Of the payment `p`: what people said before the first statement had arrived, the day of it, and what lines have shown of it. */
const saidSums = sql`
  select said.kobo as said, case when said.kobo > 0 then said.on_day end as said_on,
    coalesce(case when said.kobo > 0 then (
      select sum(m.amount_kobo) from line_matches m join statement_lines l on l.id = m.line_id
      where m.payment_id = p.id and m.kind = 'payment' and m.undone_at is null and l.date <= said.on_day) end, 0)::bigint as shown
  from (
    select coalesce(sum(e.amount_kobo), 0)::bigint as kobo,
      max((t.created_at at time zone 'Africa/Lagos')::date) filter (where t.kind in ('declared_arrival', 'reversal')) as on_day
    from ledger_transactions t left join ledger_entries e
      on e.transaction_id = t.id and e.account = 'bank' and e.own_account_id is null
    where t.payment_id = p.id and ${saysArrived}
  ) said`;

/**
 * The ledger's sums of payments, as a table; `chosen` is a condition on `p`, the payment. What the bank has shown since of
 * an assumed part left the opening difference, or moved from the assumed entries of `bank` to the account's own.
 */
export const moneySums = (chosen: SQL): SQL => sql`
  select p.id, p.amount_kobo, a.id is not null as is_approved,
    (select coalesce(-sum(amount_kobo), 0)::bigint from ledger_entries
      where account = 'receipts_held' and payment_id = p.id) as held,
    (select coalesce(sum(amount_kobo), 0)::bigint from ledger_entries
      where account = 'in_transit' and payment_id = p.id) as in_transit,
    (select coalesce(sum(amount_kobo), 0)::bigint from ledger_entries
      where transaction_id = a.id and account = 'bank') as assumed,
    (select coalesce(sum(amount_kobo), 0)::bigint from ledger_entries
      where transaction_id = a.id and account = 'bank_charges') as written_off,
    -- After the opening no approval assumes anything.
    case when a.id < ${firstOpening} then (
        select coalesce(sum(e.amount_kobo), 0)::bigint
        from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        where t.payment_id = p.id and t.id > a.id and case t.kind
          when 'declared_arrival' then e.account = 'bank' and e.own_account_id is null
          else e.account = 'opening_difference' end)
      -- Lines explain the opening difference of what was said too.
      + least(s.said, s.shown) else 0 end as seen,
    s.said, s.said_on, s.shown
  from project_payments p cross join lateral (${saidSums}) s left join ledger_transactions a on a.payment_id = p.id and a.kind = 'approval'
    and not exists (select from ledger_transactions r where r.reverses_id = a.id)
  where ${chosen}`;

/** Reads the money of payments from the ledger, by their ids. */
export async function readMoneyOf(db: DbOrTx, paymentIds: number[]): Promise<Map<number, PaymentMoney>> {
  if (paymentIds.length === 0) return new Map();
  const found = await rows<MoneyRow>(
    db,
    sql`select id::text, amount_kobo::text as "amountKobo", is_approved as "isApproved", held::text as "heldKobo",
        in_transit::text as "inTransitKobo", assumed::text as "assumedKobo", written_off::text as "writtenOffKobo",
        seen::text as "seenKobo", said::text as "saidKobo", said_on::text as "saidOn", shown::text as "shownKobo"
      from (${moneySums(inArray(sql`p.id`, paymentIds))}) sums`,
  );
  return new Map(found.map((row) => [Number(row.id), moneyFrom(row)]));
}

function moneyFrom({ isApproved, saidOn, ...sums }: MoneyRow): PaymentMoney {
  const amountKobo = BigInt(sums.amountKobo);
  const heldKobo = BigInt(sums.heldKobo);
  const said = { saidKobo: BigInt(sums.saidKobo), saidOn, shownKobo: BigInt(sums.shownKobo) };
  if (!isApproved)
    return { isApproved, amountKobo, arrivedKobo: heldKobo, writtenOffKobo: 0n, assumedKobo: 0n, ...said };
  const assumedKobo = BigInt(sums.assumedKobo);
  const writtenOffKobo = BigInt(sums.writtenOffKobo);
  const missingKobo = BigInt(sums.inTransitKobo) + assumedKobo + BigInt(sums.seenKobo);
  const arrivedKobo = amountKobo - writtenOffKobo - missingKobo + heldKobo;
  return { isApproved, amountKobo, arrivedKobo, writtenOffKobo, assumedKobo, ...said };
}

/** Reads one payment's money from the ledger. */
export async function readMoney(tx: Tx, { id }: { id: number }): Promise<PaymentMoney> {
  const money = (await readMoneyOf(tx, [id])).get(id);
  if (!money) throw new Error(`payment ${id} is gone`);
  return money;
}

/**
 * The entries of a change of the money's places; together they are the change of what arrived, unless approval or reversal
 * stand beside them.
 */
async function entriesOf(tx: Tx, paymentId: number, before: PaymentMoney, after: PaymentMoney): Promise<LedgerEntry[]> {
  const from = placesOf(before);
  const to = placesOf(after);
  // A reversal ends what the approval assumed, as if all of it had been explained.
  const endedKobo = before.isApproved && !after.isApproved ? before.assumedKobo : 0n;
  const seenKobo = to.seenKobo + endedKobo;
  return [
    { account: "in_transit", paymentId, amountKobo: to.inTransitKobo - from.inTransitKobo },
    { account: "receipts_held", paymentId, amountKobo: from.heldKobo - to.heldKobo },
    ...(await openingDifference(tx, from.seenKobo - seenKobo)),
  ];
}

/** Entries of the opening difference of the original own account, which what was approved before statements belongs to. */
async function openingDifference(tx: Tx, amountKobo: Kobo): Promise<LedgerEntry[]> {
  if (amountKobo === 0n) return [];
  return [{ account: "opening_difference", ownAccountId: await findOriginalAccount(tx), amountKobo }];
}

async function findOriginalAccount(tx: Tx): Promise<number> {
  const [original] = await tx.select({ id: ownAccounts.id }).from(ownAccounts).where(eq(ownAccounts.isOriginal, true));
  if (!original) throw new Error("no own account holds what was approved before statements");
  return original.id;
}

/**
 * Posts an approved payment to its project's round. What has arrived pays first. Before the first statement an approval is
 * taken as proof that the rest came, too; after it the rest is in transit until a line shows it, less `writtenOffKobo`.
 */
export async function postApproval(
  tx: Tx,
  {
    payment,
    project,
    writtenOffKobo,
    actorId,
    at,
  }: Posting & { project: { id: number; title: string }; writtenOffKobo: Kobo },
): Promise<void> {
  await lockBank(tx, "share");
  const { id: paymentId, amountKobo, round } = payment;
  const before = await readMoney(tx, payment);
  const restKobo = atLeastNothing(amountKobo - before.arrivedKobo);
  const assumedKobo = (await hasStatements(tx)) ? 0n : restKobo;
  const after = { ...before, isApproved: true, writtenOffKobo, assumedKobo };
  await post(tx, { kind: "approval", ...about(payment, project), actorId, createdAt: at }, [
    { account: "bank", amountKobo: assumedKobo },
    ...(await entriesOf(tx, paymentId, before, after)),
    { account: "bank_charges", amountKobo: writtenOffKobo },
    { account: "project_funding", projectId: project.id, round, amountKobo: -amountKobo },
  ]);
  await addToFunding(tx, project.id, round, amountKobo);
}

/**
 * Reverses the posting of a payment that is no longer approved, in the round it was posted to. What has arrived is held
 * for the backer. Before the first statement that is what the owner says, and the rest leaves the bank account, because it
 * never came; after it, only what lines have shown counts. Throws "conflict" if the round's money went to its farm.
 */
export async function postReversal(
  tx: Tx,
  { payment, saidKobo, actorId, at }: Posting & { saidKobo: Kobo },
): Promise<void> {
  await lockBank(tx, "share");
  const { id: paymentId, amountKobo } = payment;
  const approval = await findStandingApproval(tx, paymentId);
  if (!approval?.projectId || approval.round === null) {
    throw new Error(`payment ${paymentId} is approved but has no standing posting`);
  }
  const { id: reversesId, projectId, projectTitle, round, userId } = approval;
  const before = await readMoney(tx, payment);
  const { inTransitKobo } = placesOf(before);
  await requireNotReleased(tx, { projectId, round, amountKobo, inTransitKobo });
  const after = { ...before, isApproved: false, writtenOffKobo: 0n, assumedKobo: 0n };
  const isSaid = !(await hasStatements(tx));
  const transaction = { kind: "reversal" as const, paymentId, projectId, projectTitle, round, userId };
  await post(tx, { ...transaction, actorId, reversesId, createdAt: at }, [
    ...(isSaid
      ? [
          { account: "bank" as const, amountKobo: saidKobo - amountKobo },
          { account: "receipts_held" as const, paymentId, amountKobo: -saidKobo },
        ]
      : [
          ...(await entriesOf(tx, paymentId, before, after)),
          { account: "bank_charges" as const, amountKobo: -before.writtenOffKobo },
        ]),
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
    /** The other side: a line's unexplained rest, or a refund that was due. */
    from: LedgerEntry[];
  },
): Promise<void> {
  if (after.arrivedKobo < 0n) throw new Error(`less than nothing of payment ${payment.id} would have arrived`);
  await post(tx, { ...transaction, ...about(payment) }, [...from, ...(await entriesOf(tx, payment.id, before, after))]);
}

/**
 * Posts that money of a payment had arrived before the first statement. While none was imported it is in `bank`, as what an
 * approval takes for granted, and the opening counts it. After that it is a part of the opening difference, but for what the
 * approval took for granted: that is in `bank` already, and moves to the own account's entries of it.
 */
export async function postDeclaredArrival(
  tx: Tx,
  { payment, byKobo, actorId, at }: Posting & { byKobo: Kobo },
): Promise<void> {
  await lockBank(tx, "share");
  const { id: paymentId } = payment;
  const before = await readMoney(tx, payment);
  const from = placesOf(before);
  const to = placesOf({ ...before, arrivedKobo: before.arrivedKobo + byKobo });
  const transaction = { kind: "declared_arrival" as const, ...about(payment), actorId, createdAt: at };
  if (!(await hasStatements(tx))) {
    // The caller refuses it of an approved payment, all of which counts as arrived.
    await post(tx, transaction, [
      { account: "bank", amountKobo: byKobo },
      { account: "receipts_held", paymentId, amountKobo: from.heldKobo - to.heldKobo },
    ]);
    return;
  }
  const assumedKobo = to.seenKobo - from.seenKobo;
  await post(tx, transaction, [
    { account: "in_transit", paymentId, amountKobo: to.inTransitKobo - from.inTransitKobo },
    { account: "receipts_held", paymentId, amountKobo: from.heldKobo - to.heldKobo },
    ...(await openingDifference(tx, byKobo - assumedKobo)),
    { account: "bank", amountKobo: -assumedKobo },
    { account: "bank", ownAccountId: await findOriginalAccount(tx), amountKobo: assumedKobo },
  ]);
}

/** Owes a person what is held of a payment. */
export async function postRefundDue(
  tx: Tx,
  { payment, amountKobo, actorId, at }: Posting & { amountKobo: Kobo },
): Promise<void> {
  const { id: paymentId, userId } = payment;
  await post(tx, { kind: "refund_due", ...about(payment), actorId, createdAt: at }, [
    { account: "receipts_held", paymentId, amountKobo },
    { account: "backer_due", paymentId, userId, amountKobo: -amountKobo },
  ]);
}

/**
 * Takes back that a refund is due, as if its money arrived again. It pays first for what is missing of an approved payment,
 * where a match was undone meanwhile; the rest is held.
 */
export async function postRefundTakenBack(
  tx: Tx,
  { payment, amountKobo, actorId, at }: Posting & { amountKobo: Kobo },
): Promise<void> {
  const before = await readMoney(tx, payment);
  await postArrival(tx, {
    payment,
    transaction: { kind: "refund_taken_back", actorId, createdAt: at },
    before,
    after: { ...before, arrivedKobo: before.arrivedKobo + amountKobo },
    from: [{ account: "backer_due", paymentId: payment.id, userId: payment.userId, amountKobo }],
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
