import { eq } from "drizzle-orm";
import type { z } from "zod";
import { paymentStrikes } from "#server/db/schema/strikes.ts";
import { listEvidence } from "#server/features/payments/evidence/queries.ts";
import { findStrikeRefusal } from "#server/features/payments/strikes/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { paymentIdInput } from "#shared/payments/inputs.ts";

/**
 * What is read of one payment once it is opened: why it can't be struck (null if it can), its strike, and the files by which owners
 * decided on it. Throws "not_found".
 */
export async function readDetails(ctx: ActorContext, { paymentId }: z.output<typeof paymentIdInput>) {
  const [struck] = await ctx.db
    .select({ lostKobo: paymentStrikes.lostKobo, reason: paymentStrikes.reason, struckAt: paymentStrikes.createdAt })
    .from(paymentStrikes)
    .where(eq(paymentStrikes.paymentId, paymentId));
  return {
    strikeRefusal: await findStrikeRefusal(ctx.db, paymentId),
    struck: struck ?? null,
    evidence: await listEvidence(ctx, paymentId),
  };
}
