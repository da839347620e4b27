import { type SQL, sql } from "drizzle-orm";
import { boolean, check, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { consentKinds, ownPages } from "#shared/site/pages.ts";
import { createdAt, listOf, moment, rowId } from "./columns.ts";
import { storedFiles } from "./files.ts";
import { users } from "./users.ts";

/**
 * The operator of the site: each change is a row of its own, and the one with the largest version counts. Triggers hold
 * that.
 */
export const siteProfiles = pgTable(
  "site_profiles",
  {
    version: integer("version").primaryKey(),
    name: text("name").notNull(),
    legalName: text("legal_name"),
    tagline: text("tagline").notNull(),
    companyNumber: text("company_number"),
    address: text("address"),
    phone: text("phone"),
    whatsapp: text("whatsapp"),
    supportEmail: text("support_email"),
    regulatorNote: text("regulator_note"),
    referencePrefix: text("reference_prefix").notNull(),
    paperPrefix: text("paper_prefix").notNull(),
    color: text("color"),
    shades: jsonb("shades").$type<string[]>(),
    markFileId: uuid("mark_file_id").references(() => storedFiles.id),
    writtenBy: uuid("written_by").references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => {
    const e164 = (column: SQL) => sql`${column} ~ '^\\+[1-9][0-9]{6,14}$'`;
    return [
      check("site_profiles_version", sql`${table.version} > 0`),
      check(
        "site_profiles_texts",
        sql`length(${table.name}) between 2 and 40 and length(${table.legalName}) between 2 and 120 and length(${table.tagline}) between 1 and 120
          and length(${table.address}) between 1 and 300 and length(${table.regulatorNote}) between 1 and 300`,
      ),
      check("site_profiles_company_number", sql`${table.companyNumber} ~ '^(RC|BN|IT) [0-9]{3,8}$'`),
      check("site_profiles_phones", sql`${e164(sql`${table.phone}`)} and ${e164(sql`${table.whatsapp}`)}`),
      check(
        "site_profiles_prefixes",
        sql`${table.referencePrefix} ~ '^[A-Z]{2,5}$' and ${table.paperPrefix} ~ '^[A-Z]$' and ${table.referencePrefix} <> ${table.paperPrefix} || 'P'`,
      ),
      check(
        "site_profiles_look",
        sql`(${table.color} is null) = (${table.shades} is null) and ${table.color} ~ '^#[0-9a-f]{6}$' and jsonb_array_length(${table.shades}) = 10`,
      ),
    ];
  },
);

/**
 * The texts that an operator writes or adopts: each change is a row of its own, in force from its moment on. Triggers
 * hold that.
 */
export const sitePages = pgTable(
  "site_pages",
  {
    page: text("page", { enum: ownPages }).notNull(),
    version: integer("version").notNull(),
    /** With its variables, like {{company}}. */
    html: text("html").notNull(),
    /** True if people who agreed to an earlier version are asked again. */
    isMaterial: boolean("is_material").notNull(),
    /** A description of the change; required where it is material. */
    changeNote: text("change_note"),
    inForceFrom: moment("in_force_from").notNull(),
    writtenBy: uuid("written_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.page, table.version] }),
    check("site_pages_page", sql`${table.page} in (${listOf(ownPages)})`),
    check("site_pages_version", sql`${table.version} > 0`),
    check("site_pages_html", sql`length(${table.html}) between 1 and 200000`),
    check(
      "site_pages_change_note",
      sql`(not ${table.isMaterial} or ${table.changeNote} is not null) and length(${table.changeNote}) between 1 and 1000`,
    ),
  ],
);

/**
 * A text word for word as people read it when they agreed to it, with every variable filled in. Kept once, however many
 * agreed.
 */
export const agreedTexts = pgTable(
  "agreed_texts",
  {
    sha256: text("sha256").primaryKey(),
    page: text("page", { enum: ownPages }).notNull(),
    /** The version of the operator's own text; 0 for the text that the software brings. */
    version: integer("version").notNull(),
    html: text("html").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    check("agreed_texts_sha256", sql`${table.sha256} ~ '^[0-9a-f]{64}$'`),
    check("agreed_texts_page", sql`${table.page} in (${listOf(ownPages)})`),
  ],
);

/** Who agreed to which text, when and at what. Triggers hold that nothing of it changes. */
export const consents = pgTable(
  "consents",
  {
    id: rowId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    kind: text("kind", { enum: consentKinds }).notNull(),
    textSha256: text("text_sha256")
      .notNull()
      .references(() => agreedTexts.sha256),
    createdAt: createdAt(),
  },
  (table) => [
    check("consents_kind", sql`${table.kind} in (${listOf(consentKinds)})`),
    unique("consents_once").on(table.userId, table.kind, table.textSha256),
  ],
);

/** Hashes of the codes that open the set-up, one of each start of a server. Emptied with the first owner. */
export const setupCodes = pgTable(
  "setup_codes",
  { codeHash: text("code_hash").primaryKey(), createdAt: createdAt() },
  (table) => [check("setup_codes_hash", sql`${table.codeHash} ~ '^[0-9a-f]{64}$'`)],
);

/** Codes that were mailed to prove that mails leave the server; proven where one was entered. */
export const mailProofs = pgTable(
  "mail_proofs",
  {
    id: rowId(),
    codeHash: text("code_hash").notNull(),
    sentTo: text("sent_to").notNull(),
    askedBy: uuid("asked_by")
      .notNull()
      .references(() => users.id),
    provenAt: moment("proven_at"),
    createdAt: createdAt(),
  },
  (table) => [check("mail_proofs_hash", sql`${table.codeHash} ~ '^[0-9a-f]{64}$'`)],
);

/** A backer's quote on the home page, as an owner entered it. */
export const testimonials = pgTable(
  "testimonials",
  {
    id: rowId(),
    name: text("name").notNull(),
    /** The words about what they backed, such as "Backed snail pens". */
    backed: text("backed").notNull(),
    words: text("words").notNull(),
    photoFileId: uuid("photo_file_id").references(() => storedFiles.id),
    /** How the person agreed to stand here. */
    agreement: text("agreement").notNull(),
    writtenBy: uuid("written_by")
      .notNull()
      .references(() => users.id),
    hiddenAt: moment("hidden_at"),
    createdAt: createdAt(),
  },
  (table) => [
    check(
      "testimonials_texts",
      sql`length(${table.name}) between 1 and 80 and length(${table.backed}) between 1 and 120 and length(${table.words}) between 1 and 300
        and length(${table.agreement}) between 1 and 300`,
    ),
  ],
);
