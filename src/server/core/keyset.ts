import { AppError } from "#server/core/errors.ts";

/** Keyset cursors: where the next page begins, opaque to the browser, and worthless to a forger: it holds no rights. */

type CursorPart = string | number | boolean | null;

export function encodeCursor(parts: CursorPart[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** Throws "invalid" for anything but a cursor with these kinds of parts. */
export function decodeCursor<const Kinds extends ("string" | "number" | "boolean")[]>(
  cursor: string,
  kinds: Kinds,
): { [Index in keyof Kinds]: { string: string; number: number; boolean: boolean }[Kinds[Index]] } {
  const parts = parseJson(Buffer.from(cursor, "base64url").toString());
  const fits =
    Array.isArray(parts) &&
    parts.length === kinds.length &&
    parts.every(
      (part, index) => typeof part === kinds[index] && (typeof part !== "number" || Number.isSafeInteger(part)),
    );
  if (!fits)
    throw new AppError("invalid", "This page of the list can't be found. Please start again from the first page.");
  return parts as ReturnType<typeof decodeCursor<Kinds>>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
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

/** The text as a LIKE pattern that contains it literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}
