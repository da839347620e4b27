import { sql } from "drizzle-orm";
import { check, index, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { applicantStatuses } from "#shared/applicant-statuses.ts";
import { createdAt, moment, rowId } from "./columns.ts";
import { storedFiles } from "./files.ts";
import { users } from "./users.ts";

/** The only source of privilege besides the command line: single use, hashed, bound to address and role. */
export const adminInvites = pgTable(
  "admin_invites",
  {
    id: rowId(),
    email: text("email").notNull(),
    fullName: text("full_name").notNull(),
    role: text("role", { enum: ["owner", "manager", "viewer"] })
      .notNull()
      .default("manager"),
    status: text("status", { enum: ["invited", "re-invited"] })
      .notNull()
      .default("invited"),
    tokenHash: text("token_hash").notNull(),
    expiresAt: moment("expires_at").notNull(),
    consumedAt: moment("consumed_at"),
    invitedBy: uuid("invited_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (table) => [
    unique("admin_invites_token_key").on(table.tokenHash),
    uniqueIndex("admin_invites_one_open_per_email").on(table.email).where(sql`${table.consumedAt} is null`),
    check("admin_invites_email_normalised", sql`${table.email} = lower(btrim(${table.email}))`),
    check("admin_invites_role", sql`${table.role} in ('owner', 'manager', 'viewer')`),
    check("admin_invites_status", sql`${table.status} in ('invited', 're-invited')`),
    index("admin_invites_newest").on(table.createdAt.desc().nullsFirst()),
  ],
);

/** Made by the form for what it holds: sent again after a lost answer, it makes no second row. */
const idempotencyKey = () => uuid("idempotency_key").notNull().defaultRandom();

export const jobApplications = pgTable(
  "job_applications",
  {
    id: rowId(),
    fullName: text("full_name").notNull(),
    email: text("email").notNull(),
    phone: text("phone").notNull(),
    position: text("position").notNull(),
    coverLetter: text("cover_letter"),
    resumeFileId: uuid("resume_file_id").references(() => storedFiles.id),
    status: text("status", { enum: applicantStatuses }).notNull().default("new"),
    idempotencyKey: idempotencyKey(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("job_applications_idempotency_key").on(table.idempotencyKey),
    check("job_applications_status", sql`${table.status} in ('new', 'reviewed', 'contacted', 'rejected')`),
    check("job_applications_full_name", sql`length(${table.fullName}) >= 2`),
    check("job_applications_phone", sql`length(${table.phone}) >= 10`),
    unique("job_applications_resume_key").on(table.resumeFileId),
    index("job_applications_newest").on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index("job_applications_by_status").on(
      table.status,
      table.createdAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
  ],
);

export const contactMessages = pgTable(
  "contact_messages",
  {
    id: rowId(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    phone: text("phone").notNull(),
    message: text("message").notNull(),
    readAt: moment("read_at"),
    idempotencyKey: idempotencyKey(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("contact_messages_idempotency_key").on(table.idempotencyKey),
    check("contact_messages_name", sql`length(${table.name}) between 2 and 100`),
    check("contact_messages_message", sql`length(${table.message}) between 10 and 5000`),
    index("contact_messages_newest").on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
  ],
);
