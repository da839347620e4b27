import { afterEach, expect, test } from "vitest";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { type Farm, fundFarm, keepEvidence, openDraft } from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { farmOf } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";

/** Each harvest counts against what is planned of it by its place in the round. */

const deps = await openTestDeps();
let owner: TestUser;
let farm: Farm;
const asOwner = () => callAs(deps, owner);

startEachWith(deps, async () => {
  owner = await createAdmin(deps.db, "owner");
  await setBankDetails(deps.db);
  const harvestPlan = ["600", "300", "100"];
  farm = await fundFarm(deps, { owner, lots: [1], plannedQuantity: "1,000", harvests: 3, harvestPlan });
});
afterEach(() => expectMoneyHolds(deps));

const enter = async (quantity: string, note = "") => {
  const facts = { quantity, lostQuantity: "0", referencePrice: "2,750", note };
  return (await asOwner()).harvests.create({ projectId: farm.project.id, round: 1, ...facts });
};
const open = async ({ harvestId }: { harvestId: number }) => openDraft(await asOwner(), harvestId);
const withdraw = async ({ harvestId }: { harvestId: number }) =>
  (await asOwner()).harvests.withdraw({ harvestId, reason: "It was entered twice." });
const plannedOf = async ({ harvestId }: { harvestId: number }) =>
  (await (await asOwner()).harvests.one({ harvestId })).planned;
const nextPlanned = async () =>
  (await (await asOwner()).harvests.ofProject({ projectId: farm.project.id })).rounds[0]?.nextPlanned;

test("late crops that fall off as planned need no excuse, and each that is short of its own plan does", async () => {
  await expect(enter("539.999")).rejects.toThrow(texts.shortNote);
  await open(await enter("560"));
  // Of equal parts this one would be short.
  await expect(enter("269.999")).rejects.toThrow(texts.shortNote);
  const second = await enter("280");
  await open(second);
  const third = await enter("80", "Blight took a fifth of the beds.");
  await expect(open(third)).rejects.toThrow(texts.shortPhoto);
  await (await asOwner()).harvests.addFile({ ...third, fileId: await keepEvidence(deps, owner) });
  await open(third);
  expect(await (await farm.as(0)).harvests.mine({ projectId: farm.project.id })).toMatchObject([
    { number: 3, planned: 100_000n },
    { number: 2, planned: 300_000n },
    { number: 1, planned: 600_000n },
  ]);
  const [round] = (await (await callAs(deps, "anonymous")).farmPages.record(farmOf(farm.project))).rounds;
  expect(round?.harvests).toMatchObject([
    { planned: 600_000n, note: null },
    { planned: 300_000n, note: null },
    { planned: 100_000n, note: "Blight took a fifth of the beds." },
  ]);
  // What comes besides the plan is measured by none.
  expect(await nextPlanned()).toBeNull();
  expect(await plannedOf(await enter("1"))).toBeNull();
});

test("a quantity is lowered below nine tenths of its own plan only with a photo", async () => {
  await open(await enter("600"));
  const second = await enter("290");
  await open(second);
  const lower = async (quantity: string) =>
    (await asOwner()).harvests.lower({ ...second, quantity, reason: "The scale was wrong." });
  await lower("270");
  await expect(lower("269")).rejects.toThrow(texts.lowerPhoto);
});

test("an opened harvest keeps its place, a draft or the next takes that of a withdrawn one, and an insurer's sum takes none", async () => {
  const first = await enter("600");
  const second = await enter("270", "The moon was in the wrong quarter.");
  await open(second);
  await (await asOwner()).harvests.createInsurance({ projectId: farm.project.id, round: 1, note: "A flood." });
  expect([await plannedOf(second), await nextPlanned()]).toEqual([300_000n, 100_000n]);
  await withdraw(first);
  expect([await plannedOf(first), await plannedOf(second), await nextPlanned()]).toEqual([null, 300_000n, 600_000n]);
  // Its note is still for its backers alone: the harvest isn't short of its plan.
  const [round] = (await (await callAs(deps, "anonymous")).farmPages.record(farmOf(farm.project))).rounds;
  expect(round?.harvests).toMatchObject([{ number: 2, planned: 300_000n, note: null }]);
  await expect(enter("280")).rejects.toThrow(texts.shortNote);
  const again = await enter("600");
  expect([await plannedOf(again), await plannedOf(second), await nextPlanned()]).toEqual([
    600_000n,
    300_000n,
    100_000n,
  ]);
  // A draft moves up: nobody was told what is planned of it, and entering others first excuses nothing.
  const third = await enter("100");
  await withdraw(again);
  expect(await plannedOf(third)).toBe(600_000n);
  await expect(open(third)).rejects.toThrow(texts.shortNote);
});
