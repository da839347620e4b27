import { wallLimits, wallTexts } from "#shared/bank/texts.ts";
import { paymentLimits } from "#shared/payments/texts.ts";
import { releasedKobo } from "./releases.ts";
import { areTwoOwners, at, type LineMatch, type Model, missingKobo, type Payment, Refused } from "./state.ts";

/** Refuses matches that take two people. No line has our references, and none calls itself a reversal. */

export const takesTwo = () => new Refused("conflict", "takes two");

/**
 * Returns true if a line was matched with somebody's approved payment that misses its money since, and isn't given back
 * to them.
 */
export const wasOfAnother = (model: Model, line: number, person: number | null): boolean => {
  const lost = model.matches
    .filter((it) => it.line === line && it.kind === "payment" && it.isUndone && it.payment !== null)
    .map(({ payment }) => at(model.payments, payment ?? -1))
    .filter((payment) => payment.status === "approved" && missingKobo(payment) > 0n);
  return lost.length > 0 && !lost.some((payment) => payment.person === person);
};

/** Returns true if one person alone said whose some of a payment's money is. */
export const isUnnamed = (model: Model, payment: number): boolean =>
  model.matches.some(
    (it) => it.kind === "payment" && it.payment === payment && !it.isUndone && !it.isByTwo && !it.isNamed,
  );

const sum = (matches: readonly LineMatch[]): bigint => matches.reduce((all, { amountKobo }) => all + amountKobo, 0n);
const dayMs = 86_400_000;

/** Where no second person was asked: the sums of a kind of money out, with the match that is tried. */
export function requireSmall(model: Model, tried: LineMatch): void {
  const { kind, line } = tried;
  if ((kind !== "bank_charges" && kind !== "operator") || at(model.lines, line).amountKobo > 0n) return;
  const alone = [...model.matches, tried].filter(
    (it) => it.kind === kind && !it.isUndone && !it.isByTwo && at(model.lines, it.line).amountKobo < 0n,
  );
  const ofLine = sum(alone.filter((it) => it.line === line));
  const ofMonth = sum(alone.filter((it) => it.at >= model.now - wallLimits.days * dayMs));
  const isMuch =
    kind === "operator"
      ? ofLine >= secondPersonKobo || ofMonth >= secondPersonKobo
      : ofLine > wallLimits.chargesOfLineKobo || ofMonth > wallLimits.chargesKobo;
  if (isMuch) throw takesTwo();
}

/**
 * Where no second person was asked: costs of harvests that lines show, as far as nobody wrote them down as the
 * platform's.
 */
export function requireWritten(model: Model, tried: LineMatch): void {
  const seen = [...model.matches, tried].filter((it) => it.kind === "harvest_cost" && !it.isUndone && !it.isByTwo);
  const harvests = new Set(seen.map(({ harvest }) => harvest));
  const beyond = [...harvests].map((harvest) => {
    const written = model.costs.filter((it) => it.harvest === harvest && it.paidBy === "platform" && !it.isRemoved);
    const kobo =
      sum(seen.filter((it) => it.harvest === harvest)) - written.reduce((all, { amountKobo }) => all + amountKobo, 0n);
    return kobo > 0n ? kobo : 0n;
  });
  if (beyond.reduce((all, kobo) => all + kobo, 0n) >= secondPersonKobo) throw takesTwo();
}

/** Setting secondperson. */
export const secondPersonKobo = 100_000_000n;

/** A missing rest that is so small that an approval writes it off. */
export const smallRestOf = (payment: Payment): bigint => {
  const missing = missingKobo(payment);
  return payment.arrivedKobo > 0n && missing <= paymentLimits.smallRestKobo ? missing : 0n;
};

/**
 * Returns what an owner approved alone in thirty days without the bank's word, and what is missing of approved payments
 * whose match they undid. `except` is a payment that is weighed by what it will miss.
 */
export function usedUnseenKobo(model: Model, person: number, except?: number): bigint {
  const since = model.now - paymentLimits.unseenDays * dayMs;
  const isTheirs = (it: { person: number; at: number }) => it.person === person && it.at > since;
  const undone = new Set(model.undone.filter(isTheirs).map(({ payment }) => payment));
  const missing = [...undone]
    .filter((payment) => payment !== except && at(model.payments, payment).status === "approved")
    .map((payment) => missingKobo(at(model.payments, payment)));
  const approved = model.unseen.filter(isTheirs).map(({ kobo }) => kobo);
  return [...approved, ...missing].reduce((all, kobo) => all + kobo, 0n);
}

/** An owner who is alone has no limit. */
export const isBeyondUnseen = (model: Model, kobo: bigint): boolean => areTwoOwners(model) && kobo >= secondPersonKobo;

/** The last standing credit of a payment: what a debit took back of it names this one. */
export const lastCreditOf = (model: Readonly<Model>, payment: number): number | null => {
  const index = model.matches.findLastIndex((it) => it.kind === "payment" && it.payment === payment && !it.isUndone);
  return index < 0 ? null : index;
};

/** Refuses what a debit can't have taken back of a credit, and gives its place. */
export function requireCredit(
  model: Model,
  { line, credit, amountKobo }: Pick<LineMatch, "line" | "amountKobo"> & { credit: number | null },
): number {
  if (credit === null) throw new Refused("conflict", wallTexts.creditGone);
  const { line: came, amountKobo: brought } = at(model.matches, credit);
  if (at(model.lines, came).day > at(model.lines, line).day) throw new Refused("conflict", wallTexts.creditLater);
  const stands = brought - sum(model.matches.filter((it) => it.credit === credit && !it.isUndone));
  if (amountKobo > stands) throw new Refused("conflict", wallTexts.creditLess(stands));
  return credit;
}

/** Refuses that an approved payment has less of its money, once that was settled, or alone once it was released or opened. */
export function requireMoneyMayLeave(
  model: Model,
  payment: Payment,
  { byKobo, isByTwo }: { byKobo: bigint; isByTwo: boolean },
) {
  const after = missingKobo({ ...payment, arrivedKobo: payment.arrivedKobo + byKobo });
  if (payment.status !== "approved" || after <= missingKobo(payment)) return;
  const key = { project: payment.origin, round: payment.round };
  const isOf = (it: { project: number; round: number }) => it.project === key.project && it.round === key.round;
  const isSettled = model.settlements.some(
    ({ harvest, isReversed }) => !isReversed && isOf(at(model.harvests, harvest)),
  );
  if (isSettled) throw new Refused("conflict", wallTexts.roundSettled);
  if (!isByTwo && (releasedKobo(model, key) > 0n || model.roundWeights.some(isOf))) throw takesTwo();
}
