import { and, eq, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { userRoles, users } from "#server/db/schema/users.ts";
import { closeAccount } from "#server/features/people/users/service.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import { raceRounds } from "#tests/support/length.ts";
import { contextOf } from "#tests/support/money.ts";
import { createAdmin, testPassword } from "#tests/support/people.ts";

const { deps, replicas } = await openTestReplicas();

test("two owners close their accounts at the same moment: one stays", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    await deps.db.delete(userRoles);
    const owners = [await createAdmin(deps.db, "owner"), await createAdmin(deps.db, "owner")];
    const contexts = await Promise.all(owners.map(async (owner, index) => contextOf(replicas[index] ?? deps, owner)));
    const results = await Promise.allSettled(
      contexts.map((ctx) => closeAccount(ctx, { currentPassword: testPassword })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = results.find((result) => result.status === "rejected");
    expect(refused?.reason).toMatchObject({ reason: "conflict", message: accountTexts.lastOwner });
    const left = await deps.db
      .select({ id: users.id })
      .from(users)
      .innerJoin(userRoles, eq(userRoles.userId, users.id))
      .where(and(eq(users.isAdmin, true), isNull(users.closedAt)));
    expect(left).toHaveLength(1);
  }
});
