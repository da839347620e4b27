import fc from "fast-check";
import { bankCommand } from "#tests/support/money-model/commands.ts";
import { playRuns } from "#tests/support/money-model/play.ts";
import { beginRun } from "#tests/support/money-model/real.ts";

/**
 * As money-model.test.ts, for what the bank's statement shows: whatever is imported, matched, undone, approved, taken back
 * and given back, each payment's money stands where the model says.
 */
await playRuns("the server agrees with the model of the bank's statement", {
  name: "BANK",
  numRuns: { short: 8, long: 2_400 },
  commands: bankCommand,
  maxCommands: 40,
  starts: fc.constant({ holdHours: 0 }),
  begin: ({ deps, app }, start) => beginRun(deps, app, start),
});
