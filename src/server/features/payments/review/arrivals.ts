import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { mailOwners } from "#server/accounts/owners/mail-owners.ts";
import { type PaymentMoney, placesOf, readMoney } from "#server/books/places.ts";
import { readRoundMoney } from "#server/books/rounds.ts";
import { rows, type Tx } from "#server/db/open.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";
import { type NotifyDeps, notify } from "#server/features/notifications/service.ts";
import { type Payment, promiseReview, writePayment } from "#server/features/payments/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { findHolidays } from "#server/platform/holidays.ts";
import { bankTexts, wallTexts } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { arrivalOf, restDeadline } from "#shared/payments/texts.ts";
import { approvalNeed, findUnseenLimit, lockUnseenLimit } from "./approval.ts";
import { anothersTransferNotice, arrivedNotice, goneNotice, goneOwnersMail, keptNotice } from "./arrival-emails.ts";

/** The steps of a payment once the bank's statement shows its transfer, with a receipt or without. */

/**
 * Makes the payment of a purchase that somebody agreed to under a reference, because their transfer was seen before a
 * receipt came. The caller locks the project. Throws "conflict" if the reference is retired, the account of whoever agreed is
 * closed, a payment of it is there, or the person has another pending payment for the project.
 */
export async function makePaymentOfReference(
  tx: Tx,
  { project, reference, at }: { project: { id: number; title: string }; reference: string; at: Date },
): Promise<Payment> {
  const ofReference = eq(paymentReferences.reference, reference);
  // The person before the reference, as when they buy themselves. Whose reference it is never changes.
  const whose = tx.select({ userId: paymentReferences.userId }).from(paymentReferences).where(ofReference);
  const [payer] = await tx
    .select({ closedAt: users.closedAt })
    .from(users)
    .where(inArray(users.id, whose))
    .for("share");
  if (payer?.closedAt) throw new AppError("conflict", bankTexts.payerClosed);
  const [agreed] = await tx
    .select()
    .from(paymentReferences)
    .where(and(ofReference, isNull(paymentReferences.retiredAt)))
    .for("update");
  if (!agreed) throw new AppError("conflict", bankTexts.notAgreed);
  const { userId, round, lots, lotPriceKobo, termsVersion, siteTerms, agreedAt } = agreed;
  const isOfPurchase = and(eq(projectPayments.reference, reference), eq(projectPayments.agreedAt, agreedAt));
  const isPending = and(
    eq(projectPayments.projectId, project.id),
    eq(projectPayments.userId, userId),
    eq(projectPayments.status, "pending"),
  );
  const [other] = await tx
    .select({ reference: projectPayments.reference })
    .from(projectPayments)
    .where(or(isOfPurchase, isPending))
    .limit(1);
  if (other) {
    throw new AppError("conflict", other.reference === reference ? bankTexts.lineChanged : bankTexts.otherPending);
  }
  return writePayment(tx, {
    project,
    userId,
    round,
    lots,
    lotPriceKobo,
    termsVersion,
    siteTerms,
    agreedAt,
    reference,
    receiptId: null,
    reviewBy: null,
    at,
  });
}

/**
 * Makes sure that money matched to a payment may be taken from it again, which leaves it `after`. Throws "conflict" if
 * it was given back, or if one owner alone would leave more approved without money than one approves.
 */
export async function requireMoneyMayLeave(
  tx: Tx,
  ctx: Pick<ActorContext, "actor" | "clock">,
  payment: Payment,
  { before, after, isConfirmed }: { before: PaymentMoney; after: PaymentMoney; isConfirmed: boolean },
): Promise<void> {
  if (after.arrivedKobo < 0n) throw new AppError("conflict", bankTexts.givenBack);
  const isLess = placesOf(after).missingKobo > placesOf(before).missingKobo;
  if (isConfirmed || payment.status !== "approved" || !isLess) return;
  await lockUnseenLimit(tx, ctx);
  if (approvalNeed(after, await findUnseenLimit(tx, ctx, { except: payment.id })) === "second_person") {
    throw new AppError("conflict", bankTexts.approvedByIt);
  }
}

/**
 * Returns the reasons why taking money from an approved payment needs two people: its round's money went to the farm,
 * or a harvest opened with it. Returns none for money beyond its amount. Throws "conflict" once the round was settled.
 */
