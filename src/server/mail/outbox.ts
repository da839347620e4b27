import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { inTransaction, rows, type Tx } from "#server/db/open.ts";
import { notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { Check, Violation } from "#server/platform/findings.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { fileNameOf, type Site } from "#shared/site/site.ts";
import { type MailContent, renderMail } from "./layout.ts";
import { MailRefusedError } from "./mailer.ts";

/**
 * The outbox: a mail is a row written in its event's transaction and sent by the queue after the commit.
 * A rollback removes the mail, and an unreachable mail server only delays it. An event gives one mail per recipient.
 * The Message-ID is fixed, so that a duplicate after a crash can be recognised.
 */
export type MailRequest = {
  /** The name of the event, e.g. "payment:12:approved:3". */
  eventKey: string;
  to: string;
  subject: string;
  content: MailContent;
  /** Mails about money and about accounts are sent before others. */
  isUrgent?: boolean;
  /** Mails of sign-in, confirmation and reset have a queue of their own, which no other mail delays. */
  isSecurity?: boolean;
  /** The content carries a valid token, so it is deleted from the row once the mail was sent or refused. */
  holdsToken?: boolean;
  notificationId?: number;
  headers?: Record<string, string>;
};

/** Queues a mail in the caller's transaction. Queueing the same event and recipient again does nothing. */
export async function queueMail(tx: Tx, deps: OutboxDeps, request: MailRequest): Promise<void> {
  const { isUrgent = false, isSecurity = false } = request;
  await queueMails(tx, deps, [request], { isUrgent, isSecurity });
}

type OutboxDeps = Pick<Deps, "clock" | "env" | "jobs" | "site">;

/** Queues many mails in few statements. All of them are urgent, or none; so for security. */
export async function queueMails(
  tx: Tx,
  deps: OutboxDeps,
  requests: readonly MailRequest[],
  { isUrgent, isSecurity = false }: { isUrgent: boolean; isSecurity?: boolean },
): Promise<void> {
  const site = deps.site.current();
  const domain = new URL(site.publicUrl).hostname;
  const host = domain === "localhost" ? `${fileNameOf(site)}.local` : domain;
  const createdAt = deps.clock.now();
  for (let from = 0; from < requests.length; from += BATCH) {
    const made = await tx
      .insert(outgoingMails)
      .values(requests.slice(from, from + BATCH).map((request) => rowOf(request, { site, host, createdAt })))
      .onConflictDoNothing({ target: [outgoingMails.eventKey, outgoingMails.recipient] })
      .returning({ id: outgoingMails.id });
    const payloads = made.map(({ id }) => ({ mailId: id }));
    await deps.jobs.enqueue(tx, isSecurity ? "security-mail" : "mail", payloads, { priority: isUrgent ? 10 : 0 });
  }
}

/** PostgreSQL allows 65,534 parameters in a statement, and a row has ten. */
const BATCH = 1000;

function rowOf(
  request: MailRequest,
  { site, host, createdAt }: { site: Site; host: string; createdAt: Date },
): typeof outgoingMails.$inferInsert {
  const { html, text } = renderMail(site, request.content);
  return {
    eventKey: request.eventKey,
    recipient: request.to,
    notificationId: request.notificationId,
    subject: request.subject,
    text,
    html,
    headers: request.headers ?? {},
    holdsToken: request.holdsToken ?? false,
    messageId: `<${randomUUID()}@${host}>`,
    createdAt,
  };
}

/** Cancels the waiting mails of these notifications, because the recipient switched them off. */
export async function withdrawMails(tx: Tx, ofNotifications: SQL | undefined): Promise<void> {
  const found = tx.select({ id: notifications.id }).from(notifications).where(ofNotifications);
  await tx
    .update(outgoingMails)
    .set({ refusal: "switched off by the recipient" })
    .where(
      and(inArray(outgoingMails.notificationId, found), isNull(outgoingMails.sentAt), isNull(outgoingMails.refusal)),
    );
}

const blanked = "The content of this mail was removed after it was sent, because it held a single-use link.";

/** Blanks the content of a finished mail that held a token. */
const contentAfterwards = (mail: { holdsToken: boolean }) => (mail.holdsToken ? { text: blanked, html: blanked } : {});

/**
 * Handler of the "mail" and "security-mail" jobs: sends one waiting mail, then marks it and its notification as sent.
 * Throws when the mail server can't take it now, so that the queue retries. A permanent refusal is stored on the row.
 * If the process dies between the server's response and the commit, the mail is sent again with the same Message-ID.
 */
export async function sendQueuedMail(
  deps: Pick<Deps, "clock" | "db" | "log" | "mailer">,
  mailId: number,
): Promise<void> {
  const isWaiting = and(eq(outgoingMails.id, mailId), isNull(outgoingMails.sentAt), isNull(outgoingMails.refusal));
  const [mail] = await deps.db.select().from(outgoingMails).where(isWaiting);
  if (!mail) return;
  const { recipient: to, subject, text, html, messageId, headers } = mail;
  try {
    await deps.mailer.send({ to, subject, text, html, messageId, headers });
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    deps.log.warn({ mailId, err: error }, "mail refused by the mail server");
    await deps.db
      .update(outgoingMails)
      .set({ refusal: error.message.slice(0, 500), ...contentAfterwards(mail) })
      .where(isWaiting);
    return;
  }
  await inTransaction(deps.db, async (tx) => {
    // The recipient may have switched it off meanwhile, but it was sent.
    await tx
      .update(outgoingMails)
      .set({ sentAt: deps.clock.now(), refusal: null, ...contentAfterwards(mail) })
      .where(eq(outgoingMails.id, mailId));
    if (mail.notificationId !== null) {
      await tx.update(notifications).set({ emailSent: true }).where(eq(notifications.id, mail.notificationId));
    }
  });
}

const keptDays = 30;
const deletedAtOnce = 20_000;

/**
 * Part of the hourly cleaning: deletes mails that were sent or refused long ago, because they contain personal data. A
 * refused one stays while its payment's notification waits for it (invariant I8).
 */
export async function deleteOldMails({ clock, db }: Pick<Deps, "clock" | "db">): Promise<void> {
  const before = new Date(clock.now().getTime() - keptDays * dayMs).toISOString();
  await db.execute(sql`delete from outgoing_mails where id in (
    select m.id from outgoing_mails m left join notifications n on n.id = m.notification_id
    where m.created_at < ${before}::timestamptz
      and (m.sent_at is not null or (m.refusal is not null and n.kind is distinct from 'payment_status'))
    limit ${deletedAtOnce})`);
}

/** The prefix of the event keys of alarm mails. */
export const alarmEvents = "alarm:";

/**
 * For the self-check: unsent mails of the last two weeks without a job, whose retries of more than a day are used up.
 * They are named by id and event, because an alarm outlives personal data. Mails about alarms are left out, because
 * each would raise another alarm.
 */
export async function checkMails({ clock, db }: Pick<Deps, "clock" | "db">): Promise<Check> {
  const since = new Date(clock.now().getTime() - 14 * dayMs).toISOString();
  const violations = await rows<Violation>(
    db,
    sql`select 'mail that was not sent and is tried no more' as violation, jsonb_build_object('mailId', m.id,
        'event', m.event_key) as row
      from outgoing_mails m
      where m.sent_at is null and m.refusal is null and m.created_at > ${since}::timestamptz
        and m.event_key not like ${`${alarmEvents}%`} and not exists (
          select from jobs.job j where j.name in ('mail', 'security-mail') and j.state in ('created', 'retry', 'active')
            and (j.data->>'mailId')::bigint = m.id)
      order by m.id`,
  );
  return { name: "Every mail is sent or refused, or a job is left to send it", violations };
}
