import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  check,
  index,
  integer,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { createdAt, kobo, rowId } from "./columns.ts";

/** The kinds of ledger transactions. */
export const ledgerKinds = [
  "approval",
  "reversal",
  "refund_due",
  "refund_taken_back",
  /** Money of a payment came, as two people say. */
  "declared_arrival",
  /** A round is given back on a site without statements: all of a payment counts as arrived. */
  "assumed_arrival",
  /** A payment never came, or the bank took it back, and its approval can't be taken back any more. */
  "strike",
  "opening",
  "line",
  /** A line, or an opening, that was no such: the opposite of its transaction. */
  "voided_line",
  "voided_opening",
  "match",
  "undone_match",
  /** A payout is in the bank's file. */
  "payout_sent",
  /** It came back, or never left: the sum is owed again. */
  "payout_failed",
  /** It didn't come back after all: it is on its way, or paid, as before. */
  "payout_failure_undone",
  /**
   * It came back, was refused or left its run, and its settlement doesn't owe it any more, because its payment was
   * struck.
   */
  "payout_struck",
  "farm_release",
  "farm_release_taken_back",
  /** Money of a round that its farm doesn't get, or paid back, goes back to the round's backers. */
  "round_return",
  "round_return_taken_back",
  /** Money due to a person goes to another, who holds their lots now. */
  "holder_change",
  /** Two owners say that the money of a sale came, though no line shows it. */
  "sale_declared",
  /** They said later that it hadn't. */
  "sale_taken_back",
  /** The bank took money of a sale back after it was settled, and it won't come again. */
  "sale_lost",
  "settlement",
  "settlement_reversed",
  /** The rest of a harvest's costs when it is done falls on its farm, or is lost. */
  "harvest_costs_left",
  /** A memo of produce that is to be collected, was, or wasn't. */
  "produce_allotted",
  "produce_collected",
  "produce_uncollected",
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];
const kindsOfPayments = [
  "approval",
  "reversal",
  "refund_due",
  "refund_taken_back",
  "declared_arrival",
  "assumed_arrival",
  "strike",
] as const;

/**
 * The accounts, and the dimensions that an entry of each may carry. Plus is what the platform has, minus what it owes.
 * A constraint of the migration says which of them each entry has.
 */
