import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { isReady } from "#server/books/events/harvests.ts";
import type { PassedOn } from "#server/books/events/holders.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { harvestParts, harvests, roundWeights } from "#server/db/schema/harvests.ts";
import { notifyNewHolder } from "#server/features/harvests/notices.ts";
import type { NotifyDeps } from "#server/features/notifications/service.ts";
import type { RoundKey } from "#server/features/projects/rounds/service.ts";
import { newCodes } from "#server/platform/references.ts";

/**
 * A change of holder in the harvests of its round: it moves the old holder's weight, open choices and ready produce.
 * Settled shares stay with the person they were settled for. Parts of a withdrawn harvest, which give nobody anything,
 * stay too.
 */

/** Finds a person's part in the harvests of a round; undefined while none has begun, or if they have no part. */
export async function findPartOf(db: DbOrTx, { projectId, round }: RoundKey, userId: string) {
  const [found] = await db
    .select({ backingId: roundWeights.backingId })
    .from(roundWeights)
    .where(and(isOfRound({ projectId, round }), eq(roundWeights.userId, userId)));
  return found;
}

const isOfRound = ({ projectId, round }: RoundKey) =>
  and(eq(roundWeights.projectId, projectId), eq(roundWeights.round, round));

/** Reads what is pending for a person in the harvests of a round: a choice, and produce that lies ready. */
export async function readWaiting(db: DbOrTx, { projectId, round }: RoundKey, userId: string) {
  const found = await db
    .select({ state: harvests.state, isReady: sql<boolean>`(${isReady})` })
    .from(harvestParts)
    .innerJoin(harvests, eq(harvests.id, harvestParts.harvestId))
    .where(and(eq(harvests.projectId, projectId), eq(harvests.round, round), eq(harvestParts.userId, userId)));
  return {
    isChoosing: found.some(({ state }) => state === "choosing"),
    isProduceReady: found.some((part) => part.isReady && part.state !== "lost"),
  };
}

/** Produce that lies ready for the new holder. */
type Ready = { harvest: typeof harvests.$inferSelect; part: typeof harvestParts.$inferSelect };

type Passed = RoundKey & { fromUserId: string; toUserId: string };

/**
 * Gives a person's part in the harvests of a round to another, who has none. The caller has locked the harvests and
 * written the change; it posts the produce that is returned. Produce that lies ready has new codes, which {@link
 * notifyOfProduce} tells.
 */
export async function passParts(tx: Tx, { fromUserId, toUserId, ...key }: Passed) {
  await tx
    .update(roundWeights)
    .set({ userId: toUserId })
    .where(and(isOfRound(key), eq(roundWeights.userId, fromUserId)));
  const ofRound = tx
    .select({ id: harvests.id })
    .from(harvests)
    .where(and(eq(harvests.projectId, key.projectId), eq(harvests.round, key.round), ne(harvests.state, "withdrawn")));
  const isFrom = and(inArray(harvestParts.harvestId, ofRound), eq(harvestParts.userId, fromUserId));
  const ready = await tx
    .select({ part: harvestParts, harvest: harvests })
    .from(harvestParts)
    .innerJoin(harvests, eq(harvests.id, harvestParts.harvestId))
    .where(and(isFrom, isReady, sql`${harvests.state} <> 'lost'`));
  const made: Ready[] = [];
  for (const { part, harvest } of ready) {
    const code = await newCodeOf(tx, harvest.id);
    const isIt = and(eq(harvestParts.harvestId, harvest.id), eq(harvestParts.backingId, part.backingId));
    await tx.update(harvestParts).set({ userId: toUserId, code }).where(isIt);
    made.push({ harvest, part: { ...part, userId: toUserId, code } });
  }
  await tx.update(harvestParts).set({ userId: toUserId }).where(isFrom);
  const produce = made.flatMap(({ harvest, part }): PassedOn[] =>
    part.produceKobo ? [{ account: "produce", harvestId: harvest.id, amountKobo: part.produceKobo }] : [],
  );
  return { produce, made };
}

/** A code that no part of the harvest has. The caller has locked the harvest. */
async function newCodeOf(tx: Tx, harvestId: number): Promise<string> {
  const [code = ""] = newCodes(1);
  const isTaken = and(eq(harvestParts.harvestId, harvestId), eq(harvestParts.code, code));
  return (await tx.$count(harvestParts, isTaken)) > 0 ? newCodeOf(tx, harvestId) : code;
}

/** Tells the new holder the codes of produce that lies ready. */
export async function notifyOfProduce(tx: Tx, deps: NotifyDeps, made: readonly Ready[]): Promise<void> {
  for (const { harvest, part } of made) await notifyNewHolder(tx, deps, harvest, part);
}
