import { asc, eq } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { harvestParts } from "#server/db/schema/harvests.ts";
import type { Harvest, HarvestPart, RoundTerms } from "#server/features/harvests/harvest-rows.ts";
import { type Allotment, allot } from "#shared/harvests/arithmetic.ts";

/** A whole harvest in basis points. */
const wholeRate = 10_000;

/** Divides a harvest by the choices made so far. For an allotted one it repeats the division that was fixed. */
export async function allotHarvest(db: DbOrTx, harvest: Harvest, terms: RoundTerms): Promise<Allotment> {
  const parts = await db
    .select()
    .from(harvestParts)
    .where(eq(harvestParts.harvestId, harvest.id))
    .orderBy(asc(harvestParts.backingId));
  return allot({
    quantity: harvest.quantity ?? 0n,
    // Where the payments of all backers were struck, the farm keeps what it grew.
    farmPartRate: parts.length > 0 ? terms.farmPartRate : wholeRate,
    weights: parts,
    choices: new Map(parts.flatMap((part) => choiceOf(part))),
    referencePriceKobo: harvest.referencePriceKobo ?? 0n,
  });
}

function choiceOf({ backingId, chosenTaken, chosenGiven, chosenSold }: HarvestPart) {
  if (chosenTaken === null || chosenGiven === null || chosenSold === null) return [];
  return [[backingId, { taken: chosenTaken, given: chosenGiven, sold: chosenSold }] as const];
}
