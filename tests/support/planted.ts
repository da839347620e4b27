import { type SQL, sql } from "drizzle-orm";
import { expect } from "vitest";
import { type Db, type DbOrTx, inTransaction, rows } from "#server/db/open.ts";
import type { Violation } from "#server/platform/findings.ts";

/** Violations that tests plant, so that no invariant passes because it sees nothing. */

/** What is broken by these statements, and what the invariant of that name says of it. */
export type Planted = { invariant: string; reported: string; plant: () => string[] };

class Undone extends Error {}

/** Breaks the books with every trigger and key switched off, looks, and undoes it all. */
export async function lookAfter<Found>(
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

/** What one of some invariants says of the books once these statements have broken them. */
export async function violationsAfter(
  db: Db,
  invariants: readonly { name: string; query: SQL }[],
  { invariant, statements }: { invariant: string; statements: readonly string[] },
): Promise<string[]> {
  const query = invariants.find(({ name }) => name.startsWith(`${invariant} `))?.query;
  if (!query) throw new Error("no such invariant");
  const found = await lookAfter(db, statements, (tx) => rows<Violation>(tx, query));
  return found.map(({ violation }) => violation);
}

/** What each branch of the checks in a source file reports. */
export const reportsOf = (source: string): string[] =>
  [...source.matchAll(/^ +select '((?:[^']|'')+)'/gm)].map(([, text = ""]) => text.replaceAll("''", "'"));
