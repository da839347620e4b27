import { formatNaira } from "#shared/money.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { strikeTexts } from "#shared/payments/strikes-texts.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { permissionsOf } from "#shared/permissions.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { declareArrivedTexts } from "#shared/second-person/texts.ts";
import { refuseBegun } from "./harvests.ts";
import {
  extendByReceipt,
  heldNow,
  holdUnder,
  place,
  requireNothingHeld,
  restoreEndAfterRejection,
  roomFor,
  settle,
  stands,
} from "./holds.ts";
import { makeReceipt, replacePapers } from "./papers.ts";
import { closeProject } from "./projects.ts";
import { requireNotReleased } from "./releases.ts";
import { confirmByTwo } from "./second-person.ts";
import {
  allowedLots,
  approvedIn,
  at,
  hasRefund,
  hasRoom,
  isOpened,
  type Model,
  missingKobo,
  type Outcome,
  outcomeOf,
  oweBack,
  type Payment,
  type Project,
  Refused,
  require,
  requireSignedIn,
  roundOf,
  tell,
  unallocatedKobo,
  unsoldLots,
} from "./state.ts";
import { isBeyondUnseen, isUnnamed, secondPersonKobo, smallRestOf, usedUnseenKobo } from "./walls.ts";

/** Buying lots by bank transfer. */

export function findProject(model: Model, project: number): Project {
  const found = at(model.projects, project);
  if (found.isRemoved) throw new Refused("not_found", paymentTexts.projectNotFound);
  return found;
}

const pendingOf = (model: Model, project: number, person: number) =>
  model.payments.find((it) => it.project === project && it.person === person && it.status === "pending");

const inUse = (model: Model, project: number, person: number) =>
  model.references.findIndex((it) => it.project === project && it.person === person && !it.isRetired);

/** The reference of the pending payment, or the one in use; -1 without any. */
export const referenceOf = (model: Model, project: number, person: number): number => {
  const pending = pendingOf(model, project, person)?.reference;
  // Of a payment that passed on it is the old holder's.
  const isTheirs = pending !== undefined && at(model.references, pending).person === person;
  return isTheirs ? pending : inUse(model, project, person);
};

const hasAgreed = (model: Model, project: number, person: number): boolean => {
  const reference = referenceOf(model, project, person);
  if (reference < 0) return false;
  const { agreed } = at(model.references, reference);
  const { terms, lotPriceKobo } = roundOf(model, project);
  return (
    agreed.round === at(model.projects, project).round && agreed.terms === terms && agreed.priceKobo === lotPriceKobo
  );
};

export type Beginning = { caller: number; project: number; lots: number; look: Look };

/** The version of the terms that somebody has read: that of now, or the first. */
export const seenTerms = (model: Model, project: number, look: Look) =>
  look === "now" ? roundOf(model, project).terms : 1;

/** The tick: whoever agreed to the terms of an open project's round has a reference for one purchase, and holds its lots. */
export function begin(model: Model, { caller, project, lots, look }: Beginning) {
  requireSignedIn(model, caller);
  const { isClosed, round } = findProject(model, project);
  if (isClosed) throw new Refused("conflict", paymentTexts.projectClosed);
  const { terms } = roundOf(model, project);
  if (seenTerms(model, project, look) !== terms) throw new Refused("conflict", termsTexts.changed);
  const known = referenceOf(model, project, caller);
  const reference = known >= 0 ? known : model.references.length;
  place(model, { project, round }, { person: caller, lots, reference });
  const agreed = { round, terms, lots, priceKobo: roundOf(model, project).lotPriceKobo, at: model.now };
  if (known >= 0) at(model.references, reference).agreed = agreed;
  else model.references.push({ project, person: caller, isRetired: false, agreed });
  return {};
}

/**
 * Returns true if somebody agreed at this very moment to other terms, or in another round. Purchases are told apart by
 * when they were agreed to, and nobody reads two terms within one moment; the model's clock stands still between two
 * commands.
 */
export function hasJustAgreedToOther(model: Model, { caller, project }: { caller: number; project: number }): boolean {
  const agreed = model.references[referenceOf(model, project, caller)]?.agreed;
  if (agreed?.at !== model.now) return false;
  return agreed.round !== at(model.projects, project).round || agreed.terms !== roundOf(model, project).terms;
}

