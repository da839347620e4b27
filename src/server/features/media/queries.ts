import { and, desc, eq, inArray } from "drizzle-orm";
import type { Context } from "#server/core/context.ts";
import { projectMedia } from "#server/db/schema/projects.ts";
import { requireProjectAccess } from "#server/features/projects/queries.ts";

const publicTypes = ["photo", "video", "youtube"] as const;
const galleryLimit = 100;

/** A project's public gallery, newest first. Livestreams are for its backers and come with their screen. */
export async function listGallery(ctx: Context, { projectId }: { projectId: number }) {
  await requireProjectAccess(ctx);
  return ctx.db
    .select({
      id: projectMedia.id,
      type: projectMedia.type,
      url: projectMedia.url,
      altText: projectMedia.altText,
      createdAt: projectMedia.createdAt,
    })
    .from(projectMedia)
    .where(and(eq(projectMedia.projectId, projectId), inArray(projectMedia.type, [...publicTypes])))
    .orderBy(desc(projectMedia.createdAt), desc(projectMedia.id))
    .limit(galleryLimit);
}
