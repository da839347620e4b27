import { and, eq, or } from "drizzle-orm";
import type { z } from "zod";
import { isRolledBack } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { projectMedia, type projects } from "#server/db/schema/projects.ts";
import { notify } from "#server/features/notifications/service.ts";
import { listBackersOf } from "#server/features/projects/queries.ts";
import { lockProject } from "#server/features/projects/rounds/service.ts";
import { deleteStoredFile, enqueueRemoval } from "#server/files/orphans.ts";
import { keyOfPhotoPath } from "#server/files/photo-files.ts";
import { storePhoto } from "#server/files/photos.ts";
import { discardUpload } from "#server/files/uploads.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type {
  addLivestreamInput,
  addYoutubeInput,
  removeMediaInput,
  uploadPhotoFields,
  uploadVideoFields,
} from "#shared/projects/media.ts";
import { mediaTexts } from "#shared/projects/media-texts.ts";
import { mediaNotice } from "./emails.ts";
import { mediaEventKey, newsOf, toStoredLivestream, toStoredYoutube, videoPath } from "./rules.ts";

/**
 * Adding and removing media. Each operation locks the project first, so that a repeated request (a lost response, a
 * double click) is detected and stored once.
 */

type Project = typeof projects.$inferSelect;
type NewMedia = Omit<typeof projectMedia.$inferInsert, "projectId" | "createdAt">;
/** An upload as `receiveUpload` returns it. */
type Upload = { key: string; sha256: string; bytes: number; contentType: string; originalName: string };
type Uploaded<Fields extends z.ZodType> = z.output<Fields> & { upload: Upload };

/** `isNew` is false if the project already had it; `mediaId` is then the existing one. */
type Added = { mediaId: number; isNew: boolean };

/**
 * Adds an uploaded photo, re-encoded. Throws "invalid" if it can't be read, "not_found" if the project doesn't exist;
 * the upload is then removed.
 */
export async function addPhoto(
  ctx: ActorContext,
  { projectId, altText, upload }: Uploaded<typeof uploadPhotoFields>,
): Promise<Added> {
  const { fileId, url, width, height } = await storePhoto(ctx, upload);
  try {
    const added = await inTransaction(ctx.db, async (tx): Promise<Added> => {
      const project = await lockProject(tx, projectId);
      const earlier = await findSameFile(tx, { projectId, type: "photo", sha256: upload.sha256 });
      if (earlier !== undefined) return { mediaId: earlier, isNew: false };
      const mediaId = await addMedia(tx, ctx, project, { type: "photo", url, altText, fileId, width, height });
      return { mediaId, isNew: true };
    });
    if (!added.isNew) await deleteStoredFile(ctx, fileId);
    return added;
  } catch (error) {
    await deleteStoredFile(ctx, fileId);
    throw error;
  }
}

/** Adds an uploaded video with its poster. Throws as {@link addPhoto} does. */
export async function addVideo(
  ctx: ActorContext,
  { projectId, altText, posterUrl, upload }: Uploaded<typeof uploadVideoFields>,
): Promise<Added> {
  try {
    const added = await inTransaction(ctx.db, async (tx): Promise<Added> => {
      const project = await lockProject(tx, projectId);
      const { key, sha256, contentType } = upload;
      const earlier = await findSameFile(tx, { projectId, type: "video", sha256 });
      if (earlier !== undefined) return { mediaId: earlier, isNew: false };
      const posterFileId = posterUrl === undefined ? null : await findPoster(tx, ctx, posterUrl);
      const fileId = await insertVideoFile(tx, ctx, upload);
      const url = videoPath(key, contentType);
      const mediaId = await addMedia(tx, ctx, project, { type: "video", url, altText, fileId, posterFileId });
      return { mediaId, isNew: true };
    });
    if (!added.isNew) await discardUpload(ctx, upload.key);
    return added;
  } catch (error) {
    // Only a refusal guarantees a rollback. After another failure an orphaned file is swept later.
    if (error instanceof AppError || isRolledBack(error)) await discardUpload(ctx, upload.key);
    throw error;
  }
}

/** Compares the uploaded bytes by hash. */
async function findSameFile(tx: Tx, wanted: { projectId: number; type: "photo" | "video"; sha256: string }) {
  const [found] = await tx
    .select({ id: projectMedia.id })
    .from(projectMedia)
    .innerJoin(storedFiles, eq(storedFiles.id, projectMedia.fileId))
    .where(
      and(
        eq(projectMedia.projectId, wanted.projectId),
        eq(projectMedia.type, wanted.type),
        eq(storedFiles.sha256, wanted.sha256),
      ),
    )
    .limit(1);
  return found?.id;
}

