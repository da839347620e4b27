import type { Tx } from "#server/db/open.ts";
import type { LockedPayment, Payment, Receipt } from "#server/features/payments/service.ts";
import { hasRefundDue } from "#server/features/payments/unallocated/queries.ts";
import { findOwnHold, type Hold } from "#server/features/projects/holds/queries.ts";
import { endLapsedHolds } from "#server/features/projects/holds/service.ts";
import { findHarvestRefusal } from "#server/features/projects/rounds/queries.ts";
import { freeLots, hasRoomFor, type Project, type Round } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { writeOffTexts } from "#shared/second-person/texts.ts";
import { findApproverInRound } from "./queries.ts";

/** The place of an approval. `hold` is the payment's own hold, or the offer to its payer; it is used up. */
export type Target = { project: Project; round: Round; hold: Hold | undefined };

/**
 * True if approving the payment uses the hold up: it is an offer to the payer, or the hold that the receipt is for. After a
 * rejection the payer may hold other lots under the same reference.
 */
const isUsedBy = (hold: Hold, payment: Payment, receipt: Receipt | null): boolean =>
  hold.reference === null ||
  (hold.reference === payment.reference &&
    hold.lots === payment.lots &&
    hold.createdAt <= (receipt ?? payment).createdAt);

/** Throws "conflict" once the first harvest of the round has opened: from then on its backings are frozen. */
export async function requireNoHarvest(tx: Tx, asked: Parameters<typeof findHarvestRefusal>[1]): Promise<void> {
  const refusal = await findHarvestRefusal(tx, asked);
  if (refusal !== null) throw new AppError("conflict", refusal);
}

/**
 * Finds the room for an approval: the payment's own round, with that many lots free. Throws "conflict" if the project was
 * deleted, the round is decided or has a harvest, a refund of the payment stands, it was made under other terms, or too few
 * lots are free.
 */
export async function requireRoom(
  tx: Tx,
  ctx: ActorContext,
  { payment, receipt, project, round }: LockedPayment,
): Promise<Target> {
  if (!project || !round) throw new AppError("conflict", paymentTexts.removedNotApprovable);
  if (round.outcome === "not_funded") throw new AppError("conflict", paymentTexts.notFunded);
  if (round.outcome === "written_off") throw new AppError("conflict", writeOffTexts.writtenOff);
  await requireNoHarvest(tx, round);
  if (await hasRefundDue(tx, payment.id)) throw new AppError("conflict", paymentTexts.refundStands);
  if (payment.termsVersion !== round.termsVersion) throw new AppError("conflict", paymentTexts.otherTerms);
  const settled = await endLapsedHolds(tx, ctx, { project, round });
  const own = await findOwnHold(tx, settled, payment.userId);
  const hold = own && isUsedBy(own, payment, receipt) ? own : undefined;
  const roomForThem = { ...settled, heldLots: settled.heldLots - (hold?.lots ?? 0) };
  if (hasRoomFor(roomForThem, payment.lots)) return { project, round: settled, hold };
  const isWhole = round.lots === 1 && round.approvedLots === 1 && payment.lots === 1;
  if (!isWhole) throw new AppError("conflict", paymentTexts.lotsNotFree(freeLots(roomForThem), payment.lots));
  const approvedBy = await findApproverInRound(tx, round);
  throw new AppError("conflict", paymentTexts.roundTaken(approvedBy ?? "Unknown"));
}
