import { paymentTexts } from "#shared/payments/texts.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { holdLimits, holdTexts } from "#shared/projects/holds-texts.ts";
import {
  allowedLots,
  at,
  dayOf,
  type Hold,
  isOpened,
  type Model,
  type Payment,
  Refused,
  require,
  requireSignedIn,
  roundOf,
  tell,
  unsoldLots,
  type Waiting,
} from "./state.ts";

/** Holding lots while they are paid, and waiting for those that others hold. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const offerHours = 12;

/** Minute by minute, by the clock in Lagos: those from 22:00 to 07:00 don't count. */
function afterWakingMinutes(from: number, minutes: number): number {
  let now = from;
  for (let left = minutes; left > 0; now += minute) {
    const inLagos = new Date(now + hour).getUTCHours();
    if (inLagos >= 7 && inLagos < 22) left -= 1;
  }
  return now;
}

/** Day by day: Saturdays and Sundays in Lagos don't count. */
function afterWorkingDays(from: number, days: number): number {
  let now = from;
  for (let left = days; left > 0; ) {
    now += day;
    const weekday = new Date(now + hour).getUTCDay();
    if (weekday >= 1 && weekday <= 5) left -= 1;
  }
  return now;
}

/** A hold holds until its end, whether or not anybody wrote that down. */
export const stands = (model: Model, hold: Hold): boolean =>
  hold.state === "claimed" || (hold.state === "live" && hold.until > model.now);
const isLive = (model: Model, hold: Hold): boolean => hold.state === "live" && stands(model, hold);
const isOver = (model: Model, hold: Hold): boolean => hold.state === "live" && hold.until <= model.now;

type OfRound = { project: number; round: number };
const isOf =
  ({ project, round }: OfRound) =>
  (it: OfRound) =>
    it.project === project && it.round === round;

export const heldNow = (model: Model, key: OfRound, isWhose: (person: number) => boolean = () => true): number =>
  model.holds
    .filter((it) => isOf(key)(it) && stands(model, it) && isWhose(it.person))
    .reduce((sum, { lots }) => sum + lots, 0);

const isOpen = ({ state }: Hold): boolean => state === "live" || state === "claimed";

/** Lots of a round that are neither approved nor held, as it is written down. */
export const freeLots = (model: Model, key: OfRound): number =>
  model.holds
    .filter((it) => isOf(key)(it) && isOpen(it))
    .reduce((free, { lots }) => free - lots, unsoldLots(model, key.project, key.round));

const ownHold = (model: Model, key: OfRound, person: number): Hold | undefined =>
  model.holds.find((it) => isOf(key)(it) && it.person === person && isOpen(it));

const waitsFor = (key: OfRound) => (it: Waiting) => isOf(key)(it) && it.state === "waits";

/** Ends what is over, then offers what is free: before anything else is done with a round's lots. */
export function settle(model: Model, key: OfRound): void {
  for (const hold of model.holds.filter((it) => isOf(key)(it) && isOver(model, it))) {
    hold.state = "lapsed";
    tell(model, [hold.person], "payment_status");
  }
  offerFree(model, key);
}

/** To whoever waits longest, once; in the round that is being sold, while holding is switched on. */
function offerFree(model: Model, key: OfRound): void {
  const { isClosed, isRemoved, round } = at(model.projects, key.project);
  if (isClosed || isRemoved || round !== key.round || model.holdHours === 0) return;
  for (;;) {
    const free = freeLots(model, key);
    const next = model.waiting.find(waitsFor(key));
    if (free <= 0 || !next) return;
    next.state = "offered";
    const until = afterWakingMinutes(model.now, offerHours * 60);
    const lots = Math.min(next.lots, free);
    model.holds.push(newHold({ ...key, person: next.person, lots, reference: null, until, madeAt: model.now }));
    tell(model, [next.person], "payment_status");
  }
}

