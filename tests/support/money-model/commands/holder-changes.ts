import fc from "fast-check";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import * as changes from "#tests/support/money-model/holder-changes.ts";
import * as projects from "#tests/support/money-model/projects.ts";
import { cast } from "#tests/support/money-model/real.ts";
import { areTwoThere } from "#tests/support/money-model/second-person.ts";
import { at, isActiveOwner, type Model } from "#tests/support/money-model/state.ts";
import { backer, owner, place, placesOf, type Weighted } from "./drawn.ts";

/** Lots that pass to another person. */

/** Backers, and whoever may look at everything but decides on nothing. */
const heirs = [0, 1, 2, cast.viewer];
const hasPart = (model: Model, payment: number, to: number): boolean => {
  const { origin, round, person } = at(model.payments, payment);
  const isTo = (it: Model["roundWeights"][number]) => it.project === origin && it.round === round && it.person === to;
  return to === person || model.roundWeights.some(isTo);
};
const running = (model: Model) => placesOf(model.changes, ({ outcome }) => outcome === null);
const hasChanges = ({ changes: all }: Model) => all.length > 0;

export const ofHolderChanges = {
  "two say that lots pass to another": command(4, fc.record({ payment: place, to: fc.constantFrom(...heirs) }), {
    // Nobody decides on their own money, which other tests tell.
    isPossible: (model, { payment, to }) =>
      areTwoThere(model) &&
      model.payments.length > 0 &&
      ![to, at(model.payments, payment).person].some((person) => isActiveOwner(at(model.people, person))),
    needs: (model) =>
      placesOf(model.payments, ({ status }) => status === "approved").flatMap((payment) =>
        heirs.filter((to) => !hasPart(model, payment, to)).map((to) => ({ payment, to })),
      ),
    call: calls.changeHolder,
    rule: changes.changeHolder,
  }),
  "object to a change of holder": command(1, fc.record({ caller: backer, change: place }), {
    isPossible: hasChanges,
    needs: (model) =>
      running(model).flatMap((change) => {
        const { from, to } = at(model.changes, change);
        return [from, to].map((caller) => ({ change, caller }));
      }),
    call: calls.objectToChange,
    rule: changes.object,
  }),
  "stop a change of holder": command(1, fc.record({ caller: owner, change: place }), {
    isPossible: hasChanges,
    needs: (model) => running(model).map((change) => ({ change })),
    call: calls.stopChange,
    rule: changes.stop,
  }),
  "let the days of a change of holder pass": command(
    5,
    fc.record({ hours: fc.constantFrom(336, 336, 120), isSwept: fc.constant(true) }),
    {
      needs: (model) => (running(model).length > 0 ? [{}] : []),
      call: calls.letTimePass,
      rule: projects.letTimePass,
    },
  ),
} satisfies Weighted;
