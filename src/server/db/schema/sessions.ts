import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, moment } from "./columns.ts";
import { users } from "./users.ts";

/** A sign-in. The token is only in the cookie; the table has its SHA-256. */
export const sessions = pgTable(
  "sessions",
  {
    idHash: text("id_hash").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Decides the idle and absolute limits. It grants no rights. */
    kind: text("kind", { enum: ["backer", "admin"] }).notNull(),
    device: text("device").notNull().default(""),
    ipAddress: text("ip_address").notNull().default(""),
    lastActivityAt: moment("last_activity_at").notNull(),
    /** When its person last gave the password, and the code where there is one. */
    provedAt: moment("proved_at"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    check("sessions_kind", sql`${table.kind} in ('backer', 'admin')`),
    index("sessions_of_user").on(table.userId),
    index("sessions_oldest_activity").on(table.lastActivityAt),
  ],
);

/** Devices that have signed in to an account before. Each has its own failure counter. */
export const knownDevices = pgTable(
  "known_devices",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    deviceHash: text("device_hash").notNull(),
    label: text("label").notNull().default(""),
    lastSeenAt: moment("last_seen_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ name: "known_devices_pkey", columns: [table.userId, table.deviceHash] })],
);

/** Single-use links sent by mail (confirm an address, reset a password, change an address), hashed at rest. */
export const emailTokens = pgTable(
  "email_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text("purpose", { enum: ["confirm_email", "reset_password", "change_email"] }).notNull(),
    /** The address the link was sent to. A change of address invalidates older links. */
    email: text("email").notNull(),
    expiresAt: moment("expires_at").notNull(),
    usedAt: moment("used_at"),
    createdAt: createdAt(),
  },
  (table) => [
    check("email_tokens_purpose", sql`${table.purpose} in ('confirm_email', 'reset_password', 'change_email')`),
    index("email_tokens_of_user").on(table.userId, table.purpose),
    index("email_tokens_expiry").on(table.expiresAt),
  ],
);

/**
 * Failed sign-ins. A logged table, so that a crash doesn't empty it.
 * The key names what is counted: a pair of address and device, an account's unknown devices, or a network address.
 */
export const signInCounters = pgTable(
  "sign_in_counters",
  {
    key: text("key").primaryKey(),
    failures: integer("failures").notNull(),
    /** The counter resets after this. */
    resetsAt: moment("resets_at").notNull(),
    lockedUntil: moment("locked_until"),
  },
  (table) => [
    check("sign_in_counters_failures", sql`${table.failures} >= 0`),
    index("sign_in_counters_expiry").on(table.resetsAt),
  ],
);

/** Coarse limits across replicas. An unlogged table, because a crash may empty it. */
export const rateLimits = pgTable(
  "rate_limits",
  {
    key: text("key").primaryKey(),
    hits: integer("hits").notNull(),
    resetsAt: moment("resets_at").notNull(),
  },
  (table) => [index("rate_limits_expiry").on(table.resetsAt)],
);

/** Used signed challenges (human check, one-click links); each works once. */
export const usedChallenges = pgTable(
  "used_challenges",
  { id: text("id").primaryKey(), expiresAt: moment("expires_at").notNull() },
  (table) => [index("used_challenges_expiry").on(table.expiresAt)],
);