/** Returns the free lots, within the most for one person and round. */
function mostLots(model: Model, project: number, person: number, round = at(model.projects, project).round): number {
  return Math.min(freeFor(model, { project, round }, person), allowedLots(model, { project, round }, person));
}

const freeFor = (model: Model, key: { project: number; round: number }, person: number): number =>
  unsoldLots(model, key.project, key.round) - heldNow(model, key, (it) => it !== person);

export function visit(model: Model, { caller, project }: { caller: number; project: number }) {
  requireSignedIn(model, caller);
  const { isClosed, round } = findProject(model, project);
  const own = pendingOf(model, project, caller);
  const reference = referenceOf(model, project, caller);
  const isKnown = reference >= 0;
  const key = { project, round };
  const hold = model.holds.find(
    (it) => it.project === project && it.round === round && it.person === caller && stands(model, it),
  );
  const holdsLots = model.holdHours === 0 || (hold !== undefined && hold.reference !== null);
  const isAgreed = hasAgreed(model, project, caller) && holdsLots;
  const queue = model.waiting.filter((it) => it.project === project && it.round === round && it.state === "waits");
  const place = queue.findIndex(({ person }) => person === caller) + 1;
  const latest = model.payments.findLast((it) => it.project === project && it.person === caller);
  const shown = own ?? latest;
  const isSoldToOther = approvedIn(model, project).some((it) => it.person !== caller);
  const free = freeFor(model, key, caller);
  // To wait for them, where none is free.
  const mostToChoose = free > 0 || model.holdHours === 0 ? free : unsoldLots(model, project);
  return {
    lotPriceKobo: roundOf(model, project).lotPriceKobo,
    mostLots: Math.max(1, Math.min(mostToChoose, allowedLots(model, key, caller))),
    hasReference: isKnown,
    hold:
      model.holdHours === 0 && !hold
        ? null
        : {
            own: hold
              ? {
                  lots: hold.lots,
                  until: hold.state === "claimed" ? null : hold.until,
                  isOffer: hold.reference === null,
                }
              : null,
            heldByOthers: heldNow(model, key, (person) => person !== caller),
            place: place || null,
            waiting: queue.length,
          },
    isAccountShown: isAgreed,
    ownStatus: shown?.status ?? null,
    isRefundDue: shown !== undefined && (hasRefund(model, shown) || (shown === own && !hasRoom(model, shown))),
    isOtherUnderReview: model.payments.some(
      (it) => it.project === project && it.person !== caller && it.status === "pending",
    ),
    isTakenByOther: isSoldToOther && unsoldLots(model, project) === 0,
    blockedBy: isClosed ? (isKnown ? null : "closed") : isAgreed ? null : "terms",
  };
}

export type Sending = { caller: number; project: number; lots: number; key: number; receipt: number };

/** The same key gives the same reply and one row; another receipt while one waits takes its place. */
export function submit(model: Model, { caller, project, lots, key, receipt }: Sending) {
  requireSignedIn(model, caller);
  const earlier = model.submits.find((it) => it.person === caller && it.key === key);
  if (earlier) {
    const payment = at(model.payments, earlier.payment);
    if (payment.project !== null && payment.project !== project) {
      throw new Refused("conflict", paymentTexts.keyUsedElsewhere);
    }
    return { payment: earlier.payment, amountKobo: payment.amountKobo, isFirst: false };
  }
  const { title, isClosed } = findProject(model, project);
  const reference = referenceOf(model, project, caller);
  if (reference < 0) throw new Refused("conflict", isClosed ? paymentTexts.projectClosed : termsTexts.tickMissing);
  let payment = pendingOf(model, project, caller);
  requireFewUnderReview(model, caller, payment);
  if (!payment) {
    payment = newPayment({
      project,
      origin: project,
      projectTitle: title,
      person: caller,
      reference,
      ...whatIsBought(model, { caller, project, lots }),
    });
    model.payments.push(payment);
  }
  extendByReceipt(model, reference);
  payment.sentAt = model.now;
  payment.receivedAt ||= model.now;
  payment.receipts.push(receipt);
  const index = model.payments.indexOf(payment);
  model.submits.push({ person: caller, key, payment: index, receipt });
  const watching = model.people.flatMap((person, it) =>
    permissionsOf(person).includes("payments:view") && !person.isBlocked ? [it] : [],
  );
  tell(model, watching, "receipt_submitted", caller);
  return { payment: index, amountKobo: payment.amountKobo, isFirst: true };
}

