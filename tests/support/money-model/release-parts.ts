import { farmPeopleTexts } from "#shared/farms/people-texts.ts";
import { formatNaira } from "#shared/money.ts";
import { type ReleasePartState, releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import { permissionsOf } from "#shared/permissions.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { cast } from "./real.ts";
import {
  approvedOf,
  atFarmKobo,
  goneKobo,
  type OfPart,
  type OfRound,
  owedOf,
  paidBackKobo,
  releasableKobo,
  releasedKobo as releasedKoboOf,
  sum,
  tellBackersOfRound,
} from "./releases.ts";
import { divide } from "./returns.ts";
import { confirmByTwo, otherOwners } from "./second-person.ts";
import {
  at,
  farmOf,
  findRound,
  isActiveOwner,
  type Model,
  outcomeOf,
  owe,
  Refused,
  require,
  requireSignedIn,
  tell,
} from "./state.ts";

/**
 * The parts in which a funded round's money goes to its farm: one asks for a part, another checks it, a third releases
 * it.
 */

export type Ask = OfPart & { askedBy: number; verdict: "checked" | "refused" | null; decidedBy: number | null };
export type Skip = OfPart & { isTakenBack: boolean };

type Part = {
  amountKobo: bigint;
  releasedKobo: bigint;
  atFarmKobo: bigint;
  /** The money of it that the farm paid back. */
  backKobo: bigint;
  isBegun: boolean;
  dueKobo: bigint;
  /** The amount that may still be released of it, if it is there. */
  leftKobo: bigint;
  state: ReleasePartState;
  /** The last ask, by its place. */
  ask: number | null;
};

const isOf =
  ({ project, round, part }: OfPart) =>
  (it: OfPart): boolean =>
    it.project === project && it.round === round && it.part === part;

export const hasSteps = (model: Readonly<Model>, { project, round }: OfRound): boolean =>
  findRound(model, project, round).says.parts.length > 0;

export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

export const raisedKobo = (model: Readonly<Model>, key: OfRound): bigint =>
  sum(approvedOf(model, key).map(({ amountKobo }) => amountKobo));

/** The parts as they stand: one that is released in full before less was raised leaves less for the next. */
export function partsOf(model: Readonly<Model>, key: OfRound): Part[] {
  const rates = hasSteps(model, key) ? findRound(model, key.project, key.round).says.parts : [10_000];
  const amounts = divide(raisedKobo(model, key), rates.map(BigInt));
  const parts = rates.map((_, place) => partOf(model, { ...key, part: place + 1 }, at(amounts, place)));
  const dues = duesOf(parts, goneKobo(model, key) - releasedKoboOf(model, key));
  return parts.map((part, place) => {
    const spareKobo = sum(parts.slice(0, place).map(({ releasedKobo }, before) => at(dues, before) - releasedKobo));
    const ownKobo = at(dues, place) - part.releasedKobo;
    const leftKobo = spareKobo < 0n ? ownKobo + spareKobo : ownKobo;
    return { ...part, dueKobo: at(dues, place), leftKobo: leftKobo > 0n ? leftKobo : 0n };
  });
}

type Found = Omit<Part, "leftKobo" | "dueKobo">;

/**
 * Returns what is due for each part. Money that went back to backers is taken first from parts that were left out, then
 * from begun parts, then from the last.
 */
function duesOf(parts: readonly Found[], returnedKobo: bigint): bigint[] {
  const dues = parts.map(({ amountKobo }) => amountKobo);
  const order = [
    ...[...parts.keys()].filter((place) => at(parts, place).state === "skipped"),
    ...[...parts.keys()].filter((place) => at(parts, place).isBegun && at(parts, place).state !== "skipped"),
    ...[...parts.keys()].reverse().filter((place) => !at(parts, place).isBegun && at(parts, place).state !== "skipped"),
  ];
  let left = returnedKobo;
  for (const place of order) {
    const { amountKobo, releasedKobo, isBegun, state } = at(parts, place);
    const there = isBegun && state !== "skipped" ? amountKobo - releasedKobo : amountKobo;
    const taken = there > 0n ? least(there, left) : 0n;
    left -= taken;
    dues[place] = state === "skipped" ? 0n : amountKobo - taken;
  }
  return dues;
}

function partOf(model: Readonly<Model>, key: OfPart, amountKobo: bigint): Found {
  const isIt = isOf(key);
  const standing = [...model.releases.keys()].filter((it) => {
    const release = at(model.releases, it);
    return isIt(release) && !release.isTakenBack;
  });
  const backKobo = paidBackKobo(model, (it) => standing.includes(it));
  const releasedKobo = sum(standing.map((it) => at(model.releases, it).amountKobo)) - backKobo;
  const ask = model.asks.findLastIndex(isIt);
  const isSkipped = model.skips.some((it) => isIt(it) && !it.isTakenBack);
  const open = isSkipped ? "skipped" : ask < 0 ? "planned" : (at(model.asks, ask).verdict ?? "asked");
  const gone = standing.every((it) => isPaid(model, it)) ? "paid" : "released";
  return {
    amountKobo,
    releasedKobo,
    backKobo,
    atFarmKobo: sum(standing.map((it) => atFarmKobo(model, it))),
    state: releasedKobo > 0n ? gone : open,
    ask: ask < 0 ? null : ask,
    isBegun: standing.length > 0,
  };
}

function isPaid(model: Readonly<Model>, release: number): boolean {
  const standing = model.payouts.filter((it) => it.release === release && !["failed", "cancelled"].includes(it.state));
  return standing.length > 0 && standing.every(({ state }) => state === "paid");
}

/** Left out, or nothing is left of it but what the farm paid back. */
const isBehind = ({ state, leftKobo, backKobo }: Part): boolean => state === "skipped" || leftKobo <= backKobo;
const isOpen = ({ state }: Part): boolean => state === "planned" || state === "refused";

/** The number of the first part that is neither released nor left out; one more than there are if all are. */
export const nextPart = (parts: readonly Part[]): number =>
  1 + (parts.some((part) => !isBehind(part)) ? parts.findIndex((part) => !isBehind(part)) : parts.length);

function requireEarlier(parts: readonly Part[], part: number): void {
  const next = nextPart(parts);
  if (next < part) throw new Refused("conflict", texts.earlierFirst(next));
}

/** A part of a funded round that has some. */
function lockPart(model: Model, { part, ...key }: OfPart) {
  const { isRemoved, round } = at(model.projects, key.project);
  if (isRemoved) throw new Refused("not_found", projectAdminTexts.notFound);
  if (key.round > round) throw new Refused("not_found", texts.gone);
  const parts = partsOf(model, key);
  const found = parts[part - 1];
  if (!found) throw new Refused("not_found", texts.gone);
  if (outcomeOf(model, key.project, key.round) !== "funded") throw new Refused("conflict", texts.notFunded);
  if (!hasSteps(model, key)) throw new Refused("conflict", texts.noSteps);
  return { found, parts };
}

export type Asking = OfPart & { caller: number; isKeeper: boolean };

export function ask(model: Model, { caller, isKeeper, ...key }: Asking) {
  if (isKeeper) requireSignedIn(model, caller);
  else require(model, caller, "harvests:manage");
  if (isKeeper && caller !== cast.keeper) throw new Refused("forbidden", farmPeopleTexts.notOfFarm);
  const { found, parts } = lockPart(model, key);
  if (isKeeper && farmOf(model, key.project) === null) throw new Refused("forbidden", farmPeopleTexts.otherFarm);
  if (found.state === "skipped") throw new Refused("conflict", texts.isSkipped);
  if (found.state === "released" || found.state === "paid") throw new Refused("conflict", texts.releasedAlready);
  if (!isOpen(found)) throw new Refused("conflict", texts.askedAlready);
  if (found.leftKobo === 0n) throw new Refused("conflict", texts.nothingLeft);
  requireEarlier(parts, key.part);
  model.asks.push({ ...key, askedBy: caller, verdict: null, decidedBy: null });
  model.audit.push("ask_for_part");
  tell(model, otherCheckers(model, caller), "farm_report", caller);
  return {};
}

/** Administrators who may check what somebody asked for. */
const otherCheckers = (model: Model, askedBy: number): number[] =>
  model.people.flatMap((person, index) => {
    const mayCheck = person.isAdmin && permissionsOf(person).includes("harvests:manage");
    return mayCheck && !person.isBlocked && !person.isClosed && index !== askedBy ? [index] : [];
  });

/** Those who leave an owner to release it, if there are any. */
function checkersOf(model: Model, askedBy: number): number[] {
  const others = otherCheckers(model, askedBy);
  const releasers = otherOwners(model, askedBy);
  const leavingOne = others.filter((checker) => releasers.some((owner) => owner !== checker));
  return leavingOne.length > 0 ? leavingOne : others;
}

/** Two owners who both asked or checked don't release it, while there is a third. */
function requireThird(model: Model, key: OfPart, releasers: readonly number[]): void {
  const asked = model.asks.findLast(isOf(key));
  if (!asked) return;
  const done = [asked.askedBy, asked.decidedBy];
  if (releasers.some((person) => !done.includes(person))) return;
  if (otherOwners(model, asked.askedBy).some((owner) => !done.includes(owner))) {
    throw new Refused("conflict", texts.thirdConfirms);
  }
  if (otherCheckers(model, asked.askedBy).some((person) => !done.includes(person))) {
    throw new Refused("conflict", texts.thirdChecks);
  }
}

type OnAsk = { caller: number; ask: number };

export function check(model: Model, { caller, ask: index }: OnAsk) {
  require(model, caller, "harvests:manage");
  const asked = at(model.asks, index);
  lockPart(model, asked);
  if (asked.verdict !== null) throw new Refused("conflict", texts.decidedAlready);
  if (asked.askedBy === caller) throw new Refused("forbidden", texts.ownAsk);
  if (!checkersOf(model, asked.askedBy).includes(caller)) throw new Refused("forbidden", texts.releasesIt);
  Object.assign(asked, { verdict: "checked", decidedBy: caller });
  model.audit.push("check_part");
  const owners = model.people.flatMap((person, it) => (isActiveOwner(person) && it !== caller ? [it] : []));
  tell(model, owners, "farm_report", caller);
  return {};
}

export function refuse(model: Model, { caller, ask: index }: OnAsk) {
  require(model, caller, "harvests:manage");
  const asked = at(model.asks, index);
  const { found } = lockPart(model, asked);
  if (asked.verdict === "refused") throw new Refused("conflict", texts.decidedAlready);
  if (found.releasedKobo > 0n) throw new Refused("conflict", texts.releasedAlready);
  Object.assign(asked, { verdict: "refused", decidedBy: caller });
  model.audit.push("refuse_part");
  return {};
}

export type Skipping = OfPart & { isSkipped: boolean };

/** Two owners leave a part out, or take that back. */
export function skip(model: Model, { isSkipped, ...key }: Skipping) {
  const { found, parts } = lockPart(model, key);
  if (isSkipped) {
    if (found.state === "skipped") throw new Refused("conflict", texts.isSkipped);
    if (!isOpen(found)) throw new Refused("conflict", texts.cannotSkip);
    model.skips.push({ ...key, isTakenBack: false });
    confirmByTwo(model, "skip_part");
    return {};
  }
  if (found.state !== "skipped") throw new Refused("conflict", texts.notSkipped);
  const hasBegun = parts.slice(key.part).some((part) => !isOpen(part) && part.state !== "skipped");
  if (hasBegun) throw new Refused("conflict", texts.cannotUnskip);
  for (const it of model.skips) if (isOf(key)(it)) it.isTakenBack = true;
  confirmByTwo(model, "take_skip_back");
  return {};
}

export type Releasing = OfPart & {
  look: "now" | "all" | "more";
  /** The share released of what the part has left. */
  share: "all" | "half" | "more";
};

/** Returns the sum that an owner saw: the releasable money, all that the round has, or more. It is never zero. */
export function seenToReleaseKobo(model: Readonly<Model>, { look, ...key }: Releasing): bigint {
  const { owedKobo } = owedOf(model, key);
  const seen = look === "now" ? releasableKobo(model, key) : look === "all" ? owedKobo : owedKobo + 1n;
  return seen > 0n ? seen : 1n;
}

/** It is never nothing. */
export function askedToReleaseKobo(model: Readonly<Model>, args: Releasing): bigint {
  const seen = seenToReleaseKobo(model, args);
  const isRoundThere = args.round <= at(model.projects, args.project).round;
  const left = (isRoundThere && partsOf(model, args)[args.part - 1]?.leftKobo) || seen;
  const most = least(left, seen);
  if (args.share === "more") return most + 1n;
  return args.share === "half" && most > 1n ? most / 2n : most;
}

/** Returns all parts, the one to release from, the payee and the sum. Refuses what can't be released. */
function lockReleasable(model: Model, args: Releasing) {
  const { project, round, part } = args;
  const found = at(model.projects, project);
  if (found.isRemoved) throw new Refused("not_found", projectAdminTexts.notFound);
  if (round > found.round) throw new Refused("not_found", farmReleaseTexts.nothingOwed);
  if (outcomeOf(model, project, round) !== "funded") throw new Refused("conflict", farmReleaseTexts.notFunded);
  const payee = farmOf(model, project);
  if (payee === null) throw new Refused("conflict", farmReleaseTexts.noFarm);
  const { owedKobo } = owedOf(model, args);
  if (owedKobo <= 0n) throw new Refused("conflict", farmReleaseTexts.nothingOwed);
  const there = releasableKobo(model, args);
  const seen = seenToReleaseKobo(model, args);
  if (seen > there && seen <= owedKobo) throw new Refused("conflict", farmReleaseTexts.notArrived(there, owedKobo));
  if (seen !== there) throw new Refused("conflict", farmReleaseTexts.changed);
  const amountKobo = askedToReleaseKobo(model, args);
  if (amountKobo > there) throw new Refused("conflict", farmReleaseTexts.moreThanThere(there));
  const parts = partsOf(model, args);
  const its = parts[part - 1];
  if (!its) throw new Refused("not_found", texts.gone);
  if (amountKobo > its.leftKobo) throw new Refused("conflict", texts.moreThanPart(formatNaira(its.leftKobo)));
  return { parts, its, payee, amountKobo };
}

/** Nobody goes past whoever else could check a part. */
function requireCheckedOrAlone(model: Model, parts: readonly Part[], key: OfPart): void {
  const asked = model.asks.find((it) => isOf(key)(it) && it.verdict === null);
  if (asked && otherCheckers(model, asked.askedBy).length > 0)
    throw new Refused("conflict", texts.notChecked(key.part));
  if (!asked) requireChecked(model, parts, key);
  else requireEarlier(parts, key.part);
}

function requireChecked(model: Model, parts: readonly Part[], key: OfPart): void {
  if (!hasSteps(model, key)) return;
  requireEarlier(parts, key.part);
  const asked = model.asks.findLast(isOf(key));
  if (asked?.verdict !== "checked") throw new Refused("conflict", texts.notChecked(key.part));
}

/** One owner releases a part that others asked for and checked. */
export function release(model: Model, { caller, ...args }: Releasing & { caller: number }) {
  require(model, caller, "payouts:process");
  const releasable = lockReleasable(model, args);
  requireCheckedOrAlone(model, releasable.parts, args);
  const asked = model.asks.findLast(isOf(args));
  if (asked?.askedBy === caller || asked?.decidedBy === caller) throw new Refused("conflict", texts.checkedByYou);
  requireChecked(model, releasable.parts, args);
  oweFarm(model, args, releasable, false);
  model.audit.push("release_to_farm");
  tellBackersOfRound(model, args);
  return {};
}

/** Two owners may do so where one of them asked for it or checked it. */
export function releaseByTwo(model: Model, args: Releasing) {
  const releasable = lockReleasable(model, args);
  requireCheckedOrAlone(model, releasable.parts, args);
  requireThird(model, args, [cast.owner, cast.manager]);
  oweFarm(model, args, releasable, true);
  confirmByTwo(model, "release_to_farm");
  tellBackersOfRound(model, args);
  return {};
}

function oweFarm(
  model: Model,
  { project, round, part }: OfPart,
  { its, payee, amountKobo }: ReturnType<typeof lockReleasable>,
  isByTwo: boolean,
): void {
  const index = model.releases.length;
  model.releases.push({ project, round, part, ask: its.ask, isByTwo, amountKobo, isTakenBack: false });
  owe(model, { release: index, payee, amountKobo });
}
