import { type CostPayer, type HarvestPool, type HarvestState, harvestTexts as texts } from "#shared/harvests/texts.ts";
import { unseenTexts } from "#shared/harvests/unseen-texts.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import { confirmByTwo } from "./second-person.ts";
import {
  at,
  findRound,
  isOpened,
  type Model,
  outcomeOf,
  Refused,
  require,
  requireSignedIn,
  tell,
  unseenOf,
} from "./state.ts";

/** A funded farm's harvest: who has how much of it, and what its sales bring to whom. */

export type Harvest = {
  project: number;
  round: number;
  state: HarvestState;
  /** An insurer's sum: without quantity, fee and farm. */
  isInsurance: boolean;
  /** Which of the planned harvests it is, from 0; kept once it is opened, until it is withdrawn. */
  place: number | null;
  madeAt: number;
  quantity: bigint;
  farmQuantity: bigint | null;
  opened: boolean;
  /** When it opened, and what it was then. */
  openedAt: number;
  openedQuantity: bigint;
  choosesUntil: number;
  collectsUntil: number | null;
  allottedAt: number | null;
  /** When photos and documents of the harvest itself came. */
  filesAt: number[];
  areCostsLost: boolean;
  isRestLost: boolean;
  /** The platform's costs that were booked as lost, and those that the farm bore. */
  lostKobo: bigint;
  unwrittenLostKobo: bigint;
  ofFarmKobo: bigint;
  parts: Part[];
};
type Choice = { taken: bigint; given: bigint; sold: bigint };
export type Part = Choice & {
  person: number;
  backing: number;
  weightKobo: bigint;
  /** The weight struck since the harvest was allotted. */
  struckKobo: bigint;
  choice: Choice | null;
  isCollected: boolean;
  isUncollected: boolean;
};
export type Cost = {
  harvest: number;
  amountKobo: bigint;
  paidBy: CostPayer;
  isRemoved: boolean;
  /** True for the platform's at once; for the farm's once two owners say so. */
  isCounted: boolean;
  recordedBy: number;
  removed: { by: number; at: number } | null;
};
export type Sale = {
  harvest: number;
  pool: HarvestPool;
  /** Null of an insurer's sum. */
  quantity: bigint | null;
  amountKobo: bigint;
  declaredAt: number | null;
  /** When it was declared last, among all acts; null if it never was. */
  declaredOrder: number | null;
  isTakenBack: boolean;
  /** The part of it that two owners gave up, after the bank took it back. */
  lostKobo: bigint;
  isRemoved: boolean;
  recordedBy: number;
};
/** For whom it was settled, and of which backing, which may have passed on since. */
type SettledPart = {
  person: number;
  backing: number;
  shareKobo: bigint;
  feeKobo: bigint;
  vatKobo: bigint;
  whtKobo: bigint;
  netKobo: bigint;
};
export type Settlement = {
  harvest: number;
  madeAt: number;
  /** When it was made among all acts. */
  order: number;
  pool: HarvestPool;
  proceedsKobo: bigint;
  costs: { cost: number; amountKobo: bigint }[];
  farmKobo: bigint;
  /** The platform's costs that were taken from the farm's payouts at the end. */
  deductedKobo: bigint;
  parts: SettledPart[];
  isReversed: boolean;
};

const hour = 3_600_000;
/** The reference price of a unit, which is 1,000 of a quantity, in kobo. */
export const priceKobo = 275_000n;

/** 23:59:59 in Lagos, so many days from now. */
function endOfDay(now: number, days: number): number {
  const inLagos = new Date(now + hour);
  return Date.UTC(inLagos.getUTCFullYear(), inLagos.getUTCMonth(), inLagos.getUTCDate() + days, 22, 59, 59);
}

export const atLeastNothing = (value: bigint): bigint => (value > 0n ? value : 0n);
export const sum = (list: readonly bigint[]): bigint => list.reduce((all, one) => all + one, 0n);

/** Whole units for each; then one by one to whoever is furthest below what is theirs, of equals to the earlier. */
export function share(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = sum(weights);
  const given = weights.map((weight) => (whole === 0n ? 0n : (total * weight) / whole));
  const first = [...given];
  for (let left = total - sum(given); left > 0n; left -= 1n) {
    const missing = weights.map((weight, place) =>
      given[place] === first[place] ? total * weight - at(first, place) * whole : -1n,
    );
    const most = missing.reduce((best, one, place) => (one > at(missing, best) ? place : best), 0);
    given[most] = at(given, most) + 1n;
  }
  return given;
}

