import { and, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { backingWeights, projectBackings, projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { isUnstruck, paymentStrikes } from "#server/db/schema/strikes.ts";
import { users } from "#server/db/schema/users.ts";
import { currentRound, lotColumns, projectCardColumns, toCard } from "#server/features/projects/queries.ts";
import { findReportSummary, withReports } from "#server/features/projects/reporting/queries.ts";
import { listRoundsToWeigh, listWrittenOff, readProgress } from "#server/features/projects/rounds/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { latestFirst, pageOf } from "#server/platform/keyset.ts";
import type { cursorInput } from "#shared/pagination.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { paymentLimits } from "#shared/payments/texts.ts";
import type { listBackersInput } from "#shared/projects/backings.ts";
import { backingLimits } from "#shared/projects/backings-texts.ts";
import { projectTexts } from "#shared/projects/texts.ts";

/** Returns true if the person backs the project now. */
export async function hasBacking(db: DbOrTx, projectId: number, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: projectBackings.id })
    .from(projectBackings)
    .where(and(eq(projectBackings.projectId, projectId), eq(projectBackings.userId, userId)));
  return found.length > 0;
}

/** The ids of the projects that each person backs now. A person without a backing is left out. */
export async function listBackedProjectIds(db: DbOrTx, userIds: string[]): Promise<Map<string, number[]>> {
  const found = await db
    .select({ userId: projectBackings.userId, projectId: projectBackings.projectId })
    .from(projectBackings)
    .where(inArray(projectBackings.userId, userIds));
  const backed = new Map<string, number[]>();
  for (const { userId, projectId } of found) {
    const own = backed.get(userId);
    if (own) own.push(projectId);
    else backed.set(userId, [projectId]);
  }
  return backed;
}

/** Returns true if the caller may read what is for the project's backers: as a backer or an administrator. */
export async function mayReadBackedProject(ctx: ActorContext, projectId: number): Promise<boolean> {
  return ctx.actor.permissions.includes("projects:view") || hasBacking(ctx.db, projectId, ctx.actor.id);
}

/**
 * A project's summary for its backers and administrators. Throws "conflict" in words to who backs it no more because
 * their payment was struck, and "not_found" to anybody else, as for a missing project (product decision).
 */
export async function getBackedProject(ctx: ActorContext, { projectId }: { projectId: number }) {
  const [row] = (await mayReadBackedProject(ctx, projectId))
    ? await ctx.db
        .select({
          ...projectCardColumns,
          ...lotColumns,
          shortDescription: projects.shortDescription,
          creator: projects.creator,
        })
        .from(projects)
        .innerJoin(projectRounds, currentRound)
        .where(eq(projects.id, projectId))
    : [];
  if (!row) {
    const isTheirs = and(eq(paymentStrikes.projectId, projectId), eq(paymentStrikes.userId, ctx.actor.id));
    if ((await ctx.db.$count(paymentStrikes, isTheirs)) > 0) {
      throw new AppError("conflict", ownStrikeTexts.backsNoMore);
    }
    throw new AppError("not_found", projectTexts.backedNotFound);
  }
  const writtenOff = await listWrittenOff(ctx.db, { projectId, userId: ctx.actor.id });
  return { ...toCard(ctx, row), reports: await findReportSummary(ctx, row), writtenOff };
}

const order = latestFirst(projectBackings.createdAt, projects.id, "int");

/** Sums a column of the caller's approved payments for the project that weren't struck, over all rounds. */
const myPaid = (what: SQL, userId: string): SQL =>
  sql`(select coalesce(sum(${what}), 0) from project_payments paid
    where paid.project_id = ${projects.id} and paid.user_id = ${userId} and paid.status = 'approved'
      and not exists (select from payment_strikes k where k.payment_id = paid.id))`;

/**
 * The caller's backed projects as cards, latest backing first, with what they have of each: lots, what they paid, and
 * where the round stands with what it has brought them.
 */
