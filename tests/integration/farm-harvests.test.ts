import { and, desc, eq, isNull } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { farmPeople } from "#server/db/schema/farms.ts";
import { harvestCosts, harvestFiles, harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { auditSentence } from "#shared/audit-log/sentences.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import {
  endChoosing,
  type Farm,
  findHarvest,
  fundFarm,
  keepEvidence,
  openHarvestOf,
  partsOf,
  seenDraft,
} from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { twoAgree } from "#tests/support/second-person.ts";

/** Keepers' acts on their farm's harvests, which nobody else can do by a keeper's rights. */

const deps = await openTestDeps();
const { db } = deps;
let amaka: TestUser;
let bola: TestUser;
let farm: Farm;
let keeper: TestUser;
const as = (who: TestUser) => callAs(deps, who);
const farmIdOf = ({ project }: Farm) => project.farmId ?? 0;

startEachWith(deps, async () => {
  amaka = await createAdmin(db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(db, "owner", { fullName: "Bola Ade" });
  await setBankDetails(db);
  farm = await fundFarm(deps, { owner: amaka, lots: [1, 1], plannedQuantity: "1000", costs: ["Feed", "Transport"] });
  keeper = await createFarmPerson(db, farmIdOf(farm), "keeper");
});
afterEach(() => expectMoneyHolds(deps));

const facts = { quantity: "950", lostQuantity: "20", referencePrice: "2,750", note: "" };
const draft = async (by = keeper, more: Partial<typeof facts> = {}) => {
  const input = { projectId: farm.project.id, round: 1, ...facts, ...more };
  return (await (await as(by)).farmHarvests.draft(input)).harvestId;
};
const costOf = async (harvestId: number, by: TestUser) => ({
  harvestId,
  label: "Feed",
  amount: "185,000",
  fileId: await keepEvidence(deps, by),
});
const lastEntry = async (actionType: string) => {
  const [entry] = await db
    .select()
    .from(auditLogs)
    .where(eq(auditLogs.actionType, actionType))
    .orderBy(desc(auditLogs.id))
    .limit(1);
  if (!entry) throw new Error(`nothing of ${actionType} is in the log`);
  const details = entry.details as Record<string, unknown>;
  const names = { actor: "Ngozi Bello", person: null, asker: null, project: null, payment: null };
  return { ...entry, details, sentence: auditSentence({ ...entry, details, names }) };
};

/** Makes a harvest of which the first backer takes 300 kg. Returns its id and their code. */
async function readyToCollect(): Promise<{ harvestId: number; code: string }> {
  const harvestId = await openHarvestOf(await as(amaka), farm, 1_000_000n, await as(bola));
  await (await farm.as(0)).harvests.choose({ harvestId, taken: "300", given: "50" });
  await endChoosing(deps, harvestId);
  return { harvestId, code: (await partsOf(deps, harvestId))[0]?.code ?? "" };
}

describe("a draft", () => {
  test("is entered, changed and given a photo by a keeper, and its entries name the farm", async () => {
    const harvestId = await draft();
    expect(await findHarvest(deps, harvestId)).toMatchObject({
      state: "draft",
      quantity: 950_000n,
      createdBy: keeper.id,
    });
    const { farmHarvests } = await as(keeper);
    const { updatedAt: seenAt } = await farmHarvests.one({ harvestId });
    const reason = "The lower pond was flooded for nine days.";
    await expect(farmHarvests.change({ ...facts, quantity: "600", harvestId, seenAt })).rejects.toThrow(
      texts.shortNote,
    );
    deps.clock.advance({ seconds: 1 });
    await farmHarvests.change({ ...facts, quantity: "600", note: reason, harvestId, seenAt });
    await farmHarvests.addFile({ harvestId, fileId: await keepEvidence(deps, keeper) });
    expect(await farmHarvests.one({ harvestId })).toMatchObject({
      quantity: 600_000n,
      note: reason,
      files: [{ purpose: "harvest", name: "weighing.pdf" }],
    });
    await expect(farmHarvests.change({ ...facts, harvestId, seenAt })).rejects.toThrow(texts.changed);
    const [{ name } = { name: "" }] = await (await as(keeper)).farms.mine();
    for (const [action, does] of [
      ["create_harvest", "created harvest 1"],
      ["edit_harvest", "edited harvest 1"],
      ["add_harvest_file", "added a file to harvest 1"],
    ] as const) {
      const entry = await lastEntry(action);
      expect(entry).toMatchObject({ userId: keeper.id, details: { keeperOf: { farmId: farmIdOf(farm), farm: name } } });
      expect(entry.sentence).toBe(`Ngozi Bello, keeper of ${name}, ${does} of ${farm.project.title}`);
    }
  });

  test("isn't opened, by one or by two, as it was before a keeper changed it", async () => {
    const harvestId = await draft();
    const seen = await seenDraft(db, harvestId);
    deps.clock.advance({ seconds: 1 });
    const { farmHarvests } = await as(keeper);
    await farmHarvests.change({ ...facts, quantity: "940", ...seen });
    const owner = await as(amaka);
    await expect(owner.harvests.open(seen)).rejects.toThrow(texts.changed);
    const details = { harvestId, seenAt: seen.seenAt.toISOString(), unseenKobo: "1" };
    const request = { kind: "open_harvest" as const, details, reason: "The backers showed us their bank's papers." };
    await expect(owner.secondPerson.ask(request)).rejects.toThrow(texts.changed);
    expect(await findHarvest(deps, harvestId)).toMatchObject({ state: "draft", quantity: 940_000n });
  });

  test("is opened by administrators only, and then no keeper changes it any more", async () => {
    const harvestId = await draft();
    await expect((await as(keeper)).harvests.open(await seenDraft(deps.db, harvestId))).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    const { farmHarvests } = await as(keeper);
    const { updatedAt: seenAt } = await farmHarvests.one({ harvestId });
    await db
      .update(harvests)
      .set({ state: "withdrawn", place: null, withdrawnAt: deps.clock.now() })
      .where(eq(harvests.id, harvestId));
    await expect(farmHarvests.change({ ...facts, harvestId, seenAt })).rejects.toThrow(texts.notDraft);
    const fileId = await keepEvidence(deps, keeper);
    await expect(farmHarvests.addFile({ harvestId, fileId })).rejects.toThrow(texts.notDraft);
    expect(await db.$count(harvestFiles, eq(harvestFiles.harvestId, harvestId))).toBe(0);
  });

  test("is told of to managers and owners, as a cost is, and an administrator's isn't", async () => {
    const manager = await createAdmin(db, "manager");
    const viewer = await createAdmin(db, "viewer");
    const told = async (who: TestUser) =>
      (await (await as(who)).notifications.list({})).items
        .filter(({ kind }) => kind === "farm_report")
        .map(({ content }) => content)
        .reverse();
    const { harvestId } = await (await as(amaka)).harvests.create({ projectId: farm.project.id, round: 1, ...facts });
    await draft();
    await (await as(keeper)).farmHarvests.addCost(await costOf(harvestId, keeper));
    const [{ name } = { name: "" }] = await (await as(keeper)).farms.mine();
    const { title } = farm.project;
    const expected = [
      `${name} entered harvest 2 of ${title}. Look at it and open it for choosing.`,
      `${name} entered a cost of harvest 1 of ${title}: ₦185,000 for Feed. Look at its evidence and have it counted.`,
    ];
    for (const who of [manager, amaka, bola]) {
      expect(await told(who)).toEqual(expected);
      const mails = (await queuedMailsTo(db, who.email)).map(({ subject }) => subject);
      for (const what of ["harvest", "cost"])
        expect(mails.filter((subject) => subject === `${title}: a farm entered a ${what}`)).toHaveLength(1);
    }
    for (const who of [viewer, keeper]) expect(await told(who)).toEqual([]);
  });

  test("is of a funded round only, and an insurer's sum is none of a keeper's", async () => {
    await expect(
      (await as(keeper)).farmHarvests.draft({ projectId: farm.project.id, round: 2, ...facts }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" });
    const { harvestId } = await (await as(amaka)).harvests.createInsurance({
      projectId: farm.project.id,
      round: 1,
      note: "",
    });
    await expect((await as(keeper)).farmHarvests.one({ harvestId })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await (await as(keeper)).farmHarvests.ofProject({ projectId: farm.project.id })).toMatchObject({
      harvests: [],
      rounds: [{ round: 1, deductibleCosts: ["Feed", "Transport"] }],
    });
  });
});

describe("a cost that a keeper enters", () => {
  test("is the farm's, has evidence, and counts only once two owners have confirmed it", async () => {
    const harvestId = await draft();
    const { farmHarvests } = await as(keeper);
    const cost = await costOf(harvestId, keeper);
    await farmHarvests.addCost(cost);
    const [kept] = await db.select().from(harvestCosts).where(eq(harvestCosts.harvestId, harvestId));
    expect(kept).toMatchObject({ paidBy: "farm", amountKobo: 18_500_000n, recordedBy: keeper.id, requestId: null });
    expect((await farmHarvests.one({ harvestId })).costs).toMatchObject([{ label: "Feed", isCounted: false }]);
    expect((await lastEntry("add_harvest_cost")).sentence).toMatch(
      /^Ngozi Bello, keeper of .+, added the cost “Feed” of ₦185,000 to harvest 1 of /,
    );
    await expect(farmHarvests.addCost(cost)).rejects.toThrow(texts.evidenceFirst);
    const others = await keepEvidence(deps, amaka);
    await expect(farmHarvests.addCost({ ...cost, fileId: others })).rejects.toThrow(texts.evidenceFirst);
    await expect(farmHarvests.addCost({ ...(await costOf(harvestId, keeper)), label: "A car" })).rejects.toThrow(
      texts.costUnknown,
    );
    expect(await db.$count(harvestCosts, eq(harvestCosts.harvestId, harvestId))).toBe(1);
  });

  test("is taken back by who entered it until two owners have counted it, and by no other keeper", async () => {
    const harvestId = await draft();
    const { farmHarvests } = await as(keeper);
    await farmHarvests.addCost(await costOf(harvestId, keeper));
    const [cost] = (await farmHarvests.one({ harvestId })).costs;
    const costId = cost?.id ?? 0;
    expect(cost).toMatchObject({ isOwn: true });
    const other = (await as(await createFarmPerson(db, farmIdOf(farm), "keeper"))).farmHarvests;
    expect((await other.one({ harvestId })).costs).toMatchObject([{ id: costId, isOwn: false }]);
    await expect(other.removeCost({ costId })).rejects.toThrow(texts.costOfOther);
    const details = { costId, amountKobo: "18500000" };
    const request = { kind: "count_cost" as const, details, reason: "We have both seen the farm's receipt." };
    await twoAgree(await as(amaka), await as(bola), request);
    await expect(farmHarvests.removeCost({ costId })).rejects.toThrow(texts.costCounted);
    const kept = and(eq(harvestCosts.harvestId, harvestId), isNull(harvestCosts.removedAt));
    expect(await db.$count(harvestCosts, kept)).toBe(1);
    await farmHarvests.addCost(await costOf(harvestId, keeper));
    const second = (await farmHarvests.one({ harvestId })).costs[1]?.id ?? 0;
    await farmHarvests.removeCost({ costId: second });
    expect((await farmHarvests.one({ harvestId })).costs).toMatchObject([{ id: costId }]);
    expect(await lastEntry("remove_harvest_cost")).toMatchObject({
      userId: keeper.id,
      details: { costId: second, keeperOf: { farmId: farmIdOf(farm) } },
    });
    await expect(farmHarvests.removeCost({ costId: second })).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("isn't confirmed by an owner who entered it as a keeper; another owner does", async () => {
    const harvestId = await draft();
    await createFarmPerson(db, farmIdOf(farm), "keeper", bola);
    const ofBola = eq(farmPeople.userId, bola.id);
    await db.update(farmPeople).set({ createdAt: deps.clock.now() }).where(ofBola);
    await (await as(bola)).farmHarvests.addCost(await costOf(harvestId, bola));
    const [cost] = await db.select().from(harvestCosts).where(eq(harvestCosts.harvestId, harvestId));
    const details = { costId: cost?.id ?? 0, amountKobo: "18500000" };
    const request = { kind: "count_cost" as const, details, reason: "We have both seen the farm's receipt." };
    const confirmAs = async (who: TestUser) => {
      const { secondPerson } = await as(who);
      const { requests } = await secondPerson.list();
      const asked = requests.at(-1);
      return { refusal: asked?.refusal, confirming: secondPerson.confirm({ requestId: asked?.id ?? 0 }) };
    };
    await (await as(amaka)).secondPerson.ask(request);
    // Their work for the farm may have ended since.
    await db.update(farmPeople).set({ endedAt: deps.clock.now() }).where(ofBola);
    const refused = await confirmAs(bola);
    expect(refused.refusal).toBe(texts.costByKeeper);
    await expect(refused.confirming).rejects.toThrow(texts.costByKeeper);
    const counted = async () =>
      (await db.select().from(harvestCosts).where(eq(harvestCosts.harvestId, harvestId)))[0]?.requestId;
    expect(await counted()).toBeNull();
    const { requests } = await (await as(amaka)).secondPerson.list();
    await (await as(amaka)).secondPerson.withdraw({ requestId: requests[0]?.id ?? 0 });
    await (await as(bola)).secondPerson.ask(request);
    await (await confirmAs(amaka)).confirming;
    expect(await counted()).not.toBeNull();
  });
});

describe("produce", () => {
  test("is handed over by a keeper for a code, who reads a first name and an initial and nothing else", async () => {
    const { harvestId, code } = await readyToCollect();
    const [backer] = farm.backers;
    await db.execute(`update users set full_name = 'Oluwaseun Ade Adeyinka' where id = '${backer?.id}'`);
    const { farmHarvests } = await as(keeper);
    expect(await farmHarvests.collection({ harvestId })).toMatchObject({ takers: 1, collected: 0, unit: "kg" });
    expect(await farmHarvests.findProduce({ harvestId, code })).toEqual({ name: "Oluwaseun A.", taken: 300_000n });
    expect(await farmHarvests.collect({ harvestId, code })).toEqual({ name: "Oluwaseun A.", quantity: 300_000n });
    expect((await partsOf(deps, harvestId))[0]).toMatchObject({ collectedBy: keeper.id });
    const { sentence } = await lastEntry("collect_produce");
    expect(sentence).toMatch(/^Ngozi Bello, keeper of .+, handed produce of harvest 1 of .+ over$/);
    await expect(farmHarvests.findProduce({ harvestId, code })).rejects.toThrow(texts.collectedAlready);
  });

  test("of a wrong code is refused, and administrators' wrong codes count with a keeper's", async () => {
    const { harvestId, code } = await readyToCollect();
    const wrong = code === "111111" ? "222222" : "111111";
    const [byKeeper, byOwner] = [(await as(keeper)).farmHarvests, (await as(amaka)).harvests];
    for (const { findProduce } of [byKeeper, byOwner, byKeeper, byOwner, byKeeper])
      await expect(findProduce({ harvestId, code: wrong })).rejects.toThrow(texts.codeUnknown);
    await expect(byKeeper.collect({ harvestId, code })).rejects.toThrow(texts.codesLocked);
    expect((await partsOf(deps, harvestId))[0]?.collectedAt).toBeNull();
  });
});

test("a keeper reads no backer's name, address or amount of their farm's harvests", async () => {
  const { harvestId } = await readyToCollect();
  const { farmHarvests } = await as(keeper);
  const read = [
    await farmHarvests.ofProject({ projectId: farm.project.id }),
    await farmHarvests.one({ harvestId }),
    await farmHarvests.collection({ harvestId }),
  ];
  const written = JSON.stringify(read, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
  for (const { fullName, email, id } of farm.backers) {
    expect(written).not.toContain(fullName);
    expect(written).not.toContain(email);
    expect(written).not.toContain(id);
  }
  expect(written).not.toMatch(/weight|code|netKobo|shareKobo/i);
});

test("who isn't a keeper of the round's farm is denied every act and every read, and nothing changed", async () => {
  const { harvestId, code } = await readyToCollect();
  const drafted = await draft();
  const { updatedAt: seenAt } = await (await as(keeper)).farmHarvests.one({ harvestId: drafted });
  await (await as(keeper)).farmHarvests.addCost(await costOf(drafted, keeper));
  const costId = (await (await as(keeper)).farmHarvests.one({ harvestId: drafted })).costs[0]?.id ?? 0;
  const other = await fundFarm(deps, { owner: amaka, lots: [1] });
  const former = await createFarmPerson(db, farmIdOf(farm), "keeper");
  await db.update(farmPeople).set({ endedAt: deps.clock.now() }).where(eq(farmPeople.userId, former.id));
  const denied: Record<string, TestUser> = {
    reporter: await createFarmPerson(db, farmIdOf(farm), "reporter"),
    "former keeper": former,
    "keeper of another farm": await createFarmPerson(db, farmIdOf(other), "keeper"),
    backer: farm.backers[0] ?? (await createUser(db)),
    "owner of the site": amaka,
  };
  const read = async () => [
    await db.select().from(harvests).orderBy(harvests.id),
    await db.select().from(harvestCosts),
    await db.select().from(harvestFiles),
    await db.select().from(harvestParts).orderBy(harvestParts.backingId),
    await db.$count(auditLogs),
  ];
  const before = await read();
  for (const [name, person] of Object.entries(denied)) {
    const { farmHarvests } = await as(person);
    const attempts: Record<string, () => Promise<unknown>> = {
      ofProject: () => farmHarvests.ofProject({ projectId: farm.project.id }),
      one: () => farmHarvests.one({ harvestId }),
      draft: () => farmHarvests.draft({ projectId: farm.project.id, round: 1, ...facts }),
      change: () => farmHarvests.change({ ...facts, harvestId: drafted, seenAt }),
      addFile: async () => farmHarvests.addFile({ harvestId: drafted, fileId: await keepEvidence(deps, person) }),
      addCost: async () => farmHarvests.addCost(await costOf(drafted, person)),
      removeCost: () => farmHarvests.removeCost({ costId }),
      collection: () => farmHarvests.collection({ harvestId }),
      findProduce: () => farmHarvests.findProduce({ harvestId, code }),
      collect: () => farmHarvests.collect({ harvestId, code }),
    };
    for (const [act, attempt] of Object.entries(attempts)) {
      const code = await attempt().then(
        () => "let through",
        (error: { code: string }) => error.code,
      );
      expect([name, act, code]).toEqual([name, act, "FORBIDDEN"]);
    }
  }
  expect(await read()).toEqual(before);
  const none: Caller["farmHarvests"] = (await as(keeper)).farmHarvests;
  await expect(none.one({ harvestId: 99_999_999 })).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("a keeper has none of an administrators' calls about harvests", async () => {
  const { harvestId, code } = await readyToCollect();
  const byKeeper = (await as(keeper)).harvests;
  for (const attempt of [
    () => byKeeper.one({ harvestId }),
    () => byKeeper.parts({ harvestId }),
    () => byKeeper.collect({ harvestId, code }),
    () => byKeeper.preview({ harvestId, pool: "sold" }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await db.$count(harvestParts, and(eq(harvestParts.harvestId, harvestId), eq(harvestParts.code, code)))).toBe(
    1,
  );
});
