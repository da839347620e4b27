import { and, eq, lte, not } from "drizzle-orm";
import { recordAudit } from "#server/core/audit.ts";
import type { Deps } from "#server/core/deps.ts";
import { forEachOnItsOwn } from "#server/core/for-each.ts";
import { inTransaction } from "#server/db/open.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { notify } from "#server/features/notifications/service.ts";
import { projectExpiredNotice } from "./emails.ts";

const batch = 100;

/** Closes open projects whose time has run out, each in its own transaction, audited, its backers told. */
export async function closeExpiredProjects(deps: Deps): Promise<void> {
  const found = await deps.db
    .select({ id: projects.id })
    .from(projects)
    .where(isExpired(deps))
    .orderBy(projects.endsAt)
    .limit(batch);
  await forEachOnItsOwn(deps.log, found, ({ id }) => closeExpiredProject(deps, id));
}

const isExpired = ({ clock }: Pick<Deps, "clock">) => and(not(projects.isClosed), lte(projects.endsAt, clock.now()));

async function closeExpiredProject(deps: Deps, projectId: number): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now();
    // Checked again under the lock: an administrator may have edited or closed it meanwhile.
    const [project] = await tx
      .update(projects)
      .set({ isClosed: true, closedAt: now, updatedAt: now })
      .where(and(eq(projects.id, projectId), isExpired(deps)))
      .returning();
    if (!project) return;
    const { title, endsAt } = project;
    const details = { projectId, title, reason: "time ran out", endsAt: endsAt.toISOString() };
    await recordAudit(tx, { actor: null, clock: deps.clock, ipAddress: null }, "close_project", details);
    const backers = await tx
      .select({ userId: projectBackings.userId })
      .from(projectBackings)
      .where(eq(projectBackings.projectId, projectId));
    await notify(tx, deps, {
      ...projectExpiredNotice({ publicUrl: deps.env.publicUrl, projectId, projectTitle: title }),
      userIds: backers.map((backer) => backer.userId),
      kind: "project_closed",
      projectId,
      eventKey: `project:${projectId}:closed:${now.toISOString()}`,
    });
  });
}
