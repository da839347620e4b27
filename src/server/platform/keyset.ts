import { type AnyColumn, desc, type SQL, sql } from "drizzle-orm";
import { AppError } from "./errors.ts";

/** Keyset cursors: where the next page begins. They grant no rights, so they are not signed. */

type CursorPart = string | number;

/** The cursor of a page's last row, from the values that the list is sorted by. */
export function encodeCursor(parts: CursorPart[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** The kinds of cursor parts: "int" fits an integer column, "bigint" a bigint one, "moment" is in milliseconds. */
type CursorValues = { string: string; int: number; bigint: number; moment: Date; uuid: string };
type CursorKind = keyof CursorValues;

/** Throws "invalid" unless the cursor has these kinds of parts, with values that their columns can hold. */
export function decodeCursor<const Kinds extends CursorKind[]>(
  cursor: string,
  kinds: Kinds,
): { [Index in keyof Kinds]: CursorValues[Kinds[Index]] } {
  const parts = parseJson(Buffer.from(cursor, "base64url").toString());
  const values =
    Array.isArray(parts) && parts.length === kinds.length ? kinds.map((kind, index) => read[kind](parts[index])) : [];
  if (values.length === 0 || values.includes(undefined))
    throw new AppError("invalid", "This page of the list can't be found. Please start again from the first page.");
  return values as ReturnType<typeof decodeCursor<Kinds>>;
}

const MAX_INT = 2_147_483_647;
/** The end of the year 9999. JavaScript dates go further than the timestamps that PostgreSQL parses. */
const MAX_TIME = 253_402_300_799_999;

const integerUpTo = (max: number) => (part: unknown) =>
  typeof part === "number" && Number.isInteger(part) && Math.abs(part) <= max ? part : undefined;

const read: { [Kind in CursorKind]: (part: unknown) => CursorValues[Kind] | undefined } = {
  string: (part) => (typeof part === "string" && !part.includes("\0") ? part : undefined),
  uuid: (part) =>
    typeof part === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(part) ? part : undefined,
  int: integerUpTo(MAX_INT),
  bigint: integerUpTo(Number.MAX_SAFE_INTEGER),
  moment: (part) =>
    typeof part === "number" && Number.isInteger(part) && part >= 0 && part <= MAX_TIME ? new Date(part) : undefined,
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The order of a list with the latest row first: by a moment, then by an id whose column type is `idKind`.
 * `after` is the WHERE condition of the page after a cursor. It throws as {@link decodeCursor} does.
 */
export function latestFirst(moment: AnyColumn, id: AnyColumn, idKind: "int" | "bigint") {
  return {
    by: [desc(moment), desc(id)],
    after(cursor: string | null | undefined): SQL | undefined {
      if (!cursor) return undefined;
      const [lastMoment, lastId] = decodeCursor(cursor, ["moment", idKind]);
      return sql`(${moment}, ${id}) < (${lastMoment.toISOString()}::timestamptz, ${lastId})`;
    },
    cursorOf: (lastMoment: Date, lastId: number) => encodeCursor([lastMoment.getTime(), lastId]),
  };
}

/**
 * Cuts the found rows to a page. The query fetches one row more than that, whose presence means that a next page
 * exists.
 */
export function pageOf<Row>(
  found: Row[],
  size: number,
  cursorOf: (last: Row) => string,
): { items: Row[]; nextCursor: string | null } {
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, nextCursor: found.length > size && last !== undefined ? cursorOf(last) : null };
}
