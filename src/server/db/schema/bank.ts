import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { dayOrders, statementFormats } from "#shared/bank/statement-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";
import { chargeTexts, matchRules } from "#shared/bank/texts.ts";
import { createdAt, kobo, moment, rowId, updatedAt } from "./columns.ts";
import { storedFiles } from "./files.ts";
import { secondPersonRequests } from "./second-person.ts";
import { users } from "./users.ts";

/** The platform's bank accounts. Backers transfer to the active one. */
export const ownAccounts = pgTable(
  "own_accounts",
  {
    id: rowId(),
    bankName: text("bank_name").notNull(),
    accountName: text("account_name").notNull(),
    accountNumber: text("account_number").notNull(),
    bankCode: text("bank_code"),
    isActive: boolean("is_active").notNull(),
    /** Which columns of its bank's tables hold what, once a person confirmed it. */
    mapping: jsonb("mapping").$type<StatementMapping>(),
    /** How its statements write days and months, once one has proved it. */
    dayOrder: text("day_order", { enum: dayOrders }),
    /** The first day of its first statement, and the balance before that day's lines; null until then. */
    openedOn: date("opened_on", { mode: "string" }),
    openingKobo: kobo("opening_kobo"),
    /** The texts that its bank writes for the charges that it takes. */
    chargeTexts: text("charge_texts").array().notNull().default(chargeTexts),
    createdBy: uuid("created_by").references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** The bank has closed it, or it was a mistake: nothing is imported for it any more. */
    closedAt: moment("closed_at"),
  },
  (table) => [
    check("own_accounts_number", sql`${table.accountNumber} ~ '^[0-9]{10}$'`),
    check("own_accounts_bank_code", sql`${table.bankCode} ~ '^([0-9]{3}|[0-9]{6})$'`),
    check("own_accounts_day_order", sql`${table.dayOrder} in ('day_first', 'month_first')`),
    check("own_accounts_opened", sql`(${table.openedOn} is null) = (${table.openingKobo} is null)`),
    check("own_accounts_closed", sql`${table.closedAt} is null or not ${table.isActive}`),
    unique("own_accounts_number_key").on(table.accountNumber, table.bankName),
    uniqueIndex("own_accounts_one_active").on(table.isActive).where(sql`${table.isActive}`),
  ],
);

/** The kinds of an account's bank data that can be void. */
export const voidedKinds = ["statement", "line", "opening"] as const;

/**
 * Bank data of an account that two owners voided: a statement with its lines, one line, or the opening. Its postings
 * are taken back, the rows stay, and the right file may be imported after.
 */
