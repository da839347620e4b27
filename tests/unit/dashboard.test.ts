import { expect, test } from "vitest";
import { startOfMonth, startsOfWeeks } from "#server/features/dashboard/rules.ts";

test.each([
  ["2026-11-30T22:59:59Z", "2026-10-31T23:00:00.000Z"],
  ["2026-11-30T23:00:00Z", "2026-11-30T23:00:00.000Z"],
  ["2026-12-31T23:30:00Z", "2026-12-31T23:00:00.000Z"],
])("at %s the month in Lagos began at %s", (now, start) => {
  expect(startOfMonth(new Date(now)).toISOString()).toBe(start);
});

test.each([
  // A Saturday; the last second of a Sunday in Lagos; the Monday that follows it.
  ["2026-11-21T09:00:00Z", ["2026-11-08T23:00:00.000Z", "2026-11-15T23:00:00.000Z"]],
  ["2026-11-22T22:59:59Z", ["2026-11-08T23:00:00.000Z", "2026-11-15T23:00:00.000Z"]],
  ["2026-11-22T23:00:00Z", ["2026-11-15T23:00:00.000Z", "2026-11-22T23:00:00.000Z"]],
])("at %s the last two weeks in Lagos began at %j", (now, starts) => {
  expect(startsOfWeeks(new Date(now), 2).map((start) => start.toISOString())).toEqual(starts);
});
