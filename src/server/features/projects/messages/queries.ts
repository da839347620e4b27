import { and, count, desc, eq, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { projectMessages, projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { hasBacking } from "#server/features/projects/backings/queries.ts";
import { findMessageDays } from "#server/features/settings/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { contains } from "#server/platform/search.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { listContentInput } from "#shared/projects/inputs.ts";
import { projectLimits, projectTexts } from "#shared/projects/texts.ts";
import { mayRead, senderFor, sendsAs } from "./rules.ts";

/**
 * The project's title, and the caller's relation to it. With `lock` the backing can't change before the commit. Throws
 * "not_found" if the caller neither backs it nor may view projects, as for a missing project.
 */
export async function requireReader(
  db: DbOrTx,
  { actor }: ActorContext,
  projectId: number,
  { lock = false }: { lock?: boolean } = {},
) {
  const find = db.select({ title: projects.title }).from(projects).where(eq(projects.id, projectId));
  const [project] = await (lock ? find.for("share") : find);
  const reader = {
    permissions: actor.permissions,
    hasBacking: project !== undefined && (await hasBacking(db, projectId, actor.id)),
  };
  if (!project || !mayRead(reader)) throw new AppError("not_found", projectTexts.backedNotFound);
  return { projectTitle: project.title, reader };
}

/** Condition of the messages that a reader may see: of private ones their own, and the team's answers to them. */
const isFor = (userId: string): SQL | undefined =>
  or(
    eq(projectMessages.isPrivate, false),
    and(eq(projectMessages.userId, userId), eq(projectMessages.isAdminReply, false)),
    eq(projectMessages.recipientId, userId),
  );

/**
 * Condition of a backer's message that waits for an answer. A public one is answered by whatever the team writes to all after
 * it, any by what it writes to its writer.
 */
export const isUnanswered: SQL = sql`(not ${projectMessages.isAdminReply} and ${projectMessages.noAnswerAt} is null
  and exists (select from ${users} writer where writer.id = ${projectMessages.userId} and writer.closed_at is null)
  and not exists (
    select from project_messages answer
    where answer.project_id = ${projectMessages.projectId} and answer.is_admin_reply
      and (answer.created_at, answer.id) > (${projectMessages.createdAt}, ${projectMessages.id})
      and (answer.recipient_id = ${projectMessages.userId} or not answer.is_private and not ${projectMessages.isPrivate})))`;

/** Condition of an unanswered message that has waited for too long. */
export const isMessageLate = (now: Date, days: number): SQL<boolean> =>
  sql<boolean>`(${projectMessages.createdAt} <= ${new Date(now.getTime() - days * dayMs).toISOString()}::timestamptz)`;

/** A project's messages as the caller may see them, newest first, five per page; `search` filters by their text. */
export async function listMessages(ctx: ActorContext, input: z.output<typeof listContentInput>) {
  const { reader } = await requireReader(ctx.db, ctx, input.projectId);
  const isTeam = reader.permissions.includes("projects:view");
  const matches = and(
    eq(projectMessages.projectId, input.projectId),
    isTeam ? undefined : isFor(ctx.actor.id),
    input.search ? contains(projectMessages.content, input.search) : undefined,
  );
  const recipient = alias(users, "recipient");
  const days = await findMessageDays(ctx.db);
  const size = projectLimits.contentPageSize;
  const [found, [counted]] = await Promise.all([
    ctx.db
      .select({
        id: projectMessages.id,
        content: projectMessages.content,
        isAdminReply: projectMessages.isAdminReply,
        isMine: sql<boolean>`${projectMessages.userId} = ${ctx.actor.id}`,
        senderName: users.fullName,
        createdAt: projectMessages.createdAt,
        isPrivate: projectMessages.isPrivate,
        recipientName: recipient.fullName,
        isOpen: sql<boolean>`${isUnanswered}`,
        isLate: isMessageLate(ctx.clock.now(), days),
      })
      .from(projectMessages)
      .innerJoin(users, eq(users.id, projectMessages.userId))
      .leftJoin(recipient, eq(recipient.id, projectMessages.recipientId))
      .where(matches)
      .orderBy(desc(projectMessages.createdAt), desc(projectMessages.id))
      .limit(size)
      .offset((input.page - 1) * size),
    ctx.db.select({ total: count() }).from(projectMessages).where(matches),
  ]);
  return {
    items: found.map(({ isAdminReply, senderName, recipientName, isOpen, isLate, ...message }) => ({
      ...message,
      /** For the team: to whom alone it was written, and whether it waits for an answer. */
      recipientName: isTeam ? recipientName : null,
      wait: isTeam && isOpen ? (isLate ? ("late" as const) : ("open" as const)) : null,
      sender: senderFor(reader, { ...message, isAdminReply, senderName }),
    })),
    total: counted?.total ?? 0,
    sendsAs: sendsAs(reader),
  };
}

/** The message that an earlier request with this key stored. */
export async function findSent(db: DbOrTx, userId: string, idempotencyKey: string) {
  const [sent] = await db
    .select({
      id: projectMessages.id,
      projectId: projectMessages.projectId,
      content: projectMessages.content,
      isPrivate: projectMessages.isPrivate,
      answersId: projectMessages.answersId,
    })
    .from(projectMessages)
    .where(and(eq(projectMessages.userId, userId), eq(projectMessages.idempotencyKey, idempotencyKey)));
  return sent;
}
