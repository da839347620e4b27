import { and, eq, sql } from "drizzle-orm";
import superjson from "superjson";
import { beforeAll, expect, test } from "vitest";
import { harvestParts } from "#server/db/schema/harvests.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { type Farm, fundFarm, openHarvestOf } from "#tests/support/harvests.ts";
import { setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";

/** A farm of sixty harvests and a thousand backers, as an administrator opens it. */

const deps = await openTestDeps();
const { db } = deps;
let owner: TestUser;
let farm: Farm;

const bytesOf = (answer: unknown) => Buffer.byteLength(JSON.stringify(superjson.serialize(answer)));

beforeAll(async () => {
  await emptyDatabase(db);
  owner = await createAdmin(db, "owner");
  await setBankDetails(db);
  farm = await fundFarm(deps, { owner, lots: [1] });
  const { id: projectId, title } = farm.project;
  await db.execute(sql`insert into users (email, full_name, email_verified_at)
    select 'backer' || n || '@example.com', 'Backer ' || n, now() from generate_series(1, 1000) n`);
  await db.execute(sql`insert into harvests (project_id, project_title, round, number, place, is_insurance, state, quantity,
      opened_quantity, reference_price_kobo, created_by, opened_at, chooses_until, allotted_at, farm_quantity, collects_until)
    select ${projectId}, ${title}, 1, n, n, false, 'allotted', 1000000, 1000000, 275000, ${owner.id}, now(), now(), now(), 0, now()
    from generate_series(1, 60) n`);
  await db.execute(sql`insert into harvest_parts (harvest_id, backing_id, user_id, weight_kobo, quantity, taken, given, sold,
      produce_kobo, code)
    select h.id, 1000 + n, u.id, 5000000, 1000, 400, 0, 600, 110000, lpad(n::text, 6, '0')
    from harvests h, generate_series(1, 1000) n join users u on u.email = 'backer' || n || '@example.com'`);
});

test("the list is short, and so is a harvest without its parts", async () => {
  const asOwner = await callAs(deps, owner);
  const list = await asOwner.harvests.ofProject({ projectId: farm.project.id });
  expect(list.harvests).toHaveLength(60);
  expect(bytesOf(list)).toBeLessThan(20_000);
  const harvest = await asOwner.harvests.one({ harvestId: list.harvests[0]?.id ?? 0 });
  expect(bytesOf(harvest)).toBeLessThan(5_000);
  expect(harvest.parts).toMatchObject({
    count: 1000,
    chosen: 0,
    collected: 0,
    uncollected: 0,
    takers: 1000,
    quantity: 1_000_000n,
    taken: 400_000n,
    given: 0n,
    sold: 600_000n,
    uncollectedQuantity: 0n,
  });
});

test("the parts come fifty at a time, each once, whatever is found meanwhile", async () => {
  const asOwner = await callAs(deps, owner);
  const [{ id: harvestId } = { id: 0 }] = (await asOwner.harvests.ofProject({ projectId: farm.project.id })).harvests;
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof asOwner.harvests.parts>> = await asOwner.harvests.parts({
      harvestId,
      cursor,
    });
    expect(page.items.length).toBeLessThanOrEqual(50);
    seen.push(...page.items.map(({ backingId }) => backingId));
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen).toEqual(Array.from({ length: 1000 }, (_, index) => 1001 + index));
  await expect(asOwner.harvests.parts({ harvestId, cursor: "x" })).rejects.toThrow("This page of the list");
  await expect(asOwner.harvests.parts({ harvestId: 4_000_000 })).rejects.toThrow(harvestTexts.gone);
  await expect(asOwner.harvests.one({ harvestId: 4_000_000 })).rejects.toThrow(harvestTexts.gone);
});

test("parts are found by name, and by what is still to come of them", async () => {
  const asOwner = await callAs(deps, owner);
  const [{ id: harvestId } = { id: 0 }] = (await asOwner.harvests.ofProject({ projectId: farm.project.id })).harvests;
  const names = async (input: { search?: string; shown?: "all" | "unchosen" | "waiting" }) =>
    (await asOwner.harvests.parts({ harvestId, ...input })).items.map(({ name }) => name);
  expect(await names({ search: "backer 77" })).toEqual([
    ...["Backer 77", "Backer 770", "Backer 771", "Backer 772", "Backer 773", "Backer 774"],
    ...["Backer 775", "Backer 776", "Backer 777", "Backer 778", "Backer 779"],
  ]);
  // Nothing in a name is a pattern.
  expect(await names({ search: "%" })).toEqual([]);
  const isOne = (code: string) => and(eq(harvestParts.harvestId, harvestId), eq(harvestParts.code, code));
  await db.update(harvestParts).set({ collectedAt: new Date(), collectedBy: owner.id }).where(isOne("000777"));
  await db.update(harvestParts).set({ uncollectedAt: new Date() }).where(isOne("000778"));
  // Who was late has not collected either.
  const uncollected = await names({ search: "Backer 77", shown: "waiting" });
  expect(uncollected).toHaveLength(10);
  expect(uncollected).toContain("Backer 778");
  expect(await names({ search: "Backer 77", shown: "unchosen" })).toHaveLength(11);
  expect((await asOwner.harvests.one({ harvestId })).parts).toMatchObject({
    collected: 1,
    uncollected: 1,
    uncollectedQuantity: 400n,
  });
});

test("while backers choose a part is what it would be now", async () => {
  const other = await fundFarm(deps, { owner, lots: [1, 3], farmPart: "10" });
  const asOwner = await callAs(deps, owner);
  const harvestId = await openHarvestOf(asOwner, other, 1_000_000n);
  await (await other.as(1)).harvests.choose({ harvestId, taken: "100", given: "50" });
  expect(await asOwner.harvests.one({ harvestId })).toMatchObject({
    farmQuantity: 100_000n,
    parts: { count: 2, chosen: 1, takers: 1, quantity: 900_000n, taken: 100_000n, given: 50_000n, sold: 750_000n },
  });
  expect((await asOwner.harvests.parts({ harvestId })).items).toMatchObject([
    { quantity: 225_000n, taken: 0n, given: 0n, sold: 225_000n, chosenAt: null },
    { quantity: 675_000n, taken: 100_000n, given: 50_000n, sold: 525_000n },
  ]);
  expect((await asOwner.harvests.parts({ harvestId, shown: "unchosen" })).items).toHaveLength(1);
});
