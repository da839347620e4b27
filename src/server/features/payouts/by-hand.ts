import { eq } from "drizzle-orm";
import type { z } from "zod";
import { lockOwners } from "#server/accounts/owners/second-owner.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { closeRun } from "#server/features/payouts/runs/close.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { markPaidInput } from "#shared/payouts/inputs.ts";
import { payoutRunTexts } from "#shared/payouts/runs-texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { notifyPaid } from "./notices.ts";
import { lockPayouts } from "./service.ts";

/**
 * An owner has seen at the bank that a payout left, and names the bank's session id. It posts nothing, because the line
 * will. Throws "conflict" if the payout isn't on its way, or another was marked with this session id.
 */
export async function payByHand(
  ctx: ActorContext,
  { payoutId, sessionId, reason }: z.output<typeof markPaidInput>,
): Promise<void> {
  const markPaid = async (tx: Tx) => {
    const at = ctx.clock.now();
    const [payout] = await lockPayouts(tx, [payoutId]);
    if (!payout) throw new AppError("not_found", payoutTexts.gone);
    if (payout.state === "paid") {
      throw new AppError("conflict", payout.paidBy ? payoutTexts.markedAlready : payoutTexts.seenAlready);
    }
    if (payout.state !== "sent") throw new AppError("conflict", payoutTexts.notSent);
    const paid = {
      state: "paid" as const,
      paidAt: at,
      paidBy: ctx.actor.id,
      paidSessionId: sessionId,
      paidReason: reason,
    };
    await tx.update(payouts).set(paid).where(eq(payouts.id, payout.id));
    await closeRun(tx, payout, at);
    await lockOwners(tx, ctx, "share");
    const { amountKobo, reference } = payout;
    await recordAudit(tx, ctx, "mark_payout_paid", {
      payoutId,
      reference,
      amountKobo: amountKobo.toString(),
      sessionId,
      reason,
    });
    await notifyPaid(tx, ctx, [payout], null);
  };
  try {
    await inTransaction(ctx.db, markPaid);
  } catch (error) {
    if (!isUniqueViolation(error, "payouts_session_id_key")) throw error;
    const text = payoutRunTexts.sessionIdTaken;
    throw new AppError("conflict", text, { fields: { sessionId: [text] }, cause: error });
  }
}
