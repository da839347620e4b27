import { expect, test } from "vitest";
import type { PlannedFigure } from "#shared/reports/plans-texts.ts";
import { farmAnswer } from "#shared/reports/record-texts.ts";
import type { ReportState } from "#shared/reports/schedule.ts";

const birds: PlannedFigure = {
  key: "alive",
  label: "Birds alive",
  unit: "",
  kind: "stock",
  isRequired: true,
  curve: [
    [0, 1000],
    [10, 1000],
  ],
};
const summary = { onTime: 1, counted: 1, lastAt: null, nextDueAt: new Date(0), isLate: false, daysSince: 16 };
const after = (days: number) => new Date(Date.UTC(2026, 8, 1 + days));
const answer = (
  alive: bigint,
  change: { isLate?: boolean; state?: ReportState; curve?: null; gone?: bigint; nextDueAt?: null } = {},
) =>
  farmAnswer({
    plan: { figures: [{ ...birds, ...(change.curve === null && { curve: null }) }] },
    fundedAt: after(0),
    summary: { ...summary, isLate: change.isLate ?? false, ...(change.nextDueAt === null && { nextDueAt: null }) },
    reports: [
      {
        dueAt: after(7),
        isOnTime: true,
        state: change.state ?? "published",
        figures: { alive },
        gone: change.gone ?? 0n,
      },
    ],
  }).text;

test.each<[string, bigint, Parameters<typeof answer>[1], string]>([
  ["that reaches four fifths of its plan is on plan", 800_000n, {}, "On plan"],
  ["below them isn't", 788_000n, {}, "Under plan: 78 % of the planned birds alive"],
  ["that reaches them with the animals it sold is on plan", 300_000n, { gone: 500_000n }, "On plan"],
  [
    "that doesn't reach them with the animals it sold isn't",
    300_000n,
    { gone: 488_000n },
    "Under plan: 78 % of the planned birds alive, counting those that were sold",
  ],
  ["whose next report is late is silent", 900_000n, { isLate: true }, "No report for 16 days."],
  ["that owes no more reports isn't said to do well", 900_000n, { nextDueAt: null }, "No report is awaited now"],
  ["without a published report has told nothing", 900_000n, { state: "sent" }, "Nothing is reported yet"],
  ["without a plan only reports", 9n, { curve: null }, "The farm reports. No plan says what its figures should be."],
])("a farm %s", (_, alive, change, text) => {
  expect(answer(alive, change)).toBe(text);
});
