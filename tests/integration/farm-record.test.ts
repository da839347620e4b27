import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { farms } from "#server/db/schema/farms.ts";
import { settings } from "#server/db/schema/settings.ts";
import { type ExportName, exportPath } from "#shared/exports/texts.ts";
import { recordTexts } from "#shared/farms/record.ts";
import { requireSignInKey } from "#shared/settings/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { cellsOf, download } from "#tests/support/downloads.ts";
import type { Farm } from "#tests/support/harvests.ts";
import { expectMoneyHolds } from "#tests/support/money.ts";
import { callAs } from "#tests/support/people.ts";
import { createFarm, createProject, farmOf } from "#tests/support/projects.ts";
import {
  fundPlanned,
  goodFarm,
  harvestAndCollect,
  insure,
  loseAll,
  openRecordOffice,
  payBackers,
  sellByBank,
  sellByWord,
  settleAll,
} from "#tests/support/records.ts";

/** The public record of a farm's rounds, beside the same figures worked out by hand from the exports. */

const deps = await openTestDeps();
const office = await openRecordOffice(deps);
let app: FastifyInstance;
beforeAll(async () => {
  app = await buildApp(deps);
});
afterAll(() => app.close());
afterEach(() => expectMoneyHolds(deps));

const visitor = () => callAs(deps, "anonymous");
const recordOf = async ({ project }: Farm) => (await (await visitor()).farmPages.record(farmOf(project))).rounds;
async function roundOf(farm: Farm) {
  const [round, ...others] = await recordOf(farm);
  expect(others).toEqual([]);
  if (!round) throw new Error("the farm has no record");
  return round;
}

type Row = Record<string, string>;
/** The rows of an export, by its titles. */
async function exported(name: ExportName): Promise<Row[]> {
  const answer = await download(deps, app, office.owners.asker, exportPath(name, "csv"));
  expect(answer.statusCode).toBe(200);
  const [titles = [], ...lines] = cellsOf(answer.body);
  return lines.map((cells) => Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? ""])));
}
const koboOf = (naira = "") => BigInt(naira.replace(".", "") || "0");
const sumOf = (rows: Row[], title: string) => rows.reduce((sum, row) => sum + koboOf(row[title]), 0n);

/** Works out a project's sums from the exports, per ₦100,000 of its approved payments, rounded down to ₦100. */
async function byHand({ project }: Farm) {
  const isIts = (row: Row) => row["Project ID"] === String(project.id);
  const paid = sumOf(
    (await exported("payments")).filter((row) => isIts(row) && row.Status === "Approved"),
    "Amount (NGN)",
  );
  const payouts = (await exported("payouts")).filter((row) => isIts(row) && row.Kind === "Harvest");
  const per = (kobo: bigint) => ((kobo * 10_000_000n) / paid / 10_000n) * 10_000n;
  const [harvest] = (await exported("harvests")).filter((row) => isIts(row) && row.Insurance !== "Yes");
  const taken = BigInt(Math.round(Number(harvest?.Taken ?? 0) * 1000));
  return {
    paid: per(
      sumOf(
        payouts.filter(({ State }) => State === "Paid"),
        "Amount (NGN)",
      ),
    ),
    owed: per(
      sumOf(
        payouts.filter(({ State }) => ["No account yet", "Due", "Overdue", "In a run", "Sent"].includes(State ?? "")),
        "Amount (NGN)",
      ),
    ),
    produce: per((taken * koboOf(harvest?.["Price used for estimates (NGN)"])) / 1000n),
    counted: BigInt(Math.round(Number(harvest?.Quantity ?? 0) * 1000)),
  };
}

test("a good, a late and a lost farm side by side, with the figures that the exports give by hand", async () => {
  const good = await goodFarm(office);

  const late = await fundPlanned(office, { lots: [2, 2, 1], firstHarvestInDays: -20 });
  const lateHarvest = await harvestAndCollect(office, late, { quantity: 950_000n, taken: "0" });
  deps.clock.advance({ days: 3 });
  await sellByWord(office, { harvestId: lateHarvest, quantity: 950_000n, amountKobo: 190_000_000n });
  const lateSettlement = await settleAll(office, lateHarvest, 190_000_000n);
  await payBackers(office, lateSettlement, { isSeen: false });

  const lost = await fundPlanned(office, { lots: [4, 3, 2], firstHarvestInDays: 30 });
  const note = "The laboratory confirmed Newcastle disease.";
  await loseAll(office, lost, note);
  await payBackers(office, await insure(office, lost, 30_000_000n), { afterDays: 1 });

  const rounds = { good: await roundOf(good.farm), late: await roundOf(late), lost: await roundOf(lost) };
  const hand = { good: await byHand(good.farm), late: await byHand(late), lost: await byHand(lost) };
  expect(rounds.good).toMatchObject({
    stage: "finished",
    lots: 6,
    approvedLots: 6,
    lotsSource: "owners",
    isFew: false,
    harvests: [
      { number: 1, counted: 1_000_000n, planned: 1_000_000n, daysToBackers: 4, source: "farm", state: "done" },
    ],
    price: { plannedKobo: 275_000n, reachedKobo: 100_000n, source: "bank" },
    shares: {
      paid: { share: { kobo: hand.good.paid }, source: "bank" },
      produce: { share: { kobo: hand.good.produce }, source: "farm" },
      onItsWay: { share: { kobo: 0n } },
      insurance: { share: { kobo: 0n } },
    },
  });
  expect(rounds.good.harvests[0]?.happenedOn).toBe(rounds.good.harvests[0]?.plannedOn);
  // ₦940,000 less the farm's tenth, and 5% of the rest: of ₦600,000 paid.
  expect(hand.good).toMatchObject({ paid: 13_300_000n, produce: 2_750_000n, counted: 1_000_000n });

  expect(rounds.late).toMatchObject({
    stage: "running",
    harvests: [{ counted: 950_000n, daysToBackers: null }],
    price: { reachedKobo: 200_000n, source: "owners" },
    shares: { paid: { share: { kobo: 0n } }, onItsWay: { share: { kobo: hand.late.owed } } },
  });
  const [harvest] = rounds.late.harvests;
  expect(Date.parse(harvest?.happenedOn ?? "") - Date.parse(harvest?.plannedOn ?? "")).toBe(20 * 86_400_000);
  expect(hand.late.owed).toBe(32_490_000n);

  expect(rounds.lost).toMatchObject({
    stage: "lost",
    harvests: [
      { number: 1, state: "lost", note, source: "owners" },
      { number: 2, isInsurance: true, planned: null },
    ],
    price: { reachedKobo: null },
    shares: {
      paid: { share: { kobo: 0n } },
      insurance: { share: { kobo: hand.lost.paid }, source: "bank" },
    },
  });
  expect(hand.lost.paid).toBe(3_330_000n);
});

