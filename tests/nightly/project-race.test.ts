import { eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { rows } from "#server/db/open.ts";
import { holds } from "#server/db/schema/holds.ts";
import { projects } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { beginPurchase, openPaymentPage } from "#server/features/payments/buying/service.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { releaseHold } from "#server/features/projects/holds/own-hold.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import { isLong, raceRounds } from "#tests/support/length.ts";
import { contextOf, createPayment, expectMoneyHolds, findProject, seen } from "#tests/support/money.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { siteTermsOf } from "#tests/support/site-terms.ts";

/** Many people at one project at the same moment. What two do to it is in interleavings.test.ts. */

/** How often 64 people meet. */
const crowdRounds = isLong ? 50 : 1;

const { deps, replicas } = await openTestReplicas();
let owners: [TestUser, TestUser];

beforeAll(async () => {
  owners = [
    await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" }),
    await createAdmin(deps.db, "owner", { fullName: "Tunde Bello" }),
  ];
});
afterEach(() => expectMoneyHolds(deps));

const one = () => contextOf(replicas[0], owners[0]);
const other = () => contextOf(replicas[1], owners[1]);

/** Returns the refusals that people were given. */
const refusals = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === "rejected" ? [(result.reason as Error).message] : []));

test("64 approvals at once for the last 3 of 40 lots: exactly 3 are approved, and 61 are told how many are free", async () => {
  for (let round = 0; round < crowdRounds; round += 1) {
    const project = await createProject(deps.db, { fundingGoalKobo: 200_000_000n, lots: 40 });
    const buy = (lots: number) => createPayment(deps, { project, owner: owners[0], lots });
    for (const lots of [20, 17]) {
      const { payment } = await buy(lots);
      await setPaymentStatus(await one(), { ...(await seen(deps.db, payment.id)), status: "approved" });
    }
    const waiting = [];
    for (let index = 0; index < 64; index += 1) waiting.push(await seen(deps.db, (await buy(1)).payment.id));
    const contexts = [await one(), await other()] as const;
    const results = await Promise.allSettled(
      waiting.map((look, index) =>
        setPaymentStatus(contexts[index % 2 === 0 ? 0 : 1], { ...look, status: "approved" }),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(new Set(refusals(results))).toEqual(new Set([paymentTexts.lotsNotFree(0, 1)]));
    expect(await findProject(deps.db, project.id)).toMatchObject({ isClosed: true, currentFundingKobo: 200_000_000n });
    await expect(
      deps.db.execute(sql`update project_rounds set approved_lots = 41 where project_id = ${project.id}`),
    ).rejects.toMatchObject({ cause: { message: expect.stringContaining("project_rounds_not_oversold") } });
  }
});

test("64 people hold a lot at once, of 40 the last 3: exactly 3 hold one, and 61 are told that none is free", async () => {
  const setHoldHours = (value: string) => deps.db.update(settings).set({ value }).where(eq(settings.key, holdHoursKey));
  const people = await Promise.all(
    Array.from({ length: 64 }, async (_, index) =>
      contextOf(replicas[index % 2 === 0 ? 0 : 1], await createUser(deps.db)),
    ),
  );
  for (let round = 0; round < crowdRounds; round += 1) {
    const project = await createProject(deps.db, { fundingGoalKobo: 200_000_000n, lots: 40 });
    const { id: projectId } = project;
    for (const lots of [20, 17]) await createPayment(deps, { project, owner: owners[0], lots, status: "approved" });
    await setHoldHours("24");
    const siteTerms = await siteTermsOf(deps);
    const results = await Promise.allSettled(
      people.map((ctx) => beginPurchase(ctx, { projectId, lots: 1, termsVersion: 1, siteTerms, hasReadTerms: true })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(new Set(refusals(results))).toEqual(new Set([holdTexts.noneFree]));
    const held = await deps.db.select().from(holds).where(eq(holds.projectId, projectId));
    expect(held.map(({ lots, state }) => ({ lots, state }))).toEqual(Array(3).fill({ lots: 1, state: "live" }));
    // Nobody holds lots of more than two farms.
    const isHolder = new Set(held.map(({ userId }) => userId));
    for (const ctx of people) if (isHolder.has(ctx.actor.id)) await releaseHold(ctx, { projectId });
    await setHoldHours("0");
  }
});

test("visits of the payment page, one upon the other, don't keep an approval waiting", async () => {
  const { payment, project } = await createPayment(deps, { owner: owners[0] });
  const visitors = await Promise.all(
    Array.from({ length: 10 }, async () => contextOf(replicas[1], await createUser(deps.db))),
  );
  let isDone = false;
  let count = 0;
  const visits = visitors.map(async (ctx) => {
    for (; !isDone; count += 1) await openPaymentPage(ctx, { projectId: project.id });
  });
  try {
    await expect.poll(() => count).toBeGreaterThan(visitors.length);
    const look = await seen(deps.db, payment.id);
    // The product itself waits for no lock longer than ten seconds.
    await setPaymentStatus(await one(), { ...look, status: "approved" });
  } finally {
    isDone = true;
    await Promise.all(visits);
  }
});

test("the payment page of a project that is removed at this moment is not found", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const project = await createProject(deps.db);
    const ctx = await contextOf(replicas[0], await createUser(deps.db));
    const [page] = await Promise.allSettled([
      openPaymentPage(ctx, { projectId: project.id }),
      deps.db.delete(projects).where(eq(projects.id, project.id)),
    ]);
    if (page.status === "rejected") expect(page.reason).toMatchObject({ reason: "not_found" });
  }
});

test("no deadlock happened", async () => {
  await deps.db.execute(sql`select pg_stat_clear_snapshot()`);
  const [found] = await rows<{ deadlocks: string }>(
    deps.db,
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  expect(Number(found?.deadlocks)).toBe(0);
});
