import fc from "fast-check";
import { expect } from "vitest";
import { anyCommand } from "#tests/support/money-model/commands.ts";
import { fundFarm } from "#tests/support/money-model/funded-farm.ts";
import * as out from "#tests/support/money-model/payouts.ts";
import { playRuns } from "#tests/support/money-model/play.ts";
import { beginRun } from "#tests/support/money-model/real.ts";
import { expectScreensAgree } from "#tests/support/money-model/screens.ts";

const anywhere = fc.record({
  holdHours: fc.constantFrom(24, 24, 0),
  hasTwoOwners: fc.constantFrom(true, true, true, false),
  isTaxed: fc.boolean(),
  isImported: fc.boolean(),
  inSteps: fc.boolean(),
  isPlanned: fc.boolean(),
  upTo: fc.constantFrom("nothing" as const, "bought" as const, "allotted" as const),
});
const released = anywhere.map((start) => ({
  ...start,
  hasTwoOwners: true,
  isImported: true,
  upTo: "released" as const,
}));
const starts = fc.oneof({ weight: 3, arbitrary: anywhere }, { weight: 1, arbitrary: released });

/**
 * Whatever people do, in whatever order, from a purchase to a paid harvest and back, the server answers as the model does and
 * leaves the same behind. It begins with two projects that nobody has bought of, or one of them is sold out, has sent
 * money to its farm or has a harvest.
 */
await playRuns("the server agrees with the model of the money", {
  name: "MONEY",
  numRuns: { short: 2, long: 1_200 },
  commands: anyCommand,
  maxCommands: 200,
  starts,
  begin: async ({ deps, app }, { isImported, inSteps, isPlanned, upTo, ...start }) => {
    const run = await beginRun(deps, app, start);
    if (upTo !== "nothing")
      await fundFarm(run, {
        hasGrant: upTo === "allotted" && start.hasTwoOwners,
        inSteps,
        isPlanned,
        isImported,
        upTo,
      });
    return run;
  },
  end: async ({ model, real }) => {
    expect(out.overpaid(model)).toEqual([]);
    await expectScreensAgree(model, real);
  },
});
