import { expect, test } from "vitest";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment, decide, expectMoneyHolds } from "#tests/support/money.ts";
import { callAs, createAdmin } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();

test("the dashboard's money: what waits, what stands approved this month, and the last twelve weeks", async () => {
  const owner = await createAdmin(deps.db, "owner");
  const summary = async () => (await callAs(deps, "manager")).dashboard.money();
  const approve = async (goal: bigint) => {
    const project = await createProject(deps.db, { fundingGoalKobo: goal });
    return createPayment(deps, { owner, project, status: "approved" });
  };
  const nothing = { count: 0, kobo: 0n };
  expect(await summary()).toMatchObject({ pending: nothing, approvedThisMonth: nothing });

  deps.clock.set(new Date("2026-08-30T10:00:00Z"));
  await approve(10_000n);
  deps.clock.set(new Date("2026-10-31T22:30:00Z"));
  await approve(20_000n);
  deps.clock.set(new Date("2026-11-21T09:00:00Z"));
  await approve(30_000n);
  const { payment } = await approve(40_000n);
  await createPayment(deps, { owner });
  const { pending, approvedThisMonth, weeks } = await summary();
  expect(pending).toEqual({ count: 1, kobo: 50_000_000n });
  expect(approvedThisMonth).toEqual({ count: 2, kobo: 70_000n });
  expect(weeks).toHaveLength(12);
  // The week of 30 August is the thirteenth from now, and the last evening of October is October's in Lagos too.
  expect(weeks.filter(({ count }) => count > 0)).toEqual([
    { startsAt: new Date("2026-10-25T23:00:00Z"), count: 1, kobo: 20_000n },
    { startsAt: new Date("2026-11-15T23:00:00Z"), count: 2, kobo: 70_000n },
  ]);

  await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
  expect(await summary()).toMatchObject({ approvedThisMonth: { count: 1, kobo: 30_000n } });
  await expectMoneyHolds(deps);
});
