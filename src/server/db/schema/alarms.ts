import { sql } from "drizzle-orm";
import { jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, moment, rowId } from "./columns.ts";

/** Findings of the hourly self-check: one row per finding, from its first appearance until it is resolved. */
export const alarms = pgTable(
  "alarms",
  {
    id: rowId(),
    /** The name of the violated check. */
    name: text("name").notNull(),
    finding: jsonb("finding").$type<{ violation: string; row: unknown }>().notNull(),
    /** A hash of name and finding, so that an open alarm isn't raised again. */
    key: text("key").notNull(),
    createdAt: createdAt(),
    resolvedAt: moment("resolved_at"),
  },
  (table) => [uniqueIndex("alarms_one_open").on(table.key).where(sql`${table.resolvedAt} is null`)],
);
