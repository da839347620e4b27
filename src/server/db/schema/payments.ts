import { type SQL, sql } from "drizzle-orm";
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
import { createdAt, kobo, moment, rowId, updatedAt } from "./columns.ts";
import { storedFiles } from "./files.ts";
import { projects } from "./projects.ts";
import { agreedTexts } from "./site.ts";
import { users } from "./users.ts";

/**
 * The reference that a backer writes on the transfer. It belongs to one purchase: it is given to whoever agrees to
 * the terms, and an approval retires it.
 */
export const paymentReferences = pgTable(
  "payment_references",
  {
    id: rowId(),
    projectId: integer("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    reference: text("reference").notNull(),
    /** The agreed purchase and its terms. */
    round: integer("round").notNull(),
    termsVersion: integer("terms_version").notNull(),
    agreedAt: moment("agreed_at").notNull(),
    lots: integer("lots").notNull(),
    lotPriceKobo: kobo("lot_price_kobo").notNull(),
    /** The site's terms that they agreed to with it. */
    siteTerms: text("site_terms").references(() => agreedTexts.sha256),
    retiredAt: moment("retired_at"),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("payment_references_one_in_use")
      .on(table.projectId, table.userId)
      .where(sql`${table.retiredAt} is null`),
    unique("payment_references_reference_key").on(table.reference),
    index("payment_references_of_user").on(table.userId),
  ],
);

/** A reference without dashes, because people type it with other dashes or none. */
export const bareReference = (table: Record<"reference", AnyPgColumn>): SQL =>
  sql`replace(${table.reference}, '-', '')`;

/**
 * A purchase of lots by bank transfer. Round, lots and amount stand from its first row. If the project is deleted,
 * the payment stays, detached, with the title.
 */
export const projectPayments = pgTable(
  "project_payments",
  {
    id: rowId(),
    projectId: integer("project_id").references(() => projects.id, { onDelete: "set null" }),
    projectTitle: text("project_title").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    lots: integer("lots").notNull(),
    /** The version of the round's harvest terms that it was paid under. */
    termsVersion: integer("terms_version").notNull(),
    /** When the payer agreed to the terms. */
    agreedAt: moment("agreed_at").notNull(),
    /** The site's terms that they agreed to with it. */
    siteTerms: text("site_terms").references(() => agreedTexts.sha256),
    /** The lots' price at the first submission. It changes only if the backer takes fewer lots. */
    amountKobo: kobo("amount_kobo").notNull(),
    reference: text("reference").notNull(),
    status: text("status", { enum: ["pending", "approved", "rejected"] })
      .notNull()
      .default("pending"),
    /** The only round that it can be approved in. */
    round: integer("round").notNull(),
    rejectionReason: text("rejection_reason"),
    /**
     * The receipt under review; older ones are kept. A deferred foreign key (see the migration) ties it to this
     * payment. Null if none was sent, because the bank's statement showed the transfer.
     */
    currentReceiptId: uuid("current_receipt_id"),
    /** Where to reach a backer who closed the account while the payment was pending, which is refused by now. */
    refundEmail: text("refund_email"),
    /**
     * The midnight that ends the day by which we promised an answer: set once a receipt or all of the money is here, and
     * kept whatever holidays or settings come later. Null as long as nothing was promised.
     */
    reviewBy: moment("review_by"),
    decidedBy: uuid("decided_by").references(() => users.id),
    decidedAt: moment("decided_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check("project_payments_status", sql`${table.status} in ('pending', 'approved', 'rejected')`),
    check("project_payments_amount", sql`${table.amountKobo} > 0`),
    check("project_payments_round", sql`${table.round} >= 1`),
    check("project_payments_lots", sql`${table.lots} between 1 and 1000`),
    check("project_payments_rejection_reason", sql`${table.rejectionReason} is null or ${table.status} = 'rejected'`),
    check("project_payments_refund_email", sql`${table.refundEmail} is null or ${table.status} = 'pending'`),
    index("project_payments_approved_in_round")
      .on(table.projectId, table.round)
      .where(sql`${table.status} = 'approved'`),
    uniqueIndex("project_payments_one_pending_per_backer")
      .on(table.projectId, table.userId)
      .where(sql`${table.status} = 'pending'`),
    index("project_payments_newest").on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index("project_payments_by_status").on(
      table.status,
      table.createdAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    index("project_payments_of_project").on(
      table.projectId,
      table.createdAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    index("project_payments_of_user").on(table.userId, table.createdAt.desc().nullsFirst()),
    index("project_payments_of_reference").on(table.reference),
    /** For statement lines: payments whose whole amount just came. */
    index("project_payments_of_amount").on(table.amountKobo).where(sql`${table.status} = 'pending'`),
    index("project_payments_reference_trigrams").using("gin", sql`${bareReference(table)} gin_trgm_ops`),
    index("project_payments_to_review").on(table.reviewBy).where(sql`${table.status} = 'pending'`),
    index("project_payments_to_refund").on(table.refundEmail).where(sql`${table.refundEmail} is not null`),
  ],
);

/** Every receipt ever sent. (user, idempotency key) makes a repeated submission the same row and response. */
export const paymentReceipts = pgTable(
  "payment_receipts",
  {
    id: uuid("id").primaryKey(),
    paymentId: bigint("payment_id", { mode: "number" })
      .notNull()
      .references(() => projectPayments.id),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    fileId: uuid("file_id")
      .notNull()
      .references(() => storedFiles.id),
    sha256: text("sha256").notNull(),
    idempotencyKey: uuid("idempotency_key").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("payment_receipts_of_payment_key").on(table.paymentId, table.id),
    unique("payment_receipts_file_key").on(table.fileId),
    unique("payment_receipts_idempotency_key").on(table.userId, table.idempotencyKey),
    index("payment_receipts_by_hash").on(table.sha256),
  ],
);

/** Files by which two owners decide on a payment, kept privately: what proves a change of holder, or why it was struck. */
export const paymentEvidence = pgTable(
  "payment_evidence",
  {
    fileId: uuid("file_id")
      .primaryKey()
      .references(() => storedFiles.id),
    paymentId: bigint("payment_id", { mode: "number" })
      .notNull()
      .references(() => projectPayments.id),
    addedBy: uuid("added_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [index("payment_evidence_of_payment").on(table.paymentId)],
);
