import fc from "fast-check";
import { expect, test } from "vitest";
import { afterWakingHours, afterWorkingDays } from "#shared/lagos-time.ts";

test.each([
  // 08:00 in Lagos is 07:00 UTC.
  ["2026-11-23T07:00:00Z", 12, "2026-11-23T19:00:00Z"],
  ["2026-11-23T15:30:00Z", 12, "2026-11-24T12:30:00Z"],
  ["2026-11-23T21:00:00Z", 1, "2026-11-24T07:00:00Z"],
  ["2026-11-23T20:59:30Z", 1, "2026-11-24T06:59:30Z"],
  ["2026-11-23T02:00:00Z", 12, "2026-11-23T18:00:00Z"],
])("from %s, %d waking hours end at %s", (from, hours, end) => {
  expect(afterWakingHours(new Date(from), hours).toISOString()).toBe(end.replace("Z", ".000Z"));
});

test("an offer ends by day, after at least its hours and the nights between", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("2026-01-01"), max: new Date("2028-01-01"), noInvalidDate: true }),
      fc.integer({ min: 1, max: 168 }),
      (from, hours) => {
        const end = afterWakingHours(from, hours);
        const hour = new Date(end.getTime() + 3_600_000).getUTCHours();
        const isEven = end.getTime() % 3_600_000 === 0;
        // It may end exactly as the night begins.
        expect((hour >= 7 && hour < 22) || (hour === 22 && isEven)).toBe(true);
        const passed = (end.getTime() - from.getTime()) / 3_600_000;
        expect(passed).toBeGreaterThanOrEqual(hours);
        expect(passed).toBeLessThanOrEqual(hours + 9 * (Math.ceil(hours / 15) + 1));
      },
    ),
  );
});

test.each([
  ["2026-11-20T10:00:00Z", 3, "2026-11-25T10:00:00Z"],
  ["2026-11-23T10:00:00Z", 1, "2026-11-24T10:00:00Z"],
  ["2026-11-21T10:00:00Z", 1, "2026-11-23T10:00:00Z"],
  // Half past midnight of a Saturday in Lagos.
  ["2026-11-20T23:30:00Z", 1, "2026-11-22T23:30:00Z"],
])("from %s, %d working days later is %s", (from, days, end) => {
  expect(afterWorkingDays(new Date(from), days, []).toISOString()).toBe(end.replace("Z", ".000Z"));
});
