import type { z } from "zod";
import { requireTermsAgreed } from "#server/accounts/consents.ts";
import { requireOpenAccount } from "#server/accounts/sessions.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction } from "#server/db/open.ts";
import { waitingList } from "#server/db/schema/holds.ts";
import { countAllowedLots } from "#server/features/projects/rounds/queries.ts";
import { freeLots, lockProject } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import type { joinWaitingListInput } from "#shared/projects/holds.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { requireMayHold } from "./limits.ts";
import { findOwnHold } from "./queries.ts";
import { endHold, leaveWaitingLists, lockWithHoldsEnded } from "./service.ts";

type ById = { projectId: number };

/** Gives the caller's held or offered lots back. Throws "not_found", or "conflict" if they hold none, or have paid. */
export async function releaseHold(ctx: ActorContext, { projectId }: ById): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const place = await lockWithHoldsEnded(tx, ctx, projectId);
    await requireOpenAccount(tx, ctx.actor);
    const hold = await findOwnHold(tx, place.round, ctx.actor.id);
    if (!hold) throw new AppError("conflict", holdTexts.notHeld);
    if (hold.state === "claimed" || hold.hasReceipt) throw new AppError("conflict", holdTexts.underReview);
    await endHold(tx, { ...place, hold, deps: ctx, at: ctx.clock.now(), state: "released" });
  });
}

/**
 * Puts the caller at the end of the waiting list, for as many lots as they may buy. Throws "conflict" if lots are free, they
 * hold some or wait, may not hold any, may buy none, or haven't agreed to a change of the site's terms.
 */
export async function joinWaitingList(ctx: ActorContext, input: z.output<typeof joinWaitingListInput>): Promise<void> {
  const { projectId, lots } = input;
  try {
    await inTransaction(ctx.db, async (tx) => {
      const { project, round } = await lockWithHoldsEnded(tx, ctx, projectId);
      await requireOpenAccount(tx, ctx.actor);
      if (project.isClosed || freeLots(round) > 0) throw new AppError("conflict", holdTexts.notFull);
      if (await findOwnHold(tx, round, ctx.actor.id)) throw new AppError("conflict", holdTexts.alreadyHeld);
      await requireTermsAgreed(tx, ctx);
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
