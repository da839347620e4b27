import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { findHolidays } from "#server/platform/holidays.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { isUnseenForLong, waitingRuns } from "./overview.ts";
import { isOverdue } from "./service.ts";

const accountDays = 14;

const runsWhere = (since: SQL, condition: SQL | undefined): SQL => sql`
  select ${payoutRuns.id}::text as key, ${since} as since, false as is_late, 'Payment run ' || ${payoutRuns.id} as title,
    null::int as project_id
  from ${payoutRuns} where ${condition}`;

const payoutsWhere = (since: SQL, condition: SQL | undefined): SQL => sql`
  select ${payouts.id}::text as key, ${since} as since, true as is_late,
    concat_ws(': ', ${payouts.reference}, ${payouts.projectTitle}) as title, null::int as project_id
  from ${payouts} where ${condition}`;

/** What of payouts waits for owners. */
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
      return payoutsWhere(sql`${payouts.sentAt}`, await isUnseenForLong({ db }, moment));
    },
  },
  overdue_payouts: {
    right: "payouts:process",
    items: ({ now }) => payoutsWhere(sql`${payouts.promisedBy}`, isOverdue(now)),
  },
  missing_accounts: {
    right: "payouts:process",
    items: ({ now }) => {
      const isOld = lte(payouts.createdAt, new Date(now.getTime() - accountDays * dayMs));
      return payoutsWhere(sql`${payouts.createdAt}`, and(eq(payouts.state, "waiting"), isOld));
    },
  },
} as const satisfies Record<string, TodayLine>;
