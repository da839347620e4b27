import { holderChangeLimits, holderChangeTexts as texts } from "#shared/payments/holder-changes-texts.ts";
import { isReady } from "./harvests.ts";
import { confirmByTwo } from "./second-person.ts";
import {
  at,
  currentAccount,
  followBackings,
  isActiveOwner,
  type Model,
  Refused,
  require,
  requireSignedIn,
  tell,
} from "./state.ts";

/**
 * A change of holder: a person's part in a round passes to another. Two owners say it, and 14 days later the job does
 * it.
 */

export type HolderChange = {
  payment: number;
  project: number;
  round: number;
  from: number;
  to: number;
  until: number;
  outcome: "carried_out" | "objected" | "stopped" | "failed" | null;
  /** Those that passed on. */
  payments: number[];
};

const dayMs = 86_400_000;

type Asked = { payment: number; from: number; to: number };

function requireChange(model: Model, { payment: index, from, to }: Asked): void {
  const payment = at(model.payments, index);
  if (payment.project === null) throw new Refused("conflict", texts.projectGone);
  if (payment.person !== from) throw new Refused("conflict", texts.otherHolder);
  if (payment.status !== "approved") throw new Refused("conflict", texts.notApproved);
  if (payment.lostKobo > 0n) throw new Refused("conflict", texts.struck);
  const { origin: project, round } = payment;
  const heir = at(model.people, to);
  if (to === from) throw new Refused("conflict", texts.samePerson);
  if (heir.isClosed) throw new Refused("conflict", texts.closed);
  if (heir.isBlocked) throw new Refused("conflict", texts.blocked);
  if (!heir.isVerified) throw new Refused("conflict", texts.unconfirmed);
  if (model.roundWeights.some((it) => it.project === project && it.round === round && it.person === to)) {
    throw new Refused("conflict", texts.hasPart(heir.fullName));
  }
}

export type ChangingHolder = { payment: number; to: number };

/** Nobody is asked twice for the same person and round. */
export function changeHolder(model: Model, { payment: index, to }: ChangingHolder) {
  const { person: from, origin: project, round } = at(model.payments, index);
  requireChange(model, { payment: index, from, to });
  const isRunning = model.changes.some(
    (it) => it.outcome === null && it.project === project && it.round === round && it.from === from,
  );
  if (isRunning) throw new Refused("conflict", texts.runningAlready);
  confirmByTwo(model, "begin_holder_change");
  const until = model.now + holderChangeLimits.days * dayMs;
  const change = { payment: index, project, round, from, to, until, outcome: null, payments: [] };
  model.changes.push(change);
  notifyBoth(model, change);
  return {};
}

function notifyBoth(model: Model, { from, to }: Pick<HolderChange, "from" | "to">): void {
  tell(model, [from], "payment_status", to);
  tell(model, [to], "payment_status", from);
}

function notifyOwners(model: Model, { from }: HolderChange): void {
  const owners = model.people.flatMap((person, index) => (isActiveOwner(person) ? [index] : []));
  tell(model, owners, "second_person", from);
}

export type OnChange = { caller: number; change: number };

/** Either of the two people, by one press. */
export function object(model: Model, { caller, change: index }: OnChange) {
  requireSignedIn(model, caller);
  const change = at(model.changes, index);
  if (change.outcome !== null) throw new Refused("conflict", texts.endedAlready);
  if (caller !== change.from && caller !== change.to) throw new Refused("not_found", texts.notYours);
  if (change.until <= model.now) throw new Refused("conflict", texts.overAlready);
  change.outcome = "objected";
  model.audit.push("object_to_holder_change");
  notifyBoth(model, change);
  notifyOwners(model, change);
  return {};
}

export function stop(model: Model, { caller, change: index }: OnChange) {
  require(model, caller, "payments:process");
  const change = at(model.changes, index);
  if (change.outcome !== null) throw new Refused("conflict", texts.endedAlready);
  change.outcome = "stopped";
  model.audit.push("stop_holder_change");
  notifyBoth(model, change);
  notifyOwners(model, change);
  return {};
}

