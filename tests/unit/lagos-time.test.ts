import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fixedHolidays } from "#server/features/holidays/fixed.ts";
import { afterWakingHours, afterWorkingDays, endOfWorkingDay, isWorkingDay } from "#shared/lagos-time.ts";

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

describe("holidays", () => {
  const since = new Date("2026-12-01T08:00:00Z");
  const until = new Date("2026-12-23T12:00:00Z");
  const eve = new Date("2026-12-24T09:00:00Z");
  const christmas = { day: "2026-12-25", since, until: null };

  test("are no working days, and those on a weekend change nothing", () => {
    const boxingDay = { day: "2026-12-26", since, until: null };
    // Friday is Christmas, and Saturday no working day anyway.
    expect(afterWorkingDays(eve, 1, [christmas, boxingDay])).toEqual(new Date("2026-12-28T09:00:00Z"));
    expect(endOfWorkingDay(eve, 1, [christmas])).toEqual(new Date("2026-12-28T23:00:00Z"));
    expect(isWorkingDay(new Date("2026-12-25T09:00:00Z"), [christmas])).toBe(false);
  });

  test("move nothing that was promised before they were known, or after they were removed", () => {
    const friday = new Date("2026-12-25T09:00:00Z");
    expect(afterWorkingDays(eve, 1, [{ ...christmas, since: new Date(eve.getTime() + 1) }])).toEqual(friday);
    expect(afterWorkingDays(eve, 1, [{ ...christmas, until }])).toEqual(friday);
    const tuesday = new Date("2026-12-22T09:00:00Z");
    expect(afterWorkingDays(tuesday, 3, [{ ...christmas, until }])).toEqual(new Date("2026-12-28T09:00:00Z"));
  });

  test("of Nigeria have fixed days, or follow Easter", () => {
    const daysOf = (year: number) => fixedHolidays(year).map(({ day, name }) => `${day.slice(5)} ${name}`);
    expect(daysOf(2026)).toEqual([
      "01-01 New Year's Day",
      "04-03 Good Friday",
      "04-06 Easter Monday",
      "05-01 Workers' Day",
      "06-12 Democracy Day",
      "10-01 Independence Day",
      "12-25 Christmas Day",
      "12-26 Boxing Day",
    ]);
    const easterMondays = [2024, 2025, 2027, 2038, 2285].map((year) => daysOf(year)[2]);
    expect(easterMondays).toEqual(["04-01", "04-21", "03-29", "04-26", "03-23"].map((day) => `${day} Easter Monday`));
  });
});
