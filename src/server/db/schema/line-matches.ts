import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, boolean, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { lineMatchKinds, sureRules } from "#shared/bank/texts.ts";
import { statementLines } from "./bank.ts";
import { createdAt, kobo, moment, rowId } from "./columns.ts";
import { harvestSales, harvests } from "./harvests.ts";
import { projectPayments } from "./payments.ts";
import { farmReleases, payouts } from "./payouts.ts";
import { secondPersonRequests } from "./second-person.ts";
import { users } from "./users.ts";

/** The explanation of a line, or of a part of it. An undone match stays, marked. */
export const lineMatches = pgTable(
  "line_matches",
  {
    id: rowId(),
    lineId: bigint("line_id", { mode: "number" })
      .notNull()
      .references(() => statementLines.id),
    kind: text("kind", { enum: lineMatchKinds }).notNull(),
    /**
     * Always positive: the direction is the line's. Of a payout that came back it may be less than was sent: the rest
     * are charges.
     */
    amountKobo: kobo("amount_kobo").notNull(),
    paymentId: bigint("payment_id", { mode: "number" }).references(() => projectPayments.id),
    payoutId: bigint("payout_id", { mode: "number" }).references(() => payouts.id),
    /** A cost of a harvest that the platform paid. */
    harvestId: bigint("harvest_id", { mode: "number" }).references(() => harvests.id),
    saleId: bigint("sale_id", { mode: "number" }).references(() => harvestSales.id),
    /** The release that the farm paid money back of. */
    releaseId: bigint("release_id", { mode: "number" }).references(() => farmReleases.id),
    /** For money between own accounts: the line that went out there. `lineId` is the one that came in. */
    counterLineId: bigint("counter_line_id", { mode: "number" }).references(() => statementLines.id),
    /** For money that the bank took back: the match of the credit that brought it. */
    creditMatchId: bigint("credit_match_id", { mode: "number" }).references((): AnyPgColumn => lineMatches.id),
    /** By how much a sale's amount rose with it, because its buyer paid more than was written down. */
    raisedKobo: kobo("raised_kobo"),
    /**
     * The settled part of a sale's money that the bank took back, or that came again. For a payout that came back: its
     * whole amount if the match gives a second debit back.
     */
    receivableKobo: kobo("receivable_kobo"),
    /** The request that two people agreed on, if it takes two. */
    requestId: bigint("request_id", { mode: "number" }).references(() => secondPersonRequests.id),
    /** The rule that was sure of it; null for a person's choice. */
    rule: text("rule", { enum: sureRules }),
    /**
     * True if the line says whose money it is, by our reference or a name, or two people did. Money that one person
     * matched otherwise isn't given back by one.
     */
    isNamed: boolean("is_named").notNull().default(true),
    reason: text("reason"),
    madeBy: uuid("made_by").references(() => users.id),
    createdAt: createdAt(),
    undoneAt: moment("undone_at"),
    undoneBy: uuid("undone_by").references(() => users.id),
    undoneReason: text("undone_reason"),
  },
  (table) => [
    check(
      "line_matches_kind",
      sql`${table.kind} in (${sql.raw(lineMatchKinds.map((kind) => `'${kind}'`).join(", "))})`,
    ),
    check("line_matches_amount", sql`${table.amountKobo} > 0`),
    check(
      "line_matches_about",
      sql`(${table.kind} in ('payment', 'taken_back', 'loss')) = (${table.paymentId} is not null) and (${table.kind} in ('payout', 'returned')) = (${table.payoutId} is not null) and (${table.kind} = 'own_transfer') = (${table.counterLineId} is not null)
        and (${table.kind} = 'harvest_cost') = (${table.harvestId} is not null) and (${table.kind} in ('sale', 'sale_taken_back')) = (${table.saleId} is not null) and (${table.kind} = 'farm_paid_back') = (${table.releaseId} is not null)`,
    ),
    check(
      "line_matches_credit",
      sql`(${table.kind} in ('taken_back', 'sale_taken_back')) = (${table.creditMatchId} is not null)`,
    ),
    check(
      "line_matches_sale",
      sql`(${table.raisedKobo} is null or (${table.kind} = 'sale' and ${table.raisedKobo} between 1 and ${table.amountKobo})) and (${table.receivableKobo} is null or ${table.kind} in ('sale', 'sale_taken_back', 'returned')) and (${table.receivableKobo} is null or ${table.kind} = 'returned' or ${table.receivableKobo} between 0 and ${table.amountKobo})`,
    ),
    check("line_matches_reason", sql`${table.kind} not in ('operator', 'sent_back') or ${table.reason} is not null`),
    check("line_matches_undone", sql`(${table.undoneAt} is null) = (${table.undoneBy} is null)`),
    index("line_matches_of_line").on(table.lineId),
    index("line_matches_of_counter_line").on(table.counterLineId).where(sql`${table.counterLineId} is not null`),
    /**
     * A payout leaves once, and comes back once. A second debit, which two people said is one, has a reason, and what
     * gives it back its sum as receivable.
     */
    uniqueIndex("line_matches_payout_once")
      .on(
        table.payoutId,
        table.kind,
        sql`(case ${table.kind} when 'payout' then ${table.reason} is not null else ${table.receivableKobo} is not null end)`,
      )
      .where(sql`${table.undoneAt} is null and ${table.payoutId} is not null`),
    /** The money of a line goes back to one sender, by one explanation. */
    uniqueIndex("line_matches_sent_back_once")
      .on(table.lineId)
      .where(sql`${table.kind} = 'sent_back' and ${table.undoneAt} is null`),
    index("line_matches_of_sale").on(table.saleId).where(sql`${table.saleId} is not null`),
    index("line_matches_of_harvest").on(table.harvestId).where(sql`${table.harvestId} is not null`),
    index("line_matches_of_release").on(table.releaseId).where(sql`${table.releaseId} is not null`),
    index("line_matches_of_credit").on(table.creditMatchId).where(sql`${table.creditMatchId} is not null`),
    index("line_matches_of_payment").on(table.paymentId).where(sql`${table.paymentId} is not null`),
  ],
);
