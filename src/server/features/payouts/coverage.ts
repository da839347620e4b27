import { sql } from "drizzle-orm";
import { reachesPast } from "#server/books/statements.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import type { Kobo } from "#shared/money.ts";
import type { Payout } from "./service.ts";

/** Looks in the imported statements for a payout that no line shows leaving. */

type Day = string;

/** A reason why a payout can't count as never sent: a day that no statement covers, a gap, or a debit that may be its. */
export type Hindrance =
  | { kind: "uncovered"; day: Day }
  | { kind: "gap"; from: Day; to: Day }
  | ({ kind: "debit" } & Debit);

/**
 * The first thing that hinders it; null if statements of the account that pays its run cover these days wholly, and no debit
 * that nobody has explained since names it or has its amount. `days` are those to be covered, in their order.
 */
export async function findHindrance(db: DbOrTx, payout: Payout, days: readonly Day[]): Promise<Hindrance | null> {
  const [from, to] = [days.at(0), days.at(-1)];
  if (!from || !to) throw new Error("no days to cover");
  return (
    (await findUncovered(db, payout, days)) ??
    (await findGap(db, payout, { from, to })) ??
    (await findHinderingDebit(db, payout, from))
  );
}

async function findHinderingDebit(db: DbOrTx, payout: Payout, from: Day): Promise<Hindrance | null> {
  const debit = await findDebit(db, [payout], from);
  return debit && { kind: "debit", ...debit };
}

/** The account that pays a payout's run. */
const ownAccountOf = ({ runId }: Payout) => sql`(select own_account_id from payout_runs where id = ${runId})`;

/** The lines of the account that pays a payout's run, each with the day of the line before it. */
const linesOf = (payout: Payout) => sql`
  select l.date, l.balance_kobo, l.gap_kobo,
    coalesce(lag(l.date) over (order by l.position, l.id), a.opened_on) as before
  from statement_lines l join own_accounts a on a.id = l.own_account_id where a.id = ${ownAccountOf(payout)}`;

/**
 * A day is covered by a statement that goes on after it, or ends with it and was imported on a later day; or where it stands
 * between two lines whose printed balances follow from each other.
 */
async function findUncovered(db: DbOrTx, payout: Payout, days: readonly Day[]): Promise<Hindrance | null> {
  const [first] = await rows<{ day: Day }>(
    db,
    sql`with line as (${linesOf(payout)})
      select d.day from jsonb_array_elements_text(${JSON.stringify(days)}::text::jsonb) as d (day)
      where not exists (
        select from statements s
        where s.own_account_id = ${ownAccountOf(payout)} and s.first_day <= d.day::date and ${reachesPast(sql`d.day::date`)}
      ) and not exists (
        select from line
        where line.before <= d.day::date and line.date > d.day::date and line.balance_kobo is not null and line.gap_kobo is null
      ) order by d.day limit 1`,
  );
  return first ? { kind: "uncovered", day: first.day } : null;
}

/** Finds the first gap where the printed balances say that lines are missing, even one that somebody accepted. */
async function findGap(db: DbOrTx, payout: Payout, { from, to }: { from: Day; to: Day }): Promise<Hindrance | null> {
  const [gap] = await rows<{ from: Day; to: Day }>(
    db,
    sql`with line as (${linesOf(payout)})
      select before::text as "from", date::text as "to" from line
      where gap_kobo is not null and before <= ${to}::date and date >= ${from}::date order by date limit 1`,
  );
  return gap ? { kind: "gap", ...gap } : null;
}

type FoundDebit = { day: Day; amountKobo: string; narration: string; isNamed: boolean };

/** A debit that may be a payout's, with what the bank says of it. */
type Debit = { day: Day; amountKobo: Kobo; narration: string; isNamed: boolean };

/**
 * A debit since that day, a part of which nothing explains, with the reference of one of these payouts of a run, also
 * cut off; or on the account that pays the run with the amount of one, or that of the run.
 */
export async function findDebit(db: DbOrTx, some: readonly Payout[], from: Day): Promise<Debit | null> {
  const [first] = some;
  if (!first) return null;
  const { runId } = first;
  const ids = JSON.stringify(some.map(({ id }) => id));
  const [debit] = await rows<FoundDebit>(
    db,
    sql`with meant as (
        select reference, amount_kobo,
          left(replace(substring(reference from position('-' in reference) + 1), '-', ''), 6) as code
        from payouts where id in (select value::bigint from jsonb_array_elements_text(${ids}::text::jsonb))
      ), total as (
        select total_kobo as kobo from payout_runs where id = ${runId}
        union all select sum(amount_kobo)::bigint from payouts where run_id = ${runId} and state = 'sent'
        union all select amount_kobo from meant
      ), debit as (
        select l.*, -l.amount_kobo - l.matched_kobo as rest, exists (
          select from meant where l.reference is not distinct from meant.reference or strpos(
            regexp_replace(upper(concat_ws(' ', l.narration, l.customer_reference)), '[^A-Z0-9]', '', 'g'), meant.code) > 0
        ) as is_named
        from statement_lines l
        where l.amount_kobo < 0 and l.matched_kobo < -l.amount_kobo and l.date >= ${from}::date and l.void_id is null
      )
      select date::text as day, (-amount_kobo)::text as "amountKobo", narration, is_named as "isNamed" from debit
      where is_named or (own_account_id = ${ownAccountOf(first)}
        and (rest in (select kobo from total) or -amount_kobo in (select kobo from total)))
      order by is_named desc, date, id limit 1`,
  );
  return debit ? { ...debit, amountKobo: BigInt(debit.amountKobo) } : null;
}
