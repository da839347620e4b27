import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { type Db, type DbOrTx, inTransaction, rows } from "#server/db/open.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { Invariant, Violation } from "#server/platform/findings.ts";
import type { TestDeps } from "./deps.ts";
import { expectMoneyHolds } from "./money.ts";

/** Violations that tests plant, so that no invariant passes because it sees nothing. */

/** An invariant's report, and the statements that break the books so. */
type Planted = [reported: string, ...statements: string[]];

/** Each planted violation is reported, each branch of the query has one, and the scene without them is in order. */
export function testInvariant(deps: TestDeps, invariant: Invariant, planted: Planted[]): void {
  test.each(planted)("a planted violation is found: %s", async (reported, ...statements) => {
    const found = await violationsAfter(deps, invariant, statements);
    expect(found.map(({ violation }) => violation)).toContain(reported);
    for (const { row } of found) expect(row).toBeTypeOf("object");
  });

  test("every branch has a planted violation, and the books are in order without", async () => {
    const { sql: text } = new PgDialect().sqlToQuery(invariant.query(deps.clock.now()));
    const branches = [...text.matchAll(/^ +select '((?:[^']|'')+)'/gm)].map(([, told = ""]) =>
      told.replaceAll("''", "'"),
    );
    expect(new Set(planted.map(([reported]) => reported))).toEqual(new Set(branches));
    await expectMoneyHolds(deps);
  });
}

/** The database itself refuses statements, and names the constraint or says so in words. */
export function testRefusals(deps: TestDeps, refusals: [what: string, statement: string, told: string][]): void {
  test.each(refusals)("the database itself refuses %s", async (_what, statement, told) => {
    await expect(deps.db.execute(sql.raw(statement))).rejects.toSatisfy(
      ({ cause }) => `${cause.constraint_name} ${cause.message}`.includes(told),
      told,
    );
  });
}

/** The findings of an invariant once these statements have broken the books. Nothing of it stays. */
export const violationsAfter = (
  deps: Pick<Deps, "clock" | "db">,
  { query }: Invariant,
  statements: readonly string[],
): Promise<Violation[]> => inBroken(deps.db, statements, (tx) => rows<Violation>(tx, query(deps.clock.now())));

class Undone extends Error {}

/** Breaks the books with every trigger and key switched off, looks, and undoes it all. */
async function inBroken<Found>(
  db: Db,
  statements: readonly string[],
  look: (tx: DbOrTx) => Promise<Found>,
): Promise<Found> {
  const found: Found[] = [];
  await expect(
    inTransaction(db, async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      for (const statement of statements) await tx.execute(sql.raw(statement));
      found.splice(0, found.length, await look(tx));
      throw new Undone();
    }),
  ).rejects.toThrow(Undone);
  const [only] = found;
  if (only === undefined) throw new Error("nothing was looked at");
  return only;
}
