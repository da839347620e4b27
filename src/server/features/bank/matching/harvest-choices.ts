import { and, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { readTaxOwed } from "#server/books/sums.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { isSaleExpected, missingOfSale } from "#server/features/harvests/arrivals.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { contains } from "#server/platform/search.ts";
import type { LinePart, lineHarvestsInput } from "#shared/bank/inputs.ts";
import { bankLimits, bankTexts, harvestLineTexts, restOf } from "#shared/bank/texts.ts";

/** Lines that show money of a harvest's sales, and lines by which the platform paid its costs or passed its taxes on. */

type TaxPart = Extract<LinePart, { kind: "vat" | "wht" }>;

/** Throws "conflict" if settlements owe less of a tax to the state. The caller has locked the taxes. */
export async function requireTaxOwed(tx: Tx, { kind, amountKobo }: TaxPart): Promise<void> {
  const owedKobo = await readTaxOwed(tx, kind);
  if (amountKobo > owedKobo) throw new AppError("conflict", harvestLineTexts.moreThanTaxOwed(kind, owedKobo));
}

const harvestColumns = {
  projectTitle: harvests.projectTitle,
  round: harvests.round,
  number: harvests.number,
  isInsurance: harvests.isInsurance,
};

/** Sales that money is missing of, and may come for. */
export const readSales = (db: DbOrTx, which: SQL | undefined) =>
  db
    .select({
      id: harvestSales.id,
      buyer: harvestSales.buyer,
      amountKobo: harvestSales.amountKobo,
      missingKobo: missingOfSale.mapWith(harvestSales.amountKobo),
      ...harvestColumns,
    })
    .from(harvestSales)
    .innerJoin(harvests, eq(harvests.id, harvestSales.harvestId))
    .where(and(isNull(harvestSales.removedAt), isSaleExpected, sql`${missingOfSale} > 0`, which));

type LineHarvests = z.output<typeof lineHarvestsInput>;

/** Sales that a person may choose for a line, those of its rest first. Throws "not_found". */
export async function listSalesForLine({ db }: ActorContext, { lineId, search }: LineHarvests) {
  const [line] = await db.select().from(statementLines).where(eq(statementLines.id, lineId));
  if (!line) throw new AppError("not_found", bankTexts.lineGone);
  const isFound = search
    ? or(contains(harvestSales.buyer, search), contains(harvests.projectTitle, search))
    : undefined;
  return readSales(db, isFound)
    .orderBy(sql`abs(${missingOfSale} - ${restOf(line).toString()}::bigint)`, desc(harvestSales.id))
    .limit(bankLimits.payoutChoices);
}

/**
 * Harvests that a debit may have paid a cost of, the newest first, each with what is written down and not seen yet. A lost one is
 * among them, and one that was withdrawn if a cost of it is written down.
 */
export async function listHarvestsForLine({ db }: ActorContext, { search }: LineHarvests) {
  const written = sql`(select coalesce(sum(c.amount_kobo), 0) from harvest_costs c
    where c.harvest_id = ${harvests.id} and c.paid_by = 'platform' and c.removed_at is null)`;
  const seen = sql`(select coalesce(sum(m.amount_kobo), 0) from line_matches m
    where m.harvest_id = ${harvests.id} and m.undone_at is null)`;
  return db
    .select({
      id: harvests.id,
      ...harvestColumns,
      /** Negative where more left than was written down. */
      unseenKobo: sql`(${written} - ${seen})::bigint`.mapWith(harvestSales.amountKobo),
    })
    .from(harvests)
    .where(
      and(
        sql`(${harvests.state} <> 'withdrawn' or ${written} > 0)`,
        search ? contains(harvests.projectTitle, search) : undefined,
      ),
    )
    .orderBy(sql`${written} > ${seen} desc`, desc(harvests.id))
    .limit(bankLimits.payoutChoices);
}
