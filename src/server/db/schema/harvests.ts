import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { costPayers, harvestFilePurposes, harvestPools, harvestStates } from "#shared/harvests/texts.ts";
import { createdAt, kobo, listOf, moment, quantity, rowId, updatedAt } from "./columns.ts";
import { storedFiles } from "./files.ts";
import { secondPersonRequests } from "./second-person.ts";
import { users } from "./users.ts";

/**
 * A backing's weight in the harvests of a round: the kobo of its lots, or of its grant. Frozen when the first of them
 * opens for choosing. No keys to project and backing: the books stay when those go.
 */
export const roundWeights = pgTable(
  "round_weights",
  {
    projectId: integer("project_id").notNull(),
    round: integer("round").notNull(),
    backingId: bigint("backing_id", { mode: "number" }).notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    weightKobo: kobo("weight_kobo").notNull(),
    /** The part of the weight that no longer counts, because its payments were struck. */
    struckKobo: kobo("struck_kobo").notNull().default(sql`0`),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.round, table.backingId] }),
    check("round_weights_weight", sql`${table.weightKobo} > 0`),
    check("round_weights_struck", sql`${table.struckKobo} between 0 and ${table.weightKobo}`),
    index("round_weights_of_person").on(table.userId),
  ],
);

/** A harvest of a round, or an insurer's sum for one. It keeps no key to the project, because it outlives it. */
export const harvests = pgTable(
  "harvests",
  {
    id: rowId(),
    projectId: integer("project_id").notNull(),
    projectTitle: text("project_title").notNull(),
    round: integer("round").notNull(),
    /** 1…n in its round. */
    number: integer("number").notNull(),
    /**
     * Which of the harvests that the terms plan it is (1…), and one more of those besides. Null of a withdrawn one and
     * of an insurer's sum.
     */
    place: integer("place"),
    /** An insurer's sum: without quantity and fee, divided by weights. */
    isInsurance: boolean("is_insurance").notNull(),
    state: text("state", { enum: harvestStates }).notNull().default("draft"),
    /** The harvested quantity after loss. Null for an insurer's sum. */
    quantity: quantity("quantity"),
    /** The quantity when it opened for choosing. */
    openedQuantity: quantity("opened_quantity"),
    /** The quantity lost before that, as entered; it isn't shared. */
    lostQuantity: quantity("lost_quantity").notNull().default(sql`0`),
    referencePriceKobo: kobo("reference_price_kobo"),
    /** The reason why it is less than planned or lost, in words that backers read. */
    note: text("note").notNull().default(""),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    openedAt: moment("opened_at"),
    /** The last moment of the last day for choosing, in Lagos. */
    choosesUntil: moment("chooses_until"),
    allottedAt: moment("allotted_at"),
    farmQuantity: quantity("farm_quantity"),
    /** The last moment of the last day for collecting, in Lagos. Null if nobody takes anything. */
    collectsUntil: moment("collects_until"),
    doneAt: moment("done_at"),
    /** Two owners ended it, because what wasn't settled will bring nothing, and why in words that backers read. */
    restLostAt: moment("rest_lost_at"),
    restLostReason: text("rest_lost_reason"),
    lostAt: moment("lost_at"),
    withdrawnAt: moment("withdrawn_at"),
    /** The costs that lines show and nobody wrote down, booked as a loss with the others. */
    unwrittenLostKobo: kobo("unwritten_lost_kobo").notNull().default(sql`0`),
    /**
     * When two owners booked the platform's costs as a loss: those of a lost or withdrawn harvest, or the rest at the
     * end of one that was sold.
     */
    costsLostAt: moment("costs_lost_at"),
  },
  (table) => [
    check("harvests_state", sql`${table.state} in (${listOf(harvestStates)})`),
    check(
      "harvests_quantity",
      sql`(${table.isInsurance} and num_nonnulls(${table.quantity}, ${table.referencePriceKobo}, ${table.openedAt}, ${table.allottedAt}) = 0 and ${table.state} in ('draft', 'settled', 'done', 'withdrawn'))
        or (not ${table.isInsurance} and ${table.quantity} >= 0 and ${table.referencePriceKobo} > 0)`,
    ),
    check(
      "harvests_opened_quantity",
      sql`(${table.openedAt} is null) = (${table.openedQuantity} is null) and ${table.quantity} <= ${table.openedQuantity}`,
    ),
    check("harvests_lost_quantity", sql`${table.lostQuantity} >= 0`),
    check("harvests_lost", sql`(${table.state} = 'lost') = (${table.lostAt} is not null)`),
    check("harvests_done", sql`(${table.state} = 'done') = (${table.doneAt} is not null)`),
    check(
      "harvests_rest_lost",
      sql`(${table.restLostAt} is null) = (${table.restLostReason} is null) and (${table.restLostAt} is null or ${table.doneAt} is not null)`,
    ),
    check("harvests_withdrawn", sql`(${table.state} = 'withdrawn') = (${table.withdrawnAt} is not null)`),
    check(
      "harvests_opened",
      sql`(${table.openedAt} is null) = (${table.choosesUntil} is null) and (${table.openedAt} is not null or ${table.isInsurance} or ${table.state} in ('draft', 'lost', 'withdrawn'))`,
    ),
    check(
      "harvests_allotted",
      sql`(${table.allottedAt} is null) = (${table.farmQuantity} is null) and (${table.allottedAt} is not null or ${table.isInsurance} or ${table.state} in ('draft', 'choosing', 'lost', 'withdrawn')) and (${table.allottedAt} is null or ${table.state} in ('allotted', 'settled', 'done', 'lost')) and (${table.collectsUntil} is null or ${table.allottedAt} is not null)`,
    ),
    check("harvests_costs_lost", sql`${table.costsLostAt} is null or ${table.state} in ('lost', 'withdrawn', 'done')`),
    check(
      "harvests_place",
      sql`${table.place} >= 1 and (${table.place} is null) = (${table.isInsurance} or ${table.state} = 'withdrawn')`,
    ),
    unique("harvests_place_key").on(table.projectId, table.round, table.place),
    unique("harvests_number_key").on(table.projectId, table.round, table.number),
    index("harvests_of_state").on(table.state),
  ],
);

