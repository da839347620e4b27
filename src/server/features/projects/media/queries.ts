import { and, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { storedFiles } from "#server/db/schema/files.ts";
import { projectMedia } from "#server/db/schema/projects.ts";
import { getBackedProject, mayReadBackedProject } from "#server/features/projects/backings/queries.ts";
import { requireProjectAccess } from "#server/features/projects/queries.ts";
import { photoPathOfKey } from "#server/files/photo-files.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { listPageInput } from "#shared/projects/inputs.ts";
import type { listMediaInput } from "#shared/projects/media.ts";
import { type MediaType, mediaLimits, mediaTypes } from "#shared/projects/media-texts.ts";
import { projectLimits, projectTexts } from "#shared/projects/texts.ts";
import { isShownAddress } from "#shared/shown-address.ts";
import { readLivestream } from "./rules.ts";

const latestFirst = [desc(projectMedia.createdAt), desc(projectMedia.id)];
const pageSize = projectLimits.contentPageSize;

/** A project's public gallery, newest first, five per page, with the total. */
export async function listGallery(ctx: Context, { projectId, page }: z.output<typeof listPageInput>) {
  await requireProjectAccess(ctx);
  const isShown = and(
    eq(projectMedia.projectId, projectId),
    inArray(projectMedia.type, ["photo", "video", "youtube"]),
    // The same rule as isShownAddress, so that the count matches the list.
    sql`${projectMedia.url} ~* ${"^(/(?![/\\\\])|https://[^/\\\\])"}`,
  );
  const [items, [counted]] = await Promise.all([
    readPage(ctx, isShown, page),
    ctx.db.select({ total: count() }).from(projectMedia).where(isShown),
  ]);
  return { items, total: counted?.total ?? 0 };
}

/** One page of media, newest first. `posterUrl` is a video's poster, if it has one. */
async function readPage(ctx: Context, isShown: SQL | undefined, page: number) {
  const found = await ctx.db
    .select({
      id: projectMedia.id,
      type: projectMedia.type,
      url: projectMedia.url,
      altText: projectMedia.altText,
      width: projectMedia.width,
      height: projectMedia.height,
      createdAt: projectMedia.createdAt,
      posterKey: storedFiles.storageKey,
    })
    .from(projectMedia)
    .leftJoin(storedFiles, eq(storedFiles.id, projectMedia.posterFileId))
    .where(isShown)
    .orderBy(...latestFirst)
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return found.map(({ posterKey, ...item }) => ({ ...item, posterUrl: posterKey && photoPathOfKey(posterKey) }));
}

/**
 * A project's media of one type for administrators, newest first, five per page, with the count of each type. `stream`
 * is how a livestream is shown, or null if its address isn't safe. `url` is "" if pages may not show it.
 */
export async function listMedia(ctx: ActorContext, { projectId, type, page }: z.output<typeof listMediaInput>) {
  const ofProject = eq(projectMedia.projectId, projectId);
  const [found, counted] = await Promise.all([
    readPage(ctx, and(ofProject, eq(projectMedia.type, type)), page),
    ctx.db
      .select({ type: projectMedia.type, total: count() })
      .from(projectMedia)
      .where(ofProject)
      .groupBy(projectMedia.type),
  ]);
  const counts = Object.fromEntries(
    mediaTypes.map((of) => [of, counted.find((row) => row.type === of)?.total ?? 0]),
  ) as Record<MediaType, number>;
  return {
    items: found.map((item) => ({
      ...item,
      url: isShownAddress(item.url) ? item.url : "",
      stream: item.type === "livestream" ? shownStream(ctx, item.url) : null,
    })),
    counts,
  };
}

/** Hides the address of a stream that plays in our page, because its viewers don't need it. */
function shownStream({ env }: Pick<Context, "env">, url: string) {
  const stream = readLivestream(url, env);
  return stream?.kind === "hls" ? { kind: stream.kind } : stream;
}

/**
 * A project's livestreams for its backers and administrators, newest first, five per page. The address of one that
 * plays in our page is hidden. Throws "not_found" as {@link getBackedProject} does.
 */
export async function listLivestreams(ctx: ActorContext, { projectId, page }: z.output<typeof listPageInput>) {
  await getBackedProject(ctx, { projectId });
  const found = await ctx.db
    .select({
      id: projectMedia.id,
      url: projectMedia.url,
      altText: projectMedia.altText,
      createdAt: projectMedia.createdAt,
    })
    .from(projectMedia)
    .where(and(eq(projectMedia.projectId, projectId), eq(projectMedia.type, "livestream")))
    .orderBy(...latestFirst)
    .limit(mediaLimits.livestreams);
  // Only streams that can be shown are counted, which the database can't decide.
  const shown = found.flatMap(({ url, ...row }) => {
    const stream = shownStream(ctx, url);
    return stream ? [{ ...row, stream }] : [];
  });
  return { items: shown.slice((page - 1) * pageSize, page * pageSize), total: shown.length };
}

/** The address of an HLS stream. Throws "not_found" if the caller may not watch it, as for a missing one. */
export async function findHlsStream(ctx: ActorContext, mediaId: number): Promise<{ source: string; label: string }> {
  const [row] = await ctx.db
    .select({ projectId: projectMedia.projectId, url: projectMedia.url, altText: projectMedia.altText })
    .from(projectMedia)
    .where(and(eq(projectMedia.id, mediaId), eq(projectMedia.type, "livestream")));
  const stream = row && (await mayReadBackedProject(ctx, row.projectId)) ? readLivestream(row.url, ctx.env) : null;
  if (!row || stream?.kind !== "hls") throw new AppError("not_found", projectTexts.backedNotFound);
  return { source: stream.source, label: row.altText };
}

/** The stored file of a gallery video. Throws "not_found". */
export async function findVideoFile({ db }: Pick<Context, "db">, storageKey: string) {
  const [file] = await db
    .select({
      key: storedFiles.storageKey,
      contentType: storedFiles.contentType,
      originalName: storedFiles.originalName,
    })
    .from(storedFiles)
    .innerJoin(projectMedia, eq(projectMedia.fileId, storedFiles.id))
    .where(and(eq(storedFiles.storageKey, storageKey), eq(storedFiles.kind, "video")));
  if (!file) throw new AppError("not_found", "File not found");
  return file;
}
