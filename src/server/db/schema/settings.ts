import { sql } from "drizzle-orm";
import { check, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { rowId, updatedAt } from "./columns.ts";
import { users } from "./users.ts";

export const settings = pgTable(
  "settings",
  {
    id: rowId(),
    key: text("key").notNull(),
    value: text("value").notNull(),
    description: text("description").notNull().default(""),
    updatedBy: uuid("updated_by").references(() => users.id, { onDelete: "set null" }),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique("settings_key_key").on(table.key),
    check(
      "settings_key_and_value",
      sql`length(btrim(${table.key})) between 1 and 100 and length(btrim(${table.value})) between 1 and 5000`,
    ),
  ],
);
