import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import { heldGrants, heldRoles } from "#server/accounts/sessions.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { notificationOptOuts, notifications } from "#server/db/schema/notifications.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { listFarmsWithRight } from "#server/platform/farm-rights.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import {
  isAlwaysMailed,
  type listNotificationsInput,
  type mailLinkInput,
  type NotificationKind,
} from "#shared/notifications/inputs.ts";
import { notificationLimits, notificationTexts } from "#shared/notifications/texts.ts";
import { type Permission, permissionsOf } from "#shared/permissions.ts";
import { mailedKindsOf, readMailLink } from "./rules.ts";

/** The ids of the administrators who hold the permission now. */
export async function administratorsWith(db: DbOrTx, permission: Permission): Promise<string[]> {
  const administrators = await db
    .select({
      id: users.id,
      isAdmin: users.isAdmin,
      roles: heldRoles,
      grants: heldGrants,
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
  isAboutMoney: notifications.isAboutMoney,
  /**
   * True if the person backs the project now, because only backers can open its page for them. Names are in full,
   * because drizzle omits the table's name in a statement on one table.
   */
  isBacked: sql<boolean>`exists(select from project_backings b
    where b.project_id = notifications.project_id and b.user_id = notifications.user_id)`,
};

/** Counts one more than the badge shows at most. */
const unreadCount = sql<number>`(select count(*)::int from (
  select from notifications n where n.user_id = notifications.user_id and not n.is_read
  limit ${notificationLimits.badge + 1}) unread)`;

/** For the bell: the person's newest notifications and the number of unread ones. */
export async function getNewestNotifications({ db, actor }: ActorContext) {
  const found = await db
    .select({ item: columns, unreadCount })
    .from(notifications)
    .where(eq(notifications.userId, actor.id))
    .orderBy(desc(notifications.id))
    .limit(notificationLimits.newest);
  return { items: found.map(({ item }) => item), unreadCount: found[0]?.unreadCount ?? 0 };
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

/** The kinds that can be mailed to the person, except those that can't be switched off. */
export async function listMailPreferences({ db, actor }: ActorContext) {
  const found = await db
    .select({ kind: notificationOptOuts.kind })
    .from(notificationOptOuts)
    .where(eq(notificationOptOuts.userId, actor.id));
  const isKeeper = (await listFarmsWithRight({ db, actor }, "keep")).length > 0;
  return mailedKindsOf({ ...actor, isKeeper }).map((kind) => ({
    kind,
    isAlways: isAlwaysMailed(kind),
    isMailed: isAlwaysMailed(kind) || !found.some((optOut) => optOut.kind === kind),
  }));
}

/** For the link's page: the kind of mail and whether it is on. The account isn't revealed. */
export async function describeMailLink(ctx: Context, input: z.output<typeof mailLinkInput>) {
  const { kind, isMailed } = await getMailLink(ctx, input);
  return { kind, isMailed };
}

/** The account, kind and state of a mail's link. Throws "not_found" if the link is forged, or its account is closed. */
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
