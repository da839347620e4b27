import { bankTexts, harvestLineTexts } from "#shared/bank-texts.ts";
import { type CostPayer, type HarvestPool, type HarvestState, harvestTexts as texts } from "#shared/harvests-texts.ts";
import { permissionsOf } from "#shared/permissions.ts";
import { formatQuantity } from "#shared/terms-texts.ts";
import { makePaper, replacePapers } from "./papers.ts";
import { cancelPayouts } from "./payouts.ts";
import { cast } from "./real.ts";
import {
  at,
  farmOf,
  findRound,
  type Model,
  outcomeOf,
  owe,
  Refused,
  require,
  requireSignedIn,
  restKobo,
  tell,
} from "./state.ts";

/** What a funded farm grows: who has how much of it, and what its sales bring to whom. */

export type Harvest = {
  project: number;
  round: number;
  state: HarvestState;
  quantity: bigint;
  farmQuantity: bigint | null;
  opened: boolean;
  choosesUntil: number;
  collectsUntil: number | null;
  allottedAt: number | null;
  /** When photos and documents of the harvest itself came. */
  filesAt: number[];
  areCostsLost: boolean;
  isRestLost: boolean;
  /** What of the platform's costs was booked as lost, and what the farm bore of them. */
  lostKobo: bigint;
  ofFarmKobo: bigint;
  parts: Part[];
};
type Choice = { taken: bigint; given: bigint; sold: bigint };
export type Part = Choice & {
  person: number;
  weightKobo: bigint;
  choice: Choice | null;
  isCollected: boolean;
  isUncollected: boolean;
};
export type Cost = { harvest: number; amountKobo: bigint; paidBy: CostPayer; isRemoved: boolean };
export type Sale = {
  harvest: number;
  pool: HarvestPool;
  quantity: bigint;
  amountKobo: bigint;
  declaredAt: number | null;
  isTakenBack: boolean;
  isRemoved: boolean;
};
export type Settlement = {
  harvest: number;
  pool: HarvestPool;
  proceedsKobo: bigint;
  costs: { cost: number; amountKobo: bigint }[];
  farmKobo: bigint;
  /** What of the platform's costs was taken from the farm's payouts at the end. */
  deductedKobo: bigint;
  parts: { person: number; shareKobo: bigint; feeKobo: bigint; vatKobo: bigint; whtKobo: bigint; netKobo: bigint }[];
  isReversed: boolean;
};

const hour = 3_600_000;
/** Of which the reference price is kobo. */
export const priceKobo = 275_000n;

/** 23:59:59 in Lagos, so many days from now. */
function endOfDay(now: number, days: number): number {
  const inLagos = new Date(now + hour);
  return Date.UTC(inLagos.getUTCFullYear(), inLagos.getUTCMonth(), inLagos.getUTCDate() + days, 22, 59, 59);
}

const atLeastNothing = (value: bigint): bigint => (value > 0n ? value : 0n);
const sum = (list: readonly bigint[]): bigint => list.reduce((all, one) => all + one, 0n);