/** The job: what nobody stopped is done, or ends with words where it can't be. */
export function carryOutChanges(model: Model): void {
  for (const change of model.changes) {
    if (change.outcome !== null || change.until > model.now) continue;
    const isDone = isPossible(model, change);
    change.outcome = isDone ? "carried_out" : "failed";
    if (isDone) pass(model, change);
    model.audit.push(isDone ? "carry_out_holder_change" : "fail_holder_change");
    notifyBoth(model, change);
    if (isDone) notifyOfProduce(model, change);
    notifyOwners(model, change);
  }
}

/** Who was blocked while it ran could not object. */
function isPossible(model: Model, change: HolderChange): boolean {
  const { blockedAt } = at(model.people, change.from);
  if (blockedAt !== null && blockedAt > change.until - holderChangeLimits.days * dayMs) return false;
  try {
    requireChange(model, change);
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return false;
  }
}

function pass(model: Model, change: HolderChange): void {
  const { project, round, from, to } = change;
  const held = model.payments.filter(
    (it) =>
      it.project === project &&
      it.round === round &&
      it.person === from &&
      it.status === "approved" &&
      it.lostKobo === 0n,
  );
  change.payments = held.map((it) => model.payments.indexOf(it));
  for (const payment of held) payment.person = to;
  passGrantedWeight(model, change);
  followBackings(model);
  for (const weight of model.roundWeights) {
    if (weight.project === project && weight.round === round && weight.person === from) weight.person = to;
  }
  for (const harvest of model.harvests) {
    if (harvest.project !== project || harvest.round !== round || harvest.state === "withdrawn") continue;
    for (const part of harvest.parts) if (part.person === from) part.person = to;
  }
  passPayouts(model, change);
}

/** Passes on a grant's weight in the round. The grant goes along, and stays as well if it has a weight in another. */
function passGrantedWeight(model: Model, { project, round, from, to }: HolderChange): void {
  const isOf = (person: number) => (it: { project: number; round: number; person: number }) =>
    it.project === project && it.round === round && it.person === person;
  const passed = model.backingWeights.find(isOf(from));
  if (!passed) return;
  model.backingWeights = model.backingWeights.filter((it) => it !== passed);
  const own = model.backingWeights.find(isOf(to));
  if (own) own.weightKobo += passed.weightKobo;
  else model.backingWeights.push({ ...passed, person: to });
  model.grants.add(project, to);
  if (!model.backingWeights.some((it) => it.project === project && it.person === from)) {
    model.grants.remove(project, from);
  }
}

/** Passes on payouts in no run, of these payments or of the round's settlements. */
function passPayouts(model: Model, { project, round, from, to, payments }: HolderChange): void {
  const state = currentAccount(model, to) === null ? ("waiting" as const) : ("due" as const);
  for (const payout of model.payouts) {
    if (payout.payee !== from || (payout.state !== "waiting" && payout.state !== "due")) continue;
    const { settlement, refund, payment } = payout;
    const harvest = settlement === null ? null : at(model.harvests, at(model.settlements, settlement).harvest);
    const of = refund === null ? payment : at(model.refunds, refund).payment;
    const isOfRound = harvest !== null && harvest.project === project && harvest.round === round;
    if (!isOfRound && (of === null || !payments.includes(of))) continue;
    const first = payout.former ?? from;
    Object.assign(payout, { payee: to, former: first === to ? null : first, state });
  }
}

/** Produce that lies ready has a new code. */
function notifyOfProduce(model: Model, { project, round, to }: HolderChange): void {
  for (const harvest of model.harvests) {
    if (harvest.project !== project || harvest.round !== round || harvest.state === "lost") continue;
    if (harvest.parts.some((part) => part.person === to && isReady(part))) tell(model, [to], "harvest");
  }
}
