import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { payoutFileFormats, payoutKinds, payoutRunStates, payoutStates } from "#shared/payouts/texts.ts";
import { ownAccounts, statementLines } from "./bank.ts";
import { createdAt, kobo, listOf, moment, rowId } from "./columns.ts";
import { farms } from "./farms.ts";
import { projectPayments } from "./payments.ts";
import { refunds } from "./refunds.ts";
import { releaseAsks } from "./release-parts.ts";
import { secondPersonRequests } from "./second-person.ts";
import { settlements } from "./settlements.ts";
import { users } from "./users.ts";

const bytea = customType<{ data: Buffer; driverData: Buffer | Uint8Array }>({
  dataType: () => "bytea",
  fromDriver: (value) => Buffer.from(value),
});

/**
 * Where money is sent to: an account of a backer, of a farm, or of whoever sent us the money of a line. A change is a
 * new row, so that a run can name the account that it pays to.
 */
export const payeeAccounts = pgTable(
  "payee_accounts",
  {
    id: rowId(),
    userId: uuid("user_id").references(() => users.id),
    farmId: integer("farm_id").references(() => farms.id),
    lineId: bigint("line_id", { mode: "number" }).references(() => statementLines.id),
    bankCode: text("bank_code").notNull(),
    bankName: text("bank_name").notNull(),
    accountNumber: text("account_number").notNull(),
    accountName: text("account_name").notNull(),
    /** It rests before the first run may pay to it. */
    usableFrom: moment("usable_from").notNull(),
    addedBy: uuid("added_by")
      .notNull()
      .references(() => users.id),
    /**
     * The request that a second person confirmed, for a farm's or a sender's account, or that of somebody who can't
     * enter it.
     */
    requestId: bigint("request_id", { mode: "number" }).references(() => secondPersonRequests.id),
    createdAt: createdAt(),
    /** No longer used: another was given, or the bank sent money back from it. */
    replacedAt: moment("replaced_at"),
  },
  (table) => [
    check("payee_accounts_owner", sql`num_nonnulls(${table.userId}, ${table.farmId}, ${table.lineId}) = 1`),
    check(
      "payee_accounts_own",
      sql`${table.userId} is null or ${table.addedBy} = ${table.userId} or ${table.requestId} is not null`,
    ),
    check(
      "payee_accounts_farm",
      sql`num_nonnulls(${table.farmId}, ${table.lineId}) = 0 or ${table.requestId} is not null`,
    ),
    check("payee_accounts_number", sql`${table.accountNumber} ~ '^[0-9]{10}$'`),
    check("payee_accounts_bank_code", sql`${table.bankCode} ~ '^([0-9]{3}|[0-9]{6})$'`),
    uniqueIndex("payee_accounts_one_per_person").on(table.userId).where(sql`${table.replacedAt} is null`),
    uniqueIndex("payee_accounts_one_per_farm").on(table.farmId).where(sql`${table.replacedAt} is null`),
    uniqueIndex("payee_accounts_one_per_line").on(table.lineId).where(sql`${table.replacedAt} is null`),
    index("payee_accounts_of_person").on(table.userId),
  ],
);

/** Money of a funded round that goes to its farm. The ledger has it under `farm_released`. */
export const farmReleases = pgTable(
  "farm_releases",
  {
    id: rowId(),
    projectId: integer("project_id").notNull(),
    projectTitle: text("project_title").notNull(),
    round: integer("round").notNull(),
    /** Which of the terms' parts it is of; 1 where they name none. */
    part: integer("part").notNull(),
    /** The ask that was checked; null where the terms name no parts. */
    askId: bigint("ask_id", { mode: "number" }).references(() => releaseAsks.id),
    amountKobo: kobo("amount_kobo").notNull(),
    madeBy: uuid("made_by")
      .notNull()
      .references(() => users.id),
    /**
     * The request that two owners agreed on, because of an alarm, the farm's silence, or one person who also asked or
     * checked.
     */
    requestId: bigint("request_id", { mode: "number" }).references(() => secondPersonRequests.id),
    /** The reason why it was released although the farm had missed two reports in a row. Backers read it. */
    publicReason: text("public_reason"),
    createdAt: createdAt(),
    takenBackAt: moment("taken_back_at"),
    takenBackBy: uuid("taken_back_by").references(() => users.id),
    takenBackReason: text("taken_back_reason"),
  },
  (table) => [
    check("farm_releases_amount", sql`${table.amountKobo} > 0`),
    check("farm_releases_part", sql`${table.part} between 1 and 6`),
    check("farm_releases_public_reason", sql`${table.publicReason} is null or ${table.requestId} is not null`),
    index("farm_releases_of_ask").on(table.askId),
    check(
      "farm_releases_taken_back",
      sql`num_nonnulls(${table.takenBackAt}, ${table.takenBackBy}, ${table.takenBackReason}) in (0, 3)`,
    ),
    index("farm_releases_of_round").on(table.projectId, table.round),
  ],
);

