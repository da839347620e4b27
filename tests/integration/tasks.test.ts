import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { endChoosing, findHarvest, fundFarm, openHarvestOf, partsOf } from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";

/** Tasks that wait for a backer, by deadline, and their own part as a card states it. */

const deps = await openTestDeps();
const { db } = deps;
let owner: TestUser;

beforeEach(async () => {
  await emptyDatabase(db);
  owner = await createAdmin(db, "owner");
  await setBankDetails(db);
});
afterEach(() => expectMoneyHolds(deps));

test("a share waits for a choice, then for its collection, and then nothing does", async () => {
  const farm = await fundFarm(deps, { owner, lots: [1, 3] });
  const about = { projectId: farm.project.id, projectTitle: farm.project.title };
  const tasks = async (index: number) => (await farm.as(index)).tasks.mine();
  expect(await tasks(1)).toEqual([]);
  const harvestId = await openHarvestOf(await callAs(deps, owner), farm, 1_000_000n);
  const { choosesUntil } = await findHarvest(deps, harvestId);
  expect(await tasks(1)).toEqual([{ kind: "choose", ...about, until: choosesUntil }]);
  expect(await (await callAs(deps, await createUser(db))).tasks.mine()).toEqual([]);
  await (await farm.as(1)).harvests.choose({ harvestId, taken: "36", given: "0" });
  expect(await tasks(1)).toEqual([]);
  await endChoosing(deps, harvestId);
  const { collectsUntil } = await findHarvest(deps, harvestId);
  expect(await tasks(0)).toEqual([]);
  expect(await tasks(1)).toEqual([{ kind: "collect", ...about, until: collectsUntil, quantity: 36_000n, unit: "kg" }]);
  const { items } = await (await farm.as(1)).backings.mine({});
  const growing = { counted: 1, lost: 0, planned: 1, unit: "kg", paidKobo: 0n, collected: 0n };
  expect(items).toMatchObject([{ myLots: 3, myPaidKobo: 30_000_000n, progress: growing }]);
  const part = (await partsOf(deps, harvestId)).find(({ code }) => code !== null);
  await (await callAs(deps, owner)).harvests.collect({ harvestId, code: part?.code ?? "" });
  expect(await tasks(1)).toEqual([]);
  const [own] = (await (await farm.as(1)).backings.mine({})).items;
  expect(own?.progress?.collected).toBe(36_000n);
  const [others] = (await (await farm.as(0)).backings.mine({})).items;
  expect(others?.progress?.collected).toBe(0n);
});
