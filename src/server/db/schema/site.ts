import { type SQL, sql } from "drizzle-orm";
import { check, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt } from "./columns.ts";
import { storedFiles } from "./files.ts";
import { users } from "./users.ts";

/** The operator of the site: each change is a row of its own, and the one with the largest version counts. Triggers hold that. */
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
