import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { farmPast, farmPastFiles } from "#server/db/schema/farm-past.ts";
import { farmPeople } from "#server/db/schema/farms.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentEvidence } from "#server/db/schema/payments.ts";
import { cleanUp } from "#server/housekeeping.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import type { EnterPastInput } from "#shared/farm-past/inputs.ts";
import { farmPastLimits, farmPastTexts } from "#shared/farm-past/texts.ts";
import { farmPeopleTexts } from "#shared/farms/people-texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { keepEvidence } from "#tests/support/harvests.ts";
import { countOpenJobs } from "#tests/support/jobs.ts";
import { createPayment } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createFarm, createProject } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { codeAt, enrol } from "#tests/support/two-factor.ts";

/** A farm's past before this site: entered with evidence, confirmed by another owner, and apart from its record. */

const deps = await openTestDeps();
const { db } = deps;
let owner: TestUser;
let keeper: TestUser;
let farmId: number;

startEachWith(deps, async () => {
  owner = await createAdmin(db, "owner", { fullName: "Amaka Obi" });
  farmId = (await createFarm(db)).id;
  await createProject(db, { farmId });
  keeper = await createFarmPerson(db, farmId, "keeper");
});

const told = {
  fromYear: 2019,
  toYear: 2021,
  farmed: "600 layers in two houses",
  outcome: "Two flocks. The second lost a month to a broken water pump.",
  unit: "crate",
  planned: "12,000",
  harvested: "10,400.5",
  paidBy: "A loan of the cooperative",
  evidence: "The cooperative's loan book, delivery notes of two shops",
} as const;
const reason = "The delivery notes are of another farm.";

const inputBy = async (person: TestUser, changed: Partial<EnterPastInput> = {}): Promise<EnterPastInput> => ({
  ...{ ...told, farmId, fileIds: [await keepEvidence(deps, person)] },
  ...changed,
});
async function enter(changed: Partial<EnterPastInput> = {}): Promise<number> {
  const by = await callAs(deps, keeper);
  await by.farmPast.enterAsKeeper(await inputBy(keeper, changed));
  return (await newest())?.id ?? 0;
}
const newest = async () => (await db.select().from(farmPast).orderBy(desc(farmPast.id)).limit(1))[0];
const shownPast = async () => (await (await callAs(deps, "anonymous")).farmPages.page({ farmId })).past;
const lastEntry = async () => (await db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1))[0];

test("a keeper tells it with evidence, an owner confirms it, and only then everybody reads it, apart from the record", async () => {
  const pastId = await enter();
  expect(await lastEntry()).toMatchObject({ actionType: "enter_past", details: { years: "2019 to 2021", files: 1 } });
  expect(await shownPast()).toEqual([]);
  const by = await callAs(deps, owner);
  expect(await by.farmPast.ofFarm({ farmId })).toMatchObject([
    { id: pastId, state: "waiting", isOwn: false, confirmRefusal: null, files: [{ isPhoto: false }] },
  ]);
  expect((await by.dashboard.today()).lines).toMatchObject([{ kind: "told_pasts", count: 1 }]);
  await by.farmPast.confirm({ pastId });
  expect(await lastEntry()).toMatchObject({ actionType: "confirm_past", details: { pastId, before: "waiting" } });
  expect((await by.dashboard.today()).lines).toEqual([]);
  const page = await (await callAs(deps, "anonymous")).farmPages.page({ farmId });
  expect(page.past).toEqual([{ ...told, id: pastId, planned: 12_000_000n, harvested: 10_400_500n }]);
  expect(page.record).toEqual([]);
  const kept = await callAs(deps, keeper);
  expect(await kept.farmPast.kept({ farmId })).toMatchObject([{ id: pastId, state: "confirmed", reason: null }]);
  await expect(by.farmPast.confirm({ pastId })).rejects.toThrow(farmPastTexts.decidedAlready);
});

test("its keepers are told of each decision, in the app and by mail, and of why", async () => {
  const reporter = await createFarmPerson(db, farmId, "reporter");
  const pastId = await enter();
  const by = await callAs(deps, owner);
  const decisions = [() => by.farmPast.refuse({ pastId, reason }), () => by.farmPast.confirm({ pastId })];
  for (const decide of [...decisions, () => by.farmPast.refuse({ pastId, reason })]) {
    await decide();
    deps.clock.advance({ minutes: 1 });
  }
  const kept = await callAs(deps, keeper);
  const { items } = await kept.notifications.list({});
  expect(items.map(({ kind, title }) => `${kind}: ${title}`)).toEqual([
    "farm_past: Taken down from your farm's page",
    "farm_past: On your farm's page",
    "farm_past: Not confirmed",
  ]);
  expect(items.map(({ content }) => content.includes(reason))).toEqual([true, false, true]);
  expect(await queuedMailsTo(db, keeper.email)).toHaveLength(3);
  expect(await queuedMailsTo(db, reporter.email)).toEqual([]);
  expect((await kept.notifications.mailPreferences()).map(({ kind }) => kind)).toContain("farm_past");
  const others = await (await callAs(deps, reporter)).notifications.mailPreferences();
  expect(others.map(({ kind }) => kind)).not.toContain("farm_past");
});

