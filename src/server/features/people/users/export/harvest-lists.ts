import { and, asc, eq, gt, sql } from "drizzle-orm";
import { harvestParts, harvests, roundWeights } from "#server/db/schema/harvests.ts";
import { papers } from "#server/db/schema/papers.ts";
import { settlementParts, settlements } from "#server/db/schema/settlements.ts";
import { paperNumber } from "#shared/papers/texts.ts";
import { batch, inBatches, naira, type Read, units } from "./batches.ts";

/** Parts in harvests, settlements and papers of the person. */
export const harvestLists: Record<string, Read> = {
  harvestParts: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: harvests.id,
          harvestId: harvests.id,
          project: harvests.projectTitle,
          round: harvests.round,
          harvest: harvests.number,
          state: harvests.state,
          weightKobo: harvestParts.weightKobo,
          chosenTaken: harvestParts.chosenTaken,
          chosenGiven: harvestParts.chosenGiven,
          chosenSold: harvestParts.chosenSold,
          chosenAt: harvestParts.chosenAt,
          quantity: harvestParts.quantity,
          taken: harvestParts.taken,
          given: harvestParts.given,
          sold: harvestParts.sold,
          produceKobo: harvestParts.produceKobo,
          code: harvestParts.code,
          collectedAt: harvestParts.collectedAt,
          uncollectedAt: harvestParts.uncollectedAt,
        })
        .from(harvestParts)
        .innerJoin(harvests, eq(harvests.id, harvestParts.harvestId))
        .where(and(eq(harvestParts.userId, userId), gt(harvests.id, after)))
        .orderBy(asc(harvests.id))
        .limit(batch),
    (_, found) =>
      found.map(
        ({ weightKobo, produceKobo, chosenTaken, chosenGiven, chosenSold, quantity, taken, given, sold, ...part }) => ({
          ...part,
          weight: naira(weightKobo),
          chosen: { taken: units(chosenTaken), given: units(chosenGiven), sold: units(chosenSold) },
          quantity: units(quantity),
          taken: units(taken),
          given: units(given),
          sold: units(sold),
          produceValue: produceKobo === null ? null : naira(produceKobo),
        }),
      ),
  ),
  harvestWeights: async ({ db }, userId) => {
    const found = await db.select().from(roundWeights).where(eq(roundWeights.userId, userId));
    const items = found.map(({ projectId, round, weightKobo }) => ({ projectId, round, weight: naira(weightKobo) }));
    return { items, next: null };
  },
  settlements: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: settlements.id,
          id: settlements.id,
          harvestId: settlements.harvestId,
          settlement: settlements.number,
          pool: settlements.pool,
          at: settlements.createdAt,
          reversedAt: settlements.reversedAt,
          weight: settlementParts.weight,
          shareKobo: settlementParts.shareKobo,
          feeKobo: settlementParts.feeKobo,
          vatKobo: settlementParts.vatKobo,
          whtKobo: settlementParts.whtKobo,
          netKobo: settlementParts.netKobo,
          /** The part that isn't paid, because a payment of theirs was struck. */
          struckKobo: sql`(select coalesce(sum(k.net_kobo), 0)::bigint from settlement_strikes k
            where k.settlement_id = ${settlements.id} and k.backing_id = ${settlementParts.backingId})`.mapWith(
            settlementParts.netKobo,
          ),
        })
        .from(settlementParts)
        .innerJoin(settlements, eq(settlements.id, settlementParts.settlementId))
        .where(and(eq(settlementParts.userId, userId), gt(settlements.id, after)))
        .orderBy(asc(settlements.id))
        .limit(batch),
    (_, found) =>
      found.map(({ weight, shareKobo, feeKobo, vatKobo, whtKobo, netKobo, struckKobo, ...settlement }) => ({
        ...settlement,
        /** Thousandths of the unit; of an insurer's sum kobo. */
        weight: String(weight),
        share: naira(shareKobo),
        fee: naira(feeKobo),
        vat: naira(vatKobo),
        wht: naira(whtKobo),
        net: naira(netKobo),
        struck: naira(struckKobo),
      })),
  ),
  papers: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: papers.id,
          kind: papers.kind,
          year: papers.year,
          sequence: papers.sequence,
          code: papers.code,
          firstDay: papers.firstDay,
          lastDay: papers.lastDay,
          amountKobo: papers.amountKobo,
          content: papers.content,
          createdAt: papers.createdAt,
          replacedAt: papers.replacedAt,
        })
        .from(papers)
        .where(and(eq(papers.userId, userId), gt(papers.id, after)))
        .orderBy(asc(papers.id))
        .limit(batch),
    ({ site }, found) =>
      found.map(({ year, sequence, amountKobo, ...paper }) => ({
        number: paperNumber(site.current(), { kind: paper.kind, year, sequence }),
        ...paper,
        amount: naira(amountKobo),
      })),
  ),
};
