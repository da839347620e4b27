import { bankTexts, harvestLineTexts } from "#shared/bank/texts.ts";
import { type CostPayer, type HarvestPool, harvestTexts as texts } from "#shared/harvests/texts.ts";
import { permissionsOf } from "#shared/permissions.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import { type Harvest, type OnHarvest, sum, termsOf, weightsOf } from "./harvests.ts";
import {
  awayKobo,
  missingOfSale,
  neverSeenKobo,
  proceedsKobo,
  receivableOfSale,
  seenKobo,
  standing,
} from "./sale-money.ts";
import { confirmByTwo } from "./second-person.ts";
import { at, type LineMatch, type Model, Refused, require, requireStandingLine, restKobo } from "./state.ts";
import { requireWritten, takesTwo, wasOfAnother } from "./walls.ts";

/** A harvest's costs and sales. */

export const isWithoutSales = ({ state }: Harvest): boolean => state === "lost" || state === "withdrawn";

/** Returns the open rest of each standing cost, which no settlement has taken, in the order in which they came. */
export function openCosts(model: Model, harvest: number) {
  return [...model.costs.entries()].flatMap(([cost, { amountKobo, paidBy, isRemoved, isCounted, harvest: of }]) => {
    const taken = standing(model, harvest).flatMap(({ costs }) => costs.filter((it) => it.cost === cost));
    const openKobo = amountKobo - sum(taken.map((it) => it.amountKobo));
    return of === harvest && !isRemoved && isCounted && openKobo > 0n ? [{ cost, paidBy, openKobo }] : [];
  });
}
export const platformRestKobo = (model: Model, harvest: number): bigint =>
  sum(openCosts(model, harvest).flatMap(({ paidBy, openKobo }) => (paidBy === "platform" ? [openKobo] : [])));

const seenCostsKobo = (model: Model, harvest: number): bigint =>
  sum(model.matches.filter((it) => it.harvest === harvest && !it.isUndone).map(({ amountKobo }) => amountKobo));
const writtenCostsKobo = (model: Model, harvest: number): bigint =>
  sum(
    model.costs
      .filter((it) => it.harvest === harvest && it.paidBy === "platform" && !it.isRemoved)
      .map(({ amountKobo }) => amountKobo),
  );

/** Returns the costs that lines show beyond what is written down and was booked as lost. */
export function unwrittenKobo(model: Model, harvest: number): bigint {
  const kobo =
    seenCostsKobo(model, harvest) - writtenCostsKobo(model, harvest) - at(model.harvests, harvest).unwrittenLostKobo;
  return kobo > 0n ? kobo : 0n;
}

/** Costs of a harvest that is over were all written down, or booked as lost. */
function requireCostsOpen(model: Model, harvest: number, amountKobo: bigint): void {
  const { state, areCostsLost, unwrittenLostKobo } = at(model.harvests, harvest);
  if (state !== "done" && !areCostsLost) return;
  if (seenCostsKobo(model, harvest) + amountKobo > writtenCostsKobo(model, harvest) + unwrittenLostKobo) {
    throw new Refused("conflict", harvestLineTexts.costsOver);
  }
}

/** Returns the part of a cost's match that was booked as lost because nobody wrote it down. */
export function lossNotShownKobo(model: Model, { kind, harvest, amountKobo }: LineMatch): bigint {
  if (kind !== "harvest_cost" || harvest === null) return 0n;
  const { unwrittenLostKobo } = at(model.harvests, harvest);
  const left = seenCostsKobo(model, harvest) - amountKobo;
  const over = writtenCostsKobo(model, harvest) + unwrittenLostKobo - left;
  if (over > unwrittenLostKobo) return unwrittenLostKobo;
  return over > 0n ? over : 0n;
}

