import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { secondPersonKinds } from "#shared/second-person/texts.ts";
import { moment, rowId } from "./columns.ts";
import { users } from "./users.ts";

/**
 * A request of one owner for another's confirmation. It stands for seven days, or until the asker loses the rights. One
 * that nobody decided in time is marked as lapsed when the next is made.
 */
export const secondPersonRequests = pgTable(
  "second_person_requests",
  {
    id: rowId(),
    kind: text("kind", { enum: secondPersonKinds }).notNull(),
    /** The subject, as its kind names it: one request for it is open at a time. */
    subject: text("subject").notNull(),
    /** As the kind's schema has it. */
    details: jsonb("details").$type<Record<string, unknown>>().notNull(),
    reason: text("reason").notNull(),
    requestedBy: uuid("requested_by")
      .notNull()
      .references(() => users.id),
    requestedAt: moment("requested_at").notNull(),
    decision: text("decision", { enum: ["confirmed", "declined", "withdrawn", "lapsed"] }),
    decidedBy: uuid("decided_by").references(() => users.id),
    decidedAt: moment("decided_at"),
    /** Confirmed by the only owner, with their second factor. */
    isAlone: boolean("is_alone").notNull().default(false),
  },
  (table) => [
    check(
      "second_person_requests_kind",
      sql`${table.kind} in (${sql.raw(secondPersonKinds.map((kind) => `'${kind}'`).join(", "))})`,
    ),
    check("second_person_requests_reason", sql`length(${table.reason}) between 1 and 500`),
    check(
      "second_person_requests_decision",
      sql`${table.decision} in ('confirmed', 'declined', 'withdrawn', 'lapsed')`,
    ),
    check(
      "second_person_requests_decided",
      sql`(${table.decision} is null) = (${table.decidedAt} is null) and (${table.decidedBy} is null) = (coalesce(${table.decision}, 'lapsed') = 'lapsed')`,
    ),
    check(
      "second_person_requests_two_people",
      sql`${table.decision} is distinct from 'confirmed' or (${table.decidedBy} = ${table.requestedBy}) = ${table.isAlone}`,
    ),
    check("second_person_requests_alone", sql`not ${table.isAlone} or ${table.decision} = 'confirmed'`),
    // An account's number is needed until somebody confirms it, and no longer.
    check("second_person_requests_forgotten", sql`${table.decision} is null or not ${table.details} ? 'accountName'`),
    uniqueIndex("second_person_requests_one_open").on(table.kind, table.subject).where(sql`${table.decision} is null`),
    index("second_person_requests_of_user").on(table.requestedBy),
    index("second_person_requests_of_subject").on(table.kind, table.subject),
  ],
);