export const termsOf = (model: Model, { project, round }: Harvest) => findRound(model, project, round).says;

export type OfRound = { project: number; round: number };
const isOf =
  ({ project, round }: OfRound) =>
  (it: OfRound) =>
    it.project === project && it.round === round;

/** Refuses changes of a round whose weights are frozen, because its harvest has begun or was settled. */
export function refuseBegun(model: Model, key: OfRound): void {
  if (!model.roundWeights.some(isOf(key))) return;
  const own = model.harvests.filter((it) => isOf(key)(it) && it.state !== "withdrawn");
  const isSettled = own.length > 0 && own.every(({ state }) => ["settled", "done", "lost"].includes(state));
  throw new Refused("conflict", isSettled ? texts.roundSettled : texts.begun);
}

const isEnded = ({ state }: Harvest): boolean => ["done", "lost", "withdrawn"].includes(state);

/** All the harvests that the terms plan came, and none is open. */
export function isRoundOver(model: Model, key: OfRound): boolean {
  const own = model.harvests.filter(isOf(key));
  return (
    model.roundWeights.some(isOf(key)) &&
    own.every(isEnded) &&
    own.filter(({ state, isInsurance }) => !isInsurance && (state === "done" || state === "lost")).length >=
      harvestsPlanned(model, key)
  );
}

/** How many harvests the terms of a round plan. */
export const harvestsPlanned = (model: Model, { project, round }: OfRound): number =>
  Math.max(1, findRound(model, project, round).says.plan.length);

/** The first place of a round that no harvest has. */
function nextPlace(model: Model, key: OfRound): number {
  const taken = model.harvests.filter(isOf(key)).map(({ place }) => place);
  return Array.from({ length: taken.length + 1 }, (_, place) => place).find((place) => !taken.includes(place)) ?? 0;
}

/** A withdrawn harvest gives its place up: drafts move up to it. */
export function leavePlace(model: Model, harvest: Harvest): void {
  harvest.place = null;
  const drafts = model.harvests.filter((it) => isOf(harvest)(it) && it.state === "draft" && it.place !== null);
  for (const draft of drafts.toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0))) {
    draft.place = Math.min(draft.place ?? 0, nextPlace(model, harvest));
  }
}

/**
 * Returns the planned quantity of a harvest by its place; null for one that comes besides, and for an insurer's sum.
 */
export const plannedOf = (model: Model, harvest: Harvest): bigint | null =>
  termsOf(model, harvest).plan[harvest.place ?? -1] ?? null;

/** Less than nine tenths of what was planned. */
export const isShortOf = (planned: bigint | null, quantity: bigint): boolean =>
  planned !== null && quantity * 10n < planned * 9n;

/** A project stays while a harvest of it is open, or its backers are still to be paid. */
export function requireHarvestsOver(model: Model, project: number): void {
  if (model.harvests.some((it) => it.project === project && !isEnded(it))) {
    throw new Refused("conflict", texts.keepsProject);
  }
  const isOwed = model.payouts.some(
    ({ settlement, payee, state }) =>
      settlement !== null &&
      payee >= 0 &&
      at(model.harvests, at(model.settlements, settlement).harvest).project === project &&
      ["waiting", "due", "in_run", "sent"].includes(state),
  );
  if (isOwed) throw new Refused("conflict", texts.owesBackers);
}

export type Drafting = { caller: number; project: number; round: number; quantity: bigint };

export function draft(model: Model, { caller, project, round, quantity }: Drafting) {
  require(model, caller, "harvests:manage");
  const key = { project, round };
  requireFunded(model, key);
  const place = nextPlace(model, key);
  const planned = findRound(model, project, round).says.plan[place] ?? null;
  if (isShortOf(planned, quantity)) throw new Refused("invalid", texts.shortNote);
  enter(model, { ...key, quantity, isInsurance: false, place });
  return {};
}

/** An insurer's sum for a round. */
export function insure(model: Model, { caller, project, round }: Omit<Drafting, "quantity">) {
  require(model, caller, "harvests:manage");
  requireFunded(model, { project, round });
  enter(model, { project, round, quantity: 0n, isInsurance: true, place: null });
  return {};
}

type Entered = OfRound & Pick<Harvest, "quantity" | "isInsurance" | "place">;

function requireFunded(model: Model, { project, round }: OfRound): void {
  const isThere = round <= at(model.projects, project).round;
  if (!isThere || outcomeOf(model, project, round) !== "funded") throw new Refused("conflict", texts.notFunded);
}