/** Whole units for each; then one by one to whoever is furthest below what is theirs, of equals to the earlier. */
function share(total: bigint, weights: readonly bigint[]): bigint[] {
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

const termsOf = (model: Model, { project, round }: Harvest) => findRound(model, project, round).says;

export type OfRound = { project: number; round: number };
const isOf =
  ({ project, round }: OfRound) =>
  (it: OfRound) =>
    it.project === project && it.round === round;

/** Why nothing of a round changes any more: its harvest has begun, or was settled. */
export function refuseBegun(model: Model, key: OfRound): void {
  if (!model.weights.some(isOf(key))) return;
  const own = model.harvests.filter((it) => isOf(key)(it) && it.state !== "withdrawn");
  const isSettled = own.length > 0 && own.every(({ state }) => ["settled", "done", "lost"].includes(state));
  throw new Refused("conflict", isSettled ? texts.roundSettled : texts.begun);
}

const isEnded = ({ state }: Harvest): boolean => ["done", "lost", "withdrawn"].includes(state);

/** The one harvest that the terms plan came, and none is open. */
export function isRoundOver(model: Model, key: OfRound): boolean {
  const own = model.harvests.filter(isOf(key));
  return (
    model.weights.some(isOf(key)) && own.every(isEnded) && own.some(({ state }) => state === "done" || state === "lost")
  );
}

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
  if (outcomeOf(model, project, round) !== "funded") throw new Refused("conflict", texts.notFunded);
  model.harvests.push({
    ...{ project, round, state: "draft", quantity, farmQuantity: null, opened: false, choosesUntil: 0 },
    ...{ collectsUntil: null, allottedAt: null, filesAt: [], areCostsLost: false, isRestLost: false },
    ...{ lostKobo: 0n, ofFarmKobo: 0n, parts: [] },
  });
  model.audit.push("create_harvest");
  return {};
}

/** What each backing of a round counts now: its approved lots. */
const liveWeights = (model: Model, key: OfRound) =>
  model.backings
    .filter(({ project }) => project === key.project)
    .map(({ person }) => ({
      ...{ project: key.project, round: key.round, person },
      weightKobo: sum(
        model.payments
          .filter((it) => isOf(key)({ ...it, project: it.origin }) && it.person === person && it.status === "approved")
          .map(({ amountKobo }) => amountKobo),
      ),
    }))
    .filter(({ weightKobo }) => weightKobo > 0n);

/** From the first opening on nothing of the round changes. */
function freeze(model: Model, { project, round }: OfRound) {
  const key = { project, round };
  const frozen = model.weights.filter(isOf(key));
  if (frozen.length > 0) return frozen;
  if (outcomeOf(model, project, round) !== "funded") throw new Refused("conflict", texts.notFunded);
  const live = liveWeights(model, key);
  if (live.length === 0) throw new Refused("conflict", texts.nobody);
  model.weights.push(...live);
  return live;
}

const newParts = (weights: readonly { person: number; weightKobo: bigint }[]): Part[] =>
  weights.map(({ person, weightKobo }) => ({
    ...{ person, weightKobo, choice: null, taken: 0n, given: 0n, sold: 0n, isCollected: false, isUncollected: false },
  }));

type OnHarvest = { caller: number; harvest: number };

export function open(model: Model, { caller, harvest: index }: OnHarvest) {
  require(model, caller, "harvests:manage");
  const harvest = at(model.harvests, index);
  if (harvest.state !== "draft") throw new Refused("conflict", texts.notDraft);
  if (harvest.quantity === 0n) throw new Refused("conflict", texts.nothingToChoose);
  const parts = newParts(freeze(model, harvest));
  const choosesUntil = endOfDay(model.now, termsOf(model, harvest).choiceDays);
  Object.assign(harvest, { state: "choosing", opened: true, choosesUntil, parts });
  model.audit.push("open_harvest");
  tellParts(model, harvest);
  return {};
}

const tellParts = (model: Model, { parts }: Harvest): void =>
  tell(
    model,
    parts.map(({ person }) => person),
    "harvest",
  );

/** What was frozen for it alone is forgotten. */
export function withdraw(model: Model, { caller, harvest: index }: OnHarvest) {
  require(model, caller, "harvests:manage");
  const harvest = at(model.harvests, index);
  if (harvest.state !== "draft" && harvest.state !== "choosing") throw new Refused("conflict", texts.notDraft);
  if (harvest.parts.some(({ choice }) => choice !== null)) throw new Refused("conflict", texts.choicesMade);
  if (harvest.state === "choosing") tellParts(model, harvest);
  harvest.state = "withdrawn";
  const isKept = model.harvests.some(
    (it) => isOf(harvest)(it) && it.state !== "withdrawn" && (it.opened || it.state === "lost"),
  );
  if (!isKept) model.weights = model.weights.filter((it) => !isOf(harvest)(it));
  model.audit.push("withdraw_harvest");
  return {};
}

