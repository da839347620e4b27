import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { openTestDeps, type TestDeps } from "#tests/support/deps.ts";
import { isLong } from "#tests/support/length.ts";
import type { Command, Parts } from "./command.ts";
import { answerOfCall, type Real } from "./real.ts";
import { answerOf, type Model } from "./state.ts";

export type Run = { model: Model; real: Real };

type Play<Start> = {
  /** Names its variables: MONEY for MONEY_MODEL_SEED. */
  name: string;
  /** With every change, and at length, so that all five end within a night on two processors. */
  numRuns: { short: number; long: number };
  commands: fc.Arbitrary<Command>;
  /** The most in one run. */
  maxCommands: number;
  starts: fc.Arbitrary<Start>;
  begin: (place: { deps: TestDeps; app: FastifyInstance }, start: Start) => Promise<Run>;
  /** Checks the state at the end of each run. */
  end?: (run: Run) => void | Promise<void>;
};

/** A step on the way to where a run begins: model and server both do it. */
export async function playBoth<Args extends object>(
  { model, real }: Run,
  { call, rule }: Pick<Parts<Args>, "call" | "rule">,
  args: NoInfer<Args>,
): Promise<void> {
  const answer = await answerOfCall(call(real, args, model));
  expect(answer).toEqual(answerOf(model, () => rule(model, args)));
  expect(answer).toHaveProperty("done");
}

/**
 * Plays random runs of commands, always the same with every change; `npm run test:nightly` draws others each time. A failure
 * is printed as it was drawn, with what it takes to see it again: NAME_MODEL_SEED, NAME_MODEL_PATH (its "path") and
 * NAME_MODEL_REPLAY (its "replayPath"). Seen again it is made as short as it can be. NAME_MODEL_RUNS plays more or fewer.
 */
export async function playRuns<Start>(title: string, play: Play<Start>): Promise<void> {
  const asked = (what: string) => process.env[`${play.name}_MODEL_${what}`];
  const [seen, path, replayPath] = [asked("SEED"), asked("PATH"), asked("REPLAY")];
  const numRuns = Number(asked("RUNS") ?? play.numRuns[isLong ? "long" : "short"]);
  const deps = await openTestDeps();
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await buildApp(deps, { distDir: "/nowhere" });
  });
  afterAll(() => app.close());

  test(
    `${title}, ${numRuns} times`,
    async () => {
      const run = fc.asyncProperty(
        play.starts,
        fc.commands([play.commands], {
          maxCommands: play.maxCommands,
          size: "max" as const,
          ...(replayPath !== undefined && { replayPath }),
        }),
        async (start, commands) => {
          const { model, real } = await play.begin({ deps, app }, start);
          await fc.asyncModelRun(() => ({ model, real }), commands);
          await play.end?.({ model, real });
        },
      );
      await fc.assert(run, {
        numRuns,
        endOnFailure: path === undefined,
        seed: Number(seen ?? (isLong ? Date.now() % 2 ** 31 : 20_261_123)),
        ...(path !== undefined && { path }),
      });
    },
    // Few runs on a busy machine have as long as many: only what hangs is to fail.
    Math.max(420_000, numRuns * 40_000),
  );
}
