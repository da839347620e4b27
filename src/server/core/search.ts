import { and, getTableName, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import type { DbOrTx } from "#server/db/open.ts";
import { containsPattern } from "./keyset.ts";

/**
 * Searches in long lists (docs/decisions/0018). A word that many rows have is found at once among the first of the list,
 * a rare one by the index of letters; each would be slow the other way, and nobody knows which one a word is.
 */

/** How many rows are looked at, in turn: the first of the list, matches of the index, more of the list, all matches. */
const FIRST_LOOK = 200;
const FEW = 3000;
const SECOND_LOOK = 10_000;
const ALL = 2_147_483_647;

/**
 * The first `wanted` rows of a list that match, in its order.
 * `look` gives those among the first `rows` of the list, matching or not; `collect` gives those among at most `limit`
 * matches of the index, in whatever order they come from it, with the number of `matches` that were there.
 */
export async function searchInOrder<Row>({
  wanted,
  look,
  collect,
}: {
  wanted: number;
  look: (rows: number) => Promise<Row[]>;
  collect: (limit: number) => Promise<{ rows: Row[]; matches: number }>;
}): Promise<Row[]> {
  const first = await look(FIRST_LOOK);
  if (first.length >= wanted) return first;
  const few = await collect(FEW + 1);
  if (few.matches <= FEW) return few.rows;
  const more = await look(SECOND_LOOK);
  return more.length >= wanted ? more : (await collect(ALL)).rows;
}

/** What is looked for; `hasGrams` (see {@link wantGrams}) is what the index says first. */
type Search = { isMatch: SQL | undefined; hasGrams: SQL };

/**
 * {@link searchInOrder} in one table; with nothing to look for, the first of the list. `inList` is what the list holds;
 * it and what is looked for know the columns of `columns` only.
 */
export async function searchTable<Columns extends Record<string, PgColumn>>(
  db: DbOrTx,
  list: {
    table: PgTable;
    columns: Columns;
    inList: SQL | undefined;
    by: SQLWrapper[];
    wanted: number;
    search: Search | null;
  },
): Promise<SelectResultFields<Columns>[]> {
  type Row = SelectResultFields<Columns>;
  const { table, inList, wanted, search } = list;
  const columns: Record<string, PgColumn> = list.columns;
  const by = list.by.map((key) => sql`${key}`);
  const name = getTableName(table);
  const firstOf = (rows: number) =>
    db
      .select(columns)
      .from(table)
      .where(inList)
      .orderBy(...by)
      .limit(rows);
  if (!search) return (await firstOf(wanted)) as Row[];
  return searchInOrder<Row>({
    wanted,
    look: async (rows) => {
      const found = db
        .select(columns)
        .from(firstOf(rows).as(name))
        .where(search.isMatch)
        .orderBy(...by)
        .limit(wanted);
      return (await found) as Row[];
    },
    collect: async (limit) => {
      // No reason to read another index beside that of the letters.
      const unindexed = inList && sql`(${inList}) is true`;
      const all = db
        .select(columns)
        .from(table)
        .where(and(search.hasGrams, search.isMatch, unindexed))
        .limit(limit);
      const found = await db
        .select({ row: columns, matches: sql<number>`(count(*) over ())::int` })
        .from(all.as(name))
        .orderBy(...by)
        .limit(wanted);
      return { rows: found.map(({ row }) => row as Row), matches: found[0]?.matches ?? 0 };
    },
  });
}

/** The column has the term in it, upper or lower case. */
export const contains = (column: SQLWrapper, term: string): SQL => sql`${column} ilike ${containsPattern(term)}`;

/** By the index: the letters of the term are there, in whatever order, and the marks. */
export function wantGrams(grams: SQL, term: string, marks: string[] = []): SQL {
  const list = sql.join(
    marks.map((mark) => sql`${mark}`),
    sql`, `,
  );
  return sql`${grams} @> wanted_grams(${term}, array[${list}]::text[])`;
}
