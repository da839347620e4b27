import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inTransaction } from "#server/db/open.ts";
import { farmPeople, farms } from "#server/db/schema/farms.ts";
import { farmReleases, payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { farmReports, reportLinks } from "#server/db/schema/reports.ts";
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

/** Money for the farm of a project's first round that waits for its account. */
const oweFarm = (projectId: number, amountKobo: bigint) =>
  inTransaction(db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const of = { projectId, projectTitle: "Ponds", round: 1, amountKobo };
    const made = { ...of, part: 1, madeBy: crypto.randomUUID() };
    const [release] = await tx.insert(farmReleases).values(made).returning({ id: farmReleases.id });
    const part = { part: 1, parts: 1, kind: "farm" as const, state: "waiting" as const, reference: `GP-${projectId}` };
    const [project] = await tx.select({ farmId: projects.farmId }).from(projects).where(eq(projects.id, projectId));
    await tx.insert(payouts).values({ ...of, ...part, farmId: project?.farmId ?? null, releaseId: release?.id });
  });

test("a keeper sees what goes to their farm, and to no other", async () => {
  const [own, other] = [await createProject(db), await createProject(db)];
  await oweFarm(own.id, 120_000_000n);
  await oweFarm(other.id, 7_000_000n);
  const keeper = await createFarmPerson(db, farmOf(own), "keeper");
  expect(await (await callAs(deps, keeper)).farms.money()).toMatchObject([
    { amountKobo: 120_000_000n, state: "waiting", farmId: own.farmId, harvestNumber: null },
  ]);
});

test("a keeper of another farm is denied every call about a farm's project, and nothing changed", async () => {
  const [own, other] = [await createProject(db), await createProject(db)];
  const { id: projectId } = other;
  const dueAt = new Date(deps.clock.now().getTime() + 86_400_000);
  await db.insert(farmReports).values({ projectId, round: 1, number: 1, dueAt, code: "7K3P" });
  const keeper = await callAs(deps, await createFarmPerson(db, farmOf(own), "keeper"));
  const others = await callAs(deps, await createFarmPerson(db, farmOf(other), "keeper"));
  await others.reports.makeLink({ projectId, label: "Musa's phone" });
  const [link] = await db.select().from(reportLinks).where(eq(reportLinks.projectId, projectId));
  const before = [await db.select().from(farmReports), await db.select().from(reportLinks)];
  const by = { projectId };
  const report = { number: 1, content: "All is well.", figures: {}, farmNote: "", photoKeys: [] };
  for (const attempt of [
    () => keeper.reports.open({ by }),
    () => keeper.reports.send({ by, ...report, idempotencyKey: crypto.randomUUID() }),
    () => keeper.reports.links({ projectId }),
    () => keeper.reports.makeLink({ projectId, label: "Mine" }),
    () => keeper.reports.revokeLink({ linkId: link?.id ?? 0 }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect([await db.select().from(farmReports), await db.select().from(reportLinks)]).toEqual(before);
  expect(JSON.stringify(await keeper.farms.mine())).not.toContain(other.title);
});