/** It is taken back with the match, as two say. */
export function takeLossBack(model: Model, { harvest: index }: LineMatch, lossKobo: bigint): void {
  if (index === null || lossKobo === 0n) return;
  const harvest = at(model.harvests, index);
  harvest.unwrittenLostKobo -= lossKobo;
  harvest.lostKobo -= lossKobo;
  if (harvest.lostKobo === 0n) harvest.areCostsLost = false;
}

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
  if (harvest.areCostsLost) Object.assign(harvest, { areCostsLost: false, lostKobo: 0n, unwrittenLostKobo: 0n });
  const isCounted = paidBy === "platform";
  model.costs.push({
    harvest: index,
    amountKobo,
    paidBy,
    isRemoved: false,
    isCounted,
    recordedBy: caller,
    removed: null,
  });
  model.audit.push("add_harvest_cost");
  return {};
}

/** Two owners say that the farm paid it. */
export function countCost(model: Model, { cost: index }: { cost: number }) {
  const cost = at(model.costs, index);
  if (cost.isRemoved) throw new Refused("not_found", texts.costGone);
  if (cost.paidBy !== "farm") throw new Refused("conflict", texts.costNotFarm);
  if (cost.isCounted) throw new Refused("conflict", texts.costCounted);
  const harvest = at(model.harvests, cost.harvest);
  if (harvest.state === "done" || isWithoutSales(harvest)) throw new Refused("conflict", texts.changed);
  cost.isCounted = true;
  confirmByTwo(model, "count_harvest_cost");
  return {};
}

export function removeCost(model: Model, { caller, cost: index }: { caller: number; cost: number }) {
  require(model, caller, "harvests:manage");
  const cost = at(model.costs, index);
  if (cost.isRemoved) throw new Refused("not_found", texts.costGone);
  const { state, areCostsLost } = at(model.harvests, cost.harvest);
  const isTaken = standing(model, cost.harvest).some(({ costs }) => costs.some((it) => it.cost === index));
  if (state === "done" || areCostsLost || isTaken) throw new Refused("conflict", texts.costTaken);
  Object.assign(cost, { isRemoved: true, removed: { by: caller, at: model.now } });
  model.audit.push("remove_harvest_cost");
  return {};
}

/** An insurer's sum may come at once. */
export const isAllotted = ({ state, isInsurance }: Harvest): boolean =>
  [isInsurance ? "draft" : "allotted", "settled", "done"].includes(state);
/** A buyer may pay in advance. */
export const isBeforeAllotment = ({ state, isInsurance }: Harvest): boolean =>
  !isInsurance && (state === "draft" || state === "choosing");
export const requireAllotted = (harvest: Harvest): void => {
  if (!isAllotted(harvest)) throw new Refused("conflict", texts.notAllotted);
};

/**
 * Who has how much of a pool, the farm last, and what there is to sell: also what was allotted to backers who were
 * struck. Where all of them were, it is the farm's.
 */
export function poolOf({ parts, farmQuantity }: Harvest, pool: HarvestPool) {
  const allotted = parts.map((part) => ({
    ...part,
    quantity: pool === "sold" ? part.sold : part.isUncollected ? part.taken : 0n,
  }));
  const own = allotted.map(({ person, backing, quantity, weightKobo, struckKobo }) => ({
    person,
    backing,
    quantity: (quantity * (weightKobo - struckKobo)) / weightKobo,
  }));
  const standing = own.filter(({ quantity }) => quantity > 0n);
  const ofFarm = pool === "sold" ? (farmQuantity ?? 0n) : 0n;
  const whole = ofFarm + sum(allotted.map(({ quantity }) => quantity));
  return { own: standing, farm: standing.length > 0 ? ofFarm : whole, whole };
}

/** Who shares what a pool brought. Of an insurer's sum it is everybody, by what their backing counts, and no farm. */
function sharersOf(model: Model, harvest: Harvest, pool: HarvestPool) {
  if (!harvest.isInsurance) return poolOf(harvest, pool);
  const weights = weightsOf(model, harvest);
  return {
    own: weights.map(({ person, backing, weightKobo }) => ({ person, backing, quantity: weightKobo })),
    farm: 0n,
  };
}

