import { and, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { holds } from "#server/db/schema/holds.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { hourMs } from "#shared/lagos-time.ts";
import type { endHoldInput, extendHoldInput } from "#shared/projects/holds.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { endHold, lockWithHoldsEnded } from "./service.ts";

/** A hold that stands, with its project and round locked. Throws "not_found", or "conflict" if it has ended. */
async function lockHold(tx: Tx, ctx: ActorContext, holdId: number) {
  const [found] = await tx
    .select({ projectId: holds.projectId, round: holds.round })
    .from(holds)
    .where(eq(holds.id, holdId));
  if (!found) throw new AppError("not_found", holdTexts.notHeld);
  const place = await lockWithHoldsEnded(tx, ctx, found.projectId, found.round);
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
    const until = new Date(ctx.clock.now().getTime() + hours * hourMs);
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
