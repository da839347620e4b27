import { type Kobo, smaller, sumOf } from "#shared/money.ts";

/**
 * How a harvest is divided, for the server's books and the backer's live estimate alike. Quantities are whole
 * thousandths of the unit, money is whole kobo, rates are whole basis points.
 *
 * 1. The farm's quantity is its part of the harvest, rounded down. The rest goes to the backers by largest remainder
 *    over their weights; ties go by backing id.
 * 2. The produce value is the quantity taken times the reference price, rounded down. It is a memo.
 * 3. Of the sales P the open deductible costs C come off first, in the order of their record and at most P; of each at
 *    most the pool's part of all that was sold or not collected. D = P − C goes by largest remainder over the
 *    quantities of the pool; ties go by backing id, the farm last.
 * 4. Each backer's fee is rounded down of the share, VAT of the fee, and WHT of the share; what remains is the net. The
 *    farm pays none of them.
 * 5. P = C + farm + Σ net + Σ fee + Σ VAT + Σ WHT, exactly.
 */

/** A backer's choice about their own quantity. */
export type Choice = { taken: bigint; given: bigint; sold: bigint };

export type Weight = { backingId: number; weightKobo: Kobo };

export type Allotment = {
  farmQuantity: bigint;
  /** By backing id. `quantity` = taken + given + sold. */
  rows: (Choice & { backingId: number; quantity: bigint; produceValueKobo: Kobo })[];
};

export type DeductibleCost = { id: string; amountKobo: Kobo; paidBy: "platform" | "farm" };

/** Rates in basis points; one that doesn't apply is 0. */
export type SettlementRates = { fee: number; vat: number; wht: number };

type Deductions = { feeKobo: Kobo; vatKobo: Kobo; whtKobo: Kobo; netKobo: Kobo };

export type Settlement = {
  /** Each cost that something is taken for, with what is taken; the rest of it waits for the next settlement. */
  costsTaken: DeductibleCost[];
  /** By backing id. */
  rows: (Deductions & { backingId: number; shareKobo: Kobo })[];
  farmKobo: Kobo;
  /** `dividedKobo` is D; the others but the costs are sums of the rows. */
  totals: Deductions & { costsKobo: Kobo; dividedKobo: Kobo; shareKobo: Kobo };
};

const THOUSANDTHS = 1000n;
/** The rate of the whole. */
const BASIS_POINTS = 10_000n;

const refuseNegative = (what: string, ...values: bigint[]): void => {
  if (values.some((value) => value < 0n)) throw new RangeError(`${what} must not be negative`);
};

/** A rate's part of an amount, rounded down. */
const partOf = (amount: bigint, rate: number): bigint => (amount * BigInt(rate)) / BASIS_POINTS;

/** The rows by backing id. No backing may stand twice. */
function byBackingId<Row extends { backingId: number }>(rows: readonly Row[]): Row[] {
  const sorted = [...rows].sort((a, b) => a.backingId - b.backingId);
  const twice = sorted.find((row, place) => row.backingId === sorted[place + 1]?.backingId);
  if (twice) throw new RangeError(`backing ${twice.backingId} stands twice`);
  return sorted;
}

/**
 * Divides a total in proportion to the weights, without a rest: each part is rounded down, and what is left goes one by
 * one to the parts that lost most by it, of equals to the earlier. Throws where a total stands against no weight.
 */
export function byLargestRemainder(total: bigint, weights: readonly bigint[]): bigint[] {
  refuseNegative("what is divided", total);
  refuseNegative("a weight", ...weights);
  const whole = sumOf(weights);
  if (total === 0n) return weights.map(() => 0n);
  if (whole === 0n) throw new RangeError("there is nobody to divide among");

  const parts = weights.map((weight) => (total * weight) / whole);
  const lost = weights.map((weight, place) => ({ place, remainder: (total * weight) % whole }));
  const left = Number(total - sumOf(parts));
  // The sort is stable, so equals stay in their order.
  lost.sort((a, b) => (a.remainder === b.remainder ? 0 : a.remainder > b.remainder ? -1 : 1));
  const raised = new Set(lost.slice(0, left).map(({ place }) => place));
  return parts.map((part, place) => (raised.has(place) ? part + 1n : part));
}

