import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
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
import { paperKinds } from "#shared/papers/kinds.ts";
import { misread, type PaperContent } from "#shared/papers/texts.ts";
import { createdAt, kobo, listOf, moment, rowId } from "./columns.ts";
import { storedFiles } from "./files.ts";
import { projectPayments } from "./payments.ts";
import { payoutRuns } from "./payouts.ts";
import { refunds } from "./refunds.ts";
import { settlements } from "./settlements.ts";
import { users } from "./users.ts";

/** The last number of a kind and year. The last lock of a transaction: who numbers a paper waits for whoever numbers one. */
export const paperCounters = pgTable(
  "paper_counters",
  {
    kind: text("kind", { enum: paperKinds }).notNull(),
    year: integer("year").notNull(),
    last: integer("last").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.year] }),
    check("paper_counters_kind", sql`${table.kind} in (${listOf(paperKinds)})`),
    check("paper_counters_last", sql`${table.last} > 0`),
  ],
);

/** A code with the digits that its letters are misread for. */
export const readableCode = (code: SQLWrapper | string): SQL =>
  sql`translate(${code}, ${sql.raw(`'${misread.letters}', '${misread.digits}'`)})`;

/**
 * A paper is written in the transaction of what it tells of, with its number and its words; the PDF is made of them when
 * somebody first asks for it, and kept. Nothing of it changes but that it was replaced. Triggers hold that.
 */
export const papers = pgTable(
  "papers",
  {
    id: rowId(),
    kind: text("kind", { enum: paperKinds }).notNull(),
    /** The year in Lagos in which it was made. */
    year: integer("year").notNull(),
    /** 1…n in its kind and year, without gaps. */
    sequence: integer("sequence").notNull(),
    /** The code in /verify/{code}: 16 characters that nobody guesses. */
    code: text("code").notNull(),
    /** The person it belongs to; null for one of the platform's own. */
    userId: uuid("user_id").references(() => users.id),
    paymentId: bigint("payment_id", { mode: "number" }).references(() => projectPayments.id),
    refundId: bigint("refund_id", { mode: "number" }).references(() => refunds.id),
    settlementId: bigint("settlement_id", { mode: "number" }).references(() => settlements.id),
    runId: bigint("run_id", { mode: "number" }).references(() => payoutRuns.id),
    /** The days that a statement or a list covers, both included. */
    firstDay: date("first_day", { mode: "string" }),
    lastDay: date("last_day", { mode: "string" }),
    amountKobo: kobo("amount_kobo").notNull(),
    content: jsonb("content").$type<PaperContent>().notNull(),
    /** The last head of the ledger before it, which it prints: null where there was none yet. */
    headN: integer("head_n"),
    headHash: text("head_hash"),
    createdAt: createdAt(),
    /** The PDF, once somebody asked for it. */
    fileId: uuid("file_id").references(() => storedFiles.id),
    /** It is no longer valid: what it tells of was taken back, or another tells it anew. */
    replacedAt: moment("replaced_at"),
  },
  (table) => [
    check("papers_kind", sql`${table.kind} in (${listOf(paperKinds)})`),
    check(
      "papers_about",
      sql`num_nonnulls(${table.paymentId}, ${table.refundId}, ${table.settlementId}, ${table.runId}, ${table.firstDay}) = 1
        and (${table.firstDay} is null) = (${table.lastDay} is null)
        and case ${table.kind}
          when 'receipt' then ${table.paymentId} is not null and ${table.userId} is not null
          when 'refund_note' then ${table.refundId} is not null and ${table.userId} is not null
          when 'settlement' then ${table.settlementId} is not null and ${table.userId} is not null
          when 'statement' then ${table.firstDay} is not null and ${table.userId} is not null
          when 'run_sheet' then ${table.runId} is not null and ${table.userId} is null
          else ${table.firstDay} is not null and ${table.userId} is null end`,
    ),
    check("papers_days", sql`${table.firstDay} <= ${table.lastDay}`),
    check("papers_number", sql`${table.sequence} > 0 and ${table.year} between 2020 and 9999`),
    check("papers_amount", sql`${table.amountKobo} >= 0`),
    check("papers_head", sql`(${table.headN} is null) = (${table.headHash} is null)`),
    check("papers_code", sql`${table.code} ~ '^[0-9A-HJKMNP-TV-Z]{16}$'`),
    unique("papers_number_key").on(table.kind, table.year, table.sequence),
    unique("papers_code_key").on(table.code),
    unique("papers_file_key").on(table.fileId),
    // One valid paper of a thing. A person may have several backings in a settlement, and has one statement of it.
    uniqueIndex("papers_one_of_payment").on(table.paymentId).where(sql`${table.replacedAt} is null`),
    uniqueIndex("papers_one_of_refund").on(table.refundId).where(sql`${table.replacedAt} is null`),
    uniqueIndex("papers_one_of_settlement")
      .on(table.settlementId, table.userId)
      .where(sql`${table.replacedAt} is null`),
    uniqueIndex("papers_one_of_run").on(table.runId).where(sql`${table.replacedAt} is null`),
    // Of a range too: a person's statement, and the tax list, which is nobody's.
    uniqueIndex("papers_one_statement_of_range")
      .on(table.userId, table.firstDay, table.lastDay)
      .where(sql`${table.kind} = 'statement' and ${table.replacedAt} is null`),
    uniqueIndex("papers_one_tax_list_of_range")
      .on(table.firstDay, table.lastDay)
      .where(sql`${table.kind} = 'tax_list' and ${table.replacedAt} is null`),
    uniqueIndex("papers_one_closing_of_month").on(table.firstDay).where(sql`${table.kind} = 'closing'`),
    // A code is found as well where 5 and S, 8 and B, 2 and Z, 6 and G were misread for one another.
    index("papers_by_readable_code").on(readableCode(table.code)),
    index("papers_of_person").on(table.userId, table.id),
  ],
);
