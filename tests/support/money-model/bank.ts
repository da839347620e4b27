import { bankTexts, payoutLineTexts, wallTexts } from "#shared/bank/texts.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { requireReplacementOpen, undoReturn } from "./came-back.ts";
import { lossNotShownKobo, lowerAgain, requireSaleMayLeave, takeLossBack } from "./harvest-sales.ts";
import { claim, unclaim } from "./holds.ts";
import { replacePapers } from "./papers.ts";
import { cancelPayouts, isSecondBack, matchSureRuns, noHarvest, revertToSent } from "./payouts.ts";
import { requireStillThere } from "./releases.ts";
import { requireNotAgain } from "./sales-taken-back.ts";
import { confirmByTwo } from "./second-person.ts";
import { takeSentBack } from "./senders.ts";
import {
  at,
  balanceKobo,
  keptKobo,
  type LineMatch,
  type Model,
  missingKobo,
  oweBack,
  type Payment,
  Refused,
  require,
  requireStandingLine,
  restKobo,
  saidKobo,
  tell,
  today,
  unallocatedKobo,
} from "./state.ts";
import { isTax, requireTaxOwed, taxOwedKobo } from "./taxes.ts";
import {
  isBeyondUnseen,
  isUnnamed,
  lastCreditOf,
  requireCredit,
  requireMoneyMayLeave,
  requireSmall,
  smallRestOf,
  takesTwo,
  usedUnseenKobo,
  wasOfAnother,
} from "./walls.ts";

/** The bank's statement, and an owner's explanations of it. */

export type Imported = { caller: number; amountsKobo: bigint[] };

/** Lines without our reference: a person has to say what they are. */
export function importLines(model: Model, { caller, amountsKobo }: Imported) {
  require(model, caller, "bank:import");
  const [statement, day] = [model.statements.length, today(model)];
  for (const amountKobo of amountsKobo) {
    const after = balanceKobo(model) + amountKobo;
    const position = model.lines.length;
    model.lines.push({ amountKobo, day, statement, position, balanceKobo: after, gapKobo: 0n, isVoid: false });
  }
  model.statements.push({ importedAt: model.now, day, isVoid: false });
  model.openedOn ??= day;
  model.audit.push("import_statement");
  matchSureRuns(model);
  return { lines: amountsKobo.length };
}

/** By how much more of a payment has arrived with these matches: what was said already doesn't arrive again. */
function arrivingKobo(model: Model, index: number, { byKobo, matches }: { byKobo: bigint; matches: LineMatch[] }) {
  const payment = at(model.payments, index);
  return byKobo + saidKobo({ matches }, payment, index) - saidKobo(model, payment, index);
}

/** The explanations of a line that shows no payout. */
export type OtherMatch = Exclude<
  LineMatch["kind"],
  "payout" | "returned" | "sale" | "sale_taken_back" | "harvest_cost" | "farm_paid_back" | "sent_back"
>;

export type Matching = {
  caller: number;
  line: number;
  payment: number;
  kind: OtherMatch;
  /** "owed" is what is owed of a tax, if the line has as much. */
  share: "rest" | "half" | "more" | "owed";
  /** One owner asks, and the other confirms. */
  isByTwo?: boolean;
};

/** How much of a line a match takes: it is never nothing. */
export function sharedKobo(model: Model, { line, share, kind }: Matching): bigint {
  const rest = restKobo(model, line);
  const owed = share === "owed" && isTax(kind) ? taxOwedKobo(model, kind) : 0n;
  if (owed > 0n && owed < rest) return owed;
  if (share === "more" || rest === 0n) return rest + 1n;
  return share === "half" && rest > 1n ? rest / 2n : rest;
}

