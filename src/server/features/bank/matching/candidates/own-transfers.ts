import { sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { bankLimits, candidateTexts, restOf } from "#shared/bank/texts.ts";
import { byLine, type CandidateOf, type Found, linesTable, type SuggestedLine } from "./candidate.ts";

/**
 * Money that moved between our own accounts: what may be both ends of it, and what else a debit may not be taken for by
 * itself.
 */

/** The two ends of a transfer are at most so many days apart. */
const nearDays = 3;

/** The rule `own_transfer`: the same amount in the other direction on another own account, within three days. */
export async function findOwnTransfers(
  db: DbOrTx,
  lines: readonly SuggestedLine[],
): Promise<Found<CandidateOf<"own_transfer">>> {
  const whole = lines.filter(({ matchedKobo }) => matchedKobo === 0n);
  if (whole.length === 0) return new Map();
  const counters = await rows<{ lineId: number; counterLineId: number }>(
    db,
    sql`with found as (
        select line.id as line_id, counter.id,
          row_number() over (partition by line.id order by abs(counter.date - line.day), counter.id) as place
        from ${linesTable(whole)}
        join statement_lines counter on counter.amount_kobo = -line.amount and counter.own_account_id <> line.account
          and counter.matched_kobo = 0 and counter.date between line.day - ${nearDays}::int and line.day + ${nearDays}::int
      )
      select line_id::float8 as "lineId", id::float8 as "counterLineId" from found
      where place <= ${bankLimits.candidates} order by line_id, place`,
  );
  const restOfLine = new Map(whole.map((line) => [line.id, restOf(line)]));
  const rule = { rule: "own_transfer" as const, isSure: false, why: candidateTexts.ownTransfer };
  return byLine(
    counters.map(({ lineId, counterLineId }) => {
      const amountKobo = restOfLine.get(lineId) ?? 0n;
      const part = { kind: "own_transfer" as const, amountKobo, counterLineId };
      return { lineId, candidate: { kind: part.kind, ...rule, amountKobo, part } };
    }),
  );
}

/** For how long after its last statement an account is expected to have another. */
const quietDays = 14;

type OwnAccount = { id: number; number: string; name: string };

/**
 * Which debits may be transfers to another of our accounts: the same sum came in there, the line names one of our
 * accounts by its number or name, or the days of an account that is in use aren't known yet. A credit that shows
 * somebody's payment, a sale or another transfer is no other end; one that was ignored is.
 */
export async function findMaybeOwnTransfers(db: DbOrTx, lines: readonly SuggestedLine[]): Promise<ReadonlySet<number>> {
  if (lines.length === 0) return new Set();
  const accounts = await rows<OwnAccount>(
    db,
    sql`select id::float8 as id, account_number as number, account_name as name from own_accounts`,
  );
  const likely = await rows<{ lineId: number }>(
    db,
    sql`with account as materialized (
        select a.id, (select max(s.last_day) from statements s where s.own_account_id = a.id) as last_day from own_accounts a
      )
      select line.id::float8 as "lineId" from ${linesTable(lines)}
      where exists (
        select from account where account.id <> line.account
          and account.last_day between line.day - ${quietDays}::int and line.day - 1
      ) or exists (
        select from statement_lines c
        where c.own_account_id <> line.account and c.amount_kobo = -line.amount
          and c.date between line.day - ${nearDays}::int and line.day + ${nearDays}::int
          and not exists (select from line_matches m
            where c.id in (m.line_id, m.counter_line_id) and m.undone_at is null and m.kind <> 'operator')
      )`,
  );
  const named = lines.filter((line) => accounts.some((account) => namesAccount(line, account)));
  return new Set([...likely.map(({ lineId }) => lineId), ...named.map(({ id }) => id)]);
}

/** True if a line names one of our accounts by its name, or another than its own by the number. */
function namesAccount(line: SuggestedLine, { id, number, name }: OwnAccount): boolean {
  const bare = withoutSigns([line.narration, line.counterparty ?? "", line.customerReference ?? ""].join(" "));
  const ofName = withoutSigns(name.replace(/\b(ltd|limited|plc)\b\.?/gi, ""));
  return (
    (ofName.length >= shortestName && bare.includes(ofName)) || (id !== line.ownAccountId && bare.includes(number))
  );
}

const shortestName = 5;

const withoutSigns = (text: string): string => text.toUpperCase().replace(/[^\p{L}\d]/gu, "");
