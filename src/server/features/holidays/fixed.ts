import { dayMs } from "#shared/lagos-time.ts";

type Day = { day: string; name: string };

/** The public holidays of Nigeria in a year whose days are known ahead: those of the moon are announced. */
export function fixedHolidays(year: number): Day[] {
  const easter = easterSunday(year);
  return [
    { day: `${year}-01-01`, name: "New Year's Day" },
    { day: dayAfter(easter, -2), name: "Good Friday" },
    { day: dayAfter(easter, 1), name: "Easter Monday" },
    { day: `${year}-05-01`, name: "Workers' Day" },
    { day: `${year}-06-12`, name: "Democracy Day" },
    { day: `${year}-10-01`, name: "Independence Day" },
    { day: `${year}-12-25`, name: "Christmas Day" },
    { day: `${year}-12-26`, name: "Boxing Day" },
  ];
}

/** Easter Sunday of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
function easterSunday(year: number): Date {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 19 * l) / 433);
  const month = Math.floor((h + l - 7 * m + 90) / 25);
  const day = (h + l - 7 * m + 33 * month + 19) % 32;
  return new Date(Date.UTC(year, month - 1, day));
}

const dayAfter = (date: Date, days: number): string =>
  new Date(date.getTime() + days * dayMs).toISOString().slice(0, 10);