const newHold = (
  values: Pick<Hold, "project" | "round" | "person" | "lots" | "reference" | "until" | "madeAt">,
): Hold => ({
  ...values,
  state: "live",
  hasReceipt: false,
  untilBeforeReceipt: 0,
  isExtended: false,
  isWarned: false,
});

type Buyer = { person: number; lots: number; reference: number; isPaid?: boolean };

/** Holds lots under the reference of a purchase, or takes those that are offered. Of money that is here nobody is told. */
export function place(model: Model, key: OfRound, buyer: Buyer): void {
  const { person, lots, reference, isPaid = false } = buyer;
  settle(model, key);
  const own = ownHold(model, key, person);
  if (model.holdHours === 0 && !own) return;
  if (isPaid && own?.reference === reference && own.lots === lots) return;
  if (own?.reference === reference) throw new Refused("conflict", holdTexts.alreadyHeld);
  if (lots > freeLots(model, key) + (own?.lots ?? 0)) throw new Refused("conflict", holdTexts.noneFree);
  requireMayHold(model, person, own);
  const until = model.holdHours > 0 ? model.now + model.holdHours * hour : (own?.until ?? 0);
  if (own) Object.assign(own, { lots, reference, until, isWarned: false });
  else model.holds.push(newHold({ ...key, person, lots, reference, until, madeAt: model.now }));
  stopWaiting(model, person, key.project);
  offerFree(model, key);
  if (!isPaid) tell(model, [person], "payment_status");
}

/** Given back, lapsed without a receipt, or of a rejected one. */
function isVain(model: Model, hold: Hold): boolean {
  const isLapsed = hold.state === "lapsed" || isOver(model, hold);
  const payment = model.payments.findLast(({ reference }) => reference === hold.reference);
  if (isLapsed && (!hold.hasReceipt || payment?.status === "rejected")) return true;
  return hold.state === "released" || (hold.isExtended && (hold.state === "live" || hold.state === "lapsed"));
}

/** Offers that nobody took don't count. */
function requireMayHold(model: Model, person: number, own?: Hold): void {
  const mine = model.holds.filter((it) => it.person === person && it.reference !== null);
  const open = mine.filter((it) => it !== own && !it.hasReceipt && isLive(model, it));
  if (open.length >= holdLimits.open) throw new Refused("conflict", holdTexts.tooMany);
  const pause = holdLimits.days * day;
  const ends = mine
    .filter((it) => isVain(model, it))
    .map(({ until }) => Math.min(until, model.now))
    .sort((one, other) => one - other);
  // The third within thirty days pauses holding for thirty days.
  const thirds = ends.filter(
    (end, n) => end > model.now - pause && (ends[n - holdLimits.lapsed + 1] ?? 0) > end - pause,
  );
  if (thirds.length === 0) return;
  throw new Refused("conflict", holdTexts.paused(new Date(Math.max(...thirds) + pause)));
}

function stopWaiting(model: Model, person: number, project?: number): void {
  for (const entry of model.waiting) {
    const isThere = project === undefined || entry.project === project;
    if (entry.person === person && isThere && entry.state === "waits") entry.state = "left";
  }
}
export const leaveAllLists = (model: Model, person: number): void => stopWaiting(model, person);

/** The latest hold under a reference, however it ended. */
export const holdUnder = (model: Model, reference: number): Hold | undefined =>
  model.holds.findLast((it) => it.reference === reference);

/** The first receipt keeps a hold for three working days, or seven once there are statements; none makes it shorter. */
export function extendByReceipt(model: Model, reference: number): void {
  const hold = model.holds.find((it) => it.reference === reference && isLive(model, it) && !it.hasReceipt);
  if (!hold) return;
  const until = Math.max(hold.until, afterWorkingDays(model.now, isOpened(model) ? 7 : 3));
  Object.assign(hold, { hasReceipt: true, untilBeforeReceipt: hold.until, until });
}

