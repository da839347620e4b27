import { sql } from "drizzle-orm";
import { jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, moment, rowId } from "./columns.ts";

/** What the hourly self-check found: one row for each finding, from when it was first seen until it is gone. */
export const alarms = pgTable(
  "alarms",
  {
    id: rowId(),
    /** The check that it breaks. */
    name: text("name").notNull(),
    finding: jsonb("finding").$type<{ violation: string; row: unknown }>().notNull(),
    /** A hash of name and finding: the same one raises no second alarm while it stands. */
    key: text("key").notNull(),
    createdAt: createdAt(),
    resolvedAt: moment("resolved_at"),
  },
  (table) => [uniqueIndex("alarms_one_open").on(table.key).where(sql`${table.resolvedAt} is null`)],
);