test("a reversed settlement is followed at the next reading", async () => {
  const farm = await fundPlanned(office, { lots: [1, 1, 1], firstHarvestInDays: 0 });
  const harvestId = await harvestAndCollect(office, farm, { quantity: 1_000_000n, taken: "0" });
  await sellByBank(office, { harvestId, quantity: 1_000_000n, amountKobo: 30_000_000n });
  const settlementId = await settleAll(office, harvestId, 30_000_000n);
  const before = await roundOf(farm);
  expect(before).toMatchObject({
    harvests: [{ state: "settled" }],
    shares: { onItsWay: { share: { kobo: 8_550_000n } } },
  });
  const reason = "The price was typed wrong at first.";
  await (await callAs(deps, office.owners.asker)).harvests.reverse({ settlementId, reason });
  const after = await roundOf(farm);
  expect(after).toMatchObject({ harvests: [{ state: "allotted" }], shares: { onItsWay: { share: { kobo: 0n } } } });
});

test("a round's figures stay as they were once its project is deleted", async () => {
  const farm = await fundPlanned(office, { lots: [4, 3, 2], firstHarvestInDays: 30 });
  await loseAll(office, farm, "The laboratory confirmed Newcastle disease.");
  const before = await roundOf(farm);
  expect(before).toMatchObject({ lotsSource: "owners", isFew: false, shares: { paid: { share: { kobo: 0n } } } });
  await (await callAs(deps, office.owners.asker)).projects.delete({ projectId: farm.project.id });
  expect(await roundOf(farm)).toEqual({ ...before, projectId: null });
});

test("where fewer than three people paid, percentages rounded to 5 stand in the place of sums", async () => {
  const farm = await fundPlanned(office, { lots: [4, 1], firstHarvestInDays: 0 });
  const harvestId = await harvestAndCollect(office, farm, { quantity: 1_000_000n, taken: "37" });
  await sellByBank(office, { harvestId, quantity: 963_000n, amountKobo: 51_234_567n });
  await payBackers(office, await settleAll(office, harvestId, 51_234_567n));
  const { isFew, shares } = await roundOf(farm);
  expect(isFew).toBe(true);
  for (const { share } of Object.values(shares)) {
    expect(Object.keys(share ?? {})).toEqual(["percent"]);
    expect((share as { percent: number }).percent % 5).toBe(0);
  }
  expect(shares.paid.share).toEqual({ percent: 85 });
});

describe("the page of a farm", () => {
  const pageOf = async (farmId: number) => (await visitor()).farmPages.page({ farmId });

  test("has what anybody may know, and the projects that run", async () => {
    const farm = await createFarm(deps.db, {
      name: "Unity Layers",
      state: "Kwara",
      place: "Ilorin",
      sinceYear: 2014,
      visitedOn: "2026-11-01",
      visitedBy: "Chidi Eze",
      visitNote: "The roof leaks.",
    });
    await expect(pageOf(farm.id)).rejects.toThrow(recordTexts.notFound);
    const project = await createProject(deps.db, { farmId: farm.id, creator: farm.name });
    const page = await pageOf(farm.id);
    expect(page).toMatchObject({
      name: "Unity Layers",
      sinceYear: 2014,
      visitedOn: "2026-11-01",
      running: [{ id: project.id }],
      record: [],
      reports: [],
    });
    expect(JSON.stringify(page, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toMatch(
      /Chidi|leaks|latitude|registration/,
    );
    await deps.db.update(farms).set({ closedAt: deps.clock.now() }).where(eq(farms.id, farm.id));
    expect(await pageOf(farm.id)).toMatchObject({ isClosed: true });
  });

  test("asks for a sign-in where projects do", async () => {
    const project = await createProject(deps.db);
    await deps.db.insert(settings).values({ key: requireSignInKey, value: "true" });
    await expect(pageOf(farmOf(project).farmId)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await expect((await visitor()).farmPages.record(farmOf(project))).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await deps.db.delete(settings).where(eq(settings.key, requireSignInKey));
    expect(await pageOf(farmOf(project).farmId)).toMatchObject({ running: [{ id: project.id }] });
  });
});