export const ledgerAccounts = {
  /** Money in the platform's bank account. It moves only by a statement's line. */
  bank: ["own_account_id"],
  /** The other side of what an own account held before its first line. */
  opening: ["own_account_id"],
  /** Approved, or said by two people, and not yet seen at the bank. */
  in_transit: ["payment_id", "sale_id"],
  /** Was here and isn't: taken back by the bank, or paid out twice. It never covers what is owed. */
  receivable: ["payment_id", "sale_id", "payout_id"],
  /** A line of money in, or a part of it, that nothing explains yet. */
  unmatched_in: ["line_id"],
  /** The same of money out. */
  unmatched_out: ["line_id"],
  /** Arrived, or said to have arrived, and not approved. */
  unallocated: ["payment_id"],
  /** Owed to a project's round. Only approvals and reversals post to it. */
  project_funding: ["project_id", "round"],
  /** Owed to a person, for a payment that is given back or a harvest that was sold. */
  backer_due: ["payment_id", "harvest_id", "user_id"],
  /** Sent, and not seen leaving at the bank. */
  payouts_in_transit: ["payout_id"],
  /** Money of a round's funding that went on to its farm, less what the farm paid back, or went back to its backers. */
  farm_released: ["project_id", "round"],
  /** Owed to a farm, which is its project. */
  farm_due: ["project_id", "round"],
  /** Owed to whoever sent us the money of a line, which was nobody's here. */
  sender_due: ["line_id"],
  /** Proceeds of a harvest's sales that no settlement has divided. */
  harvest_proceeds: ["harvest_id"],
  /** Money that the platform paid for a harvest, and no settlement has taken from its sales. */
  harvest_costs: ["harvest_id"],
  /** The platform's fees. */
  fee_income: [],
  /** Tax on its fees, owed to the state. */
  vat_due: [],
  /** Tax that was withheld from backers, owed to the state. */
  wht_due: [],
  /** The value of produce that lies ready, and who it is for: a memo pair, never mixed with cash. */
  produce_stock: ["harvest_id", "user_id"],
  produce_due: ["harvest_id", "user_id"],
  /** Money that the bank and the platform keep of transfers, and missing rests that are written off. */
  bank_charges: [],
  /** The company's own money on its way through the account: capital, fees withdrawn, interest, lines that are ignored. */
  operator: [],
  /** Money that can't be got back, as two people say. */
  losses: [],
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
    /** The payment it is about, with copies of what it is for. Without a project if that was deleted before. */
    paymentId: bigint("payment_id", { mode: "number" }),
    projectId: integer("project_id"),
    projectTitle: text("project_title"),
    round: integer("round"),
    userId: uuid("user_id"),
    /** The own account of an opening. */
    ownAccountId: bigint("own_account_id", { mode: "number" }),
    /** The line that it posts. */
    lineId: bigint("line_id", { mode: "number" }),
    /** The match that it makes or undoes. */
    matchId: bigint("match_id", { mode: "number" }),
    /** The payout that it sends, fails or pays. */
    payoutId: bigint("payout_id", { mode: "number" }),
    /** The release to a farm that it posts or takes back. */
    releaseId: bigint("release_id", { mode: "number" }),
    /** The return to backers that it posts or takes back. */
    returnId: bigint("return_id", { mode: "number" }),
    /** The change of holder by which it is due to somebody else. */
    holderChangeId: bigint("holder_change_id", { mode: "number" }),
    /** The harvest of a settlement, of costs that are left, or of produce; `userId` is whose produce it is. */
    harvestId: bigint("harvest_id", { mode: "number" }),
    settlementId: bigint("settlement_id", { mode: "number" }),
    /** The sale that it declares, or takes back. */
    saleId: bigint("sale_id", { mode: "number" }),
    actorId: uuid("actor_id"),
    /** A reversal names the approval that it reverses. An approval is reversed at most once. */
    reversesId: bigint("reverses_id", { mode: "number" }).references((): AnyPgColumn => ledgerTransactions.id),
    createdAt: createdAt(),
  },
  (table) => [
    check("ledger_transactions_kind", sql`${table.kind} in (${namesOf(ledgerKinds)})`),
    check("ledger_transactions_reversal", sql`(${table.kind} = 'reversal') = (${table.reversesId} is not null)`),
    check(
      "ledger_transactions_payment",
      sql`num_nonnulls(${table.paymentId}, ${table.projectTitle}, ${table.round}, ${table.userId}) in (0, 4) and (${table.paymentId} is not null or (${table.projectId} is null and ${table.kind} not in (${namesOf(kindsOfPayments)})))`,
    ),
    check(
      "ledger_transactions_project",
      sql`${table.projectId} is not null or ${table.kind} not in ('approval', 'reversal')`,
    ),
    check(
      "ledger_transactions_opening",
      sql`(${table.kind} in ('opening', 'voided_opening')) = (${table.ownAccountId} is not null)`,
    ),
    check("ledger_transactions_line", sql`(${table.kind} in ('line', 'voided_line')) = (${table.lineId} is not null)`),
    check(
      "ledger_transactions_match",
      sql`(${table.kind} in ('match', 'undone_match')) = (${table.matchId} is not null)`,
    ),
    check(
      "ledger_transactions_payout",
      sql`(${table.kind} in ('payout_sent', 'payout_failed', 'payout_failure_undone', 'payout_struck')) = (${table.payoutId} is not null)`,
    ),
    check(
      "ledger_transactions_release",
      sql`(${table.kind} in ('farm_release', 'farm_release_taken_back')) = (${table.releaseId} is not null)`,
    ),
    check(
      "ledger_transactions_return",
      sql`(${table.kind} in ('round_return', 'round_return_taken_back')) = (${table.returnId} is not null)`,
    ),
    check(
      "ledger_transactions_holder_change",
      sql`(${table.kind} = 'holder_change') = (${table.holderChangeId} is not null)`,
    ),
    check(
      "ledger_transactions_harvest",
      sql`(${table.kind} in ('settlement', 'settlement_reversed', 'harvest_costs_left', 'produce_allotted', 'produce_collected', 'produce_uncollected')) = (${table.harvestId} is not null)
        and (${table.kind} in ('settlement', 'settlement_reversed')) = (${table.settlementId} is not null) and (${table.kind} in ('sale_declared', 'sale_taken_back')) = (${table.saleId} is not null)`,
    ),
    unique("ledger_transactions_reversed_once").on(table.reversesId),
    unique("ledger_transactions_line_once").on(table.lineId, table.kind),
    unique("ledger_transactions_match_once").on(table.matchId, table.kind),
    /** Sent once; it may fail again after its failure was undone. */
    uniqueIndex("ledger_transactions_payout_once").on(table.payoutId).where(sql`${table.kind} = 'payout_sent'`),
    index("ledger_transactions_of_payout").on(table.payoutId).where(sql`${table.payoutId} is not null`),
    unique("ledger_transactions_release_once").on(table.releaseId, table.kind),
    unique("ledger_transactions_return_once").on(table.returnId, table.kind),
    unique("ledger_transactions_holder_change_once").on(table.holderChangeId),
    unique("ledger_transactions_settlement_once").on(table.settlementId, table.kind),
    unique("ledger_transactions_sale_once").on(table.saleId, table.kind),
    uniqueIndex("ledger_transactions_struck_once").on(table.paymentId).where(sql`${table.kind} = 'strike'`),
    index("ledger_transactions_of_payment").on(table.paymentId),
    index("ledger_transactions_of_project").on(table.projectId, table.round),
    index("ledger_transactions_by_time").on(table.createdAt),
  ],
);

