import { surplusTexts as texts } from "#shared/payments/surplus-texts.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { permissionsOf } from "#shared/permissions.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { endRefund } from "./bank.ts";
import { claim, freeLots, place } from "./holds.ts";
import { findProject, type Look, newPayment, referenceOf, seenTerms } from "./payments.ts";
import {
  allowedLots,
  at,
  keptKobo,
  type LineMatch,
  type Model,
  outcomeOf,
  oweBack,
  Refused,
  requireSignedIn,
  roundOf,
  tell,
  unallocatedKobo,
} from "./state.ts";
import { requireMoneyMayLeave, takesTwo } from "./walls.ts";

/** The surplus of an approved payment pays for other lots of its round, because its backer wants so. */

export type UsingSurplus = { caller: number; payment: number; lots: number; look: Look };

/** Refunds of a surplus that nobody has begun to send or withholds, the latest first. */
const openRefunds = (model: Readonly<Model>, payment: number): number[] =>
  [...model.refunds.keys()]
    .filter((refund) => {
      const { payment: of, isSurplus, isTakenBack } = at(model.refunds, refund);
      const payouts = model.payouts.filter((it) => it.refund === refund);
      const isOpen = payouts.every(({ state }) => ["waiting", "due", "failed", "cancelled"].includes(state));
      const isHeld = payouts.some(({ state, isWithheld }) => isWithheld && ["waiting", "due"].includes(state));
      return of === payment && isSurplus && !isTakenBack && isOpen && !isHeld;
    })
    .reverse();

/** Nothing where people only said that money came, or it was struck. */
export function surplusKobo(model: Readonly<Model>, index: number): bigint {
  const payment = at(model.payments, index);
  if (payment.status !== "approved" || payment.wasSaid || payment.lostKobo > 0n) return 0n;
  return openRefunds(model, index).reduce(
    (sum, refund) => sum + at(model.refunds, refund).amountKobo,
    unallocatedKobo(payment),
  );
}

/** The smallest transfer that brought so much: two people said whose it is, and nothing of it was taken back. */
function findTransfer(model: Model, payment: number, amountKobo: bigint): number | undefined {
  const [smallest] = [...model.matches.entries()]
    .filter(
      ([place, it]) =>
        it.kind === "payment" &&
        it.payment === payment &&
        !it.isUndone &&
        (it.isByTwo || it.isNamed) &&
        it.amountKobo >= amountKobo &&
        !model.matches.some(({ credit, isUndone }) => credit === place && !isUndone),
    )
    .sort(([, one], [, other]) => (one.amountKobo < other.amountKobo ? -1 : one.amountKobo > other.amountKobo ? 1 : 0));
  return smallest?.[0];
}

export function useSurplus(model: Model, { caller, payment: index, lots, look }: UsingSurplus) {
  requireSignedIn(model, caller);
  const payment = at(model.payments, index);
  if (payment.person !== caller) throw new Refused("not_found", paymentTexts.gone);
  const { project } = payment;
  if (project === null) throw new Refused("conflict", texts.otherRound);
  const { title, isClosed, round } = findProject(model, project);
  if (isClosed) throw new Refused("conflict", paymentTexts.projectClosed);
  const sold = roundOf(model, project);
  const amountKobo = sold.lotPriceKobo * BigInt(lots);
  requireUsable(model, index, { project, round });
  if (surplusKobo(model, index) < amountKobo) throw new Refused("conflict", texts.tooLittle);
  const transfer = findTransfer(model, index, amountKobo);
  if (transfer === undefined) throw new Refused("conflict", texts.noTransfer);
  const key = { project, round };
  if (model.holdHours === 0 && lots > freeLots(model, key)) {
    throw new Refused("conflict", paymentTexts.lotsLeft(freeLots(model, key)));
  }
  if (seenTerms(model, project, look) !== sold.terms) throw new Refused("conflict", termsTexts.changed);
  const most = allowedLots(model, key, caller);
  if (lots > most) throw new Refused("conflict", paymentTexts.lotsLeft(most));
  const known = referenceOf(model, project, caller);
  const reference = known >= 0 ? known : model.references.length;
  place(model, key, { person: caller, lots, reference, isPaid: true });
  const takenBack = refundsFor(model, index, amountKobo);
  requireLeaving(model, index, { takenBack, transfer });
  const agreed = { round, terms: sold.terms, lots, priceKobo: sold.lotPriceKobo, at: model.now };
  if (known >= 0) at(model.references, reference).agreed = agreed;
  else model.references.push({ project, person: caller, isRetired: false, agreed });
  for (const refund of takenBack) endRefund(model, refund);
  const bought = { project, origin: project, projectTitle: title, person: caller, reference, round, lots, amountKobo };
  const made = { ...newPayment({ ...bought, terms: sold.terms }), sentAt: model.now, arrivedKobo: amountKobo };
  model.payments.push(made);
  moveTransfer(model, { caller, transfer, amountKobo, to: model.payments.length - 1 });
  payment.arrivedKobo -= amountKobo;
  claim(model, reference);
  if (keptKobo(payment) > 0n) tell(model, [caller], "payment_status");
  tell(model, [caller], "payment_status");
  const left = unallocatedKobo(payment);
  if (takenBack.length > 0 && left > 0n) {
    oweBack(model, payment, left, { isSurplus: true });
    model.audit.push("make_refund_due");
    tell(model, [caller], "payment_status");
  }
  model.audit.push("use_surplus");
  const watching = model.people.flatMap((person, it) =>
    permissionsOf(person).includes("payments:view") && !person.isBlocked ? [it] : [],
  );
  tell(model, watching, "receipt_submitted", caller);
  return {};
}

