import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { type Confirmed, findInWords, subjectOf, whose } from "#server/features/payments/second-person.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { formatNaira } from "#shared/money.ts";
import type { giveHeldBackDetails } from "#shared/second-person/inputs.ts";
import { giveHeldBackTexts } from "#shared/second-person/texts.ts";
import { lockHeld, oweUnallocated } from "./service.ts";

type GiveBack = z.output<typeof giveHeldBackDetails>;

const seenBy = ({ paymentId, seenHeldKobo }: GiveBack) => ({ paymentId, seenHeldKobo: BigInt(seenHeldKobo) });

/** Gives money back of a payment whose payer no line names. */
export const giveHeldBackKind = {
  subjectOf,
  describe: async (db: DbOrTx, { paymentId, seenHeldKobo }: GiveBack) => {
    const payment = await findInWords(db, paymentId);
    if (!payment) return null;
    const { unallocatedKobo, projectId, status } = payment;
    const amount = formatNaira(BigInt(seenHeldKobo));
    return {
      title: giveHeldBackTexts.title(amount, payment.backerName || "a backer"),
      consequences: [
        whose(payment),
        "The bank's line doesn't say whose money it is: one owner matched it to this payment.",
        `A refund of ${amount} is due to them then, and they are emailed.`,
      ],
      isPossible: status !== "pending" && unallocatedKobo === BigInt(seenHeldKobo),
      projectId,
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, details: GiveBack) => void (await lockHeld(tx, seenBy(details))),
  act: async (tx: Tx, ctx: ActorContext, { details, requestId }: Confirmed<GiveBack>): Promise<void> =>
    oweUnallocated(tx, ctx, { ...(await lockHeld(tx, seenBy(details))), requestId }),
};
