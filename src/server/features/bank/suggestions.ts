import { sql } from "drizzle-orm";
import { type Db, inTransaction, rows } from "#server/db/open.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { namesReturn, namesReversal, nameTokens } from "#server/features/bank/statements/narrations.ts";
import { expectedKobo } from "#server/features/payments/arrivals.ts";
import { cameBack, isExpectedToLeave } from "#server/features/payouts/arrivals.ts";
import type { MatchRule } from "#shared/bank/texts.ts";
import { findAlikeNames, isInTime, isUnpaidPurchase, namesOf, waitsForMoney } from "./candidates.ts";
import { isNotTakenBack } from "./credits.ts";
import { missingSales } from "./harvest-matches.ts";
import { fewestOfRun, isDebitOfRun, openRuns, payoutDays } from "./payout-candidates.ts";

/** What is found for a line by amounts and references alone. */
type Found = {
  id: number;
  rest: string;
  date: string;
  narration: string;
  counterparty: string | null;
  isReversal: boolean;
  isOut: boolean;
  suggestedRule: string | null;
  isSure: boolean;
  hasReference: boolean;
  fits: boolean;
  isOwnTransfer: boolean;
  isOfCredit: boolean;
  /** Of payouts: with the reference and the sum, with the reference, the total of a run, the amount. */
  isPayout: boolean;
  namesPayout: boolean;
  isRun: boolean;
  fitsPayout: boolean;
};

/**
 * Writes the best rule of each line that isn't explained, so that the suggested lines can be listed page by page. It runs
 * after imports and matches, and each minute for new receipts; what a person is shown of a line is looked up anew.
 */
export async function refreshSuggestions(db: Db): Promise<void> {
  const found = await rows<Found>(db, unexplainedLines);
  const likely = await findLikely(
    db,
    found.filter(({ fits, hasReference }) => fits && !hasReference),
  );
  const changed = found
    .map((line) => ({ id: line.id, rule: ruleOf(line, likely), before: line.suggestedRule }))
    .filter(({ rule, before }) => rule !== before);
  if (changed.length === 0) return;
  const listed = JSON.stringify(changed);
  // Lines that somebody matches at this moment are passed over.
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`
      with changed as (
        select l.id, c.rule from jsonb_to_recordset(${listed}::text::jsonb) as c(id bigint, rule text)
          join statement_lines l on l.id = c.id and l.matched_kobo <> abs(l.amount_kobo)
        order by l.id for no key update of l skip locked
      )
      update statement_lines l set suggested_rule = changed.rule from changed where l.id = changed.id`);
  });
}

function ruleOf(line: Found, likely: ReadonlySet<number>): MatchRule | null {
  if (line.isSure) return "R1";
  if (line.isPayout) return "R5";
  if (line.isRun) return "R8";
  if (line.isOfCredit && (line.isReversal || namesReversal(line.narration))) return "R6";
  const isIn = !line.isOut;
  if (isIn && (line.namesPayout || (line.fitsPayout && (line.isReversal || namesReturn(line.narration))))) return "R7";
  if (line.namesPayout) return "payout";
  if (line.hasReference) return "R2";
  if (likely.has(line.id)) return "R3";
  if (line.isOwnTransfer) return "own_transfer";
  return line.fits || (line.isOut && line.fitsPayout) ? "R4" : null;
}