export function requirePool(model: Model, harvest: Harvest, pool: HarvestPool) {
  const found = sharersOf(model, harvest, pool);
  if (found.own.length === 0 && found.farm === 0n) {
    throw new Refused("conflict", pool === "sold" ? texts.nothingSold : texts.nothingUncollected);
  }
  return found;
}

/** Returns the quantity of a pool that no sale names yet. */
export function leftToSell(model: Readonly<Model>, harvest: number, pool: HarvestPool): bigint {
  const { whole } = poolOf(at(model.harvests, harvest), pool);
  const sold = model.sales.filter((it) => it.harvest === harvest && it.pool === pool && !it.isRemoved);
  return whole - sum(sold.map(({ quantity }) => quantity ?? 0n));
}

export type Selling = OnHarvest & {
  pool: HarvestPool;
  /** How much is bought, or "nothing" of an advance or a further payment. */
  part: "rest" | "half" | "more" | "nothing";
  amountKobo: bigint;
};

/** How much somebody buys: it is never nothing. An insurer buys nothing. */
export function boughtOf(model: Readonly<Model>, { harvest, pool, part }: Selling): bigint | null {
  if (at(model.harvests, harvest).isInsurance || part === "nothing") return null;
  const left = leftToSell(model, harvest, pool);
  if (left <= 0n || part === "more") return (left > 0n ? left : 0n) + 1n;
  return part === "half" && left > 1n ? left / 2n : left;
}

export function sell(model: Model, args: Selling) {
  require(model, args.caller, "harvests:manage");
  const { harvest: index, pool, amountKobo } = args;
  const harvest = at(model.harvests, index);
  const quantity = boughtOf(model, args);
  const isAdvance = quantity === null && pool === "sold" && isBeforeAllotment(harvest);
  if (!isAdvance) requireAllotted(harvest);
  if (!harvest.isInsurance && quantity === null && !isAdvance) {
    requirePool(model, harvest, pool);
    const isSold = model.sales.some(
      (it) => it.harvest === index && it.pool === pool && !it.isRemoved && it.quantity !== null,
    );
    if (!isSold) throw new Refused("conflict", texts.nothingToPayMoreFor);
  }
  if (quantity !== null) requirePool(model, harvest, pool);
  const left = leftToSell(model, index, pool);
  if (quantity !== null && quantity > left) {
    const { unit } = termsOf(model, harvest);
    throw new Refused("conflict", texts.tooMuchSold(left > 0n ? formatQuantity(left, unit) : null));
  }
  model.sales.push({
    harvest: index,
    pool,
    quantity,
    amountKobo,
    declaredAt: null,
    declaredOrder: null,
    lostKobo: 0n,
    isTakenBack: false,
    isRemoved: false,
    recordedBy: args.caller,
  });
  model.audit.push("add_harvest_sale", "add_harvest_file");
  return {};
}

/** How much an advance or a further payment turned out to be for. */
export type Measuring = { caller: number; sale: number; isMuch: boolean };

export function measuredOf(model: Readonly<Model>, { sale, isMuch }: Measuring): bigint {
  const { harvest, pool } = at(model.sales, sale);
  const left = leftToSell(model, harvest, pool);
  return left <= 0n || isMuch ? (left > 0n ? left : 0n) + 1n : left;
}

export function measure(model: Model, args: Measuring) {
  require(model, args.caller, "harvests:manage");
  const sale = at(model.sales, args.sale);
  if (sale.isRemoved) throw new Refused("not_found", texts.saleGone);
  const harvest = at(model.harvests, sale.harvest);
  requireAllotted(harvest);
  if (harvest.isInsurance || sale.quantity !== null) throw new Refused("conflict", texts.changed);
  requirePool(model, harvest, sale.pool);
  const left = leftToSell(model, sale.harvest, sale.pool);
  const quantity = measuredOf(model, args);
  if (quantity > left) {
    const { unit } = termsOf(model, harvest);
    throw new Refused("conflict", texts.tooMuchSold(left > 0n ? formatQuantity(left, unit) : null));
  }
  sale.quantity = quantity;
  model.audit.push("set_sale_quantity");
  return {};
}