/** Returns the worth of a quantity at a price for the whole unit, rounded down (rule 2). */
export const produceValue = (quantity: bigint, priceKobo: Kobo): Kobo => (quantity * priceKobo) / THOUSANDTHS;

/**
 * A choice applied to the quantity. What it leaves open is sold. One that is larger, because the quantity fell since, is
 * cut by largest remainder over taken, given and sold; ties go in that order.
 */
function applyChoice({ taken, given, sold }: Choice, quantity: bigint): Choice {
  refuseNegative("a choice", taken, given, sold);
  if (taken + given + sold <= quantity) return { taken, given, sold: quantity - taken - given };
  const [cutTaken = 0n, cutGiven = 0n, cutSold = 0n] = byLargestRemainder(quantity, [taken, given, sold]);
  return { taken: cutTaken, given: cutGiven, sold: cutSold };
}

/**
 * Divides a harvest of `quantity`, after loss, among the farm and the backers (rules 1 and 2). A choice holds the parts
 * as they were when it was made; who has none sells all. Throws on a choice of somebody without a weight.
 */
export function allot(harvest: {
  quantity: bigint;
  farmPartRate: number;
  weights: readonly Weight[];
  choices: ReadonlyMap<number, Choice>;
  referencePriceKobo: Kobo;
}): Allotment {
  const { quantity, farmPartRate, choices, referencePriceKobo } = harvest;
  refuseNegative("the quantity, the farm's part or the price", quantity, BigInt(farmPartRate), referencePriceKobo);
  if (BigInt(farmPartRate) > BASIS_POINTS) throw new RangeError("the farm's part is more than the harvest");
  const weights = byBackingId(harvest.weights);
  const known = new Set(weights.map(({ backingId }) => backingId));
  for (const backingId of choices.keys()) {
    if (!known.has(backingId)) throw new RangeError(`backing ${backingId} chose without a weight`);
  }

  const farmQuantity = partOf(quantity, farmPartRate);
  const quantities = byLargestRemainder(
    quantity - farmQuantity,
    weights.map(({ weightKobo }) => weightKobo),
  );
  const rows = weights.map(({ backingId }, place) => {
    const own = quantities[place] ?? 0n;
    const choice = applyChoice(choices.get(backingId) ?? { taken: 0n, given: 0n, sold: own }, own);
    return { backingId, quantity: own, ...choice, produceValueKobo: produceValue(choice.taken, referencePriceKobo) };
  });
  return { farmQuantity, rows };
}

/** Takes the open costs off the sales, each as far as they go (rule 3). */
function takeCosts(openCosts: readonly DeductibleCost[], proceedsKobo: Kobo): DeductibleCost[] {
  let leftKobo = proceedsKobo;
  const taken: DeductibleCost[] = [];
  for (const { id, amountKobo: openKobo, paidBy } of openCosts) {
    refuseNegative("a cost", openKobo);
    const amountKobo = smaller(openKobo, leftKobo);
    leftKobo -= amountKobo;
    if (amountKobo > 0n) taken.push({ id, amountKobo, paidBy });
  }
  return taken;
}

/** Returns the deductions from a backer's share, and the net that remains (rule 4). */
function deduct(shareKobo: Kobo, rates: SettlementRates): Deductions {
  const feeKobo = partOf(shareKobo, rates.fee);
  const vatKobo = partOf(feeKobo, rates.vat);
  const whtKobo = partOf(shareKobo, rates.wht);
  return { feeKobo, vatKobo, whtKobo, netKobo: shareKobo - feeKobo - vatKobo - whtKobo };
}

/** Rates that may come to more than the share would make the net negative. */
function checkRates({ fee, vat, wht }: SettlementRates): void {
  const [feeRate, vatRate, whtRate] = [BigInt(fee), BigInt(vat), BigInt(wht)];
  refuseNegative("a rate", feeRate, vatRate, whtRate);
  const most = feeRate * (BASIS_POINTS + vatRate) + whtRate * BASIS_POINTS;
  if (most > BASIS_POINTS * BASIS_POINTS) throw new RangeError("fee, VAT and WHT come to more than the share");
}

