import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { bareReference } from "#server/db/schema/payments.ts";

/** Searches match a part of a text, ignoring case, with trigram indexes (pg_trgm). */

/** A LIKE pattern that matches the text literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** More words than these narrow a search no further. */
const mostWords = 6;

/**
 * Splits a search into words, each searched by itself: "layers in Kwara" finds rows with "layers" and "Kwara"
 * somewhere. Single letters, which no index finds, and "in", "at" and "near" are left out. If there is nothing else,
 * the first word counts.
 */
export function searchWords(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const telling = words.filter((word) => word.length > 1 && !/^(in|at|near)$/i.test(word));
  return telling.length > 0 ? telling.slice(0, mostWords) : words.slice(0, 1);
}

/** The condition that the column contains the term. */
export const contains = (column: SQLWrapper, term: string): SQL => sql`${column} ilike ${containsPattern(term)}`;

const shortestReferencePart = 3;

/**
 * The condition that a row's reference contains the term, with or without dashes. Undefined if the term is too short to
 * search for.
 */
export function containsReference(table: Record<"reference", AnyPgColumn>, term: string): SQL | undefined {
  const bare = term.replace(/[\s\p{Dash}]+/gu, "");
  return bare.length < shortestReferencePart ? undefined : contains(bareReference(table), bare);
}
