import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** Searches look for a part of a text, upper or lower case; trigram indexes (pg_trgm) serve them. */

/** The text as a LIKE pattern that contains it literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** The column contains the term. */
export const contains = (column: SQLWrapper, term: string): SQL => sql`${column} ilike ${containsPattern(term)}`;
