import fc from "fast-check";
import { expect } from "vitest";
import { harvestCommand } from "#tests/support/money-model/commands.ts";
import { type Funded, fundFarm } from "#tests/support/money-model/funded-farm.ts";
import * as out from "#tests/support/money-model/payouts.ts";
import { playRuns } from "#tests/support/money-model/play.ts";
import { beginRun } from "#tests/support/money-model/real.ts";

/**
 * As money-model.test.ts, for what a funded farm grows: whatever is opened, chosen, collected, sold, divided, reversed,
 * paid, lost and ended, also while payments, refunds, runs, accounts and projects change, everybody gets what the model
 * says, and each paper is there.
 */
const anywhere = fc.record({
  isTaxed: fc.boolean(),
  hasGrant: fc.boolean(),
  isPlanned: fc.boolean(),
  isImported: fc.boolean(),
  upTo: fc.constantFrom<Funded["upTo"]>(
    "draft",
    "allotted",
    "shown",
    "shown",
    "settled",
    "settled",
    "endable",
    "insured",
  ),
});
/** Taxes are owed, and of the lines that show money out one has more than that, one less. */
const taxed = anywhere.map((start) => ({ ...start, isTaxed: true, isImported: true, upTo: "settled" as const }));
const starts = fc.oneof(anywhere, taxed);

await playRuns("the server agrees with the model of harvests", {
  name: "HARVEST",
  numRuns: { short: 2, long: 800 },
  commands: harvestCommand,
  maxCommands: 100,
  starts,
  begin: async ({ deps, app }, start) => {
    const run = await beginRun(deps, app, { holdHours: 0, hasTwoOwners: true, isTaxed: start.isTaxed });
    await fundFarm(run, start);
    return run;
  },
  end: ({ model }) => expect(out.overpaid(model)).toEqual([]),
});
