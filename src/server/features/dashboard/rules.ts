/** West Africa Time is UTC+1 all year. */
import { dayMs } from "#shared/lagos-time.ts";

const watMs = 3_600_000;

/** The start of the month in Lagos. */
export function startOfMonth(now: Date): Date {
  const there = new Date(now.getTime() + watMs);
  return new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth(), 1) - watMs);
}

/** The Mondays in Lagos on which the last `count` weeks began, oldest first, up to the current week. */
export function startsOfWeeks(now: Date, count: number): Date[] {
  const there = new Date(now.getTime() + watMs);
  const daysSinceMonday = (there.getUTCDay() + 6) % 7;
  const monday = Math.floor(there.getTime() / dayMs) * dayMs - daysSinceMonday * dayMs - watMs;
  return Array.from({ length: count }, (_, week) => new Date(monday - (count - 1 - week) * 7 * dayMs));
}