/**
 * Money of a funded round that goes back to its backers: its farm never got it, or paid it back. Two owners say so. The
 * ledger has it under `farm_released` too, and owes each backer a part of it.
 */
export const roundReturns = pgTable(
  "round_returns",
  {
    id: rowId(),
    projectId: integer("project_id").notNull(),
    projectTitle: text("project_title").notNull(),
    round: integer("round").notNull(),
    amountKobo: kobo("amount_kobo").notNull(),
    /** Why, in the words that its backers read. */
    reason: text("reason").notNull(),
    requestId: bigint("request_id", { mode: "number" })
      .notNull()
      .references(() => secondPersonRequests.id),
    madeBy: uuid("made_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    takenBackAt: moment("taken_back_at"),
    takenBackBy: uuid("taken_back_by").references(() => users.id),
    takenBackReason: text("taken_back_reason"),
  },
  (table) => [
    check("round_returns_amount", sql`${table.amountKobo} > 0`),
    check(
      "round_returns_taken_back",
      sql`num_nonnulls(${table.takenBackAt}, ${table.takenBackBy}, ${table.takenBackReason}) in (0, 3)`,
    ),
    index("round_returns_of_round").on(table.projectId, table.round),
  ],
);

/**
 * Payouts that one owner puts together and another approves. The lines never change; a run that was not exported yet may be
 * declared void, and its payouts are due again.
 */
export const payoutRuns = pgTable(
  "payout_runs",
  {
    id: rowId(),
    state: text("state", { enum: payoutRunStates }).notNull().default("draft"),
    ownAccountId: bigint("own_account_id", { mode: "number" })
      .notNull()
      .references(() => ownAccounts.id),
    payouts: integer("payouts").notNull(),
    totalKobo: kobo("total_kobo").notNull(),
    /** sha256 of its lines as {@link payoutRunLines} has them: reference, amount, bank code, account number and name. */
    linesSha256: text("lines_sha256").notNull(),
    madeBy: uuid("made_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    approvedBy: uuid("approved_by").references(() => users.id),
    approvedAt: moment("approved_at"),
    /**
     * The reason why the only owner of a site approved their own run, with their second factor; null where two people
     * did.
     */
    aloneReason: text("alone_reason"),
    exportedBy: uuid("exported_by").references(() => users.id),
    exportedAt: moment("exported_at"),
    /** When an owner said that the bank has its file: then whom it pays is told. */
    givenBy: uuid("given_by").references(() => users.id),
    givenAt: moment("given_at"),
    closedAt: moment("closed_at"),
    voidedBy: uuid("voided_by").references(() => users.id),
    voidedAt: moment("voided_at"),
    voidReason: text("void_reason"),
  },
  (table) => [
    check("payout_runs_state", sql`${table.state} in (${listOf(payoutRunStates)})`),
    check("payout_runs_size", sql`${table.payouts} > 0 and ${table.totalKobo} > 0`),
    check(
      "payout_runs_approved",
      sql`(${table.approvedBy} is null) = (${table.approvedAt} is null) and (${table.state} in ('draft', 'void') or ${table.approvedAt} is not null)`,
    ),
    check(
      "payout_runs_two_people",
      sql`${table.approvedBy} is null or (${table.approvedBy} = ${table.madeBy}) = (${table.aloneReason} is not null)`,
    ),
    check(
      "payout_runs_exported",
      sql`(${table.exportedBy} is null) = (${table.exportedAt} is null) and (${table.state} in ('exported', 'closed')) = (${table.exportedAt} is not null)`,
    ),
    check(
      "payout_runs_given",
      sql`(${table.givenBy} is null) = (${table.givenAt} is null) and (${table.givenAt} is null or ${table.exportedAt} is not null)`,
    ),
    check("payout_runs_closed", sql`(${table.state} = 'closed') = (${table.closedAt} is not null)`),
    check(
      "payout_runs_void",
      sql`num_nonnulls(${table.voidedBy}, ${table.voidedAt}, ${table.voidReason}) = case ${table.state} when 'void' then 3 else 0 end`,
    ),
    index("payout_runs_of_state").on(table.state),
  ],
);

/** A sum that is paid out by one transfer. One that fails stays so: another with a new reference takes its place. */
export const payouts = pgTable(
  "payouts",
  {
    id: rowId(),
    kind: text("kind", { enum: payoutKinds }).notNull(),
    state: text("state", { enum: payoutStates }).notNull(),
    /** Whom it is paid to: a person, a farm, or whoever sent us the money of the line below. */
    userId: uuid("user_id").references(() => users.id),
    farmId: integer("farm_id").references(() => farms.id),
    /** The payee of its refund, settlement or return, before a change of holder; null if that is still the payee. */
    formerUserId: uuid("former_user_id").references(() => users.id),
    refundId: bigint("refund_id", { mode: "number" }).references(() => refunds.id),
    releaseId: bigint("release_id", { mode: "number" }).references(() => farmReleases.id),
    settlementId: bigint("settlement_id", { mode: "number" }).references(() => settlements.id),
    returnId: bigint("return_id", { mode: "number" }).references(() => roundReturns.id),
    /** The line whose money goes back to its sender. */
    lineId: bigint("line_id", { mode: "number" }).references(() => statementLines.id),
    /**
     * Its purpose: the payment of a refund, and copies of the project, which may be deleted. The title of a sender's
     * payout names the transfer.
     */
    paymentId: bigint("payment_id", { mode: "number" }).references(() => projectPayments.id),
    projectId: integer("project_id"),
    projectTitle: text("project_title").notNull(),
    round: integer("round"),
    amountKobo: kobo("amount_kobo").notNull(),
    /** A sum beyond what banks transfer at once is paid in parts: 1 of 3. */
    part: integer("part").notNull(),
    parts: integer("parts").notNull(),
    reference: text("reference").notNull(),
    runId: bigint("run_id", { mode: "number" }).references(() => payoutRuns.id),
    /** The failed payout that it takes the place of. */
    replacesId: bigint("replaces_id", { mode: "number" }).references((): AnyPgColumn => payouts.id),
    createdAt: createdAt(),
    /** When it became due, because it was known where to pay to, and until when it is promised. */
    dueAt: moment("due_at"),
    promisedBy: moment("promised_by"),
    sentAt: moment("sent_at"),
    paidAt: moment("paid_at"),
    /** Paid by hand, as an owner says, with the bank's session id; null where a line showed it. */
    paidBy: uuid("paid_by").references(() => users.id),
    paidSessionId: text("paid_session_id"),
    paidReason: text("paid_reason"),
    failedAt: moment("failed_at"),
    failedReason: text("failed_reason"),
    /** The request by which two people said that the bank refused it in its run's file; null where it failed otherwise. */
    refusalRequestId: bigint("refusal_request_id", { mode: "number" }).references(() => secondPersonRequests.id),
    cancelledAt: moment("cancelled_at"),
    /** Kept out of runs, with a reason, until two people let it go. */
    withheldAt: moment("withheld_at"),
    withheldBy: uuid("withheld_by").references(() => users.id),
    withheldReason: text("withheld_reason"),
    letGoRequestId: bigint("let_go_request_id", { mode: "number" }).references(() => secondPersonRequests.id),
  },
  (table) => [
    check("payouts_kind", sql`${table.kind} in (${listOf(payoutKinds)})`),
    check("payouts_state", sql`${table.state} in (${listOf(payoutStates)})`),
    check(
      "payouts_about",
      sql`num_nonnulls(${table.refundId}, ${table.releaseId}, ${table.settlementId}, ${table.returnId}, ${table.lineId}) = 1 and (${table.round} is null) = (${table.kind} = 'sender') and (${table.farmId} is not null) = (${table.kind} = 'farm') and case ${table.kind}
        when 'farm' then num_nonnulls(${table.releaseId}, ${table.settlementId}) = 1 and ${table.projectId} is not null and num_nonnulls(${table.userId}, ${table.paymentId}) = 0
        when 'harvest' then num_nonnulls(${table.settlementId}, ${table.userId}, ${table.projectId}) = 3 and ${table.paymentId} is null
        when 'sender' then ${table.lineId} is not null and num_nonnulls(${table.userId}, ${table.paymentId}, ${table.projectId}) = 0
        when 'returned' then num_nonnulls(${table.returnId}, ${table.userId}, ${table.paymentId}) = 3
        else num_nonnulls(${table.refundId}, ${table.userId}, ${table.paymentId}) = 3 end`,
    ),
    check("payouts_former", sql`${table.formerUserId} is null or ${table.formerUserId} <> ${table.userId}`),
    check("payouts_amount", sql`${table.amountKobo} > 0`),
    check("payouts_parts", sql`${table.part} between 1 and ${table.parts}`),
    check("payouts_in_run", sql`(${table.runId} is not null) or ${table.state} in ('waiting', 'due', 'cancelled')`),
    check(
      "payouts_not_in_run",
      sql`(${table.runId} is null) or ${table.state} in ('in_run', 'sent', 'paid', 'failed')`,
    ),
    check(
      "payouts_due",
      sql`(${table.dueAt} is null) = (${table.promisedBy} is null) and (${table.dueAt} is not null or ${table.state} in ('waiting', 'cancelled'))`,
    ),
    check("payouts_sent", sql`(${table.sentAt} is not null) = (${table.state} in ('sent', 'paid', 'failed'))`),
    check(
      "payouts_paid",
      sql`(${table.state} <> 'paid' or ${table.paidAt} is not null) and (${table.paidAt} is null or ${table.state} in ('paid', 'failed'))`,
    ),
    check(
      "payouts_paid_by_hand",
      sql`num_nonnulls(${table.paidBy}, ${table.paidSessionId}, ${table.paidReason}) in (0, 3) and (${table.paidBy} is null or ${table.paidAt} is not null)`,
    ),
    check(
      "payouts_failed",
      sql`num_nonnulls(${table.failedAt}, ${table.failedReason}) = case ${table.state} when 'failed' then 2 else 0 end`,
    ),
    check("payouts_refused", sql`${table.refusalRequestId} is null or ${table.state} = 'failed'`),
    check(
      "payouts_withheld",
      sql`num_nonnulls(${table.withheldAt}, ${table.withheldBy}, ${table.withheldReason}) in (0, 3)
        and (${table.letGoRequestId} is null or ${table.withheldAt} is not null)
        and (${table.withheldAt} is null or ${table.letGoRequestId} is not null or ${table.state} in ('waiting', 'due', 'cancelled'))`,
    ),
    check("payouts_cancelled", sql`(${table.cancelledAt} is not null) = (${table.state} = 'cancelled')`),
    unique("payouts_reference_key").on(table.reference),
    /** One that was cancelled took no place. */
    uniqueIndex("payouts_replaced_once").on(table.replacesId).where(sql`${table.state} <> 'cancelled'`),
    index("payouts_of_replaced").on(table.replacesId).where(sql`${table.replacesId} is not null`),
    unique("payouts_session_id_key").on(table.paidSessionId),
    index("payouts_of_person").on(table.userId),
    index("payouts_of_farm").on(table.farmId).where(sql`${table.farmId} is not null`),
    index("payouts_of_state").on(table.state, table.id),
    index("payouts_of_refund").on(table.refundId),
    index("payouts_of_release").on(table.releaseId),
    index("payouts_of_settlement").on(table.settlementId),
    index("payouts_of_return").on(table.returnId),
    index("payouts_of_line").on(table.lineId).where(sql`${table.lineId} is not null`),
    index("payouts_of_run").on(table.runId),
  ],
);

/** The payouts of a run and where they go, as they were when it was made. Triggers refuse every change. */
export const payoutRunLines = pgTable(
  "payout_run_lines",
  {
    runId: bigint("run_id", { mode: "number" })
      .notNull()
      .references(() => payoutRuns.id),
    position: integer("position").notNull(),
    payoutId: bigint("payout_id", { mode: "number" })
      .notNull()
      .references(() => payouts.id),
    payeeAccountId: bigint("payee_account_id", { mode: "number" })
      .notNull()
      .references(() => payeeAccounts.id),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.position] }),
    unique("payout_run_lines_once").on(table.runId, table.payoutId),
    index("payout_run_lines_of_payout").on(table.payoutId),
    index("payout_run_lines_of_account").on(table.payeeAccountId),
  ],
);

/** A run's file for the bank: made with its export, or later in another layout, and the same bytes ever after. */
export const payoutFiles = pgTable(
  "payout_files",
  {
    id: rowId(),
    runId: bigint("run_id", { mode: "number" })
      .notNull()
      .references(() => payoutRuns.id),
    format: text("format", { enum: payoutFileFormats }).notNull(),
    /** 1 is the layout of the export. */
    layout: integer("layout").notNull().default(1),
    /** The title and field of each column, in their order. */
    columns: jsonb("columns").$type<{ title: string; field: string }[]>().notNull(),
    sha256: text("sha256").notNull(),
    bytes: bytea("bytes").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    check("payout_files_format", sql`${table.format} in (${listOf(payoutFileFormats)})`),
    check("payout_files_hash", sql`${table.sha256} = encode(sha256(${table.bytes}), 'hex')`),
    unique("payout_files_one_per_format").on(table.runId, table.layout, table.format),
  ],
);
