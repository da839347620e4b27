import { and, count, desc, eq, or } from "drizzle-orm";
import type { z } from "zod";
import { projectUpdates } from "#server/db/schema/projects.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { requireProjectAccess } from "#server/features/projects/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { contains } from "#server/platform/search.ts";
import type { listContentInput } from "#shared/projects/inputs.ts";
import { projectLimits } from "#shared/projects/texts.ts";

/** A project's weekly reports, newest first, five per page; `search` filters by title and text. */
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
        report: { farmNote: farmReports.farmNote, isCodeSeen: farmReports.isCodeSeen },
      })
      .from(projectUpdates)
      .leftJoin(farmReports, eq(farmReports.updateId, projectUpdates.id))
      .where(matches)
      .orderBy(desc(projectUpdates.createdAt), desc(projectUpdates.id))
      .limit(size)
      .offset((input.page - 1) * size),
    ctx.db.select({ total: count() }).from(projectUpdates).where(matches),
  ]);
  return { items, total: counted?.total ?? 0 };
}
