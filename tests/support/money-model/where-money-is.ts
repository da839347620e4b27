import { expect } from "vitest";
import type { Real } from "./real.ts";
import { hasSteps, least, partsOf, raisedKobo } from "./release-parts.ts";
import { goneKobo, releasedKobo, sum } from "./releases.ts";
import { at, type Model, outcomeOf } from "./state.ts";

/** The public view of where a round's money is: its bars sum to what was raised, whatever was done. */

/** The last round of a project that was funded; null if there is none, or no project any more. */
function lastFunded(model: Model, project: number): number | null {
  const { rounds, isRemoved } = at(model.projects, project);
  const place = rounds.findLastIndex((_, index) => outcomeOf(model, project, index + 1) === "funded");
  return isRemoved || place < 0 ? null : place + 1;
}

export async function expectPlacesAgree(model: Model, real: Real, when: string): Promise<void> {
  const { caller } = await real.visitor();
  for (const project of model.projects.keys()) {
    const round = lastFunded(model, project);
    if (round === null) continue;
    const found = await caller.releaseParts.whereMoneyIs({ projectId: real.projectId(project) });
    const { places, parts, mayOpenPapers = false, ...about } = found ?? { places: null, parts: [] };
    expect(mayOpenPapers, when).toBe(false);
    const read = parts.map(({ part, amountKobo, releasedKobo: goneOfIt, state }) => ({
      part,
      amountKobo,
      goneOfIt,
      state,
    }));
    expect({ ...about, places, parts: read }, when).toEqual(whereMoneyIs(model, { project, round }));
    const { atFarmKobo = 0n, waitingKobo = 0n, withUsKobo = 0n, returnedKobo = 0n } = places ?? {};
    expect(atFarmKobo + waitingKobo + withUsKobo + returnedKobo, when).toBe(raisedKobo(model, { project, round }));
  }
}

function whereMoneyIs(model: Model, key: { project: number; round: number }) {
  const parts = partsOf(model, key);
  const raised = raisedKobo(model, key);
  const atFarmKobo = sum(parts.map((part) => part.atFarmKobo));
  const returnedKobo = goneKobo(model, key) - releasedKobo(model, key);
  const isUnproven = hasSteps(model, key) ? ["planned", "asked", "refused"] : [];
  const unproven = sum(parts.map(({ state, dueKobo }) => (isUnproven.includes(state) ? dueKobo : 0n)));
  const hereKobo = raised - atFarmKobo - returnedKobo;
  const waitingKobo = least(unproven, hereKobo);
  return {
    round: key.round,
    raisedKobo: raised,
    isStopped: false,
    places: { atFarmKobo, waitingKobo, withUsKobo: hereKobo - waitingKobo, returnedKobo },
    parts: parts.map(({ amountKobo, releasedKobo: goneOfIt, state }, place) => ({
      part: place + 1,
      amountKobo,
      goneOfIt,
      state: state === "refused" ? "planned" : state,
    })),
  };
}
