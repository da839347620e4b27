import fc from "fast-check";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import * as holds from "#tests/support/money-model/holds.ts";
import * as projects from "#tests/support/money-model/projects.ts";
import type { Hold, Model } from "#tests/support/money-model/state.ts";
import {
  anyBacker,
  byBackerOnProject,
  lots,
  owner,
  place,
  placesOf,
  placesToHold,
  project,
  type Weighted,
} from "./drawn.ts";

/** Lots that are held and waited for, and the time that passes. */

const holdsThatAre =
  (...states: Hold["state"][]) =>
  (model: Model) =>
    placesOf(model.holds, ({ state }) => states.includes(state)).map((hold) => ({ hold }));
const holdersOf = ({ holds }: Model) =>
  holds.filter(({ state }) => state === "live").map(({ person: caller, project }) => ({ caller, project }));
const onHold = { isPossible: ({ holds }: Model) => holds.length > 0, aims: holdsThatAre("live") };

export const ofHolds = {
  "give lots back": command(4, byBackerOnProject, { call: calls.release, rule: holds.release, needs: holdersOf }),
  "join the waiting list": command(6, fc.record({ caller: anyBacker, project, lots }), {
    call: calls.join,
    needs: placesToHold(({ free }) => free === 0),
    rule: holds.join,
  }),
  "leave the waiting list": command(1, byBackerOnProject, { call: calls.leave, rule: holds.leave }),
  "end a hold": command(2, fc.record({ caller: owner, hold: place }), {
    ...onHold,
    call: calls.endHold,
    rule: holds.endByHand,
  }),
  "extend a hold": command(1, fc.record({ caller: owner, hold: place, hours: fc.constantFrom(1, 24, 168) }), {
    ...onHold,
    call: calls.extendHold,
    rule: holds.extend,
  }),
  "switch holding": command(4, fc.record({ hours: fc.constantFrom(0, 24, 24, 24, 168) }), {
    call: calls.setHoldHours,
    rule: (model, { hours }) => {
      model.holdHours = hours;
      return {};
    },
  }),
  sweep: command(2, fc.record({}), {
    call: calls.sweep,
    rule: (model) => {
      holds.sweep(model);
      return {};
    },
  }),
  "let hours pass": command(7, fc.record({ hours: fc.constantFrom(1, 5, 12, 24, 72), isSwept: fc.boolean() }), {
    call: calls.letTimePass,
    rule: projects.letTimePass,
  }),
} satisfies Weighted;