/** A person's part of a harvest, from its opening on: their choice, and what was allotted. */
export const harvestParts = pgTable(
  "harvest_parts",
  {
    harvestId: bigint("harvest_id", { mode: "number" })
      .notNull()
      .references(() => harvests.id),
    backingId: bigint("backing_id", { mode: "number" }).notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    weightKobo: kobo("weight_kobo").notNull(),
    /**
     * The part of the weight struck since the allotment: so much less of the quantity brings money. Before it, the
     * weight itself falls.
     */
    struckKobo: kobo("struck_kobo").notNull().default(sql`0`),
    /** The choice, of the quantity as it was then. Null while nothing was chosen: all is sold. */
    chosenTaken: quantity("chosen_taken"),
    chosenGiven: quantity("chosen_given"),
    chosenSold: quantity("chosen_sold"),
    chosenAt: moment("chosen_at"),
    /** Fixed at the allotment. What is taken but not collected in time is sold later, by itself. */
    quantity: quantity("quantity"),
    taken: quantity("taken"),
    given: quantity("given"),
    sold: quantity("sold"),
    /** The produce taken, at the reference price; a memo. */
    produceKobo: kobo("produce_kobo"),
    /** Six digits that the taker shows. */
    code: text("code"),
    collectedAt: moment("collected_at"),
    collectedBy: uuid("collected_by").references(() => users.id),
    /** When it was moved to what is sold, because nobody came for it. */
    uncollectedAt: moment("uncollected_at"),
  },
  (table) => [
    primaryKey({ columns: [table.harvestId, table.backingId] }),
    check("harvest_parts_weight", sql`${table.weightKobo} > 0`),
    check(
      "harvest_parts_struck",
      sql`${table.struckKobo} between 0 and ${table.weightKobo} and (${table.struckKobo} = 0 or ${table.quantity} is not null)`,
    ),
    check(
      "harvest_parts_choice",
      sql`num_nonnulls(${table.chosenTaken}, ${table.chosenGiven}, ${table.chosenSold}, ${table.chosenAt}) in (0, 4)
        and (${table.chosenAt} is null or least(${table.chosenTaken}, ${table.chosenGiven}, ${table.chosenSold}) >= 0)`,
    ),
    check(
      "harvest_parts_allotted",
      sql`num_nonnulls(${table.quantity}, ${table.taken}, ${table.given}, ${table.sold}, ${table.produceKobo}) in (0, 5)
        and (${table.quantity} is null or (least(${table.taken}, ${table.given}, ${table.sold}, ${table.produceKobo}) >= 0
          and ${table.quantity} = ${table.taken} + ${table.given} + ${table.sold}))`,
    ),
    check(
      "harvest_parts_code",
      sql`(${table.code} is not null) = (coalesce(${table.taken}, 0) > 0) and ${table.code} ~ '^[0-9]{6}$'`,
    ),
    check(
      "harvest_parts_collected",
      sql`(${table.collectedAt} is null) = (${table.collectedBy} is null) and num_nonnulls(${table.collectedAt}, ${table.uncollectedAt}) <= case when ${table.code} is null then 0 else 1 end`,
    ),
    uniqueIndex("harvest_parts_code_key").on(table.harvestId, table.code).where(sql`${table.code} is not null`),
    index("harvest_parts_of_person").on(table.userId),
  ],
);