export async function listMyBackings(ctx: ActorContext, input: z.output<typeof cursorInput>) {
  const found = await ctx.db
    .select({
      ...projectCardColumns,
      ...lotColumns,
      shortDescription: projects.shortDescription,
      backedAt: projectBackings.createdAt,
      myLots: sql<number>`${myPaid(sql`paid.lots`, ctx.actor.id)}::int`,
      myPaidKobo: sql`${myPaid(sql`paid.amount_kobo`, ctx.actor.id)}::bigint`.mapWith(projects.fundingGoalKobo),
    })
    .from(projectBackings)
    .innerJoin(projects, eq(projects.id, projectBackings.projectId))
    .innerJoin(projectRounds, currentRound)
    .where(and(eq(projectBackings.userId, ctx.actor.id), order.after(input.cursor)))
    .orderBy(...order.by)
    .limit(paymentLimits.backingsPage + 1);
  const page = pageOf(found, paymentLimits.backingsPage, (last) => order.cursorOf(last.backedAt, last.id));
  const progressOf = await readProgress(ctx.db, {
    projectIds: page.items.map(({ id }) => id),
    userId: ctx.actor.id,
    now: ctx.clock.now(),
  });
  const cards = page.items.map((row) => ({ ...toCard(ctx, row), progress: progressOf.get(row.id) ?? null }));
  return { items: await withReports(ctx, cards), nextCursor: page.nextCursor };
}

const newestFirst = latestFirst(projectBackings.createdAt, projectBackings.id, "bigint");

/** Lists the weights of granted backings in the harvests of rounds, the newest round first. */
async function listWeights(db: DbOrTx, backingIds: number[]) {
  if (backingIds.length === 0) return [];
  return db
    .select()
    .from(backingWeights)
    .where(inArray(backingWeights.backingId, backingIds))
    .orderBy(desc(backingWeights.round));
}

/** A project's backers, newest first. A closed account has no address. A backing by payment can't be removed here. */
export async function listBackers(ctx: ActorContext, { projectId, cursor }: z.output<typeof listBackersInput>) {
  const lots = sql<number>`(select coalesce(sum(${projectPayments.lots}), 0)::int from ${projectPayments} where ${projectPayments.projectId} = ${projectBackings.projectId} and ${projectPayments.userId} = ${projectBackings.userId} and ${projectPayments.status} = 'approved' and ${isUnstruck})`;
  const ofProject = eq(projectBackings.projectId, projectId);
  const [found, [counted]] = await Promise.all([
    ctx.db
      .select({
        id: projectBackings.id,
        userId: projectBackings.userId,
        fullName: users.fullName,
        email: users.email,
        isBlocked: users.isBlocked,
        closedAt: users.closedAt,
        createdAt: projectBackings.createdAt,
        grantedAt: projectBackings.grantedAt,
        /** Approved payments only. */
        lots,
      })
      .from(projectBackings)
      .innerJoin(users, eq(users.id, projectBackings.userId))
      .where(and(ofProject, newestFirst.after(cursor)))
      .orderBy(...newestFirst.by)
      .limit(backingLimits.page + 1),
    ctx.db.select({ total: count() }).from(projectBackings).where(ofProject),
  ]);
  const page = pageOf(found, backingLimits.page, (last) => newestFirst.cursorOf(last.createdAt, last.id));
  const weights = await listWeights(
    ctx.db,
    page.items.map(({ id }) => id),
  );
  return {
    items: page.items.map(({ closedAt, grantedAt, email, ...backer }) => ({
      ...backer,
      weights: weights.filter(({ backingId }) => backingId === backer.id),
      email: closedAt === null ? email : null,
      isGranted: grantedAt !== null,
      isPaid: backer.lots > 0,
    })),
    /** The rounds in which the caller may give a grant a part, the newest first. */
    weightRounds: ctx.actor.permissions.includes("payments:process") ? await listRoundsToWeigh(ctx.db, projectId) : [],
    nextCursor: page.nextCursor,
    total: counted?.total ?? 0,
  };
}