/** Then the end is as before the receipt or the line; once, twelve hours are left for another. */
export function restoreEndAfterRejection(model: Model, reference: number): void {
  const isKept = (it: Hold) => it.state === "claimed" || (isLive(model, it) && it.hasReceipt);
  const hold = model.holds.find((it) => it.reference === reference && isKept(it));
  if (!hold) return;
  const least = hold.isExtended ? 0 : model.now + holdLimits.rejectionHours * hour;
  const until = Math.max(hold.untilBeforeReceipt, least);
  const isWarned = hold.isExtended && hold.isWarned;
  Object.assign(hold, { state: "live", until, hasReceipt: false, isWarned, isExtended: true });
}

/** A line that shows money of a pending payment keeps its hold until that is decided. */
export function claim(model: Model, reference: number): void {
  const hold = model.holds.find((it) => it.reference === reference && isLive(model, it));
  if (!hold) return;
  const untilBeforeReceipt = hold.hasReceipt ? hold.untilBeforeReceipt : hold.until;
  Object.assign(hold, { state: "claimed", untilBeforeReceipt });
}

/** None of the money is there any more: three working days are left for it, or for a receipt. */
export function unclaim(model: Model, { status, reference, arrivedKobo }: Payment): void {
  const hold = model.holds.find((it) => it.reference === reference && it.state === "claimed");
  if (!hold || status !== "pending" || arrivedKobo > 0n) return;
  const until = Math.max(hold.untilBeforeReceipt, afterWorkingDays(model.now, 3));
  Object.assign(hold, { state: "live", until, untilBeforeReceipt: until, isWarned: false });
}

/** The statement that covers the day of a receipt leaves its hold one working day; the latest end is seven after it. */
function endByStatements(model: Model): void {
  if (!isOpened(model)) return;
  for (const hold of model.holds.filter((it) => isLive(model, it) && it.hasReceipt)) {
    const payment = model.payments.find(
      ({ reference, status }) => reference === hold.reference && status === "pending",
    );
    if (!payment) continue;
    const { receivedAt } = payment;
    const coveredAt = model.statements.find(
      ({ day: covered, isVoid }) => !isVoid && covered > dayOf(receivedAt),
    )?.importedAt;
    const latest = afterWorkingDays(receivedAt, 7);
    const end = Math.min(latest, coveredAt === undefined ? latest : afterWorkingDays(coveredAt, 1));
    hold.until = Math.max(hold.untilBeforeReceipt, end);
  }
}

type Paid = { person: number; reference: number; lots: number; sentAt: number };

/**
 * Returns the lots that a payment can be approved by: those free, and those held for it when its receipt came, or
 * offered.
 */
export function roomFor(model: Model, key: OfRound, { person, reference, lots, sentAt }: Paid) {
  const own = ownHold(model, key, person);
  const isForIt = own?.reference === reference && own.lots === lots && own.madeAt <= sentAt;
  const hold = own?.reference === null || isForIt ? own : undefined;
  return { hold, free: freeLots(model, key) + (hold?.lots ?? 0) };
}

type OnProject = { caller: number; project: number };

function findPlace(model: Model, project: number, round?: number): OfRound {
  const found = at(model.projects, project);
  if (found.isRemoved) throw new Refused("not_found", projectAdminTexts.notFound);
  return { project, round: round ?? found.round };
}

export function release(model: Model, { caller, project }: OnProject) {
  requireSignedIn(model, caller);
  const key = findPlace(model, project);
  settle(model, key);
  const own = ownHold(model, key, caller);
  if (!own) throw new Refused("conflict", holdTexts.notHeld);
  if (own.hasReceipt || own.state === "claimed") throw new Refused("conflict", holdTexts.underReview);
  Object.assign(own, { state: "released", until: model.now });
  offerFree(model, key);
  return {};
}

