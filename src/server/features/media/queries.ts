import { and, count, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import type { ActorContext, Context } from "#server/core/context.ts";
import { AppError } from "#server/core/errors.ts";
import { latestFirst, pageOf } from "#server/core/keyset.ts";
import { projectMedia } from "#server/db/schema/projects.ts";
import { getBackedProject, mayReadBackedProject } from "#server/features/backings/queries.ts";
import { requireProjectAccess } from "#server/features/projects/queries.ts";
import type { listGalleryInput } from "#shared/media.ts";
import { mediaLimits } from "#shared/media-texts.ts";
import { projectTexts } from "#shared/project-texts.ts";
import { readLivestream } from "./rules.ts";

const order = latestFirst(projectMedia.createdAt, projectMedia.id, "bigint");

/** A project's public gallery, newest first, and how many entries it has in all. */
export async function listGallery(ctx: Context, { projectId, cursor }: z.output<typeof listGalleryInput>) {
  await requireProjectAccess(ctx);
  const isShown = and(eq(projectMedia.projectId, projectId), inArray(projectMedia.type, ["photo", "video", "youtube"]));
  const [found, [counted]] = await Promise.all([
    ctx.db
      .select({
        id: projectMedia.id,
        type: projectMedia.type,
        url: projectMedia.url,
        altText: projectMedia.altText,
        width: projectMedia.width,
        height: projectMedia.height,
        createdAt: projectMedia.createdAt,
      })
      .from(projectMedia)
      .where(and(isShown, order.after(cursor)))
      .orderBy(...order.by)
      .limit(mediaLimits.galleryPage + 1),
    ctx.db.select({ total: count() }).from(projectMedia).where(isShown),
  ]);
  const page = pageOf(found, mediaLimits.galleryPage, (last) => order.cursorOf(last.createdAt, last.id));
  return { ...page, total: counted?.total ?? 0 };
}

/**
 * A project's livestreams for its backers and for administrators, newest first; of one that plays in our own page only
 * that it does. Throws "not_found" as {@link getBackedProject} does.
 */
export async function listLivestreams(ctx: ActorContext, { projectId }: { projectId: number }) {
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
    .orderBy(...order.by)
    .limit(mediaLimits.livestreams);
  return found.flatMap(({ url, ...row }) => {
    const stream = readLivestream(url, ctx.env);
    if (!stream) return [];
    return [{ ...row, stream: stream.kind === "hls" ? { kind: stream.kind } : stream }];
  });
}

/** The address of an HLS stream. Throws "not_found" for whoever may not watch it, as for one that doesn't exist. */
export async function findHlsStream(ctx: ActorContext, mediaId: number): Promise<{ source: string; label: string }> {
  const [row] = await ctx.db
    .select({ projectId: projectMedia.projectId, url: projectMedia.url, altText: projectMedia.altText })
    .from(projectMedia)
    .where(and(eq(projectMedia.id, mediaId), eq(projectMedia.type, "livestream")));
  const stream = row && (await mayReadBackedProject(ctx, row.projectId)) ? readLivestream(row.url, ctx.env) : null;
  if (!row || stream?.kind !== "hls") throw new AppError("not_found", projectTexts.backedNotFound);
  return { source: stream.source, label: row.altText };
}
