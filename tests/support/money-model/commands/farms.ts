import fc from "fast-check";
import * as backingWeights from "#tests/support/money-model/backing-weights.ts";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import * as out from "#tests/support/money-model/payouts.ts";
import { cast } from "#tests/support/money-model/real.ts";
import * as releases from "#tests/support/money-model/releases.ts";
import * as returns from "#tests/support/money-model/returns.ts";
import { areTwoThere } from "#tests/support/money-model/second-person.ts";
import { at, type Model, outcomeOf } from "#tests/support/money-model/state.ts";
import { openLines } from "./bank.ts";
import { grantsThatStand, often, owner, person, place, placesOf, project, type Weighted } from "./drawn.ts";

/** Commands about money that goes on to a farm, and about the weight of a granted backing in its harvests. */

export const round = often(6, fc.constant(1), fc.integer({ min: 1, max: 2 }));
export const roundsWithMoney = (model: Model) =>
  model.projects.flatMap(({ isRemoved, rounds }, index) =>
    [...rounds.keys()]
      .map((before) => ({ project: index, round: before + 1 }))
      .filter(
        (key) =>
          !isRemoved &&
          outcomeOf(model, key.project, key.round) === "funded" &&
          releases.releasableKobo(model, key) > 0n,
      ),
  );

const sentReleases = (model: Model) =>
  placesOf([...model.releases.keys()], (it) => releases.atFarmKobo(model, it) > 0n);

const standingReturns = (model: Model) =>
  placesOf([...model.returns.keys()], (it) => !at(model.returns, it).isTakenBack && returns.isStillHere(model, it));

const grantsToWeigh = (model: Model) =>
  grantsThatStand(model)
    .map((grant) => ({ ...grant, round: 1 }))
    .filter((grant) => !model.roundWeights.some((it) => it.project === grant.project && it.round === grant.round));

export const ofFarms = {
  "give a farm's account": command(2, fc.record({ project }), {
    isPossible: areTwoThere,
    call: calls.giveFarmAccount,
    rule: out.giveFarmAccount,
  }),
  "take a release back": command(3, fc.record({ caller: owner, release: place }), {
    isPossible: (model) => model.releases.length > 0,
    needs: (model) => placesOf(model.releases, ({ isTakenBack }) => !isTakenBack).map((release) => ({ release })),
    call: calls.takeReleaseBack,
    rule: releases.takeBack,
  }),
  "the farm pays back": command(
    4,
    fc.record({
      caller: owner,
      line: place,
      release: place,
      share: fc.constantFrom<releases.PayingBack["share"]>("rest", "rest", "half", "more"),
    }),
    {
      isPossible: (model) => model.releases.length > 0 && model.lines.length > 0,
      needs: (model) =>
        openLines((amountKobo) => amountKobo > 0n)(model).flatMap((line) =>
          sentReleases(model).map((release) => ({ line, release })),
        ),
      call: calls.matchPaidBack,
      rule: releases.matchPaidBack,
    },
  ),
  "return to backers": command(
    4,
    fc.record({
      project,
      round,
      share: fc.constantFrom<returns.Returning["share"]>("all", "third", "third", "more"),
    }),
    {
      // Nobody confirms what their own part is.
      isPossible: (model, args) =>
        areTwoThere(model) &&
        !at(model.projects, args.project).isRemoved &&
        !returns.broughtTo(model, args).some(({ person: whose }) => whose === cast.manager),
      needs: roundsWithMoney,
      call: calls.returnToBackers,
      rule: returns.returnToBackers,
    },
  ),
  "take a return back": command(3, fc.record({ returned: place }), {
    // What is on its way by now is refused to who confirms, which its own test tells.
    isPossible: (model, { returned }) =>
      areTwoThere(model) &&
      model.returns.length > 0 &&
      returns.isStillHere(model, returned) &&
      !at(model.returns, returned).parts.some(({ payment }) => at(model.payments, payment).person === cast.manager),
    needs: (model) => standingReturns(model).map((returned) => ({ returned })),
    call: calls.takeReturnBack,
    rule: returns.takeReturnBack,
  }),
  "say what a grant counts": command(
    3,
    fc.record({
      project,
      round,
      person,
      weightKobo: fc.constantFrom(12_500_000n, 3_333_333n, 1n, 70_000_001n, null),
    }),
    {
      // Nobody confirms what their own backing counts.
      isPossible: (model, { person: whose }) => areTwoThere(model) && whose !== cast.manager,
      needs: grantsToWeigh,
      call: calls.setWeight,
      rule: backingWeights.setWeight,
    },
  ),
} satisfies Weighted;
