import { dayMs } from "#shared/lagos-time.ts";
import type { ReportPlan } from "./plans-texts.ts";

/** When reports are due and what became of them. It is read from a report's row and the clock, never written. */

const hourMs = 3_600_000;
const lagosMs = hourMs;

/** Reports are due at 18:00 in Lagos. */
const dueHour = 18;
/** The first is due on the chosen weekday at least so long after the round was funded. */
const firstAfterDays = 3;

export const reportTiming = {
  /** From then on it is asked for. */
  openDays: 3,
  lateHours: 48,
  missedDays: 7,
  /** So long after the last report a backer may ask for the next. */
  askDays: 10,
} as const;

/** When the first report of a round is due. */
export function firstDue({ weekday }: Pick<ReportPlan, "weekday">, fundedAt: Date): Date {
  const earliest = fundedAt.getTime() + firstAfterDays * dayMs;
  const midnight = Math.floor((earliest + lagosMs) / dayMs) * dayMs;
  for (let day = midnight; ; day += dayMs) {
    const dueAt = day - lagosMs + dueHour * hourMs;
    // Sunday is 0 to JavaScript and 7 to people.
    if (dueAt >= earliest && (new Date(day).getUTCDay() || 7) === weekday) return new Date(dueAt);
  }
}

/** When the report after one is due. */
export const nextDue = ({ everyDays }: Pick<ReportPlan, "everyDays">, dueAt: Date): Date =>
  new Date(dueAt.getTime() + everyDays * dayMs);

export const reportStates = ["coming", "due", "late", "missed", "sent", "published", "excused"] as const;
export type ReportState = (typeof reportStates)[number];

export type ReportTimes = {
  dueAt: Date;
  /** Sent back, it has its time anew: our looking at it isn't the farm's silence. */
  sentBackAt: Date | null;
  sentAt: Date | null;
  publishedAt: Date | null;
  excusedAt: Date | null;
};

/** What became of a report until `now`. One that came although it was excused came. */
export function reportState(report: ReportTimes, now: Date): ReportState {
  const { dueAt, sentAt, publishedAt, excusedAt } = report;
  if (publishedAt) return "published";
  if (sentAt) return "sent";
  if (excusedAt) return "excused";
  if (now.getTime() >= missedAt(report).getTime()) return "missed";
  if (now.getTime() > lateAt(report).getTime()) return "late";
  return now.getTime() >= dueAt.getTime() - reportTiming.openDays * dayMs ? "due" : "coming";
}

type Asked = Pick<ReportTimes, "dueAt" | "sentBackAt">;

const askedAt = ({ dueAt, sentBackAt }: Asked): number => Math.max(dueAt.getTime(), sentBackAt?.getTime() ?? 0);
export const lateAt = (report: Asked): Date => new Date(askedAt(report) + reportTiming.lateHours * hourMs);
export const missedAt = (report: Asked): Date => new Date(askedAt(report) + reportTiming.missedDays * dayMs);

/** Sent before it was late. */
export const isOnTime = (report: Asked & Pick<ReportTimes, "sentAt">): boolean =>
  report.sentAt !== null && report.sentAt.getTime() <= lateAt(report).getTime();
