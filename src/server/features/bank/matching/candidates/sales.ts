import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { isSaleExpected, missingOfSale } from "#server/features/harvests/arrivals.ts";
import { bankLimits, candidateTexts, restOf } from "#shared/bank/texts.ts";
import { byLine, type CandidateOf, type Found, linesTable, type SuggestedLine } from "./candidate.ts";

export const harvestColumns = {
  projectTitle: harvests.projectTitle,
  round: harvests.round,
  number: harvests.number,
  isInsurance: harvests.isInsurance,
};

/** Sales that stand. */
export const readAnySales = (db: DbOrTx, which: SQL | undefined) =>
  db
    .select({
      id: harvestSales.id,
      buyer: harvestSales.buyer,
      amountKobo: harvestSales.amountKobo,
      declaredAt: harvestSales.declaredAt,
      missingKobo: missingOfSale.mapWith(harvestSales.amountKobo),
      ...harvestColumns,
    })
    .from(harvestSales)
    .innerJoin(harvests, eq(harvests.id, harvestSales.harvestId))
    .where(and(isNull(harvestSales.removedAt), isSaleExpected, which));

/** Sales that money is missing of, and may come for. */
const readSales = (db: DbOrTx, which: SQL | undefined) => readAnySales(db, and(sql`${missingOfSale} > 0`, which));

/** The rule `amount`, of credits: sales whose missing amount is the rest of the line. An amount alone is never sure. */
export async function findSaleCandidates(
  db: DbOrTx,
  lines: readonly SuggestedLine[],
): Promise<Found<CandidateOf<"sale">>> {
  if (lines.length === 0) return new Map();
  const fitting = await rows<{ lineId: number; saleId: number }>(
    db,
    sql`with line as materialized (select * from ${linesTable(lines)}), sale as materialized (
        select ${harvestSales.id} as id, ${missingOfSale} as missing from harvest_sales
          join harvests on ${harvests.id} = ${harvestSales.harvestId}
        where ${harvestSales.removedAt} is null and ${isSaleExpected}
      ), found as (
        select line.id as line_id, sale.id, row_number() over (partition by line.id order by sale.id desc) as place
        from line join sale on sale.missing = line.rest
      )
      select line_id::float8 as "lineId", id::float8 as "saleId" from found
      where place <= ${bankLimits.candidates} order by line_id, place`,
  );
  if (fitting.length === 0) return new Map();
  const ids = [...new Set(fitting.map(({ saleId }) => saleId))];
  const sales = new Map((await readSales(db, sql`${harvestSales.id} in ${ids}`)).map((sale) => [sale.id, sale]));
  const restOfLine = new Map(lines.map((line) => [line.id, restOf(line)]));
  const found = fitting.flatMap(({ lineId, saleId }) => {
    const [sale, amountKobo] = [sales.get(saleId), restOfLine.get(lineId)];
    if (!sale || amountKobo === undefined) return [];
    const part = { kind: "sale" as const, amountKobo, saleId };
    const rule = { rule: "amount" as const, isSure: false, why: candidateTexts.sale };
    return { lineId, candidate: { kind: part.kind, ...rule, amountKobo, sale, part } };
  });
  return byLine(found);
}
