import { sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { harvestSales } from "#server/db/schema/harvests.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { isNotTakenBack } from "#server/features/bank/matching/credits.ts";
import { namesReversal } from "#server/features/bank/statements/narrations.ts";
import { bankLimits, candidateTexts, wallLimits } from "#shared/bank/texts.ts";
import { byLine, type CandidateOf, type Found, linesTable, type SuggestedLine } from "./candidate.ts";
import { readCandidatePayments } from "./payments.ts";
import { readAnySales } from "./sales.ts";

type Credit = {
  lineId: number;
  creditMatchId: number;
  paymentId: number | null;
  saleId: number | null;
  amountKobo: string;
};

/**
 * The rule `taken_back`: debits that look like a credit of the last 30 days, whose money a payment or a sale has, or a
 * part of it.
 */
export async function findTakenBack(
  db: DbOrTx,
  lines: readonly SuggestedLine[],
): Promise<Found<CandidateOf<"taken_back" | "sale_taken_back">>> {
  const reversals = lines.filter(({ isReversal, narration }) => isReversal || namesReversal(narration));
  if (reversals.length === 0) return new Map();
  const credits = await rows<Credit>(
    db,
    sql`with found as (
        select line.id as line_id, line_matches.id as match_id, line_matches.payment_id, line_matches.sale_id, line_matches.amount_kobo,
          row_number() over (partition by line.id order by credit.date desc, credit.id desc, line_matches.id) as place
        from ${linesTable(reversals)}
        join statement_lines credit on credit.own_account_id = line.account and credit.amount_kobo = -line.amount
          and credit.date between line.day - ${wallLimits.takenBackDays}::int and line.day
        join line_matches on line_matches.line_id = credit.id
        where ${lineMatches.kind} in ('payment', 'sale') and ${lineMatches.undoneAt} is null
          and ${lineMatches.amountKobo} <= line.rest and ${isNotTakenBack}
      )
      select line_id::float8 as "lineId", match_id::float8 as "creditMatchId", payment_id::float8 as "paymentId",
        sale_id::float8 as "saleId", amount_kobo::text as "amountKobo"
      from found where place <= ${bankLimits.candidates} order by line_id, place`,
  );
  const payments = await readCandidatePayments(
    db,
    credits.flatMap(({ paymentId }) => paymentId ?? []),
  );
  const saleIds = credits.flatMap(({ saleId }) => saleId ?? []);
  const sales = saleIds.length === 0 ? [] : await readAnySales(db, sql`${harvestSales.id} in ${saleIds}`);
  const referenceOf = new Map(reversals.map(({ id, reference }) => [id, reference]));
  const found = credits.flatMap(({ lineId, creditMatchId, paymentId, saleId, ...credit }) => {
    const about = { creditMatchId, amountKobo: BigInt(credit.amountKobo) };
    const rule = {
      rule: "taken_back" as const,
      isSure: false,
      amountKobo: about.amountKobo,
      why: candidateTexts.takenBack,
    };
    const sale = sales.find(({ id }) => id === saleId);
    if (sale) {
      const part = { kind: "sale_taken_back" as const, saleId: sale.id, ...about };
      return { lineId, candidate: { kind: part.kind, ...rule, sale, part } };
    }
    const payment = paymentId === null ? undefined : payments.get(paymentId);
    if (!payment) return [];
    const part = { kind: "taken_back" as const, paymentId: payment.id, ...about };
    const isNamed = payment.reference === referenceOf.get(lineId);
    const why = isNamed ? candidateTexts.takenBackNamed : rule.why;
    return { lineId, isNamed, candidate: { kind: part.kind, ...rule, why, payment, part } };
  });
  // Of many credits of one amount, the one that the bank names comes first.
  const isFirst = (one: { isNamed?: boolean }) => one.isNamed === true;
  const ordered = [...found.filter(isFirst), ...found.filter((one) => !isFirst(one))];
  return byLine<CandidateOf<"taken_back" | "sale_taken_back">>(ordered);
}
