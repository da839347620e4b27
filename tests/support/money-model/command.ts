import fc from "fast-check";
import { expect } from "vitest";
import { isLong } from "#tests/support/length.ts";
import { listViolated } from "#tests/support/money.ts";
import { expectRecordAgrees } from "./farm-record.ts";
import { overdue } from "./holds.ts";
import { paperFaults } from "./papers.ts";
import { answerOfCall, type Real } from "./real.ts";
import { shownByDatabase, shownByModel } from "./shown.ts";
import { answerOf, type Model } from "./state.ts";
import { expectPlacesAgree } from "./where-money-is.ts";

export type Command = fc.AsyncCommand<Model, Real>;

/** Numbers drawn for these become places in the lists as they are when the command runs. */
const listed = {
  caller: "people",
  person: "people",
  project: "projects",
  payment: "payments",
  hold: "holds",
  line: "lines",
  statement: "statements",
  match: "matches",
  refund: "refunds",
  payout: "payouts",
  run: "runs",
  harvest: "harvests",
  cost: "costs",
  sale: "sales",
  settlement: "settlements",
  release: "releases",
  ask: "asks",
  returned: "returns",
  change: "changes",
} as const;

function inPlace<Args extends object>(args: Args, model: Model): Args {
  const places = Object.entries(listed).flatMap(([name, list]) => {
    const drawn: unknown = Reflect.get(args, name);
    return typeof drawn === "number" ? [[name, drawn % model[list].length]] : [];
  });
  return { ...args, ...Object.fromEntries(places) };
}

export type Parts<Args> = {
  /** Where it makes sense at all; what may well be refused does. */
  isPossible?: (model: Model, args: Args) => boolean;
  /** Where it does most: three times of four it is one of these, if there are any. */
  aims?: (model: Model) => Partial<Args>[];
  /** The same, and mostly left out where there are none, so that a run doesn't consist of refusals. */
  needs?: (model: Model) => Partial<Args>[];
  call: (real: Real, args: Args, model: Readonly<Model>) => Promise<Record<string, unknown> | undefined>;
  rule: (model: Model, args: Args) => Record<string, unknown> | undefined;
};

/**
 * A command of some name, and how often it is drawn: the call to the server and the model's rule for it. Both must answer the
 * same, and leave the same behind; and the books must be right.
 */
export const command = <Args extends object>(
  weight: number,
  drawn: fc.Arbitrary<Args>,
  { needs, aims = needs, ...parts }: Parts<Args>,
): readonly [weight: number, commandOf: (name: string) => fc.Arbitrary<Command>] => [
  weight,
  (name) =>
    fc.tuple(drawn, fc.nat({ max: 63 })).map(([raw, draw]): Command => {
      let shown = fc.stringify(raw);
      const argsIn = (model: Model): Args => {
        const places = aims?.(model) ?? [];
        const aim = draw % 4 === 0 ? undefined : places[Math.floor(draw / 4) % places.length];
        return inPlace({ ...raw, ...aim }, model);
      };
      return {
        check(model) {
          const args = argsIn(model);
          if (Object.values(args).some(Number.isNaN)) return false;
          if (draw % 16 > 0 && needs?.(model).length === 0) return false;
          return parts.isPossible?.(model, args) ?? true;
        },
        async run(model, real) {
          const args = argsIn(model);
          shown = fc.stringify(args);
          const answer = await answerOfCall(parts.call(real, args, model));
          const wanted = answerOf(model, () => parts.rule(model, args));
          expect(answer, `what the server answers to ${name} ${shown}`).toEqual(wanted);
          await expectAgreement(model, real, { after: `${name} ${shown}`, isDone: "done" in answer });
        },
        toString: () => `\n  ${name} ${shown}`,
      };
    }),
];

/** The books are read after each command that was done, at length also after those that were refused. */
async function expectAgreement(
  model: Model,
  real: Real,
  { after, isDone }: { after: string; isDone: boolean },
): Promise<void> {
  const state = await shownByDatabase(real.deps, real.ids, real.receiptOf);
  expect(state, `the state after ${after}`).toEqual(shownByModel(model));
  expect(paperFaults(state), `the papers after ${after}`).toEqual([]);
  if (isDone) {
    await expectPlacesAgree(model, real, `where the money is after ${after}`);
    await expectRecordAgrees(model, real, `the farm's record after ${after}`);
  }
  if (isDone || isLong) await expectBooksHold(model, real, `the money checks after ${after}`);
}

/** Nothing is wrong but that the job didn't end what is over: that is named. */
export async function expectBooksHold(model: Model, real: Real, when: string): Promise<void> {
  const found = (await listViolated(real.deps)).flatMap(({ violations }) => violations);
  const named = Array.from({ length: overdue(model) }, () => "hold that stands past its end");
  expect(
    found.map(({ violation }) => violation),
    `${when}: ${JSON.stringify(found)}`,
  ).toEqual(named);
}