test("a wrong entry is withdrawn by the farm, or by who entered it in office, while nobody has decided it", async () => {
  const pastId = await enter();
  const kept = await callAs(deps, keeper);
  const by = await callAs(deps, owner);
  await expect(by.farmPast.withdraw({ pastId })).rejects.toThrow(farmPastTexts.notOwn);
  const stranger = await createFarmPerson(db, (await createFarm(db)).id, "keeper");
  await expect((await callAs(deps, stranger)).farmPast.withdrawAsKeeper({ pastId })).rejects.toThrow(
    farmPeopleTexts.notOfFarm,
  );
  expect(await db.$count(farmPast)).toBe(1);
  await kept.farmPast.withdrawAsKeeper({ pastId });
  expect(await lastEntry()).toMatchObject({ actionType: "withdraw_past", details: { pastId, farmed: told.farmed } });
  expect(await db.$count(farmPast)).toBe(0);
  expect((await by.dashboard.today()).lines).toEqual([]);
  expect(await countOpenJobs(db, "delete-file")).toBe(1);
  await expect(kept.farmPast.withdrawAsKeeper({ pastId })).rejects.toThrow(farmPastTexts.gone);

  await by.farmPast.enter(await inputBy(owner));
  const own = (await newest())?.id ?? 0;
  await by.farmPast.withdraw({ pastId: own });
  expect(await db.$count(farmPast)).toBe(0);

  const decided = await enter();
  await by.farmPast.refuse({ pastId: decided, reason });
  await expect(kept.farmPast.withdrawAsKeeper({ pastId: decided })).rejects.toThrow(farmPastTexts.decidedAlready);
  expect(await newest()).toMatchObject({ id: decided, state: "refused" });
});

test("an owner refuses it, or takes a public one down, with a reason; a mistake is confirmed after all", async () => {
  const pastId = await enter();
  const by = await callAs(deps, owner);
  await expect(by.farmPast.refuse({ pastId, reason: "No." })).rejects.toThrow(secondPersonTexts.reasonTooShort);
  await by.farmPast.refuse({ pastId, reason });
  expect(await newest()).toMatchObject({ state: "refused", reason, decidedBy: owner.id });
  expect(await lastEntry()).toMatchObject({ actionType: "refuse_past", details: { reason } });
  await expect(by.farmPast.refuse({ pastId, reason })).rejects.toThrow(farmPastTexts.decidedAlready);
  await by.farmPast.confirm({ pastId });
  expect(await shownPast()).toHaveLength(1);
  await by.farmPast.refuse({ pastId, reason });
  expect(await lastEntry()).toMatchObject({ actionType: "take_past_down", details: { before: "confirmed", reason } });
  expect(await shownPast()).toEqual([]);
  await expect(by.farmPast.refuse({ pastId: 99, reason })).rejects.toThrow(farmPastTexts.gone);
});

test("an owner doesn't confirm what they entered, nor what the farm tells that they work for, while another can", async () => {
  const other = await createAdmin(db, "owner");
  const by = await callAs(deps, owner);
  await by.farmPast.enter(await inputBy(owner));
  const pastId = (await newest())?.id ?? 0;
  await expect(by.farmPast.confirm({ pastId, reason })).rejects.toThrow(secondPersonTexts.needsAnother);
  const third = await createAdmin(db, "owner");
  await createFarmPerson(db, farmId, "keeper", third);
  await expect((await callAs(deps, third)).farmPast.confirm({ pastId })).rejects.toThrow(farmPastTexts.ofFarm);
  expect(await newest()).toMatchObject({ state: "waiting" });
  await (await callAs(deps, other)).farmPast.confirm({ pastId });
  expect(await newest()).toMatchObject({ state: "confirmed", decidedBy: other.id });
});

