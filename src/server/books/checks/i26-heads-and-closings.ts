import { sql } from "drizzle-orm";
import { hashAfter, recomputedHeads } from "#server/books/heads.ts";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * The ledger gives the heads that were taken of it, papers print heads of it, and closed months are their frozen
 * balances.
 *
 * A finding means that the past was rewritten, or that a head, a closing or a paper was: compare with papers in other
 * people's hands, with exports and with a backup.
 */
export const headsAndClosingsHold: Invariant = {
  name: "I26 the ledger gives its heads, and closed months equal their frozen balances",
  query: () => sql`
    with heads as (${recomputedHeads}),
    closings as (
      select month, ends_at, entries, hash, balances, lag(hash) over (order by month) as previous,
        coalesce(lag(ends_at) over (order by month), '-infinity') as begins_at, lag(month) over (order by month) as month_before
      from ledger_closings
    ), of_months as (
      select c.month, count(e.id) as entries, ${hashAfter(sql`c.previous`)} as hash
      from closings c left join (ledger_transactions t join ledger_entries e on e.transaction_id = t.id)
        on t.created_at >= c.begins_at and t.created_at < c.ends_at
      group by c.month, c.previous
    ), moved as (
      select c.month, e.account, coalesce(sum(e.amount_kobo) filter (where e.amount_kobo > 0), 0) as added,
        coalesce(-sum(e.amount_kobo) filter (where e.amount_kobo < 0), 0) as taken
      from closings c join ledger_transactions t on t.created_at >= c.begins_at and t.created_at < c.ends_at
        join ledger_entries e on e.transaction_id = t.id
      group by c.month, e.account
    ), frozen as (
      select c.month, c.month_before, f.account, f."broughtForward" as brought_forward, f."in" as added, f."out" as taken, f.balance
      from closings c cross join lateral jsonb_to_recordset(c.balances)
        as f (account text, "broughtForward" bigint, "in" bigint, "out" bigint, balance bigint)
    )
    select 'head is not the hash of the entries' as violation, jsonb_build_object('n', n, 'hash', hash, 'now', recomputed) as row
    from heads where hash <> recomputed
    union all
    select 'heads have a gap', jsonb_build_object('n', n, 'place', place) from heads where n <> place
    union all
    select 'paper prints a head that is not in the chain', jsonb_build_object('paperId', p.id, 'n', p.head_n, 'hash', p.head_hash)
    from papers p left join ledger_heads h on h.n = p.head_n
    where p.head_n is not null and h.hash is distinct from p.head_hash
    union all
    select 'closed month is not the hash of its entries', jsonb_build_object('month', c.month, 'entries', c.entries,
      'now', m.entries, 'hash', c.hash)
    from closings c join of_months m on m.month = c.month
    where c.hash <> m.hash or c.entries <> m.entries
    union all
    select 'closed month is not its frozen balances', jsonb_build_object('month', coalesce(f.month, m.month),
      'account', coalesce(f.account, m.account), 'frozenIn', f.added, 'in', m.added, 'frozenOut', f.taken, 'out', m.taken)
    from frozen f full join moved m on m.month = f.month and m.account = f.account
      left join frozen b on b.month = f.month_before and b.account = f.account
    where coalesce(f.added, 0) <> coalesce(m.added, 0) or coalesce(f.taken, 0) <> coalesce(m.taken, 0)
      or f.balance <> f.brought_forward + f.added - f.taken or f.brought_forward <> coalesce(b.balance, 0)
    union all
    select 'months were not closed in order', jsonb_build_object('month', month, 'before', month_before)
    from closings where month_before is not null and month <> (month_before + interval '1 month')::date
      or ends_at <> (month + interval '1 month')::timestamp at time zone 'Africa/Lagos'
    union all
    select 'closed month without its paper', jsonb_build_object('month', c.month)
    from closings c where not exists (
      select from papers p where p.kind = 'closing' and p.first_day = c.month and p.replaced_at is null)`,
};
