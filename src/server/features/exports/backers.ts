import { and, asc, eq, gt, sql } from "drizzle-orm";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { shownName } from "#server/platform/names.ts";
import { backersExportFilter } from "#shared/exports/inputs.ts";
import { flag, moment, naira, text, whole } from "./columns.ts";
import { exportable, inPages } from "./write.ts";

/** Sums of a backer's approved payments for the project. */
const paid = (sum: "lots" | "amount_kobo") => sql`(select coalesce(sum(payment.${sql.raw(sum)}), 0)::bigint
    from project_payments payment where payment.project_id = ${projectBackings.projectId}
    and payment.user_id = ${projectBackings.userId} and payment.status = 'approved'
    and not exists (select from payment_strikes k where k.payment_id = payment.id))`;

/**
 * The weight of a granted backing in the harvests of rounds, in naira, with the reasons: "Round 1: 50000.00 (Lent us a
 * tractor)".
 */
const weights = sql<string | null>`(
  select string_agg(format('Round %s: %s.%s (%s)', w.round, w.weight_kobo / 100, lpad((w.weight_kobo % 100)::text, 2, '0'), w.reason),
    '; ' order by w.round)
  from backing_weights w where w.backing_id = ${projectBackings.id})`;

/** The backers of a project, with the addresses that its screen shows. */
export const backersExport = exportable({
  permissions: ["payments:view", "projects:view"],
  filter: backersExportFilter,
  columns: {
    id: whole("Backing"),
    userId: text("Person ID"),
    name: text("Name"),
    email: text("Email"),
    createdAt: moment("Since"),
    lots: whole("Lots"),
    paidKobo: naira("Paid"),
    isGranted: flag("Added by an administrator"),
    weights: text("Weights"),
    isBlocked: flag("Blocked"),
  },
  pages: (tx, { projectId }) =>
    inPages(({ after, limit }) =>
      tx
        .select({
          id: projectBackings.id,
          userId: projectBackings.userId,
          name: shownName(users),
          email: sql<string | null>`case when ${users.closedAt} is null then ${users.email} end`,
          createdAt: projectBackings.createdAt,
          lots: paid("lots").mapWith(Number),
          paidKobo: paid("amount_kobo").mapWith(projects.fundingGoalKobo),
          isGranted: sql<boolean>`${projectBackings.grantedAt} is not null`,
          weights,
          isBlocked: users.isBlocked,
        })
        .from(projectBackings)
        .innerJoin(users, eq(users.id, projectBackings.userId))
        .where(and(gt(projectBackings.id, after), eq(projectBackings.projectId, projectId)))
        .orderBy(asc(projectBackings.id))
        .limit(limit),
    ),
});
