import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction } from "#server/db/open.ts";
import { harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { users } from "#server/db/schema/users.ts";
import type { NotifyDeps } from "#server/features/notifications/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { hitsLeft, limitRate } from "#server/platform/rate-limit.ts";
import { isoInLagos } from "#shared/dates.ts";
import type { collectInput } from "#shared/harvests.ts";
import { harvestLimits as limits, harvestTexts as texts } from "#shared/harvests-texts.ts";
import { isReady, postProduce } from "./ledger.ts";
import { tellCodesLocked, tellUncollected } from "./notices.ts";
import { lockHarvest } from "./rows.ts";
import { factsOf } from "./service.ts";

/** Produce is handed over for a code, and what nobody comes for in time is sold. */

/**
 * Hands produce over for a code. Returns whose it is and how much. Five wrong codes lock the list of the harvest for ten
 * minutes, twenty for the rest of the day in Lagos, and owners are told of both. Throws "rate_limited", "invalid" for a wrong code, or "conflict" if it was collected, or the time is over.
 */
export async function collectProduce(ctx: ActorContext, { harvestId, code }: z.output<typeof collectInput>) {
  const key = `harvest-codes:${harvestId}`;
  const limit = { hits: limits.wrongCodes, windowSeconds: limits.wrongCodeMinutes * 60 };
  const found = await inTransaction(ctx.db, async (tx) => {
    // Whoever tries a code waits for the harvest's lock, so that each sees the wrong ones before.
    const harvest = await lockHarvest(tx, harvestId);
    const counted = { db: tx, clock: ctx.clock };
    const day = isoInLagos(ctx.clock.now()).slice(0, 10);
    const [dayKey, dayLimit] = [`${key}:${day}`, { hits: limits.wrongCodesADay, windowSeconds: 86_400 }];
    if ((await hitsLeft(counted, dayKey, dayLimit)) === 0) throw new AppError("rate_limited", texts.codesLockedToday);
    if ((await hitsLeft(counted, key, limit)) === 0) throw new AppError("rate_limited", texts.codesLocked);
    const isIt = and(eq(harvestParts.harvestId, harvestId), eq(harvestParts.code, code));
    const [part] = await tx
      .select({ part: harvestParts, name: users.fullName })
      .from(harvestParts)
      .innerJoin(users, eq(users.id, harvestParts.userId))
      .where(isIt)
      .for("update", { of: harvestParts });
    if (!part) {
      await limitRate(counted, key, limit);
      await limitRate(counted, dayKey, dayLimit);
      const ofDay = limits.wrongCodesADay - (await hitsLeft(counted, dayKey, dayLimit));
      const isOfDay = ofDay === limits.wrongCodesADay;
      if (isOfDay || (await hitsLeft(counted, key, limit)) === 0) {
        await tellCodesLocked(tx, ctx, { harvest, wrongCodes: isOfDay ? ofDay : limits.wrongCodes, isOfDay });
      }
      return null;
    }
    const at = ctx.clock.now();
    if (harvest.state === "lost") throw new AppError("conflict", texts.lost);
    if (part.part.collectedAt !== null) throw new AppError("conflict", texts.collectedAlready);
    const isOver = harvest.collectsUntil === null || harvest.collectsUntil < at;
    if (isOver || part.part.uncollectedAt !== null) throw new AppError("conflict", texts.collectingOver);
    await postProduce(tx, "produce_collected", { harvestId, where: isIt, actorId: ctx.actor.id, at });
    await tx.update(harvestParts).set({ collectedAt: at, collectedBy: ctx.actor.id }).where(isIt);
    const { backingId, taken } = part.part;
    await recordAudit(tx, ctx, "collect_produce", { ...factsOf(harvest), backingId, taken: String(taken) });
    return { name: part.name, quantity: taken ?? 0n };
  });
  if (found === null) throw new AppError("invalid", texts.codeUnknown, { fields: { code: [texts.codeUnknown] } });
  return found;
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
    if (moved.length > 0) await tellUncollected(tx, deps, { harvest, parts: moved });
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
