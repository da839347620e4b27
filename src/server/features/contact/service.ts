import { eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { contactMessages } from "#server/db/schema/team.ts";
import { queueMail } from "#server/mail/outbox.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireFormToken } from "#server/platform/form-token.ts";
import { requireHuman } from "#server/platform/human-check.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import type { SendMessageInput, setContactMessageReadInput } from "#shared/contact/inputs.ts";
import { contactInboxTexts, contactTexts } from "#shared/contact/texts.ts";
import { contactMail } from "./emails.ts";

/** Generous, because many phones share one IP address of their network operator. */
const sendLimit = { hits: 30, windowSeconds: 3600 };

/**
 * Stores a visitor's message and queues the mail to us, both or neither, and only once per key. The visitor gets no
 * mail, because the address may be a stranger's. Throws "Security validation failed. …", at the answer, or "Too many
 * attempts. …".
 */
export async function sendMessage(ctx: Context, input: SendMessageInput): Promise<void> {
  requireFormToken(ctx, input.formToken, contactTexts.tokenInvalid);
  await limitRate(ctx, `contact:${networkOf(ctx.ipAddress)}`, sendLimit);
  await inTransaction(ctx.db, (tx) => keepMessage(tx, ctx, input));
}

async function keepMessage(tx: Tx, ctx: Context, input: SendMessageInput): Promise<void> {
  const { name, email, phone, message, idempotencyKey } = input;
  const at = ctx.clock.now();
  const [kept] = await tx
    .insert(contactMessages)
    .values({ name, email, phone, message, idempotencyKey, createdAt: at })
    .onConflictDoNothing({ target: contactMessages.idempotencyKey })
    .returning({ id: contactMessages.id });
  // A retry after a lost response. Its question has already been used up.
  if (!kept) return;
  await requireHuman(tx, ctx, input, contactTexts.wrongAnswer);
  const { supportEmail: to } = ctx.site.current();
  if (to === null) return;
  await queueMail(tx, ctx, {
    eventKey: `contact-message:${kept.id}`,
    to,
    ...contactMail({ name, email, phone, message, at }),
    // The name can't contain a quotation mark or a line break, because only letters, spaces, dots, apostrophes and
    // hyphens are valid.
    headers: { "Reply-To": `"${name}" <${email}>` },
  });
}

/**
 * Marks a message as read (the first time is kept) or unread. Not audited, because it reveals nothing about the visitor
 * and removes nothing. Throws "not_found".
 */
export async function setContactMessageRead(
  { db, clock }: ActorContext,
  { messageId, isRead }: z.output<typeof setContactMessageReadInput>,
): Promise<{ messageId: number; isRead: boolean }> {
  const readAt = isRead ? sql`coalesce(${contactMessages.readAt}, ${clock.now().toISOString()}::timestamptz)` : null;
  const [changed] = await db
    .update(contactMessages)
    .set({ readAt })
    .where(eq(contactMessages.id, messageId))
    .returning({ id: contactMessages.id });
  if (!changed) throw new AppError("not_found", contactInboxTexts.gone);
  return { messageId, isRead };
}
