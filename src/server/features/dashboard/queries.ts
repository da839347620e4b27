import { and, eq, gte, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { ActorContext } from "#server/core/context.ts";
import { containsPattern, decodeCursor, encodeCursor, pageOf } from "#server/core/keyset.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import type { listDashboardProjectsInput } from "#shared/projects.ts";
import { startOfMonth, startsOfWeeks } from "./rules.ts";

const dashboardPageSize = 50;

/** The administrators' table. The backer's name is one per project: that of its first backing. */
export async function listDashboardProjects(ctx: ActorContext, input: z.output<typeof listDashboardProjectsInput>) {
  const backer = ctx.db
    .select({ name: users.fullName })
    .from(projectBackings)
    .innerJoin(users, eq(users.id, projectBackings.userId))
    .where(eq(projectBackings.projectId, projects.id))
    .orderBy(projectBackings.createdAt, projectBackings.id)
    .limit(1)
    .as("backer");
  const title = sql<string>`lower(${projects.title})`;
  // Projects without a backer come last.
  const sortKey = {
    title: sql<string>`''::text`,
    status: sql<string>`${projects.isClosed}::int::text`,
    backer: sql<string>`coalesce('0' || lower(${backer.name}), '1')`,
  }[input.sort];
  const pattern = input.search ? containsPattern(input.search) : null;
  const found = await ctx.db
    .select({
      id: projects.id,
      title: projects.title,
      category: projects.category,
      creator: projects.creator,
      backerName: backer.name,
      fundingGoalKobo: projects.fundingGoalKobo,
      currentFundingKobo: projects.currentFundingKobo,
      isClosed: projects.isClosed,
      sortKey,
      sortTitle: title,
    })
    .from(projects)
    .leftJoinLateral(backer, sql`true`)
    .where(
      and(
        pattern ? sql`(${projects.title} ilike ${pattern} or ${backer.name} ilike ${pattern})` : undefined,
        input.cursor ? afterDashboardRow(input.cursor, sortKey, title) : undefined,
      ),
    )
    .orderBy(sortKey, title, projects.id)
    .limit(dashboardPageSize + 1);
  const page = pageOf(found, dashboardPageSize, (last) => encodeCursor([last.sortKey, last.sortTitle, last.id]));
  return { ...page, items: page.items.map(({ sortKey: _key, sortTitle: _title, ...row }) => row) };
}

function afterDashboardRow(cursor: string, sortKey: SQL, title: SQL): SQL {
  const [key, lowerTitle, id] = decodeCursor(cursor, ["string", "string", "int"]);
  return sql`(${sortKey}, ${title}, ${projects.id}) > (${key}, ${lowerTitle}, ${id})`;
}

/** How many projects there are, for the dashboard. */
export async function countProjects({ db }: ActorContext): Promise<{ open: number; closed: number }> {
  const [counts] = await db
    .select({
      open: sql<number>`count(*) filter (where not ${projects.isClosed})::int`,
      closed: sql<number>`count(*) filter (where ${projects.isClosed})::int`,
    })
    .from(projects);
  return counts ?? { open: 0, closed: 0 };
}

const facts = {
  count: sql<number>`count(*)::int`,
  kobo: sql`coalesce(sum(${projectPayments.amountKobo}), 0)`.mapWith(BigInt),
};

/** Money at a glance: what waits for review, what stands approved this month, and in the last twelve weeks. */
export async function summarizeMoney({ db, clock }: ActorContext) {
  const starts = startsOfWeeks(clock.now(), 12);
  const firstWeek = starts[0] ?? clock.now();
  const decidedSince = (from: Date) =>
    and(eq(projectPayments.status, "approved"), gte(projectPayments.decidedAt, from));
  const sumOf = (where: SQL | undefined) => db.select(facts).from(projectPayments).where(where);
  const [pending] = await sumOf(eq(projectPayments.status, "pending"));
  const [approvedThisMonth] = await sumOf(decidedSince(startOfMonth(clock.now())));
  const week = sql<number>`floor(extract(epoch from ${projectPayments.decidedAt} - ${firstWeek.toISOString()}::timestamptz) / 604800)::int`;
  const found = await db
    .select({ week, ...facts })
    .from(projectPayments)
    .where(decidedSince(firstWeek))
    .groupBy(sql`1`);
  const none = { count: 0, kobo: 0n };
  const weeks = starts.map((startsAt, index) => {
    const { count, kobo } = found.find((one) => one.week === index) ?? none;
    return { startsAt, count, kobo };
  });
  return { pending: pending ?? none, approvedThisMonth: approvedThisMonth ?? none, weeks };
}
