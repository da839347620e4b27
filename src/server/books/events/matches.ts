import { type PaymentMoney, readMoneyAfter } from "#server/books/places.ts";
import { type LedgerEntry, post } from "#server/books/post.ts";
import type { Tx } from "#server/db/open.ts";
import type { lineMatches } from "#server/db/schema/line-matches.ts";
import type { Clock } from "#server/platform/clock.ts";
import { type PostedPayment, postArrival } from "./payments.ts";

/** The postings of matches, or with `isUndone` the opposite of them. */

type Match = typeof lineMatches.$inferSelect;
/** Who matched, and whose clock says when. */
type By = { clock: Clock; actor: { id: string } };

export const transactionOf = (by: By, { id }: Match, isUndone: boolean) => ({
  kind: isUndone ? ("undone_match" as const) : ("match" as const),
  matchId: id,
  actorId: by.actor.id,
  createdAt: by.clock.now(),
});

type AgainstAccount = { match: Match; account: LedgerEntry["account"]; isOut: boolean; isUndone: boolean };

/** Money of the platform itself, which has one account on the other side of the line. */
export async function postAgainst(tx: Tx, by: By, { match, account, isOut, isUndone }: AgainstAccount): Promise<void> {
  const { lineId, harvestId } = match;
  const out = isOut === isUndone ? -match.amountKobo : match.amountKobo;
  await post(tx, transactionOf(by, match, isUndone), [
    { account: isOut ? "unmatched_out" : "unmatched_in", lineId, amountKobo: -out },
    { account, harvestId, amountKobo: out },
  ]);
}

/** The money of a payment after a match was written, or undone, and before that is posted. */
export function moneyAfter(
  tx: Tx,
  payment: { id: number },
  { kind, amountKobo }: Match,
  { before, isUndone }: { before: PaymentMoney; isUndone: boolean },
): Promise<PaymentMoney> {
  if (kind !== "payment" && kind !== "taken_back") throw new Error(`a match by ${kind} is no money of a payment`);
  return readMoneyAfter(tx, payment, { before, kind, byKobo: isUndone ? -amountKobo : amountKobo });
}

type OfPayment = { match: Match; payment: PostedPayment; before: PaymentMoney; isUndone: boolean };

/** Money that came for a payment, or was taken back of it. `before` is its money before the match was written or undone. */
export async function postPaymentMatch(tx: Tx, by: By, { match, payment, before, isUndone }: OfPayment): Promise<void> {
  const kobo = isUndone ? -match.amountKobo : match.amountKobo;
  const isArrival = match.kind === "payment";
  const account = isArrival ? ("unmatched_in" as const) : ("unmatched_out" as const);
  const from = [{ account, lineId: match.lineId, amountKobo: isArrival ? kobo : -kobo }];
  const transaction = transactionOf(by, match, isUndone);
  const after = await moneyAfter(tx, payment, match, { before, isUndone });
  await postArrival(tx, { payment, transaction, before, after, from });
}

type PaidBack = { match: Match; release: { projectId: number; round: number }; isUndone: boolean };

/** Money that a farm paid back: its round has it again. */
export async function postPaidBack(
  tx: Tx,
  transaction: ReturnType<typeof transactionOf>,
  { match, release: { projectId, round }, isUndone }: PaidBack,
): Promise<void> {
  const kobo = isUndone ? -match.amountKobo : match.amountKobo;
  await post(tx, transaction, [
    { account: "unmatched_in", lineId: match.lineId, amountKobo: kobo },
    { account: "farm_released", projectId, round, amountKobo: -kobo },
  ]);
}

/** Money that goes back to its sender: it is owed to them until a payout is sent. */
export async function postSentBack(tx: Tx, by: By, match: Match, isUndone: boolean): Promise<void> {
  const { lineId } = match;
  const kobo = isUndone ? -match.amountKobo : match.amountKobo;
  await post(tx, transactionOf(by, match, isUndone), [
    { account: "unmatched_in", lineId, amountKobo: kobo },
    { account: "sender_due", lineId, amountKobo: -kobo },
  ]);
}

/** Money between our own accounts, which explains a line that came in and one that went out. */
export async function postOwnTransfer(tx: Tx, by: By, match: Match, isUndone: boolean): Promise<void> {
  const { lineId, counterLineId } = match;
  const kobo = isUndone ? -match.amountKobo : match.amountKobo;
  await post(tx, transactionOf(by, match, isUndone), [
    { account: "unmatched_in", lineId, amountKobo: kobo },
    { account: "unmatched_out", lineId: counterLineId, amountKobo: -kobo },
  ]);
}
