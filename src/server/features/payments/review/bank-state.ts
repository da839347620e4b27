import { type SQL, sql } from "drizzle-orm";
import {
  expectedKobo,
  type MoneyRow,
  missingOfApproved,
  moneyColumns,
  moneySums,
  type PaymentMoney,
  placesOf,
} from "#server/books/places.ts";
import { atLeastNothing, type Kobo } from "#shared/money.ts";
import type { BankState } from "#shared/payments/statuses.ts";
import { type ApprovalNeed, approvalNeed, smallRestOf, type UnseenLimit } from "./approval.ts";

/** The bank's side of the payments table: how much of a payment the statements show. */

/**
 * The state of payments, as a table; `chosen` is a condition on `p`, the payment. What was given back had arrived. Money that
 * the bank took back and that came again is in the bank.
 */
const states = (chosen: SQL): SQL => sql`
  select *, case
    when struck > 0 then 'struck'
    when is_taken_back and missing + lost > 0 then 'taken_back'
    when missing = 0 then 'in_bank'
    when missing >= amount_kobo then 'not_seen'
    else 'part' end as state
  from (
    select m.*, of_lines.*, case when is_approved then ${missingOfApproved}
      else greatest(amount_kobo - unallocated - of_refunds.refunded, 0) end as missing
    from (${moneySums(chosen)}) m,
      lateral (select coalesce(sum(f.amount_kobo), 0)::bigint as refunded from refunds f
        where f.payment_id = m.id and f.taken_back_at is null) of_refunds,
      lateral (select coalesce(jsonb_agg(distinct l.line_id), '[]') as lines,
          coalesce(bool_or(l.kind in ('taken_back', 'loss')), false) as is_taken_back,
          coalesce(bool_or(l.kind = 'payment' and not l.is_named), false) as is_unnamed,
          coalesce(sum(l.amount_kobo) filter (where l.kind = 'loss'), 0)::bigint as lost
        from line_matches l where l.payment_id = m.id and l.undone_at is null) of_lines
  ) known`;

/**
 * The payments that may be in a state which few are in: those of which the bank took something back, and those of which
 * some money is missing or unallocated, or was given back. A state that is as rare as none would otherwise be worked
 * out of each payment.
 */
const candidates: Partial<Record<BankState, SQL>> = {
  struck: sql`select payment_id from payment_strikes`,
  taken_back: sql`select payment_id from line_matches where kind in ('taken_back', 'loss') and undone_at is null`,
  part: sql`
    select payment_id from ledger_entries
    where account in ('unallocated', 'in_transit', 'receivable') and payment_id is not null
    group by payment_id
    having sum(amount_kobo) filter (where account = 'unallocated') <> 0
      or sum(amount_kobo) filter (where account <> 'unallocated') <> 0
    union all select payment_id from refunds where taken_back_at is null`,
};

/** Condition that the payment is in this state; `paymentId` is the column of its id. */
export function isInBankState(paymentId: SQL, state: BankState): SQL {
  const isInState = sql`exists (select from (${states(sql`p.id = ${paymentId}`)}) s where s.state = ${state})`;
  const among = candidates[state];
  // A case, so that the list still goes by its own order, and stops when its page is full.
  return among ? sql`case when ${paymentId} in (${among}) then ${isInState} else false end` : isInState;
}

/** One payment as the bank shows it, and what the caller must bring to approve it. */
export type SeenPayment = {
  state: BankState;
  /** The arrived part of the payment's amount. */
  arrivedKobo: Kobo;
  missingKobo: Kobo;
  /** The loss if it was struck: what is missing of an approved payment, and what only people said had come. */
  strikableKobo: Kobo;
  /** The unallocated money beyond what was to pay. */
  surplusKobo: Kobo;
  /** The money that would be unallocated without an approval: arrived, and neither given back nor due to be. */
  returnableKobo: Kobo;
  /** A missing rest that an approval writes off by itself. */
  smallRestKobo: Kobo;
  need: ApprovalNeed;
  /** The lines that explain it. */
  lineIds: number[];
  /** No line says that its money is the payer's: giving it back takes two. */
  isUnnamed: boolean;
};

/** The money of a payment, and what the bank shows of it. */
export type SeenRow = MoneyRow & { missing: string; state: BankState; lines: number[]; isUnnamed: boolean };

/** The {@link SeenRow} of a payment, as a column; `paymentId` is the column of its id. */
export const seenRow = (paymentId: SQL): SQL<SeenRow> => sql<SeenRow>`(
  select row_to_json(seen) from (
    select ${moneyColumns}, missing::text, state, lines, is_unnamed as "isUnnamed" from (${states(sql`p.id = ${paymentId}`)}) s
  ) seen
)`;

/**
 * Reads a {@link SeenRow}. `limit` is of whoever would approve it; null for a single owner, who has none. For sites
 * with statements.
 */
export function seenFrom(
  { state, missing, lines, isUnnamed }: SeenRow,
  money: PaymentMoney,
  limit: UnseenLimit | null,
): SeenPayment {
  const missingKobo = BigInt(missing);
  const { isApproved, amountKobo, writtenOffKobo, lostKobo, arrivedKobo } = money;
  const surplusKobo = isApproved ? placesOf(money).unallocatedKobo : arrivedKobo - amountKobo;
  return {
    state,
    arrivedKobo: amountKobo - writtenOffKobo - lostKobo - missingKobo,
    missingKobo,
    strikableKobo: isApproved ? expectedKobo(money) : 0n,
    surplusKobo: atLeastNothing(surplusKobo),
    returnableKobo: arrivedKobo,
    smallRestKobo: smallRestOf(money),
    need: approvalNeed(money, limit),
    lineIds: lines,
    isUnnamed,
  };
}
