import { and, asc, eq, lte, or, type SQL, sql } from "drizzle-orm";
import { statementsExist } from "#server/books/statements.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { decodeCursor, encodeCursor } from "#server/platform/keyset.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { paymentLimits } from "#shared/payments/texts.ts";

/** Payments that wait for longer than they should: for our answer, or, once approved, for the bank to show them. */

/** Condition that the day by which we promised an answer is over. */
export const isReviewLate = (now: Date): SQL | undefined =>
  and(eq(projectPayments.status, "pending"), lte(projectPayments.reviewBy, now));

/** Condition that a payment was approved days ago, and statements that are imported don't show all of it. */
export const isUnseenForLong = (now: Date): SQL | undefined =>
  and(
    eq(projectPayments.status, "approved"),
    lte(projectPayments.decidedAt, new Date(now.getTime() - paymentLimits.unseenLateDays * dayMs)),
    statementsExist,
    // A list first: few payments are in transit, and the books of each other one would be summed up.
    sql`${projectPayments.id} in (select payment_id from ledger_entries where account = 'in_transit' and payment_id is not null
      group by payment_id having sum(amount_kobo) > 0)`,
  );

export const isLate = (now: Date): SQL | undefined => or(isReviewLate(now), isUnseenForLong(now));

/** The reason why a payment is late, as a column; null if it isn't. */
export const lateness = (now: Date): SQL<"review" | "unseen" | null> =>
  sql<
    "review" | "unseen" | null
  >`case when ${isReviewLate(now)} then 'review' when ${isUnseenForLong(now)} then 'unseen' end`;

/** The moment since which a late payment has been late. */
const lateSince =
  sql<Date>`case ${projectPayments.status} when 'pending' then ${projectPayments.reviewBy} else ${projectPayments.decidedAt} end`.mapWith(
    projectPayments.decidedAt,
  );

/** The order by how long payments have been late, longest first, with the cursors of its pages. */
export const longestLateFirst = {
  moment: lateSince,
  by: [asc(lateSince), asc(projectPayments.id)],
  after(cursor: string | null | undefined): SQL | undefined {
    if (!cursor) return undefined;
    const [lastMoment, lastId] = decodeCursor(cursor, ["moment", "bigint"]);
    return sql`(${lateSince}, ${projectPayments.id}) > (${lastMoment.toISOString()}::timestamptz, ${lastId})`;
  },
  cursorOf: (lastMoment: Date, lastId: number) => encodeCursor([lastMoment.getTime(), lastId]),
};
