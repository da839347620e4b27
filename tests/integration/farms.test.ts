import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { farms } from "#server/db/schema/farms.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import type { FarmFormInput } from "#shared/farms/inputs.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { isLong } from "#tests/support/length.ts";
import { createPayment } from "#tests/support/money.ts";
import { type Caller, callAs, createUser } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { createFarm, createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
const { db } = deps;
let manager: Caller;

beforeEach(async () => {
  manager = await callAs(deps, "manager");
});

const form: FarmFormInput = {
  name: "Ikeja Snail Farms",
  state: "Lagos",
  place: "Ikeja",
  latitude: "6.6018",
  longitude: "3,3515",
  sinceYear: 2014,
  story: "Snails in shaded pens.\r\nThree generations.",
  registration: "RC 482113",
  visitedOn: "2026-11-14",
  visitedBy: "Chidi Eze",
  visitNote: "Twelve pens, all in use.",
};
const empty: FarmFormInput = {
  ...form,
  place: "",
  latitude: "",
  longitude: "",
  sinceYear: null,
  story: "",
  registration: "",
  visitedOn: null,
  visitedBy: "",
  visitNote: "",
};
const many = isLong ? 100_000 : 5000;
const farmOf = async (id: number) => (await db.select().from(farms).where(eq(farms.id, id)))[0];
const roundsOf = (projectId: number) =>
  db
    .select({ round: projectRounds.round, farmId: projectRounds.farmId })
    .from(projectRounds)
    .where(eq(projectRounds.projectId, projectId))
    .orderBy(projectRounds.round);
const runs = async (projectId: number) =>
  (
    await db
      .select({ farmId: projects.farmId, creator: projects.creator })
      .from(projects)
      .where(eq(projects.id, projectId))
  )[0];
const lastAudit = async () =>
  (await db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1))[0] ?? { actionType: "", details: {} };

describe("a farm", () => {
  test("is written with what was typed, its place no finer than 0.1°, and it is audited", async () => {
    const { id } = await manager.farms.create(form);
    expect(await farmOf(id)).toMatchObject({
      name: "Ikeja Snail Farms",
      latitude: "6.6",
      longitude: "3.4",
      story: "Snails in shaded pens.\nThree generations.",
      visitedBy: "Chidi Eze",
    });
    expect(await lastAudit()).toMatchObject({ actionType: "create_farm", details: { farm: form.name, farmId: id } });
    const bare = await manager.farms.create(empty);
    expect(await farmOf(bare.id)).toMatchObject({ latitude: null, registration: null, visitedOn: null, story: "" });
  });

  test.each([
    ["a name of one letter", { name: "A" }, "The name has 2 to 80 letters"],
    ["the operator's name", { name: "admin" }, "This name stands for projects that no farm runs. Use another one."],
    ["half a place", { longitude: "" }, "Give both latitude and longitude, or neither"],
    ["a place off the map", { latitude: "91" }, "Degrees as a number, like 6.5"],
    ["a visit without a visitor", { visitedBy: "" }, "Say who visited the farm"],
    ["a visitor without a visit", { visitedOn: null, visitNote: "" }, "Say when the farm was visited"],
    ["a visit to come", { visitedOn: "2026-11-22" }, "This day is still to come"],
    ["a year to come", { sinceYear: 2027 }, "This year is still to come"],
    ["a long story", { story: "a".repeat(2001) }, "The story has at most 2,000 letters"],
  ])("is refused with %s, and nothing changed", async (_what, wrong, text) => {
    const count = await db.$count(farms);
    await expect(manager.farms.create({ ...form, ...wrong })).rejects.toThrow(text);
    expect(await db.$count(farms)).toBe(count);
  });

  test("gives its new name to its projects, and isn't overwritten unseen", async () => {
    const project = await createProject(db, { creator: "Old Name" });
    const farmId = project.farmId ?? 0;
    const seenUpdatedAt = (await manager.farms.one({ farmId })).updatedAt;
    await manager.farms.update({ ...form, name: "New Name", farmId, seenUpdatedAt });
    expect(await runs(project.id)).toEqual({ farmId, creator: "New Name" });
    expect((await manager.projects.byId({ projectId: project.id })).creator).toBe("New Name");
    expect(await lastAudit()).toMatchObject({
      actionType: "edit_farm",
      details: { before: { name: "Old Name" }, after: { name: "New Name" } },
    });
    await expect(manager.farms.update({ ...form, farmId, seenUpdatedAt })).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await farmOf(farmId))?.name).toBe("New Name");
    await expect(manager.farms.update({ ...form, farmId: 99_999_999, seenUpdatedAt })).rejects.toThrow(
      "This farm doesn't exist.",
    );
  });

  test("is closed once nothing of it runs, and opened again", async () => {
    const project = await createProject(db);
    const farmId = project.farmId ?? 0;
    await expect(manager.farms.close({ farmId })).rejects.toThrow("This farm still runs a project that is open.");
    await manager.projects.close({ projectId: project.id });
    await manager.farms.close({ farmId });
    expect(await lastAudit()).toMatchObject({ actionType: "close_farm", details: { farmId } });
    await expect(manager.farms.close({ farmId })).rejects.toThrow("This farm is closed already.");
    await expect(manager.projects.reopen({ projectId: project.id })).rejects.toThrow("This farm is closed.");
    await manager.farms.reopen({ farmId });
    expect((await farmOf(farmId))?.closedAt).toBeNull();
    await expect(manager.farms.reopen({ farmId })).rejects.toThrow("This farm is open already.");
  });

  test("isn't closed before a sold round is over", async () => {
    const project = await createProject(db, { lots: 2 });
    await createPayment(deps, { project, status: "approved" });
    await manager.projects.close({ projectId: project.id });
    await expect(manager.farms.close({ farmId: project.farmId ?? 0 })).rejects.toThrow(
      "A round of this farm isn't over",
    );
    expect((await farmOf(project.farmId ?? 0))?.closedAt).toBeNull();
  });
});

