import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { findAccountOf, unlinkIdentity } from "#server/accounts/google/identities.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { identities } from "#server/db/schema/users.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import { contextOf } from "#tests/support/money.ts";
import { createUser } from "#tests/support/people.ts";

const {
  deps,
  replicas: [replica],
} = await openTestReplicas();

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
    const found = inTransaction(replica.db, (other) => findAccountOf(other, claims));
    await untilSomebodyWaits();
    return { found };
  });
  expect(await entering.found).toBeNull();
});
