import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The day in Lagos of a moment, as a date of SQL. */
export const lagosDay = (moment: SQLWrapper): SQL => sql`(${moment} at time zone 'Africa/Lagos')::date`;

/** The moment at which a day in Lagos begins. */
export const lagosMidnight = (day: SQLWrapper): SQL => sql`${day}::timestamp at time zone 'Africa/Lagos'`;
