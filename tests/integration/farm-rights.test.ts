import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { farmPeople, farms } from "#server/db/schema/farms.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { requireFarmRight } from "#server/platform/farm-rights.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createFarm, createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
const { db } = deps;

const as = (actor: TestUser) => ({ db, actor });
const farmOf = ({ farmId }: { farmId: number | null }) => farmId ?? 0;
const denied = { reason: "forbidden", message: "You don't work for this project's farm." };

test("a reporter reports for their farm, a keeper does everything else too", async () => {
  const project = await createProject(db);
  const farmId = farmOf(project);
  const [reporter, keeper] = [
    await createFarmPerson(db, farmId, "reporter"),
    await createFarmPerson(db, farmId, "keeper"),
  ];
  expect(await requireFarmRight(as(reporter), project.id, "report")).toEqual({ farmId, role: "reporter" });
  await expect(requireFarmRight(as(reporter), project.id, "keep")).rejects.toMatchObject(denied);
  for (const right of ["report", "keep"] as const)
    expect(await requireFarmRight(as(keeper), project.id, right)).toEqual({ farmId, role: "keeper" });
});

test("nobody has rights on another farm's project, the operator's, or none, and no administrator by being one", async () => {
  const [own, other, operators] = [
    await createProject(db, { creator: "Ada's Farm" }),
    await createProject(db, { creator: "Bayo's Farm" }),
    await createProject(db, { creator: "Admin" }),
  ];
  const keeper = await createFarmPerson(db, farmOf(own), "keeper");
  for (const projectId of [other.id, operators.id, 99_999_999])
    await expect(requireFarmRight(as(keeper), projectId, "report")).rejects.toMatchObject(denied);
  const owner = await createAdmin(db, "owner");
  await expect(requireFarmRight(as(owner), own.id, "report")).rejects.toMatchObject(denied);
  await expect((await callAs(deps, owner)).farms.mine()).rejects.toThrow("This is for the people of a farm.");
});

test("one person works for several farms, with another role in each", async () => {
  const [first, second] = [
    await createProject(db, { creator: "Zuma Snails" }),
    await createProject(db, { creator: "abeokuta Fish" }),
  ];
  const person = await createFarmPerson(db, farmOf(first), "keeper");
  await createFarmPerson(db, farmOf(second), "reporter", person);
  expect(await requireFarmRight(as(person), first.id, "keep")).toMatchObject({ role: "keeper" });
  await expect(requireFarmRight(as(person), second.id, "keep")).rejects.toMatchObject(denied);
  expect((await (await callAs(deps, person)).farms.mine()).map(({ name, role }) => [name, role])).toEqual([
    ["abeokuta Fish", "reporter"],
    ["Zuma Snails", "keeper"],
  ]);
});

test("rights end at once with the row's end, and while the farm is closed", async () => {
  const project = await createProject(db);
  const farmId = farmOf(project);
  const keeper = await createFarmPerson(db, farmId, "keeper");
  const caller = await callAs(deps, keeper);
  await db.update(farms).set({ closedAt: deps.clock.now() }).where(eq(farms.id, farmId));
  await expect(requireFarmRight(as(keeper), project.id, "keep")).rejects.toMatchObject(denied);
  await expect(caller.farms.mine()).rejects.toMatchObject({ code: "FORBIDDEN" });
  await db.update(farms).set({ closedAt: null }).where(eq(farms.id, farmId));
  expect(await caller.farms.mine()).toHaveLength(1);
  await db
    .update(farmPeople)
    .set({ endedAt: deps.clock.now() })
    .where(and(eq(farmPeople.farmId, farmId), eq(farmPeople.userId, keeper.id)));
  await expect(requireFarmRight(as(keeper), project.id, "report")).rejects.toMatchObject(denied);
  await expect(caller.farms.mine()).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("a round stays with the people of the farm that ran it, even after its project has gone", async () => {
  const project = await createProject(db);
  const former = await createFarmPerson(db, farmOf(project), "keeper");
  const next = await createFarm(db, { name: "The Next Farm" });
  const newcomer = await createFarmPerson(db, next.id, "keeper");
  await db.update(projects).set({ farmId: next.id, creator: next.name }).where(eq(projects.id, project.id));
  expect(await requireFarmRight(as(former), project.id, "keep", 1)).toMatchObject({ farmId: project.farmId });
  await expect(requireFarmRight(as(former), project.id, "keep")).rejects.toMatchObject(denied);
  await expect(requireFarmRight(as(newcomer), project.id, "keep", 1)).rejects.toMatchObject(denied);
  expect(await requireFarmRight(as(newcomer), project.id, "keep")).toMatchObject({ farmId: next.id });
  await db.delete(projects).where(eq(projects.id, project.id));
  expect(await db.$count(projectRounds, eq(projectRounds.projectId, project.id))).toBe(1);
  expect(await requireFarmRight(as(former), project.id, "keep", 1)).toMatchObject({ farmId: project.farmId });
});