/** Whoever has paid nothing yet has two receipts under review, and may send another for those. */
function requireFewUnderReview(model: Model, person: number, replaced: Payment | undefined): void {
  const mine = model.payments.filter((it) => it.person === person);
  const isShown = (payment: Payment) =>
    model.matches.some((it) => it.kind === "payment" && !it.isUndone && it.payment === model.payments.indexOf(payment));
  if (mine.some((it) => it.status === "approved" || isShown(it))) return;
  const underReview = mine.filter((it) => it.status === "pending" && it.receipts.length > 0);
  if (underReview.length < 2 || (replaced && underReview.includes(replaced))) return;
  throw new Refused("conflict", paymentTexts.stillLooking(underReview.map(({ projectTitle }) => projectTitle)));
}

/**
 * A receipt is for what was agreed to, at its price, in its round and under its terms. Only where nothing is held and it
 * is still to be had may its sender say another number of lots.
 */
function whatIsBought(
  model: Model,
  { caller, project, lots: wanted }: { caller: number; project: number; lots: number },
) {
  const reference = inUse(model, project, caller);
  const { agreed } = at(model.references, reference);
  const hold = holdUnder(model, reference);
  const isFixed =
    at(model.projects, project).isClosed ||
    !hasAgreed(model, project, caller) ||
    model.holdHours > 0 ||
    (hold !== undefined && stands(model, hold));
  const most = Math.max(agreed.lots, mostLots(model, project, caller, agreed.round));
  if (!isFixed && wanted > most) {
    throw new Refused("conflict", paymentTexts.lotsLeft(mostLots(model, project, caller, agreed.round)));
  }
  const lots = isFixed ? agreed.lots : wanted;
  return { lots, amountKobo: BigInt(lots) * agreed.priceKobo, round: agreed.round, terms: agreed.terms };
}

type Purchase = Pick<
  Payment,
  "project" | "origin" | "projectTitle" | "person" | "lots" | "amountKobo" | "round" | "terms" | "reference"
>;

export const newPayment = (values: Purchase): Payment => ({
  ...values,
  status: "pending",
  sentAt: 0,
  receivedAt: 0,
  arrivedKobo: 0n,
  writtenOffKobo: 0n,
  lostKobo: 0n,
  words: [],
  wasSaid: false,
  approvedAfter: 0,
  approvedFor: values.person,
  dueKobo: 0n,
  reason: null,
  decidedBy: null,
  keepsAddress: false,
  receipts: [],
});

/** An administrator's view when they decide: the payment as it is, or as it was when it came. */
export type Look = "now" | "first";
export const seenOf = (payment: Payment, look: Look) =>
  look === "now"
    ? { status: payment.status, receipt: payment.receipts.at(-1) ?? -1 }
    : { status: "pending" as const, receipt: payment.receipts[0] ?? -1 };

export type Decision = {
  caller: number;
  payment: number;
  status: PaymentStatus;
  look: Look;
  reason?: string;
  /** The reason for approving a payment that the bank doesn't wholly show. */
  unseenReason?: string;
  /** True if the unallocated money of a rejected payment is owed at once. */
  isGivenBack?: boolean;
};

