import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { farmPastStates } from "#shared/farm-past/texts.ts";
import { units } from "#shared/projects/terms-texts.ts";
import { createdAt, listOf, moment, rowId } from "./columns.ts";
import { farms } from "./farms.ts";
import { storedFiles } from "./files.ts";
import { users } from "./users.ts";

/**
 * A farm's account of a time before this site. The public sees it once an owner who didn't enter it has
 * confirmed it; a site's only owner may confirm their own. It is never part of the farm's record.
 */
export const farmPast = pgTable(
  "farm_past",
  {
    id: rowId(),
    farmId: integer("farm_id")
      .notNull()
      .references(() => farms.id),
    fromYear: integer("from_year").notNull(),
    toYear: integer("to_year").notNull(),
    farmed: text("farmed").notNull(),
    outcome: text("outcome").notNull(),
    unit: text("unit", { enum: units }),
    /** Thousandths of the unit. */
    planned: bigint("planned", { mode: "bigint" }),
    harvested: bigint("harvested", { mode: "bigint" }),
    paidBy: text("paid_by").notNull(),
    /** A description of the files for everybody. */
    evidence: text("evidence").notNull(),
    enteredBy: uuid("entered_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    state: text("state", { enum: farmPastStates }).notNull().default("waiting"),
    /** The last decision: the audit log has those before it. */
    decidedBy: uuid("decided_by").references(() => users.id),
    decidedAt: moment("decided_at"),
    /** The reason for a refusal or removal, or why the only owner confirmed their own entry. */
    reason: text("reason"),
  },
  (table) => [
    check(
      "farm_past_years",
      sql`1900 <= ${table.fromYear} and ${table.fromYear} <= ${table.toYear} and ${table.toYear} <= 2100`,
    ),
    check("farm_past_farmed", sql`length(${table.farmed}) between 1 and 80`),
    check("farm_past_outcome", sql`length(${table.outcome}) between 1 and 600`),
    check("farm_past_unit", sql`${table.unit} in (${listOf(units)})`),
    check("farm_past_figures", sql`(${table.unit} is null) = (num_nonnulls(${table.planned}, ${table.harvested}) = 0)`),
    check("farm_past_quantities", sql`${table.planned} > 0 and ${table.harvested} >= 0`),
    check("farm_past_paid_by", sql`length(${table.paidBy}) between 1 and 120`),
    check("farm_past_evidence", sql`length(${table.evidence}) between 1 and 200`),
    check("farm_past_state", sql`${table.state} in (${listOf(farmPastStates)})`),
    check(
      "farm_past_decided",
      sql`num_nonnulls(${table.decidedBy}, ${table.decidedAt}) = case ${table.state} when 'waiting' then 0 else 2 end`,
    ),
    check("farm_past_reason", sql`${table.reason} is not null or ${table.state} in ('waiting', 'confirmed')`),
    check(
      "farm_past_two_people",
      sql`${table.state} <> 'confirmed' or ${table.decidedBy} <> ${table.enteredBy} or ${table.reason} is not null`,
    ),
    index("farm_past_of_farm").on(table.farmId),
    index("farm_past_waiting").on(table.createdAt).where(sql`${table.state} = 'waiting'`),
  ],
);

/** The photos and documents that show it. */
export const farmPastFiles = pgTable(
  "farm_past_files",
  {
    id: rowId(),
    pastId: bigint("past_id", { mode: "number" })
      .notNull()
      .references(() => farmPast.id),
    fileId: uuid("file_id")
      .notNull()
      .references(() => storedFiles.id),
    createdAt: createdAt(),
  },
  (table) => [unique("farm_past_files_file_key").on(table.fileId), index("farm_past_files_of_past").on(table.pastId)],
);
