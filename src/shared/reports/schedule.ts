import { dayMs, hourMs } from "#shared/lagos-time.ts";
import type { ReportPlan } from "./plans-texts.ts";

/** When reports are due and what became of them. It is read from a report's row and the clock, never written. */

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
export const firstDue = ({ weekday }: Pick<ReportPlan, "weekday">, fundedAt: Date): Date =>
  dueOn(weekday, fundedAt.getTime() + firstAfterDays * dayMs);

/**
 * When the report after one is due: on the plan's weekday nearest to its interval, at most three days less and three more. A
 * month has no weekday.
 */
export function nextDue({ everyDays, weekday }: Pick<ReportPlan, "everyDays" | "weekday">, dueAt: Date): Date {
  const after = dueAt.getTime() + everyDays * dayMs;
  return everyDays === 30 ? new Date(after) : dueOn(weekday, after - 3 * dayMs);
}

/** The first such weekday at 18:00 in Lagos that isn't before the moment. */
function dueOn(weekday: number, earliest: number): Date {
  const midnight = Math.floor((earliest + lagosMs) / dayMs) * dayMs;
  for (let day = midnight; ; day += dayMs) {
    const dueAt = day - lagosMs + dueHour * hourMs;
    // Sunday is 0 to JavaScript and 7 to people.
    if (dueAt >= earliest && (new Date(day).getUTCDay() || 7) === weekday) return new Date(dueAt);
  }
}

export const reportStates = ["coming", "due", "late", "missed", "sent", "published", "excused"] as const;
export type ReportState = (typeof reportStates)[number];

export type ReportTimes = {
  dueAt: Date;
  firstSentAt: Date | null;
  /** Sent back, it has its time anew: our looking at it isn't the farm's silence. */
  sentBackAt: Date | null;
  sentAt: Date | null;
  publishedAt: Date | null;
  excusedAt: Date | null;
};

/** Returns a report's state at `now`. An excused report that arrives anyway counts as sent. */
export function reportState(report: Omit<ReportTimes, "firstSentAt">, now: Date): ReportState {
  const { dueAt, sentAt, publishedAt, excusedAt } = report;
  if (publishedAt) return "published";
  if (sentAt) return "sent";
  if (excusedAt) return "excused";
  if (now.getTime() >= missedAt(report).getTime()) return "missed";
  if (now.getTime() > lateAt(report).getTime()) return "late";
  return now >= opensFrom(dueAt) ? "due" : "coming";
}

/** When a report can be sent. */
export const opensFrom = (dueAt: Date): Date => new Date(dueAt.getTime() - reportTiming.openDays * dayMs);

type Asked = Pick<ReportTimes, "dueAt" | "sentBackAt">;

const askedAt = ({ dueAt, sentBackAt }: Asked): number => Math.max(dueAt.getTime(), sentBackAt?.getTime() ?? 0);
export const lateAt = (report: Asked): Date => new Date(askedAt(report) + reportTiming.lateHours * hourMs);
export const missedAt = (report: Asked): Date => new Date(askedAt(report) + reportTiming.missedDays * dayMs);

/** A report is missed that was due then or before, and didn't come. */
export const missedSince = (now: Date): Date => new Date(now.getTime() - reportTiming.missedDays * dayMs);

/** It came before it was late, and, where it was sent back, again before it was late anew. */
export const isOnTime = (report: Asked & Pick<ReportTimes, "firstSentAt" | "sentAt">): boolean =>
  report.sentAt !== null &&
  report.firstSentAt !== null &&
  report.sentAt <= lateAt(report) &&
  report.firstSentAt <= lateAt({ dueAt: report.dueAt, sentBackAt: null });
