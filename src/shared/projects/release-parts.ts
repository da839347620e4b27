import { byLargestRemainder } from "#shared/harvests/arithmetic.ts";
import { atLeastNothing, type Kobo, smaller } from "#shared/money.ts";

/**
 * The parts in which a round's money goes to its farm, as its terms have them: names, limits and arithmetic. No schema
 * is here.
 */

/**
 * `rate` is basis points of what was raised. `proof` says what the farm shows for it, and is empty where nothing was
 * agreed.
 */
export type ReleasePart = { label: string; rate: number; proof: string; afterDays: number };

export const releasePartLimits = {
  parts: 6,
  label: { min: 3, max: 80 },
  proof: 300,
  afterDays: 730,
} as const;

/** The single part of terms without parts: all of it, which an owner releases without proof. */
const wholePart: ReleasePart = { label: "When the round is funded", rate: 10_000, proof: "", afterDays: 0 };

/** The parts that money is released in: of terms that name none, one. */
export const partsOf = (agreed: readonly ReleasePart[]): readonly ReleasePart[] =>
  agreed.length === 0 ? [wholePart] : agreed;

/** The amounts of the parts, in their order: by largest remainder over their rates, so that they sum to what was raised. */
export const divideIntoParts = (raisedKobo: Kobo, parts: readonly Pick<ReleasePart, "rate">[]): Kobo[] =>
  byLargestRemainder(
    raisedKobo,
    parts.map(({ rate }) => BigInt(rate)),
  );

/**
 * A part as it stands: what was agreed, what the farm has of it, whether anything was released, and whether it is left
 * out.
 */
type StandingPart = { amountKobo: Kobo; goneKobo: Kobo; isBegun: boolean; isSkipped: boolean };

/**
 * Returns the amount of each part that is meant for the farm, including what it has already: 0 for a part that is left
 * out. Money returned to backers comes off parts that are left out, then off what the farm paid back or didn't get of
 * parts that it has begun to get, then off the others from the last one backwards.
 */
export function duesOfParts(parts: readonly StandingPart[], returnedKobo: Kobo): Kobo[] {
  let left = returnedKobo;
  const take = (there: Kobo): Kobo => {
    const taken = smaller(left, atLeastNothing(there));
    left -= taken;
    return taken;
  };
  for (const { amountKobo, isSkipped } of parts) if (isSkipped) take(amountKobo);
  const dues = parts.map(({ amountKobo, goneKobo, isBegun, isSkipped }) => {
    if (isSkipped) return 0n;
    return isBegun ? amountKobo - take(amountKobo - goneKobo) : amountKobo;
  });
  for (let place = parts.length - 1; place >= 0; place -= 1) {
    const part = parts[place];
    if (part && !part.isBegun && !part.isSkipped) dues[place] = part.amountKobo - take(part.amountKobo);
  }
  return dues;
}

/**
 * Returns the releasable amount of each part: its due less what the farm has, and no more than it lacks of this part
 * and those before it. So a part that was released in full before an approval was taken back lessens the next ones.
 */
export function releasableOfParts(dues: readonly Kobo[], atFarm: readonly Kobo[]): Kobo[] {
  let dueSoFar = 0n;
  let goneSoFar = 0n;
  return dues.map((due, place) => {
    const gone = atFarm[place] ?? 0n;
    dueSoFar += due;
    goneSoFar += gone;
    const left = smaller(due - gone, dueSoFar - goneSoFar);
    return atLeastNothing(left);
  });
}

/** Where the money of a round is: three sums, and what went back to its backers, which sum to what was raised. */
export type MoneyPlaces = { atFarmKobo: Kobo; waitingKobo: Kobo; withUsKobo: Kobo; returnedKobo: Kobo };

/**
 * Says where the money of a round is. `unprovenKobo` is what is meant for the farm of the parts that wait for it or its
 * proof.
 */
export function placesOfMoney(round: {
  raisedKobo: Kobo;
  atFarmKobo: Kobo;
  returnedKobo: Kobo;
  unprovenKobo: Kobo;
}): MoneyPlaces {
  const { raisedKobo, atFarmKobo, returnedKobo, unprovenKobo } = round;
  const hereKobo = raisedKobo - atFarmKobo - returnedKobo;
  const waitingKobo = smaller(unprovenKobo, hereKobo);
  return { atFarmKobo, waitingKobo, withUsKobo: hereKobo - waitingKobo, returnedKobo };
}