/**
 * Signed kobo: positive amounts increase what the platform has; negative ones are owed to somebody. A constraint of the
 * migration requires each account's dimensions.
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
    ownAccountId: bigint("own_account_id", { mode: "number" }),
    lineId: bigint("line_id", { mode: "number" }),
    payoutId: bigint("payout_id", { mode: "number" }),
    harvestId: bigint("harvest_id", { mode: "number" }),
    saleId: bigint("sale_id", { mode: "number" }),
    amountKobo: kobo("amount_kobo").notNull(),
  },
  (table) => [
    check("ledger_entries_account", sql`${table.account} in (${namesOf(accountNames)})`),
    check("ledger_entries_amount", sql`${table.amountKobo} <> 0`),
    unique("ledger_entries_one_per_account")
      .on(
        table.transactionId,
        table.account,
        table.paymentId,
        table.projectId,
        table.round,
        table.userId,
        table.ownAccountId,
        table.lineId,
        table.payoutId,
        table.harvestId,
        table.saleId,
      )
      .nullsNotDistinct(),
    index("ledger_entries_of_account").on(table.account, table.id),
    index("ledger_entries_of_payment").on(table.account, table.paymentId).where(sql`${table.paymentId} is not null`),
    index("ledger_entries_of_line").on(table.account, table.lineId).where(sql`${table.lineId} is not null`),
    index("ledger_entries_of_payout").on(table.account, table.payoutId).where(sql`${table.payoutId} is not null`),
    index("ledger_entries_of_harvest").on(table.account, table.harvestId).where(sql`${table.harvestId} is not null`),
    index("ledger_entries_of_sale").on(table.account, table.saleId).where(sql`${table.saleId} is not null`),
    index("ledger_entries_of_round")
      .on(table.account, table.projectId, table.round)
      .where(sql`${table.account} in ('farm_released', 'farm_due', 'project_funding')`),
    index("ledger_entries_of_own_account")
      .on(table.account, table.ownAccountId)
      .where(sql`${table.account} in ('bank', 'opening')`),
    index("ledger_entries_of_person").on(table.account, table.userId).where(sql`${table.userId} is not null`),
  ],
);
