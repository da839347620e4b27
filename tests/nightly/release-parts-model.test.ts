import fc from "fast-check";
import { expect } from "vitest";
import { stepsCommand } from "#tests/support/money-model/commands.ts";
import { fundFarm } from "#tests/support/money-model/funded-farm.ts";
import * as out from "#tests/support/money-model/payouts.ts";
import { playRuns } from "#tests/support/money-model/play.ts";
import { beginRun } from "#tests/support/money-model/real.ts";

/**
 * As money-model.test.ts, for the parts in which a round's money goes to its farm: whoever asks, checks, refuses,
 * leaves out and releases, and whatever is paid back, returned, taken back, struck and sold anew meanwhile, no more
 * goes than the model says, and what everybody reads of where the money is sums to what was raised.
 */
const starts = fc.record({
  inSteps: fc.constantFrom(true, true, true, false),
  upTo: fc.constantFrom("bought" as const, "released" as const, "released" as const),
});

await playRuns("the server agrees with the model of a farm's money in parts", {
  name: "PARTS",
  numRuns: { short: 3, long: 1_000 },
  commands: stepsCommand,
  maxCommands: 60,
  starts,
  begin: async ({ deps, app }, start) => {
    const run = await beginRun(deps, app, { holdHours: 0, hasTwoOwners: true });
    await fundFarm(run, { hasGrant: false, isImported: true, ...start });
    return run;
  },
  end: ({ model }) => expect(out.overpaid(model)).toEqual([]),
});
