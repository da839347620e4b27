import { sql } from "drizzle-orm";
import { check, date, index, integer, numeric, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { farmRoles, nigerianStates } from "#shared/farms/texts.ts";
import { createdAt, listOf, moment, rowId, updatedAt } from "./columns.ts";
import { users } from "./users.ts";

/** A farm that projects are run by. It is closed, never deleted. */
export const farms = pgTable(
  "farms",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    name: text("name").notNull(),
    state: text("state", { enum: nigerianStates }).notNull(),
    place: text("place").notNull().default(""),
    /** In degrees, kept no finer than pages show them: 0.1, which is about 11 km. */
    latitude: numeric("latitude", { precision: 3, scale: 1 }),
    longitude: numeric("longitude", { precision: 4, scale: 1 }),
    sinceYear: integer("since_year"),
    story: text("story").notNull().default(""),
    registration: text("registration"),
    visitedOn: date("visited_on"),
    visitedBy: text("visited_by"),
    visitNote: text("visit_note"),
    closedAt: moment("closed_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // A project's creator is its farm's name: its foreign key follows a change of it.
    unique("farms_id_name_key").on(table.id, table.name),
    check("farms_name", sql`length(btrim(${table.name})) between 2 and 80`),
    check("farms_state", sql`${table.state} in (${listOf(nigerianStates)})`),
    check("farms_place", sql`length(${table.place}) <= 100`),
    check("farms_coordinates", sql`num_nonnulls(${table.latitude}, ${table.longitude}) in (0, 2)`),
    check("farms_latitude", sql`${table.latitude} between -90 and 90`),
    check("farms_longitude", sql`${table.longitude} between -180 and 180`),
    check("farms_since_year", sql`${table.sinceYear} between 1900 and 2100`),
    check("farms_story", sql`length(${table.story}) <= 2000`),
    check("farms_registration", sql`length(${table.registration}) between 1 and 60`),
    check("farms_visited", sql`(${table.visitedOn} is null) = (${table.visitedBy} is null)`),
    check("farms_visit_note", sql`${table.visitNote} is null or ${table.visitedOn} is not null`),
    index("farms_by_name").on(sql`lower(${table.name})`, table.id),
    index("farms_name_trigrams").using("gin", table.name.op("gin_trgm_ops")),
  ],
);

/** Who reports for a farm. Their rights are read from here at each request, and end with `ended_at`. */
export const farmPeople = pgTable(
  "farm_people",
  {
    id: rowId(),
    farmId: integer("farm_id")
      .notNull()
      .references(() => farms.id),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    role: text("role", { enum: farmRoles }).notNull(),
    invitedBy: uuid("invited_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
    endedAt: moment("ended_at"),
    endedBy: uuid("ended_by").references(() => users.id, { onDelete: "set null" }),
  },
  (table) => [
    uniqueIndex("farm_people_one_per_person").on(table.farmId, table.userId).where(sql`${table.endedAt} is null`),
    check("farm_people_role", sql`${table.role} in (${listOf(farmRoles)})`),
    index("farm_people_of_user").on(table.userId),
  ],
);

/** The way to become one of a farm's people: single use, hashed, bound to address, farm and role. */
export const farmInvites = pgTable(
  "farm_invites",
  {
    id: rowId(),
    farmId: integer("farm_id")
      .notNull()
      .references(() => farms.id),
    email: text("email").notNull(),
    fullName: text("full_name").notNull(),
    role: text("role", { enum: farmRoles }).notNull(),
    tokenHash: text("token_hash").notNull(),
    expiresAt: moment("expires_at").notNull(),
    consumedAt: moment("consumed_at"),
    /** Taken back by an administrator before anybody used it. */
    revokedAt: moment("revoked_at"),
    invitedBy: uuid("invited_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (table) => [
    unique("farm_invites_token_key").on(table.tokenHash),
    uniqueIndex("farm_invites_one_open_per_email")
      .on(table.farmId, table.email)
      .where(sql`${table.consumedAt} is null and ${table.revokedAt} is null`),
    check("farm_invites_email_normalised", sql`${table.email} = lower(btrim(${table.email}))`),
    check("farm_invites_role", sql`${table.role} in (${listOf(farmRoles)})`),
  ],
);
