import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createdAt, moment, rowId } from "./columns.ts";
import { storedFiles } from "./files.ts";
import { secondPersonRequests } from "./second-person.ts";
import { users } from "./users.ts";

/**
 * A part of a round's money that was asked for. What the part is, and how much, is read from the round's terms and the
 * ledger; what was released of it from its releases. It has no foreign key to the project, because it outlives it.
 */
export const releaseAsks = pgTable(
  "release_asks",
  {
    id: rowId(),
    projectId: integer("project_id").notNull(),
    round: integer("round").notNull(),
    /** 1 is the first of the terms. */
    part: integer("part").notNull(),
    note: text("note").notNull().default(""),
    askedBy: uuid("asked_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    /** Null while nobody has looked at it. */
    verdict: text("verdict", { enum: ["checked", "refused"] }),
    decidedBy: uuid("decided_by").references(() => users.id),
    decidedAt: moment("decided_at"),
    /** The reason for a refusal, which the farm reads. */
    refusal: text("refusal"),
    /** The request of the only administrator there was, who asked and checked. */
    requestId: bigint("request_id", { mode: "number" }).references(() => secondPersonRequests.id),
  },
  (table) => [
    check("release_asks_part", sql`${table.part} between 1 and 6`),
    check("release_asks_note", sql`length(${table.note}) <= 1000`),
    check("release_asks_verdict", sql`${table.verdict} in ('checked', 'refused')`),
    check(
      "release_asks_decided",
      sql`num_nonnulls(${table.verdict}, ${table.decidedBy}, ${table.decidedAt}) in (0, 3)`,
    ),
    check(
      "release_asks_refusal",
      sql`(${table.verdict} is not distinct from 'refused') = (${table.refusal} is not null)`,
    ),
    check(
      "release_asks_two_people",
      sql`${table.verdict} is distinct from 'checked' or ${table.decidedBy} <> ${table.askedBy} or ${table.requestId} is not null`,
    ),
    uniqueIndex("release_asks_one_standing")
      .on(table.projectId, table.round, table.part)
      .where(sql`${table.verdict} is distinct from 'refused'`),
    index("release_asks_of_round").on(table.projectId, table.round, table.part),
    index("release_asks_undecided").on(table.createdAt).where(sql`${table.verdict} is null`),
  ],
);

/** A photo that everybody may see, or a document that the round's backers may, of what a part was asked for. */
export const releaseProofs = pgTable(
  "release_proofs",
  {
    id: rowId(),
    askId: bigint("ask_id", { mode: "number" })
      .notNull()
      .references(() => releaseAsks.id),
    position: integer("position").notNull(),
    fileId: uuid("file_id")
      .notNull()
      .references(() => storedFiles.id),
    /** The address of a photo; null for a document. */
    url: text("url"),
    width: integer("width"),
    height: integer("height"),
    createdAt: createdAt(),
  },
  (table) => [
    unique("release_proofs_file_key").on(table.fileId),
    unique("release_proofs_position_key").on(table.askId, table.position),
    check("release_proofs_position", sql`${table.position} between 1 and 8`),
    check("release_proofs_photo", sql`num_nonnulls(${table.url}, ${table.width}, ${table.height}) in (0, 3)`),
  ],
);

/** A part that two owners left out: its money stays for the others to be returned. Two take that back. */
export const releaseSkips = pgTable(
  "release_skips",
  {
    id: rowId(),
    projectId: integer("project_id").notNull(),
    round: integer("round").notNull(),
    part: integer("part").notNull(),
    /** Backers read it. */
    reason: text("reason").notNull(),
    requestId: bigint("request_id", { mode: "number" })
      .notNull()
      .references(() => secondPersonRequests.id),
    skippedBy: uuid("skipped_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    takenBackAt: moment("taken_back_at"),
    takenBackRequestId: bigint("taken_back_request_id", { mode: "number" }).references(() => secondPersonRequests.id),
  },
  (table) => [
    check("release_skips_part", sql`${table.part} between 1 and 6`),
    check("release_skips_taken_back", sql`num_nonnulls(${table.takenBackAt}, ${table.takenBackRequestId}) in (0, 2)`),
    uniqueIndex("release_skips_one_standing")
      .on(table.projectId, table.round, table.part)
      .where(sql`${table.takenBackAt} is null`),
  ],
);
