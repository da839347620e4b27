import { asc, desc, eq, sql } from "drizzle-orm";
import { sumOfEntries } from "#server/books/sums.ts";
import { rows } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { LineTab } from "#shared/bank/line-tabs.ts";

/**
 * The own accounts, the active one first: what the bank says that each holds, what the ledger says, and how many lines
 * wait. The bank's word is the last balance that its lines print, with the lines after it; where they print none, the
 * closing balance of the latest statement, else the opening one with all lines.
 */
export async function readOverview(ctx: ActorContext) {
  const figures = await rows<{
    id: number;
    lastDay: string | null;
    bankKobo: string | null;
    ledgerKobo: string;
    gapsKobo: string;
    imports: number;
  }>(
    ctx.db,
    sql`select account.id::float8 as id, latest.last_day::text as "lastDay",
      coalesce(
        printed.balance_kobo + (
          select coalesce(sum(amount_kobo), 0) from statement_lines
          where own_account_id = account.id and position > printed.position
        ),
        latest.closing_kobo,
        account.opening_kobo + (
          select coalesce(sum(amount_kobo), 0) from statement_lines where own_account_id = account.id
        )
      )::text as "bankKobo",
      (
        select coalesce(sum(amount_kobo), 0) from ledger_entries
        where account = 'bank' and own_account_id = account.id
      )::text as "ledgerKobo",
      (
        select coalesce(sum(gap_kobo), 0) from statement_lines where own_account_id = account.id
      )::text as "gapsKobo",
      (select count(*) from statements where own_account_id = account.id)::int as imports
    from own_accounts account
    left join lateral (
      select last_day, closing_kobo from statements where own_account_id = account.id order by last_day desc, id desc limit 1
    ) latest on true
    left join lateral (
      select position, balance_kobo from statement_lines
      where own_account_id = account.id and balance_kobo is not null order by position desc limit 1
    ) printed on true`,
  );
  const counts = await rows<{ accountId: number; tab: LineTab; lines: number }>(
    ctx.db,
    sql`select line.own_account_id::float8 as "accountId", ${tabOfLine} as tab, count(*)::int as lines
      from statement_lines line
      left join (
        select distinct line_id from line_matches where kind = 'operator' and undone_at is null
      ) ignored on ignored.line_id = line.id
      where line.own_account_id is not null
      group by 1, 2`,
  );
  const found = await ctx.db
    .select()
    .from(ownAccounts)
    .orderBy(desc(ownAccounts.isActive), sql`${ownAccounts.closedAt} is not null`, asc(ownAccounts.id));
  const isOnItsWay = eq(ledgerEntries.account, "in_transit");
  const [onItsWay] = await ctx.db.select({ kobo: sumOfEntries() }).from(ledgerEntries).where(isOnItsWay);
  return {
    /** Money that was approved, or said to have arrived, and that no statement shows. */
    inTransitKobo: onItsWay?.kobo ?? 0n,
    accounts: found.map(({ id, bankName, accountName, accountNumber, isActive, openedOn, closedAt }) => {
      const figure = figures.find((one) => one.id === id);
      const bankKobo = figure?.bankKobo == null ? null : BigInt(figure.bankKobo);
      const ledgerKobo = BigInt(figure?.ledgerKobo ?? 0);
      const countOf = (tab: LineTab) => counts.find((one) => one.accountId === id && one.tab === tab)?.lines ?? 0;
      return {
        id,
        bankName,
        accountName,
        accountNumber,
        isActive,
        openedOn,
        isClosed: closedAt !== null,
        lastDay: figure?.lastDay ?? null,
        bankKobo,
        ledgerKobo,
        /** The bank's balance less the ledger's; null before the first statement. */
        differenceKobo: bankKobo === null ? null : bankKobo - ledgerKobo,
        /** The part of the difference that was accepted as missing at imports. */
        gapsKobo: BigInt(figure?.gapsKobo ?? 0),
        /** How many files were imported. */
        imports: figure?.imports ?? 0,
        counts: {
          to_match: countOf("to_match"),
          suggested: countOf("suggested"),
          matched: countOf("matched"),
          own: countOf("own"),
        },
      };
    }),
    /** True if the caller may import statements and explain lines. */
    canImport: ctx.actor.permissions.includes("bank:import"),
    /** True if the product runs on the caller's own computer, where a sample statement can be had. */
    isLocalUse: ctx.env.isLocalUse,
  };
}

/** The tab of a row `line` that is joined with `ignored`. */
const tabOfLine = sql`case
  when line.matched_kobo <> abs(line.amount_kobo) then
    case when line.suggested_rule is null then 'to_match' else 'suggested' end
  when ignored.line_id is null then 'matched' else 'own' end`;
