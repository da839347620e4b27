import { and, eq, sql } from "drizzle-orm";
import { postProduce } from "#server/books/events/harvests.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { type Harvest, lockHarvest, readTerms } from "#server/features/harvests/harvest-rows.ts";
import { notifyReady } from "#server/features/harvests/notices.ts";
import type { NotifyDeps } from "#server/features/notifications/service.ts";
import type { Deps } from "#server/platform/deps.ts";
import { newCodes } from "#server/platform/references.ts";
import { lastSecondOfDay } from "#shared/lagos-time.ts";
import { allotHarvest } from "./current-shares.ts";

/** The day on which choosing ends: what everybody has of the harvest is fixed. */

type AllotDeps = NotifyDeps & Pick<Deps, "db">;

/**
 * Allots a harvest whose time for choosing is over. Who takes produce gets a code and is told where to collect it; the
 * value is kept as a memo. Does nothing if it isn't in time, or was done already.
 */
export async function allotIfDue(deps: AllotDeps, harvestId: number): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const harvest = await lockHarvest(tx, harvestId);
    const now = deps.clock.now();
    if (harvest.state !== "choosing" || harvest.choosesUntil === null || harvest.choosesUntil >= now) return;
    await fixParts(tx, deps, harvest);
  });
}

async function fixParts(tx: Tx, deps: AllotDeps, harvest: Harvest): Promise<void> {
  const { id: harvestId } = harvest;
  const at = deps.clock.now();
  const terms = await readTerms(tx, harvest);
  const { farmQuantity, rows } = await allotHarvest(tx, harvest, terms);
  const codes = newCodes(rows.filter(({ taken }) => taken > 0n).length);
  for (const { backingId, quantity, taken, given, sold, produceValueKobo } of rows) {
    const code = taken > 0n ? (codes.pop() ?? null) : null;
    await tx
      .update(harvestParts)
      .set({ quantity, taken, given, sold, produceKobo: produceValueKobo, code })
      .where(and(eq(harvestParts.harvestId, harvestId), eq(harvestParts.backingId, backingId)));
  }
  const isAnyTaken = rows.some(({ taken }) => taken > 0n);
  const collectsUntil = isAnyTaken ? lastSecondOfDay(at, terms.collectionDays) : null;
  await tx
    .update(harvests)
    .set({ state: "allotted", allottedAt: at, farmQuantity, collectsUntil, updatedAt: at })
    .where(eq(harvests.id, harvestId));
  await postProduce(tx, "produce_allotted", { harvestId, where: sql`taken > 0`, actorId: null, at });
  await notifyReady(tx, deps, { harvest: { ...harvest, collectsUntil }, terms });
}
