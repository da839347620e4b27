import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Deps } from "#server/core/deps.ts";
import type { MailContent } from "#server/core/mail-layout.ts";
import { queueMail } from "#server/core/outbox.ts";
import type { Tx } from "#server/db/open.ts";
import { notificationOptOuts, notifications } from "#server/db/schema/notifications.ts";
import { users } from "#server/db/schema/users.ts";
import { alwaysMailedKinds, type NotificationKind } from "#shared/notifications.ts";

/** What a person reads of an event: in the app, and by mail where it has one. */
export type NoticeText = {
  title: string;
  content: string;
  mail?: (recipient: { fullName: string }) => { subject: string; content: MailContent };
};

type Notice = NoticeText & {
  userIds: readonly string[];
  kind: NotificationKind;
  projectId: number | null;
  /** Names the event, e.g. "payment:12:approved:345": the same event reaches a person once. */
  eventKey: string;
};

/**
 * Tells people of an event, in the transaction that makes it: in the app, and by one queued mail each,
 * unless they switched that kind off (payment mails can't be). Closed accounts are left out.
 */
export async function notify(
  tx: Tx,
  deps: Pick<Deps, "clock" | "env" | "events" | "jobs">,
  { userIds, ...notice }: Notice,
): Promise<void> {
  for (let from = 0; from < userIds.length; from += batch) {
    await notifySome(tx, deps, { ...notice, userIds: userIds.slice(from, from + batch) });
  }
}

/** A statement takes 65,534 parameters, and a row has seven. */
const batch = 1000;

async function notifySome(
  tx: Tx,
  deps: Pick<Deps, "clock" | "env" | "events" | "jobs">,
  { userIds, kind, title, content, projectId, eventKey, mail }: Notice,
): Promise<void> {
  const recipients = await findRecipients(tx, userIds, kind);
  if (recipients.length === 0) return;
  const made = await tx
    .insert(notifications)
    .values(
      recipients.map(({ id }) => ({
        userId: id,
        kind,
        title,
        content,
        projectId,
        eventKey,
        createdAt: deps.clock.now(),
      })),
    )
    .onConflictDoNothing({ target: [notifications.userId, notifications.eventKey] })
    .returning({ id: notifications.id, userId: notifications.userId });
  await deps.events.publish(tx, { type: "notifications", userIds: made.map(({ userId }) => userId) });
  if (!mail) return;
  const isUrgent = alwaysMailedKinds.includes(kind);
  const notificationOf = new Map(made.map((row) => [row.userId, row.id]));
  for (const { id, email, fullName, hasOptedOut } of recipients) {
    const notificationId = notificationOf.get(id);
    if (notificationId === undefined || (hasOptedOut && !isUrgent)) continue;
    await queueMail(tx, deps, { eventKey, to: email, notificationId, isUrgent, ...mail({ fullName }) });
  }
}

function findRecipients(tx: Tx, userIds: readonly string[], kind: NotificationKind) {
  const optOut = and(eq(notificationOptOuts.userId, users.id), eq(notificationOptOuts.kind, kind));
  return tx
    .select({
      id: users.id,
      email: users.email,
      fullName: users.fullName,
      hasOptedOut: sql<boolean>`${notificationOptOuts.userId} is not null`,
    })
    .from(users)
    .leftJoin(notificationOptOuts, optOut)
    .where(and(inArray(users.id, [...userIds]), isNull(users.closedAt)))
    .orderBy(users.id);
}
