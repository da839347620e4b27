import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import type { Reward } from "#shared/project-texts.ts";
import { createdAt, kobo, moment, rowId, updatedAt } from "./columns.ts";
import { storedFiles } from "./files.ts";
import { users } from "./users.ts";

/** One farm project: one lot, first come, first served. */
export const projects = pgTable(
  "projects",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    title: text("title").notNull(),
    creator: text("creator").notNull().default("Anonymous"),
    /** Null shows as "General". */
    category: text("category", {
      enum: ["sustainable", "organic", "livestock", "tech", "community", "education", "equipment"],
    }),
    shortDescription: text("short_description").notNull(),
    /** Sanitised HTML. */
    description: text("description").notNull(),
    imageUrl: text("image_url").notNull(),
    /** The uploaded photo behind the address, where it is one of ours. A clone shares it. */
    imageFileId: uuid("image_file_id").references(() => storedFiles.id),
    imageAlt: text("image_alt").notNull().default(""),
    videoUrl: text("video_url"),
    location: text("location").notNull().default(""),
    rewards: jsonb("rewards").$type<Reward[]>().notNull().default([]),
    fundingGoalKobo: kobo("funding_goal_kobo").notNull(),
    /** Cache of the ledger's sum for the current round. */
    currentFundingKobo: kobo("current_funding_kobo").notNull().default(sql`0`),
    /** Cache of the number of backings. */
    backersCount: integer("backers_count").notNull().default(0),
    durationDays: integer("duration_days").notNull().default(30),
    endsAt: moment("ends_at").notNull(),
    isClosed: boolean("is_closed").notNull().default(false),
    closedAt: moment("closed_at"),
    /** Starts at 1; reopening after an approved payment begins the next. */
    round: integer("round").notNull().default(1),
    /** The wizard's own name for what it publishes: sent twice with the same, it is published once. */
    idempotencyKey: uuid("idempotency_key"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => {
    // Made anew for each index: drizzle forgets the direction of a column that two indexes share.
    const byBackers = () => [table.backersCount.desc().nullsFirst(), table.id.desc().nullsFirst()] as const;
    const byFunding = () => [table.currentFundingKobo.desc().nullsFirst(), table.id.desc().nullsFirst()] as const;
    const byEnd = () => [table.endsAt, table.id] as const;
    const isOpen = sql`not ${table.isClosed}`;
    return [
      check(
        "projects_category",
        sql`${table.category} in ('sustainable', 'organic', 'livestock', 'tech', 'community', 'education', 'equipment')`,
      ),
      check("projects_title_length", sql`length(${table.title}) between 5 and 100`),
      check("projects_short_description_length", sql`length(${table.shortDescription}) between 10 and 500`),
      check("projects_description_length", sql`length(${table.description}) >= 50`),
      check("projects_goal", sql`${table.fundingGoalKobo} between 10000 and 100000000000`),
      check("projects_current_funding", sql`${table.currentFundingKobo} >= 0`),
      check("projects_backers_count", sql`${table.backersCount} >= 0`),
      check("projects_duration", sql`${table.durationDays} between 1 and 60`),
      check("projects_round", sql`${table.round} >= 1`),
      check("projects_closed_at", sql`${table.isClosed} = (${table.closedAt} is not null)`),
      unique("projects_idempotency_key").on(table.idempotencyKey),
      index("projects_of_image_file").on(table.imageFileId),
      index("projects_title_trigrams").using("gin", table.title.op("gin_trgm_ops")),
      index("projects_open_by_backers")
        .on(...byBackers())
        .where(isOpen),
      index("projects_open_by_funding")
        .on(...byFunding())
        .where(isOpen),
      index("projects_open_by_end")
        .on(...byEnd())
        .where(isOpen),
      index("projects_by_backers").on(...byBackers()),
      index("projects_by_funding").on(...byFunding()),
      index("projects_by_end").on(...byEnd()),
      index("projects_by_title").on(sql`lower(${table.title})`, table.id),
      index("projects_by_status").on(table.isClosed, sql`lower(${table.title})`, table.id),
    ];
  },
);

export const projectFavorites = pgTable(
  "project_favorites",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: "project_favorites_pkey", columns: [table.projectId, table.userId] }),
    index("project_favorites_of_user").on(table.userId, table.createdAt.desc().nullsFirst()),
  ],
);

/**
 * A backing stands while an administrator's grant (granted_at) or an approved payment supports it;
 * a deferred trigger refuses one that nothing supports.
 */
export const projectBackings = pgTable(
  "project_backings",
  {
    id: rowId(),
    projectId: integer("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    grantedAt: moment("granted_at"),
    grantedBy: uuid("granted_by").references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [
    unique("project_backings_project_user_key").on(table.projectId, table.userId),
    check("project_backings_granted_by", sql`${table.grantedBy} is null or ${table.grantedAt} is not null`),
    index("project_backings_of_user").on(table.userId, table.createdAt.desc().nullsFirst()),
    index("project_backings_of_project").on(table.projectId, table.createdAt, table.id),
  ],
);

export const projectUpdates = pgTable(
  "project_updates",
  {
    id: rowId(),
    projectId: integer("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    title: text("title").notNull(),
    content: text("content").notNull(),
    /** The publisher's own name for it: published twice with the same, it is kept once. */
    idempotencyKey: uuid("idempotency_key"),
    createdAt: createdAt(),
  },
  (table) => [
    unique("project_updates_idempotency_key").on(table.projectId, table.idempotencyKey),
    check(
      "project_updates_not_blank",
      sql`length(btrim(${table.title})) between 1 and 200 and length(btrim(${table.content})) between 1 and 20000`,
    ),
    index("project_updates_of_project").on(
      table.projectId,
      table.createdAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
  ],
);

export const projectMessages = pgTable(
  "project_messages",
  {
    id: rowId(),
    projectId: integer("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    content: text("content").notNull(),
    isAdminReply: boolean("is_admin_reply").notNull(),
    /** The writer's own name for the message: sent twice with the same, it is kept once. */
    idempotencyKey: uuid("idempotency_key"),
    createdAt: createdAt(),
  },
  (table) => [
    unique("project_messages_idempotency_key").on(table.userId, table.idempotencyKey),
    check("project_messages_content", sql`length(btrim(${table.content})) between 1 and 5000`),
    index("project_messages_of_project").on(
      table.projectId,
      table.createdAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
  ],
);

/** Photos and videos are our own files; YouTube entries and livestreams are addresses. */
export const projectMedia = pgTable(
  "project_media",
  {
    id: rowId(),
    projectId: integer("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    type: text("type", { enum: ["photo", "video", "youtube", "livestream"] }).notNull(),
    url: text("url").notNull(),
    fileId: uuid("file_id").references(() => storedFiles.id),
    posterFileId: uuid("poster_file_id").references(() => storedFiles.id),
    altText: text("alt_text").notNull().default(""),
    width: integer("width"),
    height: integer("height"),
    createdAt: createdAt(),
  },
  (table) => [
    check("project_media_type", sql`${table.type} in ('photo', 'video', 'youtube', 'livestream')`),
    check(
      "project_media_livestream",
      sql`${table.type} <> 'livestream' or ${table.url} like '[url]%' or ${table.url} like '[embed]%'`,
    ),
    check("project_media_size", sql`(${table.width} is null) = (${table.height} is null)`),
    unique("project_media_file_key").on(table.fileId),
    unique("project_media_poster_file_key").on(table.posterFileId),
    index("project_media_of_project").on(
      table.projectId,
      table.createdAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
  ],
);
