import { sql } from "drizzle-orm";
import { projectPayments } from "#server/db/schema/payments.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { isReviewLate, lateSince } from "./late.ts";
import { areChosen } from "./payments-filter.ts";

const about = sql`${projectPayments.projectTitle} as title, ${projectPayments.projectId} as project_id`;

/** The payments' table with its filters is the list of these. */
export const paymentLines = {
  payments_late: {
    right: "payments:process",
    items: (asked) => sql`select ${projectPayments.id}::text as key, ${lateSince} as since, true as is_late, ${about}
      from ${projectPayments} where ${areChosen(asked, { late: true })}`,
  },
  receipts: {
    right: "payments:process",
    items: (asked) => sql`select ${projectPayments.id}::text as key, ${projectPayments.createdAt} as since,
        coalesce(${isReviewLate(asked.now)}, false) as is_late, ${about}
      from ${projectPayments} where ${areChosen(asked, { status: "pending" })}`,
  },
} as const satisfies Record<string, TodayLine>;