describe("the list", () => {
  test("has farms by name with what they run, and closed ones when asked for", async () => {
    const mark = crypto.randomUUID().slice(0, 8);
    const project = await createProject(db, { creator: `b ${mark}` });
    await createFarmPerson(db, project.farmId ?? 0, "reporter");
    await createFarm(db, { name: `A ${mark}` });
    await createFarm(db, { name: `C ${mark}`, closedAt: deps.clock.now() });
    const named = async (input: { showClosed?: boolean }) =>
      (await manager.farms.list({ search: mark, ...input })).items.map(({ name, ...farm }) => [
        name,
        farm.projects,
        farm.openProjects,
        farm.people,
      ]);
    expect(await named({})).toEqual([
      [`A ${mark}`, 0, 0, 0],
      [`b ${mark}`, 1, 1, 1],
    ]);
    expect((await named({ showClosed: true })).map(([name]) => name)).toEqual([`A ${mark}`, `b ${mark}`, `C ${mark}`]);
    expect((await manager.farms.search({ search: mark })).farms.map(({ name }) => name)).toEqual([
      `A ${mark}`,
      `b ${mark}`,
    ]);
  });

  test(`of ${many} farms is paged and searched by any part of a name`, async () => {
    await db.execute(sql`insert into farms (name, state, place)
      select 'Farm ' || md5(n::text), 'Oyo', 'Ibadan' from generate_series(1, ${many}) n`);
    await db.execute(sql`analyze farms`);
    const [named] = await db.select({ name: farms.name }).from(farms).where(eq(farms.name, sql`'Farm ' || md5('777')`));
    const part = named?.name.slice(9, 20) ?? "";
    const startedAt = performance.now();
    const first = await manager.farms.list({ search: "" });
    const next = await manager.farms.list({ search: "", cursor: first.nextCursor });
    expect((await manager.farms.search({ search: part })).farms.map(({ name }) => name)).toEqual([named?.name]);
    expect((await manager.farms.list({ search: part.toUpperCase() })).items).toHaveLength(1);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(first.items).toHaveLength(50);
    expect(next.items[0]?.name.toLowerCase().localeCompare(first.items[49]?.name.toLowerCase() ?? "")).toBe(1);
  });
});

