import { sql } from "drizzle-orm";
import { mailOwners } from "#server/accounts/owners/mail-owners.ts";
import { inTransaction } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import type { Deps } from "#server/platform/deps.ts";
import { findHolidays } from "#server/platform/holidays.ts";
import { dayInLagos } from "#shared/dates.ts";
import { isNight, isWorkingDay } from "#shared/lagos-time.ts";
import { isReviewLate, isUnseenForLong } from "./late.ts";
import { lateReviewsMail } from "./late-emails.ts";

/** Mails every owner once a working day, by day, as long as a payment is late. */
export async function remindOfReviews(deps: Deps): Promise<void> {
  const { db, clock, site } = deps;
  const now = clock.now();
  if (isNight(now) || !isWorkingDay(now, await findHolidays(db))) return;
  const [waiting] = await db
    .select({
      count: sql<number>`count(*)::int`,
      oldest: sql<Date | null>`min(${projectPayments.reviewBy})`.mapWith(projectPayments.reviewBy),
    })
    .from(projectPayments)
    .where(isReviewLate(now));
  const unseen = await db.$count(projectPayments, isUnseenForLong(now));
  const reviews = waiting?.oldest ? { count: waiting.count, oldest: waiting.oldest } : null;
  if (!reviews && unseen === 0) return;
  await inTransaction(db, async (tx) => {
    await mailOwners(tx, deps, {
      eventKey: `reviews_late:${dayInLagos(now)}`,
      isUrgent: false,
      write: ({ fullName }) => lateReviewsMail({ fullName, site: site.current(), reviews, unseen }),
    });
  });
}
