import { eq } from "drizzle-orm";
import type { z } from "zod";
import { refuseOwnMoney } from "#server/accounts/owner-terms.ts";
import { lockOwners } from "#server/accounts/second-owner.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { payoutIdInput } from "#shared/payouts/inputs.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { refundTransferredTexts as texts } from "#shared/second-person/texts.ts";
import { tellReleased } from "./notices.ts";
import { lockPayouts, type Payout, promiseFor } from "./service.ts";

/**
 * Refunds that were owed before anybody could pay them here. Somebody may have transferred them by hand, so none of them is
 * due before an owner has looked: one releases it, or two say that it was transferred (second-person.ts).
 */

/** Throws "not_found", or "conflict" if somebody has looked at it. */
export async function lockUnchecked(tx: Tx, payoutId: number): Promise<Payout> {
  const [payout] = await lockPayouts(tx, [payoutId]);
  if (!payout) throw new AppError("not_found", payoutTexts.gone);
  const isOpen = payout.isFromBefore && payout.checkedAt === null && payout.state === "waiting";
  if (!isOpen) throw new AppError("conflict", texts.notFromBefore);
  return payout;
}

/**
 * An owner has looked: the refund was not transferred. It is due from now on if it is known where to, and its backer is told.
 * Throws "not_found", or "conflict" if somebody has looked already.
 */
export async function releaseEarlierRefund(
  ctx: ActorContext,
  { payoutId }: z.output<typeof payoutIdInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { userId, amountKobo, reference } = await lockUnchecked(tx, payoutId);
    if (userId === null) throw new Error("an earlier refund to nobody");
    await refuseOwnMoney(tx, ctx, { userId, hasReason: true });
    const at = ctx.clock.now();
    const promise = await promiseFor(tx, { userId }, at);
    await lockOwners(tx, ctx, "share");
    const [released] = await tx
      .update(payouts)
      .set({ ...promise, checkedAt: at })
      .where(eq(payouts.id, payoutId))
      .returning();
    if (!released) throw new Error("the payout was not released");
    await recordAudit(tx, ctx, "release_earlier_refund", { payoutId, reference, amountKobo: amountKobo.toString() });
    await tellReleased(tx, ctx, released);
  });
}