/**
 * Divides the sales of one settlement (rules 3 to 5). The pool holds the quantities that were sold at allotment, with the
 * farm's, or those that were not collected, where the farm's is 0. `openCosts` stand in the order of their record, each
 * with what is still open of it. Throws where there are sales and nothing was sold.
 */
export function settle(sale: {
  proceedsKobo: Kobo;
  openCosts: readonly DeductibleCost[];
  pool: readonly { backingId: number; quantity: bigint }[];
  farmQuantity: bigint;
  rates: SettlementRates;
}): Settlement {
  const { proceedsKobo, farmQuantity, rates } = sale;
  refuseNegative("the sales", proceedsKobo);
  checkRates(rates);
  const pool = byBackingId(sale.pool);
  const quantities = [...pool.map(({ quantity }) => quantity), farmQuantity];
  if (proceedsKobo > 0n && sumOf(quantities) === 0n) throw new RangeError("there are sales, but nothing was sold");

  const costsTaken = takeCosts(sale.openCosts, proceedsKobo);
  const costsKobo = sumOf(costsTaken.map(({ amountKobo }) => amountKobo));
  const dividedKobo = proceedsKobo - costsKobo;
  const shares = byLargestRemainder(dividedKobo, quantities);
  const farmKobo = shares.at(-1) ?? 0n;
  const rows = pool.map(({ backingId }, place) => {
    const shareKobo = shares[place] ?? 0n;
    return { backingId, shareKobo, ...deduct(shareKobo, rates) };
  });
  const totals = {
    costsKobo,
    dividedKobo,
    shareKobo: sumOf(rows.map((row) => row.shareKobo)),
    feeKobo: sumOf(rows.map((row) => row.feeKobo)),
    vatKobo: sumOf(rows.map((row) => row.vatKobo)),
    whtKobo: sumOf(rows.map((row) => row.whtKobo)),
    netKobo: sumOf(rows.map((row) => row.netKobo)),
  };
  return { costsTaken, rows, farmKobo, totals };
}

/** Divides an insurance sum: by the weights, because there is no quantity, without a fee and without the farm. */
export function settleInsurance(sum: {
  proceedsKobo: Kobo;
  openCosts: readonly DeductibleCost[];
  weights: readonly Weight[];
  whtRate: number;
}): Settlement {
  const { proceedsKobo, openCosts, weights, whtRate } = sum;
  return settle({
    proceedsKobo,
    openCosts,
    pool: weights.map(({ backingId, weightKobo }) => ({ backingId, quantity: weightKobo })),
    farmQuantity: 0n,
    rates: { fee: 0, vat: 0, wht: whtRate },
  });
}

/** The share of some sales that goes for costs; a backer's estimate takes as large a part. */
export type CostShare = {
  costsKobo: Kobo;
  salesKobo: Kobo;
  /** Costs recorded for the harvest so far against the sale of all that isn't taken, or a settled harvest before it. */
  source: "recorded" | "last_harvest";
};

/**
 * About what a backer would get for a quantity at a price for the whole unit, by rules 3 and 4 with nobody else in the pool.
 * Without a share of costs none are taken off.
 */
export function estimateNet(sale: {
  quantity: bigint;
  priceKobo: Kobo;
  rates: SettlementRates;
  costs: CostShare | null;
}): Kobo {
  const { quantity, priceKobo, rates, costs } = sale;
  const proceedsKobo = produceValue(quantity, priceKobo);
  const costsKobo = costs === null ? 0n : (proceedsKobo * costs.costsKobo) / costs.salesKobo;
  const openCosts = [{ id: "costs", amountKobo: costsKobo, paidBy: "platform" as const }];
  const pool = [{ backingId: 1, quantity }];
  return settle({ proceedsKobo, openCosts, pool, farmQuantity: 0n, rates }).totals.netKobo;
}