/** Returns true if somebody wrote down a sale of a pool of which money came since its last settlement. */
export function hasRecordedSale(
  model: Model,
  harvest: number,
  { pool, caller }: { pool: HarvestPool; caller: number },
) {
  const settled = standing(model, harvest).filter((it) => it.pool === pool);
  const since = Math.max(0, ...settled.map(({ madeAt }) => madeAt));
  return [...model.sales.entries()].some(
    ([index, sale]) =>
      sale.harvest === harvest &&
      sale.pool === pool &&
      sale.recordedBy === caller &&
      !sale.isRemoved &&
      ((sale.declaredAt !== null && sale.declaredAt >= since) ||
        model.matches.some((it) => it.kind === "sale" && it.sale === index && !it.isUndone && it.at >= since)),
  );
}

/** Returns true if anything of a harvest waits to be divided. */
export const hasProceeds = (model: Model, harvest: number): boolean =>
  (["sold", "uncollected"] as const).some((pool) => proceedsKobo(model, harvest, pool) !== 0n);

/** Two owners wait for it no more. */
export function removeSale(model: Model, { sale: index }: { sale: number }) {
  const sale = at(model.sales, index);
  if (sale.isRemoved) throw new Refused("not_found", texts.saleGone);
  if (sale.declaredAt !== null || shownKobo(model, index) > 0n) throw new Refused("conflict", texts.saleReceived);
  sale.isRemoved = true;
  confirmByTwo(model, "remove_harvest_sale");
  return {};
}

/** Returns the money of a sale that lines have shown, with what was settled of it and is away. */
const shownKobo = (model: Model, sale: number): bigint => seenKobo(model, sale) + awayKobo(model, sale);

export type Changing = { sale: number; to: "more" | "less" | "same" };

/** Another amount than the one that stands there, unless it is asked for the same. */
export function changedKobo(model: Readonly<Model>, { sale, to }: Changing): bigint {
  const { amountKobo } = at(model.sales, sale);
  if (to === "same") return amountKobo;
  return to === "more" ? amountKobo + 1_000_000n : amountKobo / 2n + 1n;
}

/** Two owners: its buyer pays more, or less, than was typed. */
export function changeSale(model: Model, args: Changing) {
  const sale = at(model.sales, args.sale);
  if (sale.isRemoved) throw new Refused("not_found", texts.saleGone);
  const harvest = at(model.harvests, sale.harvest);
  if (harvest.state === "done" || isWithoutSales(harvest)) throw new Refused("conflict", texts.changed);
  const amountKobo = changedKobo(model, args);
  if (amountKobo === sale.amountKobo) throw new Refused("conflict", texts.sameAmount);
  if (sale.declaredAt !== null) throw new Refused("conflict", texts.declaredAmount);
  if (amountKobo < shownKobo(model, args.sale)) throw new Refused("conflict", texts.lessThanArrived);
  sale.amountKobo = amountKobo;
  confirmByTwo(model, "change_sale");
  return {};
}

/** Without the match that raised it a sale is for less again. */
export function lowerAgain(model: Model, { sale, raisedKobo = 0n }: LineMatch): void {
  if (sale === null || raisedKobo === 0n) return;
  const { amountKobo } = at(model.sales, sale);
  if (amountKobo > raisedKobo) at(model.sales, sale).amountKobo = amountKobo - raisedKobo;
}

export function declareSale(model: Model, { sale: index }: { sale: number }) {
  const sale = at(model.sales, index);
  if (sale.isRemoved) throw new Refused("not_found", texts.saleGone);
  const harvest = at(model.harvests, sale.harvest);
  requireAllotted(harvest);
  requirePool(model, harvest, sale.pool);
  if (sale.declaredAt === null && sale.declaredOrder !== null) throw new Refused("conflict", texts.saleTakenBack);
  if (sale.declaredAt !== null || neverSeenKobo(model, index) === 0n) throw new Refused("conflict", texts.saleArrived);
  Object.assign(sale, { declaredAt: model.now, declaredOrder: model.audit.length });
  confirmByTwo(model, "declare_sale");
  return {};
}

