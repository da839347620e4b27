import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { harvestFiles } from "#server/db/schema/harvests.ts";
import { settings } from "#server/db/schema/settings.ts";
import { findReadableFile } from "#server/features/harvests/queries.ts";
import { vatKey, withholdingKey } from "#shared/settings/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { endChoosing, fundFarm, keepCost, keepEvidence, openHarvestOf, sell } from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";

/** A farm's harvests as a backer reads them. */

const deps = await openTestDeps();
const { db } = deps;
let owner: TestUser;
let confirmer: TestUser;

beforeEach(async () => {
  await emptyDatabase(db);
  owner = await createAdmin(db, "owner");
  confirmer = await createAdmin(db, "owner");
  await setBankDetails(db);
});
afterEach(() => expectMoneyHolds(deps));

test("a harvest comes with what the estimate and the days are reckoned by, and the plan of one harvest", async () => {
  await db.insert(settings).values([
    { key: vatKey, value: "7.5" },
    { key: withholdingKey, value: "10" },
  ]);
  const farm = await fundFarm(deps, { owner, lots: [1, 3], plannedQuantity: "4,000", harvests: 2 });
  const projectId = farm.project.id;
  expect(await (await farm.as(0)).harvests.mine({ projectId })).toEqual([]);
  await openHarvestOf(await callAs(deps, owner), farm, 2_000_000n);
  expect(await (await farm.as(0)).harvests.mine({ projectId })).toMatchObject([
    {
      now: deps.clock.now(),
      feeRate: 500,
      vatRate: 750,
      whtRate: 1000,
      deductibleCosts: ["Feed"],
      planned: 2_000_000n,
      quantity: 2_000_000n,
      referencePriceKobo: 275_000n,
      mine: { quantity: 500_000n, taken: 0n, given: 0n, sold: 500_000n, chosenAt: null, code: null },
    },
  ]);
  expect(await (await callAs(deps, await createUser(db))).harvests.mine({ projectId })).toEqual([]);
});

test("an estimate heeds the costs that are recorded, else the last harvest's", async () => {
  const farm = await fundFarm(deps, { owner, lots: [1, 3], farmPart: "10" });
  const projectId = farm.project.id;
  const asOwner = await callAs(deps, owner);
  const readShare = async () => (await (await farm.as(0)).harvests.mine({ projectId }))[0]?.costShare;
  const first = await openHarvestOf(asOwner, farm, 1_000_000n);
  expect(await readShare()).toBeNull();
  await keepCost(deps, { harvestId: first, amountKobo: 55_000_000n });
  // A kilo at ₦2,750, of all that nobody took.
  await (await farm.as(1)).harvests.choose({ harvestId: first, taken: "75", given: "100" });
  const recorded = { costsKobo: 55_000_000n, salesKobo: 825n * 275_000n, source: "recorded" };
  expect(await readShare()).toEqual(recorded);
  await endChoosing(deps, first);
  expect(await readShare()).toBeNull();
  await sell(deps, { asker: owner, confirmer }, { harvestId: first, amountKobo: 160_000_000n });
  const settler = await callAs(deps, owner);
  await settler.harvests.settle({ harvestId: first, pool: "sold", amount: "1,600,000" });
  await openHarvestOf(settler, farm, 500_000n);
  expect(await readShare()).toEqual({ costsKobo: 55_000_000n, salesKobo: 160_000_000n, source: "last_harvest" });
});

test("a settlement comes with the reader's own line and the whole that it is a part of", async () => {
  const farm = await fundFarm(deps, { owner, lots: [1, 3], farmPart: "10" });
  const projectId = farm.project.id;
  const harvestId = await openHarvestOf(await callAs(deps, owner), farm, 1_000_000n);
  await (await farm.as(1)).harvests.choose({ harvestId, taken: "100", given: "0" });
  await endChoosing(deps, harvestId);
  await sell(deps, { asker: owner, confirmer }, { harvestId, amountKobo: 180_000_000n });
  await (await callAs(deps, owner)).harvests.settle({ harvestId, pool: "sold", amount: "1,800,000" });
  const [own] = await (await farm.as(1)).harvests.mine({ projectId });
  expect(own?.settlements).toMatchObject([
    {
      proceedsKobo: 180_000_000n,
      costsKobo: 0n,
      whole: 900_000n,
      mine: { weight: 575_000n, shareKobo: 115_000_000n, feeKobo: 5_750_000n, netKobo: 109_250_000n },
    },
  ]);
});

test("the papers of an insurer's sum are for those who got of it", async () => {
  const farm = await fundFarm(deps, { owner, lots: [1, 3] });
  const projectId = farm.project.id;
  const asOwner = await callAs(deps, owner);
  const { harvestId } = await asOwner.harvests.createInsurance({ projectId, round: 1, note: "The insurer paid." });
  await asOwner.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, owner) });
  const [file] = await db.select().from(harvestFiles).where(eq(harvestFiles.harvestId, harvestId));
  const [backer] = farm.backers;
  const stranger = await createUser(db);
  const read = (person?: TestUser) =>
    findReadableFile(db, { harvestFileId: file?.id ?? 0, userId: person?.id ?? "", mayView: false, keptFarmIds: [] });
  expect(await read(backer)).toBeUndefined();
  await sell(deps, { asker: owner, confirmer }, { harvestId, amountKobo: 40_000_000n, quantity: null });
  await asOwner.harvests.settle({ harvestId, pool: "sold", amount: "400,000" });
  const [own] = await (await farm.as(0)).harvests.mine({ projectId });
  expect(own).toMatchObject({
    isInsurance: true,
    mine: null,
    files: [{ id: file?.id }],
    settlements: [{ feeRate: 0, whole: 40_000_000n, mine: { weight: 10_000_000n, netKobo: 10_000_000n } }],
  });
  expect(await read(backer)).toMatchObject({ contentType: "application/pdf" });
  expect(await read(stranger)).toBeUndefined();
});