export async function listTwoPersonReasons(
  tx: Tx,
  payment: Payment,
  { before, after }: { before: PaymentMoney; after: PaymentMoney },
): Promise<string[]> {
  if (payment.status !== "approved" || placesOf(after).missingKobo <= placesOf(before).missingKobo) return [];
  const [round] = await rows<{ projectId: number; round: number; isSettled: boolean; hasOpened: boolean }>(
    tx,
    sql`select t.project_id as "projectId", t.round, exists (
        select from settlements s join harvests h on h.id = s.harvest_id
        where h.project_id = t.project_id and h.round = t.round and s.reversed_at is null
      ) as "isSettled", exists (
        select from round_weights w where w.project_id = t.project_id and w.round = t.round
      ) as "hasOpened"
      from ledger_transactions t
      where t.payment_id = ${payment.id} and t.kind = 'approval'
        and not exists (select from ledger_transactions r where r.reverses_id = t.id)`,
  );
  if (!round) throw new Error(`payment ${payment.id} is approved but has no standing posting`);
  if (round.isSettled) throw new AppError("conflict", wallTexts.roundSettled);
  const { releasedKobo } = await readRoundMoney(tx, round);
  return [
    ...(releasedKobo > 0n ? [wallTexts.released(payment.projectTitle)] : []),
    ...(round.hasOpened ? [wallTexts.harvestOpened(payment.projectTitle)] : []),
  ];
}

type Gone = {
  payment: Payment;
  match: { id: number; amountKobo: Kobo };
  gone: "taken_back" | "undone";
  reason: string | null;
};

/** Tells the backer of an approved payment, and all owners, that money of it isn't there any more. */
export async function notifyMoneyGone(
  tx: Tx,
  deps: NotifyDeps,
  { payment, match: { id, amountKobo }, gone, reason }: Gone,
): Promise<void> {
  const facts = { site: deps.site.current(), ...payment };
  const eventKey = `match:${id}:${gone}`;
  await notify(tx, deps, {
    ...goneNotice(facts, { goneKobo: amountKobo, gone }),
    userIds: [payment.userId],
    kind: "payment_status",
    projectId: payment.projectId,
    eventKey,
  });
  await mailOwners(tx, deps, {
    eventKey: `${eventKey}:owners`,
    isUrgent: false,
    write: ({ fullName }) => goneOwnersMail(facts, { fullName, goneKobo: amountKobo, gone, reason }),
  });
}

/**
 * Tells the backer what has arrived of a pending payment, when a line of the bank was matched with it; `isFound` if an
 * owner found whose it is.
 */
export async function notifyArrival(
  tx: Tx,
  deps: NotifyDeps,
  { payment, matchId, at, isFound }: { payment: Payment; matchId: number; at: Date; isFound: boolean },
): Promise<void> {
  const { arrivedKobo } = await readMoney(tx, payment);
  if (arrivalOf({ ...payment, arrivedKobo }).kind !== "part") await promiseReview(tx, deps, payment, at);
  const restBy = restDeadline(at, await findHolidays(tx));
  const arrival = { arrivedKobo, hasReceipt: payment.currentReceiptId !== null, isFound, restBy };
  const notice = arrivedNotice({ site: deps.site.current(), ...payment }, arrival);
  if (!notice) return;
  await notify(tx, deps, {
    ...notice,
    userIds: [payment.userId],
    kind: "payment_status",
    projectId: payment.projectId,
    eventKey: `match:${matchId}:arrived`,
  });
}

/**
 * Tells the backer of an approved payment if with a match so little came beyond it that it is kept. `before`: its money
 * before.
 */
export async function notifyKept(
  tx: Tx,
  deps: NotifyDeps,
  { payment, before, matchId }: { payment: Payment; before: PaymentMoney; matchId: number },
): Promise<void> {
  const { keptKobo } = placesOf(await readMoney(tx, payment));
  if (keptKobo <= placesOf(before).keptKobo) return;
  await notify(tx, deps, {
    ...keptNotice({ site: deps.site.current(), ...payment }, keptKobo),
    userIds: [payment.userId],
    kind: "payment_status",
    projectId: payment.projectId,
    eventKey: `match:${matchId}:kept`,
  });
}

/** Tells a backer who was told to need no receipt that the transfer was another's. */
export async function notifyOfAnothersTransfer(
  tx: Tx,
  deps: NotifyDeps,
  { payment, matchId }: { payment: Payment; matchId: number },
): Promise<void> {
  if (payment.currentReceiptId !== null) return;
  await notify(tx, deps, {
    ...anothersTransferNotice({ site: deps.site.current(), ...payment }),
    userIds: [payment.userId],
    kind: "payment_status",
    projectId: payment.projectId,
    eventKey: `match:${matchId}:undone`,
  });
}
