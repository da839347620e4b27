import { expect, test } from "vitest";
import { type ReportSummary, reportLine } from "#shared/reports/summary-texts.ts";

const reported: ReportSummary = {
  onTime: 11,
  counted: 12,
  lastAt: new Date("2026-11-27T15:00:00Z"),
  nextDueAt: new Date("2026-12-04T17:00:00Z"),
  isLate: false,
  daysSince: 3,
};

test.each<[string, Partial<ReportSummary>, string | null]>([
  ["the last came days ago", {}, "Reports: 11 of 12 on time. The last came 3 days ago."],
  ["the last came yesterday", { daysSince: 1 }, "Reports: 11 of 12 on time. The last came yesterday."],
  ["the last came today", { daysSince: 0 }, "Reports: 11 of 12 on time. The last came today."],
  [
    "the round is long over",
    { daysSince: 90, nextDueAt: null },
    "Reports: 11 of 12 on time. The last came on 27 Nov 2026.",
  ],
  ["the next one is late", { daysSince: 16, isLate: true }, "No report for 16 days."],
  ["the first one is late", { lastAt: null, counted: 1, daysSince: 9, isLate: true }, "No report for 9 days."],
  ["none has been due yet", { lastAt: null, counted: 0 }, "The first report is due on Friday, 4 Dec."],
  ["none came, and none is awaited", { lastAt: null, counted: 0, nextDueAt: null }, null],
])("one line says how a farm reports: %s", (_, change, line) => {
  expect(reportLine({ ...reported, ...change })).toBe(line);
});
