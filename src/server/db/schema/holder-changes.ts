import { sql } from "drizzle-orm";
import {
  bigint,
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
import { holderChangeCauses, holderChangeOutcomes } from "#shared/payments/holder-changes-texts.ts";
import { createdAt, listOf, moment, rowId } from "./columns.ts";
import { projectPayments } from "./payments.ts";
import { secondPersonRequests } from "./second-person.ts";
import { users } from "./users.ts";

/**
 * A change of holder: a person's part in a round passes to another by death, as a gift, or by a court's order, as two
 * owners said. It waits until a moment; until then either person stops it by objecting, or an owner does. No key to the
 * project, because money outlives it.
 */
export const holderChanges = pgTable(
  "holder_changes",
  {
    id: rowId(),
    /** The payment that it was asked about. All approved ones of its person in its round go along. */
    paymentId: bigint("payment_id", { mode: "number" })
      .notNull()
      .references(() => projectPayments.id),
    projectId: integer("project_id").notNull(),
    projectTitle: text("project_title").notNull(),
    round: integer("round").notNull(),
    fromUserId: uuid("from_user_id")
      .notNull()
      .references(() => users.id),
    toUserId: uuid("to_user_id")
      .notNull()
      .references(() => users.id),
    cause: text("cause", { enum: holderChangeCauses }).notNull(),
    /** The owners' words, which both people read. */
    reason: text("reason").notNull(),
    requestId: bigint("request_id", { mode: "number" })
      .notNull()
      .references(() => secondPersonRequests.id),
    madeBy: uuid("made_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    /** Until when it can be objected to. From then on it is carried out. */
    until: moment("until").notNull(),
    outcome: text("outcome", { enum: holderChangeOutcomes }),
    endedAt: moment("ended_at"),
    /** Who objected, or which owner stopped it. */
    endedBy: uuid("ended_by").references(() => users.id),
    /** The reason why an owner stopped it, or why it couldn't be carried out. */
    endReason: text("end_reason"),
    /** The backing whose weight in the round's harvests went along; null before that, or if no harvest had begun. */
    backingId: bigint("backing_id", { mode: "number" }),
  },
  (table) => [
    check("holder_changes_people", sql`${table.fromUserId} <> ${table.toUserId}`),
    check("holder_changes_cause", sql`${table.cause} in (${listOf(holderChangeCauses)})`),
    check("holder_changes_outcome", sql`${table.outcome} in (${listOf(holderChangeOutcomes)})`),
    check("holder_changes_until", sql`${table.until} > ${table.createdAt}`),
    check("holder_changes_ended", sql`(${table.outcome} is null) = (${table.endedAt} is null)`),
    check(
      "holder_changes_ended_by",
      sql`(${table.endedBy} is not null) = (coalesce(${table.outcome}, '') in ('objected', 'stopped'))
        and (${table.endReason} is not null) = (coalesce(${table.outcome}, '') in ('stopped', 'failed'))`,
    ),
    check(
      "holder_changes_carried_out",
      sql`(coalesce(${table.outcome}, '') not in ('carried_out', 'failed') or ${table.endedAt} >= ${table.until})
        and (${table.backingId} is null or ${table.outcome} = 'carried_out')`,
    ),
    unique("holder_changes_one_per_request").on(table.requestId),
    uniqueIndex("holder_changes_one_running")
      .on(table.projectId, table.round, table.fromUserId)
      .where(sql`${table.outcome} is null`),
    index("holder_changes_of_payment").on(table.paymentId),
    index("holder_changes_from").on(table.fromUserId),
    index("holder_changes_to").on(table.toUserId),
    index("holder_changes_running").on(table.until).where(sql`${table.outcome} is null`),
  ],
);

/** The payments that went to another holder. */
export const holderChangePayments = pgTable(
  "holder_change_payments",
  {
    changeId: bigint("change_id", { mode: "number" })
      .notNull()
      .references(() => holderChanges.id),
    paymentId: bigint("payment_id", { mode: "number" })
      .notNull()
      .references(() => projectPayments.id),
  },
  (table) => [
    primaryKey({ columns: [table.changeId, table.paymentId] }),
    index("holder_change_payments_of_payment").on(table.paymentId),
  ],
);
