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
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { type PlannedFigure, planTemplates } from "#shared/reports/plans-texts.ts";
import { createdAt, listOf, moment, rowId } from "./columns.ts";
import { projects, projectUpdates } from "./projects.ts";
import { users } from "./users.ts";

/**
 * The reporting plan of a round, as its farm promises it, version by version. A report follows the last version that
 * was saved before its row was written, and a round without any follows the last of the round before. Append-only. It
 * has no foreign key to the project, because it outlives it.
 */
export const reportPlans = pgTable(
  "report_plans",
  {
    projectId: integer("project_id").notNull(),
    round: integer("round").notNull(),
    version: integer("version").notNull(),
    template: text("template", { enum: planTemplates }).notNull(),
    everyDays: integer("every_days").notNull(),
    /** 1 is Monday, 7 is Sunday. */
    weekday: integer("weekday").notNull(),
    endsOn: date("ends_on"),
    figures: jsonb("figures").$type<PlannedFigure[]>().notNull(),
    writtenBy: uuid("written_by").references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: "report_plans_pkey", columns: [table.projectId, table.round, table.version] }),
    check("report_plans_version", sql`${table.version} >= 1`),
    check("report_plans_template", sql`${table.template} in (${listOf(planTemplates)})`),
    check("report_plans_every", sql`${table.everyDays} in (7, 14, 30)`),
    check("report_plans_weekday", sql`${table.weekday} between 1 and 7`),
    check("report_plans_figures", sql`jsonb_array_length(${table.figures}) between 1 and 6`),
  ],
);

/**
 * A report that a farm owes, numbered 1…n in each round without a gap. Whether it is coming, due, late or missed is read from
 * the row and the clock. It has no foreign key to the project, because a farm's record outlives it.
 */
export const farmReports = pgTable(
  "farm_reports",
  {
    id: rowId(),
    projectId: integer("project_id").notNull(),
    round: integer("round").notNull(),
    number: integer("number").notNull(),
    dueAt: moment("due_at").notNull(),
    /** Four letters that one of its photos shows, so that no photo is older than this row. */
    code: text("code").notNull(),
    /** As the farm sent it; a published report is its update's content. */
    content: text("content"),
    /** The reason why the stock doesn't add up, or why a figure is far from the plan. Backers read it. */
    farmNote: text("farm_note"),
    idempotencyKey: uuid("idempotency_key"),
    /** When it came for the first time; one that was sent back keeps it. */
    firstSentAt: moment("first_sent_at"),
    sentAt: moment("sent_at"),
    sentBy: uuid("sent_by").references(() => users.id, { onDelete: "set null" }),
    sentLinkId: bigint("sent_link_id", { mode: "number" }).references(() => reportLinks.id),
    /** The last time that a manager asked the farm to send it again; it counts as sent once it came again. */
    sentBackAt: moment("sent_back_at"),
    sentBackNote: text("sent_back_note"),
    publishedAt: moment("published_at"),
    /** Null if the clock published it. */
    publishedBy: uuid("published_by").references(() => users.id, { onDelete: "set null" }),
    /** Whoever published it saw its code in a photo. */
    isCodeSeen: boolean("is_code_seen").notNull().default(false),
    updateId: bigint("update_id", { mode: "number" }).references(() => projectUpdates.id, { onDelete: "set null" }),
    excusedAt: moment("excused_at"),
    /** Null where the round was over before the report was due. */
    excusedBy: uuid("excused_by").references(() => users.id, { onDelete: "set null" }),
    excuse: text("excuse"),
    createdAt: createdAt(),
  },
  (table) => [
    unique("farm_reports_number_key").on(table.projectId, table.round, table.number),
    unique("farm_reports_update_key").on(table.updateId),
    check("farm_reports_number", sql`${table.number} >= 1`),
    check("farm_reports_code", sql`${table.code} ~ '^[2-9A-HJ-NP-Z]{4}$'`),
    check("farm_reports_sent", sql`${table.sentAt} is null or ${table.content} is not null`),
    check(
      "farm_reports_first_sent",
      sql`${table.firstSentAt} is not null or num_nonnulls(${table.sentAt}, ${table.sentBackAt}) = 0`,
    ),
    check("farm_reports_content", sql`length(btrim(${table.content})) between 1 and 20000`),
    check("farm_reports_farm_note", sql`length(btrim(${table.farmNote})) between 1 and 1000`),
    check("farm_reports_published", sql`${table.publishedAt} is null or ${table.sentAt} is not null`),
    check("farm_reports_sent_back", sql`(${table.sentBackAt} is null) = (${table.sentBackNote} is null)`),
    check("farm_reports_excused", sql`num_nonnulls(${table.excusedAt}, ${table.excuse}) in (0, 2)`),
    check("farm_reports_excuse", sql`length(btrim(${table.excuse})) between 20 and 500`),
    index("farm_reports_due").on(table.dueAt).where(sql`${table.sentAt} is null and ${table.excusedAt} is null`),
    index("farm_reports_waiting").on(table.sentAt).where(sql`${table.publishedAt} is null`),
  ],
);

/** The figures of a report, by the keys of its plan: kobo of money, thousandths of everything else. */
export const reportFigures = pgTable(
  "report_figures",
  {
    reportId: bigint("report_id", { mode: "number" })
      .notNull()
      .references(() => farmReports.id),
    key: text("key").notNull(),
    value: bigint("value", { mode: "bigint" }).notNull(),
  },
  (table) => [
    primaryKey({ name: "report_figures_pkey", columns: [table.reportId, table.key] }),
    check("report_figures_value", sql`${table.value} >= 0`),
  ],
);

/** A link by which somebody without an account reports for one project. */
export const reportLinks = pgTable(
  "report_links",
  {
    id: rowId(),
    projectId: integer("project_id").notNull(),
    tokenHash: text("token_hash").notNull(),
    /** Who it was made for, as its maker names them. */
    label: text("label").notNull(),
    madeBy: uuid("made_by").references(() => users.id, { onDelete: "set null" }),
    expiresAt: moment("expires_at").notNull(),
    revokedAt: moment("revoked_at"),
    createdAt: createdAt(),
  },
  (table) => [
    unique("report_links_token_key").on(table.tokenHash),
    check("report_links_label", sql`length(btrim(${table.label})) between 1 and 80`),
    index("report_links_of_project").on(table.projectId),
  ],
);

/** A backer asked for a report that is long in coming, once for each number. */
export const reportAsks = pgTable(
  "report_asks",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    round: integer("round").notNull(),
    number: integer("number").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({
      name: "report_asks_pkey",
      columns: [table.projectId, table.round, table.number, table.userId],
    }),
  ],
);
