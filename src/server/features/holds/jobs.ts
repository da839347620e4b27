import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { inTransaction } from "#server/db/open.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { notify } from "#server/features/notifications/service.ts";
import { lockProjectIfThere, lockRound } from "#server/features/rounds/service.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { holdLimits } from "#shared/holds-texts.ts";
import { endingNotice } from "./emails.ts";
import { settleHolds } from "./service.ts";

const batch = 100;

/**
 * Ends lapsed holds, round by round, offers lots that are free to those who wait, and warns whose hold ends soon. Pages
 * don't wait for it.
 */
export async function sweepHolds(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const lapsed = await deps.db
    .selectDistinct({ projectId: holds.projectId, round: holds.round })
    .from(holds)
    .where(and(eq(holds.state, "live"), lte(holds.until, now)))
    .limit(batch);
  const free = sql`${projectRounds.lots} > ${projectRounds.approvedLots} + ${projectRounds.heldLots}`;
  const offered = await deps.db
    .selectDistinct({ projectId: projectRounds.projectId, round: projectRounds.round })
    .from(waitingList)
    .innerJoin(
      projectRounds,
      and(eq(projectRounds.projectId, waitingList.projectId), eq(projectRounds.round, waitingList.round), free),
    )
    .innerJoin(
      projects,
      and(eq(projects.id, waitingList.projectId), eq(projects.round, waitingList.round), eq(projects.isClosed, false)),
    )
    .where(and(isNull(waitingList.offeredAt), isNull(waitingList.leftAt)))
    .limit(batch);
  await forEachOnItsOwn(deps.log, [...lapsed, ...offered], (key) =>
    inTransaction(deps.db, async (tx) => {
      const project = await lockProjectIfThere(tx, key.projectId, "no key update");
      if (project) await settleHolds(tx, deps, { project, round: await lockRound(tx, key) });
    }),
  );
  const ending = await deps.db.select({ id: holds.id }).from(holds).where(endsSoon(deps)).limit(batch);
  await forEachOnItsOwn(deps.log, ending, ({ id }) => warn(deps, id));
}

/** A hold without a receipt whose holder isn't warned yet, in its last hours. */
const endsSoon = ({ clock }: Pick<Deps, "clock">) => {
  const now = clock.now();
  const soon = new Date(now.getTime() + holdLimits.warningHours * 3_600_000);
  const isDue = and(gt(holds.until, now), lte(holds.until, soon));
  return and(eq(holds.state, "live"), eq(holds.hasReceipt, false), isNull(holds.warnedAt), isDue);
};

/** Looks again, because a receipt may have come meanwhile. */
async function warn(deps: Deps, holdId: number): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const [hold] = await tx
      .update(holds)
      .set({ warnedAt: deps.clock.now() })
      .where(and(eq(holds.id, holdId), endsSoon(deps)))
      .returning();
    const [project] = hold
      ? await tx.select({ title: projects.title }).from(projects).where(eq(projects.id, hold.projectId))
      : [];
    if (!hold?.until || !project) return;
    const { projectId, lots, until, userId } = hold;
    await notify(tx, deps, {
      ...endingNotice({ publicUrl: deps.env.publicUrl, projectId, projectTitle: project.title, lots, until }),
      userIds: [userId],
      kind: "payment_status",
      projectId,
      eventKey: `hold:${holdId}:ending:${until.getTime()}`,
    });
  });
}
