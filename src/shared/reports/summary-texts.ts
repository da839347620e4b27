import { formatDate, formatWeekday } from "#shared/dates.ts";

/** How a farm reports, in one line. It is a file of its own, because the home page loads it. */

export type ReportSummary = {
  onTime: number;
  counted: number;
  /** When the last one came. */
  lastAt: Date | null;
  /** Null where none is awaited. */
  nextDueAt: Date | null;
  /** The next one is more than 48 hours late. */
  isLate: boolean;
  /** Days since the last one came, or since the round was funded. */
  daysSince: number;
};

/** After so many days a date says more than their number. */
const recentDays = 30;

/** "Reports: 11 of 12 on time. The last came 3 days ago."; null where there is nothing to say. */
export function reportLine({ onTime, counted, lastAt, nextDueAt, isLate, daysSince }: ReportSummary): string | null {
  if (isLate) return `No report for ${daysSince === 1 ? "1 day" : `${daysSince} days`}.`;
  const share = `Reports: ${onTime} of ${counted} on time.`;
  if (lastAt) return `${share} The last came ${agoText(lastAt, daysSince)}.`;
  if (counted > 0) return share;
  return nextDueAt && `The first report is due on ${dayText(nextDueAt)}.`;
}

function agoText(at: Date, days: number): string {
  if (days > recentDays) return `on ${formatDate(at)}`;
  return days === 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`;
}

/** "Friday, 4 Dec": the year of what comes within weeks is known. */
const dayText = (at: Date): string => `${formatWeekday(at)}, ${dayAndMonth(at)}`;

/** "4 Dec" */
export const dayAndMonth = (at: Date): string => formatDate(at).slice(0, -5);