/** As many refunds as the sum needs. */
function refundsFor(model: Model, index: number, amountKobo: bigint): number[] {
  let there = unallocatedKobo(at(model.payments, index));
  return openRefunds(model, index).filter((refund) => {
    const isNeeded = there < amountKobo;
    if (isNeeded) there += at(model.refunds, refund).amountKobo;
    return isNeeded;
  });
}

/** The whole transfer leaves the payment before what is left of it comes again: refused where that takes two. */
function requireLeaving(
  model: Model,
  index: number,
  { takenBack, transfer }: { takenBack: readonly number[]; transfer: number },
): void {
  const payment = at(model.payments, index);
  const backKobo = takenBack.reduce((sum, refund) => sum + at(model.refunds, refund).amountKobo, 0n);
  const byKobo = -at(model.matches, transfer).amountKobo;
  try {
    requireMoneyMayLeave(
      model,
      { ...payment, arrivedKobo: payment.arrivedKobo + backKobo },
      { byKobo, isByTwo: false },
    );
  } catch (error) {
    if (error instanceof Refused && error.message === takesTwo().message) {
      throw new Refused("conflict", texts.needsTwo);
    }
    throw error;
  }
}

/**
 * Returns true if somebody agreed at this very moment to a purchase that was paid for since. Purchases are told apart
 * by when they were agreed to; the model's clock stands still between two commands.
 */
export function hasJustBought(model: Model, { caller, payment }: Pick<UsingSurplus, "caller" | "payment">): boolean {
  const { project } = at(model.payments, payment);
  const known = project === null ? -1 : referenceOf(model, project, caller);
  const isUsed = model.payments.some(({ reference }) => reference === known);
  return known >= 0 && isUsed && at(model.references, known).agreed.at === model.now;
}

/** It has to be approved in the round that is sold, with no other of its backer waiting. */
function requireUsable(model: Model, index: number, { project, round }: { project: number; round: number }): void {
  const payment = at(model.payments, index);
  if (payment.round !== round || outcomeOf(model, project) !== null) {
    throw new Refused("conflict", texts.otherRound);
  }
  if (payment.status !== "approved") throw new Refused("conflict", texts.notApproved);
  const isWaiting = model.payments.some(
    (it) => it.project === project && it.person === payment.person && it.status === "pending",
  );
  if (isWaiting) throw new Refused("conflict", texts.otherPending);
}

/** Its line is matched anew: with what is left of it, and with the new payment. */
function moveTransfer(
  model: Model,
  { caller, transfer, amountKobo, to }: { caller: number; transfer: number; amountKobo: bigint; to: number },
): void {
  const moved = at(model.matches, transfer);
  moved.isUndone = true;
  model.audit.push("undo_match");
  if (moved.payment !== null) model.undone.push({ person: caller, payment: moved.payment, at: model.now });
  const { line, payment: from, kind, payout, sale, harvest, release, amountKobo: wholeKobo } = moved;
  const about = { line, kind, payout, sale, harvest, release, isUndone: false, at: model.now, isNamed: true as const };
  const parts: LineMatch[] = [
    { ...about, payment: from, amountKobo: wholeKobo - amountKobo },
    { ...about, payment: to, amountKobo },
  ];
  model.matches.push(...parts.filter((part) => part.amountKobo > 0n));
  model.audit.push("match_line");
}
