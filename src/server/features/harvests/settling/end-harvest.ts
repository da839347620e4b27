import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { postCostsLeft } from "#server/books/events/harvests.ts";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { settlements } from "#server/db/schema/settlements.ts";
import type { Harvest } from "#server/features/harvests/harvest-rows.ts";
import { lowerPayouts } from "#server/features/payouts/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Kobo } from "#shared/money.ts";
import { readPlatformRest, readUnwritten } from "./open-costs.ts";

/**
 * The platform's open costs if the harvest ends now: the farm's share and the loss, in kobo. What lines show and nobody
 * wrote down isn't the farm's: it is a part of the loss.
 */
export type CostsAtEnd = { ofFarmKobo: Kobo; lostKobo: Kobo; unwrittenKobo: Kobo };

/** They fall on what is owed to the farm of this harvest and that no run has taken; the rest is lost. */
export async function readCostsAtEnd(db: DbOrTx, harvest: Pick<Harvest, "id">): Promise<CostsAtEnd> {
  const restKobo = await readPlatformRest(db, harvest);
  const [found] = await rows<{ kobo: string }>(
    db,
    sql`select coalesce(sum(p.amount_kobo), 0)::text as kobo from payouts p join settlements s on s.id = p.settlement_id
      where s.harvest_id = ${harvest.id} and s.reversed_at is null and p.kind = 'farm' and p.state in ('waiting', 'due')`,
  );
  const owedKobo = BigInt(found?.kobo ?? 0);
  const ofFarmKobo = owedKobo < restKobo ? owedKobo : restKobo;
  const unwrittenKobo = await readUnwritten(db, harvest);
  return { ofFarmKobo, lostKobo: restKobo - ofFarmKobo + unwrittenKobo, unwrittenKobo };
}

/**
 * Ends a harvest: nothing more is expected of it. What is left of the platform's costs falls on its farm, then it is
 * lost. The caller has locked the harvest and the farm's payouts, knows that it may end, and has compared the sum of
 * {@link readCostsAtEnd} with what was confirmed. Returns both sums for the log.
 */
export async function endHarvest(
  tx: Tx,
  ctx: ActorContext,
  { harvest, lostBecause }: { harvest: Harvest; lostBecause?: string },
): Promise<{ ofFarmKobo: string; lostKobo: string }> {
  const at = ctx.clock.now();
  const openKobo = await readPlatformRest(tx, harvest);
  const unwrittenKobo = await readUnwritten(tx, harvest);
  const restKobo = openKobo + unwrittenKobo;
  const farmKobo = await deductFromFarm(tx, harvest, { restKobo: openKobo, at });
  const lostKobo = restKobo - farmKobo;
  await postCostsLeft(tx, { harvest, restKobo, farmKobo, actorId: ctx.actor.id, at });
  const rest = lostBecause === undefined ? {} : { restLostAt: at, restLostReason: lostBecause };
  const unwrittenLostKobo = harvest.unwrittenLostKobo + unwrittenKobo;
  const costs = lostKobo > 0n ? { costsLostAt: at, unwrittenLostKobo } : {};
  await tx
    .update(harvests)
    .set({ state: "done", doneAt: at, ...rest, ...costs, updatedAt: at })
    .where(eq(harvests.id, harvest.id));
  return { ofFarmKobo: farmKobo.toString(), lostKobo: lostKobo.toString() };
}

/** Locks what {@link endHarvest} may lower: the settlements that stand, then the payouts of the farm. */
export async function lockFarmPayouts(tx: Tx, { id }: Pick<Harvest, "id">): Promise<void> {
  const standing = and(eq(settlements.harvestId, id), isNull(settlements.reversedAt));
  const found = await tx
    .select({ id: settlements.id })
    .from(settlements)
    .where(standing)
    .orderBy(asc(settlements.id))
    .for("no key update");
  const ids = found.map((settlement) => settlement.id);
  await tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(inArray(payouts.settlementId, ids), eq(payouts.kind, "farm")))
    .orderBy(asc(payouts.id))
    .for("update");
}

/** Lowers what is owed to the farm of a harvest's settlements by up to `restKobo`. Returns by how much. */
async function deductFromFarm(tx: Tx, harvest: Harvest, { restKobo, at }: { restKobo: Kobo; at: Date }): Promise<Kobo> {
  let leftKobo = restKobo;
  if (leftKobo === 0n) return 0n;
  const { id: harvestId, projectId, projectTitle, round } = harvest;
  const standing = await tx
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(eq(settlements.harvestId, harvestId), isNull(settlements.reversedAt)))
    .orderBy(asc(settlements.id))
    .for("no key update");
  for (const { id: settlementId } of standing) {
    const about = { kind: "farm" as const, settlementId, projectId, projectTitle, round, at };
    const takenKobo = await lowerPayouts(tx, { ...about, byKobo: leftKobo });
    if (takenKobo === 0n) continue;
    await tx.update(settlements).set({ farmDeductedKobo: takenKobo }).where(eq(settlements.id, settlementId));
    leftKobo -= takenKobo;
  }
  return restKobo - leftKobo;
}
