import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { notify } from "#server/features/notifications/service.ts";
import { clearHeldLots } from "#server/features/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { holdTexts } from "#shared/holds-texts.ts";
import { projectRemovedNotice } from "./emails.ts";

/**
 * Ends all holds of a project that is being deleted, and its waiting list, and tells whose they were. Nothing is offered.
 * The caller locks the project.
 */
export async function endHoldsOfDeleted(
  tx: Tx,
  ctx: ActorContext,
  { id: projectId, title }: { id: number; title: string },
): Promise<void> {
  const at = ctx.clock.now();
  const ended = await tx
    .update(holds)
    .set({ state: "ended", until: null, endedAt: at, endedBy: ctx.actor.id, endReason: holdTexts.projectRemoved })
    .where(and(eq(holds.projectId, projectId), inArray(holds.state, ["live", "claimed"])))
    .returning({ userId: holds.userId, lots: holds.lots });
  await clearHeldLots(tx, projectId);
  const left = await tx
    .update(waitingList)
    .set({ leftAt: at })
    .where(and(eq(waitingList.projectId, projectId), isNull(waitingList.offeredAt), isNull(waitingList.leftAt)))
    .returning({ userId: waitingList.userId });
  for (const { userId, lots } of [...ended, ...left.map(({ userId }) => ({ userId, lots: null }))]) {
    await notify(tx, ctx, {
      ...projectRemovedNotice({ publicUrl: ctx.env.publicUrl, projectTitle: title, heldLots: lots }),
      userIds: [userId],
      kind: "payment_status",
      projectId: null,
      eventKey: `project:${projectId}:removed`,
    });
  }
}
