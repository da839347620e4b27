import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { projectUpdates } from "#server/db/schema/projects.ts";
import { type NotifyDeps, notify } from "#server/features/notifications/service.ts";
import { listBackersOf } from "#server/features/projects/queries.ts";
import { lockProject } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { publishUpdateInput } from "#shared/projects/updates.ts";
import { updateTexts } from "#shared/projects/updates-texts.ts";
import { projectUpdateNotice } from "./emails.ts";
import { addUpdatePhotos, hasSamePhotos, readUpdatePhotos } from "./photos.ts";

type Publishing = z.output<typeof publishUpdateInput>;

/**
 * Publishes an update with its photos and notifies the project's backers. Repeated requests with the same key return the
 * same update. Throws "not_found", or "conflict" if the key was used for another content or a photo isn't kept any more.
 */
export async function publishUpdate(ctx: ActorContext, input: Publishing): Promise<{ updateId: number }> {
  const stored = await readUpdatePhotos(
    ctx,
    input.photos.map(({ photoKey }) => photoKey),
  );
  return inTransaction(ctx.db, (tx) => keepUpdate(tx, ctx, { ...input, stored }));
}

type Stored = Awaited<ReturnType<typeof readUpdatePhotos>>;

async function keepUpdate(tx: Tx, ctx: ActorContext, { stored, ...input }: Publishing & { stored: Stored }) {
  const { projectId, title, photos } = input;
  const project = await lockProject(tx, projectId, "share");
  const updateId = await writeUpdate(tx, ctx, project, { ...input, byUserId: ctx.actor.id });
  if (updateId === null) return replyOfEarlier(tx, input);
  await addUpdatePhotos(tx, ctx, { updateId, photos, stored });
  const published = { projectId, title: project.title, updateId, update: title, photos: photos.length };
  await recordAudit(tx, ctx, "add_project_update", published);
  return { updateId };
}

type NewUpdate = { title: string; content: string; byUserId: string | null; idempotencyKey?: string };

/**
 * Part of a transaction with the project locked: writes an update and notifies the project's backers, but whoever published
 * it. Gives its id, or null if the key was used.
 */
export async function writeUpdate(
  tx: Tx,
  deps: NotifyDeps,
  { id: projectId, title: projectTitle }: { id: number; title: string },
  { title, content, byUserId, idempotencyKey }: NewUpdate,
): Promise<number | null> {
  const [made] = await tx
    .insert(projectUpdates)
    .values({ projectId, title, content, idempotencyKey: idempotencyKey ?? null, createdAt: deps.clock.now() })
    .onConflictDoNothing({ target: [projectUpdates.projectId, projectUpdates.idempotencyKey] })
    .returning({ id: projectUpdates.id });
  if (!made) return null;
  await notify(tx, deps, {
    ...projectUpdateNotice({ site: deps.site.current(), projectId, projectTitle, title, content }),
    userIds: await listBackersOf(tx, projectId, byUserId ?? undefined),
    kind: "project_update",
    projectId,
    eventKey: `update:${made.id}`,
  });
  return made.id;
}

async function replyOfEarlier(tx: Tx, { projectId, idempotencyKey, title, content, photos }: Publishing) {
  const [published] = await tx
    .select({ id: projectUpdates.id, title: projectUpdates.title, content: projectUpdates.content })
    .from(projectUpdates)
    .where(and(eq(projectUpdates.projectId, projectId), eq(projectUpdates.idempotencyKey, idempotencyKey)));
  const isSame = published?.title === title && published.content === content;
  if (isSame && (await hasSamePhotos(tx, published.id, photos))) return { updateId: published.id };
  throw new AppError("conflict", updateTexts.keyUsedElsewhere);
}