export function join(model: Model, { caller, project, lots }: OnProject & { lots: number }) {
  requireSignedIn(model, caller);
  const key = findPlace(model, project);
  settle(model, key);
  const isClosed = at(model.projects, project).isClosed;
  if (isClosed || freeLots(model, key) > 0) throw new Refused("conflict", holdTexts.notFull);
  if (ownHold(model, key, caller)) throw new Refused("conflict", holdTexts.alreadyHeld);
  requireMayHold(model, caller);
  const most = Math.min(roundOf(model, project).lots, allowedLots(model, key, caller));
  if (most === 0) throw new Refused("conflict", paymentTexts.lotsLeft(0));
  if (model.waiting.some((it) => waitsFor(key)(it) && it.person === caller)) {
    throw new Refused("conflict", holdTexts.alreadyWaiting);
  }
  model.waiting.push({ ...key, person: caller, lots: Math.min(lots, most), state: "waits" });
  return {};
}

export function leave(model: Model, { caller, project }: OnProject) {
  requireSignedIn(model, caller);
  findPlace(model, project);
  stopWaiting(model, caller, project);
  return {};
}

function findStanding(model: Model, index: number): Hold {
  const hold = at(model.holds, index);
  settle(model, findPlace(model, hold.project, hold.round));
  if (!isOpen(hold)) throw new Refused("conflict", holdTexts.notHeld);
  return hold;
}

export function endByHand(model: Model, { caller, hold: index }: { caller: number; hold: number }) {
  require(model, caller, "payments:process");
  const hold = findStanding(model, index);
  end(model, hold);
  offerFree(model, hold);
  model.audit.push("end_hold");
  return {};
}

function end(model: Model, hold: Hold): void {
  hold.state = "ended";
  tell(model, [hold.person], "payment_status");
}

export function extend(model: Model, { caller, hold: index, hours }: { caller: number; hold: number; hours: number }) {
  require(model, caller, "payments:process");
  const hold = findStanding(model, index);
  if (hold.state === "claimed") throw new Refused("conflict", holdTexts.notHeld);
  const until = model.now + hours * hour;
  if (until > hold.until) Object.assign(hold, { until, untilBeforeReceipt: until, isWarned: false });
  model.audit.push("extend_hold");
  return {};
}

/** A blocked person holds nothing and waits for nothing. */
export function endAllOf(model: Model, person: number): void {
  leaveAllLists(model, person);
  const own = model.holds.filter((it) => it.person === person && it.state === "live");
  for (const hold of own.sort((one, other) => one.project - other.project)) {
    end(model, hold);
    offerFree(model, hold);
  }
}

/** With a project that is deleted its holds and its waiting list end; each person is told once. */
export function endAllOn(model: Model, project: number): void {
  const held = model.holds.filter((it) => it.project === project && isOpen(it));
  const waiting = model.waiting.filter((it) => it.project === project && it.state === "waits");
  for (const hold of held) hold.state = "ended";
  for (const entry of waiting) entry.state = "left";
  tell(
    model,
    [...held, ...waiting].map(({ person }) => person),
    "payment_status",
  );
}

/** The job: nothing that is read hangs on it, but offers and warnings do. */
export function sweep(model: Model): void {
  endByStatements(model);
  for (const [project, { isRemoved, rounds }] of model.projects.entries()) {
    if (isRemoved) continue;
    for (const place of rounds.keys()) settle(model, { project, round: place + 1 });
  }
  for (const hold of model.holds) {
    const isSoon = isLive(model, hold) && hold.until <= model.now + holdLimits.warningHours * hour;
    if (!isSoon || hold.hasReceipt || hold.isWarned) continue;
    hold.isWarned = true;
    tell(model, [hold.person], "payment_status");
  }
}

/** Holds that the self-check names, because the job should have ended them two minutes ago. */
export const overdue = (model: Model): number =>
  model.holds.filter(({ state, until }) => state === "live" && until < model.now - 2 * minute).length;

export function requireNothingHeld(model: Model, key: OfRound): void {
  if (heldNow(model, key) > 0) throw new Refused("conflict", paymentTexts.lotsHeld);
}
