import { and, count, desc, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { projectMessages, projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { hasBacking } from "#server/features/projects/backings/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { contains } from "#server/platform/search.ts";
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

/** A project's messages as the caller may see them, newest first, five per page; `search` filters by their text. */
export async function listMessages(ctx: ActorContext, input: z.output<typeof listContentInput>) {
  const { reader } = await requireReader(ctx.db, ctx, input.projectId);
  const matches = and(
    eq(projectMessages.projectId, input.projectId),
    input.search ? contains(projectMessages.content, input.search) : undefined,
  );
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
      })
      .from(projectMessages)
      .innerJoin(users, eq(users.id, projectMessages.userId))
      .where(matches)
      .orderBy(desc(projectMessages.createdAt), desc(projectMessages.id))
      .limit(size)
      .offset((input.page - 1) * size),
    ctx.db.select({ total: count() }).from(projectMessages).where(matches),
  ]);
  return {
    items: found.map(({ isAdminReply, senderName, ...message }) => ({
      ...message,
      sender: senderFor(reader, { ...message, isAdminReply, senderName }),
    })),
    total: counted?.total ?? 0,
    sendsAs: sendsAs(reader),
  };
}

/** The message that an earlier request with this key stored. */
export async function findSent(db: DbOrTx, userId: string, idempotencyKey: string) {
  const [sent] = await db
    .select({ id: projectMessages.id, projectId: projectMessages.projectId, content: projectMessages.content })
    .from(projectMessages)
    .where(and(eq(projectMessages.userId, userId), eq(projectMessages.idempotencyKey, idempotencyKey)));
  return sent;
}
