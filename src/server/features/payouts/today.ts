import { and, eq, isNotNull, lte, not, type SQL, sql } from "drizzle-orm";
import { payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { findHolidays } from "#server/platform/holidays.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { isUnseenForLong, waitingRuns } from "./overview.ts";
import { isOverdue, isWithheld } from "./service.ts";

const accountDays = 14;

const runsWhere = (since: SQL, condition: SQL | undefined): SQL => sql`
  select ${payoutRuns.id}::text as key, ${since} as since, false as is_late, 'Payment run ' || ${payoutRuns.id} as title,
    null::int as project_id
  from ${payoutRuns} where ${condition}`;

const payoutsWhere = (since: SQL, isLate: boolean, condition: SQL | undefined): SQL => sql`
  select ${payouts.id}::text as key, ${since} as since, ${isLate}::boolean as is_late,
    concat_ws(': ', ${payouts.reference}, ${payouts.projectTitle}) as title, null::int as project_id
  from ${payouts} where ${condition}`;

/** Condition of the payouts that took the place of failed ones, and that a run can take. */
const takesPlaceOfFailed = and(isNotNull(payouts.replacesId), eq(payouts.state, "due"), not(isWithheld));

/** Lines of payouts that wait for owners. */
export const payoutLines = {
  runs_to_approve: {
    right: "payouts:process",
    items: ({ now }) => runsWhere(sql`${payoutRuns.createdAt}`, waitingRuns.toApprove(now)),
  },
  runs_to_void: {
    right: "payouts:process",
    items: ({ now }) => runsWhere(sql`${payoutRuns.createdAt}`, waitingRuns.toVoid(now)),
  },
  runs_to_export: {
    right: "payouts:process",
    items: () => runsWhere(sql`${payoutRuns.approvedAt}`, waitingRuns.toExport()),
  },
  runs_to_give: {
    right: "payouts:process",
    items: () => runsWhere(sql`${payoutRuns.exportedAt}`, waitingRuns.toGive()),
  },
  unseen_payouts: {
    right: "payouts:process",
    items: async ({ db, now }) => {
      const moment = { now, holidays: await findHolidays(db) };
      return payoutsWhere(sql`${payouts.sentAt}`, true, await isUnseenForLong({ db }, moment));
    },
  },
  failed_payouts: {
    right: "payouts:process",
    items: () => payoutsWhere(sql`${payouts.createdAt}`, false, takesPlaceOfFailed),
  },
  overdue_payouts: {
    right: "payouts:process",
    items: ({ now }) => payoutsWhere(sql`${payouts.promisedBy}`, true, isOverdue(now)),
  },
  missing_accounts: {
    right: "payouts:process",
    items: ({ now }) => {
      const isOld = lte(payouts.createdAt, new Date(now.getTime() - accountDays * dayMs));
      return payoutsWhere(sql`${payouts.createdAt}`, true, and(eq(payouts.state, "waiting"), isOld));
    },
  },
} as const satisfies Record<string, TodayLine>;
