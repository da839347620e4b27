import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { projects } from "#server/db/schema/projects.ts";
import { type LedgerEntry, type LedgerTransaction, post } from "#server/features/ledger/service.ts";
import { requireNotReleased } from "#server/features/payouts/releases/queries.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * What payments post to the ledger. Where a payment's money stands follows from its amount, what has arrived of it, what of
 * that people only said, what the bank took back, and what was written off. An event changes one of them, and posts the
 * difference. The caller locks the project, the round and the payment.
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

/** What no posting says of a payment's money, but its lines and what people said in their order. */
type Claims = {
  /** What people said had arrived and no line has shown yet; it counts as arrived. */
  saidKobo: Kobo;
  /** What the bank took back since the approval that stands. */
  takenBackKobo: Kobo;
};

/** The money of one payment, in kobo. */
export interface PaymentMoney extends Claims {
  isApproved: boolean;
  amountKobo: Kobo;
  /** What has arrived, as lines show or people say, less what was taken back, given back or is due to be. */
  arrivedKobo: Kobo;
  /** The missing rest that the approval wrote off. */
  writtenOffKobo: Kobo;
}

/** What a line would show if it was all that is expected of the payment. What people said still needs its line. */
export const expectedKobo = (money: PaymentMoney): Kobo => placesOf(money).missingKobo + money.saidKobo;

/** Where a payment's money stands. Amounts are positive, in kobo. */
export function placesOf({
  isApproved,
  amountKobo,
  arrivedKobo,
  writtenOffKobo,
  saidKobo,
  takenBackKobo,
}: PaymentMoney) {
  const restKobo = amountKobo - writtenOffKobo - arrivedKobo;
  const missingKobo = atLeastNothing(restKobo);
  if (!isApproved) return { missingKobo, inTransitKobo: saidKobo, receivableKobo: 0n, unallocatedKobo: arrivedKobo };
  // What was taken back is missing again: it isn't on its way.
  const onItsWayKobo = atLeastNothing(missingKobo - takenBackKobo);
  return {
    missingKobo,
    inTransitKobo: onItsWayKobo + saidKobo,
    receivableKobo: missingKobo - onItsWayKobo,
    unallocatedKobo: atLeastNothing(-restKobo),
  };
}

const atLeastNothing = (kobo: Kobo): Kobo => (kobo > 0n ? kobo : 0n);

/** Kinds of transactions by which people say that money came. */
const saidKinds = sql`('declared_arrival', 'assumed_arrival')`;

/**
 * Of the payment `p`: what people said and no line has shown. A line takes the place of what was said until then; what it shows
 * beyond that is other money. So what is said adds up, a line lowers it, and it never falls below nothing.
 */
const saidOf = sql`(case when exists (
    select from ledger_transactions t where t.payment_id = p.id and t.kind in ${saidKinds}
  ) then (
    select (array_agg(kobo order by id desc))[1] - least(min(kobo), 0) from (
      select id, sum(by_kobo) over (order by id) as kobo from (
        select t.id, e.amount_kobo as by_kobo
        from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'in_transit'
        where t.payment_id = p.id and t.kind in ${saidKinds}
        union all
        select coalesce(t.id, 9223372036854775807), -m.amount_kobo
        from line_matches m left join ledger_transactions t on t.match_id = m.id and t.kind = 'match'
        where m.payment_id = p.id and m.kind = 'payment' and m.undone_at is null
      ) steps
    ) sums
  ) else 0 end)::bigint`;

/** Of the payment `p` and its standing approval `a`: what the bank took back since. */
const takenBackOf = sql`(
  select coalesce(sum(m.amount_kobo), 0)
  from line_matches m left join ledger_transactions t on t.match_id = m.id and t.kind = 'match'
  where m.payment_id = p.id and m.kind = 'taken_back' and m.undone_at is null and (t.id is null or t.id > a.id)
)::bigint`;

const withStandingApproval = sql`project_payments p left join ledger_transactions a on a.payment_id = p.id
  and a.kind = 'approval' and not exists (select from ledger_transactions r where r.reverses_id = a.id)`;

/** The ledger's sums of payments, as a table; `chosen` is a condition on `p`, the payment. */
export const moneySums = (chosen: SQL): SQL => sql`
  select p.id, p.amount_kobo, a.id is not null as is_approved, of_payment.*,
    (select coalesce(sum(amount_kobo), 0)::bigint from ledger_entries
      where transaction_id = a.id and account = 'bank_charges') as written_off,
    ${saidOf} as said, ${takenBackOf} as taken_back
  from ${withStandingApproval}
    cross join lateral (
      select coalesce(-sum(amount_kobo) filter (where account = 'unallocated'), 0)::bigint as unallocated,
        coalesce(sum(amount_kobo) filter (where account = 'in_transit'), 0)::bigint as in_transit,
        coalesce(sum(amount_kobo) filter (where account = 'receivable'), 0)::bigint as receivable
      from ledger_entries where payment_id = p.id and account in ('unallocated', 'in_transit', 'receivable')
    ) of_payment
  where ${chosen}`;

