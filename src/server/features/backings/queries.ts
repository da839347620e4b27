import { and, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import type { ActorContext } from "#server/core/context.ts";
import { AppError } from "#server/core/errors.ts";
import { latestFirst, pageOf } from "#server/core/keyset.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { projectCardColumns, withDaysLeft } from "#server/features/projects/queries.ts";
import type { cursorInput } from "#shared/pagination.ts";
import { paymentLimits } from "#shared/payment-texts.ts";
import { projectTexts } from "#shared/project-texts.ts";

/** Whether the person backs the project now. */
export async function hasBacking(db: DbOrTx, projectId: number, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: projectBackings.id })
    .from(projectBackings)
    .where(and(eq(projectBackings.projectId, projectId), eq(projectBackings.userId, userId)));
  return found.length > 0;
}

/** The ids of the projects that each of the people backs now; who backs none is left out. */
export async function listBackedProjectIds(db: DbOrTx, userIds: string[]): Promise<Map<string, number[]>> {
  const found = await db
    .select({ userId: projectBackings.userId, projectId: projectBackings.projectId })
    .from(projectBackings)
    .where(inArray(projectBackings.userId, userIds));
  const backed = new Map<string, number[]>();
  for (const { userId, projectId } of found) {
    const own = backed.get(userId);
    if (own) own.push(projectId);
    else backed.set(userId, [projectId]);
  }
  return backed;
}

/** Whether the caller may read what is for the project's backers: they are one, or an administrator. */
export async function mayReadBackedProject(ctx: ActorContext, projectId: number): Promise<boolean> {
  return ctx.actor.permissions.includes("projects:view") || hasBacking(ctx.db, projectId, ctx.actor.id);
}

/**
 * The summary of a project for its backers and for administrators. Throws "not_found" for everybody else,
 * as for a project that doesn't exist (product decision).
 */
export async function getBackedProject(ctx: ActorContext, { projectId }: { projectId: number }) {
  const [row] = (await mayReadBackedProject(ctx, projectId))
    ? await ctx.db
        .select({ ...projectCardColumns, shortDescription: projects.shortDescription, creator: projects.creator })
        .from(projects)
        .where(eq(projects.id, projectId))
    : [];
  if (!row) throw new AppError("not_found", projectTexts.backedNotFound);
  return withDaysLeft(ctx, row);
}

const order = latestFirst(projectBackings.createdAt, projects.id, "int");

/** The caller's backed projects as cards, latest backing first. */
export async function listMyBackings(ctx: ActorContext, input: z.output<typeof cursorInput>) {
  const found = await ctx.db
    .select({
      ...projectCardColumns,
      shortDescription: projects.shortDescription,
      backedAt: projectBackings.createdAt,
    })
    .from(projectBackings)
    .innerJoin(projects, eq(projects.id, projectBackings.projectId))
    .where(and(eq(projectBackings.userId, ctx.actor.id), order.after(input.cursor)))
    .orderBy(...order.by)
    .limit(paymentLimits.backingsPage + 1);
  const page = pageOf(found, paymentLimits.backingsPage, (last) => order.cursorOf(last.backedAt, last.id));
  return { items: page.items.map((row) => withDaysLeft(ctx, row)), nextCursor: page.nextCursor };
}
