import { and, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { listActiveOwners } from "#server/accounts/users.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { notificationOptOuts, notifications } from "#server/db/schema/notifications.ts";
import { users } from "#server/db/schema/users.ts";
import type { Mail, MailContent } from "#server/mail/layout.ts";
import { queueMails, withdrawMails } from "#server/mail/outbox.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import {
  isAlwaysMailed,
  type mailLinkPreferenceInput,
  type mailPreferenceInput,
  type markAllReadInput,
  type NotificationKind,
  type notificationIdInput,
} from "#shared/notifications/inputs.ts";
import { kindTexts, mailSettingsPath, unsubscribePath } from "#shared/notifications/texts.ts";
import { getMailLink } from "./queries.ts";
import { signMailLink } from "./rules.ts";

/** The reader of a mail. A person who closed their account can't sign in, and isn't called by name. */
type Reader = { fullName: string; isClosed?: boolean };

/** The texts of an event, for the app and the mail. */
export type NoticeText = {
  title: string;
  content: string;
  /** Money that is paid to the reader: it leads to their tab Money, as the mail does. */
  isAboutMoney?: boolean;
  mail: (recipient: Reader) => Mail;
};

/** An event as one person is told of it. */
export type OwnNotice = NoticeText & {
  userId: string;
  projectId: number | null;
  /** The person whose name is in the texts. The notification is deleted when their account is closed. */
  aboutUserId?: string;
  /** The event's name, e.g. "payment:12:approved:345": an event reaches a person once. */
  eventKey: string;
};

type Notice = Omit<OwnNotice, "userId"> & { userIds: readonly string[]; kind: NotificationKind };

/** The dependencies for notifying people. */
export type NotifyDeps = Pick<Deps, "appSecret" | "clock" | "env" | "events" | "jobs" | "site">;

/**
 * Notifies people of an event, in the event's transaction: in the app, and by one queued mail each, unless they
 * switched that kind off (payment mails can't be). Closed accounts are left out, except that payment mails go to the address
 * that one keeps while its person has a part in a running farm.
 */
export async function notify(tx: Tx, deps: NotifyDeps, { userIds, kind, ...notice }: Notice): Promise<void> {
  const notices = userIds.map((userId) => ({ ...notice, userId }));
  await notifyEach(tx, deps, kind, notices);
}

/** The same where each person reads a text of their own: many events of one kind at once. */
export async function notifyEach(
  tx: Tx,
  deps: NotifyDeps,
  kind: NotificationKind,
  notices: readonly OwnNotice[],
): Promise<void> {
  for (let from = 0; from < notices.length; from += batch) {
    await notifySome(tx, deps, kind, notices.slice(from, from + batch));
  }
}

type OwnersNotice = Omit<Notice, "userIds" | "kind" | "aboutUserId"> & { kind?: NotificationKind; but?: string | null };

/** Notifies the owners, `but` one, of what the caller did. */
export async function notifyOwners(tx: Tx, ctx: ActorContext, { but = null, ...notice }: OwnersNotice): Promise<void> {
  const userIds = (await listActiveOwners(tx)).map(({ id }) => id).filter((id) => id !== but);
  await notify(tx, ctx, { kind: "second_person", ...notice, userIds, aboutUserId: ctx.actor.id });
}

/** PostgreSQL allows 65,534 parameters in a statement, and a row has nine. */
const batch = 1000;

async function notifySome(
  tx: Tx,
  deps: NotifyDeps,
  kind: NotificationKind,
  notices: readonly OwnNotice[],
): Promise<void> {
  const isUrgent = isAlwaysMailed(kind);
  const found = await findRecipients(tx, [...new Set(notices.map(({ userId }) => userId))], kind);
  const recipients = new Map(found.map((recipient) => [recipient.id, recipient]));
  const inApp = notices.filter(({ userId }) => recipients.get(userId)?.isClosed === false);
  const made =
    inApp.length === 0
      ? []
      : await tx
          .insert(notifications)
          .values(
            inApp.map(({ userId, title, content, isAboutMoney = false, projectId, aboutUserId, eventKey }) => ({
              userId,
              kind,
              title,
              content,
              isAboutMoney,
              projectId,
              aboutUserId,
              eventKey,
              createdAt: deps.clock.now(),
            })),
          )
          .onConflictDoNothing({ target: [notifications.userId, notifications.eventKey] })
          .returning({ id: notifications.id, userId: notifications.userId, eventKey: notifications.eventKey });
  const withLinks = isUrgent ? (it: { content: MailContent }) => it : mailWithLinks(deps, kind);
  const nameOf = (notice: { userId: string; eventKey: string }) => `${notice.userId} ${notice.eventKey}`;
  const notificationOf = new Map(made.map((row) => [nameOf(row), row.id]));
  const mails = notices.flatMap((notice) => {
    const recipient = recipients.get(notice.userId);
    if (!recipient) return [];
    const { eventKey, mail } = notice;
    const { email, fullName, contactEmail, isClosed, hasOptedOut } = recipient;
    if (isClosed) {
      if (contactEmail === null || !isUrgent) return [];
      const { subject, content } = mail({ fullName: "", isClosed });
      const { action: _, ...readable } = content;
      return [{ eventKey, to: contactEmail, subject, content: readable }];
    }
    const notificationId = notificationOf.get(nameOf(notice));
    if (notificationId === undefined || (hasOptedOut && !isUrgent)) return [];
    const { subject, ...written } = mail({ fullName });
    return [{ eventKey, to: email, notificationId, subject, ...withLinks(written, notice.userId) }];
  });
  const told = [...new Set(made.map(({ userId }) => userId))];
  if (told.length > 0) await deps.events.publish(tx, { type: "notifications", userIds: told });
  await queueMails(tx, deps, mails, { isUrgent });
}

