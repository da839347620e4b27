import { sql } from "drizzle-orm";
import { bigint, check, date, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { ReleasePart } from "#shared/projects/release-parts.ts";
import { type HarvestOption, type Insurance, units } from "#shared/projects/terms-texts.ts";
import { createdAt, kobo, quantity } from "./columns.ts";
import { users } from "./users.ts";

/**
 * The harvest terms of a round, version by version: a row is never changed, so that what somebody agreed to can be shown
 * years later. It has no foreign key to the project, because it outlives it.
 */
export const roundTerms = pgTable(
  "round_terms",
  {
    projectId: integer("project_id").notNull(),
    round: integer("round").notNull(),
    version: integer("version").notNull(),
    unit: text("unit", { enum: units }).notNull(),
    /** In thousandths of the unit. */
    plannedQuantity: bigint("planned_quantity", { mode: "bigint" }),
    plannedPriceKobo: kobo("planned_price_kobo"),
    plannedHarvests: integer("planned_harvests"),
    /** The quantity of each harvest; none: equal parts. */
    harvestPlan: quantity("harvest_plan").array().notNull().default(sql`'{}'`),
    firstHarvestOn: date("first_harvest_on"),
    /** Rates are basis points. */
    farmPartRate: integer("farm_part_rate").notNull(),
    deductibleCosts: jsonb("deductible_costs").$type<string[]>().notNull(),
    feeRate: integer("fee_rate").notNull(),
    options: jsonb("options").$type<HarvestOption[]>().notNull(),
    collectionPlace: text("collection_place").notNull(),
    choiceDays: integer("choice_days").notNull(),
    collectionDays: integer("collection_days").notNull(),
    insurance: jsonb("insurance").$type<Insurance>(),
    /** In which parts the farm gets what was raised; none: all of it at once. */
    releaseParts: jsonb("release_parts").$type<ReleasePart[]>().notNull(),
    /** The text that a payer reads, clause by clause, with the tick below it. It stays when the program's words change. */
    text: text("text").notNull(),
    /** SHA-256 of the text. */
    textSha256: text("text_sha256").notNull(),
    writtenBy: uuid("written_by").references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: "round_terms_pkey", columns: [table.projectId, table.round, table.version] }),
    check("round_terms_version", sql`${table.version} >= 1`),
    check("round_terms_farm_part", sql`${table.farmPartRate} between 0 and 9000`),
    check("round_terms_release_parts", sql`jsonb_array_length(${table.releaseParts}) <= 6`),
    check("round_terms_fee", sql`${table.feeRate} between 0 and 3000`),
    check("round_terms_choice_days", sql`${table.choiceDays} between 3 and 60`),
    check("round_terms_collection_days", sql`${table.collectionDays} between 1 and 30`),
    check("round_terms_planned_harvests", sql`${table.plannedHarvests} between 1 and 60`),
    check("round_terms_planned_quantity", sql`${table.plannedQuantity} > 0`),
    check(
      "round_terms_harvest_plan",
      sql`(${table.harvestPlan} = '{}' or (cardinality(${table.harvestPlan}) = ${table.plannedHarvests} and 0 < all(${table.harvestPlan})
        and sum_of(${table.harvestPlan}) = ${table.plannedQuantity})) is true`,
    ),
    check("round_terms_planned_price", sql`${table.plannedPriceKobo} > 0`),
    check(
      "round_terms_text_sha256",
      sql`${table.textSha256} = encode(sha256(convert_to(${table.text}, 'UTF8')), 'hex')`,
    ),
  ],
);
