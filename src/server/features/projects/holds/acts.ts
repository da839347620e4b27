import { and, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import { requireOpenAccount } from "#server/accounts/sessions.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { countAllowedLots } from "#server/features/projects/rounds/queries.ts";
import { freeLots, lockProject, lockRound } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import type { endHoldInput, extendHoldInput, joinWaitingListInput } from "#shared/projects/holds.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { endHold, findOwnHold, leaveWaitingLists, requireMayHold, settleHolds } from "./service.ts";

/** What backers and administrators do to holds and the waiting list. */

type ById = { projectId: number };

async function lockSettled(tx: Tx, ctx: ActorContext, projectId: number, number?: number) {
  const project = await lockProject(tx, projectId);
  const round = await lockRound(tx, { projectId, round: number ?? project.round });
  return { project, round: await settleHolds(tx, ctx, { project, round }) };
}

/** Gives the caller's held or offered lots back. Throws "not_found", or "conflict" if they hold none, or have paid. */
export async function releaseHold(ctx: ActorContext, { projectId }: ById): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const place = await lockSettled(tx, ctx, projectId);
    await requireOpenAccount(tx, ctx.actor);
    const hold = await findOwnHold(tx, place.round, ctx.actor.id);
    if (!hold) throw new AppError("conflict", holdTexts.notHeld);
    if (hold.state === "claimed" || hold.hasReceipt) throw new AppError("conflict", holdTexts.underReview);
    await endHold(tx, { ...place, hold, deps: ctx, at: ctx.clock.now(), state: "released" });
  });
}

/**
 * Puts the caller at the end of the waiting list, for as many lots as they may buy. Throws "conflict" if lots are free, they
 * hold some or wait, may not hold any, or may buy none.
 */
export async function joinWaitingList(ctx: ActorContext, input: z.output<typeof joinWaitingListInput>): Promise<void> {
  const { projectId, lots } = input;
  try {
    await inTransaction(ctx.db, async (tx) => {
      const { project, round } = await lockSettled(tx, ctx, projectId);
      await requireOpenAccount(tx, ctx.actor);
      if (project.isClosed || freeLots(round) > 0) throw new AppError("conflict", holdTexts.notFull);
      if (await findOwnHold(tx, round, ctx.actor.id)) throw new AppError("conflict", holdTexts.alreadyHeld);
      await requireMayHold(tx, ctx);
      const most = Math.min(round.lots, await countAllowedLots(tx, round, ctx.actor.id));
      if (most === 0) throw new AppError("conflict", paymentTexts.lotsLeft(0));
      const entry = { projectId, round: round.round, userId: ctx.actor.id, lots: Math.min(lots, most) };
      await tx.insert(waitingList).values({ ...entry, joinedAt: ctx.clock.now() });
    });
  } catch (error) {
    if (!isUniqueViolation(error, "waiting_list_one_per_person")) throw error;
    throw new AppError("conflict", holdTexts.alreadyWaiting, { cause: error });
  }
}

/** Takes the caller off the waiting list; repeating it changes nothing. */
export async function leaveWaitingList(ctx: ActorContext, { projectId }: ById): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockProject(tx, projectId);
    await leaveWaitingLists(tx, ctx, ctx.actor.id, projectId);
  });
}

/** A hold that stands, with its project and round locked. Throws "not_found", or "conflict" if it has ended. */
async function lockHold(tx: Tx, ctx: ActorContext, holdId: number) {
  const [found] = await tx
    .select({ projectId: holds.projectId, round: holds.round })
    .from(holds)
    .where(eq(holds.id, holdId));
  if (!found) throw new AppError("not_found", holdTexts.notHeld);
  const place = await lockSettled(tx, ctx, found.projectId, found.round);
  const [hold] = await tx
    .select()
    .from(holds)
    .where(and(eq(holds.id, holdId), inArray(holds.state, ["live", "claimed"])))
    .for("update");
  if (!hold) throw new AppError("conflict", holdTexts.notHeld);
  return { ...place, hold };
}

/** Ends somebody's hold with a reason, which is mailed to them. */
export async function endHoldByHand(ctx: ActorContext, input: z.output<typeof endHoldInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { project, round, hold } = await lockHold(tx, ctx, input.holdId);
    const how = { state: "ended" as const, by: ctx.actor.id, reason: input.reason };
    await endHold(tx, { project, round, hold, deps: ctx, at: ctx.clock.now(), ...how });
    await recordAudit(tx, ctx, "end_hold", {
      holdId: hold.id,
      projectId: project.id,
      title: project.title,
      backerId: hold.userId,
      lots: hold.lots,
      reason: input.reason,
    });
  });
}

/** Gives a live hold so many hours from now, or leaves it if it lasts longer. */
export async function extendHold(
  ctx: ActorContext,
  { holdId, hours }: z.output<typeof extendHoldInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { project, hold } = await lockHold(tx, ctx, holdId);
    if (!hold.until) throw new AppError("conflict", holdTexts.notHeld);
    const until = new Date(ctx.clock.now().getTime() + hours * 3_600_000);
    if (until > hold.until) {
      const untilBeforeReceipt = hold.hasReceipt ? until : null;
      await tx.update(holds).set({ until, untilBeforeReceipt, warnedAt: null }).where(eq(holds.id, holdId));
    }
    await recordAudit(tx, ctx, "extend_hold", {
      holdId,
      projectId: project.id,
      title: project.title,
      backerId: hold.userId,
      before: hold.until.toISOString(),
      after: (until > hold.until ? until : hold.until).toISOString(),
    });
  });
}
