import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { findInWords, payerIdOf, subjectOf, whose } from "#server/features/payments/second-person.ts";
import { formatNaira } from "#shared/money.ts";
import { giveUnallocatedBackDetails } from "#shared/second-person/inputs.ts";
import { giveUnallocatedBackTexts } from "#shared/second-person/texts.ts";
import { lockUnallocated, oweUnallocated } from "./service.ts";

type GiveBack = z.output<typeof giveUnallocatedBackDetails>;

const seenBy = ({ paymentId, seenUnallocatedKobo }: GiveBack) => ({
  paymentId,
  seenUnallocatedKobo: BigInt(seenUnallocatedKobo),
});

/** Gives money back of a payment whose payer no line names. */
export const giveUnallocatedBackKind = secondPersonKind({
  schema: giveUnallocatedBackDetails,
  concerns: payerIdOf,
  subjectOf,
  describe: async (db, { paymentId, seenUnallocatedKobo }) => {
    const payment = await findInWords(db, paymentId);
    if (!payment) return null;
    const { unallocatedKobo, projectId, status } = payment;
    const amount = formatNaira(BigInt(seenUnallocatedKobo));
    return {
      title: giveUnallocatedBackTexts.title(amount, payment.backerName || "a backer"),
      consequences: [
        whose(payment),
        "The bank's line doesn't say whose money it is: one owner matched it to this payment.",
        `A refund of ${amount} is due to them then, and they are emailed.`,
      ],
      isPossible: status !== "pending" && unallocatedKobo === BigInt(seenUnallocatedKobo),
      projectId,
    };
  },
  require: async (tx, _ctx, details) => void (await lockUnallocated(tx, seenBy(details))),
  act: async (tx, ctx, { details, requestId }) =>
    oweUnallocated(tx, ctx, { ...(await lockUnallocated(tx, seenBy(details))), requestId }),
});