export function matchLine(model: Model, args: Matching) {
  const { caller, line, payment: index, kind, isByTwo = false } = args;
  if (!isByTwo) require(model, caller, "bank:import");
  requireStandingLine(model, line);
  const amountKobo = sharedKobo(model, args);
  if (amountKobo > restKobo(model, line)) {
    throw new Refused("conflict", bankTexts.moreThanRest(restKobo(model, line)));
  }
  const isIn = at(model.lines, line).amountKobo > 0n;
  if (kind === "payment" && !isIn) throw new Refused("conflict", bankTexts.onlyIn);
  if (kind !== "payment" && kind !== "operator" && isIn) throw new Refused("conflict", bankTexts.onlyOut);
  if (isTax(kind)) requireTaxOwed(model, kind, amountKobo);
  const isOfPayment = kind === "payment" || kind === "taken_back";
  const about = { payment: isOfPayment ? index : null, payout: null, ...noHarvest };
  const match: LineMatch = { line, kind, ...about, amountKobo, isUndone: false, at: model.now, isByTwo };
  if (kind === "taken_back") {
    const { arrivedKobo } = at(model.payments, index);
    if (amountKobo > arrivedKobo) throw new Refused("conflict", bankTexts.moreThanArrived(arrivedKobo));
    match.credit = requireCredit(model, { line, credit: lastCreditOf(model, index), amountKobo });
  }
  if (!isByTwo) {
    if (kind === "taken_back") throw takesTwo();
    if (wasOfAnother(model, line, isOfPayment ? at(model.payments, index).person : null)) throw takesTwo();
    requireSmall(model, match);
  }
  if (isByTwo) confirmByTwo(model);
  if (isOfPayment) {
    const payment = at(model.payments, index);
    const kept = keptKobo(payment);
    payment.arrivedKobo +=
      kind === "payment"
        ? arrivingKobo(model, index, { byKobo: amountKobo, matches: [...model.matches, match] })
        : -amountKobo;
    // Of a part, or of too much; that all has come is news to whoever sent no receipt.
    const isPart = payment.arrivedKobo > 0n && missingKobo(payment) > 100_00n;
    const isNews = isPart || payment.arrivedKobo > payment.amountKobo;
    if (kind === "payment" && payment.status === "pending") {
      claim(model, payment.reference);
      if (isNews) tell(model, [payment.person], "payment_status");
    }
    if (kind === "payment" && keptKobo(payment) > kept) tell(model, [payment.person], "payment_status");
    if (kind === "taken_back") unclaim(model, payment);
    if (kind === "taken_back" && payment.status === "approved") tell(model, [payment.person], "payment_status");
  }
  model.matches.push(match);
  model.audit.push("match_line");
  return {};
}

export type Undoing = { caller: number; match: number; isByTwo?: boolean };

/** Refused where the money was given back meanwhile, or is due to be. */
export function undoMatch(model: Model, { caller, match: index, isByTwo = false }: Undoing) {
  if (!isByTwo) require(model, caller, "bank:import");
  const match = at(model.matches, index);
  if (match.isUndone) throw new Refused("conflict", bankTexts.matchGone);
  const payment = match.payment === null ? null : at(model.payments, match.payment);
  const byKobo = leavingKobo(model, match);
  const isTakenBack = model.matches.some(({ credit, isUndone }) => credit === index && !isUndone);
  if (isTakenBack) throw new Refused("conflict", wallTexts.creditTakenBack);
  if (match.kind === "payment" && payment) {
    requireMoneyMayLeave(model, payment, { byKobo, isByTwo });
  }
  if (payment && payment.arrivedKobo + byKobo < 0n) throw new Refused("conflict", bankTexts.givenBack);
  if (match.kind === "payment" && payment && !isByTwo) requireSeen(model, caller, { payment, byKobo });
  requireSaleMayLeave(model, match);
  requireNotAgain(model, match);
  requireStillThere(model, match);
  takeSentBack(model, match);
  const lossKobo = lossNotShownKobo(model, match);
  if (!isByTwo && (match.kind === "returned" || lossKobo > 0n)) throw takesTwo();
  if (match.kind === "returned") requireReplacementOpen(model, match);
  const together = explainedTogether(model, match);
  if (together.some((it) => it.isTwice && isSecondBack(model, it.payout))) {
    throw new Refused("conflict", payoutLineTexts.lossMadeGood);
  }
  if (isByTwo) confirmByTwo(model);
  if (payment) {
    payment.arrivedKobo += byKobo;
    if (match.kind === "payment") unclaim(model, payment);
    // Who was told to need no receipt is told that it was another's.
    const isAnothers = payment.status === "pending" && payment.receipts.length === 0 && payment.arrivedKobo <= 0n;
    if (match.kind === "payment" && isAnothers) tell(model, [payment.person], "payment_status");
    if (match.kind === "payment" && payment.status === "approved") tell(model, [payment.person], "payment_status");
  }
  if (match.kind === "returned") undoReturn(model, match);
  takeLossBack(model, match, lossKobo);
  lowerAgain(model, match);
  for (const one of together) {
    one.isUndone = true;
    if (one.kind === "payout" && one.payout !== null && !one.isTwice)
      revertToSent(model, at(model.payouts, one.payout));
  }
  model.audit.push("undo_match");
  if (match.payment !== null && !isByTwo) model.undone.push({ person: caller, payment: match.payment, at: model.now });
  return {};
}

