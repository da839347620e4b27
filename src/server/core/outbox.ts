import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { Deps } from "#server/core/deps.ts";
import { type MailContent, renderMail } from "#server/core/mail-layout.ts";
import { MailRefusedError } from "#server/core/mailer.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { brand } from "#shared/brand.ts";

/**
 * The outbox: a mail is a row written in its event's transaction, sent by the queue after the commit.
 * A rollback takes the mail with it; a dead mail server keeps it waiting. The same (event, recipient)
 * gives one mail, and its Message-ID is fixed, so that an extra send after a crash can be recognised.
 */
export type MailRequest = {
  /** Names the event, e.g. "payment:12:approved:3". */
  eventKey: string;
  to: string;
  subject: string;
  content: MailContent;
  /** Security and payment mails go first. */
  isUrgent?: boolean;
  /** The content carries a token that works: the row forgets it once the mail was sent or refused. */
  holdsToken?: boolean;
  notificationId?: number;
  headers?: Record<string, string>;
};

/** Queues a mail in the caller's transaction; the same event and recipient again does nothing. */
export async function queueMail(
  tx: Tx,
  deps: Pick<Deps, "clock" | "env" | "jobs">,
  request: MailRequest,
): Promise<void> {
  const { html, text } = renderMail(request.content);
  const domain = new URL(deps.env.publicUrl).hostname;
  const [row] = await tx
    .insert(outgoingMails)
    .values({
      eventKey: request.eventKey,
      recipient: request.to,
      notificationId: request.notificationId,
      subject: request.subject,
      text,
      html,
      headers: request.headers ?? {},
      holdsToken: request.holdsToken ?? false,
      messageId: `<${randomUUID()}@${domain === "localhost" ? `${brand.name.toLowerCase()}.local` : domain}>`,
      createdAt: deps.clock.now(),
    })
    .onConflictDoNothing({ target: [outgoingMails.eventKey, outgoingMails.recipient] })
    .returning({ id: outgoingMails.id });
  if (row) await deps.jobs.enqueue(tx, "mail", { mailId: row.id }, { priority: request.isUrgent ? 10 : 0 });
}

const blanked = "The content of this mail was removed after it was sent, because it held a single-use link.";

/** What becomes of the content of a mail that is done with. */
const contentAfterwards = (mail: { holdsToken: boolean }) => (mail.holdsToken ? { text: blanked, html: blanked } : {});

/**
 * Handler of the "mail" job: sends one waiting mail, then marks it and its notification as sent.
 * Throws when the mail server can't take it now (the queue tries again); a refusal for good is kept on the row.
 * If the process dies between the mail server's answer and the commit, the mail goes once more with the same Message-ID.
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
    await tx
      .update(outgoingMails)
      .set({ sentAt: deps.clock.now(), ...contentAfterwards(mail) })
      .where(eq(outgoingMails.id, mailId));
    if (mail.notificationId !== null) {
      await tx.update(notifications).set({ emailSent: true }).where(eq(notifications.id, mail.notificationId));
    }
  });
}
