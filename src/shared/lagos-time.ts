/** Time in Lagos (WAT), which is one hour ahead of UTC all year. */

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
/** The difference to UTC. */
export const lagosOffsetMs = 3_600_000;

/** Offers don't run between these hours of the night. */
const night = { from: 22, to: 7 };

const hourOf = (at: Date): number => new Date(at.getTime() + lagosOffsetMs).getUTCHours();
/** From 22:00 to 07:00 in Lagos. */
export const isNight = (at: Date): boolean => hourOf(at) >= night.from || hourOf(at) < night.to;

/** The next full hour after a moment that isn't one, or the moment itself. */
const nextHour = (at: Date): Date => new Date((Math.floor(at.getTime() / hourMs) + 1) * hourMs);

/** The moment after so many hours, of which those from 22:00 to 07:00 in Lagos don't count. */
export function afterWakingHours(from: Date, hours: number): Date {
  let left = hours * hourMs;
  let at = from;
  for (;;) {
    const step = nextHour(at).getTime() - at.getTime();
    if (!isNight(at)) {
      if (left <= step) return new Date(at.getTime() + left);
      left -= step;
    }
    at = nextHour(at);
  }
}

/** A day like "2026-12-25" on which nobody works. It counts from the moment it was known to that of its removal. */
export type Holiday = { day: string; since: Date; until: Date | null };

/** Holidays that count at a moment, by their days. */
const knownAt = (at: Date, holidays: readonly Holiday[]): ReadonlySet<string> =>
  new Set(holidays.flatMap(({ day, since, until }) => (since <= at && (until === null || at < until) ? [day] : [])));

const isWorked = (at: Date, daysOff: ReadonlySet<string>): boolean => {
  const inLagos = new Date(at.getTime() + lagosOffsetMs);
  const weekday = inLagos.getUTCDay();
  return weekday !== 0 && weekday !== 6 && !daysOff.has(inLagos.toISOString().slice(0, 10));
};

/** True if a moment is on a working day, by the holidays that are known at it. */
export const isWorkingDay = (at: Date, holidays: readonly Holiday[]): boolean => isWorked(at, knownAt(at, holidays));

/**
 * The same time of day so many working days later: Monday to Friday in Lagos, without the holidays that were known at
 * the moment from which they are counted. What was promised then doesn't move with a holiday that is added or removed
 * afterwards.
 */
export function afterWorkingDays(from: Date, days: number, holidays: readonly Holiday[]): Date {
  const daysOff = knownAt(from, holidays);
  let at = from;
  for (let left = days; left > 0; ) {
    at = new Date(at.getTime() + dayMs);
    if (isWorked(at, daysOff)) left -= 1;
  }
  return at;
}

/** The midnight in Lagos that ends the day so many working days later. */
export function endOfWorkingDay(from: Date, days: number, holidays: readonly Holiday[]): Date {
  const at = afterWorkingDays(from, days, holidays);
  return new Date((Math.floor((at.getTime() + lagosOffsetMs) / dayMs) + 1) * dayMs - lagosOffsetMs);
}

/** 23:59:59 in Lagos of the day so many days later. */
export function lastSecondOfDay(from: Date, days: number): Date {
  const midnight = (Math.floor((from.getTime() + lagosOffsetMs) / dayMs) + days + 1) * dayMs - lagosOffsetMs;
  return new Date(midnight - 1000);
}

/** 18:00 in Lagos so many working days later. */
export function eveningAfterWorkingDays(from: Date, days: number, holidays: readonly Holiday[]): Date {
  const at = afterWorkingDays(from, days, holidays);
  const midnight = Math.floor((at.getTime() + lagosOffsetMs) / dayMs) * dayMs - lagosOffsetMs;
  return new Date(midnight + 18 * hourMs);
}

/** The week that a time since a moment is in, from 1 on. */
export const weekSince = (from: Date, to: Date): number =>
  Math.max(1, Math.floor((to.getTime() - from.getTime()) / (7 * dayMs)) + 1);

/** How many midnights in Lagos lie between two moments. */
export function daysBetween(from: Date, to: Date): number {
  const dayOf = (at: Date) => Math.floor((at.getTime() + lagosOffsetMs) / dayMs);
  return dayOf(to) - dayOf(from);
}
