import { and, isNull, sql } from "drizzle-orm";
import { lagosDay, lagosMidnight } from "#server/db/lagos-day.ts";
import { ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { isWhollyShown } from "#server/features/bank/matching/confirm-sure-payments.ts";
import { isUnexplained } from "#server/features/bank/matching/match-rows.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { dayInLagos } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";

const unexplainedDays = 3;
const statementDays = 4;

/** A day before which something should have been done. */
const dayBefore = (now: Date, days: number): string => dayInLagos(new Date(now.getTime() - days * dayMs));

/** The last day that an account's statements show, or the day that it was entered. */
const lastShown = sql`coalesce(max(${statements.lastDay}), ${lagosDay(ownAccounts.createdAt)})`;

/** Today's lines about the statements of our accounts. */
export const bankLines = {
  // The bank's page offers them all at once.
  sure_payments: {
    right: "payments:process",
    isSlow: true,
    items: () => sql`select ${projectPayments.id}::text as key, (
          select ${lagosMidnight(sql`max(line.date)`)} from line_matches shown
            join statement_lines line on line.id = shown.line_id
          where shown.payment_id = ${projectPayments.id} and shown.undone_at is null
        ) as since, false as is_late, ${projectPayments.projectTitle} as title, null::int as project_id
      from ${projectPayments} where ${isWhollyShown}`,
  },
  unexplained_lines: {
    right: "bank:import",
    items: ({ now }) => sql`select ${statementLines.id}::text as key,
        ${lagosMidnight(statementLines.date)} as since, true as is_late,
        ${statementLines.narration} as title, null::int as project_id
      from ${statementLines} where ${and(isUnexplained, sql`${statementLines.date} < ${dayBefore(now, unexplainedDays)}`)}`,
  },
  missing_statements: {
    right: "bank:import",
    items: ({ now }) => sql`select ${ownAccounts.id}::text as key,
        ${lagosMidnight(lastShown)} as since, true as is_late,
        ${ownAccounts.bankName} || ' ' || ${ownAccounts.accountNumber} as title, null::int as project_id
      from ${ownAccounts} left join ${statements} on ${statements.ownAccountId} = ${ownAccounts.id}
      where ${isNull(ownAccounts.closedAt)} group by ${ownAccounts.id}
      having ${lastShown} <= ${dayBefore(now, statementDays)}`,
  },
} as const satisfies Record<string, TodayLine>;
