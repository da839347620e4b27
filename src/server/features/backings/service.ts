import { and, eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";

/**
 * A backing stands while an administrator's grant or an approved payment supports it.
 * The caller holds the lock on the project, so that the cached number of backers stays exact.
 */
type Backing = { projectId: number; userId: string };

/** Makes the backing of an approved payment, unless it stands already. */
export async function supportByPayment(tx: Tx, { projectId, userId, at }: Backing & { at: Date }): Promise<void> {
  const made = await tx
    .insert(projectBackings)
    .values({ projectId, userId, createdAt: at })
    .onConflictDoNothing({ target: [projectBackings.projectId, projectBackings.userId] })
    .returning({ id: projectBackings.id });
  await countBackers(tx, projectId, made.length);
}

/** Called after a payment left "approved": ends the backing, unless a grant or another approved payment supports it. */
export async function withdrawPaymentSupport(tx: Tx, { projectId, userId }: Backing): Promise<void> {
  const otherSupport = tx
    .select({ one: sql`1` })
    .from(projectPayments)
    .where(
      and(
        eq(projectPayments.projectId, projectId),
        eq(projectPayments.userId, userId),
        eq(projectPayments.status, "approved"),
      ),
    );
  const ended = await tx
    .delete(projectBackings)
    .where(
      and(
        eq(projectBackings.projectId, projectId),
        eq(projectBackings.userId, userId),
        isNull(projectBackings.grantedAt),
        sql`not exists ${otherSupport}`,
      ),
    )
    .returning({ id: projectBackings.id });
  await countBackers(tx, projectId, -ended.length);
}

async function countBackers(tx: Tx, projectId: number, change: number): Promise<void> {
  if (change === 0) return;
  await tx
    .update(projects)
    .set({ backersCount: sql`${projects.backersCount} + ${change}` })
    .where(eq(projects.id, projectId));
}
