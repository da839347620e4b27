import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { users } from "#server/db/schema/users.ts";
import { remindOfHarvests, sweepHarvests } from "#server/features/harvests/jobs.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { openTestReplicas, queuedMailsTo } from "#tests/support/deps.ts";
import { type Farm, findHarvest, fundFarm, openHarvestOf, partsOf } from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser, testPassword } from "#tests/support/people.ts";
import { startEachWith } from "#tests/support/scene.ts";

/** Harvests by the clock: the last day for choosing, the last day for collecting, and reminders of both. */

const { deps, replicas } = await openTestReplicas();
let owner: TestUser;
let farm: Farm;
let harvestId: number;

/** A Monday at nine in Lagos. Choosing lasts 14 days, until the end of 7 December; collecting 7 days more. */
const monday = new Date("2026-11-23T08:00:00.000Z");
const lastSecond = new Date("2026-12-07T22:59:59.000Z");

startEachWith(deps, async () => {
  deps.clock.set(monday);
  owner = await createAdmin(deps.db, "owner");
  await setBankDetails(deps.db);
  const first = await fundFarm(deps, { owner, lots: [2, 1, 1] });
  const opened = await openHarvestOf(await callAs(deps, owner), first, 100_000n);
  return () => {
    [farm, harvestId] = [first, opened];
  };
});
afterEach(() => expectMoneyHolds(deps));

const at = (moment: string) => deps.clock.set(new Date(moment));
const choose = async (index: number, taken: string) =>
  (await farm.as(index)).harvests.choose({ harvestId, taken, given: "0" });
const mineOf = async (index: number) => (await (await farm.as(index)).harvests.mine({ projectId: farm.project.id }))[0];
const subjectsTo = async (index: number) =>
  (await queuedMailsTo(deps.db, farm.backers[index]?.email ?? "")).map(({ subject }) => subject);
const countOf = async (index: number, subject: RegExp) =>
  (await subjectsTo(index)).filter((one) => subject.test(one)).length;

test("choosing ends by itself in the last second of the last day, and what nobody chose is sold", async () => {
  await choose(0, "20");
  deps.clock.set(lastSecond);
  await choose(1, "5");
  await sweepHarvests(deps);
  expect(await findHarvest(deps, harvestId)).toMatchObject({ state: "choosing", choosesUntil: lastSecond });

  deps.clock.advance({ ms: 1000 });
  await expect(choose(1, "6")).rejects.toThrow(texts.notChoosing);
  await sweepHarvests(deps);
  expect(await findHarvest(deps, harvestId)).toMatchObject({ state: "allotted" });
  const parts = await partsOf(deps, harvestId);
  expect(parts.map(({ taken, sold }) => [taken, sold])).toEqual([
    [20_000n, 30_000n],
    [5000n, 20_000n],
    [0n, 25_000n],
  ]);
  expect(await countOf(0, /^Collect your produce/)).toBe(1);
  expect(await countOf(2, /^Collect your produce/)).toBe(0);
});

test("a job that died keeps nobody from reading what is so, nor lets anybody choose or collect too late", async () => {
  await choose(0, "20");
  at("2026-12-09T09:00:00Z");
  expect((await mineOf(0))?.mine).toMatchObject({ quantity: 50_000n, taken: 20_000n, sold: 30_000n });
  await expect(choose(0, "0")).rejects.toThrow(texts.notChoosing);
  await sweepHarvests(deps);
  expect((await mineOf(0))?.mine).toMatchObject({ quantity: 50_000n, taken: 20_000n, sold: 30_000n });

  const { collectsUntil } = await findHarvest(deps, harvestId);
  expect(collectsUntil).toEqual(new Date("2026-12-16T22:59:59.000Z"));
  deps.clock.set(new Date((collectsUntil?.getTime() ?? 0) + 1000));
  const [part] = await partsOf(deps, harvestId);
  const late = (await callAs(deps, owner)).harvests.collect({ harvestId, code: part?.code ?? "" });
  await expect(late).rejects.toThrow(texts.collectingOver);
});

test("run twice, and by two replicas at once, everything happens once", async () => {
  await choose(0, "20");
  await choose(1, "5");
  at("2026-12-08T00:00:00Z");
  await Promise.all(replicas.map((replica) => sweepHarvests(replica)));
  await sweepHarvests(deps);
  const codes = (await partsOf(deps, harvestId)).map(({ code }) => code);
  const [first] = await partsOf(deps, harvestId);
  await (await callAs(deps, owner)).harvests.collect({ harvestId, code: first?.code ?? "" });

  at("2026-12-16T00:00:00Z");
  await Promise.all(replicas.map((replica) => sweepHarvests(replica)));
  await sweepHarvests(deps);
  const parts = await partsOf(deps, harvestId);
  expect(parts.map(({ code }) => code)).toEqual(codes);
  expect(parts.map(({ collectedAt, uncollectedAt }) => [collectedAt !== null, uncollectedAt !== null])).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
  expect([await countOf(0, /^Collect/), await countOf(1, /^Collect/), await countOf(1, /was not collected$/)]).toEqual([
    1, 1, 1,
  ]);
  expect(await countOf(0, /was not collected$/)).toBe(0);
  const stock = (await deps.db.select().from(ledgerEntries)).filter(({ account }) => account === "produce_stock");
  expect(stock.reduce((sum, { amountKobo }) => sum + amountKobo, 0n)).toBe(0n);
});

