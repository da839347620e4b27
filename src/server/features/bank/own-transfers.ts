import { and, eq, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { bankLimits, candidateTexts, restOf } from "#shared/bank/texts.ts";
import type { Candidate, SuggestedLine } from "./candidate.ts";

/** Money that moved between our own accounts: what may be both ends of it, and what else a debit may not be taken for by itself. */

/** How many days the two ends of a transfer are apart at most. */
const nearDays = 3;

/** The same amount in the other direction on another own account, within three days. */
export async function findOwnTransfers(db: DbOrTx, line: SuggestedLine): Promise<Candidate[]> {
  if (line.matchedKobo !== 0n) return [];
  const counter = alias(statementLines, "counter");
  const found = await db
    .select({ id: counter.id })
    .from(counter)
    .where(
      and(
        ne(counter.ownAccountId, line.ownAccountId),
        eq(counter.amountKobo, -line.amountKobo),
        eq(counter.matchedKobo, 0n),
        sql`${counter.date} between ${line.date}::date - ${nearDays}::int and ${line.date}::date + ${nearDays}::int`,
      ),
    )
    .orderBy(sql`abs(${counter.date} - ${line.date}::date)`, counter.id)
    .limit(bankLimits.candidates);
  const amountKobo = restOf(line);
  return found.map(({ id: counterLineId }) => ({
    kind: "own_transfer" as const,
    rule: "own_transfer" as const,
    isSure: false,
    why: candidateTexts.ownTransfer,
    amountKobo,
    payment: null,
    payout: null,
    run: null,
    sale: null,
    counterLineId,
    part: { kind: "own_transfer" as const, amountKobo, counterLineId },
  }));
}

/** For how long after its last statement an account is expected to have another. */
const quietDays = 14;

/**
 * Whether a debit may be a transfer to another of our accounts: the same sum came in there, the line names one of our accounts by
 * its number or name, or the days of an account that is in use aren't known yet. A credit that shows somebody's payment, a sale or
 * another transfer is no other end; one that was ignored is.
 */
export async function mayBeOwnTransfer(db: DbOrTx, line: SuggestedLine): Promise<boolean> {
  const bare = withoutSigns([line.narration, line.counterparty ?? "", line.customerReference ?? ""].join(" "));
  const others = await rows<{ number: string; name: string; isOwn: boolean; isBehind: boolean; hasCounter: boolean }>(
    db,
    sql`select a.account_number as number, a.account_name as name, a.id = ${line.ownAccountId} as "isOwn",
        coalesce((select max(s.last_day) from statements s where s.own_account_id = a.id)
          between ${line.date}::date - ${quietDays}::int and ${line.date}::date - 1, false) as "isBehind",
        exists (
          select from statement_lines c
          where c.own_account_id = a.id and c.amount_kobo = ${(-line.amountKobo).toString()}::bigint
            and c.date between ${line.date}::date - ${nearDays}::int and ${line.date}::date + ${nearDays}::int
            and not exists (select from line_matches m
              where c.id in (m.line_id, m.counter_line_id) and m.undone_at is null and m.kind <> 'operator')
        ) as "hasCounter"
      from own_accounts a`,
  );
  return others.some(({ number, name, isOwn, isBehind, hasCounter }) => {
    const ofName = withoutSigns(name.replace(/\b(ltd|limited|plc)\b\.?/gi, ""));
    const isNamed = ofName.length >= shortestName && bare.includes(ofName);
    return isNamed || (!isOwn && (hasCounter || isBehind || bare.includes(number)));
  });
}

const shortestName = 5;

const withoutSigns = (text: string): string => text.toUpperCase().replace(/[^\p{L}\d]/gu, "");
