import { inArray, type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { atLeastNothing, type Kobo } from "#shared/money.ts";
import { isKeptSurplus } from "#shared/payments/texts.ts";

/**
 * Where a payment's money stands. It follows from its amount, what has arrived of it, what of that people only said,
 * what the bank took back, and what was written off. A surplus below ₦100 of an approved payment is the company's own,
 * whenever it came.
 */

/** Facts of a payment's money that come from its lines and from what people said, in their order, not from a posting. */
type Claims = {
  /** The money that people said had arrived and no line has shown yet; it counts as arrived. */
  saidKobo: Kobo;
  /** The money that the bank took back since the standing approval. */
  takenBackKobo: Kobo;
};

/** The money of one payment, in kobo. */
export interface PaymentMoney extends Claims {
  isApproved: boolean;
  amountKobo: Kobo;
  /** The arrived money, shown by lines or said by people, less what was taken back, given back or is due to be. */
  arrivedKobo: Kobo;
  /** The missing rest that the approval wrote off. */
  writtenOffKobo: Kobo;
  /** The money that was missing when the payment was struck, and is lost. */
  lostKobo: Kobo;
}

/** Gives the sum that a line is still expected to show of a payment; what people said still needs its line. */
export const expectedKobo = (money: PaymentMoney): Kobo => placesOf(money).missingKobo + money.saidKobo;

/** Where a payment's money stands. Amounts are positive, in kobo. */
export function placesOf({
  isApproved,
  amountKobo,
  arrivedKobo,
  writtenOffKobo,
  lostKobo,
  saidKobo,
  takenBackKobo,
}: PaymentMoney) {
  const restKobo = amountKobo - writtenOffKobo - lostKobo - arrivedKobo;
  const missingKobo = atLeastNothing(restKobo);
  if (!isApproved) {
    return { missingKobo, inTransitKobo: saidKobo, receivableKobo: 0n, unallocatedKobo: arrivedKobo, keptKobo: 0n };
  }
  // What was taken back is missing again: it isn't on its way.
  const onItsWayKobo = atLeastNothing(missingKobo - takenBackKobo);
  const surplusKobo = atLeastNothing(-restKobo);
  const keptKobo = isKeptSurplus(surplusKobo) ? surplusKobo : 0n;
  return {
    missingKobo,
    inTransitKobo: onItsWayKobo + saidKobo,
    receivableKobo: missingKobo - onItsWayKobo,
    unallocatedKobo: surplusKobo - keptKobo,
    keptKobo,
  };
}

/** Kinds of transactions by which people say that money came. */
const saidKinds = sql`('declared_arrival', 'assumed_arrival')`;

/**
 * The payment `p` with `a`: its standing approval's id, and whether it was struck and whether people said that money
 * came.
 */
const withTransactions = sql`project_payments p cross join lateral (
  select max(t.id) filter (where t.kind = 'approval' and not exists (
      select from ledger_transactions r where r.reverses_id = t.id
    )) as id,
    coalesce(bool_or(t.kind = 'strike'), false) as is_struck,
    coalesce(bool_or(t.kind in ${saidKinds}), false) as is_said
  from ledger_transactions t where t.payment_id = p.id
) a`;

/**
 * The money that people said had come and no line has shown, for {@link withTransactions}, as a table of one row. A
 * line takes the place of what was said until then; anything it shows beyond that is other money. So amounts said add
 * up, a line lowers them, and they never fall below zero. A payment that was struck since has none: it didn't come.
 */
const saidOf = sql`(
  select coalesce((array_agg(kobo order by id desc))[1] - least(min(kobo), 0), 0)::bigint as said from (
    select id, sum(by_kobo) over (order by id) as kobo from (
      select t.id, e.amount_kobo as by_kobo
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'in_transit'
      where t.payment_id = p.id and t.kind in ${saidKinds}
      union all
      select coalesce(t.id, 9223372036854775807), -m.amount_kobo
      from line_matches m left join ledger_transactions t on t.match_id = m.id and t.kind = 'match'
      where m.payment_id = p.id and m.kind = 'payment' and m.undone_at is null
    ) steps
  ) sums where a.is_said and not a.is_struck
)`;

/** The money that the bank took back since the standing approval, for {@link withTransactions}. */
const takenBackOf = sql`(
  select coalesce(sum(m.amount_kobo), 0)
  from line_matches m left join ledger_transactions t on t.match_id = m.id and t.kind = 'match'
  where m.payment_id = p.id and m.kind = 'taken_back' and m.undone_at is null and (t.id is null or t.id > a.id)
)::bigint`;

/** The small surplus that is the company's own, for {@link withTransactions}. */
const keptOf = sql`(
  select coalesce(-sum(e.amount_kobo), 0)
  from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'operator'
  where a.id is not null and t.payment_id = p.id
)::bigint`;

/**
 * The ledger's sums of payments, as a table; `chosen` is a condition on `p`, the payment. What other columns are worked
 * out of is aggregated in a join, because PostgreSQL repeats a subquery of the select list wherever its column is
 * named.
 */
export const moneySums = (chosen: SQL): SQL => sql`
  select p.id, p.amount_kobo, a.id is not null as is_approved, of_payment.*, of_strike.struck, of_said.said, ${keptOf} as kept,
    (select coalesce(sum(amount_kobo), 0)::bigint from ledger_entries
      where transaction_id = a.id and account = 'bank_charges') as written_off,
    ${takenBackOf} as taken_back
  from ${withTransactions}
    cross join lateral (
      select coalesce(-sum(amount_kobo) filter (where account = 'unallocated'), 0)::bigint as unallocated,
        coalesce(sum(amount_kobo) filter (where account = 'in_transit'), 0)::bigint as in_transit,
        coalesce(sum(amount_kobo) filter (where account = 'receivable'), 0)::bigint as receivable
      from ledger_entries where payment_id = p.id and account in ('unallocated', 'in_transit', 'receivable')
    ) of_payment
    cross join lateral (
      select coalesce(sum(e.amount_kobo), 0)::bigint as struck
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where a.is_struck and t.payment_id = p.id and t.kind = 'strike' and e.account = 'losses'
    ) of_strike
    cross join lateral ${saidOf} of_said
  where ${chosen}`;

/** The missing money of an approved payment, by the columns of {@link moneySums}. */
export const missingOfApproved = sql`(in_transit + receivable - said)`;

/** A row of {@link moneySums} as {@link moneyColumns} select it. */
export type MoneyRow = {
  id: string;
  amountKobo: string;
  isApproved: boolean;
  unallocatedKobo: string;
  missingKobo: string;
  keptKobo: string;
  writtenOffKobo: string;
  lostKobo: string;
  saidKobo: string;
  takenBackKobo: string;
};

/** Selects of {@link moneySums} what {@link moneyFrom} reads. */
export const moneyColumns = sql`id::text, amount_kobo::text as "amountKobo", is_approved as "isApproved",
  unallocated::text as "unallocatedKobo", ${missingOfApproved}::text as "missingKobo", kept::text as "keptKobo",
  written_off::text as "writtenOffKobo", struck::text as "lostKobo", said::text as "saidKobo", taken_back::text as "takenBackKobo"`;

/** Reads the money of payments from the ledger, by their ids. */
export async function readMoneyOf(db: DbOrTx, paymentIds: number[]): Promise<Map<number, PaymentMoney>> {
  if (paymentIds.length === 0) return new Map();
  const found = await rows<MoneyRow>(
    db,
    sql`select ${moneyColumns} from (${moneySums(inArray(sql`p.id`, paymentIds))}) sums`,
  );
  return new Map(found.map((row) => [Number(row.id), moneyFrom(row)]));
}

/** The money of a payment from its row. */
export function moneyFrom({ isApproved, ...sums }: MoneyRow): PaymentMoney {
  const amountKobo = BigInt(sums.amountKobo);
  const unallocatedKobo = BigInt(sums.unallocatedKobo);
  const saidKobo = BigInt(sums.saidKobo);
  const lostKobo = BigInt(sums.lostKobo);
  const common = { isApproved, amountKobo, lostKobo, saidKobo };
  if (!isApproved) return { ...common, arrivedKobo: unallocatedKobo, writtenOffKobo: 0n, takenBackKobo: 0n };
  const writtenOffKobo = BigInt(sums.writtenOffKobo);
  const surplusKobo = unallocatedKobo + BigInt(sums.keptKobo);
  const arrivedKobo = amountKobo - writtenOffKobo - lostKobo - BigInt(sums.missingKobo) + surplusKobo;
  return { ...common, arrivedKobo, writtenOffKobo, takenBackKobo: BigInt(sums.takenBackKobo) };
}

/** Reads one payment's money from the ledger. */
export async function readMoney(tx: DbOrTx, { id }: { id: number }): Promise<PaymentMoney> {
  const money = (await readMoneyOf(tx, [id])).get(id);
  if (!money) throw new Error(`payment ${id} is gone`);
  return money;
}

/**
 * The money after a line shows so much more of the payment, or so much was taken back; `byKobo` is negative where that
 * is undone. The match is written or undone already, and not posted yet; `before` was read before it was.
 */
export async function readMoneyAfter(
  tx: Tx,
  { id }: { id: number },
  { before, kind, byKobo }: { before: PaymentMoney; kind: "payment" | "taken_back"; byKobo: Kobo },
): Promise<PaymentMoney> {
  const [found] = await rows<{ saidKobo: string; takenBackKobo: string }>(
    tx,
    sql`select said::text as "saidKobo", ${takenBackOf}::text as "takenBackKobo"
      from ${withTransactions} cross join lateral ${saidOf} of_said where p.id = ${id}`,
  );
  if (!found) throw new Error(`payment ${id} is gone`);
  const saidKobo = BigInt(found.saidKobo);
  const takenBackKobo = before.isApproved ? BigInt(found.takenBackKobo) : 0n;
  const shownKobo = kind === "payment" ? byKobo : -byKobo;
  const arrivedKobo = before.arrivedKobo + shownKobo + saidKobo - before.saidKobo;
  return { ...before, arrivedKobo, saidKobo, takenBackKobo };
}
