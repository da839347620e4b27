import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { isReady, postProduce } from "#server/books/events/harvests.ts";
import type { TakenOut } from "#server/books/events/strikes.ts";
import { lockTaxes } from "#server/books/locks.ts";
import { readTaxOwed } from "#server/books/sums.ts";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { harvestParts, harvests, roundWeights } from "#server/db/schema/harvests.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { settlements } from "#server/db/schema/settlements.ts";
import { settlementStrikes } from "#server/db/schema/strikes.ts";
import { makeSettlementStatements, replacePapers } from "#server/features/papers/service.ts";
import { lowerPayouts } from "#server/features/payouts/service.ts";
import type { RoundKey } from "#server/features/projects/rounds/service.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * What a struck payment leaves in the harvests of its round: nothing of those to come, and of settlements what was sent already. What
 * they still owed its backer goes back to the proceeds of its pool, and the next settlement divides it among the others. A person with
 * other payments in the round keeps the part of those.
 */

/** The payment that is struck, by the round that its approval was posted to. */
export type Struck = RoundKey & { userId: string; amountKobo: Kobo };

type Weight = { backingId: number; keptKobo: Kobo };

/** What its backer counts in the harvests of the round, with the payment; undefined while none has begun. */
async function findWeight(db: DbOrTx, { projectId, round, userId, amountKobo }: Struck): Promise<Weight | undefined> {
  const keptKobo = sql`${roundWeights.weightKobo} - ${roundWeights.struckKobo}`.mapWith(roundWeights.weightKobo);
  const [found] = await db
    .select({ backingId: roundWeights.backingId, keptKobo })
    .from(roundWeights)
    .where(and(eq(roundWeights.projectId, projectId), eq(roundWeights.round, round), eq(roundWeights.userId, userId)));
  if (found && found.keptKobo < amountKobo) throw new Error(`backing ${found.backingId} counts less than was paid`);
  return found;
}

type PartRow = {
  settlementId: string;
  harvestId: string;
  share: string;
  fee: string;
  vat: string;
  wht: string;
  net: string;
  open: string;
  settledFor: string;
};

/**
 * What of the settlements of its round isn't sent to the backer of a payment and would go back to the proceeds, oldest first. Taxes
 * that were passed on already stay where they are.
 */
export async function readTakenOut(db: DbOrTx, struck: Struck): Promise<TakenOut[]> {
  const { projectId, round, userId, amountKobo } = struck;
  const weight = await findWeight(db, struck);
  if (!weight) return [];
  const { backingId, keptKobo } = weight;
  const found = await rows<PartRow>(
    db,
    sql`select s.id::text as "settlementId", s.harvest_id::text as "harvestId",
        (q.share_kobo - coalesce(k.share, 0))::text as share, (q.fee_kobo - coalesce(k.fee, 0))::text as fee,
        (q.vat_kobo - coalesce(k.vat, 0))::text as vat, (q.wht_kobo - coalesce(k.wht, 0))::text as wht,
        (q.net_kobo - coalesce(k.net, 0))::text as net,
        q.user_id as "settledFor",
        (select coalesce(sum(o.amount_kobo), 0) from payouts o where o.settlement_id = s.id and o.user_id = ${userId}
          and coalesce(o.former_user_id, o.user_id) = q.user_id and o.state in ('waiting', 'due'))::text as open
      from settlements s join harvests h on h.id = s.harvest_id
        join settlement_parts q on q.settlement_id = s.id and q.backing_id = ${backingId}
        left join lateral (
          select sum(share_kobo) as share, sum(fee_kobo) as fee, sum(vat_kobo) as vat, sum(wht_kobo) as wht, sum(net_kobo) as net
          from settlement_strikes t where t.settlement_id = s.id and t.backing_id = ${backingId}
        ) k on true
      where h.project_id = ${projectId} and h.round = ${round} and s.reversed_at is null
      order by s.id`,
  );
  const left = { vat: await readTaxOwed(db, "vat"), wht: await readTaxOwed(db, "wht") };
  const takenOut: TakenOut[] = [];
  for (const { settlementId, harvestId, settledFor, ...row } of found) {
    const netKobo = BigInt(row.net);
    const ofPaymentKobo = (netKobo * amountKobo) / keptKobo;
    const openKobo = BigInt(row.open);
    const takenKobo = openKobo < ofPaymentKobo ? openKobo : ofPaymentKobo;
    if (takenKobo === 0n) continue;
    const partOf = (kobo: string) => (BigInt(kobo) * takenKobo) / netKobo;
    const vatKobo = smaller(partOf(row.vat), left.vat);
    const whtKobo = smaller(partOf(row.wht), left.wht);
    left.vat -= vatKobo;
    left.wht -= whtKobo;
    const feeKobo = partOf(row.fee);
    const sums = { feeKobo, vatKobo, whtKobo, netKobo: takenKobo };
    takenOut.push({
      settlementId: Number(settlementId),
      harvestId: Number(harvestId),
      backingId,
      userId,
      settledFor,
      shareKobo: feeKobo + vatKobo + whtKobo + takenKobo,
      ...sums,
    });
  }
  return takenOut;
}

