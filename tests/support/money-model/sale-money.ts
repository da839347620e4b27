import type { HarvestPool } from "#shared/harvests/texts.ts";
import { type Settlement, sum } from "./harvests.ts";
import { at, type LineMatch, type Model } from "./state.ts";

/** The money of sales, what the bank took back of it, and what no settlement has divided. */

/** Standing settlements of a harvest. */
export const standing = (model: Model, harvest: number): Settlement[] =>
  model.settlements.filter((it) => it.harvest === harvest && !it.isReversed);

const matchesOf = (model: Model, sale: number): LineMatch[] =>
  model.matches.filter((it) => it.sale === sale && !it.isUndone);
const signOf = ({ kind }: LineMatch): bigint => (kind === "sale" ? 1n : -1n);

/** Returns the money of a sale that lines show, less what the bank took back. */
export const seenKobo = (model: Model, sale: number): bigint =>
  sum(matchesOf(model, sale).map((it) => signOf(it) * it.amountKobo));

/** Returns the money of a sale that the bank took back after it was settled, and that hasn't come again. */
export const awayKobo = (model: Model, sale: number): bigint =>
  sum(matchesOf(model, sale).map((it) => -signOf(it) * (it.receivableKobo ?? 0n)));

/** Returns the part of that which may still come again. */
export const receivableOfSale = (model: Readonly<Model>, sale: number): bigint =>
  awayKobo(model, sale) - at(model.sales, sale).lostKobo;

/** Returns the money of a sale that lines may still show. */
export const missingOfSale = (model: Model, sale: number): bigint => {
  const { amountKobo, lostKobo } = at(model.sales, sale);
  return amountKobo - seenKobo(model, sale) - lostKobo;
};

/** Returns the money of a sale that no line has ever shown: settled money counts as shown. */
export const neverSeenKobo = (model: Model, sale: number): bigint =>
  at(model.sales, sale).amountKobo - seenKobo(model, sale) - awayKobo(model, sale);

/** Returns the undivided proceeds of a pool's sales, with what strikes took out of settlements. */
export function proceedsKobo(model: Model, harvest: number, pool: HarvestPool): bigint {
  const brought = salesOf(model, harvest, pool).map((sale) => {
    const { declaredAt, amountKobo } = at(model.sales, sale);
    return declaredAt !== null ? amountKobo : seenKobo(model, sale) + awayKobo(model, sale);
  });
  const divided = standing(model, harvest).filter((it) => it.pool === pool);
  const takenOut = model.takenOut.filter((it) => divided.includes(at(model.settlements, it.settlement)));
  return sum(brought) + sum(takenOut.map((it) => it.shareKobo)) - sum(divided.map((it) => it.proceedsKobo));
}

const salesOf = (model: Model, harvest: number, pool: HarvestPool): number[] =>
  [...model.sales.entries()].flatMap(([index, it]) => (it.harvest === harvest && it.pool === pool ? [index] : []));

/**
 * Returns the settled part of so much of a credit, if the bank takes it back now. A settlement divides all that its
 * pool has, so only what came since the last one isn't settled; and what other credits and declarations brought since
 * isn't this credit's.
 */
export function settledOfCredit(
  model: Model,
  { sale, credit, amountKobo }: { sale: number; credit: number; amountKobo: bigint },
): bigint {
  const { harvest, pool } = at(model.sales, sale);
  const last = Math.max(
    -1,
    ...standing(model, harvest)
      .filter((it) => it.pool === pool)
      .map(({ order }) => order),
  );
  const others = salesOf(model, harvest, pool).flatMap((index) => {
    const { declaredAt, declaredOrder, amountKobo: whole } = at(model.sales, index);
    if (declaredAt !== null && (declaredOrder ?? 0) <= last) return [];
    const ofOthers = [...model.matches.entries()].filter(
      ([place, it]) => it.sale === index && !it.isUndone && (it.order ?? 0) > last && (it.credit ?? place) !== credit,
    );
    const shown = ofOthers.map(([, it]) => signOf(it) * (it.amountKobo - (it.receivableKobo ?? 0n)));
    return declaredAt === null ? shown : [...shown, whole - seenKobo(model, index) - awayKobo(model, index)];
  });
  const unsettled = proceedsKobo(model, harvest, pool) - sum(others);
  if (unsettled <= 0n) return amountKobo;
  return unsettled < amountKobo ? amountKobo - unsettled : 0n;
}

/** The last standing credit of a sale. */
export const lastCreditOfSale = (model: Readonly<Model>, sale: number): number | null => {
  const index = model.matches.findLastIndex((it) => it.kind === "sale" && it.sale === sale && !it.isUndone);
  return index < 0 ? null : index;
};
