import { formatNaira } from "#shared/money.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { backingTexts } from "#shared/projects/backings-texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { refuseBegun } from "./harvests.ts";
import { confirmByTwo } from "./second-person.ts";
import { at, backs, findRound, type Model, outcomeOf, Refused } from "./state.ts";

/** The weight that owners give a granted backing in the harvests of a round. */

export type BackingWeight = { project: number; round: number; person: number; weightKobo: bigint };

export type Weighing = {
  project: number;
  round: number;
  person: number;
  /** Null takes the weight away. */
  weightKobo: bigint | null;
};

/** Only until the round's first harvest opens, and only where there will be one. */
export function setWeight(model: Model, { project, round, person, weightKobo }: Weighing) {
  const { isRemoved, round: now } = at(model.projects, project);
  if (isRemoved) throw new Refused("not_found", projectAdminTexts.notFound);
  if (!backs(model, project, person)) throw new Refused("not_found", backingTexts.notListed);
  if (!model.grants.has(project, person)) throw new Refused("conflict", backingTexts.notGranted);
  refuseBegun(model, { project, round });
  const outcome = round > now ? "not_funded" : outcomeOf(model, project, round);
  if (outcome === "not_funded") throw new Refused("conflict", backingTexts.noSuchRound);
  const isIt = (it: BackingWeight) => it.project === project && it.person === person && it.round === round;
  const isOfRound = (it: BackingWeight) => it.project === project && it.round === round;
  const beforeKobo = countedKobo(model, { project, round, person });
  const given = model.backingWeights.filter((it) => isOfRound(it) && !isIt(it));
  const { lots, lotPriceKobo } = findRound(model, project, round);
  const worthKobo = BigInt(lots) * lotPriceKobo;
  const afterKobo = given.reduce((sum, it) => sum + it.weightKobo, weightKobo ?? 0n);
  const isRaised = (weightKobo ?? 0n) > beforeKobo;
  if (isRaised && at(model.people, person).isClosed) throw new Refused("conflict", secondPersonTexts.accountEnded);
  if (isRaised && afterKobo > worthKobo) {
    throw new Refused("conflict", backingTexts.weightBeyond(formatNaira(worthKobo)));
  }
  forgetBackingWeights(model, isIt);
  if (weightKobo !== null) model.backingWeights.push({ project, round, person, weightKobo });
  confirmByTwo(model, "set_backing_weight");
  return {};
}

/** Returns the weight that owners gave a grant in a round; zero if none. */
export const countedKobo = (model: Readonly<Model>, { project, round, person }: Omit<Weighing, "weightKobo">): bigint =>
  model.backingWeights.find((it) => it.project === project && it.person === person && it.round === round)?.weightKobo ??
  0n;

/** Returns true if two owners gave a grant a weight in a round that no harvest has frozen. */
export const hasPartToCome = (model: Model, { project, person }: { project: number; person: number }): boolean =>
  model.backingWeights.some(
    (it) =>
      it.project === project &&
      it.person === person &&
      !model.roundWeights.some((frozen) => frozen.project === project && frozen.round === it.round),
  );

/** A weight goes with its grant. */
export function forgetBackingWeights(model: Model, isGone: (it: BackingWeight) => boolean): void {
  model.backingWeights = model.backingWeights.filter((it) => !isGone(it));
}
