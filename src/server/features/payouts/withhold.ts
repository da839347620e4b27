import { eq } from "drizzle-orm";
import type { z } from "zod";
import { lockOwners } from "#server/accounts/owners/second-owner.ts";
import { inTransaction } from "#server/db/open.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { notifyOwners } from "#server/features/notifications/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { withholdPayoutInput } from "#shared/payouts/inputs.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { withheldNotice } from "./emails.ts";
import { isWithheldPayout, lockPayouts } from "./service.ts";

/**
 * Keeps a payout out of runs until two owners let it go, and tells the other owners. It is owed and promised as before.
 * Throws "conflict" if it is in a run, was sent or cancelled, or is withheld already.
 */
export async function withholdPayout(
  ctx: ActorContext,
  { payoutId, reason }: z.output<typeof withholdPayoutInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const at = ctx.clock.now();
    const [payout] = await lockPayouts(tx, [payoutId]);
    if (!payout) throw new AppError("not_found", payoutTexts.gone);
    if (payout.state !== "waiting" && payout.state !== "due") throw new AppError("conflict", texts.withholdable);
    if (isWithheldPayout(payout)) throw new AppError("conflict", texts.withheldAlready);
    await lockOwners(tx, ctx, "share");
    await tx
      .update(payouts)
      .set({ withheldAt: at, withheldBy: ctx.actor.id, withheldReason: reason, letGoRequestId: null })
      .where(eq(payouts.id, payoutId));
    const { amountKobo, projectTitle, reference } = payout;
    const auditId = await recordAudit(tx, ctx, "withhold_payout", {
      payoutId,
      reference,
      amountKobo: amountKobo.toString(),
      reason,
    });
    await notifyOwners(tx, ctx, {
      ...withheldNotice({
        site: ctx.site.current(),
        by: ctx.actor.fullName,
        amountKobo,
        projectTitle,
        reference,
        reason,
      }),
      but: ctx.actor.id,
      projectId: null,
      eventKey: `payout:${payoutId}:withheld:${auditId}`,
    });
  });
}
