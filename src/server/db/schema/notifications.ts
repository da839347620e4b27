import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { notificationKinds } from "#shared/notifications/inputs.ts";
import { createdAt, moment, rowId } from "./columns.ts";
import { projects } from "./projects.ts";
import { users } from "./users.ts";

/** Created by the server only; one per event and recipient. */
export const notifications = pgTable(
  "notifications",
  {
    id: rowId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: notificationKinds }).notNull(),
    title: text("title").notNull(),
    content: text("content").notNull(),
    /** The person whose name is in a text to administrators. */
    aboutUserId: uuid("about_user_id").references(() => users.id, { onDelete: "set null" }),
    projectId: integer("project_id").references(() => projects.id, { onDelete: "set null" }),
    /** The event's name, e.g. "payment:12:approved:3": an event never notifies a person twice. */
    eventKey: text("event_key").notNull(),
    /** It is about money that is paid to the reader, which stands in the tab Money of their profile. */
    isAboutMoney: boolean("is_about_money").notNull().default(false),
    isRead: boolean("is_read").notNull().default(false),
    emailSent: boolean("email_sent").notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [
    unique("notifications_one_per_event").on(table.userId, table.eventKey),
    index("notifications_newest").on(table.userId, table.id.desc().nullsFirst()),
    index("notifications_unread").on(table.userId).where(sql`not ${table.isRead}`),
    index("notifications_of_project").on(table.projectId),
    index("notifications_about_user").on(table.aboutUserId).where(sql`${table.aboutUserId} is not null`),
  ],
);

/** The kinds of notification mails that a person switched off. */
export const notificationOptOuts = pgTable(
  "notification_opt_outs",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: notificationKinds }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ name: "notification_opt_outs_pkey", columns: [table.userId, table.kind] })],
);

/** The outbox: a mail is written in its event's transaction and sent by the queue. One per event and recipient. */
export const outgoingMails = pgTable(
  "outgoing_mails",
  {
    id: rowId(),
    eventKey: text("event_key").notNull(),
    recipient: text("recipient").notNull(),
    notificationId: bigint("notification_id", { mode: "number" }).references(() => notifications.id, {
      onDelete: "set null",
    }),
    subject: text("subject").notNull(),
    text: text("text").notNull(),
    html: text("html").notNull(),
    headers: jsonb("headers").$type<Record<string, string>>().notNull().default({}),
    /** The text contains a valid link, so it is blanked once the mail was sent or refused. */
    holdsToken: boolean("holds_token").notNull().default(false),
    /** Fixed when the mail is written, so that a duplicate after a crash has the same one. */
    messageId: text("message_id").notNull(),
    /** Refused permanently by the mail server, or switched off by its recipient; never retried. */
    refusal: text("refusal"),
    sentAt: moment("sent_at"),
    createdAt: createdAt(),
  },
  (table) => [
    unique("outgoing_mails_one_per_event").on(table.eventKey, table.recipient),
    unique("outgoing_mails_message_id_key").on(table.messageId),
    check("outgoing_mails_sent_or_refused", sql`${table.sentAt} is null or ${table.refusal} is null`),
    index("outgoing_mails_waiting").on(table.id).where(sql`${table.sentAt} is null and ${table.refusal} is null`),
    index("outgoing_mails_of_notification").on(table.notificationId),
    index("outgoing_mails_of_recipient").on(table.recipient, table.id),
    // For the hourly cleaning.
    index("outgoing_mails_oldest").on(table.createdAt),
  ],
);
