import { and, eq, lte, not } from "drizzle-orm";
import { inTransaction } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { Deps } from "#server/platform/deps.ts";
import { closeProject } from "./service.ts";

const batch = 100;

/** Closes expired projects, each in its own transaction with an audit entry and notices to its backers. */
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
    // Checked again under the lock, because an administrator may have edited or closed it meanwhile.
    const [project] = await tx
      .select()
      .from(projects)
      .where(and(eq(projects.id, projectId), isExpired(deps)))
      .for("no key update");
    if (!project) return;
    const { title, endsAt } = project;
    const details = { projectId, title, reason: "time ran out", endsAt: endsAt.toISOString() };
    await recordAudit(tx, { actor: null, clock: deps.clock, ipAddress: null }, "close_project", details);
    const at = deps.clock.now();
    await closeProject(tx, deps, { project, at, hasExpired: true, occasion: at.toISOString() });
  });
}