function requireChoosing(model: Model, { state, choosesUntil }: Harvest): void {
  if (state !== "choosing" || choosesUntil < model.now) throw new Refused("conflict", texts.notChoosing);
}

export type Lowering = OnHarvest & { by: bigint };

export function lower(model: Model, { caller, harvest: index, by }: Lowering) {
  require(model, caller, "harvests:manage");
  const harvest = at(model.harvests, index);
  requireChoosing(model, harvest);
  if (by <= 0n || by >= harvest.quantity) throw new Refused("invalid", texts.onlyLess);
  harvest.quantity -= by;
  model.audit.push("lower_harvest");
  tellParts(model, harvest);
  return {};
}

/** What everybody has of it as it stands: the farm's part is rounded down, and choices that are too large are cut. */
function divide(model: Model, harvest: Harvest) {
  const farmQuantity = (harvest.quantity * BigInt(termsOf(model, harvest).farmPart)) / 10_000n;
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

/** What somebody wants, in eighths of what is theirs now. */
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

/** What lies ready is worth so much at the reference price. */
export const produceKobo = ({ state, parts }: Harvest): bigint =>
  state === "lost" ? 0n : sum(parts.filter(isReady).map(({ taken }) => (taken * priceKobo) / 1000n));

export type Collecting = OnHarvest & { part: number };
/** Whose produce it is: only who takes some has a code. */
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

const isWithoutSales = ({ state }: Harvest): boolean => state === "lost" || state === "withdrawn";

/** Standing settlements of a harvest, by their places. */
const standing = (model: Model, harvest: number): Settlement[] =>
  model.settlements.filter((it) => it.harvest === harvest && !it.isReversed);

/** What no settlement has taken of each cost that stands, in the order in which they came. */
function openCosts(model: Model, harvest: number) {
  return [...model.costs.entries()].flatMap(([cost, { amountKobo, paidBy, isRemoved, harvest: of }]) => {
    const taken = standing(model, harvest).flatMap(({ costs }) => costs.filter((it) => it.cost === cost));
    const openKobo = amountKobo - sum(taken.map((it) => it.amountKobo));
    return of === harvest && !isRemoved && openKobo > 0n ? [{ cost, paidBy, openKobo }] : [];
  });
}
export const platformRestKobo = (model: Model, harvest: number): bigint =>
  sum(openCosts(model, harvest).flatMap(({ paidBy, openKobo }) => (paidBy === "platform" ? [openKobo] : [])));

export type Spending = OnHarvest & { amountKobo: bigint; paidBy: CostPayer };

export function addCost(model: Model, { caller, harvest: index, amountKobo, paidBy }: Spending) {
  const person = require(model, caller, "harvests:manage");
  const harvest = at(model.harvests, index);
  if (harvest.state === "done") throw new Refused("conflict", texts.changed);
  if (isWithoutSales(harvest) && paidBy === "farm") throw new Refused("conflict", texts.onlyPlatformCosts);
  if (harvest.areCostsLost && !permissionsOf(person).includes("harvests:settle")) {
    throw new Refused("forbidden", texts.costsLostAlready);
  }
  if (!termsOf(model, harvest).hasCosts) throw new Refused("invalid", texts.costUnknown);
  // Two owners book all of it anew.
  if (harvest.areCostsLost) Object.assign(harvest, { areCostsLost: false, lostKobo: 0n });
  model.costs.push({ harvest: index, amountKobo, paidBy, isRemoved: false });
  model.audit.push("add_harvest_cost");
  return {};
}

export function removeCost(model: Model, { caller, cost: index }: { caller: number; cost: number }) {
  require(model, caller, "harvests:manage");
  const cost = at(model.costs, index);
  if (cost.isRemoved) throw new Refused("not_found", texts.costGone);
  const { state, areCostsLost } = at(model.harvests, cost.harvest);
  const isTaken = standing(model, cost.harvest).some(({ costs }) => costs.some((it) => it.cost === index));
  if (state === "done" || areCostsLost || isTaken) throw new Refused("conflict", texts.costTaken);
  cost.isRemoved = true;
  model.audit.push("remove_harvest_cost");
  return {};
}

const requireAllotted = ({ state }: Harvest): void => {
  if (!["allotted", "settled", "done"].includes(state)) throw new Refused("conflict", texts.notAllotted);
};

/** Who has how much of a pool, the farm last. */
function poolOf({ parts, farmQuantity }: Harvest, pool: HarvestPool) {
  const own = parts.map(({ person, sold, taken, isUncollected }) => ({
    person,
    quantity: pool === "sold" ? sold : isUncollected ? taken : 0n,
  }));
  return { own: own.filter(({ quantity }) => quantity > 0n), farm: pool === "sold" ? (farmQuantity ?? 0n) : 0n };
}

function requirePool(harvest: Harvest, pool: HarvestPool) {
  const found = poolOf(harvest, pool);
  if (found.own.length === 0 && found.farm === 0n) {
    throw new Refused("conflict", pool === "sold" ? texts.nothingSold : texts.nothingUncollected);
  }
  return found;
}

/** What no sale of a pool names yet. */
export function leftToSell(model: Readonly<Model>, harvest: number, pool: HarvestPool): bigint {
  const { own, farm } = poolOf(at(model.harvests, harvest), pool);
  const sold = model.sales.filter((it) => it.harvest === harvest && it.pool === pool && !it.isRemoved);
  return sum(own.map(({ quantity }) => quantity)) + farm - sum(sold.map(({ quantity }) => quantity));
}

export type Selling = OnHarvest & { pool: HarvestPool; part: "rest" | "half" | "more"; amountKobo: bigint };

/** How much somebody buys: it is never nothing. */
export function boughtOf(model: Readonly<Model>, { harvest, pool, part }: Selling): bigint {
  const left = leftToSell(model, harvest, pool);
  if (left <= 0n || part === "more") return (left > 0n ? left : 0n) + 1n;
  return part === "half" && left > 1n ? left / 2n : left;
}

export function sell(model: Model, args: Selling) {
  require(model, args.caller, "harvests:manage");
  const { harvest: index, pool, amountKobo } = args;
  const harvest = at(model.harvests, index);
  requireAllotted(harvest);
  requirePool(harvest, pool);
  const left = leftToSell(model, index, pool);
  const quantity = boughtOf(model, args);
  if (quantity > left) {
    const { unit } = termsOf(model, harvest);
    throw new Refused("conflict", texts.tooMuchSold(left > 0n ? formatQuantity(left, unit) : null));
  }
  model.sales.push({
    ...{ harvest: index, pool, quantity, amountKobo, declaredAt: null, isTakenBack: false, isRemoved: false },
  });
  model.audit.push("add_harvest_sale", "add_harvest_file");
  return {};
}

/** What lines show of a sale. */
const seenKobo = (model: Model, sale: number): bigint =>
  sum(model.matches.filter((it) => it.sale === sale && !it.isUndone).map(({ amountKobo }) => amountKobo));
export const missingOfSale = (model: Model, sale: number): bigint =>
  at(model.sales, sale).amountKobo - seenKobo(model, sale);

/** What the sales of a pool brought and no settlement has divided. */
export function proceedsKobo(model: Model, harvest: number, pool: HarvestPool): bigint {
  const brought = [...model.sales.entries()].map(([index, sale]) =>
    sale.harvest !== harvest || sale.pool !== pool
      ? 0n
      : sale.declaredAt !== null
        ? sale.amountKobo
        : seenKobo(model, index),
  );
  const divided = standing(model, harvest).filter((it) => it.pool === pool);
  return sum(brought) - sum(divided.map((it) => it.proceedsKobo));
}

type OnSale = { caller: number; sale: number };

export function removeSale(model: Model, { caller, sale: index }: OnSale) {
  require(model, caller, "harvests:manage");
  const sale = at(model.sales, index);
  if (sale.isRemoved) throw new Refused("not_found", texts.saleGone);
  if (sale.declaredAt !== null || seenKobo(model, index) > 0n) throw new Refused("conflict", texts.saleReceived);
  sale.isRemoved = true;
  model.audit.push("remove_harvest_sale");
  return {};
}

/** One owner asks, and the other confirms. */
function twoSay(model: Model, action: string): void {
  model.audit.push("ask_second_person", "confirm_as_second_person", action);
  tell(model, [cast.manager], "second_person");
  tell(model, [cast.owner], "second_person");
}

export function declareSale(model: Model, { sale: index }: { sale: number }) {
  const sale = at(model.sales, index);
  if (sale.isRemoved) throw new Refused("not_found", texts.saleGone);
  requireAllotted(at(model.harvests, sale.harvest));
  if (sale.isTakenBack) throw new Refused("conflict", texts.saleTakenBack);
  if (sale.declaredAt !== null || missingOfSale(model, index) === 0n) throw new Refused("conflict", texts.saleArrived);
  sale.declaredAt = model.now;
  twoSay(model, "declare_sale");
  return {};
}

export function takeSaleBack(model: Model, { sale: index }: { sale: number }) {
  const sale = at(model.sales, index);
  if (sale.isRemoved) throw new Refused("not_found", texts.saleGone);
  if (sale.declaredAt === null) throw new Refused("conflict", texts.notDeclared);
  const unseen = missingOfSale(model, index);
  if (unseen === 0n) throw new Refused("conflict", texts.saleSeen);
  if (proceedsKobo(model, sale.harvest, sale.pool) < unseen) throw new Refused("conflict", texts.saleSettled);
  Object.assign(sale, { declaredAt: null, isTakenBack: true });
  twoSay(model, "take_back_sale");
  return {};
}

export type MatchingHarvest = {
  caller: number;
  line: number;
  kind: "sale" | "harvest_cost";
  sale: number;
  isWhole: boolean;
};

/** How much of a line a match takes: what fits, or a kobo more than the line has left. */
export function harvestMatchKobo(model: Readonly<Model>, { line, kind, sale, isWhole }: MatchingHarvest): bigint {
  const rest = restKobo(model, line);
  if (!isWhole || rest === 0n) return rest + 1n;
  const missing = kind === "sale" ? missingOfSale(model, sale) : rest;
  return missing > 0n && missing < rest ? missing : rest;
}

export function matchHarvest(model: Model, args: MatchingHarvest) {
  const { caller, line, kind, sale: index } = args;
  require(model, caller, "bank:import");
  const amountKobo = harvestMatchKobo(model, args);
  if (amountKobo > restKobo(model, line)) {
    throw new Refused("conflict", bankTexts.moreThanRest(restKobo(model, line)));
  }
  const isIn = at(model.lines, line).amountKobo > 0n;
  const sale = at(model.sales, index);
  if (kind === "harvest_cost" && isIn) throw new Refused("conflict", bankTexts.onlyOut);
  if (kind === "sale") {
    if (!isIn) throw new Refused("conflict", bankTexts.onlyIn);
    if (sale.isRemoved) throw new Refused("conflict", harvestLineTexts.saleGone);
    if (isWithoutSales(at(model.harvests, sale.harvest))) throw new Refused("conflict", harvestLineTexts.over);
    const missing = missingOfSale(model, index);
    if (amountKobo > missing) throw new Refused("conflict", harvestLineTexts.moreThanMissing(missing));
  }
  const about = kind === "sale" ? { sale: index, harvest: null } : { sale: null, harvest: sale.harvest };
  model.matches.push({ line, kind, payment: null, payout: null, ...about, amountKobo, isUndone: false, at: model.now });
  model.audit.push("match_line");
  return {};
}

/** Money of a sale stays once it is settled, or once two owners have declared what its line didn't show. */
export function requireSaleMayLeave(
  model: Model,
  match: { sale: number | null; amountKobo: bigint; at: number },
): void {
  if (match.sale === null) return;
  const sale = at(model.sales, match.sale);
  const leaving = sale.declaredAt === null ? match.amountKobo : 0n;
  if (proceedsKobo(model, sale.harvest, sale.pool) - leaving < 0n) {
    throw new Refused("conflict", harvestLineTexts.settled);
  }
  if (sale.declaredAt !== null && match.at <= sale.declaredAt) throw new Refused("conflict", harvestLineTexts.declared);
}

export type Settling = OnHarvest & { pool: HarvestPool; isSeen: boolean };

/** What an owner types: what the pool brought, or a kobo more. */
export const typedKobo = (model: Readonly<Model>, { harvest, pool, isSeen }: Settling): bigint => {
  const kobo = proceedsKobo(model, harvest, pool);
  return isSeen && kobo > 0n ? kobo : kobo + 1n;
};

const rateOf = (kobo: bigint, rate: number): bigint => (kobo * BigInt(rate)) / 10_000n;

/** Costs come off first, in their order; the rest is shared by quantity, of which backers pay fee and taxes. */
export function settle(model: Model, args: Settling) {
  const { caller, harvest: index, pool } = args;
  require(model, caller, "harvests:settle");
  const harvest = at(model.harvests, index);
  requireAllotted(harvest);
  const proceeds = proceedsKobo(model, index, pool);
  if (proceeds <= 0n) throw new Refused("conflict", texts.nothingReceived);
  const { own, farm } = requirePool(harvest, pool);
  if (typedKobo(model, args) !== proceeds) throw new Refused("conflict", texts.proceedsChanged);
  let left = proceeds;
  const costs: Settlement["costs"] = [];
  let farmCostsKobo = 0n;
  for (const { cost, paidBy, openKobo } of harvest.state === "done" ? [] : openCosts(model, index)) {
    const amountKobo = openKobo - atLeastNothing(openKobo - left);
    if (amountKobo > 0n) costs.push({ cost, amountKobo });
    if (paidBy === "farm") farmCostsKobo += amountKobo;
    left -= amountKobo;
  }
  const shares = share(left, [...own.map(({ quantity }) => quantity), farm]);
  const farmKobo = at(shares, own.length);
  const { fee } = termsOf(model, harvest);
  const parts = own.map(({ person }, place) => {
    const shareKobo = at(shares, place);
    const feeKobo = rateOf(shareKobo, fee);
    const [vatKobo, whtKobo] = [rateOf(feeKobo, model.vatRate), rateOf(shareKobo, model.whtRate)];
    return { person, shareKobo, feeKobo, vatKobo, whtKobo, netKobo: shareKobo - feeKobo - vatKobo - whtKobo };
  });
  const settlement = model.settlements.length;
  model.settlements.push({
    ...{ harvest: index, pool, proceedsKobo: proceeds, costs, farmKobo, deductedKobo: 0n, parts, isReversed: false },
  });
  for (const { person, netKobo } of parts) {
    owe(model, { settlement, payee: person, amountKobo: netKobo });
    makePaper(model, { kind: "settlement", about: settlement, person, amountKobo: netKobo });
  }
  owe(model, { settlement, payee: farmOf(harvest.project), amountKobo: farmKobo + farmCostsKobo });
  if (harvest.state === "allotted") harvest.state = "settled";
  model.audit.push("settle_harvest");
  tell(
    model,
    parts.map(({ person }) => person),
    "harvest",
  );
  return {};
}

export function reverse(model: Model, { caller, settlement: index }: { caller: number; settlement: number }) {
  require(model, caller, "harvests:settle");
  const settlement = at(model.settlements, index);
  const harvest = at(model.harvests, settlement.harvest);
  if (settlement.isReversed) throw new Refused("conflict", texts.reversedAlready);
  if (harvest.state === "done") throw new Refused("conflict", texts.payoutLeft);
  cancelPayouts(model, (it) => it.settlement === index, texts.payoutLeft);
  settlement.isReversed = true;
  replacePapers(model, { kind: "settlement", about: index });
  if (standing(model, settlement.harvest).length === 0) harvest.state = "allotted";
  model.audit.push("reverse_settlement");
  return {};
}

const pools: HarvestPool[] = ["sold", "uncollected"];

function refuseOpenEnd(model: Model, index: number): void {
  const { state, parts } = at(model.harvests, index);
  if (state !== "settled" && state !== "allotted") throw new Refused("conflict", texts.notAllotted);
  if (parts.some(isReady)) throw new Refused("conflict", texts.stillOpen);
  if (pools.some((pool) => proceedsKobo(model, index, pool) !== 0n)) throw new Refused("conflict", texts.moneyLeft);
}

/** What each pool still owes to those whose produce it is. */
const restsOf = (model: Model, index: number) =>
  pools.map((pool) => ({
    pool,
    isAnybodys: poolOf(at(model.harvests, index), pool).own.length > 0,
    isSettled: standing(model, index).some((it) => it.pool === pool),
    isUnsold: leftToSell(model, index, pool) > 0n,
    isUnpaid: [...model.sales.entries()].some(
      ([sale, it]) =>
        it.harvest === index &&
        it.pool === pool &&
        !it.isRemoved &&
        it.declaredAt === null &&
        missingOfSale(model, sale) > 0n,
    ),
  }));

/** One owner ends what is sold, paid and settled. */
export function finish(model: Model, { caller, harvest: index }: OnHarvest) {
  require(model, caller, "harvests:settle");
  refuseOpenEnd(model, index);
  const rests = restsOf(model, index);
  if (rests.some((it) => it.isAnybodys && !it.isSettled)) throw new Refused("conflict", texts.nothingSettled);
  if (rests.some((it) => it.isUnpaid)) throw new Refused("conflict", texts.salesUnpaid);
  if (rests.some((it) => it.isAnybodys && it.isUnsold)) throw new Refused("conflict", texts.unsold);
  end(model, index);
  model.audit.push("finish_harvest");
  return {};
}

/** What is left of the platform's costs falls on what is owed to the farm and in no run; the rest is lost. */
function end(model: Model, index: number): void {
  const harvest = at(model.harvests, index);
  let left = platformRestKobo(model, index);
  harvest.lostKobo = left;
  for (const [place, settlement] of model.settlements.entries()) {
    if (settlement.harvest !== index || settlement.isReversed) continue;
    const unsent = model.payouts.filter(
      (it) => it.settlement === place && it.payee < 0 && (it.state === "waiting" || it.state === "due"),
    );
    const owed = sum(unsent.map(({ amountKobo }) => amountKobo));
    const taken = owed - atLeastNothing(owed - left);
    if (taken === 0n) continue;
    for (const payout of unsent) payout.state = "cancelled";
    owe(model, { settlement: place, payee: farmOf(harvest.project), amountKobo: owed - taken });
    settlement.deductedKobo = taken;
    left -= taken;
  }
  harvest.ofFarmKobo = harvest.lostKobo - left;
  harvest.lostKobo = left;
  harvest.state = "done";
}

/** Two owners, where nothing of it was settled or collected. A draft of nothing is lost by them too. */
export function lose(model: Model, { harvest: index }: { harvest: number }) {
  const harvest = at(model.harvests, index);
  const { state, quantity, filesAt, parts } = harvest;
  if (!["draft", "choosing", "allotted"].includes(state) || (state === "draft" && quantity > 0n)) {
    throw new Refused("conflict", texts.changed);
  }
  if (filesAt.length === 0) throw new Refused("conflict", texts.evidenceFirst);
  if (parts.some(({ isCollected }) => isCollected)) throw new Refused("conflict", texts.collected);
  const hasMoney = pools.some((pool) => proceedsKobo(model, index, pool) !== 0n);
  if (standing(model, index).length > 0 || hasMoney) throw new Refused("conflict", texts.settledPart);
  if (state === "draft") harvest.parts = newParts(freeze(model, harvest));
  harvest.state = "lost";
  twoSay(model, "lose_harvest");
  tellParts(model, harvest);
  return {};
}

/** Whether a draft could be opened or lost: otherwise it stays one. */
export const hasBackers = (model: Readonly<Model>, { project, round }: OfRound): boolean =>
  model.weights.some(isOf({ project, round })) ||
  (outcomeOf(model, project, round) === "funded" && liveWeights(model, { project, round }).length > 0);

export function loseRest(model: Model, { harvest: index }: { harvest: number }) {
  refuseOpenEnd(model, index);
  const harvest = at(model.harvests, index);
  const { state, parts, filesAt, allottedAt } = harvest;
  if (state === "allotted" && !parts.some(({ isCollected }) => isCollected)) {
    throw new Refused("conflict", texts.loseInstead);
  }
  const lost = restsOf(model, index).filter((it) => it.isUnpaid || (it.isAnybodys && (it.isUnsold || !it.isSettled)));
  if (lost.length === 0) throw new Refused("conflict", texts.nothingLost);
  if (!filesAt.some((fileAt) => fileAt > (allottedAt ?? 0))) throw new Refused("conflict", texts.restEvidence);
  end(model, index);
  harvest.isRestLost = true;
  twoSay(model, "lose_rest");
  const isLost = ({ sold, isUncollected }: Part) =>
    lost.some(({ pool }) => (pool === "sold" ? sold > 0n : isUncollected));
  tell(
    model,
    parts.filter(isLost).map(({ person }) => person),
    "harvest",
  );
  return {};
}

export function loseCosts(model: Model, { harvest: index }: { harvest: number }) {
  const harvest = at(model.harvests, index);
  const rest = platformRestKobo(model, index);
  if (!isWithoutSales(harvest)) throw new Refused("conflict", texts.changed);
  if (harvest.areCostsLost || rest === 0n) throw new Refused("conflict", texts.noCostsLeft);
  Object.assign(harvest, { areCostsLost: true, lostKobo: rest });
  twoSay(model, "lose_costs");
  return {};
}

/** What the ledger holds of a harvest. */
export function booksOf(model: Model, index: number) {
  const harvest = at(model.harvests, index);
  const seenCosts = model.matches.filter((it) => it.harvest === index && !it.isUndone);
  const taken = standing(model, index).flatMap(({ costs }) =>
    costs.filter(({ cost }) => at(model.costs, cost).paidBy === "platform"),
  );
  const settled = standing(model, index).flatMap(({ parts }) => parts);
  return {
    proceedsKobo: sum(pools.map((pool) => proceedsKobo(model, index, pool))),
    costsKobo:
      sum(seenCosts.map(({ amountKobo }) => amountKobo)) -
      sum(taken.map(({ amountKobo }) => amountKobo)) -
      harvest.lostKobo -
      harvest.ofFarmKobo,
    lostKobo: harvest.lostKobo,
    feeKobo: sum(settled.map(({ feeKobo }) => feeKobo)),
    vatKobo: sum(settled.map(({ vatKobo }) => vatKobo)),
    whtKobo: sum(settled.map(({ whtKobo }) => whtKobo)),
    produceKobo: produceKobo(harvest),
    dueKobo: sum(
      model.payouts
        .filter(
          ({ settlement, payee, state }) =>
            settlement !== null &&
            payee >= 0 &&
            at(model.settlements, settlement).harvest === index &&
            ["waiting", "due", "in_run"].includes(state),
        )
        .map(({ amountKobo }) => amountKobo),
    ),
  };
}
