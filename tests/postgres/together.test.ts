import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, together } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createUser } from "#tests/support/people.ts";

const deps = await openTestDeps();

test("steps of a transaction give their results in their places", async () => {
  const found = await inTransaction(deps.db, (tx) =>
    together(
      tx.select({ one: sql<number>`1` }).from(sql`(values (1)) v`).execute(),
      Promise.resolve("as it is"),
      tx.select({ two: sql<number>`2` }).from(sql`(values (1)) v`).execute(),
    ),
  );
  expect(found).toEqual([[{ one: 1 }], "as it is", [{ two: 2 }]]);
});

test("where one fails nothing of the others is kept or said later, and its own error comes out", async () => {
  const person = await createUser(deps.db);
  const rename = (name: string) => ({ fullName: name });
  const isIt = eq(users.id, person.id);
  const steps: string[] = [];
  const failing = inTransaction(deps.db, (tx) =>
    together(
      // Its answer comes before the failure is known, and it goes on then.
      tx
        .update(users)
        .set(rename("early"))
        .where(isIt)
        .then(async () => {
          await tx
            .update(users)
            .set(rename("late"))
            .where(isIt)
            .catch(() => steps.push("refused"));
          steps.push("ended");
        }),
      tx
        .insert(users)
        .values({ ...person, fullName: "twice" })
        .execute(),
      tx.update(users).set(rename("behind")).where(isIt).execute(),
    ),
  ).finally(() => steps.push("rolled back"));
  await expect(failing).rejects.toSatisfy((error) => isUniqueViolation(error));
  expect(steps).toEqual(["refused", "ended", "rolled back"]);
  const [now] = await deps.db.select({ fullName: users.fullName }).from(users).where(isIt);
  expect(now).toEqual({ fullName: person.fullName });
});
