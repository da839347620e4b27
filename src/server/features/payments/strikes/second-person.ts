import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { readRoundMoney } from "#server/books/rounds.ts";
import { readStruckShares } from "#server/books/struck.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { readLeftDue } from "#server/features/harvests/strikes/service.ts";
import { keepEvidenceOf } from "#server/features/payments/evidence/service.ts";
import { findInWords, payerIdOf, subjectOf, whose } from "#server/features/payments/second-person.ts";
import { sumPayouts } from "#server/features/payouts/queries.ts";
import { isDueToFormerHolder } from "#server/features/payouts/strikes.ts";
import { AppError, refusalOf } from "#server/platform/errors.ts";
import { formatNaira } from "#shared/money.ts";
import { strikePaymentDetails } from "#shared/payments/strikes.ts";
import { strikeTexts as texts } from "#shared/payments/strikes-texts.ts";
import { lockStruck, readStruck, requireNoReturn, strikePayment } from "./service.ts";

/** Striking a payment, as two owners say. */

type Strike = z.output<typeof strikePaymentDetails>;

/** Describes a strike in figures, or the reason why it can't be done. */
async function describeOutcome(db: DbOrTx, { paymentId, lostKobo }: Strike) {
  try {
    const struck = await readStruck(db, paymentId);
    const { amountKobo, arrivedKobo } = struck;
    const withheldKobo = await requireNoReturn(db, paymentId);
    const takenOut = await readStruckShares(db, struck, struck);
    const sum = (of: (one: (typeof takenOut)[number]) => bigint) => takenOut.reduce((all, one) => all + of(one), 0n);
    const formerKobo = await sumPayouts(db, isDueToFormerHolder(struck));
    const { sentKobo, inRunKobo } = await readLeftDue(db, struck);
    const { owedKobo } = await readRoundMoney(db, struck);
    return {
      isPossible: struck.lostKobo === BigInt(lostKobo),
      consequences: [
        texts.lost(arrivedKobo, amountKobo, struck.lostKobo),
        ...(takenOut.length > 0
          ? [
              texts.notSettled(
                sum(({ netKobo }) => netKobo),
                sum(({ shareKobo }) => shareKobo),
              ),
            ]
          : []),
        ...(formerKobo > 0n ? [texts.formerHolder(formerKobo)] : []),
        ...(sentKobo > 0n ? [texts.stays(sentKobo)] : []),
        ...(inRunKobo > 0n ? [texts.inRun(inRunKobo)] : []),
        ...(withheldKobo > 0n ? [texts.returnWithheld(withheldKobo)] : []),
        ...(owedKobo > 0n ? [texts.stillOwed(owedKobo)] : []),
        ...texts.effects,
      ],
    };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { isPossible: false, consequences: [refusal.message] };
  }
}

export const strikePaymentKind = secondPersonKind({
  schema: strikePaymentDetails,
  concerns: payerIdOf,
  subjectOf,
  describe: async (db, details) => {
    const payment = await findInWords(db, details.paymentId);
    if (!payment) return null;
    const { isPossible, consequences } = await describeOutcome(db, details);
    return {
      title: texts.title(formatNaira(payment.amountKobo), payment.projectTitle),
      consequences: [whose(payment), ...consequences],
      isPossible,
      projectId: payment.projectId,
      fileIds: details.fileIds,
    };
  },
  require: async (tx, ctx, { paymentId, lostKobo, fileIds }) => {
    const { struck } = await lockStruck(tx, paymentId);
    if (struck.lostKobo !== BigInt(lostKobo)) throw new AppError("conflict", texts.changed);
    await keepEvidenceOf(tx, ctx, { paymentId, fileIds });
  },
  act: (tx, ctx, { details, requestId, reason }) =>
    strikePayment(tx, ctx, { ...details, lostKobo: BigInt(details.lostKobo), requestId, reason }),
});
