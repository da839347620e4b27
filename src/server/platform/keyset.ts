import { type AnyColumn, desc, type SQL, sql } from "drizzle-orm";
import { AppError } from "./errors.ts";

/** Keyset cursors: where the next page begins, opaque to the browser, and worthless to a forger: it holds no rights. */

type CursorPart = string | number;

export function encodeCursor(parts: CursorPart[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** What a part is read as: "int" fits an integer column, "bigint" a bigint one, "moment" is milliseconds. */
type CursorValues = { string: string; int: number; bigint: number; moment: Date; uuid: string };
type CursorKind = keyof CursorValues;

/** Throws "invalid" for anything but a cursor with these kinds of parts. Nothing passes that a column can't hold. */
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
/** The end of the year 9999: dates reach further than the text of a moment that PostgreSQL reads. */
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
 * The order of a list that shows the latest row first: by a moment, then by an id, which `idKind` says the size of.
 * `after` is the WHERE part of the pages that follow a cursor, and throws as {@link decodeCursor} does.
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

/** Takes one row more than a page shows: its presence says that there is a next page. */
export function pageOf<Row>(
  found: Row[],
  size: number,
  cursorOf: (last: Row) => string,
): { items: Row[]; nextCursor: string | null } {
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, nextCursor: found.length > size && last !== undefined ? cursorOf(last) : null };
}
