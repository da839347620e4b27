import { sql } from "drizzle-orm";
import { bigint, check, date, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, moment } from "./columns.ts";
import { ledgerEntries } from "./ledger.ts";
import { users } from "./users.ts";

/** The seal on the ledger's past: the heads of its chain, and the months that were closed. Triggers refuse changes. */

/** The n-th head is the hash of the head before it and of the entries since, as src/server/books/heads.ts writes them. */
export const ledgerHeads = pgTable(
  "ledger_heads",
  {
    n: integer("n").primaryKey(),
    lastEntryId: bigint("last_entry_id", { mode: "number" })
      .notNull()
      .references(() => ledgerEntries.id),
    hash: text("hash").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    check("ledger_heads_n", sql`${table.n} > 0`),
    check("ledger_heads_hash", sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
    unique("ledger_heads_entry_key").on(table.lastEntryId),
  ],
);

/** An account in the balances of a closed month, in kobo. */
export type FrozenBalance = { account: string; broughtForward: string; in: string; out: string; balance: string };

/** A month of the books that is over. Months are closed in order; what is posted afterwards is dated after them. */
export const ledgerClosings = pgTable(
  "ledger_closings",
  {
    /** The first day of the month, in Lagos. */
    month: date("month", { mode: "string" }).primaryKey(),
    /** The moment after the month. */
    endsAt: moment("ends_at").notNull(),
    /** The highest entry that is dated before that. */
    lastEntryId: bigint("last_entry_id", { mode: "number" })
      .notNull()
      .references(() => ledgerEntries.id),
    /** How many entries the month has; the first that is closed has all before it too. */
    entries: integer("entries").notNull(),
    /** The hash of the closing before it and of the month's entries in order. */
    hash: text("hash").notNull(),
    balances: jsonb("balances").$type<FrozenBalance[]>().notNull(),
    closedBy: uuid("closed_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [
    check("ledger_closings_month", sql`extract(day from ${table.month}) = 1`),
    check("ledger_closings_over", sql`${table.createdAt} > ${table.endsAt}`),
    check("ledger_closings_hash", sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
  ],
);
