import { backingTexts } from "#shared/backings-texts.ts";
import { projectAdminTexts } from "#shared/projects-admin-texts.ts";
import { refuseBegun } from "./harvests.ts";
import { at, backs, type Model, outcomeOf, Refused, require } from "./state.ts";

/** What owners say that a granted backing counts in the harvests of a round. */

export type BackingWeight = { project: number; round: number; person: number; weightKobo: bigint };

export type Weighing = {
  caller: number;
  project: number;
  round: number;
  person: number;
  /** Null takes the weight away. */
  weightKobo: bigint | null;
};

/** Only until the round's first harvest opens, and only where there will be one. */
export function setWeight(model: Model, { caller, project, round, person, weightKobo }: Weighing) {
  require(model, caller, "payments:process");
  const { isRemoved, round: now } = at(model.projects, project);
  if (isRemoved) throw new Refused("not_found", projectAdminTexts.notFound);
  if (!backs(model, project, person)) throw new Refused("not_found", backingTexts.notListed);
  if (!model.grants.has(project, person)) throw new Refused("conflict", backingTexts.notGranted);
  refuseBegun(model, { project, round });
  const outcome = round > now ? "not_funded" : outcomeOf(model, project, round);
  if (outcome === "not_funded") throw new Refused("conflict", backingTexts.noSuchRound);
  forgetBackingWeights(model, (it) => it.project === project && it.person === person && it.round === round);
  if (weightKobo !== null) model.backingWeights.push({ project, round, person, weightKobo });
  model.audit.push("set_backing_weight");
  return {};
}

/** A weight goes with its grant. */
export function forgetBackingWeights(model: Model, isGone: (it: BackingWeight) => boolean): void {
  model.backingWeights = model.backingWeights.filter((it) => !isGone(it));
}
