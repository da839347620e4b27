import fc from "fast-check";
import { anyCommand } from "#tests/support/money-model/commands.ts";
import { playRuns } from "#tests/support/money-model/play.ts";
import { beginRun } from "#tests/support/money-model/real.ts";
import { expectScreensAgree } from "#tests/support/money-model/screens.ts";

/** Whatever people do, in whatever order, the server answers as the model does and leaves the same behind. */
await playRuns("the server agrees with the model of the money", {
  ...{ name: "MONEY", numRuns: 250, commands: anyCommand, maxCommands: 40 },
  starts: fc.constant({ holdHours: 24 }),
  begin: ({ deps, app }, start) => beginRun(deps, app, start),
  end: ({ model, real }) => expectScreensAgree(model, real),
});
