import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, kobo, rowId } from "./columns.ts";

/**
 * Append-only double entry. No foreign keys to rows that may be deleted: ids and titles are copied.
 * Triggers refuse UPDATE, DELETE and TRUNCATE, and a deferred one refuses a transaction that doesn't sum to zero.
 */
export const ledgerTransactions = pgTable(
  "ledger_transactions",
  {
    id: rowId(),
    kind: text("kind", { enum: ["approval", "reversal"] }).notNull(),
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
    check("ledger_transactions_kind", sql`${table.kind} in ('approval', 'reversal')`),
    check("ledger_transactions_reversal", sql`(${table.kind} = 'reversal') = (${table.reversesId} is not null)`),
    unique("ledger_transactions_reversed_once").on(table.reversesId),
    index("ledger_transactions_of_payment").on(table.paymentId),
    index("ledger_transactions_of_project").on(table.projectId, table.round),
  ],
);

/** Signed kobo: positive amounts increase the bank account; negative ones are owed to a project that received them. */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    id: rowId(),
    transactionId: bigint("transaction_id", { mode: "number" })
      .notNull()
      .references(() => ledgerTransactions.id),
    account: text("account", { enum: ["bank", "project_funding"] }).notNull(),
    amountKobo: kobo("amount_kobo").notNull(),
  },
  (table) => [
    check("ledger_entries_account", sql`${table.account} in ('bank', 'project_funding')`),
    check("ledger_entries_amount", sql`${table.amountKobo} <> 0`),
    unique("ledger_entries_one_per_account").on(table.transactionId, table.account),
  ],
);