/** What is missing of an approved payment, by the columns of {@link moneySums}. */
export const missingOfApproved = sql`(in_transit + receivable - said)`;

type MoneyRow = {
  id: string;
  amountKobo: string;
  isApproved: boolean;
  unallocatedKobo: string;
  missingKobo: string;
  writtenOffKobo: string;
  saidKobo: string;
  takenBackKobo: string;
};

/** Reads the money of payments from the ledger, by their ids. */
export async function readMoneyOf(db: DbOrTx, paymentIds: number[]): Promise<Map<number, PaymentMoney>> {
  if (paymentIds.length === 0) return new Map();
  const found = await rows<MoneyRow>(
    db,
    sql`select id::text, amount_kobo::text as "amountKobo", is_approved as "isApproved",
        unallocated::text as "unallocatedKobo", ${missingOfApproved}::text as "missingKobo",
        written_off::text as "writtenOffKobo", said::text as "saidKobo", taken_back::text as "takenBackKobo"
      from (${moneySums(inArray(sql`p.id`, paymentIds))}) sums`,
  );
  return new Map(found.map((row) => [Number(row.id), moneyFrom(row)]));
}

function moneyFrom({ isApproved, ...sums }: MoneyRow): PaymentMoney {
  const amountKobo = BigInt(sums.amountKobo);
  const unallocatedKobo = BigInt(sums.unallocatedKobo);
  const saidKobo = BigInt(sums.saidKobo);
  const common = { isApproved, amountKobo, saidKobo };
  if (!isApproved) return { ...common, arrivedKobo: unallocatedKobo, writtenOffKobo: 0n, takenBackKobo: 0n };
  const writtenOffKobo = BigInt(sums.writtenOffKobo);
  const arrivedKobo = amountKobo - writtenOffKobo - BigInt(sums.missingKobo) + unallocatedKobo;
  return { ...common, arrivedKobo, writtenOffKobo, takenBackKobo: BigInt(sums.takenBackKobo) };
}

/** Reads one payment's money from the ledger. */
export async function readMoney(tx: Tx, { id }: { id: number }): Promise<PaymentMoney> {
  const money = (await readMoneyOf(tx, [id])).get(id);
  if (!money) throw new Error(`payment ${id} is gone`);
  return money;
}

/**
 * The money after a line shows so much more of the payment, or so much was taken back; `byKobo` is negative where that is undone.
 * The match is written or undone already, and not posted yet; `before` was read before it was.
 */
export async function readMoneyAfter(
  tx: Tx,
  { id }: { id: number },
  { before, kind, byKobo }: { before: PaymentMoney; kind: "payment" | "taken_back"; byKobo: Kobo },
): Promise<PaymentMoney> {
  const [found] = await rows<{ saidKobo: string; takenBackKobo: string }>(
    tx,
    sql`select ${saidOf}::text as "saidKobo", ${takenBackOf}::text as "takenBackKobo"
      from ${withStandingApproval} where p.id = ${id}`,
  );
  if (!found) throw new Error(`payment ${id} is gone`);
  const saidKobo = BigInt(found.saidKobo);
  const takenBackKobo = before.isApproved ? BigInt(found.takenBackKobo) : 0n;
  const shownKobo = kind === "payment" ? byKobo : -byKobo;
  const arrivedKobo = before.arrivedKobo + shownKobo + saidKobo - before.saidKobo;
  return { ...before, arrivedKobo, saidKobo, takenBackKobo };
}

/** The entries of a change of the money's places; the caller adds what they change together. */
function entriesOf(paymentId: number, before: PaymentMoney, after: PaymentMoney): LedgerEntry[] {
  const from = placesOf(before);
  const to = placesOf(after);
  return [
    { account: "in_transit", paymentId, amountKobo: to.inTransitKobo - from.inTransitKobo },
    { account: "receivable", paymentId, amountKobo: to.receivableKobo - from.receivableKobo },
    { account: "unallocated", paymentId, amountKobo: from.unallocatedKobo - to.unallocatedKobo },
  ];
}

/**
 * Posts an approved payment to its project's round. What has arrived pays first; the rest is in transit until a line shows it,
 * less `writtenOffKobo`.
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
  const { id: paymentId, amountKobo, round } = payment;
  const before = await readMoney(tx, payment);
  const after = { ...before, isApproved: true, writtenOffKobo };
  await post(tx, { kind: "approval", ...about(payment, project), actorId, createdAt: at }, [
    ...entriesOf(paymentId, before, after),
    { account: "bank_charges", amountKobo: writtenOffKobo },
    { account: "project_funding", projectId: project.id, round, amountKobo: -amountKobo },
  ]);
  await addToFunding(tx, project.id, round, amountKobo);
}

/**
 * Reverses the posting of a payment that is no longer approved, in the round it was posted to. What has arrived is unallocated
 * again, and the rest is no longer on its way. Throws "conflict" if the round's money went to its farm.
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
export async function postSaidArrival(
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