export function takeSaleBack(model: Model, { sale: index }: { sale: number }) {
  const sale = at(model.sales, index);
  if (sale.isRemoved) throw new Refused("not_found", texts.saleGone);
  if (sale.declaredAt === null) throw new Refused("conflict", texts.notDeclared);
  const unseen = neverSeenKobo(model, index);
  if (unseen === 0n) throw new Refused("conflict", texts.saleSeen);
  if (proceedsKobo(model, sale.harvest, sale.pool) < unseen) throw new Refused("conflict", texts.saleSettled);
  Object.assign(sale, { declaredAt: null, isTakenBack: true });
  confirmByTwo(model, "take_back_sale");
  return {};
}

export type MatchingHarvest = {
  caller: number;
  line: number;
  kind: "sale" | "harvest_cost";
  sale: number;
  isWhole: boolean;
  isRaised: boolean;
};

/**
 * How much of a line a match takes: what fits, all of it where the sale's amount rises, or a kobo more than the line
 * has left.
 */
export function harvestMatchKobo(model: Readonly<Model>, args: MatchingHarvest): bigint {
  const { line, kind, sale, isWhole, isRaised } = args;
  const rest = restKobo(model, line);
  if (!isWhole || rest === 0n) return rest + 1n;
  if (kind === "sale" && isRaised) return rest;
  const missing = kind === "sale" ? missingOfSale(model, sale) : rest;
  return missing > 0n && missing < rest ? missing : rest;
}

export function matchHarvest(model: Model, args: MatchingHarvest) {
  const { caller, line, kind, sale: index } = args;
  require(model, caller, "bank:import");
  requireStandingLine(model, line);
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
    if (amountKobo > missing && !args.isRaised) {
      throw new Refused("conflict", harvestLineTexts.moreThanMissing(missing));
    }
    if (amountKobo > missing && sale.declaredAt !== null) {
      throw new Refused("conflict", harvestLineTexts.declaredStays);
    }
  }
  // The walls are read before the costs, and told after.
  const isOfAnother = wasOfAnother(model, line, null);
  if (kind === "harvest_cost") requireCostsOpen(model, sale.harvest, amountKobo);
  if (isOfAnother) throw takesTwo();
  const about = kind === "sale" ? { sale: index, harvest: null } : { sale: null, harvest: sale.harvest };
  const whose = { payment: null, payout: null, release: null, ...about };
  const missing = missingOfSale(model, index);
  const raisedKobo = kind === "sale" && amountKobo > missing ? amountKobo - missing : 0n;
  const receivable = kind === "sale" ? receivableOfSale(model, index) : 0n;
  const receivableKobo = receivable < amountKobo ? receivable : amountKobo;
  const ofSale = { raisedKobo, receivableKobo, order: model.audit.length };
  const match = { line, kind, ...whose, amountKobo, ...ofSale, isUndone: false, at: model.now };
  if (kind === "harvest_cost") requireWritten(model, match);
  sale.amountKobo += raisedKobo;
  model.matches.push(match);
  model.audit.push("match_line");
  return {};
}

/** Money of a sale stays once it is settled, or once two owners have declared what its line didn't show. */
export function requireSaleMayLeave(
  model: Model,
  match: Pick<LineMatch, "kind" | "sale" | "amountKobo" | "receivableKobo" | "at">,
): void {
  if (match.kind !== "sale" || match.sale === null) return;
  const sale = at(model.sales, match.sale);
  const leaving = sale.declaredAt === null ? match.amountKobo - (match.receivableKobo ?? 0n) : 0n;
  if (proceedsKobo(model, sale.harvest, sale.pool) - leaving < 0n) {
    throw new Refused("conflict", harvestLineTexts.settled);
  }
  if (sale.declaredAt !== null && match.at <= sale.declaredAt) throw new Refused("conflict", harvestLineTexts.declared);
}
