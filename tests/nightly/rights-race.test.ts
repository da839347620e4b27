import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type DatabaseHandle, openDatabase } from "#server/db/open.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { deactivateAdmin, removeAdmin, removeRole } from "#server/features/people/admins/service.ts";
import { blockUser } from "#server/features/people/users/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { openTestDatabase, type TestDatabase } from "#tests/support/database.ts";
import { type TestDeps, testDeps } from "#tests/support/deps.ts";
import { raceRounds } from "#tests/support/length.ts";
import { contextOf } from "#tests/support/money.ts";
import { createAdmin } from "#tests/support/people.ts";

let database: TestDatabase;
let deps: TestDeps;
let handles: DatabaseHandle[];

beforeAll(async () => {
  database = await openTestDatabase();
  deps = await testDeps(database);
  const open = () => openDatabase({ url: database.url, dataDir: "" });
  handles = await Promise.all([open(), open()]);
});
afterAll(async () => {
  await Promise.all(handles.map((handle) => handle.close()));
  await deps.close();
  await database.close();
});
beforeEach(() => deps.db.delete(userRoles));

const ways: Record<string, (ctx: ActorContext, userId: string) => Promise<unknown>> = {
  "take each other's role": (ctx, userId) => removeRole(ctx, { userId, role: "owner" }),
  "deactivate each other": (ctx, userId) => deactivateAdmin(ctx, { userId }),
  "remove each other": (ctx, userId) => removeAdmin(ctx, { userId }),
  "block each other": (ctx, userId) => blockUser(ctx, { userId }),
};

test.each(Object.entries(ways))("two owners %s at the same moment: one stays", async (_, take) => {
  for (let round = 0; round < raceRounds; round += 1) {
    await deps.db.delete(userRoles);
    const owners = [await createAdmin(deps.db, "owner"), await createAdmin(deps.db, "owner")];
    const contexts = await Promise.all(
      owners.map((owner, index) => contextOf({ ...deps, db: handles[index]?.db ?? deps.db }, owner)),
    );
    const results = await Promise.allSettled(contexts.map((ctx, index) => take(ctx, owners[1 - index]?.id ?? "")));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const left = await deps.db
      .select({ id: users.id })
      .from(users)
      .innerJoin(userRoles, eq(userRoles.userId, users.id))
      .where(and(eq(users.isAdmin, true), eq(users.isBlocked, false), eq(userRoles.role, "owner")));
    expect(left).toHaveLength(1);
  }
});
