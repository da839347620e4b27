import { afterEach, expect, test } from "vitest";
import { sweepHarvests } from "#server/features/harvests/jobs.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import {
  endChoosing,
  type Farm,
  findHarvest,
  fundFarm,
  keepEvidence,
  keepSale,
  openHarvestOf,
  partsOf,
  seenDraft,
  sell,
} from "#tests/support/harvests.ts";
import { setBankDetails } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";

/** The people who are told at once of a change to a harvest, whoever made it. Their screens then refetch. */

const deps = await openTestDeps();
let owner: TestUser;
let confirmer: TestUser;
let farm: Farm;
let asOwner: Caller;
let heard: string[];
let stop: () => void;

startEachWith(deps, async () => {
  owner = await createAdmin(deps.db, "owner");
  confirmer = await createAdmin(deps.db, "owner");
  await setBankDetails(deps.db);
  farm = await fundFarm(deps, { owner, lots: [1, 3] });
  return async () => {
    asOwner = await callAs(deps, owner);
    heard = [];
    stop = deps.events.subscribe((event) => {
      if (event.type === "harvests" && event.projectId === farm.project.id) heard.push(event.to);
    });
  };
});
afterEach(() => stop());

/** Calls `run`, and returns the receivers of its events, each once. */
async function toldBy(run: () => Promise<unknown>): Promise<string[]> {
  // All earlier events have been heard once an event published now arrives.
  await settleEvents();
  heard.length = 0;
  await run();
  await settleEvents();
  return [...new Set(heard)].sort();
}
async function settleEvents(): Promise<void> {
  let isHere = false;
  const end = deps.events.subscribe((event) => {
    if (event.type === "messages" && event.projectId === 0) isHere = true;
  });
  await deps.db.transaction((tx) => deps.events.publish(tx, { type: "messages", projectId: 0 }));
  await expect.poll(() => isHere).toBe(true);
  end();
}

test("a draft is told to administrators, its opening to everybody, a choice also to the one who chose", async () => {
  const facts = { quantity: "1,000", lostQuantity: "0", referencePrice: "2,750", note: "" };
  let harvestId = 0;
  const enter = async () => {
    ({ harvestId } = await asOwner.harvests.create({ projectId: farm.project.id, round: 1, ...facts }));
  };
  expect(await toldBy(enter)).toEqual(["administrators"]);
  expect(await toldBy(async () => asOwner.harvests.open(await seenDraft(deps.db, harvestId)))).toEqual(["everybody"]);
  const chooser = await farm.as(1);
  const choose = () => chooser.harvests.choose({ harvestId, taken: "100", given: "0" });
  expect(await toldBy(choose)).toEqual([farm.backers[1]?.id]);
});

test("what the jobs did is told to everybody, or to the one whose produce it is", async () => {
  const harvestId = await openHarvestOf(asOwner, farm, 1_000_000n);
  await (await farm.as(1)).harvests.choose({ harvestId, taken: "100", given: "0" });
  expect(await toldBy(() => endChoosing(deps, harvestId))).toEqual(["everybody"]);
  const { collectsUntil } = await findHarvest(deps, harvestId);
  deps.clock.advance({ ms: (collectsUntil?.getTime() ?? 0) - deps.clock.now().getTime() + 1000 });
  expect(await toldBy(() => sweepHarvests(deps))).toEqual([farm.backers[1]?.id]);
});

test("a collection is told to its taker, costs and sales to administrators, a settlement to everybody", async () => {
  const harvestId = await openHarvestOf(asOwner, farm, 1_000_000n);
  await (await farm.as(1)).harvests.choose({ harvestId, taken: "100", given: "0" });
  await endChoosing(deps, harvestId);
  const manager = await callAs(deps, owner);
  const code = (await partsOf(deps, harvestId)).find((part) => part.code)?.code ?? "";
  expect(await toldBy(() => manager.harvests.collect({ harvestId, code }))).toEqual([farm.backers[1]?.id]);
  const sold = () => sell(deps, { asker: owner, confirmer }, { harvestId, amountKobo: 180_000_000n });
  // The evidence of a sale is a file like any other.
  expect(await toldBy(sold)).toEqual(["administrators", "everybody"]);
  const account = await openOwnAccount(deps, { importedBy: owner.id });
  const saleId = await keepSale(deps, await callAs(deps, confirmer), { harvestId, amountKobo: 700_000n });
  const line = await keepLine(deps, account, { amountKobo: 700_000n, narration: "NIP FISH MARKET" });
  const parts = [{ kind: "sale" as const, amountKobo: 700_000n, saleId }];
  const match = () => manager.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts });
  expect(await toldBy(match)).toEqual(["administrators"]);
  const settle = () => manager.harvests.settle({ harvestId, pool: "sold", amount: "1,807,000" });
  expect(await toldBy(settle)).toEqual(["everybody"]);
  const fileId = await keepEvidence(deps, owner);
  expect(await toldBy(() => manager.harvests.addFile({ harvestId, fileId }))).toEqual(["everybody"]);
});