function enter(model: Model, { project, round, quantity, isInsurance, place }: Entered): void {
  model.harvests.push({
    project,
    round,
    state: "draft",
    isInsurance,
    place,
    madeAt: model.now,
    quantity,
    farmQuantity: null,
    opened: false,
    openedAt: 0,
    openedQuantity: 0n,
    choosesUntil: 0,
    collectsUntil: null,
    allottedAt: null,
    filesAt: [],
    areCostsLost: false,
    isRestLost: false,
    lostKobo: 0n,
    unwrittenLostKobo: 0n,
    ofFarmKobo: 0n,
    parts: [],
  });
  model.audit.push("create_harvest");
}

/** Returns the current weight of each backing of a round: its approved lots, and what an owner gave to its grant. */
const liveWeights = (model: Model, key: OfRound) =>
  model.backings
    .filter(({ project }) => project === key.project)
    .map(({ person }) => ({
      project: key.project,
      round: key.round,
      person,
      backing: person,
      weightKobo: sum([
        ...model.payments
          .filter(
            (it) =>
              isOf(key)({ ...it, project: it.origin }) &&
              it.person === person &&
              it.status === "approved" &&
              it.lostKobo === 0n,
          )
          .map(({ amountKobo }) => amountKobo),
        ...model.backingWeights.filter((it) => isOf(key)(it) && it.person === person).map((it) => it.weightKobo),
      ]),
    }))
    .filter(({ weightKobo }) => weightKobo > 0n);

const frozenWeights = (model: Model, key: OfRound) => model.roundWeights.filter(isOf(key));

/** Returns the weights of a round's backings: as frozen, or as they would be if they were frozen now. */
export function weightsOf(model: Model, key: OfRound) {
  const frozen = frozenWeights(model, key);
  if (frozen.length === 0) return liveWeights(model, key);
  return frozen
    .map(({ struckKobo, ...weight }) => ({ ...weight, weightKobo: weight.weightKobo - struckKobo }))
    .filter(({ weightKobo }) => weightKobo > 0n);
}

export function requireWeights(model: Model, key: OfRound) {
  const isFrozen = frozenWeights(model, key).length > 0;
  if (!isFrozen && outcomeOf(model, key.project, key.round) !== "funded") {
    throw new Refused("conflict", texts.notFunded);
  }
  const found = weightsOf(model, key);
  if (found.length === 0) throw new Refused("conflict", texts.nobody);
  return found;
}

/** From the first opening on nothing of the round changes. */
export function freeze(model: Model, key: OfRound) {
  const found = requireWeights(model, key);
  if (frozenWeights(model, key).length === 0) {
    model.roundWeights.push(...found.map((weight) => ({ ...weight, struckKobo: 0n })));
  }
  return found;
}

/** Forgets weights that were frozen for a withdrawn harvest alone. */
export function thaw(model: Model, key: OfRound): void {
  const wasSettled = (place: number) => model.settlements.some((it) => it.harvest === place);
  const isKept = [...model.harvests.entries()].some(
    ([place, it]) =>
      isOf(key)(it) && ((it.state !== "withdrawn" && (it.opened || it.state === "lost")) || wasSettled(place)),
  );
  if (!isKept) model.roundWeights = model.roundWeights.filter((it) => !isOf(key)(it));
}

export const newParts = (weights: readonly { person: number; backing: number; weightKobo: bigint }[]): Part[] =>
  weights.map(({ person, backing, weightKobo }) => ({
    person,
    backing,
    weightKobo,
    struckKobo: 0n,
    choice: null,
    taken: 0n,
    given: 0n,
    sold: 0n,
    isCollected: false,
    isUncollected: false,
  }));

export type OnHarvest = { caller: number; harvest: number };

export function open(model: Model, { caller, harvest: index }: OnHarvest) {
  require(model, caller, "harvests:manage");
  const harvest = at(model.harvests, index);
  requireOpenable(model, harvest);
  if (unseenOfRoundKobo(model, harvest) > 0n) throw new Refused("conflict", "unseen");
  enterChoosing(model, harvest);
  model.audit.push("open_harvest");
  tellParts(model, harvest);
  return {};
}

export type OpeningTogether = { harvest: number; isSeen: boolean };

/** Returns the missing money of its round's payments as two owners saw it: it is never zero. */
export function openedUnseenKobo(model: Readonly<Model>, { harvest, isSeen }: OpeningTogether): bigint {
  const unseen = unseenOfRoundKobo(model, at(model.harvests, harvest));
  return isSeen && unseen > 0n ? unseen : unseen + 1n;
}

