import fc from "fast-check";
import { bankCommand } from "#tests/support/money-model/commands.ts";
import { overpay } from "#tests/support/money-model/funded-farm.ts";
import { playRuns } from "#tests/support/money-model/play.ts";
import { beginRun } from "#tests/support/money-model/real.ts";

/**
 * As money-model.test.ts, for what the bank's statement shows: whatever is imported, matched, undone, approved, taken back
 * and given back, each payment's money stands where the model says.
 */
await playRuns("the server agrees with the model of the bank's statement", {
  name: "BANK",
  numRuns: { short: 4, long: 2_400 },
  commands: bankCommand,
  maxCommands: 40,
  starts: fc.record({ holdHours: fc.constantFrom(0, 0, 24), hasTwoOwners: fc.boolean(), isOverpaid: fc.boolean() }),
  begin: async ({ deps, app }, { isOverpaid, ...start }) => {
    const run = await beginRun(deps, app, start);
    if (start.hasTwoOwners && isOverpaid) await overpay(run);
    return run;
  },
});
