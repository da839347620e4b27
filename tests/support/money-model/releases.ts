import { bankTexts } from "#shared/bank/texts.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { roundReturnTexts } from "#shared/payouts/returns-texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { cancelPayouts, noHarvest } from "./payouts.ts";
import {
  at,
  type LineMatch,
  type Model,
  type Payment,
  Refused,
  require,
  requireStandingLine,
  restKobo,
  tell,
  unseenOf,
} from "./state.ts";
import { takesTwo, wasOfAnother } from "./walls.ts";

/** A funded round's money that goes on to its farm, as far as it has arrived, and what the farm pays back of it. */

export type OfRound = { project: number; round: number };
export type OfPart = OfRound & { part: number };
/** `ask` is what it was asked for with, by its place; null where the round's terms name no parts. */
export type Release = OfPart & { ask: number | null; isByTwo: boolean; amountKobo: bigint; isTakenBack: boolean };

export const sum = (list: readonly bigint[]): bigint => list.reduce((all, one) => all + one, 0n);

const isOf =
  ({ project, round }: OfRound) =>
  (it: OfRound): boolean =>
    it.project === project && it.round === round;

const standingOf = (list: readonly (OfRound & { amountKobo: bigint; isTakenBack: boolean })[], key: OfRound): bigint =>
  sum(list.filter((it) => isOf(key)(it) && !it.isTakenBack).map(({ amountKobo }) => amountKobo));

export const paidBackKobo = (model: Model, isOfIt: (release: number) => boolean): bigint =>
  sum(
    model.matches
      .filter(({ release, isUndone }) => release !== null && !isUndone && isOfIt(release))
      .map(({ amountKobo }) => amountKobo),
  );

/** Returns the money that went to the farm, less what it paid back. */
export const releasedKobo = (model: Model, key: OfRound): bigint =>
  standingOf(model.releases, key) - paidBackKobo(model, (release) => isOf(key)(at(model.releases, release)));

export const goneKobo = (model: Model, key: OfRound): bigint =>
  releasedKobo(model, key) + standingOf(model.returns, key);

export function unseenKobo(model: Model, payment: Payment): bigint {
  const { inTransitKobo, receivableKobo } = unseenOf(model, payment);
  return inTransitKobo + receivableKobo;
}

export const approvedOf = (model: Model, { project, round }: OfRound): Payment[] =>
  model.payments.filter((it) => it.origin === project && it.round === round && it.status === "approved");

/** That money goes to the farm, or stays, is told to those who paid for it, and those who were granted a part. */
export function tellBackersOfRound(model: Model, key: OfRound): void {
  const paid = approvedOf(model, key).flatMap(({ person, lostKobo }) => (lostKobo === 0n ? person : []));
  const granted = model.backingWeights.filter(isOf(key)).map(({ person }) => person);
  const people = [...paid, ...granted].filter((person) => !at(model.people, person).isBlocked);
  tell(model, people, "project_update");
}

/** Returns a round's money left for its farm, and the part of that which nobody has seen at the bank. */
export function owedOf(model: Model, key: OfRound) {
  const approved = approvedOf(model, key);
  return {
    owedKobo: sum(approved.map(({ amountKobo }) => amountKobo)) - goneKobo(model, key),
    unseenKobo: sum(approved.map((payment) => unseenKobo(model, payment))),
  };
}

export function releasableKobo(model: Readonly<Model>, key: OfRound): bigint {
  const { owedKobo, unseenKobo: unseen } = owedOf(model, key);
  return owedKobo > unseen ? owedKobo - unseen : 0n;
}

export function takeBack(model: Model, { caller, release: index }: { caller: number; release: number }) {
  require(model, caller, "payouts:process");
  const found = at(model.releases, index);
  if (found.isTakenBack) throw new Refused("conflict", texts.takenBackAlready);
  if (paidBackKobo(model, (it) => it === index) > 0n) throw new Refused("conflict", texts.someReturned);
  cancelPayouts(model, (it) => it.release === index, payoutTexts.alreadyOnItsWay);
  found.isTakenBack = true;
  model.audit.push("take_release_back");
  tellBackersOfRound(model, found);
  return {};
}

/** Returns the sent money of a release that didn't fail and wasn't paid back. */
export const atFarmKobo = (model: Readonly<Model>, index: number): bigint =>
  sum(
    model.payouts
      .filter(({ release, state }) => release === index && (state === "sent" || state === "paid"))
      .map(({ amountKobo }) => amountKobo),
  ) - paidBackKobo(model, (it) => it === index);

export type PayingBack = { caller: number; line: number; release: number; share: "rest" | "half" | "more" };

/**
 * How much of a line the farm paid back: at most what is left of the line and at the farm, or a kobo more. It is never
 * nothing.
 */
export function paidBackByLineKobo(model: Readonly<Model>, { line, release, share }: PayingBack): bigint {
  const both = [restKobo(model, line), atFarmKobo(model, release)];
  const [most = 0n] = both.sort((one, other) => (one < other ? -1 : 1));
  if (share === "more" || most <= 0n) return (most > 0n ? most : 0n) + 1n;
  return share === "half" && most > 1n ? most / 2n : most;
}

export function matchPaidBack(model: Model, args: PayingBack) {
  const { caller, line, release: index } = args;
  require(model, caller, "bank:import");
  requireStandingLine(model, line);
  const amountKobo = paidBackByLineKobo(model, args);
  if (amountKobo > restKobo(model, line)) throw new Refused("conflict", bankTexts.moreThanRest(restKobo(model, line)));
  if (at(model.lines, line).amountKobo < 0n) throw new Refused("conflict", bankTexts.onlyIn);
  if (at(model.releases, index).isTakenBack) throw new Refused("conflict", texts.gone);
  const there = atFarmKobo(model, index);
  if (amountKobo > there) throw new Refused("conflict", texts.moreThanAtFarm(there));
  if (wasOfAnother(model, line, null)) throw takesTwo();
  const about = { ...noHarvest, payment: null, payout: null, release: index };
  model.matches.push({ line, kind: "farm_paid_back", ...about, amountKobo, isUndone: false, at: model.now });
  model.audit.push("match_line");
  return {};
}

/** Refuses to undo a farm's repayment once the round's money went on again. */
export function requireStillThere(model: Model, { release, amountKobo }: LineMatch): void {
  if (release === null) return;
  if (releasableKobo(model, at(model.releases, release)) < amountKobo) {
    throw new Refused("conflict", texts.paidBackGone);
  }
}

/** Approvals of one round go one after the other: each needs that its money is still with the round. */
export function requireNotReleased(model: Model, reversed: readonly Payment[]): void {
  const [first] = reversed;
  if (!first) return;
  const key = { project: first.origin, round: first.round };
  const returned = standingOf(model.returns, key);
  if (returned > 0n) throw new Refused("conflict", roundReturnTexts.wentBack(returned));
  const gone = releasedKobo(model, key);
  let { owedKobo, unseenKobo: unseen } = owedOf(model, key);
  for (const payment of reversed) {
    const { amountKobo } = payment;
    const own = unseenKobo(model, payment);
    const isMissing = owedKobo < amountKobo || (amountKobo > own && owedKobo - unseen < amountKobo - own);
    if (gone > 0n && isMissing) throw new Refused("conflict", texts.wentToFarm(gone));
    owedKobo -= amountKobo;
    unseen -= own;
  }
}