const unexplainedLines = sql`
  with line as materialized (
    select *, abs(amount_kobo) - matched_kobo as rest from statement_lines where matched_kobo <> abs(amount_kobo)
  ), payment as materialized (
    select ${projectPayments.reference} as reference, ${projectPayments.status} as status, ${expectedKobo} as expected,
       ${waitsForMoney} as waits
    from project_payments
    where ${waitsForMoney} or ${projectPayments.reference} in (select reference from line where reference is not null)
  ), purchase as materialized (
    select ${paymentReferences.reference} as reference,
      ${paymentReferences.lots} * ${paymentReferences.lotPriceKobo} as missing
    from payment_references
    where ${paymentReferences.reference} in (select reference from line where reference is not null) and ${isUnpaidPurchase}
  ), payout as materialized (
    select ${payouts.reference} as reference, ${payouts.amountKobo} as amount, ${isExpectedToLeave} as is_expected,
      ${cameBack} as came_back, (${payouts.sentAt} at time zone 'Africa/Lagos')::date as day
    from payouts
    where ${payouts.sentAt} is not null and (${payouts.reference} in (select reference from line where reference is not null)
      or ${payouts.amountKobo} in (select rest from line))
  ), sale as materialized (${missingSales}), run as materialized (${openRuns}), matched as materialized (
    select distinct c.amount_kobo from statement_lines c
      join line_matches m on m.line_id = c.id and m.kind = 'payment' and m.undone_at is null
  )
  select l.id::float8 as id, l.rest::text as rest, l.date::text as date, l.narration, l.counterparty,
    l.is_reversal as "isReversal", l.suggested_rule as "suggestedRule",
    l.amount_kobo > 0 and l.reference is not null and (
      (l.reference, l.rest) in (select reference, expected from payment where status <> 'rejected')
      or (l.reference, l.rest) in (select reference, missing from purchase where missing is not null)) as "isSure",
    l.amount_kobo > 0 and l.reference is not null and (
      l.reference in (select reference from payment) or l.reference in (select reference from purchase)) as "hasReference",
    l.amount_kobo > 0 and (l.rest in (select expected from payment where waits)
      or l.rest in (select missing from sale)) as fits,
    l.matched_kobo = 0 and -l.amount_kobo in (select amount_kobo from line where matched_kobo = 0) and exists (
      select from statement_lines c
      where c.amount_kobo = -l.amount_kobo and c.own_account_id <> l.own_account_id and c.matched_kobo = 0
        and c.date between l.date - 3 and l.date + 3) as "isOwnTransfer",
    l.amount_kobo < 0 and -l.amount_kobo in (select amount_kobo from matched) and exists (
      select from statement_lines c
        join line_matches on line_id = c.id and kind = 'payment' and undone_at is null and ${isNotTakenBack}
      where c.amount_kobo = -l.amount_kobo and c.own_account_id = l.own_account_id
        and c.date between l.date - 30 and l.date) as "isOfCredit",
    l.amount_kobo < 0 as "isOut",
    l.amount_kobo < 0 and (l.reference, l.rest) in (select reference, amount from payout where is_expected) as "isPayout",
    l.reference in (select reference from payout) is true as "namesPayout",
    exists (select from run r where r.payouts >= ${sql.raw(String(fewestOfRun))} and ${isDebitOfRun}) as "isRun",
    exists (select from payout p where p.amount = l.rest and l.date >= p.day and case when l.amount_kobo < 0
      then p.is_expected else not p.came_back and l.date <= p.day + ${sql.raw(String(payoutDays.comesBack))} end) as "fitsPayout"
  from line l`;

/** How many pairs of names are compared at most: beyond it lines are suggested by their amount alone. */
const mostPairs = 20_000;

/** The lines whose amount and name fit a payment with a receipt of these days. */
async function findLikely(db: Db, lines: Found[]): Promise<ReadonlySet<number>> {
  if (lines.length === 0) return new Set();
  const waiting = await rows<{ expected: string; sentOn: string; name: string }>(
    db,
    sql`select ${expectedKobo}::text as expected,
        (coalesce(r.created_at, ${projectPayments.createdAt}) at time zone 'Africa/Lagos')::date::text as "sentOn",
        u.full_name as name
      from project_payments join users u on u.id = ${projectPayments.userId}
        left join payment_receipts r on r.id = ${projectPayments.currentReceiptId}
      where ${waitsForMoney}`,
  );
  const named = waiting.map(({ name, ...payment }) => ({ ...payment, names: nameTokens(name) }));
  const byAmount = Map.groupBy(named, ({ expected }) => expected);
  const pairs: { id: number; names: [string, string] }[] = [];
  for (const line of lines) {
    const near = (byAmount.get(line.rest) ?? []).filter(({ sentOn }) => isInTime(line.date, sentOn));
    if (pairs.length + near.length > mostPairs) break;
    const ofLine = namesOf(line);
    for (const { names } of near) pairs.push({ id: line.id, names: [ofLine, names] });
  }
  const alike = await findAlikeNames(
    db,
    pairs.map(({ names }) => names),
  );
  return new Set([...alike].flatMap((at) => pairs[at]?.id ?? []));
}
