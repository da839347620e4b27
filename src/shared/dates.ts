import { lagosOffsetMs } from "./lagos-time.ts";

const zone = "Africa/Lagos";
// Created with the first date: loading locale and time zone takes 10 ms, which would delay a start.
let dateFormat: Intl.DateTimeFormat | undefined;
let timeFormat: Intl.DateTimeFormat | undefined;
let weekdayFormat: Intl.DateTimeFormat | undefined;

/** Formats "21 Nov 2026", the day in Lagos. */
export function formatDate(date: Date): string {
  dateFormat ??= new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: zone });
  return dateFormat
    .formatToParts(date)
    .map((part) => (part.type === "month" ? part.value.slice(0, 3) : part.value))
    .join("");
}

/** Formats "14:05 WAT". */
export function formatTime(date: Date): string {
  return `${clockTime(date)} WAT`;
}

function clockTime(date: Date): string {
  timeFormat ??= new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone });
  return timeFormat.format(date);
}

/** Formats "21 Nov 2026, 14:05 WAT". */
export function formatDateTime(date: Date): string {
  return `${formatDate(date)}, ${formatTime(date)}`;
}

/** Formats "Tuesday", in Lagos: for what comes within six days. */
export function formatWeekday(date: Date): string {
  weekdayFormat ??= new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: zone });
  return weekdayFormat.format(date);
}

/** Formats "Tuesday 14:05", in Lagos: for what comes within six days. */
export const formatWeekdayTime = (date: Date): string => `${formatWeekday(date)} ${clockTime(date)}`;

/** The start of a day like "2026-11-21" in Lagos, which is UTC+1 all year. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00+01:00`);

/** Formats "21 Nov 2026" of a day like "2026-11-21". */
export const formatDay = (day: string): string => formatDate(startOfDay(day));

/** Formats "2026-11-21T14:05:09.123+01:00": machine-readable, in Lagos time. */
export const isoInLagos = (date: Date): string =>
  new Date(date.getTime() + lagosOffsetMs).toISOString().replace("Z", "+01:00");

/** Formats "2026-11-21": the day in Lagos. */
export const dayInLagos = (date: Date): string => isoInLagos(date).slice(0, 10);
