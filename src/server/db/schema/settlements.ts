import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { harvestPools } from "#shared/harvests/texts.ts";
import { createdAt, kobo, listOf, moment, quantity, rowId } from "./columns.ts";
import { harvestCosts, harvests } from "./harvests.ts";
import { users } from "./users.ts";

/**
 * Money of a harvest's sales that was divided among the farm and its backers. Nothing of it changes but that it was reversed,
 * which is possible while no payout of it has left "due".
 */
export const settlements = pgTable(
  "settlements",
  {
    id: rowId(),
    harvestId: bigint("harvest_id", { mode: "number" })
      .notNull()
      .references(() => harvests.id),
    /** 1…n in its harvest. */
    number: integer("number").notNull(),
    pool: text("pool", { enum: harvestPools }).notNull(),
    /** The proceeds of sales, divided into the costs, the farm's part, and everything that backers get or owe. */
    proceedsKobo: kobo("proceeds_kobo").notNull(),
    costsKobo: kobo("costs_kobo").notNull(),
    /** The part of the costs that the farm had paid, and gets back. */
    farmCostsKobo: kobo("farm_costs_kobo").notNull(),
    farmKobo: kobo("farm_kobo").notNull(),
    netKobo: kobo("net_kobo").notNull(),
    feeKobo: kobo("fee_kobo").notNull(),
    vatKobo: kobo("vat_kobo").notNull(),
    whtKobo: kobo("wht_kobo").notNull(),
    farmQuantity: quantity("farm_quantity").notNull(),
    /** Rates in basis points, as they were. */
    feeRate: integer("fee_rate").notNull(),
    vatRate: integer("vat_rate").notNull(),
    whtRate: integer("wht_rate").notNull(),
    /** The part taken from the farm's payouts for the rest of the platform's costs, when the harvest was done. */
    farmDeductedKobo: kobo("farm_deducted_kobo").notNull().default(sql`0`),
    settledBy: uuid("settled_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    reversedAt: moment("reversed_at"),
    reversedBy: uuid("reversed_by").references(() => users.id),
    reversedReason: text("reversed_reason"),
  },
  (table) => [
    check("settlements_pool", sql`${table.pool} in (${listOf(harvestPools)})`),
    check(
      "settlements_sums",
      sql`${table.proceedsKobo} > 0 and least(${table.costsKobo}, ${table.farmKobo}, ${table.netKobo}, ${table.feeKobo}, ${table.vatKobo}, ${table.whtKobo}, ${table.farmQuantity}) >= 0
        and ${table.proceedsKobo} = ${table.costsKobo} + ${table.farmKobo} + ${table.netKobo} + ${table.feeKobo} + ${table.vatKobo} + ${table.whtKobo}`,
    ),
    check(
      "settlements_farm",
      sql`${table.farmCostsKobo} between 0 and ${table.costsKobo} and ${table.farmDeductedKobo} between 0 and ${table.farmKobo} + ${table.farmCostsKobo}`,
    ),
    check(
      "settlements_rates",
      sql`${table.feeRate} between 0 and 3000 and ${table.vatRate} between 0 and 10000 and ${table.whtRate} between 0 and 10000`,
    ),
    check(
      "settlements_reversed",
      sql`num_nonnulls(${table.reversedAt}, ${table.reversedBy}, ${table.reversedReason}) in (0, 3)`,
    ),
    unique("settlements_number_key").on(table.harvestId, table.number),
  ],
);

/** The share of a settlement that one backing received. */
export const settlementParts = pgTable(
  "settlement_parts",
  {
    settlementId: bigint("settlement_id", { mode: "number" })
      .notNull()
      .references((): AnyPgColumn => settlements.id),
    backingId: bigint("backing_id", { mode: "number" }).notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** The backing's part of the pool: a quantity, or for an insurer's sum its weight in kobo. */
    weight: bigint("weight", { mode: "bigint" }).notNull(),
    shareKobo: kobo("share_kobo").notNull(),
    feeKobo: kobo("fee_kobo").notNull(),
    vatKobo: kobo("vat_kobo").notNull(),
    whtKobo: kobo("wht_kobo").notNull(),
    netKobo: kobo("net_kobo").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.settlementId, table.backingId] }),
    check(
      "settlement_parts_sums",
      sql`least(${table.weight}, ${table.feeKobo}, ${table.vatKobo}, ${table.whtKobo}, ${table.netKobo}) >= 0
        and ${table.shareKobo} = ${table.netKobo} + ${table.feeKobo} + ${table.vatKobo} + ${table.whtKobo}`,
    ),
    index("settlement_parts_of_person").on(table.userId),
  ],
);

/** The costs that a settlement took from its sales. */
export const settlementCosts = pgTable(
  "settlement_costs",
  {
    settlementId: bigint("settlement_id", { mode: "number" })
      .notNull()
      .references(() => settlements.id),
    costId: bigint("cost_id", { mode: "number" })
      .notNull()
      .references(() => harvestCosts.id),
    amountKobo: kobo("amount_kobo").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.settlementId, table.costId] }),
    check("settlement_costs_amount", sql`${table.amountKobo} > 0`),
    index("settlement_costs_of_cost").on(table.costId),
  ],
);
