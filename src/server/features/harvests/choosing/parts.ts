import { and, asc, count, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { users } from "#server/db/schema/users.ts";
import { type Harvest, readTerms } from "#server/features/harvests/harvest-rows.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import { contains } from "#server/platform/search.ts";
import type { listPartsInput } from "#shared/harvests/inputs.ts";
import { type HarvestPartsShown, harvestTexts as texts } from "#shared/harvests/texts.ts";
import { allotHarvest } from "./current-shares.ts";

/** The parts of a harvest for administrators: in sums, and by name. A harvest may have a thousand of them. */

const sumOf = (column: SQL | typeof harvestParts.taken) =>
  sql`coalesce(sum(${column}), 0)::bigint`.mapWith(harvestParts.taken);
const numberOf = (condition: SQL) => sql`count(*) filter (where ${condition})`.mapWith(Number);

/** The parts of a harvest in sums. Before the allotment the quantities are what they would be now. */
export async function sumParts(db: DbOrTx, harvest: Harvest) {
  const { quantity, taken, given, sold, chosenAt, collectedAt, uncollectedAt } = harvestParts;
  const [found] = await db
    .select({
      count: count(),
      chosen: count(chosenAt),
      collected: count(collectedAt),
      uncollected: count(uncollectedAt),
      takers: numberOf(sql`${taken} > 0`),
      quantity: sumOf(quantity),
      taken: sumOf(taken),
      given: sumOf(given),
      sold: sumOf(sold),
      uncollectedQuantity: sumOf(sql`case when ${uncollectedAt} is not null then ${taken} end`),
    })
    .from(harvestParts)
    .where(eq(harvestParts.harvestId, harvest.id));
  if (!found) throw new Error("an aggregate without a row");
  if (harvest.state !== "choosing" || found.count === 0)
    return { farmQuantity: harvest.farmQuantity ?? 0n, parts: found };
  const { farmQuantity, rows } = await allotHarvest(db, harvest, await readTerms(db, harvest));
  const now = rows.reduce(
    (sum, row) => ({
      quantity: sum.quantity + row.quantity,
      taken: sum.taken + row.taken,
      given: sum.given + row.given,
      sold: sum.sold + row.sold,
    }),
    { quantity: 0n, taken: 0n, given: 0n, sold: 0n },
  );
  const takers = rows.filter((row) => row.taken > 0n).length;
  return { farmQuantity, parts: { ...found, ...now, takers } };
}

const conditionOf: Record<HarvestPartsShown, SQL | undefined> = {
  all: undefined,
  unchosen: isNull(harvestParts.chosenAt),
  // Also those whose time is over: whoever looks for them wants their names.
  waiting: and(gt(harvestParts.taken, 0n), isNull(harvestParts.collectedAt)),
};

const pageSize = 50;

/** A page of the parts of a harvest, those who backed first first. Throws "not_found". */
export async function listParts({ db }: ActorContext, input: z.output<typeof listPartsInput>) {
  const { harvestId, search, shown, cursor } = input;
  const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
  if (!harvest) throw new AppError("not_found", texts.gone);
  const { backingId, chosenAt, collectedAt, uncollectedAt, quantity, taken, given, sold } = harvestParts;
  const found = await db
    .select({ name: users.fullName, backingId, chosenAt, collectedAt, uncollectedAt, quantity, taken, given, sold })
    .from(harvestParts)
    .innerJoin(users, eq(users.id, harvestParts.userId))
    .where(
      and(
        eq(harvestParts.harvestId, harvestId),
        conditionOf[shown],
        search === "" ? undefined : contains(users.fullName, search),
        cursor ? gt(backingId, decodeCursor(cursor, ["bigint"])[0]) : undefined,
      ),
    )
    .orderBy(asc(backingId))
    .limit(pageSize + 1);
  const isOpen = harvest.state === "choosing";
  const allotted = isOpen ? (await allotHarvest(db, harvest, await readTerms(db, harvest))).rows : [];
  const byId = new Map(allotted.map((row) => [row.backingId, row]));
  const parts = found.map((part) => {
    const now = byId.get(part.backingId);
    return {
      ...part,
      quantity: part.quantity ?? now?.quantity ?? 0n,
      taken: part.taken ?? now?.taken ?? 0n,
      given: part.given ?? now?.given ?? 0n,
      sold: part.sold ?? now?.sold ?? 0n,
    };
  });
  return pageOf(parts, pageSize, (last) => encodeCursor([last.backingId]));
}
