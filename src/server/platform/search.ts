import { type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** Searches match a part of a text, ignoring case, with trigram indexes (pg_trgm). */

/** A LIKE pattern that matches the text literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** Whether the column matches a pattern of {@link containsPattern}, given as a value or a placeholder. */
export const matches = (column: SQLWrapper, pattern: string | Placeholder): SQL => sql`${column} ilike ${pattern}`;

/** Whether the column contains the term. */
export const contains = (column: SQLWrapper, term: string): SQL => matches(column, containsPattern(term));