const smaller = (one: Kobo, other: Kobo): Kobo => (one < other ? one : other);

/** What settlements of the round gave the backer, and what of it was sent or is in a run: that stays theirs. */
export async function readKeptOfSettlements(db: DbOrTx, { projectId, round, userId }: Struck): Promise<Kobo> {
  const [found] = await rows<{ kobo: string }>(
    db,
    sql`select coalesce(sum(o.amount_kobo), 0)::text as kobo from payouts o join settlements s on s.id = o.settlement_id
        join harvests h on h.id = s.harvest_id
      where h.project_id = ${projectId} and h.round = ${round} and o.user_id = ${userId}
        and o.state in ('in_run', 'sent', 'paid')`,
  );
  return BigInt(found?.kobo ?? 0);
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

/** Locks what is owed to a backer by the settlements of the round, and the taxes of it, after the harvests and the payment. */
export async function lockSettlementsOf(tx: Tx, { projectId, round, userId }: Struck): Promise<void> {
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
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  await lockPayoutsOf(tx, ids, userId);
  // Whoever failed one while this waited for it has put another in its place, which only a statement begun since can see.
  await lockPayoutsOf(tx, ids, userId);
  await lockTaxes(tx);
}

const lockPayoutsOf = (tx: Tx, settlementIds: number[], userId: string) =>
  tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(inArray(payouts.settlementId, settlementIds), eq(payouts.userId, userId)))
    .orderBy(asc(payouts.id))
    .for("update");

/**
 * Takes a payment out of the harvests of its round. The caller has locked them and what {@link lockSettlementsOf} does, and posts
 * what was taken out.
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
  }: { strikeId: number; projectTitle: string; takenOut: readonly TakenOut[]; actorId: string; at: Date },
): Promise<void> {
  const weight = await findWeight(tx, struck);
  if (!weight) return;
  await countLess(tx, struck, weight, { actorId, at });
  const { projectId, round, userId } = struck;
  for (const { harvestId: _harvestId, settledFor, ...taken } of takenOut) {
    const { settlementId, netKobo } = taken;
    const formerUserId = settledFor === userId ? null : settledFor;
    await tx.insert(settlementStrikes).values({ strikeId, ...taken });
    const about = { kind: "harvest" as const, settlementId, projectId, projectTitle, round, userId, formerUserId, at };
    const loweredKobo = await lowerPayouts(tx, { ...about, byKobo: netKobo });
    if (loweredKobo !== netKobo) throw new Error(`settlement ${settlementId} owes less than was locked`);
  }
}

/** Papers of the settlements that were taken out of, which say what is left of them. They come after the ledger. */
export async function replaceStatements(tx: Tx, takenOut: readonly TakenOut[], at: Date): Promise<void> {
  for (const { settlementId, settledFor } of takenOut) {
    await replacePapers(tx, { settlementId, userId: settledFor }, at);
    await makeSettlementStatements(tx, settlementId, at, settledFor);
  }
}

/** The payment counts nothing any more: in choices that are open, in what is sold, and of produce that lies ready. */
async function countLess(
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
