import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAccountOf, unlinkIdentity } from "#server/core/identities.ts";
import { inTransaction, openDatabase, rows } from "#server/db/open.ts";
import { identities } from "#server/db/schema/users.ts";
import { openTestDatabase, type TestDatabase } from "#tests/support/database.ts";
import { type TestDeps, testDeps } from "#tests/support/deps.ts";
import { contextOf } from "#tests/support/money.ts";
import { createUser } from "#tests/support/people.ts";

let database: TestDatabase;
let deps: TestDeps;
/** Another replica, with connections of its own. */
let replica: TestDeps;
let closeReplica: () => Promise<void>;

beforeAll(async () => {
  database = await openTestDatabase();
  deps = await testDeps(database);
  const handle = await openDatabase({ url: database.url, dataDir: "" });
  replica = { ...deps, db: handle.db };
  closeReplica = handle.close;
});
afterAll(async () => {
  await closeReplica();
  await deps.close();
  await database.close();
});

async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const query = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if ((await rows(deps.db, query)).length > 0) return;
  }
}

test("a sign-in with an identity that is being unlinked waits, and then finds no way in", async () => {
  const user = await createUser(deps.db);
  const claims = { subject: "thief", email: "thief@example.com", isEmailVerified: true, fullName: "A Thief" };
  await deps.db.insert(identities).values({ provider: "google", ...claims, userId: user.id });
  const ctx = await contextOf(deps, user);
  const entering = await inTransaction(deps.db, async (tx) => {
    await unlinkIdentity(tx, ctx, user.id);
    const found = inTransaction(replica.db, (other) => findAccountOf(other, ctx, claims));
    await untilSomebodyWaits();
    return { found };
  });
  expect(await entering.found).toBeNull();
});
