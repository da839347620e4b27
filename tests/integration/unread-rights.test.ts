import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { projects } from "#server/db/schema/projects.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createAdmin } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

/** The database fails while a call's rights are read: nobody passes for an administrator, nor for a stranger. */

const deps = await openTestDeps();
const { db } = deps;
let app: Awaited<ReturnType<typeof buildApp>>;
let token: string;

beforeAll(async () => {
  app = await buildApp(deps);
  const owner = await createAdmin(db, "owner");
  token = await startSession(deps, {
    userId: owner.id,
    kind: "admin",
    device: "Test browser",
    ipAddress: "203.0.113.9",
  });
});
afterAll(() => app.close());

const call = (procedure: string, input?: object) =>
  app.inject({
    method: input ? "POST" : "GET",
    url: `/trpc/${procedure}`,
    cookies: { session: token },
    headers: { origin: deps.env.publicUrl, "content-type": "application/json" },
    ...(input && { payload: { json: input } }),
  });

test("an administrator's call is refused with the reason, any other neutrally, and nothing changes", async () => {
  const { id: projectId } = await createProject(db);
  await db.execute(sql`alter table user_roles rename to lost_roles`);
  try {
    for (const [procedure, input] of [
      ["projects.close", { projectId }],
      ["projects.delete", { projectId }],
      ["dashboard.projects", undefined],
    ] as const) {
      const answer = await call(procedure, input);
      expect([procedure, answer.statusCode]).toEqual([procedure, 503]);
      expect(answer.json().error.json).toMatchObject({
        message: "Failed to verify admin status",
        data: { reason: "unavailable" },
      });
    }
    for (const procedure of ["auth.viewer", "payments.listMyPending"]) {
      const answer = await call(procedure);
      expect([procedure, answer.statusCode]).toEqual([procedure, 500]);
      expect(answer.json().error.json).toMatchObject({
        message: "Something went wrong. Please try again later.",
        data: { reason: "internal" },
      });
    }
  } finally {
    await db.execute(sql`alter table lost_roles rename to user_roles`);
  }
  expect(await db.select({ isClosed: projects.isClosed }).from(projects)).toEqual([{ isClosed: false }]);
  expect((await call("projects.close", { projectId })).statusCode).toBe(200);
});