test("who hasn't chosen is reminded seven, three and one days before the end, by day, once each", async () => {
  await choose(0, "20");
  const reminders: [string, string[]][] = [
    ["2026-11-29T12:00:00Z", []],
    // Before seven in Lagos nobody is written to.
    ["2026-11-30T05:14:00Z", []],
    ["2026-11-30T06:14:00Z", ["7 days left"]],
    ["2026-11-30T20:14:00Z", ["7 days left"]],
    ["2026-12-03T12:00:00Z", ["7 days left"]],
    ["2026-12-04T06:14:00Z", ["7 days left", "3 days left"]],
    ["2026-12-06T06:14:00Z", ["7 days left", "3 days left", "one day left"]],
    ["2026-12-07T12:00:00Z", ["7 days left", "3 days left", "one day left"]],
  ];
  for (const [moment, expected] of reminders) {
    at(moment);
    await Promise.all(replicas.map((replica) => remindOfHarvests(replica)));
    await remindOfHarvests(deps);
    const got = (await subjectsTo(1)).flatMap((subject) => /: (.* left) to choose$/.exec(subject)?.[1] ?? []);
    expect([moment, got]).toEqual([moment, expected]);
  }
  expect(await countOf(0, /left to choose/)).toBe(0);
});

test("who can't sign in isn't asked to choose, but told that it is sold for them", async () => {
  const [, blocked] = farm.backers;
  await deps.db
    .update(users)
    .set({ isBlocked: true })
    .where(eq(users.id, blocked?.id ?? ""));
  await (await farm.as(2)).users.close({ currentPassword: testPassword, confirmation: "close my account" });
  at("2026-12-06T08:00:00Z");
  await remindOfHarvests(deps);
  const asked = await Promise.all([0, 1, 2].map((index) => countOf(index, /left to choose/)));
  expect(asked).toEqual([1, 0, 0]);

  await openHarvestOf(await callAs(deps, owner), farm, 50_000n);
  const last = async (index: number) => (await queuedMailsTo(deps.db, farm.backers[index]?.email ?? "")).at(-1);
  expect((await last(0))?.subject).toMatch(/: choose by/);
  for (const index of [1, 2]) {
    const told = await last(index);
    expect(told?.subject).toBe(`${farm.project.title} has harvested`);
    expect(told?.text).toContain("it is sold for you");
  }
});

test("where the terms offer nothing but a sale nobody is asked to choose", async () => {
  farm = await fundFarm(deps, { owner, lots: [1], options: ["sale"] });
  harvestId = await openHarvestOf(await callAs(deps, owner), farm, 100_000n);
  at("2026-12-07T08:00:00.000Z");
  await remindOfHarvests(deps);
  expect((await subjectsTo(0)).filter((subject) => /choose|has harvested/.test(subject))).toEqual([
    `${farm.project.title} has harvested`,
  ]);
});

test("a reminder that was missed is sent late with the days that are left, and choosing once ends them", async () => {
  at("2026-12-05T08:00:00Z");
  await remindOfHarvests(deps);
  expect((await subjectsTo(1)).filter((one) => /left to choose/.test(one))).toEqual([
    expect.stringMatching(/: 2 days left to choose$/),
  ]);
  await choose(1, "5");
  at("2026-12-07T08:00:00Z");
  await remindOfHarvests(deps);
  expect(await countOf(1, /left to choose/)).toBe(1);
  expect(await countOf(2, /: only today left to choose$/)).toBe(1);
  at("2026-12-08T08:00:00Z");
  await remindOfHarvests(deps);
  expect(await countOf(2, /left to choose/)).toBe(2);
});

test("who takes produce is reminded a day before the end, unless it was collected", async () => {
  await choose(0, "20");
  await choose(1, "5");
  at("2026-12-08T08:00:00Z");
  await sweepHarvests(deps);
  const [first] = await partsOf(deps, harvestId);
  await (await callAs(deps, owner)).harvests.collect({ harvestId, code: first?.code ?? "" });
  at("2026-12-13T12:00:00Z");
  await remindOfHarvests(deps);
  expect([await countOf(0, /^Collect/), await countOf(1, /^Collect/)]).toEqual([1, 1]);
  for (const moment of ["2026-12-14T06:14:00Z", "2026-12-14T12:14:00Z", "2026-12-15T12:14:00Z"]) {
    at(moment);
    await remindOfHarvests(deps);
  }
  expect([await countOf(0, /^Collect/), await countOf(1, /^Collect/), await countOf(2, /^Collect/)]).toEqual([1, 2, 0]);
});
