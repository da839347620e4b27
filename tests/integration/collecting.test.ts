import { and, eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { endChoosing, type Farm, fundFarm, openHarvestOf, partsOf } from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { startEachWith } from "#tests/support/scene.ts";

/** Handing produce out in two steps: whose the code is, and that it was handed over. */

const deps = await openTestDeps();
let amaka: TestUser;
let bola: TestUser;
let chidi: TestUser;
let farm: Farm;
let harvestId: number;
let right: string;
let wrong: string;
const as = (who: TestUser) => callAs(deps, who);

startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  chidi = await createAdmin(deps.db, "manager", { fullName: "Chidi Eze" });
  await setBankDetails(deps.db);
  farm = await fundFarm(deps, { owner: amaka, lots: [1, 1] });
  harvestId = await openHarvestOf(await as(amaka), farm, 1_000_000n);
  await (await farm.as(0)).harvests.choose({ harvestId, taken: "300", given: "50" });
  await endChoosing(deps, harvestId);
  right = (await partsOf(deps, harvestId))[0]?.code ?? "";
  wrong = right === "111111" ? "222222" : "111111";
});
afterEach(() => expectMoneyHolds(deps));

const collectedAt = async () => (await partsOf(deps, harvestId))[0]?.collectedAt;
const handedOver = () =>
  deps.db.$count(auditLogs, and(eq(auditLogs.actionType, "collect_produce"), eq(auditLogs.userId, chidi.id)));

test("a code tells whose produce it is for and hands nothing over, before that is said", async () => {
  expect(await (await as(chidi)).harvests.collection({ harvestId })).toMatchObject({
    projectId: farm.project.id,
    projectTitle: farm.project.title,
    number: 1,
    state: "allotted",
    unit: "kg",
    collectionPlace: "Moniya market, Ibadan",
    takers: 1,
    collected: 0,
  });
  const spaced = `${right.slice(0, 3)} ${right.slice(3)}`;
  for (let looks = 0; looks < 8; looks++) {
    expect(await (await as(chidi)).harvests.findProduce({ harvestId, code: spaced })).toEqual({
      name: farm.backers[0]?.fullName,
      quantity: 500_000n,
      taken: 300_000n,
      given: 50_000n,
      sold: 150_000n,
    });
  }
  expect([await collectedAt(), await handedOver()]).toEqual([null, 0]);
  expect(await (await as(chidi)).harvests.collect({ harvestId, code: spaced })).toEqual({
    name: farm.backers[0]?.fullName,
    quantity: 300_000n,
  });
  expect([await collectedAt(), await handedOver()]).toEqual([deps.clock.now(), 1]);
  await expect((await as(chidi)).harvests.findProduce({ harvestId, code: right })).rejects.toThrow(
    texts.collectedAlready,
  );
  expect(await (await as(chidi)).harvests.collection({ harvestId })).toMatchObject({ takers: 1, collected: 1 });
});

test("codes that are looked up count as those that are handed over for: five together lock both for ten minutes", async () => {
  const { harvests } = await as(chidi);
  const steps = [harvests.findProduce, harvests.collect];
  for (const step of [0, 1, 0, 1, 0]) {
    await expect(steps[step]?.({ harvestId, code: wrong })).rejects.toThrow(texts.codeUnknown);
  }
  for (const step of steps) await expect(step({ harvestId, code: right })).rejects.toThrow(texts.codesLocked);
  const told = (await queuedMailsTo(deps.db, bola.email)).filter(({ subject }) => subject.includes("wrong codes"));
  expect(told.map(({ text }) => text)).toEqual([expect.stringContaining("the last one by Chidi Eze")]);
  expect(await collectedAt()).toBeNull();
  deps.clock.advance({ minutes: 10 });
  const again = await as(chidi);
  expect(await again.harvests.findProduce({ harvestId, code: right })).toMatchObject({ taken: 300_000n });
});

test("of twenty wrong codes looked up at once five are looked at", async () => {
  const { harvests } = await as(chidi);
  const tries = await Promise.allSettled(
    Array.from({ length: 20 }, () => harvests.findProduce({ harvestId, code: wrong })),
  );
  const said = tries.map((one) => (one.status === "rejected" ? (one.reason as Error).message : "found"));
  expect(said.filter((one) => one === texts.codeUnknown)).toHaveLength(5);
  expect(said.filter((one) => one === texts.codesLocked)).toHaveLength(15);
});

test("twenty wrong codes that are looked up in a day lock the list until tomorrow", async () => {
  for (let round = 1; round <= 4; round++) {
    const { harvests } = await as(chidi);
    for (let tries = 0; tries < 5; tries++) {
      await expect(harvests.findProduce({ harvestId, code: wrong })).rejects.toThrow(texts.codeUnknown);
    }
    deps.clock.advance({ minutes: 10, seconds: 1 });
  }
  const { harvests } = await as(chidi);
  await expect(harvests.findProduce({ harvestId, code: right })).rejects.toThrow(texts.codesLockedToday);
  await expect(harvests.collect({ harvestId, code: right })).rejects.toThrow(texts.codesLockedToday);
  const told = (await queuedMailsTo(deps.db, bola.email)).filter(({ subject }) => subject.includes("wrong codes"));
  expect(told).toHaveLength(4);
  deps.clock.advance({ hours: 24 });
  expect(await (await as(chidi)).harvests.findProduce({ harvestId, code: right })).toMatchObject({ taken: 300_000n });
});

test("what is too late isn't looked up, and another harvest's code is none of this one", async () => {
  const other = await fundFarm(deps, { owner: amaka, lots: [1] });
  const otherId = await openHarvestOf(await as(amaka), other, 1_000_000n);
  const unknown = (await as(chidi)).harvests.findProduce({ harvestId: otherId, code: right });
  await expect(unknown).rejects.toThrow(texts.codeUnknown);
  deps.clock.advance({ days: 8 });
  const late = (await as(chidi)).harvests.findProduce({ harvestId, code: right });
  await expect(late).rejects.toThrow(texts.collectingOver);
});

test("the mail says where and until when, and the code in two groups of three on a line of its own", async () => {
  const [backer] = farm.backers;
  const spaced = `${right.slice(0, 3)} ${right.slice(3)}`;
  const mail = (await queuedMailsTo(deps.db, backer?.email ?? "")).at(-1);
  expect(mail?.subject).toContain("Collect your produce of");
  expect(mail?.text).toContain("are ready for you at Moniya market, Ibadan.");
  expect(mail?.text.split("\n")).toContain(spaced);
});
