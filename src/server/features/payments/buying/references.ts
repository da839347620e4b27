import { and, desc, eq } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import type { Project, Round } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { newReference } from "#server/platform/references.ts";

/**
 * A reference belongs to one purchase. It is given to whoever agrees to the terms of an open project, and an approval
 * retires it, unless lots are still held under it, so that the next purchase gets another. A rejection leaves it: a
 * clearer receipt is for the same transfer.
 */

type Buyer = { projectId: number; userId: string };

const isOf = ({ projectId, userId }: Buyer) =>
  and(eq(paymentReferences.projectId, projectId), eq(paymentReferences.userId, userId));

/** A payment that passed on to another keeps its reference, which stays the old holder's. */
const isPendingOfReference = and(
  eq(projectPayments.reference, paymentReferences.reference),
  eq(projectPayments.userId, paymentReferences.userId),
  eq(projectPayments.status, "pending"),
);

/**
 * The caller's reference: that of the pending payment, else the one in use; null without any. All of the caller's are
 * locked, so that their submissions run one by one.
 */
export async function findReference(tx: Tx, ctx: ActorContext, project: Project) {
  const given = await tx
    .select({
      id: paymentReferences.id,
      reference: paymentReferences.reference,
      round: paymentReferences.round,
      termsVersion: paymentReferences.termsVersion,
      siteTerms: paymentReferences.siteTerms,
      agreedAt: paymentReferences.agreedAt,
      lots: paymentReferences.lots,
      lotPriceKobo: paymentReferences.lotPriceKobo,
      retiredAt: paymentReferences.retiredAt,
      pendingId: projectPayments.id,
    })
    .from(paymentReferences)
    .leftJoin(projectPayments, isPendingOfReference)
    .where(isOf({ projectId: project.id, userId: ctx.actor.id }))
    .orderBy(desc(paymentReferences.id))
    .for("update", { of: paymentReferences });
  return given.find(({ pendingId }) => pendingId !== null) ?? given.find(({ retiredAt }) => retiredAt === null) ?? null;
}

export type Purchase = NonNullable<Awaited<ReturnType<typeof findReference>>>;

/** True if the purchase was agreed to for this round, at its current price and terms. */
export const hasAgreedTo = (purchase: Purchase | null, { round, termsVersion, lotPriceKobo }: Round): boolean =>
  purchase?.round === round && purchase.termsVersion === termsVersion && purchase.lotPriceKobo === lotPriceKobo;

type Agreed = { project: Project; round: Round; lots: number; siteTerms: string; isAnew: boolean };

/**
 * Keeps what the caller agreed to: lots of the round, their price, its terms and the site's. Gives the reference, a new one
 * if none is in use. With `isAnew` it is another purchase than one of the same lots and terms that was decided before. The
 * caller makes sure that the project is open.
 */
export async function agreeToTerms(
  tx: Tx,
  ctx: ActorContext,
  { project, round, lots, siteTerms, isAnew }: Agreed,
): Promise<string> {
  const at = ctx.clock.now();
  const { termsVersion, lotPriceKobo } = round;
  const agreement = { round: round.round, termsVersion, lotPriceKobo, lots, siteTerms, agreedAt: at };
  for (;;) {
    const current = await findReference(tx, ctx, project);
    if (current) {
      const isSame = hasAgreedTo(current, round) && current.lots === lots && current.siteTerms === siteTerms;
      if (isAnew || !isSame) {
        await tx.update(paymentReferences).set(agreement).where(eq(paymentReferences.id, current.id));
      }
      return current.reference;
    }
    // Nothing is inserted if another press was faster or the reference is taken, so the loop looks again.
    await tx
      .insert(paymentReferences)
      .values({
        projectId: project.id,
        userId: ctx.actor.id,
        reference: newReference(ctx.site.current().referencePrefix),
        createdAt: at,
        ...agreement,
      })
      .onConflictDoNothing();
  }
}
