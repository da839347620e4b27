import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, kobo, rowId } from "./columns.ts";

/** What a ledger transaction records. */
export const ledgerKinds = ["approval", "reversal", "refund_due"] as const;

/**
 * The accounts, and the dimensions that an entry of each carries. Plus is what the platform has, minus what it owes.
 * `bank` has none for postings before the first bank statement.
 */
export const ledgerAccounts = {
  /** Money in the platform's bank account. */
  bank: [],
  /** Approved on a receipt, not yet seen at the bank. */
  in_transit: ["payment_id"],
  /** Arrived, and not approved. */
  receipts_held: ["payment_id"],
  /** Owed to a project's round. Only approvals and reversals post to it. */
  project_funding: ["project_id", "round"],
  /** Owed to a person, for a payment that is given back. */
  backer_due: ["payment_id", "user_id"],
} as const satisfies Record<string, readonly string[]>;
export type LedgerAccount = keyof typeof ledgerAccounts;
const accountNames = Object.keys(ledgerAccounts) as [LedgerAccount, ...LedgerAccount[]];

const namesOf = (names: readonly string[]) => sql.raw(names.map((name) => `'${name}'`).join(", "));

/**
 * Append-only double entry. No foreign keys to rows that may be deleted: ids and titles are copied.
 * Triggers refuse UPDATE, DELETE and TRUNCATE, and a deferred one refuses a transaction that doesn't sum to zero.
 */
export const ledgerTransactions = pgTable(
  "ledger_transactions",
  {
    id: rowId(),
    kind: text("kind", { enum: ledgerKinds }).notNull(),
    paymentId: bigint("payment_id", { mode: "number" }).notNull(),
    projectId: integer("project_id").notNull(),
    projectTitle: text("project_title").notNull(),
    round: integer("round").notNull(),
    userId: uuid("user_id").notNull(),
    actorId: uuid("actor_id"),
    /** A reversal names the approval that it reverses. An approval is reversed at most once. */
    reversesId: bigint("reverses_id", { mode: "number" }).references((): AnyPgColumn => ledgerTransactions.id),
    createdAt: createdAt(),
  },
  (table) => [
    check("ledger_transactions_kind", sql`${table.kind} in (${namesOf(ledgerKinds)})`),
    check("ledger_transactions_reversal", sql`(${table.kind} = 'reversal') = (${table.reversesId} is not null)`),
    unique("ledger_transactions_reversed_once").on(table.reversesId),
    index("ledger_transactions_of_payment").on(table.paymentId),
    index("ledger_transactions_of_project").on(table.projectId, table.round),
  ],
);

/**
 * Signed kobo: positive amounts increase what the platform has; negative ones are owed to somebody. A constraint of the
 * migration requires each account's dimensions of new rows; entries from before it have none.
 */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    id: rowId(),
    transactionId: bigint("transaction_id", { mode: "number" })
      .notNull()
      .references(() => ledgerTransactions.id),
    account: text("account", { enum: accountNames }).notNull(),
    paymentId: bigint("payment_id", { mode: "number" }),
    projectId: integer("project_id"),
    round: integer("round"),
    userId: uuid("user_id"),
    amountKobo: kobo("amount_kobo").notNull(),
  },
  (table) => [
    check("ledger_entries_account", sql`${table.account} in (${namesOf(accountNames)})`),
    check("ledger_entries_amount", sql`${table.amountKobo} <> 0`),
    unique("ledger_entries_one_per_account")
      .on(table.transactionId, table.account, table.paymentId, table.projectId, table.round, table.userId)
      .nullsNotDistinct(),
    index("ledger_entries_of_payment").on(table.account, table.paymentId).where(sql`${table.paymentId} is not null`),
    index("ledger_entries_of_person").on(table.account, table.userId).where(sql`${table.userId} is not null`),
  ],
);
