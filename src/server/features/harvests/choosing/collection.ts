import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import { isReady, postProduce } from "#server/books/events/harvests.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { users } from "#server/db/schema/users.ts";
import {
  factsOf,
  type Harvest,
  type HarvestPart,
  lockHarvest,
  readTerms,
} from "#server/features/harvests/harvest-rows.ts";
import { notifyCodesLocked, notifyUncollected } from "#server/features/harvests/notices.ts";
import type { NotifyDeps } from "#server/features/notifications/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { lockKeepersRight } from "#server/platform/farm-rights.ts";
import { hitsLeft, limitRate } from "#server/platform/rate-limit.ts";
import { dayInLagos } from "#shared/dates.ts";
import type { collectInput } from "#shared/harvests/inputs.ts";
import { harvestLimits as limits, harvestTexts as texts } from "#shared/harvests/texts.ts";
import { sumParts } from "./parts.ts";

/** Produce is handed over for a code, and what nobody comes for in time is sold. */

/** Describes a harvest for the screen where produce is handed out. Throws "not_found". */
export async function describeCollection({ db, clock }: ActorContext, { harvestId }: { harvestId: number }) {
  const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
  if (!harvest) throw new AppError("not_found", texts.gone);
  const { projectId, projectTitle, round, number, isInsurance, state, collectsUntil } = harvest;
  const { unit, collectionPlace } = await readTerms(db, harvest);
  const { takers, collected } = (await sumParts(db, harvest)).parts;
  return {
    projectId,
    projectTitle,
    round,
    number,
    isInsurance,
    state,
    collectsUntil,
    unit,
    collectionPlace,
    takers,
    collected,
    now: clock.now(),
  };
}

type Coded = z.output<typeof collectInput>;

/**
 * Tells whose produce a code is for, and what was allotted to them, and hands nothing over. A wrong code counts as one of
 * `collectProduce`, and what that refuses is refused here.
 */
export async function findProduce(ctx: ActorContext, input: Coded) {
  return withCode(ctx, input, async (_tx, { part, name }) => {
    const { quantity, taken, given, sold } = part;
    return { name, quantity: quantity ?? 0n, taken: taken ?? 0n, given: given ?? 0n, sold: sold ?? 0n };
  });
}

/** Hands produce over for a code. Returns whose it is and how much. Throws as `withCode`. */
export async function collectProduce(ctx: ActorContext, input: Coded) {
  const { harvestId } = input;
  return withCode(ctx, input, async (tx, { harvest, part, name }) => {
    const { backingId, taken } = part;
    const at = ctx.clock.now();
    const isIt = and(eq(harvestParts.harvestId, harvestId), eq(harvestParts.backingId, backingId));
    await postProduce(tx, "produce_collected", { harvestId, where: isIt, actorId: ctx.actor.id, at });
    await tx.update(harvestParts).set({ collectedAt: at, collectedBy: ctx.actor.id }).where(isIt);
    await recordAudit(tx, ctx, "collect_produce", { ...factsOf(harvest), backingId, taken: String(taken) });
    return { name, quantity: taken ?? 0n };
  });
}

type Found = { harvest: Harvest; part: HarvestPart; name: string };

/**
 * Does something about the produce that a code is for. Five wrong codes lock the list of the harvest for ten minutes, twenty
 * for the rest of the day in Lagos, and owners are told of both. Throws "rate_limited", "invalid" for a wrong code, or
 * "conflict" if it was collected, or the time is over.
 */
