import { and, asc, inArray, type SQL, sql } from "drizzle-orm";
import { missingOfApproved, moneySums, type PaymentMoney } from "#server/books/places.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { isStandingRefund } from "#server/features/payments/queries.ts";
import type { Kobo } from "#shared/money.ts";
import type { BankState } from "#shared/payments/statuses.ts";
import { type ApprovalNeed, approvalNeed, smallRestOf, type UnseenLimit } from "./approval.ts";

/** What the bank's statements show of payments, for the payments table. */

/**
 * The state of payments, as a table; `chosen` is a condition on `p`, the payment. What was given back had arrived. Money that
 * the bank took back and that came again is in the bank.
 */
const states = (chosen: SQL): SQL => sql`
  select id, missing, lines, is_unnamed, case
    when is_taken_back and missing + lost > 0 then 'taken_back'
    when missing = 0 then 'in_bank'
    when missing >= amount_kobo then 'not_seen'
    else 'part' end as state
  from (
    select m.id, m.amount_kobo, of_lines.lines, of_lines.is_taken_back, of_lines.is_unnamed, of_lines.lost,
      case when is_approved then ${missingOfApproved}
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

/** The payments that are in this state; `paymentId` is the column of their id. */
export const isInBankState = (paymentId: SQL, state: BankState): SQL =>
  sql`exists (select from (${states(sql`p.id = ${paymentId}`)}) s where s.state = ${state})`;

/** What the bank shows of a payment, and what approving it takes of the caller. */
export type SeenPayment = {
  state: BankState;
  /** Of the payment's amount. */
  arrivedKobo: Kobo;
  missingKobo: Kobo;
  /** What more arrived than was to pay, and is unallocated. */
  surplusKobo: Kobo;
  /** What is unallocated of it once it isn't approved: what has arrived, and isn't given back. */
  returnableKobo: Kobo;
  /** A missing rest that an approval writes off by itself. */
  smallRestKobo: Kobo;
  need: ApprovalNeed;
  /** How much of what one owner may approve unseen the caller has used. */
  limit: UnseenLimit | null;
  /** The lines that explain it. */
  lineIds: number[];
  /** No line says that its money is the payer's: giving it back takes two. */
  isUnnamed: boolean;
};

type StateRow = { id: string; missing: string; state: BankState; lines: number[]; isUnnamed: boolean };

/** By payment: what the bank shows of it, and what approving it takes of whom the limit is of. For sites with statements. */
export async function readSeen(
  db: DbOrTx,
  money: ReadonlyMap<number, PaymentMoney>,
  limit: UnseenLimit | null,
): Promise<Map<number, SeenPayment>> {
  const paymentIds = [...money.keys()];
  if (paymentIds.length === 0) return new Map();
  const found = await rows<StateRow>(
    db,
    sql`select id::text, missing::text, state, lines, is_unnamed as "isUnnamed" from (${states(inArray(sql`p.id`, paymentIds))}) s`,
  );
  return new Map(
    found.flatMap((row) => {
      const own = money.get(Number(row.id));
      return own ? [[Number(row.id), seenFrom(row, own, limit)]] : [];
    }),
  );
}

function seenFrom(
  { state, missing, lines, isUnnamed }: StateRow,
  money: PaymentMoney,
  limit: UnseenLimit | null,
): SeenPayment {
  const missingKobo = BigInt(missing);
  const { amountKobo, writtenOffKobo, arrivedKobo } = money;
  const surplusKobo = arrivedKobo + writtenOffKobo - amountKobo;
  return {
    state,
    arrivedKobo: amountKobo - writtenOffKobo - missingKobo,
    missingKobo,
    surplusKobo: surplusKobo > 0n ? surplusKobo : 0n,
    returnableKobo: arrivedKobo,
    smallRestKobo: smallRestOf(money),
    need: approvalNeed(money, limit),
    limit,
    lineIds: lines,
    isUnnamed,
  };
}

/** The refunds of these payments that stand, oldest first. */
export async function listRefunds(db: DbOrTx, paymentIds: number[]) {
  if (paymentIds.length === 0) return [];
  return db
    .select({
      id: refunds.id,
      paymentId: refunds.paymentId,
      amountKobo: refunds.amountKobo,
      reason: refunds.reason,
      createdAt: refunds.createdAt,
    })
    .from(refunds)
    .where(and(inArray(refunds.paymentId, paymentIds), isStandingRefund))
    .orderBy(asc(refunds.id));
}
