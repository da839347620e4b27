import { postPaymentMatch } from "#server/books/events/matches.ts";
import { readMoney } from "#server/books/places.ts";
import type { Tx } from "#server/db/open.ts";
import { findCredit, reasonsOfCredit, requireCredit } from "#server/features/bank/matching/credits.ts";
import { notifyMoneyGone } from "#server/features/payments/review/arrivals.ts";
import { AppError } from "#server/platform/errors.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { bankTexts, wallTexts as texts } from "#shared/bank/texts.ts";
import { type Given, partKind, type Undoing } from "./kind.ts";
import { describePayment, paymentOf, whoseIs } from "./payment.ts";
import { unclaimIfNoneLeft } from "./unclaim-hold.ts";

type TakenBack = Extract<LinePart, { kind: "taken_back" }>;

/** Money of a payment that the bank took back. */
export const takenBackPart = partKind({
  makes: "taken_back",
  explains: "money_out",
  names: ({ paymentId }: TakenBack) => ({ paymentIds: [paymentId] }),
  require: async (tx, { line, part, locked }: Given<TakenBack>) => {
    const payment = locked.payments.get(part.paymentId);
    if (!payment) throw new AppError("conflict", bankTexts.paymentGone);
    const before = await readMoney(tx, payment);
    const { arrivedKobo } = before;
    if (part.amountKobo > arrivedKobo) throw new AppError("conflict", bankTexts.moreThanArrived(arrivedKobo));
    await requireCredit(tx, { line, part });
    return { payment, before };
  },
  matches: ({ part }, { payment }) => [
    { kind: "taken_back", paymentId: payment.id, creditMatchId: part.creditMatchId },
  ],
  post: async (tx, by, { target: { payment, before }, made }) => {
    for (const match of made) await postPaymentMatch(tx, by, { match, payment, before, isUndone: false });
  },
  followUp: async (tx, by, { given: { reason }, target: { payment }, made }) => {
    await unclaimIfNoneLeft(tx, payment, by.clock.now());
    if (payment.status !== "approved") return;
    for (const match of made) await notifyMoneyGone(tx, by, { payment, match, gone: "taken_back", reason });
  },
  whose: ({ paymentId }, { locked }) => whoseIs(locked.payments.get(paymentId)),
  reasons: whyByTwo,
  describe: (db, { paymentId }) => describePayment(db, paymentId),
  consequence: "An approved payment stays approved without its money, which is missing until it comes again.",
});

async function whyByTwo(
  tx: Tx,
  { line, part, locked }: Pick<Given<TakenBack>, "line" | "part" | "locked">,
): Promise<string[]> {
  const payment = locked.payments.get(part.paymentId);
  const credit = await findCredit(tx, part);
  if (!payment || !credit) return [];
  const { reference, status } = payment;
  const reasons: string[] = [];
  if (status === "approved") reasons.push(texts.takenBack(reference));
  else if (status !== "pending") reasons.push(texts.takenBackOfDecided(reference));
  return [...reasons, ...reasonsOfCredit(line, credit)];
}

export const takenBackUndoing: Undoing = {
  undo: (tx, ctx, undone) => postPaymentMatch(tx, ctx, { match: undone.match, ...paymentOf(undone), isUndone: true }),
};
