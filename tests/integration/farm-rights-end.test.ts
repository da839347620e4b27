import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { rows } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { farmPeople } from "#server/db/schema/farms.ts";
import { harvestCosts, harvestFiles, harvests } from "#server/db/schema/harvests.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { sweepReports } from "#server/features/reports/jobs.ts";
import { isPostgres } from "#tests/support/database.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { endChoosing, type Farm, fundFarm, keepEvidence, openHarvestOf, partsOf } from "#tests/support/harvests.ts";
import { setBankDetails } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { startEachWith } from "#tests/support/scene.ts";

/** Somebody's work for a farm ends while an act of theirs waits for a lock. */

const deps = await openTestDeps();
const { db } = deps;
let owner: TestUser;
let second: TestUser;
let farm: Farm;
let keeper: TestUser;

startEachWith(deps, async () => {
  owner = await createAdmin(db, "owner");
  second = await createAdmin(db, "owner");
  await setBankDetails(db);
  farm = await fundFarm(deps, { owner, lots: [1], plannedQuantity: "1000", costs: ["Feed"] });
  keeper = await createFarmPerson(db, farm.project.farmId ?? 0, "keeper");
});

const facts = { quantity: "950", lostQuantity: "20", referencePrice: "2,750", note: "" };
const read = async () => [
  await db.select().from(harvests),
  await db.select().from(harvestCosts),
  await db.$count(harvestFiles),
  await db.$count(auditLogs),
];

type Act = (by: Caller) => Promise<unknown>;

/** Ends the work of `who` while their act waits for `lock`. Returns the refusal's code. */
async function endWhileWaiting(who: TestUser, lock: ReturnType<typeof sql>, act: Act): Promise<string> {
  const by = await callAs(deps, who);
  const { answer } = await db.transaction(async (tx) => {
    await tx.execute(lock);
    let isOver = false;
    const answer = act(by)
      .then(
        () => "let through",
        (error: { code: string }) => error.code,
      )
      .finally(() => {
        isOver = true;
      });
    const waits = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => isOver || (await rows(db, waits)).length > 0).toBe(true);
    expect(isOver).toBe(false);
    await tx.update(farmPeople).set({ endedAt: deps.clock.now() }).where(eq(farmPeople.userId, who.id));
    return { answer };
  });
  return answer;
}

// The embedded database has one connection, and nobody waits there.
describe.runIf(isPostgres())("whose work for a farm ends while their act waits", () => {
  const lockProject = () => sql`select 1 from projects where id = ${farm.project.id} for update`;

  test.each<[string, (given: { harvestId: number; fileId: string; costId: number }) => Act]>([
    ["drafts no harvest", () => (by) => by.farmHarvests.draft({ projectId: farm.project.id, round: 1, ...facts })],
    [
      "changes no draft",
      ({ harvestId }) =>
        async (by) =>
          by.farmHarvests.change({ ...facts, harvestId, seenAt: (await by.farmHarvests.one({ harvestId })).updatedAt }),
    ],
    [
      "adds no file",
      ({ harvestId, fileId }) =>
        (by) =>
          by.farmHarvests.addFile({ harvestId, fileId }),
    ],
    [
      "adds no cost",
      ({ harvestId, fileId }) =>
        (by) =>
          by.farmHarvests.addCost({ harvestId, label: "Feed", amount: "1,000", fileId }),
    ],
    [
      "takes no cost back",
      ({ costId }) =>
        (by) =>
          by.farmHarvests.removeCost({ costId }),
    ],
  ])("%s", async (_, actOf) => {
    const { farmHarvests } = await callAs(deps, keeper);
    const { harvestId } = await farmHarvests.draft({ projectId: farm.project.id, round: 1, ...facts });
    const cost = { label: "Feed", amount: "1,000", fileId: await keepEvidence(deps, keeper) };
    await farmHarvests.addCost({ harvestId, ...cost });
    const costId = (await farmHarvests.one({ harvestId })).costs[0]?.id ?? 0;
    const given = { harvestId, costId, fileId: await keepEvidence(deps, keeper) };
    const before = await read();
    expect(await endWhileWaiting(keeper, lockProject(), actOf(given))).toBe("FORBIDDEN");
    expect(await read()).toEqual(before);
  });

  test("hands no produce over", async () => {
    const harvestId = await openHarvestOf(await callAs(deps, owner), farm, 1_000_000n, await callAs(deps, second));
    await (await farm.as(0)).harvests.choose({ harvestId, taken: "300", given: "50" });
    await endChoosing(deps, harvestId);
    const code = (await partsOf(deps, harvestId))[0]?.code ?? "";
    const collect: Act = (by) => by.farmHarvests.collect({ harvestId, code });
    expect(await endWhileWaiting(keeper, lockProject(), collect)).toBe("FORBIDDEN");
    expect((await partsOf(deps, harvestId))[0]?.collectedAt).toBeNull();
  });

  test("sends no report", async () => {
    await sweepReports(deps);
    const isOf = eq(farmReports.projectId, farm.project.id);
    const [owed] = await db.select().from(farmReports).where(isOf);
    deps.clock.set(owed?.dueAt ?? deps.clock.now());
    const reporter = await createFarmPerson(db, farm.project.farmId ?? 0, "reporter");
    const report = { number: 1, idempotencyKey: randomUUID(), content: "All is well.", figures: {}, farmNote: "" };
    const by = { projectId: farm.project.id };
    const send: Act = ({ reports }) => reports.send({ ...report, by, photoKeys: [], isConfirmed: false });
    const lockReport = sql`select 1 from farm_reports where id = ${owed?.id} for update`;
    expect(await endWhileWaiting(reporter, lockReport, send)).toBe("FORBIDDEN");
    expect((await db.select().from(farmReports).where(isOf))[0]?.sentAt).toBeNull();
  });
});
