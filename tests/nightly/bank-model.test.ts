import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { isLong } from "#tests/support/length.ts";
import { bankCommand } from "#tests/support/money-model/commands.ts";
import { beginRun } from "#tests/support/money-model/real.ts";

/**
 * As money-model.test.ts, for what the bank's statement shows: whatever is imported, matched, undone, approved, taken back
 * and given back, each payment's money stands where the model says. A failure prints what it takes to see it again:
 * BANK_MODEL_SEED, BANK_MODEL_PATH and BANK_MODEL_REPLAY.
 */
const { BANK_MODEL_SEED, BANK_MODEL_PATH, BANK_MODEL_REPLAY } = process.env;
const numRuns = isLong ? 10_000 : 60;
const seed = Number(BANK_MODEL_SEED ?? (isLong ? Date.now() % 2 ** 31 : 20_261_123));

const deps = await openTestDeps();
let app: FastifyInstance;
beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
});
afterAll(() => app.close());

test(
  `the server agrees with the model of the bank's statement, ${numRuns} times`,
  async () => {
    const replay = BANK_MODEL_REPLAY === undefined ? {} : { replayPath: BANK_MODEL_REPLAY };
    const anyRun = fc.asyncProperty(
      fc.commands([bankCommand], { maxCommands: 40, size: "max", ...replay }),
      async (run) => {
        const { model, real } = await beginRun(deps, app, { holdHours: 0 });
        await fc.asyncModelRun(() => ({ model, real }), run);
      },
    );
    await fc.assert(anyRun, { numRuns, seed, ...(BANK_MODEL_PATH !== undefined && { path: BANK_MODEL_PATH }) });
  },
  numRuns * 40_000,
);
