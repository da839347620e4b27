import { type SQL, sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, kobo, rowId } from "./columns.ts";
import { projectPayments } from "./payments.ts";
import { payouts } from "./payouts.ts";
import { secondPersonRequests } from "./second-person.ts";
import { settlements } from "./settlements.ts";
import { users } from "./users.ts";

/**
 * A payment that never came, or that the bank took back, and whose approval can't be taken back any more. It stays
 * approved and its lots stay sold, but it supports no backing and has no part in harvests. No key to the project,
 * because money outlives it.
 */
export const paymentStrikes = pgTable(
  "payment_strikes",
  {
    id: rowId(),
    paymentId: bigint("payment_id", { mode: "number" })
      .notNull()
      .references(() => projectPayments.id),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    projectId: integer("project_id").notNull(),
    round: integer("round").notNull(),
    /** The backing whose part in the round's harvests counted it, whoever holds the lots; null if none had begun. */
    backingId: bigint("backing_id", { mode: "number" }),
    /** The payment's money in transit or receivable, which is lost. */
    lostKobo: kobo("lost_kobo").notNull(),
    /** The owners' words, which its backer reads. */
    reason: text("reason").notNull(),
    requestId: bigint("request_id", { mode: "number" })
      .notNull()
      .references(() => secondPersonRequests.id),
    struckBy: uuid("struck_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [
    check("payment_strikes_lost", sql`${table.lostKobo} > 0`),
    unique("payment_strikes_once").on(table.paymentId),
    index("payment_strikes_of_round").on(table.projectId, table.round),
    index("payment_strikes_of_person").on(table.userId),
  ],
);

/**
 * The part of a settlement not yet sent when one of its payments was struck, with amounts of runs that would fall due
 * again: it goes back to the harvest's proceeds.
 */
export const settlementStrikes = pgTable(
  "settlement_strikes",
  {
    id: rowId(),
    strikeId: bigint("strike_id", { mode: "number" })
      .notNull()
      .references(() => paymentStrikes.id),
    settlementId: bigint("settlement_id", { mode: "number" })
      .notNull()
      .references(() => settlements.id),
    backingId: bigint("backing_id", { mode: "number" }).notNull(),
    /** The payout that came back, was refused or left its run; null of what the strike itself took. */
    payoutId: bigint("payout_id", { mode: "number" }).references(() => payouts.id),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    shareKobo: kobo("share_kobo").notNull(),
    feeKobo: kobo("fee_kobo").notNull(),
    vatKobo: kobo("vat_kobo").notNull(),
    whtKobo: kobo("wht_kobo").notNull(),
    netKobo: kobo("net_kobo").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("settlement_strikes_once")
      .on(table.strikeId, table.settlementId, table.backingId, table.payoutId)
      .nullsNotDistinct(),
    check(
      "settlement_strikes_sums",
      sql`${table.netKobo} > 0 and least(${table.feeKobo}, ${table.vatKobo}, ${table.whtKobo}) >= 0
        and ${table.shareKobo} = ${table.netKobo} + ${table.feeKobo} + ${table.vatKobo} + ${table.whtKobo}`,
    ),
    index("settlement_strikes_of_settlement").on(table.settlementId),
    index("settlement_strikes_of_person").on(table.userId),
  ],
);

/** Condition of a payment that wasn't struck: only such a one supports a backing and counts in harvests. */
export const isUnstruck: SQL = sql`not exists (select from payment_strikes k where k.payment_id = ${projectPayments.id})`;
