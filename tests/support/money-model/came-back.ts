import { payoutTexts } from "#shared/payouts/texts.ts";
import { accountOf, followAccount, isSeen, oweMore } from "./payouts.ts";
import { at, currentAccount, type LineMatch, type Model, Refused, readersOf, tell } from "./state.ts";

/** It wasn't this payout that came back, as two people say. */

/** Refused where its sum goes on elsewhere: only a payout that is waiting or due is cancelled. */
export function requireReplacementOpen(model: Model, match: LineMatch): void {
  if (!isFailedBy(model, match)) return;
  const next = replacementOf(model, match.payout ?? -1);
  const isOpen = next?.state === "waiting" || next?.state === "due";
  // After a change of holder it is owed to somebody else.
  if (!isOpen || next.payee !== at(model.payouts, match.payout ?? -1).payee)
    throw new Refused("conflict", payoutTexts.replacedSince);
}

/** The payout is sent or paid as before, and an account that was forgotten with it is used again if no other was given. */
export function undoReturn(model: Model, match: LineMatch): void {
  if (!isFailedBy(model, match)) return;
  const index = match.payout ?? -1;
  const payout = at(model.payouts, index);
  const next = replacementOf(model, index);
  if (next) next.state = "cancelled";
  const { failedAt, isByHand } = payout;
  const isPaid = isByHand || model.matches.some((it) => isDebitOf(it, index));
  Object.assign(payout, { state: isPaid ? "paid" : "sent", failedAt: null });
  oweMore(model, payout, -payout.amountKobo);
  const account = accountOf(model, payout);
  if (currentAccount(model, payout.payee) === null && account.isReplaced && account.replacedAt === failedAt) {
    account.isReplaced = false;
    followAccount(model, payout.payee);
  }
  const run = at(model.runs, payout.run ?? -1);
  if (!isPaid && run.state === "closed") run.state = "exported";
  tell(model, readersOf(model, payout), "payment_status");
}

const isDebitOf = ({ kind, payout, isTwice, isUndone }: LineMatch, index: number): boolean =>
  kind === "payout" && payout === index && !isTwice && !isUndone;

const replacementOf = (model: Model, index: number) =>
  model.payouts.find(({ replaces, state }) => replaces === index && state !== "cancelled");

/** Returns true if the match is what failed its payout: nobody had said before that it never left. */
function isFailedBy(model: Model, { payout: index, isOfSecond }: LineMatch): boolean {
  const payout = at(model.payouts, index ?? -1);
  return !isOfSecond && payout.state === "failed" && !payout.isFailedByPeople && isSeen(model, index ?? -1, "returned");
}
