import { and, eq, lte, not } from "drizzle-orm";
import { recordAudit } from "#server/core/audit.ts";
import type { Deps } from "#server/core/deps.ts";
import { inTransaction } from "#server/db/open.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { notify } from "#server/features/notifications/service.ts";
import { projectExpiredNotice } from "./emails.ts";

const batch = 100;

/** Closes open projects whose time has run out, each in its own transaction, audited, its backers told. */
export async function closeExpiredProjects(deps: Deps): Promise<void> {
  const expired = and(not(projects.isClosed), lte(projects.endsAt, deps.clock.now()));
  const found = await deps.db
    .select({ id: projects.id })
    .from(projects)
    .where(expired)
    .orderBy(projects.endsAt)
    .limit(batch);
  for (const { id } of found) {
    await inTransaction(deps.db, async (tx) => {
      const now = deps.clock.now();
      // Checked again under the lock: an administrator may have edited or closed it meanwhile.
      const [project] = await tx
        .update(projects)
        .set({ isClosed: true, closedAt: now, updatedAt: now })
        .where(and(eq(projects.id, id), expired))
        .returning();
      if (!project) return;
      const details = {
        projectId: id,
        title: project.title,
        reason: "time ran out",
        endsAt: project.endsAt.toISOString(),
      };
      await recordAudit(tx, { actor: null, clock: deps.clock, ipAddress: null }, "close_project", details);
      const backers = await tx
        .select({ userId: projectBackings.userId })
        .from(projectBackings)
        .where(eq(projectBackings.projectId, id));
      await notify(tx, deps, {
        ...projectExpiredNotice({ publicUrl: deps.env.publicUrl, projectId: id, projectTitle: project.title }),
        userIds: backers.map((backer) => backer.userId),
        kind: "project_closed",
        projectId: id,
        eventKey: `project:${id}:closed:${now.toISOString()}`,
      });
    });
  }
}
