import type { DayOrder } from "#shared/bank/statement-texts.ts";
import type { Day } from "./statement.ts";

/** A date as it stands in a cell. */
export type WrittenDay =
  | { kind: "day"; day: Day }
  /** Day and month by figures, in an order that only the whole file can tell. */
  | { kind: "figures"; first: number; second: number; year: number }
  | { kind: "impossible" }
  | { kind: "none" };

const monthNames = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

const monthOf = (name: string): number =>
  name.length < 3 ? 0 : monthNames.findIndex((month) => month.startsWith(name === "sept" ? "sep" : name)) + 1;

/** The day of the calendar, of this century; null if there is none. */
export function dayOf(year: number, month: number, day: number): Day | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && year >= 2000 && year < 2100 ? date.toISOString().slice(0, 10) : null;
}

const MAX_LENGTH = 80;
/** "Mon, 23/11/2026", "23/11/2026 (Monday)". */
const weekday =
  /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}[,.]? (?=\d|[a-z]{3,9} \d)|,? \(?(?:mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?\)?$/;

const fullYear = (text: string): number => (text.length === 2 ? 2000 : 0) + Number(text);

const found = (day: Day | null): WrittenDay => (day === null ? { kind: "impossible" } : { kind: "day", day });

/**
 * Reads "05/11/2026", "5-Nov-26", "Nov 5, 2026", "2026 Nov 5", "2026-11-05T14:05:09", "20261105". A time after the day
 * is left out.
 */
export function readWrittenDay(text: string): WrittenDay {
  if (text.length > MAX_LENGTH) return { kind: "none" };
  const plain = text
    .toLowerCase()
    // Also those that don't break a line, as newer programs write them before "AM".
    .replace(/\s+/g, " ")
    .trim()
    .replace(
      /(?:t|,? )\d{1,2}[:.]\d\d(?:[:.]\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?(?: ?\(?[a-z]{1,4}\)?)?(?: ?[-+]\d{1,2}:?(?:\d\d)?)?(?: \([a-z ]+\))?$/,
      "",
    )
    .replace(weekday, "")
    .replace(/(?<=^|[a-z] ?)(\d{1,2})(?:st|nd|rd|th)\b(?: of\b)?/, "$1");
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(plain) ?? /^(20\d\d)(\d\d)(\d\d)$/.exec(plain);
  if (iso) return found(dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3])));
  const figures = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d\d)$/.exec(plain);
  if (figures) {
    return {
      kind: "figures",
      first: Number(figures[1]),
      second: Number(figures[2]),
      year: fullYear(figures[3] ?? ""),
    };
  }
  const named = /^(\d{1,2})[-/. ]?([a-z]{3,9})[-/., ]{0,2}(\d{4}|\d\d)$/.exec(plain);
  if (named) return found(dayOf(fullYear(named[3] ?? ""), monthOf(named[2] ?? ""), Number(named[1])));
  const yearLeading = /^(\d{4})[-/. ]([a-z]{3,9})[-/. ](\d{1,2})$/.exec(plain);
  if (yearLeading && monthOf(yearLeading[2] ?? "") > 0) {
    return found(dayOf(Number(yearLeading[1]), monthOf(yearLeading[2] ?? ""), Number(yearLeading[3])));
  }
  const monthLeading = /^([a-z]{3,9})[-/. ](\d{1,2})(?:[-/.]|,? ?)(\d{4})$/.exec(plain);
  if (monthLeading && monthOf(monthLeading[1] ?? "") > 0) {
    return found(dayOf(Number(monthLeading[3]), monthOf(monthLeading[1] ?? ""), Number(monthLeading[2])));
  }
  return { kind: "none" };
}

/** True if a cell that holds no date can only be meant as one. */
export const looksLikeDate = (text: string): boolean =>
  /^[^\p{L}\d]*\d{1,4}[^\p{L}\d]*[\p{L}\d]/u.test(text) && text.replace(/\D/g, "").length >= 3 && text.length <= 40;

/** The day, once the order of the file is known; null for one that the calendar doesn't have. */
export function resolveDay(written: WrittenDay, order: DayOrder): Day | null {
  if (written.kind === "day") return written.day;
  if (written.kind !== "figures") return null;
  const { first, second, year } = written;
  return order === "day_first" ? dayOf(year, second, first) : dayOf(year, first, second);
}

/**
 * Finds the order of days and months in a file's dates, by any figure above 12. Returns the row of the first date with
 * the day first, of the first with the month first, and of the first that could be either and differs.
 */
export function findDayOrder(dates: Iterable<{ row: number; written: WrittenDay }>) {
  const rows: { dayFirst: number | null; monthFirst: number | null; either: number | null } = {
    dayFirst: null,
    monthFirst: null,
    either: null,
  };
  for (const { row, written } of dates) {
    if (written.kind !== "figures") continue;
    const { first, second } = written;
    if (first > 12) rows.dayFirst ??= row;
    else if (second > 12) rows.monthFirst ??= row;
    else if (first !== second) rows.either ??= row;
  }
  return rows;
}