/** Two owners open it though the bank doesn't show all of its round's payments. */
export function openTogether(model: Model, args: OpeningTogether) {
  const harvest = at(model.harvests, args.harvest);
  requireOpenable(model, harvest);
  if (openedUnseenKobo(model, args) !== unseenOfRoundKobo(model, harvest)) {
    throw new Refused("conflict", unseenTexts.changed);
  }
  enterChoosing(model, harvest);
  confirmByTwo(model, "open_harvest");
  tellParts(model, harvest);
  return {};
}

function requireOpenable(model: Model, harvest: Harvest): void {
  if (harvest.state !== "draft" || harvest.isInsurance) throw new Refused("conflict", texts.notDraft);
  if (harvest.quantity === 0n) throw new Refused("conflict", texts.nothingToChoose);
  // Drafts of the model have no note: one that moved up to the place of a withdrawn harvest may lack it.
  if (isShortOf(plannedOf(model, harvest), harvest.quantity)) throw new Refused("invalid", texts.shortNote);
  requireWeights(model, harvest);
}

/** Returns the money of a round's payments that the bank doesn't show. Before the first statement nobody knows. */
function unseenOfRoundKobo(model: Readonly<Model>, { project, round }: OfRound): bigint {
  if (!isOpened(model)) return 0n;
  const approved = model.payments.filter(
    (it) => it.project === project && it.round === round && it.status === "approved",
  );
  const unseen = approved.map((payment) => unseenOf(model, payment));
  return sum(unseen.map(({ inTransitKobo, receivableKobo }) => inTransitKobo + receivableKobo));
}

function enterChoosing(model: Model, harvest: Harvest): void {
  const parts = newParts(freeze(model, harvest));
  const choosesUntil = endOfDay(model.now, termsOf(model, harvest).choiceDays);
  const opened = { opened: true, openedAt: model.now, openedQuantity: harvest.quantity };
  Object.assign(harvest, { state: "choosing", ...opened, choosesUntil, parts });
}

export const tellParts = (model: Model, { parts }: Harvest): void =>
  tell(
    model,
    parts.map(({ person }) => person),
    "harvest",
  );

function requireChoosing(model: Model, { state, choosesUntil }: Harvest): void {
  if (state !== "choosing" || choosesUntil < model.now) throw new Refused("conflict", texts.notChoosing);
}

export type Lowering = OnHarvest & { by: bigint };

/** Less than half of what was opened. */
const isSteep = ({ openedQuantity }: Harvest, quantity: bigint): boolean => quantity * 2n < openedQuantity;

function requireLower(model: Model, harvest: Harvest, by: bigint): bigint {
  requireChoosing(model, harvest);
  if (by <= 0n || by >= harvest.quantity) throw new Refused("invalid", texts.onlyLess);
  const quantity = harvest.quantity - by;
  const { openedQuantity, openedAt, filesAt } = harvest;
  const isShown = filesAt.some((fileAt) => fileAt >= openedAt);
  const isMuchLess = isShortOf(openedQuantity, quantity) || isShortOf(plannedOf(model, harvest), quantity);
  if (isMuchLess && !isShown) throw new Refused("conflict", texts.lowerPhoto);
  return quantity;
}

export function lower(model: Model, { caller, harvest: index, by }: Lowering) {
  require(model, caller, "harvests:manage");
  const harvest = at(model.harvests, index);
  const quantity = requireLower(model, harvest, by);
  if (isSteep(harvest, quantity)) throw new Refused("conflict", texts.lowerSteep);
  harvest.quantity = quantity;
  model.audit.push("lower_harvest");
  tellParts(model, harvest);
  return {};
}

/** Two owners say that there is much less. */
export function lowerMuch(model: Model, { harvest: index, by }: Omit<Lowering, "caller">) {
  const harvest = at(model.harvests, index);
  const quantity = requireLower(model, harvest, by);
  if (!isSteep(harvest, quantity)) throw new Refused("conflict", texts.notSteep);
  harvest.quantity = quantity;
  confirmByTwo(model, "lower_harvest");
  tellParts(model, harvest);
  return {};
}

/**
 * Divides a harvest as it stands between its farm and its backers. The farm's part, or all if every backer was struck,
 * is rounded down; choices that are too large are cut.
 */
