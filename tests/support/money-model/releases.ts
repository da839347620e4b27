import { bankTexts } from "#shared/bank/texts.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { roundReturnTexts } from "#shared/payouts/returns-texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { cancelPayouts, noHarvest } from "./payouts.ts";
import {
  at,
  farmOf,
  type LineMatch,
  type Model,
  outcomeOf,
  owe,
  type Payment,
  Refused,
  require,
  requireStandingLine,
  restKobo,
  unseenOf,
} from "./state.ts";
import { takesTwo, wasOfAnother } from "./walls.ts";

/** A funded round's money that goes on to its farm, as far as it has arrived, and what the farm pays back of it. */

export type Release = { project: number; round: number; amountKobo: bigint; isTakenBack: boolean };
export type OfRound = { project: number; round: number };

export const sum = (list: readonly bigint[]): bigint => list.reduce((all, one) => all + one, 0n);

const isOf =
  ({ project, round }: OfRound) =>
  (it: OfRound): boolean =>
    it.project === project && it.round === round;

const standingOf = (list: readonly (OfRound & { amountKobo: bigint; isTakenBack: boolean })[], key: OfRound): bigint =>
  sum(list.filter((it) => isOf(key)(it) && !it.isTakenBack).map(({ amountKobo }) => amountKobo));

const paidBackKobo = (model: Model, isOfIt: (release: number) => boolean): bigint =>
  sum(
    model.matches
      .filter(({ release, isUndone }) => release !== null && !isUndone && isOfIt(release))
      .map(({ amountKobo }) => amountKobo),
  );

/** What went to the farm, less what it paid back. */
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

/** What a round still has for its farm, and what of that nobody has seen at the bank. */
function owedOf(model: Model, key: OfRound) {
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

export type Releasing = {
  caller: number;
  project: number;
  round: number;
  look: "now" | "all" | "more";
  /** What of it is released. */
  share: "all" | "half" | "more";
};

/** What an owner saw: what can be released, all that the round has, or more. It is never nothing. */
export function seenToReleaseKobo(model: Readonly<Model>, { look, ...key }: Releasing): bigint {
  const { owedKobo } = owedOf(model, key);
  const seen = look === "now" ? releasableKobo(model, key) : look === "all" ? owedKobo : owedKobo + 1n;
  return seen > 0n ? seen : 1n;
}

/** It is never nothing. */
export function askedToReleaseKobo(model: Readonly<Model>, args: Releasing): bigint {
  const seen = seenToReleaseKobo(model, args);
  if (args.share === "more") return seen + 1n;
  return args.share === "half" && seen > 1n ? seen / 2n : seen;
}

export function release(model: Model, args: Releasing) {
  const { caller, project, round } = args;
  require(model, caller, "payouts:process");
  const found = at(model.projects, project);
  if (found.isRemoved) throw new Refused("not_found", projectAdminTexts.notFound);
  if (round > found.round) throw new Refused("not_found", texts.nothingOwed);
  if (outcomeOf(model, project, round) !== "funded") throw new Refused("conflict", texts.notFunded);
  const payee = farmOf(model, project);
  if (payee === null) throw new Refused("conflict", texts.noFarm);
  const { owedKobo } = owedOf(model, args);
  if (owedKobo <= 0n) throw new Refused("conflict", texts.nothingOwed);
  const there = releasableKobo(model, args);
  const seen = seenToReleaseKobo(model, args);
  if (seen > there && seen <= owedKobo) throw new Refused("conflict", texts.notArrived(there, owedKobo));
  if (seen !== there) throw new Refused("conflict", texts.changed);
  const amountKobo = askedToReleaseKobo(model, args);
  if (amountKobo > there) throw new Refused("conflict", texts.moreThanThere(there));
  const index = model.releases.length;
  model.releases.push({ project, round, amountKobo, isTakenBack: false });
  owe(model, { release: index, payee, amountKobo });
  model.audit.push("release_to_farm");
  return {};
}

export function takeBack(model: Model, { caller, release: index }: { caller: number; release: number }) {
  require(model, caller, "payouts:process");
  const found = at(model.releases, index);
  if (found.isTakenBack) throw new Refused("conflict", texts.takenBackAlready);
  if (paidBackKobo(model, (it) => it === index) > 0n) throw new Refused("conflict", texts.someReturned);
  cancelPayouts(model, (it) => it.release === index, payoutTexts.alreadyOnItsWay);
  found.isTakenBack = true;
  model.audit.push("take_release_back");
  return {};
}

/** What of a release was sent, didn't fail, and wasn't paid back. */
export const atFarmKobo = (model: Readonly<Model>, index: number): bigint =>
  sum(
    model.payouts
      .filter(({ release, state }) => release === index && (state === "sent" || state === "paid"))
      .map(({ amountKobo }) => amountKobo),
  ) - paidBackKobo(model, (it) => it === index);

export type PayingBack = { caller: number; line: number; release: number; share: "rest" | "half" | "more" };

/** How much of a line the farm paid back: at most what is left of the line and at the farm, or a kobo more. It is never nothing. */
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

/** What a farm paid back stays once the round's money went on again. */
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