/** Adds the ways to unsubscribe to a mail: a link in its text, and the button of mail programs (RFC 8058). */
function mailWithLinks({ appSecret, env }: Pick<Deps, "appSecret" | "env">, kind: NotificationKind) {
  return ({ content }: { content: MailContent }, userId: string) => {
    const link = `${env.publicUrl}${unsubscribePath}?token=${signMailLink(appSecret, { userId, kind })}`;
    const optOut = [
      `You get this email because "${kindTexts[kind].label}" is switched on in your account. `,
      { text: "Stop these emails", href: link },
      " or ",
      { text: "choose which emails you get", href: `${env.publicUrl}${mailSettingsPath}` },
      ".",
    ];
    return {
      content: { ...content, optOut },
      headers: { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    };
  };
}

function findRecipients(tx: Tx, userIds: readonly string[], kind: NotificationKind) {
  const optOut = and(eq(notificationOptOuts.userId, users.id), eq(notificationOptOuts.kind, kind));
  return tx
    .select({
      id: users.id,
      email: users.email,
      fullName: users.fullName,
      contactEmail: users.contactEmail,
      isClosed: sql<boolean>`${users.closedAt} is not null`,
      hasOptedOut: sql<boolean>`${notificationOptOuts.userId} is not null`,
    })
    .from(users)
    .leftJoin(notificationOptOuts, optOut)
    .where(and(inArray(users.id, [...userIds]), or(isNull(users.closedAt), isNotNull(users.contactEmail))))
    .orderBy(users.id);
}

/** Marks one of the caller's notifications as read. Another person's is ignored, like one that doesn't exist. */
export async function markRead(
  ctx: ActorContext,
  { notificationId }: z.output<typeof notificationIdInput>,
): Promise<void> {
  await markAsRead(ctx, eq(notifications.id, notificationId));
}

const markedAtOnce = 5000;

/** Marks all notifications that the caller has seen as read. */
export async function markAllRead(ctx: ActorContext, { upToId }: z.output<typeof markAllReadInput>): Promise<void> {
  await markAsRead(ctx, lte(notifications.id, upToId));
}

/** In batches, because an administrator may have tens of thousands unread, too many for one statement's time limit. */
async function markAsRead({ db, actor, events }: ActorContext, which: SQL): Promise<void> {
  let marked: number;
  do {
    marked = await inTransaction(db, async (tx) => {
      const unread = tx
        .select({ id: notifications.id })
        .from(notifications)
        .where(and(eq(notifications.userId, actor.id), eq(notifications.isRead, false), which))
        .limit(markedAtOnce);
      const rows = await tx
        .update(notifications)
        .set({ isRead: true })
        .where(inArray(notifications.id, unread))
        .returning({ id: notifications.id });
      // The person's other browsers update too.
      if (rows.length > 0) await events.publish(tx, { type: "notifications", userIds: [actor.id] });
      return rows.length;
    });
  } while (marked === markedAtOnce);
}

/** Switches the caller's mails of a kind on or off. */
export async function setMailPreference(
  ctx: ActorContext,
  { kind, isMailed }: z.output<typeof mailPreferenceInput>,
): Promise<void> {
  await switchMails(ctx, { userId: ctx.actor.id, kind, isMailed });
}

/** The same with the link in a mail. Throws "not_found" as {@link getMailLink} does. */
export async function setMailPreferenceByLink(
  deps: Pick<Context, "appSecret" | "clock" | "db">,
  { token, isMailed }: z.output<typeof mailLinkPreferenceInput>,
): Promise<void> {
  const { userId, kind } = await getMailLink(deps, { token });
  await switchMails(deps, { userId, kind, isMailed });
}

/** Switching off also cancels waiting mails. */
async function switchMails(
  { db, clock }: Pick<Context, "clock" | "db">,
  { userId, kind, isMailed }: { userId: string; kind: NotificationKind; isMailed: boolean },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (isMailed) {
      const own = and(eq(notificationOptOuts.userId, userId), eq(notificationOptOuts.kind, kind));
      await tx.delete(notificationOptOuts).where(own);
      return;
    }
    await tx.insert(notificationOptOuts).values({ userId, kind, createdAt: clock.now() }).onConflictDoNothing();
    await withdrawMails(tx, and(eq(notifications.userId, userId), eq(notifications.kind, kind)));
  });
}
