import { and, desc, eq, isNull } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import type { Project } from "#server/features/projects/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { newReference } from "./rules.ts";

/**
 * A reference belongs to one purchase. It is given on the first visit of an open project, and an approval retires it, so
 * that the next purchase gets another. A rejection leaves it: a clearer receipt is sent for the same transfer.
 */

type Buyer = { projectId: number; userId: string };

const isOf = ({ projectId, userId }: Buyer) =>
  and(eq(paymentReferences.projectId, projectId), eq(paymentReferences.userId, userId));
const isPendingOfReference = and(
  eq(projectPayments.reference, paymentReferences.reference),
  eq(projectPayments.status, "pending"),
);
const isInUse = isNull(paymentReferences.retiredAt);

/**
 * The caller's reference: that of the pending payment, else the one in use, else a new one if the project is open. Null
 * on a closed project. All of the caller's are locked, so that their submissions run one by one.
 */
export async function takeReference(tx: Tx, ctx: ActorContext, project: Project): Promise<string | null> {
  const buyer = { projectId: project.id, userId: ctx.actor.id };
  for (;;) {
    const given = await tx
      .select({
        reference: paymentReferences.reference,
        retiredAt: paymentReferences.retiredAt,
        pendingId: projectPayments.id,
      })
      .from(paymentReferences)
      .leftJoin(projectPayments, isPendingOfReference)
      .where(isOf(buyer))
      .orderBy(desc(paymentReferences.id))
      .for("update", { of: paymentReferences });
    const current =
      given.find(({ pendingId }) => pendingId !== null) ?? given.find(({ retiredAt }) => retiredAt === null);
    if (current) return current.reference;
    if (project.isClosed) return null;
    // Nothing is inserted if another visit was faster or the reference is taken, so the loop looks again.
    await tx
      .insert(paymentReferences)
      .values({ ...buyer, reference: newReference(), createdAt: ctx.clock.now() })
      .onConflictDoNothing();
  }
}

/** Retires the reference of an approved payment. */
export async function retireReference(tx: Tx, reference: string, at: Date): Promise<void> {
  await tx
    .update(paymentReferences)
    .set({ retiredAt: at })
    .where(and(eq(paymentReferences.reference, reference), isInUse));
}

/** Puts the reference of a payment that is no longer approved back in use, unless a new purchase has begun. */
export async function restoreReference(tx: Tx, buyer: Buyer, reference: string): Promise<void> {
  const inUse = await tx
    .select({ id: paymentReferences.id })
    .from(paymentReferences)
    .where(and(isOf(buyer), isInUse));
  if (inUse.length > 0) return;
  await tx.update(paymentReferences).set({ retiredAt: null }).where(eq(paymentReferences.reference, reference));
}
