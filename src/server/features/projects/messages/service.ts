import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { projectMessages } from "#server/db/schema/projects.ts";
import { administratorsWith } from "#server/features/notifications/queries.ts";
import { notify } from "#server/features/notifications/service.ts";
import { hasBacking } from "#server/features/projects/backings/queries.ts";
import { listBackersOf } from "#server/features/projects/queries.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import type { messageIdInput, sendMessageInput } from "#shared/projects/messages.ts";
import { messageLimits, messageTexts } from "#shared/projects/messages-texts.ts";
import { adminMessageNotice, backerMessageNotice } from "./emails.ts";
import { findSent, requireReader } from "./queries.ts";
import { sendsAs } from "./rules.ts";

type Sending = z.output<typeof sendMessageInput>;

/**
 * Stores a message and notifies the other side; open pages show it at once. Repeated requests with the same key return
 * the same message. Throws "not_found" (neither a backer nor an administrator), "forbidden" (may only view), "conflict"
 * (the key was used for another message), "rate_limited".
 */
export async function sendMessage(ctx: ActorContext, input: Sending): Promise<{ messageId: number }> {
  await limitRate(ctx, `message:${ctx.actor.id}`, messageLimits.rate);
  return inTransaction(ctx.db, (tx) => keepMessage(tx, ctx, input));
}

async function keepMessage(tx: Tx, ctx: ActorContext, input: Sending): Promise<{ messageId: number }> {
  const { projectId, content, idempotencyKey } = input;
  const { projectTitle, reader } = await requireReader(tx, ctx, projectId, { lock: true });
  const role = sendsAs(reader);
  if (role === null) throw new AppError("forbidden", messageTexts.readOnly);
  const isAdminReply = role === "Admin";
  // Only a repetition has the key already: whom it answers may be gone by then.
  const sent = await findSent(tx, ctx.actor.id, idempotencyKey);
  if (sent) return sameAsBefore(sent, input);
  const recipientId = await findRecipient(tx, input, isAdminReply);
  const isPrivate = input.isPrivate || recipientId !== null;
  const [made] = await tx
    .insert(projectMessages)
    .values({
      projectId,
      userId: ctx.actor.id,
      content,
      isAdminReply,
      isPrivate,
      recipientId,
      answersId: input.answersId ?? null,
      idempotencyKey,
      createdAt: ctx.clock.now(),
    })
    .onConflictDoNothing({ target: [projectMessages.userId, projectMessages.idempotencyKey] })
    .returning({ id: projectMessages.id });
  if (!made) return replyOfEarlier(tx, ctx, input);

  const facts = { site: ctx.site.current(), projectId, projectTitle, content };
  const others = await listReaders(tx, projectId, { isAdminReply, recipientId });
  await notify(tx, ctx, {
    ...(isAdminReply
      ? adminMessageNotice({ ...facts, isPrivate })
      : backerMessageNotice({ ...facts, isPrivate, senderName: ctx.actor.fullName })),
    userIds: others.filter((id) => id !== ctx.actor.id),
    kind: isAdminReply ? "admin_message" : "backer_message",
    projectId,
    ...(isAdminReply ? {} : { aboutUserId: ctx.actor.id }),
    eventKey: `message:${made.id}`,
  });
  const to = isPrivate ? { to: recipientId ?? ctx.actor.id } : {};
  await ctx.events.publish(tx, { type: "messages", projectId, ...to });
  return { messageId: made.id };
}

/**
 * Finds whom an administrator answers: the writer of a message of this project, who still backs it; else null. Throws
 * "invalid" (a message can't be private so), "not_found" or "conflict".
 */
async function findRecipient(
  tx: Tx,
  { projectId, isPrivate, answersId }: Sending,
  isAdminReply: boolean,
): Promise<string | null> {
  if (isAdminReply ? isPrivate : answersId !== undefined) throw new AppError("invalid", messageTexts.notPrivate);
  if (answersId === undefined) return null;
  const [answered] = await tx
    .select({ userId: projectMessages.userId })
    .from(projectMessages)
    .where(
      and(
        eq(projectMessages.id, answersId),
        eq(projectMessages.projectId, projectId),
        eq(projectMessages.isAdminReply, false),
      ),
    );
  if (!answered) throw new AppError("not_found", messageTexts.gone);
  if (!(await hasBacking(tx, projectId, answered.userId))) throw new AppError("conflict", messageTexts.noLongerBacks);
  return answered.userId;
}

/** Lists the people to notify of a message. No other backer hears of one between a backer and the team. */
async function listReaders(
  tx: Tx,
  projectId: number,
  { isAdminReply, recipientId }: { isAdminReply: boolean; recipientId: string | null },
): Promise<string[]> {
  if (recipientId !== null) return [recipientId];
  return isAdminReply ? listBackersOf(tx, projectId) : administratorsWith(tx, "projects:edit");
}

/** Marks a backer's message as needing no answer: it isn't open any more. The first mark is kept. Throws "not_found". */
export async function dismissMessage(ctx: ActorContext, { messageId }: z.output<typeof messageIdInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const isIt = and(eq(projectMessages.id, messageId), eq(projectMessages.isAdminReply, false));
    const [found] = await tx.select().from(projectMessages).where(isIt).for("update");
    if (!found) throw new AppError("not_found", messageTexts.gone);
    if (found.noAnswerAt !== null) return;
    await tx.update(projectMessages).set({ noAnswerAt: ctx.clock.now(), noAnswerBy: ctx.actor.id }).where(isIt);
    await recordAudit(tx, ctx, "dismiss_message", { projectId: found.projectId, messageId });
    await ctx.events.publish(tx, { type: "messages", projectId: found.projectId, to: "administrators" });
  });
}

async function replyOfEarlier(tx: Tx, ctx: ActorContext, input: Sending): Promise<{ messageId: number }> {
  const sent = await findSent(tx, ctx.actor.id, input.idempotencyKey);
  return sameAsBefore(sent, input);
}

function sameAsBefore(sent: Awaited<ReturnType<typeof findSent>>, input: Sending): { messageId: number } {
  const isSame =
    sent?.projectId === input.projectId &&
    sent.content === input.content &&
    sent.answersId === (input.answersId ?? null) &&
    sent.isPrivate === (input.isPrivate || input.answersId !== undefined);
  if (sent && isSame) return { messageId: sent.id };
  throw new AppError("conflict", messageTexts.keyUsedElsewhere);
}
