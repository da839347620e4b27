import { eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { harvestCosts, harvests } from "#server/db/schema/harvests.ts";
import { factsOf, findProject, isWithoutSales, nameOfHarvest } from "#server/features/harvests/harvest-rows.ts";
import { recordAudit } from "#server/platform/audit.ts";
import { AppError } from "#server/platform/errors.ts";
import { costDetails } from "#shared/harvests/inputs.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { lockCost } from "./costs.ts";

type Cost = z.output<typeof costDetails>;

async function requireUncounted(tx: Tx, { costId, amountKobo }: Cost) {
  const { cost, harvest } = await lockCost(tx, costId);
  if (cost.paidBy !== "farm") throw new AppError("conflict", texts.costNotFarm);
  if (cost.requestId !== null) throw new AppError("conflict", texts.costCounted);
  if (harvest.state === "done" || isWithoutSales(harvest) || cost.amountKobo !== BigInt(amountKobo)) {
    throw new AppError("conflict", texts.changed);
  }
  return { cost, harvest };
}

/**
 * Finds the person who wrote the cost down as a keeper of the farm that gets it back; nobody if an administrator did
 * who didn't keep that farm then.
 */
async function findRecordingKeeper(db: DbOrTx, { costId }: Cost): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select c.recorded_by as id from harvest_costs c join harvests h on h.id = c.harvest_id
        where c.id = ${costId} and exists (
          select from farm_people p join project_rounds r on r.farm_id = p.farm_id
          where r.project_id = h.project_id and r.round = h.round and p.user_id = c.recorded_by and p.role = 'keeper'
            and p.created_at <= c.created_at and (p.ended_at is null or p.ended_at >= c.created_at))`,
  );
  return found.map(({ id }) => id);
}

/** Counting a cost that the farm paid: no line of a statement ever shows it, and the farm is repaid before others. */
export const countCostKind = secondPersonKind({
  schema: costDetails,
  subjectOf: ({ costId }) => String(costId),
  describe: async (db, { costId, amountKobo }) => {
    const [found] = await db
      .select({ cost: harvestCosts, harvest: harvests })
      .from(harvestCosts)
      .innerJoin(harvests, eq(harvests.id, harvestCosts.harvestId))
      .where(eq(harvestCosts.id, costId));
    if (!found) return null;
    const { cost, harvest } = found;
    const amount = formatNaira(BigInt(amountKobo));
    return {
      title: `Count ${amount} for ${cost.label} as paid by the farm`,
      consequences: [
        `It is a cost of ${nameOfHarvest(harvest)}. Look at its receipt there first: no line of a statement shows it.`,
        `The farm gets the ${amount} back from the next settlement, before anything is shared among its backers.`,
      ],
      isPossible:
        cost.removedAt === null && cost.requestId === null && harvest.state !== "done" && !isWithoutSales(harvest),
      projectId: await findProject(db, harvest),
    };
  },
  concerns: findRecordingKeeper,
  concernedText: texts.costByKeeper,
  require: async (tx, _ctx, details) => void (await requireUncounted(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const { cost, harvest } = await requireUncounted(tx, details);
    await tx.update(harvestCosts).set({ requestId }).where(eq(harvestCosts.id, cost.id));
    await recordAudit(tx, ctx, "count_harvest_cost", {
      ...factsOf(harvest),
      costId: cost.id,
      label: cost.label,
      amountKobo: details.amountKobo,
      requestId,
      reason,
    });
  },
});
