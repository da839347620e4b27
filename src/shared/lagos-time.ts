/** Time in Lagos (WAT), which is one hour ahead of UTC all year. */

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
const offsetMs = hourMs;

/** Offers don't run between these hours of the night. */
const night = { from: 22, to: 7 };

const hourOf = (at: Date): number => new Date(at.getTime() + offsetMs).getUTCHours();
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

const isWorkingDay = (at: Date): boolean => {
  const day = new Date(at.getTime() + offsetMs).getUTCDay();
  return day !== 0 && day !== 6;
};

/** The same time of day so many working days (Monday to Friday in Lagos) later. */
export function afterWorkingDays(from: Date, days: number): Date {
  let at = from;
  for (let left = days; left > 0; ) {
    at = new Date(at.getTime() + dayMs);
    if (isWorkingDay(at)) left -= 1;
  }
  return at;
}

/** The midnight in Lagos that ends the day so many working days later. */
export function endOfWorkingDay(from: Date, days: number): Date {
  const at = afterWorkingDays(from, days);
  return new Date((Math.floor((at.getTime() + offsetMs) / dayMs) + 1) * dayMs - offsetMs);
}

/** 23:59:59 in Lagos of the day so many days later. */
export function lastSecondOfDay(from: Date, days: number): Date {
  const midnight = (Math.floor((from.getTime() + offsetMs) / dayMs) + days + 1) * dayMs - offsetMs;
  return new Date(midnight - 1000);
}

/** 18:00 in Lagos so many working days later. */
export function eveningAfterWorkingDays(from: Date, days: number): Date {
  const at = afterWorkingDays(from, days);
  const midnight = Math.floor((at.getTime() + offsetMs) / dayMs) * dayMs - offsetMs;
  return new Date(midnight + 18 * hourMs);
}

/** The week that a time since a moment is in, from 1 on. */
export const weekSince = (from: Date, to: Date): number =>
  Math.max(1, Math.floor((to.getTime() - from.getTime()) / (7 * dayMs)) + 1);

/** How many midnights in Lagos lie between two moments. */
export function daysBetween(from: Date, to: Date): number {
  const dayOf = (at: Date) => Math.floor((at.getTime() + offsetMs) / dayMs);
  return dayOf(to) - dayOf(from);
}
