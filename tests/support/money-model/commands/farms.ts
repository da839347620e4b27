import fc from "fast-check";
import * as backingWeights from "#tests/support/money-model/backing-weights.ts";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import * as out from "#tests/support/money-model/payouts.ts";
import { cast } from "#tests/support/money-model/real.ts";
import * as releases from "#tests/support/money-model/releases.ts";
import { areTwoThere } from "#tests/support/money-model/second-person.ts";
import { type Model, outcomeOf } from "#tests/support/money-model/state.ts";
import { grantsThatStand, often, owner, person, place, placesOf, project, type Weighted } from "./drawn.ts";

/** What goes on to a farm, and what a granted backing counts in its harvests. */

const round = often(6, fc.constant(1), fc.integer({ min: 1, max: 2 }));
const roundsWithMoney = (model: Model) =>
  model.projects.flatMap(({ isRemoved, rounds }, at) =>
    [...rounds.keys()]
      .map((before) => ({ project: at, round: before + 1 }))
      .filter(
        (key) =>
          !isRemoved &&
          outcomeOf(model, key.project, key.round) === "funded" &&
          releases.releasableKobo(model, key) > 0n,
      ),
  );

const grantsToWeigh = (model: Model) =>
  grantsThatStand(model)
    .map((grant) => ({ ...grant, round: 1 }))
    .filter((grant) => !model.roundWeights.some((it) => it.project === grant.project && it.round === grant.round));

export const ofFarms = {
  "give a farm's account": [
    2,
    command(fc.record({ project }), {
      isPossible: areTwoThere,
      call: calls.giveFarmAccount,
      rule: out.giveFarmAccount,
    }),
  ],
  "release money to a farm": [
    6,
    command(
      fc.record({
        caller: owner,
        project,
        round,
        look: often(6, fc.constant("now" as const), fc.constantFrom("all" as const, "more" as const)),
      }),
      { needsAim: true, aims: roundsWithMoney, call: calls.releaseToFarm, rule: releases.release },
    ),
  ],
  "take a release back": [
    3,
    command(fc.record({ caller: owner, release: place }), {
      isPossible: (model) => model.releases.length > 0,
      needsAim: true,
      aims: (model) => placesOf(model.releases, ({ isTakenBack }) => !isTakenBack).map((release) => ({ release })),
      call: calls.takeReleaseBack,
      rule: releases.takeBack,
    }),
  ],
  "say what a grant counts": [
    3,
    command(
      fc.record({
        project,
        round,
        person,
        weightKobo: fc.constantFrom(12_500_000n, 3_333_333n, 1n, 70_000_001n, null),
      }),
      {
        // Nobody confirms what their own backing counts.
        isPossible: (model, { person: whose }) => areTwoThere(model) && whose !== cast.manager,
        needsAim: true,
        aims: grantsToWeigh,
        call: calls.setWeight,
        rule: backingWeights.setWeight,
      },
    ),
  ],
} satisfies Weighted;