/** The costs of a harvest that may be taken from its sales, by the terms. */
export const harvestCosts = pgTable(
  "harvest_costs",
  {
    id: rowId(),
    harvestId: bigint("harvest_id", { mode: "number" })
      .notNull()
      .references(() => harvests.id),
    /** One of the terms' deductible costs. */
    label: text("label").notNull(),
    amountKobo: kobo("amount_kobo").notNull(),
    paidBy: text("paid_by", { enum: costPayers }).notNull(),
    /**
     * Two owners agreed that the farm paid it: no line of a statement ever shows that. Until then it isn't taken from
     * sales.
     */
    requestId: bigint("request_id", { mode: "number" }).references(() => secondPersonRequests.id),
    recordedBy: uuid("recorded_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    removedAt: moment("removed_at"),
    removedBy: uuid("removed_by").references(() => users.id),
  },
  (table) => [
    check("harvest_costs_amount", sql`${table.amountKobo} > 0`),
    check("harvest_costs_paid_by", sql`${table.paidBy} in (${listOf(costPayers)})`),
    check("harvest_costs_counted", sql`${table.requestId} is null or ${table.paidBy} = 'farm'`),
    check("harvest_costs_removed", sql`(${table.removedAt} is null) = (${table.removedBy} is null)`),
    index("harvest_costs_of_harvest").on(table.harvestId),
  ],
);

/**
 * Somebody bought of a harvest, or an insurer owes a sum. It counts as received once the bank's lines show it, or two owners
 * say so with evidence.
 */
export const harvestSales = pgTable(
  "harvest_sales",
  {
    id: rowId(),
    harvestId: bigint("harvest_id", { mode: "number" })
      .notNull()
      .references(() => harvests.id),
    /** The pool it sells from: the parts to be sold by the allotment, or the produce that nobody collected. */
    pool: text("pool", { enum: harvestPools }).notNull(),
    buyer: text("buyer").notNull(),
    /** Null for an insurer's sum. */
    quantity: quantity("quantity"),
    amountKobo: kobo("amount_kobo").notNull(),
    recordedBy: uuid("recorded_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    /** Two owners said that the money came, though no line shows it. */
    declaredAt: moment("declared_at"),
    requestId: bigint("request_id", { mode: "number" }).references(() => secondPersonRequests.id),
    /** Two owners said later that it hadn't. It isn't declared again. */
    takenBackAt: moment("taken_back_at"),
    takenBackRequestId: bigint("taken_back_request_id", { mode: "number" }).references(() => secondPersonRequests.id),
    /** The money that the bank took back after it was settled, and that two owners no longer wait for. */
    lostKobo: kobo("lost_kobo").notNull().default(sql`0`),
    removedAt: moment("removed_at"),
    removedBy: uuid("removed_by").references(() => users.id),
  },
  (table) => [
    check("harvest_sales_lost", sql`${table.lostKobo} >= 0`),
    check("harvest_sales_pool", sql`${table.pool} in (${listOf(harvestPools)})`),
    check(
      "harvest_sales_amount",
      sql`${table.amountKobo} > 0 and (${table.quantity} is null or ${table.quantity} > 0)`,
    ),
    check(
      "harvest_sales_taken_back",
      sql`(${table.takenBackAt} is null) = (${table.takenBackRequestId} is null) and num_nonnulls(${table.takenBackAt}, ${table.declaredAt}) < 2`,
    ),
    check("harvest_sales_declared", sql`(${table.declaredAt} is null) = (${table.requestId} is null)`),
    check(
      "harvest_sales_removed",
      sql`(${table.removedAt} is null) = (${table.removedBy} is null) and (${table.removedAt} is null or ${table.declaredAt} is null)`,
    ),
    index("harvest_sales_of_harvest").on(table.harvestId),
  ],
);

/** Photos and documents: of the harvest or its loss, of a cost, of a sale. */
export const harvestFiles = pgTable(
  "harvest_files",
  {
    id: rowId(),
    harvestId: bigint("harvest_id", { mode: "number" })
      .notNull()
      .references(() => harvests.id),
    purpose: text("purpose", { enum: harvestFilePurposes }).notNull(),
    costId: bigint("cost_id", { mode: "number" }).references(() => harvestCosts.id),
    saleId: bigint("sale_id", { mode: "number" }).references(() => harvestSales.id),
    fileId: uuid("file_id")
      .notNull()
      .references(() => storedFiles.id),
    /** Generated by the page, so that a repeated upload is kept once. */
    idempotencyKey: uuid("idempotency_key").notNull(),
    addedBy: uuid("added_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [
    check(
      "harvest_files_purpose",
      sql`${table.purpose} in (${listOf(harvestFilePurposes)}) and (${table.purpose} = 'cost') = (${table.costId} is not null) and (${table.purpose} = 'sale') = (${table.saleId} is not null)`,
    ),
    unique("harvest_files_file_key").on(table.fileId),
    unique("harvest_files_idempotency_key").on(table.harvestId, table.idempotencyKey),
  ],
);
