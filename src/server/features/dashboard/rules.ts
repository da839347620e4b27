import { dayMs, lagosOffsetMs } from "#shared/lagos-time.ts";

/** The start of the month in Lagos. */
export function startOfMonth(now: Date): Date {
  const there = new Date(now.getTime() + lagosOffsetMs);
  return new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth(), 1) - lagosOffsetMs);
}

/** The Mondays in Lagos on which the last `count` weeks began, oldest first, up to the current week. */
export function startsOfWeeks(now: Date, count: number): Date[] {
  const there = new Date(now.getTime() + lagosOffsetMs);
  const daysSinceMonday = (there.getUTCDay() + 6) % 7;
  const monday = Math.floor(there.getTime() / dayMs) * dayMs - daysSinceMonday * dayMs - lagosOffsetMs;
  return Array.from({ length: count }, (_, week) => new Date(monday - (count - 1 - week) * 7 * dayMs));
}