/** The caller's photo, if nothing else uses it. A video without a poster is better than no video. */
async function findPoster(tx: Tx, { actor }: ActorContext, posterUrl: string): Promise<string | null> {
  const storageKey = keyOfPhotoPath(posterUrl) ?? "";
  const [file] = await tx
    .select({ id: storedFiles.id })
    .from(storedFiles)
    .where(and(eq(storedFiles.storageKey, storageKey), eq(storedFiles.uploadedBy, actor.id)))
    .for("no key update");
  if (!file) return null;
  const isUsed = or(eq(projectMedia.posterFileId, file.id), eq(projectMedia.fileId, file.id));
  const uses = await tx.select({ id: projectMedia.id }).from(projectMedia).where(isUsed);
  return uses.length === 0 ? file.id : null;
}

async function insertVideoFile(tx: Tx, ctx: ActorContext, upload: Upload): Promise<string> {
  const { key, sha256, bytes, contentType, originalName } = upload;
  const uploaded = { sha256, bytes, contentType, originalName, uploadedBy: ctx.actor.id };
  const [file] = await tx
    .insert(storedFiles)
    .values({ kind: "video", storageKey: key, ...uploaded, createdAt: ctx.clock.now() })
    .returning({ id: storedFiles.id });
  if (!file) throw new Error("the video's row was not written");
  return file.id;
}

/** Throws "invalid" with the specification's messages, "not_found", or "conflict" if the gallery already has it. */
export async function addYoutube(
  ctx: ActorContext,
  { projectId, url, altText }: z.output<typeof addYoutubeInput>,
): Promise<{ mediaId: number }> {
  return addAddress(ctx, projectId, { type: "youtube", url: toStoredYoutube(url), altText });
}

/** Throws as {@link addYoutube} does. */
export async function addLivestream(
  ctx: ActorContext,
  { projectId, url, altText }: z.output<typeof addLivestreamInput>,
): Promise<{ mediaId: number }> {
  return addAddress(ctx, projectId, { type: "livestream", url: toStoredLivestream(url), altText });
}

async function addAddress(ctx: ActorContext, projectId: number, media: NewMedia): Promise<{ mediaId: number }> {
  return inTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, projectId);
    const isSame = and(
      eq(projectMedia.projectId, projectId),
      eq(projectMedia.type, media.type),
      eq(projectMedia.url, media.url),
    );
    const same = await tx.select({ id: projectMedia.id }).from(projectMedia).where(isSame).limit(1);
    if (same.length > 0) {
      throw new AppError("conflict", mediaTexts.alreadyThere, { fields: { url: [mediaTexts.alreadyThere] } });
    }
    return { mediaId: await addMedia(tx, ctx, project, media) };
  });
}

/** Part of a transaction with the project locked: inserts the row and its audit entry, and notifies the backers. */
export async function addMedia(tx: Tx, ctx: ActorContext, project: Project, media: NewMedia): Promise<number> {
  const at = ctx.clock.now();
  const { id: projectId, title } = project;
  const [made] = await tx
    .insert(projectMedia)
    .values({ ...media, projectId, createdAt: at })
    .returning({ id: projectMedia.id });
  if (!made) throw new Error("the media's row was not written");
  const { type, url, altText } = media;
  await recordAudit(tx, ctx, "add_media", { projectId, title, mediaId: made.id, type, url, altText });
  const news = newsOf[type];
  await notify(tx, ctx, {
    ...mediaNotice({ site: ctx.site.current(), projectId, projectTitle: title, news }),
    userIds: await listBackersOf(tx, projectId, ctx.actor.id),
    kind: "project_media",
    projectId,
    eventKey: mediaEventKey(projectId, news, at),
  });
  return made.id;
}

/** Removes a media entry; a job removes its files after the commit. Throws "not_found". */
export async function removeMedia(
  ctx: ActorContext,
  { projectId, mediaId }: z.output<typeof removeMediaInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { title } = await lockProject(tx, projectId);
    const [removed] = await tx
      .delete(projectMedia)
      .where(and(eq(projectMedia.id, mediaId), eq(projectMedia.projectId, projectId)))
      .returning();
    if (!removed) throw new AppError("not_found", mediaTexts.alreadyGone);
    const { type, url, altText, fileId, posterFileId } = removed;
    await recordAudit(tx, ctx, "remove_media", { projectId, title, mediaId, type, url, altText });
    await enqueueRemoval(tx, ctx, [fileId, posterFileId]);
  });
}