test("the only owner confirms their own with a reason and the second factor", async () => {
  let by = await callAs(deps, owner);
  await by.farmPast.enter(await inputBy(owner));
  const pastId = (await newest())?.id ?? 0;
  expect(await by.farmPast.ofFarm({ farmId })).toMatchObject([{ isOwn: true, confirmRefusal: null }]);
  const proof = () => ({ currentPassword: owner.password, code: codeAt(secret, deps.clock.now()) });
  await expect(by.farmPast.confirm({ pastId, reason, currentPassword: owner.password })).rejects.toThrow(
    secondPersonTexts.needsFactor,
  );
  const { secret } = await enrol(deps, owner);
  by = await callAs(deps, owner);
  deps.clock.advance({ minutes: 1 });
  await expect(by.farmPast.confirm({ pastId, ...proof() })).rejects.toThrow(farmPastTexts.needsReason);
  expect(await newest()).toMatchObject({ state: "waiting" });
  deps.clock.advance({ minutes: 1 });
  await by.farmPast.confirm({ pastId, reason, ...proof() });
  expect(await newest()).toMatchObject({ state: "confirmed", reason });
  // The database doesn't take it without.
  await expect(db.update(farmPast).set({ reason: null })).rejects.toThrow();
});

test("what isn't whole, isn't the caller's or is of another farm is refused, and nothing is kept", async () => {
  const by = await callAs(deps, keeper);
  const stranger = await createUser(db);
  const year = deps.clock.now().getFullYear();
  const wrong: [Partial<EnterPastInput>, string][] = [
    [{ fileIds: [] }, farmPastTexts.filesMissing],
    [{ fileIds: [await keepEvidence(deps, stranger)] }, farmPastTexts.uploadAgain],
    [{ fileIds: [await keepUsedEvidence()] }, farmPastTexts.uploadAgain],
    [{ toYear: 2018 }, farmPastTexts.toYear],
    [{ toYear: year + 1 }, farmPastTexts.yearAhead],
    [{ unit: null }, farmPastTexts.unit],
    [{ planned: "", harvested: "" }, farmPastTexts.figuresMissing],
    [{ planned: "0" }, farmPastTexts.quantity],
    [{ outcome: "Good." }, farmPastTexts.outcome],
    [{ paidBy: "" }, farmPastTexts.paidBy],
    [{ farmId: (await createFarm(db)).id }, farmPeopleTexts.notOfFarm],
  ];
  for (const [changed, text] of wrong) {
    await expect(by.farmPast.enterAsKeeper(await inputBy(keeper, changed))).rejects.toThrow(text);
  }
  expect(await db.$count(farmPast)).toBe(0);
  const input = await inputBy(keeper, { planned: "", harvested: "0" });
  await by.farmPast.enterAsKeeper(input);
  await expect(by.farmPast.enterAsKeeper(input)).rejects.toThrow(farmPastTexts.uploadAgain);
  await db.update(farmPeople).set({ endedAt: deps.clock.now() }).where(eq(farmPeople.userId, keeper.id));
  await expect(by.farmPast.enterAsKeeper(await inputBy(keeper))).rejects.toThrow(farmPeopleTexts.notOfFarm);
  expect(await db.$count(farmPast)).toBe(1);
});

/** Evidence of the keeper that a payment has already. */
async function keepUsedEvidence(): Promise<string> {
  const fileId = await keepEvidence(deps, keeper);
  const { payment } = await createPayment(deps, { owner });
  await db.insert(paymentEvidence).values({ fileId, paymentId: payment.id, addedBy: owner.id });
  return fileId;
}

test("a farm tells so much and no more", async () => {
  const row = { ...told, farmId, planned: 1n, harvested: 1n, enteredBy: keeper.id };
  await db.insert(farmPast).values(Array.from({ length: farmPastLimits.entries }, () => row));
  const by = await callAs(deps, keeper);
  await expect(by.farmPast.enterAsKeeper(await inputBy(keeper))).rejects.toThrow(farmPastTexts.tooMany);
});

test("its evidence is opened by the office and the farm's keepers alone, and isn't swept", async () => {
  const app = await buildApp(deps, { distDir: "/nowhere" });
  const pastId = await enter();
  const by = await callAs(deps, owner);
  await by.farmPast.confirm({ pastId });
  const [file] = await db.select().from(farmPastFiles);
  const read = async (person?: TestUser) => {
    const session = person && { userId: person.id, device: "Test", ipAddress: "127.0.0.1" };
    const kind = person?.isAdmin ? ("admin" as const) : ("backer" as const);
    const cookie = session && `${sessionCookieName(deps.env)}=${await startSession(deps, { ...session, kind })}`;
    const answer = await app.inject({ url: `/files/farm-past/${file?.id}`, headers: cookie ? { cookie } : {} });
    return answer.statusCode;
  };
  const others = [await createUser(db), await createFarmPerson(db, (await createFarm(db)).id, "keeper")];
  for (const person of [...others, await createFarmPerson(db, farmId, "reporter"), await createAdmin(db, "viewer")]) {
    expect(await read(person)).toBe(404);
  }
  expect(await read()).toBe(401);
  for (const person of [owner, keeper, await createAdmin(db, "manager")]) expect(await read(person)).toBe(200);
  deps.clock.advance({ days: 2 });
  await cleanUp(deps);
  expect(await db.$count(storedFiles)).toBe(1);
  await app.close();
});
