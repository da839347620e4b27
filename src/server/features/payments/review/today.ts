import { sql } from "drizzle-orm";
import { projectPayments } from "#server/db/schema/payments.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { isReviewLate, isUnseenForLong } from "./late.ts";
import { areChosen } from "./payments-filter.ts";

export const paymentLines = {
  // The payments' table opens on them.
  receipts: {
    right: "payments:process",
    items: (asked) => sql`select ${projectPayments.id}::text as key, ${projectPayments.createdAt} as since,
        coalesce(${isReviewLate(asked.now)}, false) as is_late, ${projectPayments.projectTitle} as title,
        ${projectPayments.projectId} as project_id
      from ${projectPayments} where ${areChosen(asked, { status: "pending" })}`,
  },
  unseen_payments: {
    right: "payments:process",
    isSlow: true,
    items: ({
      now,
    }) => sql`select ${projectPayments.id}::text as key, ${projectPayments.decidedAt} as since, true as is_late,
        concat_ws(': ', ${projectPayments.reference}, ${projectPayments.projectTitle}) as title,
        ${projectPayments.projectId} as project_id
      from ${projectPayments} where ${isUnseenForLong(now)}`,
  },
} as const satisfies Record<string, TodayLine>;
