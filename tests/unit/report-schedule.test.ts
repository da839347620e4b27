import { describe, expect, test } from "vitest";
import { firstDue, reportState } from "#shared/reports/schedule.ts";

const at = (text: string) => new Date(`${text}+01:00`);
const after = (from: Date, { days = 0, hours = 0, ms = 0 }) =>
  new Date(from.getTime() + days * 86_400_000 + hours * 3_600_000 + ms);

describe("the first report is due on the chosen weekday at 18:00 in Lagos, three days after the funding at least", () => {
  // 1 Dec 2026 is a Tuesday: three days later it is Friday.
  test.each([
    ["Monday", 1, "2026-12-07"],
    ["Tuesday", 2, "2026-12-08"],
    ["Wednesday", 3, "2026-12-09"],
    ["Thursday", 4, "2026-12-10"],
    ["Friday", 5, "2026-12-04"],
    ["Saturday", 6, "2026-12-05"],
    ["Sunday", 7, "2026-12-06"],
  ])("%s", (_, weekday, day) => {
    expect(firstDue({ weekday }, at("2026-12-01T10:00:00"))).toEqual(at(`${day}T18:00:00`));
  });

  test.each([
    ["at 18:00 sharp it is three days later", 5, "2026-12-01T18:00:00", "2026-12-04"],
    ["a moment later it is a week more", 5, "2026-12-01T18:00:00.001", "2026-12-11"],
    ["before midnight in Lagos it is this day's", 6, "2026-12-01T23:59:59", "2026-12-05"],
    ["after midnight in Lagos it is the next day's", 5, "2026-12-02T00:00:00", "2026-12-11"],
    ["over the end of the year", 7, "2026-12-31T19:00:00", "2027-01-10"],
  ])("%s", (_, weekday, fundedAt, day) => {
    expect(firstDue({ weekday }, at(fundedAt))).toEqual(at(`${day}T18:00:00`));
  });
});

const dueAt = at("2026-12-04T18:00:00");
const owed = { dueAt, sentAt: null, sentBackAt: null, publishedAt: null, excusedAt: null };
const back = after(dueAt, { days: 5 });

test.each([
  ["three days before, less a moment", { days: -3, ms: -1 }, "coming"],
  ["three days before", { days: -3 }, "due"],
  ["48 hours after", { hours: 48 }, "due"],
  ["a moment later", { hours: 48, ms: 1 }, "late"],
  ["seven days after, less a moment", { days: 7, ms: -1 }, "late"],
  ["seven days after", { days: 7 }, "missed"],
])("a report that didn't come is, %s, %s", (_, time, state) => {
  expect(reportState(owed, after(dueAt, time))).toBe(state);
});

test.each([
  ["48 hours after", { hours: 48 }, "due"],
  ["a moment later", { hours: 48, ms: 1 }, "late"],
  ["seven days after", { days: 7 }, "missed"],
])("one that was sent back is, %s, %s", (_, time, state) => {
  expect(reportState({ ...owed, sentBackAt: back }, after(back, time))).toBe(state);
});

test.each([
  ["excused", { excusedAt: dueAt }],
  ["sent", { sentAt: dueAt, excusedAt: dueAt }],
  ["published", { sentAt: dueAt, excusedAt: dueAt, publishedAt: dueAt }],
])("a report stays %s, however late it is", (state, change) => {
  expect(reportState({ ...owed, ...change }, after(dueAt, { days: 100 }))).toBe(state);
});
