import { sql } from "drizzle-orm";
import { check, date, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createdAt, moment, rowId } from "./columns.ts";
import { users } from "./users.ts";

/**
 * Days on which nobody works. A row stays when it is removed, so that what was promised while it counted can be worked
 * out again.
 */
export const holidays = pgTable(
  "holidays",
  {
    id: rowId(),
    /** A day like "2026-12-25", in Lagos. */
    day: date("day", { mode: "string" }).notNull(),
    name: text("name").notNull(),
    /** Null for the fixed ones, which the software knows. */
    addedBy: uuid("added_by").references(() => users.id),
    createdAt: createdAt(),
    removedBy: uuid("removed_by").references(() => users.id),
    removedAt: moment("removed_at"),
  },
  (table) => [
    check("holidays_name", sql`length(btrim(${table.name})) between 2 and 100`),
    check("holidays_removed", sql`(${table.removedAt} is null) = (${table.removedBy} is null)`),
    uniqueIndex("holidays_day_key").on(table.day).where(sql`${table.removedAt} is null`),
  ],
);
