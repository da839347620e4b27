import { and, asc, count, desc, eq, inArray, or } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { projectUpdates } from "#server/db/schema/projects.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { updatePhotos } from "#server/db/schema/update-photos.ts";
import { requireProjectAccess } from "#server/features/projects/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { contains } from "#server/platform/search.ts";
import type { listContentInput } from "#shared/projects/inputs.ts";
import { projectLimits } from "#shared/projects/texts.ts";

/** A project's updates, newest first, five per page; `search` filters by title and text. */
export async function listUpdates(ctx: Context, input: z.output<typeof listContentInput>) {
  await requireProjectAccess(ctx);
  const matches = and(
    eq(projectUpdates.projectId, input.projectId),
    input.search
      ? or(contains(projectUpdates.title, input.search), contains(projectUpdates.content, input.search))
      : undefined,
  );
  const size = projectLimits.contentPageSize;
  const [items, [counted]] = await Promise.all([
    ctx.db
      .select({
        id: projectUpdates.id,
        title: projectUpdates.title,
        content: projectUpdates.content,
        createdAt: projectUpdates.createdAt,
        // Drizzle takes the row as missing where the first of its columns is null.
        report: { isCodeSeen: farmReports.isCodeSeen, farmNote: farmReports.farmNote },
      })
      .from(projectUpdates)
      .leftJoin(farmReports, eq(farmReports.updateId, projectUpdates.id))
      .where(matches)
      .orderBy(desc(projectUpdates.createdAt), desc(projectUpdates.id))
      .limit(size)
      .offset((input.page - 1) * size),
    ctx.db.select({ total: count() }).from(projectUpdates).where(matches),
  ]);
  const photos = await listPhotosOf(
    ctx.db,
    items.map(({ id }) => id),
  );
  return {
    items: items.map((item) => ({ ...item, photos: photos.filter(({ updateId }) => updateId === item.id) })),
    total: counted?.total ?? 0,
  };
}

/** The photos of updates, each update's in its order. */
async function listPhotosOf(db: DbOrTx, updateIds: number[]) {
  if (updateIds.length === 0) return [];
  const { id, updateId, url, altText, width, height } = updatePhotos;
  return db
    .select({ id, updateId, url, altText, width, height })
    .from(updatePhotos)
    .where(inArray(updateId, updateIds))
    .orderBy(asc(updatePhotos.position), asc(id));
}
