import { eq } from "drizzle-orm";
import type { z } from "zod";
import { projectPayments } from "#server/db/schema/payments.ts";
import { agreedTexts } from "#server/db/schema/site.ts";
import { paymentStrikes } from "#server/db/schema/strikes.ts";
import { listEvidence } from "#server/features/payments/evidence/queries.ts";
import { findStrikeRefusal } from "#server/features/payments/strikes/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { paymentIdInput } from "#shared/payments/inputs.ts";

/**
 * Reads what the table doesn't show of an opened payment: why it can't be struck (null if it can), its strike, the
 * site's terms, and the files by which owners decided on it. Throws "not_found".
 */
export async function readDetails(ctx: ActorContext, { paymentId }: z.output<typeof paymentIdInput>) {
  const [struck] = await ctx.db
    .select({ lostKobo: paymentStrikes.lostKobo, reason: paymentStrikes.reason, struckAt: paymentStrikes.createdAt })
    .from(paymentStrikes)
    .where(eq(paymentStrikes.paymentId, paymentId));
  const [siteTerms] = await ctx.db
    .select({ sha256: agreedTexts.sha256, version: agreedTexts.version, agreedAt: projectPayments.agreedAt })
    .from(projectPayments)
    .innerJoin(agreedTexts, eq(agreedTexts.sha256, projectPayments.siteTerms))
    .where(eq(projectPayments.id, paymentId));
  return {
    /** The site's terms that its payer agreed to; null for a payment that was made without them. */
    siteTerms: siteTerms ?? null,
    strikeRefusal: await findStrikeRefusal(ctx.db, paymentId),
    struck: struck ?? null,
    evidence: await listEvidence(ctx, paymentId),
  };
}
