import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { holdStates } from "#shared/projects/holds-texts.ts";
import { createdAt, moment, rowId } from "./columns.ts";
import { users } from "./users.ts";

/**
 * Lots that one person may pay for until the end of the hold. An offer to somebody from the waiting list is a hold
 * without a reference, until they agree to the terms. No foreign key to the project, which it outlives.
 */
export const holds = pgTable(
  "holds",
  {
    id: rowId(),
    projectId: integer("project_id").notNull(),
    round: integer("round").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    lots: integer("lots").notNull(),
    /** The purchase's reference; null while it is only offered. */
    reference: text("reference"),
    state: text("state", { enum: holdStates }).notNull().default("live"),
    /** Null once it has no end any more: claimed, or over. */
    until: moment("until"),
    hasReceipt: boolean("has_receipt").notNull().default(false),
    /** The end that a receipt moved; a rejection counts from it. */
    untilBeforeReceipt: moment("until_before_receipt"),
    /** A rejection adds hours once. */
    isExtended: boolean("is_extended").notNull().default(false),
    warnedAt: moment("warned_at"),
    endedAt: moment("ended_at"),
    endedBy: uuid("ended_by").references(() => users.id),
    endReason: text("end_reason"),
    createdAt: createdAt(),
  },
  (table) => [
    check("holds_state", sql`${table.state} in ('live', 'claimed', 'used', 'lapsed', 'released', 'ended')`),
    check("holds_lots", sql`${table.lots} between 1 and 1000`),
    check("holds_until", sql`(${table.state} = 'live') = (${table.until} is not null)`),
    check("holds_ended", sql`(${table.state} in ('live', 'claimed')) = (${table.endedAt} is null)`),
    check("holds_end_reason", sql`${table.endReason} is null or ${table.state} = 'ended'`),
    uniqueIndex("holds_one_per_person")
      .on(table.projectId, table.round, table.userId)
      .where(sql`${table.state} in ('live', 'claimed')`),
    uniqueIndex("holds_one_per_reference").on(table.reference).where(sql`${table.state} in ('live', 'claimed')`),
    index("holds_of_user").on(table.userId, table.state),
    index("holds_by_end").on(table.until).where(sql`${table.state} = 'live'`),
    index("holds_of_round").on(table.projectId, table.round, table.id),
  ],
);

/** Who waits for lots of a round, in the order of the ids. Once offered, an entry has had its turn. */
export const waitingList = pgTable(
  "waiting_list",
  {
    id: rowId(),
    projectId: integer("project_id").notNull(),
    round: integer("round").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    lots: integer("lots").notNull(),
    joinedAt: createdAt(),
    offeredAt: moment("offered_at"),
    leftAt: moment("left_at"),
  },
  (table) => [
    check("waiting_list_lots", sql`${table.lots} between 1 and 1000`),
    check("waiting_list_left", sql`${table.offeredAt} is null or ${table.leftAt} is null`),
    uniqueIndex("waiting_list_one_per_person")
      .on(table.projectId, table.round, table.userId)
      .where(sql`${table.offeredAt} is null and ${table.leftAt} is null`),
    index("waiting_list_queue")
      .on(table.projectId, table.round, table.id)
      .where(sql`${table.offeredAt} is null and ${table.leftAt} is null`),
    index("waiting_list_of_user").on(table.userId),
  ],
);
