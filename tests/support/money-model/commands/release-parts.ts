import fc from "fast-check";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import { cast } from "#tests/support/money-model/real.ts";
import * as parts from "#tests/support/money-model/release-parts.ts";
import type { OfPart } from "#tests/support/money-model/releases.ts";
import { areTwoThere } from "#tests/support/money-model/second-person.ts";
import { at, type Model, outcomeOf } from "#tests/support/money-model/state.ts";
import { manager, mostly, often, owner, place, placesOf, project, type Weighted } from "./drawn.ts";
import { round, roundsWithMoney } from "./farms.ts";

/** How the parts of a round's money go to its farm. */

const part = often(2, fc.constant(1), fc.integer({ min: 1, max: 4 }));
const keyOfPart = { project, round, part };
const onAsk = fc.record({ caller: manager, ask: place });
const eitherOwner = often(6, fc.constantFrom(cast.owner, cast.manager), place);

/** The parts of funded rounds, in these states. */
const partsIn =
  (...states: string[]) =>
  (model: Model): OfPart[] =>
    model.projects.flatMap(({ isRemoved, rounds }, index) =>
      isRemoved
        ? []
        : [...rounds.keys()].flatMap((before) => {
            const key = { project: index, round: before + 1 };
            if (outcomeOf(model, index, key.round) !== "funded" || !parts.hasSteps(model, key)) return [];
            const found = parts.partsOf(model, key);
            return placesOf(found, ({ state }) => states.includes(state)).map((it) => ({ ...key, part: it + 1 }));
          }),
    );

/** Those whose turn it is. */
const nextParts = (model: Model) =>
  partsIn("planned", "refused")(model).filter((key) => parts.nextPart(parts.partsOf(model, key)) === key.part);

/** Checked parts with an owner who neither asked for them nor checked them, and rounds whose terms name no parts. */
const releasableParts = (model: Model) =>
  roundsWithMoney(model).flatMap((key) => {
    const found = parts.partsOf(model, key);
    if (!parts.hasSteps(model, key)) return [{ ...key, part: 1 }];
    return placesOf(found, ({ leftKobo, state }) => leftKobo > 0n && !["planned", "refused"].includes(state)).map(
      (it) => {
        const ask = at(found, it).ask;
        const { askedBy, decidedBy } = ask === null ? { askedBy: null, decidedBy: null } : at(model.asks, ask);
        const third = [cast.owner, cast.manager].find((caller) => caller !== askedBy && caller !== decidedBy);
        return { ...key, part: it + 1, ...(third !== undefined && { caller: third }) };
      },
    );
  });

const releasing = {
  ...keyOfPart,
  look: often(6, fc.constant("now" as const), fc.constantFrom("all" as const, "more" as const)),
  share: fc.constantFrom<parts.Releasing["share"]>("all", "all", "half", "half", "more"),
};

const asksThat = (isIt: (verdict: parts.Ask["verdict"]) => boolean) => (model: Model) =>
  placesOf(model.asks, ({ verdict, project: of }) => isIt(verdict) && !at(model.projects, of).isRemoved).map((ask) => ({
    ask,
  }));

export const ofReleaseParts = {
  "the farm asks for a part": command(
    6,
    fc.record({ ...keyOfPart, caller: often(8, fc.constant(cast.keeper), place), isKeeper: fc.constant(true) }),
    { needs: nextParts, call: calls.askForPart, rule: parts.ask },
  ),
  "a manager asks for a part": command(3, fc.record({ ...keyOfPart, caller: manager, isKeeper: fc.constant(false) }), {
    needs: nextParts,
    call: calls.askForPart,
    rule: parts.ask,
  }),
  "check a part": command(7, onAsk, {
    isPossible: (model) => model.asks.length > 0,
    needs: asksThat((verdict) => verdict === null),
    call: calls.checkPart,
    rule: parts.check,
  }),
  "refuse a part": command(2, onAsk, {
    isPossible: (model) => model.asks.length > 0,
    needs: asksThat((verdict) => verdict !== "refused"),
    call: calls.refusePart,
    rule: parts.refuse,
  }),
  "two leave a part out": command(3, fc.record({ ...keyOfPart, isSkipped: mostly(2) }), {
    isPossible: areTwoThere,
    needs: (model) => [
      ...partsIn("planned", "refused")(model).map((key) => ({ ...key, isSkipped: true })),
      ...partsIn("skipped")(model).map((key) => ({ ...key, isSkipped: false })),
    ],
    call: calls.skipPart,
    rule: parts.skip,
  }),
  "release money to a farm": command(8, fc.record({ ...releasing, caller: often(3, owner, eitherOwner) }), {
    needs: releasableParts,
    call: calls.releaseToFarm,
    rule: parts.release,
  }),
  "two release money to a farm": command(2, fc.record(releasing), {
    isPossible: areTwoThere,
    needs: (model) =>
      releasableParts(model).map(({ project: of, round: its, part: one }) => ({ project: of, round: its, part: one })),
    call: calls.releaseByTwo,
    rule: parts.releaseByTwo,
  }),
} satisfies Weighted;