export function setStatus(model: Model, decision: Decision) {
  const { caller, payment: index, status, look, reason } = decision;
  require(model, caller, "payments:process");
  const payment = at(model.payments, index);
  const now = seenOf(payment, "now");
  const seen = seenOf(payment, look);
  if (seen.status !== now.status || seen.receipt !== now.receipt) throw new Refused("conflict", paymentTexts.changed);
  if (status === payment.status) return { status };

  const { project, person, origin } = payment;
  if (payment.lostKobo > 0n) throw new Refused("conflict", strikeTexts.struckAlready);
  if (payment.status === "approved") refuseBegun(model, { project: origin, round: payment.round });
  const hold = status === "approved" ? requireRoom(model, payment) : undefined;
  const writtenOffKobo = status === "approved" ? weighApproval(model, payment, decision) : 0n;
  const isTakenBack = payment.status === "approved";
  if (status === "pending" && project !== null && pendingOf(model, project, person)) {
    throw new Refused("conflict", paymentTexts.otherPending);
  }

  if (isTakenBack) requireNotReleased(model, [payment]);
  if (status === "rejected" && decision.isGivenBack && payment.arrivedKobo > 0n && isUnnamed(model, index)) {
    throw new Refused("conflict", paymentTexts.unnamedRejected);
  }
  if (status === "rejected" && payment.status === "pending") restoreEndAfterRejection(model, payment.reference);
  if (isTakenBack) takeBack(model, payment);
  if (hold) hold.state = "used";
  Object.assign(payment, {
    status,
    reason: status === "rejected" ? (reason ?? null) : null,
    decidedBy: status === "pending" ? null : caller,
    keepsAddress: false,
  });
  model.audit.push("update_payment_status");
  tell(model, [person], "payment_status");
  if (isTakenBack) replacePapers(model, { kind: "receipt", about: index });
  if (status === "approved" && project !== null) {
    makeReceipt(model, index);
    payment.approvedAfter = model.matches.length;
    payment.approvedFor = person;
    payment.writtenOffKobo = writtenOffKobo;
    const held = holdUnder(model, payment.reference);
    if (!held || !stands(model, held)) at(model.references, payment.reference).isRetired = true;
    const free = unsoldLots(model, project, payment.round);
    const leftOut = model.payments.filter(
      (it) =>
        it.project === project &&
        it.round === payment.round &&
        it.status === "pending" &&
        it.person !== person &&
        it.lots > free,
    );
    tell(
      model,
      leftOut.map((it) => it.person),
      "payment_status",
    );
    const { round, isClosed } = at(model.projects, project);
    if (free === 0 && round === payment.round && !isClosed) closeProject(model, project, person);
  }
  const isDue = (status === "approved" && !isUnnamed(model, index)) || (status === "rejected" && decision.isGivenBack);
  const dueKobo = unallocatedKobo(payment);
  if (isDue && dueKobo > 0n) oweBack(model, payment, dueKobo, { isSurplus: status === "approved" });
  if (project !== null) settle(model, { project, round: payment.round });
  return { status };
}

/**
 * A small rest that somebody's bank kept is written off; what is otherwise not in the bank needs a reason, and much of it a
 * second person.
 */
function weighApproval(model: Model, payment: Payment, { caller, unseenReason }: Decision): bigint {
  if (!isOpened(model)) return 0n;
  const small = smallRestOf(payment);
  const kobo = missingKobo(payment) - small;
  if (kobo === 0n) return small;
  const used = usedUnseenKobo(model, caller);
  if (isBeyondUnseen(model, used + kobo)) {
    const [limit, soFar] = [formatNaira(secondPersonKobo), formatNaira(used)];
    throw new Refused("conflict", paymentTexts.needsSecondPerson(limit, soFar));
  }
  if (!unseenReason) throw new Refused("invalid", paymentTexts.unseenReasonMissing);
  model.unseen.push({ person: caller, kobo, at: model.now });
  return small;
}

/** First come, first served: by the lots that are free, in the payment's own round. Gives the payer's hold. */
function requireRoom(model: Model, payment: Payment) {
  const { project, round, lots, terms } = payment;
  if (project === null) throw new Refused("conflict", paymentTexts.removedNotApprovable);
  if (outcomeOf(model, project, round) === "not_funded") throw new Refused("conflict", paymentTexts.notFunded);
  refuseBegun(model, { project, round });
  if (hasRefund(model, payment)) throw new Refused("conflict", paymentTexts.refundStands);
  const sold = roundOf(model, project, round);
  if (terms !== sold.terms) throw new Refused("conflict", paymentTexts.otherTerms);
  settle(model, { project, round });
  const { hold, free } = roomFor(model, { project, round }, payment);
  if (lots <= free) return hold;
  const [approved] = approvedIn(model, project, round);
  if (sold.lots > 1 || lots > 1 || !approved) throw new Refused("conflict", paymentTexts.lotsNotFree(free, lots));
  const decider = at(model.people, approved.decidedBy ?? -1);
  throw new Refused("conflict", paymentTexts.roundTaken(decider.fullName));
}

