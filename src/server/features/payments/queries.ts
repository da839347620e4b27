import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { missingOfApproved, moneySums } from "#server/books/places.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import type { Round } from "#server/features/projects/rounds/service.ts";
import { AppError } from "#server/platform/errors.ts";
import { holidayRows, readHolidays } from "#server/platform/holidays.ts";
import { latestFirst } from "#server/platform/keyset.ts";
import type { Kobo } from "#shared/money.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { paymentTexts, type RefundDue, type RefundReason, restDeadline } from "#shared/payments/texts.ts";
import type { RoundOutcome } from "#shared/projects/texts.ts";

/** The unallocated money of a payment, in kobo. */
const unallocatedKobo = sql<bigint>`(
  select coalesce(-sum(e.amount_kobo), 0)::bigint from ledger_entries e
  where e.account = 'unallocated' and e.payment_id = ${projectPayments.id}
)`.mapWith(projectPayments.amountKobo);

const missing = sql`case when is_approved then ${missingOfApproved} else greatest(amount_kobo - unallocated, 0) end`;

/** The missing money of a payment, in kobo. For queries with a join, because drizzle names the table only there. */
export const missingKobo = sql<bigint>`(
  select ${missing} from (${moneySums(sql`p.id = ${projectPayments.id}`)}) sums
)`.mapWith(projectPayments.amountKobo);

/** The money of a payment that people said had arrived and no line has shown yet. */
export const saidKobo = sql<bigint>`(
  select said from (${moneySums(sql`p.id = ${projectPayments.id}`)}) sums
)`.mapWith(projectPayments.amountKobo);

/** The amount of a line that would show everything expected of a payment; of a rejected one only what people said. */
export const expectedKobo = sql<bigint>`(
  select case when ${projectPayments.status} = 'rejected' then 0 else ${missing} end + said
  from (${moneySums(sql`p.id = ${projectPayments.id}`)}) sums
)`.mapWith(projectPayments.amountKobo);

/**
 * The money that has arrived for a payment under review, and the date by which its rest should come; null if no line of
 * the bank brought any.
 */
export const arrivalColumns = {
  arrivedKobo: unallocatedKobo,
  restBy: sql`(
    select json_build_object('at', max(m.created_at), 'holidays', ${holidayRows}) from line_matches m
    where m.payment_id = ${projectPayments.id} and m.kind = 'payment' and m.undone_at is null
    having count(*) > 0
  )`.mapWith(({ at, holidays }: { at: string; holidays: Parameters<typeof readHolidays>[0] }) =>
    restDeadline(new Date(at), readHolidays(holidays)),
  ) as SQL<Date | null>,
};

/** The round that the payment is for; a detached payment has none. */
export const sold = alias(projectRounds, "sold");

export const roundOfPayment = and(eq(sold.projectId, projectPayments.projectId), eq(sold.round, projectPayments.round));

/** True if the payment needs more lots than its round has left. */
export const isProjectTaken = sql<boolean>`coalesce(${sold.lots} - ${sold.approvedLots} < ${projectPayments.lots}, false)`;

/** A refund that stands: nobody has taken it back. */
export const isStandingRefund = isNull(refunds.takenBackAt);
/** The condition that a refund stands and is of the payment of the row. */
export const refundsOfPayment = sql`${refunds.paymentId} = ${projectPayments.id} and ${isStandingRefund}`;

/** The reason of the latest refund that stands of the payment; null without one. A surplus comes last, as a part only. */
export const refundReason = sql<RefundReason | null>`(
  select ${refunds.reason} from ${refunds} where ${refundsOfPayment}
  order by ${refunds.reason} = 'surplus', ${refunds.id} desc limit 1
)`;

/** The sum of the payment's standing refunds; null without any. */
export const refundKobo =
  sql`(select sum(${refunds.amountKobo})::bigint from ${refunds} where ${refundsOfPayment})`.mapWith(
    refunds.amountKobo,
  ) as SQL<Kobo | null>;

/** A payment that the bank's statement showed has none. */
export const currentReceipt = eq(paymentReceipts.id, projectPayments.currentReceiptId);

export const projectOfPayment = eq(projects.id, projectPayments.projectId);

/** The latest payment first, with the cursors of its pages. */
export const order = latestFirst(projectPayments.createdAt, projectPayments.id, "bigint");