describe("who runs a project", () => {
  const create = (farmId: number | null) => manager.projects.create(projectFormOf({ farmId }));
  const edit = async (projectId: number, farmId: number | null | undefined, offer = {}) => {
    const { updatedAt } = await manager.projects.forEdit({ projectId });
    const { terms: _, idempotencyKey: __, ...fields } = projectFormOf(offer);
    return manager.projects.update({ ...fields, projectId, farmId, seenUpdatedAt: updatedAt });
  };

  test("is chosen when it is created, and its round knows it; without a farm it is Admin", async () => {
    const farm = await createFarm(db, { name: "Epe Ponds" });
    const { id } = await create(farm.id);
    expect(await runs(id)).toEqual({ farmId: farm.id, creator: "Epe Ponds" });
    expect(await roundsOf(id)).toEqual([{ round: 1, farmId: farm.id }]);
    const operators = await create(null);
    expect(await runs(operators.id)).toEqual({ farmId: null, creator: "Admin" });
  });

  test("can't be a closed farm, nor one that doesn't exist", async () => {
    const farm = await createFarm(db, { closedAt: deps.clock.now() });
    const count = await db.$count(projects);
    await expect(create(farm.id)).rejects.toThrow("This farm is closed. Choose another one, or reopen it.");
    await expect(create(99_999_999)).rejects.toThrow("This farm doesn't exist.");
    expect(await db.$count(projects)).toBe(count);
  });

  test("changes while nothing of the round is sold, its round with it, and a form without a farm changes nothing", async () => {
    const [first, second] = [await createFarm(db, { name: "First" }), await createFarm(db, { name: "Second" })];
    const { id } = await create(first.id);
    await edit(id, second.id);
    expect(await runs(id)).toEqual({ farmId: second.id, creator: "Second" });
    expect(await roundsOf(id)).toEqual([{ round: 1, farmId: second.id }]);
    expect(await lastAudit()).toMatchObject({
      details: { before: { creator: "First" }, after: { creator: "Second" } },
    });
    await edit(id, undefined);
    expect(await runs(id)).toEqual({ farmId: second.id, creator: "Second" });
    await edit(id, null);
    expect(await runs(id)).toEqual({ farmId: null, creator: "Admin" });
    expect(await roundsOf(id)).toEqual([{ round: 1, farmId: null }]);
  });

  test("stays once lots are sold; the operator's round may still be given a farm", async () => {
    const [farm, other] = [await createFarm(db, { name: "Stays" }), await createFarm(db)];
    const project = await createProject(db, { creator: "Admin", lots: 2 });
    await createPayment(deps, { project, status: "approved" });
    const offer = { lots: 2, minimumLots: 2, fundingGoal: "500,000" };
    await edit(project.id, farm.id, offer);
    expect(await roundsOf(project.id)).toEqual([{ round: 1, farmId: farm.id }]);
    expect(await manager.projects.forEdit({ projectId: project.id })).toMatchObject({
      farm: { id: farm.id },
      isFarmFixed: true,
    });
    for (const farmId of [other.id, null])
      await expect(edit(project.id, farmId, offer)).rejects.toThrow(
        "Lots of this round are sold. It stays with the farm that runs it.",
      );
    expect(await runs(project.id)).toEqual({ farmId: farm.id, creator: "Stays" });
  });
});

describe("a farm's people", () => {
  test("read their farms, what is awaited and how many asked; a keeper reads what went to the farm", async () => {
    const project = await createProject(db, { creator: "Reads", lots: 2 });
    const other = await createProject(db);
    const keeper = await createFarmPerson(db, project.farmId ?? 0, "keeper");
    const asker = await createUser(db);
    const due = (number: number, days: number) => sql`(${project.id}, 1, ${number},
      ${deps.clock.now().toISOString()}::timestamptz + ${days} * interval '1 day', 'K${sql.raw(String(number + 2))}PA')`;
    await db
      .update(projectRounds)
      .set({ outcome: "funded", decidedAt: deps.clock.now() })
      .where(eq(projectRounds.projectId, project.id));
    await db.execute(sql`insert into farm_reports (project_id, round, number, due_at, code)
      values ${due(1, -8)}, ${due(2, -1)}, ${due(3, 6)}`);
    await db.execute(
      sql`insert into report_asks (project_id, round, number, user_id) values (${project.id}, 1, 2, ${asker.id})`,
    );
    const caller = await callAs(deps, keeper);
    const [farm, ...rest] = await caller.farms.mine();
    expect(rest).toEqual([]);
    expect(farm).toMatchObject({ name: "Reads", role: "keeper" });
    expect(farm?.projects).toMatchObject([{ id: project.id, report: { number: 2, asks: 1 } }]);
    expect(await caller.farms.money()).toEqual([]);
    expect(JSON.stringify(await caller.farms.mine())).not.toContain(other.title);
    expect((await caller.auth.viewer())?.hasFarm).toBe(true);
    expect((await (await callAs(deps, asker)).auth.viewer())?.hasFarm).toBe(false);
  });
});

test("a manager may, a viewer may not, and nothing changed", async () => {
  const viewer = await callAs(deps, "viewer");
  const count = await db.$count(farms, and(isNull(farms.closedAt)));
  await expect(viewer.farms.create(form)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await db.$count(farms, and(isNull(farms.closedAt)))).toBe(count);
});
