import { eq } from "drizzle-orm";
import type { Deps } from "#server/core/deps.ts";
import type { Tx } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import { notify } from "#server/features/notifications/service.ts";
import { projectClosedNotice } from "./emails.ts";
import { listBackersOf } from "./queries.ts";

type Closing = {
  project: { id: number; title: string };
  at: Date;
  /** Its time ran out; else a payment took it. */
  hasExpired?: boolean;
  /** Who hears of it by another notice. */
  exceptUserId?: string;
  /** Tells this closing from others of the same project. */
  occasion: string;
};

/** Closes an open project and tells its backers. The caller holds the lock on it, and writes the audit entry. */
export async function closeProject(
  tx: Tx,
  deps: Pick<Deps, "clock" | "env" | "events" | "jobs">,
  { project, at, hasExpired = false, exceptUserId, occasion }: Closing,
): Promise<void> {
  await tx.update(projects).set({ isClosed: true, closedAt: at, updatedAt: at }).where(eq(projects.id, project.id));
  const facts = { publicUrl: deps.env.publicUrl, projectId: project.id, projectTitle: project.title };
  await notify(tx, deps, {
    ...projectClosedNotice({ ...facts, hasExpired }),
    userIds: await listBackersOf(tx, project.id, exceptUserId),
    kind: "project_closed",
    projectId: project.id,
    eventKey: `project:${project.id}:closed:${occasion}`,
  });
}
