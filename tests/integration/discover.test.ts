import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { farms } from "#server/db/schema/farms.ts";
import { projects } from "#server/db/schema/projects.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { type Caller, callAs } from "#tests/support/people.ts";
import { createFarm, createProject, farmOf, type TestFarm } from "#tests/support/projects.ts";
import { fundPlanned, insure, loseAll, openRecordOffice } from "#tests/support/records.ts";

/** The filters of /discover: alone, together, counted, and which one to leave out when nothing is found. */

const deps = await openTestDeps();
let visitor: Caller;
let unity: TestFarm;
const ids = { layers: 0, dear: 0, late: 0, ponds: 0, sold: 0, experienced: 0 };

beforeAll(async () => {
  visitor = await callAs(deps, "anonymous");
  const office = await openRecordOffice(deps);
  unity = await createFarm(deps.db, { name: "Unity Hens", state: "Kwara", place: "Offa" });
  const ofUnity = {
    farmId: unity.id,
    creator: unity.name,
    location: "Offa, Kwara",
    lots: 10,
    fundingGoalKobo: 80_000_000n,
  };
  const insured = { insurer: "Leadway", policy: "LW-1", covers: "Disease" };
  const make = (values: Parameters<typeof createProject>[1]) => createProject(deps.db, values);
  ids.layers = (
    await make({ ...ofUnity, title: "300 layers", terms: { firstHarvestOn: "2027-03-01", insurance: insured } })
  ).id;
  ids.dear = (
    await make({
      ...ofUnity,
      title: "Layers, brown",
      fundingGoalKobo: 300_000_000n,
      terms: { firstHarvestOn: "2027-03-01" },
    })
  ).id;
  ids.late = (await make({ ...ofUnity, title: "Layers, white", terms: { firstHarvestOn: "2027-09-01" } })).id;
  ids.sold = (await make({ ...ofUnity, title: "Layers, all held", lots: 1 })).id;
  ids.ponds = (await make({ title: "Catfish", creator: "Lagoon Fisheries", location: "Epe, Lagos" })).id;
  const lost = await fundPlanned(office, { lots: [2, 1, 1], firstHarvestInDays: 10 });
  await loseAll(office, lost, "The laboratory confirmed Newcastle disease.");
  await insure(office, lost, 1_000_000n);
  const { farmId } = farmOf(lost.project);
  const [experienced] = await deps.db.select().from(farms).where(eq(farms.id, farmId));
  ids.experienced = (await make({ farmId, creator: experienced?.name ?? "", title: "Broilers again" })).id;
}, 60_000);

type Input = Parameters<Caller["projects"]["list"]>[0];
const found = async (input: Input) =>
  (await visitor.projects.list({ sort: "newest", ...input })).items.map(({ id }) => id).sort((a, b) => a - b);

describe("a filter leaves", () => {
  test.each<[string, Input, (keyof typeof ids)[]]>([
    ["farms of a state", { state: "Kwara" }, ["layers", "dear", "late", "sold"]],
    ["lots of a price", { state: "Kwara", maxLotPrice: 100_000 }, ["layers", "late"]],
    ["an early harvest", { firstHarvestUntil: "2027-07-31" }, ["layers", "dear"]],
    ["what is insured", { isInsured: true }, ["layers"]],
    ["farms with a finished round, also one that was lost", { hasRecord: true }, ["experienced"]],
    ["free lots", { search: "catfish", hasFreeLots: true }, ["ponds"]],
    ["a farm by its name", { search: "unity h" }, ["layers", "dear", "late", "sold"]],
    ["words in any order, each somewhere", { search: "kwara layers" }, ["layers", "dear", "late", "sold"]],
    ["a place", { search: "epe, la" }, ["ponds"]],
    [
      "words and filters together",
      { search: "layers", state: "Kwara", maxLotPrice: 100_000, firstHarvestUntil: "2027-07-31" },
      ["layers"],
    ],
    ["nothing of a state that isn't one", { state: "Atlantis" }, []],
  ])("%s", async (_, input, names) => {
    expect(await found(input)).toEqual(names.map((name) => ids[name]).sort((a, b) => a - b));
    expect(await visitor.projects.count(input ?? {})).toEqual({ total: names.length });
  });
});

test("pages of a narrowed list follow each other in every order", async () => {
  const farm = await createFarm(deps.db, { name: "Jos Potatoes", state: "Plateau" });
  for (let index = 0; index < 15; index++) {
    await createProject(deps.db, {
      farmId: farm.id,
      creator: farm.name,
      title: `Potatoes ${index}`,
      backersCount: index % 3,
    });
  }
  for (const sort of ["popular", "funded", "newest", "ending"] as const) {
    const first = await visitor.projects.list({ state: "Plateau", sort });
    const next = await visitor.projects.list({ state: "Plateau", sort, cursor: first.nextCursor });
    expect([first.items.length, next.items.length, next.nextCursor]).toEqual([12, 3, null]);
    expect(new Set([...first.items, ...next.items].map(({ id }) => id)).size).toBe(15);
  }
});

test("where nothing is found, the filter without which most is found is named", async () => {
  const input = { search: "layers", state: "Kwara", maxLotPrice: 25_000, hasFreeLots: true };
  expect(await visitor.projects.looseFilter(input)).toEqual({ best: { filter: "maxLotPrice", total: 4 } });
  const hopeless = { search: "submarines", state: "Kwara", maxLotPrice: 25_000 };
  expect(await visitor.projects.looseFilter(hopeless)).toEqual({ best: null });
});

test("projects that run are counted by their farm's state, as the filter finds them", async () => {
  const { states } = await visitor.projects.countByState();
  for (const { state, total } of states) expect(await visitor.projects.count({ state })).toEqual({ total });
  expect(states).toContainEqual({ state: "Kwara", total: 4 });
  await deps.db
    .update(projects)
    .set({ isClosed: true, closedAt: deps.clock.now() })
    .where(eq(projects.farmId, unity.id));
  const left = (await visitor.projects.countByState()).states.map(({ state }) => state);
  expect(left).toEqual(states.flatMap(({ state }) => (state === "Kwara" ? [] : [state])));
});

test("a filter that makes no sense is refused", async () => {
  for (const wrong of [{ maxLotPrice: 0 }, { maxLotPrice: 1.5 }, { firstHarvestUntil: "2027-13-01" }]) {
    await expect(visitor.projects.list(wrong)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
});
