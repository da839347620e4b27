import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { isLong } from "#tests/support/length.ts";
import { anyCommand } from "#tests/support/money-model/commands.ts";
import { beginRun } from "#tests/support/money-model/real.ts";
import { expectScreensAgree } from "#tests/support/money-model/screens.ts";

/**
 * Whatever people do, in whatever order, the server answers as the model does and leaves the same behind. What every
 * change runs is always the same; `npm run test:nightly` draws other runs each time. A failure prints what it takes to see
 * it again: MONEY_MODEL_SEED, MONEY_MODEL_PATH (its "path") and MONEY_MODEL_REPLAY (its "replayPath").
 */
const { MONEY_MODEL_SEED, MONEY_MODEL_PATH, MONEY_MODEL_REPLAY } = process.env;
const numRuns = isLong ? 10_000 : 250;
const seed = Number(MONEY_MODEL_SEED ?? (isLong ? Date.now() % 2 ** 31 : 20_261_121));

const deps = await openTestDeps();
let app: FastifyInstance;
beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
});
afterAll(() => app.close());

test(
  `the server agrees with the model of the money, ${numRuns} times`,
  async () => {
    const replay = MONEY_MODEL_REPLAY === undefined ? {} : { replayPath: MONEY_MODEL_REPLAY };
    const anyRun = fc.asyncProperty(
      fc.commands([anyCommand], { maxCommands: 40, size: "max", ...replay }),
      async (run) => {
        const { model, real } = await beginRun(deps, app, { holdHours: 24 });
        await fc.asyncModelRun(() => ({ model, real }), run);
        await expectScreensAgree(model, real);
      },
    );
    await fc.assert(anyRun, { numRuns, seed, ...(MONEY_MODEL_PATH !== undefined && { path: MONEY_MODEL_PATH }) });
  },
  numRuns * 40_000,
);