/**
 * The reason for giving a payment's money back: a refund stands, or the payment is pending and its project was deleted,
 * its round was given back or written off, or its lots are taken (product decision). Null otherwise. A surplus is only
 * a part of the money, so whatever concerns the whole comes first.
 */
export function refundDueOf(payment: {
  status: PaymentStatus;
  projectId: number | null;
  isProjectTaken: boolean;
  roundOutcome: RoundOutcome;
  refundReason: RefundReason | null;
}): RefundDue | null {
  const { refundReason } = payment;
  if (refundReason !== null && refundReason !== "surplus") return refundReason;
  if (payment.status !== "pending") return refundReason;
  if (payment.projectId === null) return "project_removed";
  if (payment.roundOutcome === "not_funded") return "not_funded";
  if (payment.roundOutcome === "written_off") return "not_approved";
  return payment.isProjectTaken ? "project_taken" : refundReason;
}

/** Replaces the columns that say why money is to be given back by the one reason; null where none is. */
export function withRefundDue<Row extends Parameters<typeof refundDueOf>[0]>(row: Row) {
  const { isProjectTaken, roundOutcome, refundReason, ...shown } = row;
  return { ...shown, refundDue: refundDueOf(row) };
}

/** The approved payments of a round. */
export const isApprovedIn = ({ projectId, round }: Pick<Round, "projectId" | "round">) =>
  and(
    eq(projectPayments.projectId, projectId),
    eq(projectPayments.round, round),
    eq(projectPayments.status, "approved"),
  );

/** Counts the pending payments of the round that could still be approved. */
export async function countWaiting(db: DbOrTx, round: Round): Promise<number> {
  const [found] = await db
    .select({ waiting: sql<number>`count(*)::int` })
    .from(projectPayments)
    .where(
      and(
        eq(projectPayments.projectId, round.projectId),
        eq(projectPayments.round, round.round),
        eq(projectPayments.status, "pending"),
        sql`${projectPayments.lots} <= ${round.lots - round.approvedLots}`,
      ),
    );
  return found?.waiting ?? 0;
}

/**
 * Finds what a round still waits for: lots that are held, or payments that could still be approved. Null if nothing.
 */
export async function findWaiting(db: DbOrTx, round: Round): Promise<string | null> {
  if (round.heldLots > 0) return paymentTexts.lotsHeld;
  const waiting = await countWaiting(db, round);
  return waiting > 0 ? paymentTexts.paymentsWait(waiting) : null;
}

/** Throws "conflict" while something of the round waits. */
export async function requireNothingWaits(db: DbOrTx, round: Round): Promise<void> {
  const waiting = await findWaiting(db, round);
  if (waiting !== null) throw new AppError("conflict", waiting);
}

/**
 * Payments of which just one of these amounts is expected: a table of SQL with some of their columns, and `expected`,
 * the same sum as {@link expectedKobo}. A payment that the books know no money of waits for its amount, which an index
 * finds.
 */
export const expectedPayments = (amounts: readonly Kobo[]): SQL => sql`
  select p.id, p.current_receipt_id, p.created_at, p.amount_kobo as expected from project_payments p
  where p.status = 'pending' and p.amount_kobo = any(${listed(amounts)}) and not exists (
    select from ledger_entries e where e.payment_id = p.id and e.account in ${moneyAccounts})
  union all
  select id, current_receipt_id, created_at, expected from (
    select p.id, p.current_receipt_id, p.created_at,
      case p.status when 'pending' then greatest(p.amount_kobo + unallocated, 0) else 0 end + open as expected
    from (
      select e.payment_id, coalesce(sum(e.amount_kobo) filter (where e.account = 'unallocated'), 0)::bigint as unallocated,
        coalesce(sum(e.amount_kobo) filter (where e.account <> 'unallocated'), 0)::bigint as open
      from ledger_entries e where e.payment_id is not null and e.account in ${moneyAccounts} group by e.payment_id
    ) money join project_payments p on p.id = money.payment_id
    where p.status = 'pending' or open > 0
  ) known where expected = any(${listed(amounts)})`;

/** Amounts as one array: PostgreSQL counts them when it chooses how to find them. */
const listed = (amounts: readonly Kobo[]): SQL => sql`${`{${amounts.join(",")}}`}::bigint[]`;

/** The accounts of a payment's money. */
const moneyAccounts = sql`('unallocated', 'in_transit', 'receivable')`;
