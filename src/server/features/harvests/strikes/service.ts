import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { isReady, postProduce } from "#server/books/events/harvests.ts";
import type { StruckShare } from "#server/books/events/strikes.ts";
import { lockTaxes } from "#server/books/locks.ts";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { harvestParts, harvests, roundWeights } from "#server/db/schema/harvests.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { settlements } from "#server/db/schema/settlements.ts";
import { isOfBacking, lowerStruck } from "#server/features/payouts/strikes.ts";
import type { RoundKey } from "#server/features/projects/rounds/service.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * A struck payment's effect on the harvests of its round. It counts for nothing in those to come. Of settlements it
 * keeps what was sent. What they still owed its backer goes back to the proceeds of its pool, and the next settlement
 * divides it among the others. A person with other payments in the round keeps the part of those.
 */

/**
 * The payment that is struck, by the round that its approval was posted to, with the backing that it counts for in the
 * round's harvests; null if none has begun.
 */
export type Struck = RoundKey & { userId: string; amountKobo: Kobo; backingId: number | null };

type Weight = { backingId: number; keptKobo: Kobo };

/** Finds the backer's weight in the harvests of the round, with the payment; undefined while none has begun. */
async function findWeight(db: DbOrTx, { projectId, round, userId, amountKobo }: Struck): Promise<Weight | undefined> {
  const keptKobo = sql`${roundWeights.weightKobo} - ${roundWeights.struckKobo}`.mapWith(roundWeights.weightKobo);
  const [found] = await db
    .select({ backingId: roundWeights.backingId, keptKobo })
    .from(roundWeights)
    .where(and(eq(roundWeights.projectId, projectId), eq(roundWeights.round, round), eq(roundWeights.userId, userId)));
  if (found && found.keptKobo < amountKobo) throw new Error(`backing ${found.backingId} counts less than was paid`);
  return found;
}

/**
 * Reads the sums that settlements of the round gave for the payment's backing: those already sent, which stay theirs, and those in a
 * run before its export.
 */
export async function readLeftDue(
  db: DbOrTx,
  { projectId, round, backingId }: Struck,
): Promise<{ sentKobo: Kobo; inRunKobo: Kobo }> {
  const [found] = await rows<{ sent: string; inRun: string }>(
    db,
    sql`select coalesce(sum(o.amount_kobo) filter (where o.state <> 'in_run'), 0)::text as sent,
        coalesce(sum(o.amount_kobo) filter (where o.state = 'in_run'), 0)::text as "inRun"
      from payouts o join settlements s on s.id = o.settlement_id
        join harvests h on h.id = s.harvest_id
      where h.project_id = ${projectId} and h.round = ${round} and exists (
          select from settlement_parts q where q.settlement_id = s.id and q.backing_id = ${backingId}
            and q.user_id = coalesce(o.former_user_id, o.user_id))
        and o.state in ('in_run', 'sent', 'paid')`,
  );
  return { sentKobo: BigInt(found?.sent ?? 0), inRunKobo: BigInt(found?.inRun ?? 0) };
}

/** Locks the harvests of a round, whose project the caller has locked. */
export async function lockHarvestsOf(tx: Tx, { projectId, round }: RoundKey): Promise<void> {
  await tx
    .select({ id: harvests.id })
    .from(harvests)
    .where(and(eq(harvests.projectId, projectId), eq(harvests.round, round)))
    .orderBy(asc(harvests.id))
    .for("update");
}

/**
 * Locks what is owed for a payment: by the settlements of the round for its backing, whoever holds or held it, with the
 * taxes of it, and by a return to the round's backers. Comes after the harvests and the payment.
 */
export async function lockOwedFor(tx: Tx, struck: Struck & { paymentId: number }): Promise<void> {
  const { projectId, round } = struck;
  const ofRound = tx
    .select({ id: harvests.id })
    .from(harvests)
    .where(and(eq(harvests.projectId, projectId), eq(harvests.round, round)));
  const found = await tx
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(inArray(settlements.harvestId, ofRound), isNull(settlements.reversedAt)))
    .orderBy(asc(settlements.id))
    .for("no key update");
  const ids = found.map(({ id }) => id);
  await lockPayoutsFor(tx, struck, ids);
  // Whoever failed one while this waited for it has put another in its place, which only a statement begun since can see.
  await lockPayoutsFor(tx, struck, ids);
  if (found.length > 0) await lockTaxes(tx);
}

const lockPayoutsFor = (tx: Tx, { paymentId, backingId }: Struck & { paymentId: number }, settlementIds: number[]) =>
  tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      or(
        and(inArray(payouts.settlementId, settlementIds), isOfBacking(backingId)),
        and(eq(payouts.kind, "returned"), eq(payouts.paymentId, paymentId)),
      ),
    )
    .orderBy(asc(payouts.id))
    .for("update");

/**
 * Takes a payment out of the harvests of its round. The caller has locked them and what {@link lockOwedFor} does,
 * and posts what was taken out.
 */
export async function takeOutOfHarvests(
  tx: Tx,
  struck: Struck,
  {
    strikeId,
    projectTitle,
    takenOut,
    actorId,
    at,
  }: { strikeId: number; projectTitle: string; takenOut: readonly StruckShare[]; actorId: string; at: Date },
): Promise<void> {
  const weight = await findWeight(tx, struck);
  if (!weight) return;
  await lowerWeight(tx, struck, weight, { actorId, at });
  await lowerStruck(tx, struck, { takenOut, strikeId, payoutId: null, projectTitle, at });
}

/** The payment counts nothing any more: in choices that are open, in what is sold, and of produce that lies ready. */
async function lowerWeight(
  tx: Tx,
  { projectId, round, amountKobo }: Struck,
  { backingId, keptKobo }: Weight,
  { actorId, at }: { actorId: string; at: Date },
): Promise<void> {
  const isWeight = and(eq(roundWeights.projectId, projectId), eq(roundWeights.round, round));
  const struckKobo = sql`${roundWeights.struckKobo} + ${amountKobo.toString()}::bigint`;
  await tx
    .update(roundWeights)
    .set({ struckKobo })
    .where(and(isWeight, eq(roundWeights.backingId, backingId)));
  const found = await tx
    .select({ harvestId: harvests.id, state: harvests.state, quantity: harvestParts.quantity })
    .from(harvestParts)
    .innerJoin(harvests, eq(harvests.id, harvestParts.harvestId))
    .where(and(eq(harvests.projectId, projectId), eq(harvests.round, round), eq(harvestParts.backingId, backingId)))
    .orderBy(asc(harvests.id));
  for (const { harvestId, state, quantity } of found) {
    const isPart = and(eq(harvestParts.harvestId, harvestId), eq(harvestParts.backingId, backingId));
    if (quantity !== null) {
      const isWaiting = and(eq(harvestParts.backingId, backingId), isReady);
      if (state !== "lost" && isWaiting) {
        await postProduce(tx, "produce_uncollected", { harvestId, where: isWaiting, actorId, at });
        await tx.update(harvestParts).set({ uncollectedAt: at }).where(and(isPart, isReady));
      }
      const struckOfPart = sql`${harvestParts.struckKobo} + ${amountKobo.toString()}::bigint`;
      await tx.update(harvestParts).set({ struckKobo: struckOfPart }).where(isPart);
    } else if (keptKobo === amountKobo) {
      await tx.delete(harvestParts).where(isPart);
    } else {
      const weightKobo = sql`${harvestParts.weightKobo} - ${amountKobo.toString()}::bigint`;
      await tx.update(harvestParts).set({ weightKobo }).where(isPart);
    }
  }
}
