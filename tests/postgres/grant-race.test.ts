import { and, eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { projectBackings } from "#server/db/schema/projects.ts";
import { grantBacking, revokeGrant } from "#server/features/backings/service.ts";
import { backingTexts } from "#shared/backing-texts.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import { contextOf, expectMoneyHolds, findProject } from "#tests/support/money.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

/** Two administrators make the same person a backer of the same project at the same moment, or take it back. */

const rounds = 20;
const { deps, replicas } = await openTestReplicas();
let managers: [TestUser, TestUser];

beforeAll(async () => {
  managers = [await createAdmin(deps.db, "manager"), await createAdmin(deps.db, "manager")];
});
afterEach(() => expectMoneyHolds(deps.db));

const both = async () => [await contextOf(replicas[0], managers[0]), await contextOf(replicas[1], managers[1])];

const refusals = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === "rejected" ? [(result.reason as Error).message] : []));

const countAudits = (action: string, projectId: number) =>
  deps.db.$count(
    auditLogs,
    and(eq(auditLogs.actionType, action), sql`(${auditLogs.details}->>'projectId')::int = ${projectId}`),
  );

test("one grant succeeds, the other is told; there is one backing, one backer and one entry", async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { id: projectId } = await createProject(deps.db);
    const { id: userId } = await createUser(deps.db);
    const results = await Promise.allSettled((await both()).map((ctx) => grantBacking(ctx, { projectId, userId })));
    const said = refusals(results);
    expect(said).toHaveLength(1);
    // As listed before, or since a moment ago.
    expect([backingTexts.alreadyBacking, backingTexts.alreadyListed]).toContain(said[0]);
    expect(await deps.db.$count(projectBackings, eq(projectBackings.projectId, projectId))).toBe(1);
    expect((await findProject(deps.db, projectId)).backersCount).toBe(1);
    expect(await countAudits("add_backer", projectId)).toBe(1);
  }
}, 60_000);

test("one taking back succeeds, the other is told; nobody is counted twice", async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { id: projectId } = await createProject(deps.db);
    const { id: userId } = await createUser(deps.db);
    const contexts = await both();
    if (contexts[0]) await grantBacking(contexts[0], { projectId, userId });
    const results = await Promise.allSettled(contexts.map((ctx) => revokeGrant(ctx, { projectId, userId })));
    expect(refusals(results)).toEqual([backingTexts.notListed]);
    expect((await findProject(deps.db, projectId)).backersCount).toBe(0);
    expect(await countAudits("remove_backer", projectId)).toBe(1);
  }
}, 60_000);
