import { sql } from "drizzle-orm";
import { check, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { ProjectFilters } from "#shared/projects/filters-texts.ts";
import { createdAt, moment, rowId } from "./columns.ts";
import { users } from "./users.ts";

/** Filters of /discover whose new projects a person is told of. */
export const savedSearches = pgTable(
  "saved_searches",
  {
    id: rowId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    filters: jsonb("filters").$type<ProjectFilters>().notNull(),
    /** Its person was told of what opened until then. */
    toldUntil: moment("told_until").notNull(),
    /** It rests since then, until its person takes that back. The clean-up deletes it after 30 days. */
    stoppedAt: moment("stopped_at"),
    createdAt: createdAt(),
  },
  (table) => [
    unique("saved_searches_same").on(table.userId, table.filters),
    check("saved_searches_name", sql`length(${table.name}) between 1 and 80`),
    check("saved_searches_filters", sql`jsonb_typeof(${table.filters}) = 'object'`),
  ],
);
