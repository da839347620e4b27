import { and, asc, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import { type Db, type DbOrTx, inTransaction, rows } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { hasId, hasReference } from "#server/features/bank/matching/candidates/candidate.ts";
import { findCandidates } from "#server/features/bank/matching/candidates/find-candidates.ts";
import { missingOfSale } from "#server/features/harvests/arrivals.ts";
import { expectedKobo } from "#server/features/payments/queries.ts";
import type { MatchRule } from "#shared/bank/texts.ts";
import { isUnexplained } from "./match-rows.ts";

/** A line that its first candidate is sure of. */
export type SureLine = { id: number; date: string; rule: MatchRule };

/** Lines are read so many at a time: memory doesn't grow with them. */
const atOnce = 5000;

/**
 * Writes the best rule of each line that isn't explained, so that the suggested lines can be listed page by page; what
 * a person is shown of a line is looked up anew. It runs after imports, and each minute for new receipts. Gives the
 * lines that are sure.
 */
export async function refreshSuggestions(db: Db, which?: SQL): Promise<SureLine[]> {
  const sure: SureLine[] = [];
  let last = 0;
  for (;;) {
    const lines = await db
      .select()
      .from(statementLines)
      .where(and(isUnexplained, gt(statementLines.id, last), which))
      .orderBy(asc(statementLines.id))
      .limit(atOnce);
    last = lines.at(-1)?.id ?? 0;
    const candidates = await findCandidates(db, lines);
    const changed: { id: number; rule: MatchRule | null }[] = [];
    for (const { id, date, suggestedRule } of lines) {
      const [first] = candidates.get(id) ?? [];
      const rule = first?.rule ?? null;
      if (rule !== suggestedRule) changed.push({ id, rule });
      if (first?.isSure) sure.push({ id, date, rule: first.rule });
    }
    await writeRules(db, changed);
    if (lines.length < atOnce) return sure;
  }
}

/** Lines that somebody matches at this moment are passed over. */
async function writeRules(db: Db, changed: readonly { id: number; rule: MatchRule | null }[]): Promise<void> {
  if (changed.length === 0) return;
  const listed = JSON.stringify(changed);
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`
      with changed as (
        select l.id, c.rule from jsonb_to_recordset(${listed}::text::jsonb) as c(id bigint, rule text)
          join statement_lines l on l.id = c.id and l.matched_kobo <> abs(l.amount_kobo) and l.own_account_id is not null
        order by l.id for no key update of l skip locked
      )
      update statement_lines l set suggested_rule = changed.rule from changed where l.id = changed.id`);
  });
}

/**
 * Refreshes the suggestions after matches of these lines were made or undone, outside their transaction: of the lines
 * themselves, and of lines that may show the same money, by the references and the amounts of what was matched. Other
 * changes are seen within a minute.
 */
export async function refreshAround(db: Db, lineIds: readonly number[]): Promise<void> {
  if (lineIds.length === 0) return;
  const { references, amounts } = await readConcerned(db, lineIds);
  const whole = sql`abs(${statementLines.amountKobo})`;
  await refreshSuggestions(
    db,
    or(
      hasId(statementLines.id, lineIds),
      hasReference(statementLines.reference, references),
      hasAmount(whole, amounts),
      hasAmount(sql`${whole} - ${statementLines.matchedKobo}`, amounts),
    ),
  );
}

const hasAmount = (kobo: SQL, amounts: readonly string[]): SQL =>
  sql`${kobo} in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(amounts)}::text::jsonb))`;

/** The same after something was decided about payments. */
export async function refreshAroundPayments(db: Db, paymentIds: readonly number[]): Promise<void> {
  if (paymentIds.length === 0) return;
  const found = await db
    .selectDistinct({ lineId: lineMatches.lineId })
    .from(lineMatches)
    .where(inArray(lineMatches.paymentId, [...paymentIds]));
  await refreshAround(
    db,
    found.map(({ lineId }) => lineId),
  );
}

/**
 * Reads the references that these lines were matched with, and their amounts before and after: other lines may be of
 * the same.
 */
async function readConcerned(
  db: DbOrTx,
  lineIds: readonly number[],
): Promise<{ references: string[]; amounts: string[] }> {
  const found = await rows<{ reference: string | null; kobo: string }>(
    db,
    sql`with asked as materialized (
        select value::bigint as id from jsonb_array_elements_text(${JSON.stringify(lineIds)}::text::jsonb)
      ), made as materialized (
        select * from line_matches where line_id in (select id from asked) or counter_line_id in (select id from asked)
      ), line as (
        select * from statement_lines where id in (select line_id from made union select counter_line_id from made)
          or id in (select id from asked)
      ), payment as (
        select reference, ${expectedKobo} as expected, (select sum(amount_kobo) from made where payment_id = project_payments.id) as moved
        from project_payments where id in (select payment_id from made)
      ), payout as (
        select * from payouts where id in (select payout_id from made)
      ), run as (
        select p.run_id, sum(p.amount_kobo) as total, sum(p.amount_kobo) filter (where not exists (
            select from line_matches m where m.payout_id = p.id and m.kind = 'payout' and m.undone_at is null)) as unseen
        from payouts p where p.run_id in (select run_id from payout) group by p.run_id
      ), sale as (
        select ${missingOfSale} as missing, (select sum(amount_kobo) from made where sale_id = harvest_sales.id) as moved
        from harvest_sales where id in (select sale_id from made)
      )
      select null as reference, abs(amount_kobo)::text as kobo from line
      union select null, (abs(amount_kobo) - matched_kobo)::text from line
      union select payment.reference, sum.kobo::text from payment,
        lateral (values (expected), (expected + moved), (moved)) as sum(kobo)
      union select reference, amount_kobo::text from payout
      union select null, sum.kobo::text from run, lateral (values (total), (unseen), (total - unseen)) as sum(kobo)
      union select null, sum.kobo::text from run, payout, lateral (values (unseen + amount_kobo)) as sum(kobo)
      union select null, sum.kobo::text from sale, lateral (values (missing), (missing + moved)) as sum(kobo)`,
  );
  return {
    references: [...new Set(found.flatMap(({ reference }) => reference ?? []))],
    amounts: [...new Set(found.flatMap(({ kobo }) => kobo ?? []))],
  };
}
