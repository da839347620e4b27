import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt } from "./columns.ts";
import { users } from "./users.ts";

/** Every stored file has a row. Unreferenced files are swept after an hour, except receipts. */
export const storedFiles = pgTable(
  "stored_files",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    kind: text("kind", {
      enum: ["receipt", "resume", "photo", "video", "poster", "evidence", "paper", "statement", "mark"],
    }).notNull(),
    storageKey: text("storage_key").notNull(),
    sha256: text("sha256").notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    contentType: text("content_type").notNull(),
    originalName: text("original_name").notNull(),
    uploadedBy: uuid("uploaded_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (table) => [
    unique("stored_files_storage_key_key").on(table.storageKey),
    check(
      "stored_files_kind",
      sql`${table.kind} in ('receipt', 'resume', 'photo', 'video', 'poster', 'evidence', 'paper', 'statement', 'mark')`,
    ),
    check("stored_files_sha256", sql`${table.sha256} ~ '^[0-9a-f]{64}$'`),
    check("stored_files_bytes", sql`${table.bytes} > 0`),
    // A prefix search by the folder that a photo's sizes share.
    index("stored_files_by_prefix").on(table.storageKey.op("text_pattern_ops")),
    index("stored_files_by_hash").on(table.sha256),
    index("stored_files_newest").on(table.createdAt),
  ],
);
