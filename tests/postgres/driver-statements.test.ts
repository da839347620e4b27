import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inTransaction, rows, type Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { openTestDeps } from "#tests/support/deps.ts";

const deps = await openTestDeps();

/** How often the database has planned or run the statements of this connection that hold the text; none is unprepared. */
async function preparedWith(tx: Tx, text: string) {
  return rows<{ runs: number }>(
    tx,
    sql`select (generic_plans + custom_plans)::int as runs from pg_prepared_statements
      where strpos(statement, ${text}) > 0 and strpos(statement, 'pg_prepared_statements') = 0`,
  );
}

test("a statement without values is prepared where it says so, and only there", async () => {
  await inTransaction(deps.db, async (tx) => {
    const statement = tx.select({ one: sql`'said so'` }).from(users).prepare("said_so");
    for (let run = 0; run < 3; run++) await statement.execute();
    for (let run = 0; run < 3; run++) await tx.select({ one: sql`'said nothing'` }).from(users);
    expect(await preparedWith(tx, "said so")).toEqual([{ runs: 3 }]);
    expect(await preparedWith(tx, "said nothing")).toEqual([]);
  });
});

test("a transaction's statement with values is prepared once its text comes again", async () => {
  await inTransaction(deps.db, async (tx) => {
    for (let run = 0; run < 3; run++) await tx.execute(sql`select 'again' where ${String(run)} = ''`);
    expect(await preparedWith(tx, "'again'")).toEqual([{ runs: 2 }]);
  });
});
