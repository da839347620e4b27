import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, kobo, moment } from "./columns.ts";
import { farms } from "./farms.ts";
import { users } from "./users.ts";

/**
 * The offer of a project's round. The current round's row follows the edit screen until somebody holds or pays for a
 * lot; from then on it is fixed. It has no foreign key to the project, because it outlives it.
 */
export const projectRounds = pgTable(
  "project_rounds",
  {
    projectId: integer("project_id").notNull(),
    round: integer("round").notNull(),
    /** The farm that runs it, copied from the project; null if the operator does. */
    farmId: integer("farm_id").references(() => farms.id),
    lots: integer("lots").notNull(),
    /** From how many approved lots on the farm starts. */
    minimumLots: integer("minimum_lots").notNull(),
    lotPriceKobo: kobo("lot_price_kobo").notNull(),
    /** The version of the harvest terms that the round is sold by. A deferred foreign key names its row. */
    termsVersion: integer("terms_version").notNull(),
    /** Cached number of lots of the round's approved payments; a deferred trigger compares the two. */
    approvedLots: integer("approved_lots").notNull().default(0),
    /** Cached number of lots of the round's holds that stand; a deferred trigger compares the two. */
    heldLots: integer("held_lots").notNull().default(0),
    /** Null while nothing is decided: the round is open, or ended if its project is closed. */
    outcome: text("outcome", { enum: ["funded", "not_funded", "written_off"] }),
    /** Null for a round that was funded by its last lot. */
    decidedBy: uuid("decided_by").references(() => users.id),
    decidedAt: moment("decided_at"),
    /** When its sale began, or last went on after its project had been closed. */
    openedAt: moment("opened_at").notNull().default(sql`now()`),
    /** The opening of which people were told whose saved searches it fits: the last one, or one before it. */
    toldAt: moment("told_at"),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: "project_rounds_pkey", columns: [table.projectId, table.round] }),
    index("project_rounds_of_farm").on(table.farmId),
    check("project_rounds_round", sql`${table.round} >= 1`),
    check("project_rounds_lots", sql`${table.lots} between 1 and 1000`),
    check("project_rounds_minimum_lots", sql`${table.minimumLots} between 1 and ${table.lots}`),
    check(
      "project_rounds_lot_price",
      sql`${table.lotPriceKobo} > 0 and (${table.lots} = 1 or ${table.lotPriceKobo} % 100 = 0)`,
    ),
    check(
      "project_rounds_not_oversold",
      sql`${table.approvedLots} >= 0 and ${table.heldLots} >= 0 and ${table.approvedLots} + ${table.heldLots} <= ${table.lots}`,
    ),
    check("project_rounds_outcome", sql`${table.outcome} in ('funded', 'not_funded', 'written_off')`),
    check("project_rounds_decided", sql`(${table.outcome} is null) = (${table.decidedAt} is null)`),
    check("project_rounds_decided_by", sql`${table.decidedBy} is null or ${table.outcome} is not null`),
    check("project_rounds_given_back", sql`${table.outcome} <> 'not_funded' or ${table.approvedLots} = 0`),
  ],
);