/** Undoes an approval's write-off, and reuses its reference unless the next purchase has begun. */
function takeBack(model: Model, payment: Payment): void {
  payment.writtenOffKobo = 0n;
  const { project, person, reference } = payment;
  const isTheirs = at(model.references, reference).person === person;
  if (project !== null && isTheirs && inUse(model, project, person) < 0)
    at(model.references, reference).isRetired = false;
}

export type RoundDecision = { caller: number; project: number; outcome: Outcome; look: Look };

/** An owner's decision on the round of a closed project: below its minimum everything is given back. */
export function decideRound(model: Model, { caller, project, outcome, look }: RoundDecision) {
  require(model, caller, "payments:process");
  const { isClosed, round } = findProject(model, project);
  settle(model, { project, round });
  if (!isClosed) throw new Refused("conflict", paymentTexts.roundOpen);
  if (outcomeOf(model, project) !== null) throw new Refused("conflict", paymentTexts.roundDecided);
  requireNothingHeld(model, { project, round });
  const waiting = model.payments.filter(
    (it) => it.project === project && it.round === round && it.status === "pending" && hasRoom(model, it),
  );
  if (waiting.length > 0) throw new Refused("conflict", paymentTexts.paymentsWait(waiting.length));
  const paid = approvedIn(model, project);
  const { lots, minimumLots } = roundOf(model, project);
  const approvedLots = lots - unsoldLots(model, project);
  if (approvedLots !== seenLots(approvedLots, look)) throw new Refused("conflict", paymentTexts.roundChanged);
  if (approvedLots >= minimumLots !== (outcome === "funded")) {
    const isReached = approvedLots >= minimumLots;
    throw new Refused("conflict", isReached ? paymentTexts.minimumReached : paymentTexts.minimumMissed);
  }
  if (outcome === "not_funded") {
    if (paid.some((payment) => payment.lostKobo > 0n)) throw new Refused("conflict", strikeTexts.notGivenBack);
    requireNotReleased(model, paid);
    for (const payment of paid) {
      Object.assign(payment, { status: "rejected", reason: paymentTexts.roundNotFunded, decidedBy: caller });
      replacePapers(model, { kind: "receipt", about: model.payments.indexOf(payment) });
      payment.writtenOffKobo = 0n;
      // Without statements all of it counts as arrived.
      if (!isOpened(model)) say(model, payment, missingKobo(payment));
      if (payment.arrivedKobo > 0n) oweBack(model, payment, payment.arrivedKobo, { isSurplus: false });
      model.audit.push("update_payment_status");
      tell(model, [payment.person], "payment_status");
    }
  }
  roundOf(model, project).decided = outcome;
  model.audit.push("decide_round");
  return {};
}

export type Declaring = { payment: number; amountKobo: bigint };

/** Counts money as arrived because people say so, until a line takes its place. */
function say(model: Model, payment: Payment, amountKobo: bigint): void {
  payment.words.push({ amountKobo, after: model.matches.length });
  payment.wasSaid = true;
  payment.arrivedKobo += amountKobo;
}

/** Two owners say that money of a payment came, which no line shows. Of a rejected one it is due to the backer. */
export function declareArrived(model: Model, { payment: index, amountKobo }: Declaring) {
  const payment = at(model.payments, index);
  if (payment.status === "approved") throw new Refused("conflict", declareArrivedTexts.approved);
  if (hasRefund(model, payment)) throw new Refused("conflict", declareArrivedTexts.refundStands);
  const missing = missingKobo(payment);
  if (missing === 0n) throw new Refused("conflict", declareArrivedTexts.nothingMissing);
  if (amountKobo > missing) throw new Refused("conflict", declareArrivedTexts.tooMuch(formatNaira(missing)));
  say(model, payment, amountKobo);
  if (payment.status === "pending") {
    confirmByTwo(model, "declare_arrived");
    return {};
  }
  confirmByTwo(model, "declare_arrived", "make_refund_due");
  oweBack(model, payment, unallocatedKobo(payment), { isSurplus: false });
  tell(model, [payment.person], "payment_status");
  return {};
}

/** How many approved lots an owner has seen: those of now, or one more. */
export const seenLots = (approvedLots: number, look: Look) => Math.max(1, approvedLots + (look === "now" ? 0 : 1));
