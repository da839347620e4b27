import { sql } from "drizzle-orm";
import { inTransaction } from "#server/db/open.ts";
import { holidays } from "#server/db/schema/holidays.ts";
import type { Deps } from "#server/platform/deps.ts";
import { dayInLagos } from "#shared/dates.ts";
import { fixedHolidays } from "./fixed.ts";

/**
 * Fills in the fixed holidays of this year and the next that aren't over. A day that was ever in the list is left
 * alone, so that one which an owner removed stays removed.
 */
export async function fillHolidays({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> {
  const now = clock.now();
  const today = dayInLagos(now);
  const year = Number(today.slice(0, 4));
  const known = new Set((await db.selectDistinct({ day: holidays.day }).from(holidays)).map(({ day }) => day));
  const missing = [...fixedHolidays(year), ...fixedHolidays(year + 1)].filter(({ day }) => !known.has(day));
  if (missing.length === 0) return;
  await inTransaction(db, (tx) =>
    tx
      .insert(holidays)
      .values(missing.map((holiday) => ({ ...holiday, createdAt: now })))
      .onConflictDoNothing({ target: holidays.day, where: sql`removed_at is null` }),
  );
}