export const voids = pgTable(
  "voids",
  {
    id: rowId(),
    what: text("what", { enum: voidedKinds }).notNull(),
    ownAccountId: bigint("own_account_id", { mode: "number" })
      .notNull()
      .references(() => ownAccounts.id),
    reason: text("reason").notNull(),
    requestId: bigint("request_id", { mode: "number" })
      .notNull()
      .references(() => secondPersonRequests.id),
    madeBy: uuid("made_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [
    check("voids_what", sql`${table.what} in ('statement', 'line', 'opening')`),
    index("voids_of_account").on(table.ownAccountId),
  ],
);

/** A file of the bank that was imported. */
export const statements = pgTable(
  "statements",
  {
    id: rowId(),
    /** Null once it is void: then it covers no days of any account. */
    ownAccountId: bigint("own_account_id", { mode: "number" }).references(() => ownAccounts.id),
    voidId: bigint("void_id", { mode: "number" }).references(() => voids.id),
    /** Its bytes as they were uploaded: the evidence of what the bank said. */
    fileId: uuid("file_id")
      .notNull()
      .references(() => storedFiles.id),
    fileName: text("file_name").notNull(),
    sha256: text("sha256").notNull(),
    bytes: integer("bytes").notNull(),
    format: text("format", { enum: statementFormats }).notNull(),
    /** The days of its first and its last line. */
    firstDay: date("first_day", { mode: "string" }).notNull(),
    lastDay: date("last_day", { mode: "string" }).notNull(),
    lines: integer("lines").notNull(),
    newLines: integer("new_lines").notNull(),
    /** Entries left out because they weren't booked yet. */
    pendingEntries: integer("pending_entries").notNull(),
    /** Entries left out because they failed. */
    failedEntries: integer("failed_entries").notNull().default(0),
    /** Entries left out because they were reversed and no balance counts them. */
    reversedEntries: integer("reversed_entries").notNull().default(0),
    /** Entries of ₦0.00. */
    zeroEntries: integer("zero_entries").notNull().default(0),
    /** Rows of the file that hold no money. */
    otherRows: integer("other_rows").notNull().default(0),
    openingKobo: kobo("opening_kobo"),
    closingKobo: kobo("closing_kobo"),
    /** The reason why gaps were accepted with it. */
    gapReason: text("gap_reason"),
    importedBy: uuid("imported_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    /** When the system had looked at its new lines, and matched what is sure; null until then. */
    matchedAt: moment("matched_at"),
  },
  (table) => [
    index("statements_to_match").on(table.id).where(sql`${table.matchedAt} is null`),
    check("statements_void", sql`(${table.ownAccountId} is null) = (${table.voidId} is not null)`),
    check("statements_days", sql`${table.firstDay} <= ${table.lastDay}`),
    check("statements_lines", sql`${table.newLines} between 0 and ${table.lines}`),
    index("statements_of_void").on(table.voidId).where(sql`${table.voidId} is not null`),
    index("statements_of_account").on(table.ownAccountId, table.lastDay),
    index("statements_by_import").on(table.ownAccountId, table.id),
  ],
);

/**
 * One movement on an own account, as the bank tells it. Triggers refuse to delete one, and to change anything but its
 * place, the gap before it, what is suggested for it and the cached sum of its matches; its texts only where those before
 * are kept in {@link statementLineTexts}.
 */
export const statementLines = pgTable(
  "statement_lines",
  {
    id: rowId(),
    /** Null once it is void: then no list, sum or rule of any account sees it. */
    ownAccountId: bigint("own_account_id", { mode: "number" }).references(() => ownAccounts.id),
    voidId: bigint("void_id", { mode: "number" }).references(() => voids.id),
    /** The file that it came with first, and its row there. */
    statementId: bigint("statement_id", { mode: "number" })
      .notNull()
      .references(() => statements.id),
    row: integer("row").notNull(),
    /** Its place among the account's lines, oldest first. */
    position: integer("position").notNull(),
    date: date("date", { mode: "string" }).notNull(),
    valueDate: date("value_date", { mode: "string" }),
    /** Money in is positive. */
    amountKobo: kobo("amount_kobo").notNull(),
    balanceKobo: kobo("balance_kobo"),
    /** The accepted gap before this line by the printed balances, positive for money in; null if there is none. */
    gapKobo: kobo("gap_kobo"),
    narration: text("narration").notNull(),
    bankReference: text("bank_reference"),
    customerReference: text("customer_reference"),
    counterparty: text("counterparty"),
    sessionId: text("session_id"),
    isReversal: boolean("is_reversal").notNull(),
    /** Our reference in its texts, found at the import. */
    reference: text("reference"),
    /** The best rule that has something to suggest for what is unexplained of it; null without. */
    suggestedRule: text("suggested_rule", { enum: matchRules }),
    fingerprint: text("fingerprint").notNull(),
    repetition: integer("repetition").notNull(),
    /** Cached sum of its standing matches; a deferred trigger compares the two. */
    matchedKobo: kobo("matched_kobo").notNull().default(sql`0`),
    createdAt: createdAt(),
  },
  (table) => [
    check("statement_lines_void", sql`(${table.ownAccountId} is null) = (${table.voidId} is not null)`),
    check("statement_lines_void_unmatched", sql`${table.voidId} is null or ${table.matchedKobo} = 0`),
    check("statement_lines_amount", sql`${table.amountKobo} <> 0`),
    check("statement_lines_matched", sql`${table.matchedKobo} between 0 and abs(${table.amountKobo})`),
    check("statement_lines_repetition", sql`${table.repetition} >= 0`),
    unique("statement_lines_once").on(table.ownAccountId, table.fingerprint, table.repetition),
    index("statement_lines_of_account").on(table.ownAccountId, table.position),
    index("statement_lines_of_void").on(table.voidId).where(sql`${table.voidId} is not null`),
    index("statement_lines_of_day").on(table.ownAccountId, table.date),
    index("statement_lines_of_amount").on(table.amountKobo, table.date),
    index("statement_lines_to_explain")
      .on(table.ownAccountId, table.position)
      .where(sql`${table.matchedKobo} <> abs(${table.amountKobo})`),
    index("statement_lines_of_reference").on(table.reference).where(sql`${table.reference} is not null`),
  ],
);

/**
 * Another telling of a line: a bank may write its narration anew overnight. The fuller one stands in the line; by the
 * fingerprint of either the line is known again. Nothing of it changes.
 */
export const statementLineTexts = pgTable(
  "statement_line_texts",
  {
    id: rowId(),
    lineId: bigint("line_id", { mode: "number" })
      .notNull()
      .references(() => statementLines.id),
    narration: text("narration").notNull(),
    bankReference: text("bank_reference"),
    fingerprint: text("fingerprint").notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique("statement_line_texts_once").on(table.lineId, table.fingerprint)],
);