function divide(model: Model, harvest: Harvest) {
  const farmPart = harvest.parts.length > 0 ? termsOf(model, harvest).farmPart : 10_000;
  const farmQuantity = (harvest.quantity * BigInt(farmPart)) / 10_000n;
  const own = share(
    harvest.quantity - farmQuantity,
    harvest.parts.map(({ weightKobo }) => weightKobo),
  );
  const parts = harvest.parts.map(({ choice }, place): Choice & { quantity: bigint } => {
    const quantity = at(own, place);
    const { taken, given, sold } = choice ?? { taken: 0n, given: 0n, sold: quantity };
    if (taken + given + sold <= quantity) return { quantity, taken, given, sold: quantity - taken - given };
    const [cutTaken = 0n, cutGiven = 0n, cutSold = 0n] = share(quantity, [taken, given, sold]);
    return { quantity, taken: cutTaken, given: cutGiven, sold: cutSold };
  });
  return { farmQuantity, parts };
}

export type Choosing = OnHarvest & { takenEighths: number; givenEighths: number };

/** Returns the quantities that somebody chooses, from eighths of what is theirs now. */
export function wanted(model: Readonly<Model>, { caller, harvest: index, takenEighths, givenEighths }: Choosing) {
  const harvest = at(model.harvests, index);
  const place = harvest.parts.findIndex(({ person }) => person === caller);
  const quantity = place < 0 ? 0n : at(divide(model, harvest).parts, place).quantity;
  const taken = (quantity * BigInt(takenEighths)) / 8n;
  return { quantity, taken, given: (quantity * BigInt(givenEighths)) / 8n };
}

export function choose(model: Model, args: Choosing) {
  requireSignedIn(model, args.caller);
  const harvest = at(model.harvests, args.harvest);
  const part = harvest.parts.find(({ person }) => person === args.caller);
  if (!part) throw new Refused("not_found", texts.noPart);
  requireChoosing(model, harvest);
  const { quantity, taken, given } = wanted(model, args);
  if (taken + given > quantity) {
    throw new Refused("invalid", texts.tooMuch(formatQuantity(quantity, termsOf(model, harvest).unit)));
  }
  part.choice = { taken, given, sold: quantity - taken - given };
  return {};
}

export const isReady = ({ taken, isCollected, isUncollected }: Part): boolean =>
  taken > 0n && !isCollected && !isUncollected;

/** The job: it fixes what was chosen, and sells what nobody came for. */
export function sweepHarvests(model: Model): void {
  for (const harvest of model.harvests) {
    if (harvest.state !== "choosing" || harvest.choosesUntil >= model.now) continue;
    const { farmQuantity, parts } = divide(model, harvest);
    for (const [place, { taken, given, sold }] of parts.entries()) {
      Object.assign(at(harvest.parts, place), { taken, given, sold });
    }
    const takers = harvest.parts.filter(({ taken }) => taken > 0n).map(({ person }) => person);
    const collectsUntil = takers.length > 0 ? endOfDay(model.now, termsOf(model, harvest).collectionDays) : null;
    Object.assign(harvest, { state: "allotted", farmQuantity, collectsUntil, allottedAt: model.now });
    tell(model, takers, "harvest");
  }
  for (const { state, collectsUntil, parts } of model.harvests) {
    if (collectsUntil === null || collectsUntil >= model.now || state === "lost") continue;
    const left = parts.filter(isReady);
    for (const part of left) part.isUncollected = true;
    tell(
      model,
      left.map(({ person }) => person),
      "harvest",
    );
  }
}

/** Returns the worth of produce that lies ready, at the reference price. */
export const produceKobo = ({ state, parts }: Harvest): bigint =>
  state === "lost" ? 0n : sum(parts.filter(isReady).map(({ taken }) => (taken * priceKobo) / 1000n));

export type Collecting = OnHarvest & { part: number };
/** Returns the person whose produce it is: only people who take some have a code. */
export const takerOf = (model: Readonly<Model>, { harvest, part }: Collecting): Part | undefined => {
  const takers = model.harvests[harvest]?.parts.filter(({ taken }) => taken > 0n) ?? [];
  return takers[part % Math.max(1, takers.length)];
};

export function collect(model: Model, args: Collecting) {
  require(model, args.caller, "harvests:manage");
  const { state, collectsUntil } = at(model.harvests, args.harvest);
  const part = takerOf(model, args);
  if (!part) throw new Error("nobody takes anything");
  if (state === "lost") throw new Refused("conflict", texts.lost);
  if (part.isCollected) throw new Refused("conflict", texts.collectedAlready);
  if (part.isUncollected || (collectsUntil ?? 0) < model.now) throw new Refused("conflict", texts.collectingOver);
  part.isCollected = true;
  model.audit.push("collect_produce");
  return {};
}

export function addFile(model: Model, { caller, harvest }: OnHarvest) {
  require(model, caller, "harvests:manage");
  at(model.harvests, harvest).filesAt.push(model.now);
  model.audit.push("add_harvest_file");
  return {};
}
