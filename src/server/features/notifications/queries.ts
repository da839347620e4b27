import { and, Column, desc, eq, is, isNull, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import type { ActorContext, Context } from "#server/core/context.ts";
import { AppError } from "#server/core/errors.ts";
import { heldRoles } from "#server/core/held-roles.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/core/keyset.ts";
import { alongOf, readAlong } from "#server/core/session-read.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { limitOf } from "#server/db/prepared.ts";
import { notificationOptOuts, notifications } from "#server/db/schema/notifications.ts";
import { users } from "#server/db/schema/users.ts";
import { notificationLimits, notificationTexts } from "#shared/notification-texts.ts";
import {
  isAlwaysMailed,
  type listNotificationsInput,
  type mailLinkInput,
  type NotificationKind,
} from "#shared/notifications.ts";
import { type Permission, permissionsOf } from "#shared/permissions.ts";
import { mailedKindsOf, readMailLink } from "./rules.ts";

/** Ids of the administrators who hold the permission now. */
export async function administratorsWith(db: DbOrTx, permission: Permission): Promise<string[]> {
  const administrators = await db
    .select({
      id: users.id,
      isAdmin: users.isAdmin,
      roles: heldRoles,
    })
    .from(users)
    .where(and(eq(users.isAdmin, true), eq(users.isBlocked, false), isNull(users.closedAt)));
  return administrators.filter((person) => permissionsOf(person).includes(permission)).map(({ id }) => id);
}

const columns = {
  id: notifications.id,
  kind: notifications.kind,
  title: notifications.title,
  content: notifications.content,
  projectId: notifications.projectId,
  isRead: notifications.isRead,
  createdAt: notifications.createdAt,
  /** Whether the person backs the project now: its page for backers opens to nobody else. */
  // Names in full: in a statement on one table, drizzle writes columns without their table.
  isBacked: sql<boolean>`exists(select from project_backings b
    where b.project_id = notifications.project_id and b.user_id = notifications.user_id)`,
};

/** The same as JSON, where moments are texts. */
const columnsAsJson = sql.join(
  Object.entries(columns).map(([name, column]) => {
    const value = is(column, Column) ? sql.raw(`notifications.${column.name}`) : column;
    return sql`${sql.raw(`'${name}'`)}, ${value}`;
  }),
  sql`, `,
);
const countedUpTo = sql.raw(String(notificationLimits.badge + 1));

export const newestNotifications = readAlong(
  "notifications_newest",
  sql`json_build_object(
    'items', array(
      select json_build_object(${columnsAsJson}) from notifications
      where notifications.user_id = users.id order by notifications.id desc limit ${limitOf(notificationLimits.newest)}),
    'unreadCount', (select count(*) from (
      select from notifications n where n.user_id = users.id and not n.is_read limit ${countedUpTo}) unread))`,
);

/** For the bell: the person's newest and how many are unread (counted up to one more than the badge shows). */
export async function getNewestNotifications(ctx: ActorContext) {
  type Item = Awaited<ReturnType<typeof listNotifications>>["items"][number];
  const { items, unreadCount } = (await alongOf(ctx, newestNotifications)) as {
    items: (Omit<Item, "createdAt"> & { createdAt: string })[];
    unreadCount: number;
  };
  return { items: items.map((item): Item => ({ ...item, createdAt: new Date(item.createdAt) })), unreadCount };
}

/** All of the person's notifications, newest first. */
export async function listNotifications(
  { db, actor }: ActorContext,
  { cursor }: z.output<typeof listNotificationsInput>,
) {
  const [lastId] = cursor ? decodeCursor(cursor, ["bigint"]) : [];
  const found = await db
    .select(columns)
    .from(notifications)
    .where(and(eq(notifications.userId, actor.id), lastId === undefined ? undefined : lt(notifications.id, lastId)))
    .orderBy(desc(notifications.id))
    .limit(notificationLimits.page + 1);
  return pageOf(found, notificationLimits.page, ({ id }) => encodeCursor([id]));
}

/** The kinds that can reach the person by mail; those that always do can't be switched. */
export async function listMailPreferences({ db, actor }: ActorContext) {
  const found = await db
    .select({ kind: notificationOptOuts.kind })
    .from(notificationOptOuts)
    .where(eq(notificationOptOuts.userId, actor.id));
  return mailedKindsOf(actor).map((kind) => ({
    kind,
    isAlways: isAlwaysMailed(kind),
    isMailed: isAlwaysMailed(kind) || !found.some((optOut) => optOut.kind === kind),
  }));
}

/** For the link's page: the kind of mail and how it stands. Whose it is stays untold. */
export async function describeMailLink(ctx: Context, input: z.output<typeof mailLinkInput>) {
  const { kind, isMailed } = await getMailLink(ctx, input);
  return { kind, isMailed };
}

/** What the link in a mail is about, and how it stands. Throws "not_found" for one that isn't ours, or whose account is gone. */
export async function getMailLink(
  { db, appSecret }: Pick<Context, "db" | "appSecret">,
  { token }: z.output<typeof mailLinkInput>,
): Promise<{ userId: string; kind: NotificationKind; isMailed: boolean }> {
  const link = readMailLink(appSecret, token);
  const [person] = link
    ? await db
        .select({
          hasOptedOut: sql<boolean>`exists(select from notification_opt_outs o where o.user_id = users.id and o.kind = ${link.kind})`,
        })
        .from(users)
        .where(and(eq(users.id, link.userId), isNull(users.closedAt)))
    : [];
  if (!link || !person) throw new AppError("not_found", notificationTexts.brokenLink);
  return { ...link, isMailed: !person.hasOptedOut };
}
