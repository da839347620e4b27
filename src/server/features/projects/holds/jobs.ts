import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { hasStatementsOfActiveAccount, reachesPast } from "#server/books/statements.ts";
import { lagosDay } from "#server/db/lagos-day.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { notify } from "#server/features/notifications/service.ts";
import { lockProjectIfThere, lockRound } from "#server/features/projects/rounds/service.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { findHolidays } from "#server/platform/holidays.ts";
import { afterWorkingDays, type Holiday, hourMs } from "#shared/lagos-time.ts";
import { holdLimits } from "#shared/projects/holds-texts.ts";
import { endingNotice } from "./emails.ts";
import { endLapsedHolds } from "./service.ts";

const batch = 100;

/**
 * Gives holds under review the end that the imported statements leave them. Ends lapsed holds, round by round, offers
 * lots that are free to those who wait, and warns whose hold ends soon. Pages don't wait for it.
 */
export async function sweepHolds(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  await endByStatements(deps);
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
      if (project) await endLapsedHolds(tx, deps, { project, round: await lockRound(tx, key) });
    }),
  );
  const ending = await deps.db.select({ id: holds.id }).from(holds).where(endsSoon(deps)).limit(batch);
  await forEachOnItsOwn(deps.log, ending, ({ id }) => warn(deps, id));
}

type Reviewed = { id: number; projectId: number; until: Date; before: Date; receiptAt: Date; coveredAt: Date | null };

/**
 * Once statements are imported, a hold with a receipt ends one working day after the statement that covers the receipt's
 * day, at the latest seven after the receipt, and never before it would have without it.
 */
async function endByStatements(deps: Deps): Promise<void> {
  if (!(await hasStatementsOfActiveAccount(deps.db))) return;
  const reviewed = await findReviewed(deps);
  const holidays = await findHolidays(deps.db);
  const moved = reviewed.flatMap((hold) => {
    const until = endOf(hold, holidays);
    return until.getTime() === hold.until.getTime() ? [] : [{ ...hold, end: until }];
  });
  await forEachOnItsOwn(deps.log, moved, ({ id, projectId, until, end }) =>
    inTransaction(deps.db, async (tx) => {
      await lockProjectIfThere(tx, projectId, "no key update");
      const isAsSeen = and(eq(holds.state, "live"), eq(holds.hasReceipt, true), eq(holds.until, until));
      await tx
        .update(holds)
        .set({ until: end })
        .where(and(eq(holds.id, id), isAsSeen, gt(holds.until, deps.clock.now())));
    }),
  );
}

function endOf({ before, receiptAt, coveredAt }: Reviewed, holidays: readonly Holiday[]): Date {
  const latest = afterWorkingDays(receiptAt, holdLimits.reviewDays, holidays);
  const covered = coveredAt ? afterWorkingDays(coveredAt, holdLimits.coveredDays, holidays) : latest;
  return new Date(Math.max(before.getTime(), Math.min(latest.getTime(), covered.getTime())));
}

/**
 * Live holds under review, with the receipt that keeps them and when the statement of its day was imported: one of the
 * account that backers transfer to, with later lines, or imported on a later day.
 */
async function findReviewed({ db, clock }: Pick<Deps, "clock" | "db">): Promise<Reviewed[]> {
  const found = await rows<Record<keyof Reviewed, string>>(
    db,
    sql`select hold.id, hold.project_id as "projectId", hold.until, coalesce(hold.until_before_receipt, hold.until) as before,
        receipt.at as "receiptAt", covering.at as "coveredAt"
      from holds hold
      join project_payments payment on payment.reference = hold.reference and payment.status = 'pending'
      join lateral (select min(created_at) as at from payment_receipts where payment_id = payment.id) receipt
        on receipt.at is not null
      left join lateral (
        select min(s.created_at) as at from statements s join own_accounts a on a.id = s.own_account_id
        where a.is_active and ${reachesPast(lagosDay(sql`receipt.at`))}
      ) covering on true
      where hold.state = 'live' and hold.has_receipt and hold.until > ${clock.now().toISOString()}::timestamptz
      order by hold.id`,
  );
  return found.map(({ id, projectId, coveredAt, ...times }) => ({
    id: Number(id),
    projectId: Number(projectId),
    until: new Date(times.until),
    before: new Date(times.before),
    receiptAt: new Date(times.receiptAt),
    coveredAt: coveredAt ? new Date(coveredAt) : null,
  }));
}

/** A hold without a receipt whose holder isn't warned yet, in its last hours. */
const endsSoon = ({ clock }: Pick<Deps, "clock">) => {
  const now = clock.now();
  const soon = new Date(now.getTime() + holdLimits.warningHours * hourMs);
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
      ...endingNotice({ site: deps.site.current(), projectId, projectTitle: project.title, lots, until }),
      userIds: [userId],
      kind: "payment_status",
      projectId,
      eventKey: `hold:${holdId}:ending:${until.getTime()}`,
    });
  });
}
