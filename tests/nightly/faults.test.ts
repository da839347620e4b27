import { afterAll, expect, inject, test } from "vitest";
import { formatReport } from "#tests/nightly/faults/report.ts";
import { runFaults } from "#tests/nightly/faults/run.ts";
import { openEmptyDatabase } from "#tests/support/database.ts";

// The whole run is `npm run test:faults`.
const database = await openEmptyDatabase();
afterAll(() => database.close());

test("two processes that are killed and lose their connections lose nothing that they acknowledged", async () => {
  const report = await runFaults({
    adminUrl: inject("postgresAdminUrl"),
    databaseUrl: database.url ?? "",
    operations: 90,
    backers: 8,
    administrators: 6,
    projects: 6,
    farms: 1,
    replicas: 2,
    // A killed process keeps its mail for a minute: that passes while the others do their work.
    faults: ["kill before mail", "kill after mail", "lose all connections", "kill after commit", "kill before commit"],
    clockOffsetMs: 10 * 60_000,
    seed: 7,
  });
  expect(
    report.checks.filter(({ findings }) => findings.length > 0),
    formatReport(report),
  ).toEqual([]);
  expect(report.faults).toHaveLength(5);
  expect(report.entries.length).toBeGreaterThanOrEqual(90);
  for (const is of ["acknowledged", "refused", "unknown"]) {
    expect(report.entries.some(({ outcome }) => outcome.is === is)).toBe(true);
  }
}, 420_000);
