import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { projectMessages } from "#server/db/schema/projects.ts";
import { administratorsWith } from "#server/features/notifications/queries.ts";
import { notify } from "#server/features/notifications/service.ts";
import { listBackersOf } from "#server/features/projects/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import type { sendMessageInput } from "#shared/projects/messages.ts";
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
  const [made] = await tx
    .insert(projectMessages)
    .values({ projectId, userId: ctx.actor.id, content, isAdminReply, idempotencyKey, createdAt: ctx.clock.now() })
    .onConflictDoNothing({ target: [projectMessages.userId, projectMessages.idempotencyKey] })
    .returning({ id: projectMessages.id });
  if (!made) return replyOfEarlier(tx, ctx, input);

  const facts = { site: ctx.site.current(), projectId, projectTitle, content };
  const others = isAdminReply ? await listBackersOf(tx, projectId) : await administratorsWith(tx, "projects:edit");
  await notify(tx, ctx, {
    ...(isAdminReply ? adminMessageNotice(facts) : backerMessageNotice({ ...facts, senderName: ctx.actor.fullName })),
    userIds: others.filter((id) => id !== ctx.actor.id),
    kind: isAdminReply ? "admin_message" : "backer_message",
    projectId,
    ...(isAdminReply ? {} : { aboutUserId: ctx.actor.id }),
    eventKey: `message:${made.id}`,
  });
  await ctx.events.publish(tx, { type: "messages", projectId });
  return { messageId: made.id };
}

async function replyOfEarlier(tx: Tx, ctx: ActorContext, input: Sending): Promise<{ messageId: number }> {
  const sent = await findSent(tx, ctx.actor.id, input.idempotencyKey);
  if (sent?.projectId === input.projectId && sent.content === input.content) return { messageId: sent.id };
  throw new AppError("conflict", messageTexts.keyUsedElsewhere);
}
