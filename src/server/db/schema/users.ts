import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createdAt, moment, rowId, updatedAt } from "./columns.ts";

/** A person with an account, backer or administrator. Rights are read from here at every request. */
export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    email: text("email").notNull(),
    fullName: text("full_name").notNull(),
    /** Argon2id; null for an account that signs in only through an identity provider. */
    passwordHash: text("password_hash"),
    emailVerifiedAt: moment("email_verified_at"),
    isAdmin: boolean("is_admin").notNull().default(false),
    isBlocked: boolean("is_blocked").notNull().default(false),
    /** Set when the person closed the account. Name and address are deleted; backings and payments stay. */
    closedAt: moment("closed_at"),
    /**
     * Where a closed account's person is still written to, while a farm runs that they have a part in, or a payout may
     * come back.
     */
    contactEmail: text("contact_email"),
    lastActivityAt: moment("last_activity_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique("users_email_key").on(table.email),
    check(
      "users_email_normalised",
      sql`${table.email} = lower(btrim(${table.email})) and length(${table.email}) between 3 and 255`,
    ),
    check("users_full_name_length", sql`length(${table.fullName}) between 1 and 200`),
    check(
      "users_closed_is_no_admin",
      sql`${table.closedAt} is null or (not ${table.isAdmin} and ${table.passwordHash} is null)`,
    ),
    check("users_contact_email", sql`${table.contactEmail} is null or ${table.closedAt} is not null`),
    index("users_newest").on(table.createdAt.desc().nullsFirst(), table.id),
    index("users_admins").on(table.email).where(sql`${table.isAdmin}`),
    index("users_trigrams").using("gin", table.fullName.op("gin_trgm_ops"), table.email.op("gin_trgm_ops")),
    index("users_by_name").on(sql`lower(${table.fullName})`),
  ],
);

/** Roles of administrators; one may have several. They grant nothing without users.is_admin. */
export const userRoles = pgTable(
  "user_roles",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["owner", "manager", "viewer"] }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: "user_roles_pkey", columns: [table.userId, table.role] }),
    check("user_roles_role", sql`${table.role} in ('owner', 'manager', 'viewer')`),
    index("user_roles_by_role").on(table.role),
  ],
);

/** Rights for one kind of work that owners give beside the roles. They give nothing without users.is_admin. */
export const userGrants = pgTable(
  "user_grants",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    grant: text("grant_name", { enum: ["accountant", "cashier"] }).notNull(),
    givenBy: uuid("given_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: "user_grants_pkey", columns: [table.userId, table.grant] }),
    check("user_grants_grant", sql`${table.grant} in ('accountant', 'cashier')`),
    check("user_grants_not_to_oneself", sql`${table.givenBy} <> ${table.userId}`),
  ],
);

/** When somebody was an active owner. What takes two people asks how long they have been two. */
export const ownerTerms = pgTable(
  "owner_terms",
  {
    id: rowId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    since: moment("since").notNull(),
    until: moment("until"),
  },
  (table) => [
    check("owner_terms_until", sql`${table.until} >= ${table.since}`),
    uniqueIndex("owner_terms_one_open").on(table.userId).where(sql`${table.until} is null`),
    index("owner_terms_by_end").on(table.until),
  ],
);

/** An identity at an OpenID provider, linked to an account. */
export const identities = pgTable(
  "identities",
  {
    provider: text("provider", { enum: ["google"] }).notNull(),
    subject: text("subject").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: "identities_pkey", columns: [table.provider, table.subject] }),
    unique("identities_one_per_provider").on(table.userId, table.provider),
    check("identities_provider", sql`${table.provider} in ('google')`),
  ],
);

/** Time-based second factor; the secret is encrypted with a key derived from APP_SECRET. */
export const twoFactors = pgTable("two_factors", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  encryptedSecret: text("encrypted_secret").notNull(),
  confirmedAt: moment("confirmed_at"),
  /** The last accepted time step, so that a code works once. */
  lastUsedStep: text("last_used_step"),
  createdAt: createdAt(),
});

export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    codeHash: text("code_hash").notNull(),
    usedAt: moment("used_at"),
  },
  (table) => [primaryKey({ name: "recovery_codes_pkey", columns: [table.userId, table.codeHash] })],
);