async function withCode<Result>(
  ctx: ActorContext,
  { harvestId, code }: Coded,
  act: (tx: Tx, found: Found) => Promise<Result>,
): Promise<Result> {
  const key = `harvest-codes:${harvestId}`;
  const limit = { hits: limits.wrongCodes, windowSeconds: limits.wrongCodeMinutes * 60 };
  const done = await inTransaction(ctx.db, async (tx) => {
    // Whoever tries a code waits for the harvest's lock, so that each sees the wrong ones before.
    const harvest = await lockHarvest(tx, harvestId);
    await lockKeepersRight(tx, ctx);
    const counted = { db: tx, clock: ctx.clock };
    const day = dayInLagos(ctx.clock.now());
    const [dayKey, dayLimit] = [`${key}:${day}`, { hits: limits.wrongCodesADay, windowSeconds: 86_400 }];
    if ((await hitsLeft(counted, dayKey, dayLimit)) === 0) throw new AppError("rate_limited", texts.codesLockedToday);
    if ((await hitsLeft(counted, key, limit)) === 0) throw new AppError("rate_limited", texts.codesLocked);
    const [found] = await tx
      .select({ part: harvestParts, name: users.fullName })
      .from(harvestParts)
      .innerJoin(users, eq(users.id, harvestParts.userId))
      .where(and(eq(harvestParts.harvestId, harvestId), eq(harvestParts.code, code)))
      .for("update", { of: harvestParts });
    if (!found) {
      await limitRate(counted, key, limit);
      await limitRate(counted, dayKey, dayLimit);
      const ofDay = limits.wrongCodesADay - (await hitsLeft(counted, dayKey, dayLimit));
      const isOfDay = ofDay === limits.wrongCodesADay;
      if (isOfDay || (await hitsLeft(counted, key, limit)) === 0) {
        await notifyCodesLocked(tx, ctx, { harvest, wrongCodes: isOfDay ? ofDay : limits.wrongCodes, isOfDay });
      }
      // Thrown here, it would undo the count.
      return null;
    }
    const { collectedAt, uncollectedAt } = found.part;
    if (harvest.state === "lost") throw new AppError("conflict", texts.lost);
    if (collectedAt !== null) throw new AppError("conflict", texts.collectedAlready);
    const isOver = harvest.collectsUntil === null || harvest.collectsUntil < ctx.clock.now();
    if (isOver || uncollectedAt !== null) throw new AppError("conflict", texts.collectingOver);
    return { result: await act(tx, { harvest, ...found }) };
  });
  if (done === null) throw new AppError("invalid", texts.codeUnknown, { fields: { code: [texts.codeUnknown] } });
  return done.result;
}

/** Moves what nobody collected in time to what is sold, and tells whose it was. Does nothing before. */
export async function moveUncollected(deps: NotifyDeps & Pick<Deps, "db">, harvestId: number): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const harvest = await lockHarvest(tx, harvestId);
    const at = deps.clock.now();
    if (harvest.collectsUntil === null || harvest.collectsUntil >= at || harvest.state === "lost") return;
    await postProduce(tx, "produce_uncollected", { harvestId, ...(isReady && { where: isReady }), actorId: null, at });
    const moved = await tx
      .update(harvestParts)
      .set({ uncollectedAt: at })
      .where(and(eq(harvestParts.harvestId, harvestId), isReady))
      .returning();
    if (moved.length > 0) await notifyUncollected(tx, deps, { harvest, parts: moved });
  });
}

/** The harvests with produce whose time for collecting is over. */
export async function listToMove({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number[]> {
  const found = await db
    .selectDistinct({ id: harvests.id })
    .from(harvests)
    .innerJoin(harvestParts, eq(harvestParts.harvestId, harvests.id))
    .where(and(lt(harvests.collectsUntil, clock.now()), sql`${harvests.state} <> 'lost'`, isReady));
  return found.map(({ id }) => id);
}

/** The harvests whose time for choosing is over, and that weren't allotted yet. */
export async function listToAllot({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number[]> {
  const isOver = and(
    eq(harvests.state, "choosing"),
    lt(harvests.choosesUntil, clock.now()),
    isNull(harvests.allottedAt),
  );
  return (await db.select({ id: harvests.id }).from(harvests).where(isOver)).map(({ id }) => id);
}
