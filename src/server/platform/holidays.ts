import { type SQL, sql } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { holidays } from "#server/db/schema/holidays.ts";
import type { Holiday } from "#shared/lagos-time.ts";

/** All holidays that ever counted, for {@link afterWorkingDays} and its kin. They are few: some fifteen a year. */
export function findHolidays(db: DbOrTx): Promise<Holiday[]> {
  return db.select({ day: holidays.day, since: holidays.createdAt, until: holidays.removedAt }).from(holidays);
}

type HolidayRow = { day: string; since: string; until: string | null };

/** The same as a column, for a statement that reads more; {@link readHolidays} reads it. */
export const holidayRows: SQL = sql`(
  select coalesce(json_agg(json_build_object('day', d.day, 'since', d.created_at, 'until', d.removed_at)), '[]') from holidays d
)`;

export const readHolidays = (rows: readonly HolidayRow[]): Holiday[] =>
  rows.map(({ day, since, until }) => ({
    day,
    since: new Date(since),
    until: until === null ? null : new Date(until),
  }));
