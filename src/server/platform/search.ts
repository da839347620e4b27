import { type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { bareReference } from "#server/db/schema/payments.ts";

/** Searches match a part of a text, ignoring case, with trigram indexes (pg_trgm). */

/** A LIKE pattern that matches the text literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** The same for words that follow each other with anything between them: "layers in Kwara" finds layers whose place is in Kwara. */
export function wordsPattern(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const telling = words.filter((word) => !/^(in|at|near)$/i.test(word));
  return containsPattern((telling.length > 0 ? telling : words).join(gap)).replaceAll(gap, "%");
}
/** A sign that no text has. */
const gap = "\u0000";

/** Whether the column matches a pattern of {@link containsPattern}, given as a value or a placeholder. */
export const matches = (column: SQLWrapper, pattern: string | Placeholder): SQL => sql`${column} ilike ${pattern}`;

/** Whether the column contains the term. */
export const contains = (column: SQLWrapper, term: string): SQL => matches(column, containsPattern(term));

const shortestReferencePart = 3;

/** Whether a row's reference contains the term, with or without dashes. Undefined if the term is too short to be looked for. */
export function containsReference(table: Record<"reference", AnyPgColumn>, term: string): SQL | undefined {
  const bare = term.replace(/[\s\p{Dash}]+/gu, "");
  return bare.length < shortestReferencePart ? undefined : contains(bareReference(table), bare);
}