/** One owner leaves no more approved without money than they approve so. */
function requireSeen(model: Model, caller: number, { payment, byKobo }: { payment: Payment; byKobo: bigint }): void {
  const after = { ...payment, arrivedKobo: payment.arrivedKobo + byKobo };
  if (payment.status !== "approved" || missingKobo(after) <= missingKobo(payment)) return;
  const kobo = missingKobo(after) - smallRestOf(after);
  const used = usedUnseenKobo(model, caller, model.payments.indexOf(payment));
  if (kobo > 0n && isBeyondUnseen(model, used + kobo)) throw new Refused("conflict", bankTexts.approvedByIt);
}

/** By how much more of a payment has arrived without a match. */
function leavingKobo(model: Model, match: LineMatch): bigint {
  if (match.payment === null) return 0n;
  if (match.kind !== "payment") return match.amountKobo;
  const matches = model.matches.map((it) => (it === match ? { ...it, isUndone: true } : it));
  return arrivingKobo(model, match.payment, { byKobo: -match.amountKobo, matches });
}

/** A debit of several payouts of one run is one explanation. */
const explainedTogether = (model: Model, match: LineMatch): LineMatch[] => {
  const runOf = ({ payout }: LineMatch) => (payout === null ? null : at(model.payouts, payout).run);
  if (match.kind !== "payout") return [match];
  return model.matches.filter(
    (it) => it.kind === "payout" && it.line === match.line && !it.isUndone && runOf(it) === runOf(match),
  );
};

export type GivingBack = { caller: number; payment: number; isSeen: boolean; isByTwo?: boolean };

/** Returns the unallocated money of a payment as an owner saw it. */
export const seenUnallocatedKobo = (model: Model, { payment, isSeen }: GivingBack): bigint => {
  const held = unallocatedKobo(at(model.payments, payment));
  return isSeen && held > 0n ? held : held + 1n;
};

export function giveUnallocatedBack(model: Model, args: GivingBack) {
  if (!args.isByTwo) require(model, args.caller, "payments:process");
  const payment = at(model.payments, args.payment);
  if (payment.status === "pending") throw new Refused("conflict", paymentTexts.rejectFirst);
  const held = unallocatedKobo(payment);
  if (held === 0n) throw new Refused("conflict", paymentTexts.nothingUnallocated);
  if (held !== seenUnallocatedKobo(model, args)) throw new Refused("conflict", paymentTexts.unallocatedChanged);
  if (!args.isByTwo && isUnnamed(model, args.payment)) throw new Refused("conflict", paymentTexts.unnamed);
  if (args.isByTwo) confirmByTwo(model);
  oweBack(model, payment, held, { isSurplus: payment.status === "approved" });
  model.audit.push("make_refund_due");
  tell(model, [payment.person], "payment_status");
  return {};
}

export function takeRefundBack(model: Model, { caller, refund: index }: { caller: number; refund: number }) {
  require(model, caller, "payments:process");
  const { payment, isTakenBack } = at(model.refunds, index);
  if (isTakenBack) throw new Refused("not_found", paymentTexts.refundGone);
  endRefund(model, index);
  tell(model, [at(model.payments, payment).person], "payment_status");
  return {};
}

/** Gives the due money back to the payment. Refused where a part is on its way. */
export function endRefund(model: Model, index: number): void {
  const refund = at(model.refunds, index);
  const payment = at(model.payments, refund.payment);
  cancelPayouts(model, (it) => it.refund === index, payoutTexts.alreadyOnItsWay);
  refund.isTakenBack = true;
  replacePapers(model, { kind: "refund_note", about: index });
  payment.arrivedKobo += refund.amountKobo;
  payment.dueKobo -= refund.amountKobo;
  model.audit.push("take_refund_back");
}
