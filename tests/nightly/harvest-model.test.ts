import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { settings } from "#server/db/schema/settings.ts";
import { vatKey, withholdingKey } from "#shared/settings-texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { isLong } from "#tests/support/length.ts";
import * as bank from "#tests/support/money-model/bank.ts";
import * as calls from "#tests/support/money-model/calls.ts";
import { harvestCommand } from "#tests/support/money-model/commands.ts";
import * as harvestCalls from "#tests/support/money-model/harvest-calls.ts";
import * as sales from "#tests/support/money-model/harvest-sales.ts";
import * as harvests from "#tests/support/money-model/harvests.ts";
import * as payments from "#tests/support/money-model/payments.ts";
import * as out from "#tests/support/money-model/payouts.ts";
import * as farm from "#tests/support/money-model/projects.ts";
import { answerOfCall, beginRun, cast, type Real } from "#tests/support/money-model/real.ts";
import * as settlements from "#tests/support/money-model/settlements.ts";
import { answerOf, type Model } from "#tests/support/money-model/state.ts";

/**
 * As money-model.test.ts, for what a funded farm grows: whatever is opened, chosen, collected, sold, divided, reversed, paid, lost
 * and ended, also while payments, refunds, runs, accounts and projects change, everybody gets what the model says, and each paper
 * is there. A failure prints what it takes to see it again: HARVEST_MODEL_SEED, HARVEST_MODEL_PATH and HARVEST_MODEL_REPLAY.
 */
const { HARVEST_MODEL_SEED, HARVEST_MODEL_PATH, HARVEST_MODEL_REPLAY } = process.env;
const numRuns = isLong ? 10_000 : 6;
const seed = Number(HARVEST_MODEL_SEED ?? (isLong ? Date.now() % 2 ** 31 : 20_261_123));

const deps = await openTestDeps();
let app: FastifyInstance;
beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
});
afterAll(() => app.close());

type Start = { isTaxed: boolean; hasStatements: boolean; upTo: "draft" | "allotted" | "settled" | "endable" };

/**
 * Three backers have paid for a farm of four lots, whose terms take costs off the sales. Of its harvest a draft is there, or more:
 * of an endable one all is sold, and more was paid for it than its farm is owed.
 */
async function fundFarm(model: Model, real: Real, { isTaxed, hasStatements, upTo }: Start): Promise<void> {
  const both = async (call: Promise<Record<string, unknown> | undefined>, rule: () => Record<string, unknown>) => {
    const answer = await answerOfCall(call);
    expect(answer).toEqual(answerOf(model, rule));
    expect(answer).toHaveProperty("done");
  };
  if (isTaxed) {
    Object.assign(model, { vatRate: 750, whtRate: 500 });
    const rates = [
      { key: vatKey, value: "7.5" },
      { key: withholdingKey, value: "5" },
    ];
    await deps.db.insert(settings).values(rates);
  }
  if (hasStatements) {
    const lines = { caller: cast.owner, amountsKobo: [25_000_000n, 12_500_000n, 12_500_000n] };
    await both(calls.importLines(real, lines, model), () => bank.importLines(model, lines));
  }
  const editing = { caller: cast.manager, project: 0, look: "now" as const };
  await both(calls.editTerms(real, editing, model), () => farm.editTerms(model, editing));
  for (const caller of [0, 1, 2]) {
    const purchase = { caller, project: 0, lots: caller === 0 ? 2 : 1, look: "now" as const };
    await both(calls.begin(real, purchase, model), () => payments.begin(model, purchase));
    const sending = { ...purchase, key: caller, receipt: caller };
    await both(calls.send(real, sending), () => payments.submit(model, sending));
    if (hasStatements) {
      const about = { kind: "payment" as const, share: "rest" as const };
      const match = { caller: cast.owner, line: caller, payment: caller, ...about };
      await both(calls.matchLine(real, match, model), () => bank.matchLine(model, match));
    }
    const approve = { caller: cast.owner, payment: caller, look: "now" as const, status: "approved" as const };
    await both(calls.decide(real, approve, model), () => payments.setStatus(model, approve));
  }
  for (const caller of [0, 1]) {
    await both(calls.giveAccount(real, { caller }, model), () => out.giveAccount(model, { caller }));
  }
  const drafting = { caller: cast.manager, project: 0, round: 1, quantity: 700_123n };
  await both(harvestCalls.draft(real, drafting), () => harvests.draft(model, drafting));
  if (upTo === "draft") return;
  const onIt = { caller: cast.manager, harvest: 0 };
  await both(harvestCalls.open(real, onIt), () => harvests.open(model, onIt));
  const choosing = { caller: 1, harvest: 0, takenEighths: 5, givenEighths: 1 };
  await both(harvestCalls.choose(real, choosing, model), () => harvests.choose(model, choosing));
  const passing = { hours: 264, isSwept: true };
  await both(calls.letTimePass(real, passing), () => farm.letTimePass(model, passing));
  if (upTo === "allotted") return;
  const costing = { ...onIt, amountKobo: 5_000_000n, paidBy: "platform" as const };
  await both(harvestCalls.addCost(real, costing), () => sales.addCost(model, costing));
  const part = upTo === "endable" ? ("rest" as const) : ("half" as const);
  const selling = { ...onIt, pool: "sold" as const, part, amountKobo: 12_345_679n };
  await both(harvestCalls.sell(real, selling, model), () => sales.sell(model, selling));
  await both(harvestCalls.declareSale(real, { sale: 0 }, model), () => sales.declareSale(model, { sale: 0 }));
  const settling = { caller: cast.owner, harvest: 0, pool: "sold" as const, isSeen: true };
  await both(harvestCalls.settle(real, settling, model), () => settlements.settle(model, settling));
  if (upTo === "settled") return;
  const collecting = { ...onIt, part: 0 };
  await both(harvestCalls.collect(real, collecting, model), () => harvests.collect(model, collecting));
  await both(harvestCalls.addCost(real, costing), () => sales.addCost(model, costing));
}

const starts = fc.record({
  ...{ isTaxed: fc.boolean(), hasStatements: fc.boolean() },
  upTo: fc.constantFrom(...(["draft", "allotted", "settled", "settled", "endable"] as const)),
});

test(
  `the server agrees with the model of harvests, ${numRuns} times`,
  async () => {
    const replay = HARVEST_MODEL_REPLAY === undefined ? {} : { replayPath: HARVEST_MODEL_REPLAY };
    const anyRun = fc.asyncProperty(
      starts,
      fc.commands([harvestCommand], { maxCommands: 100, size: "max", ...replay }),
      async (start, run) => {
        const { model, real } = await beginRun(deps, app, { holdHours: 0, hasTwoOwners: true });
        await fundFarm(model, real, start);
        await fc.asyncModelRun(() => ({ model, real }), run);
        expect(out.overpaid(model)).toEqual([]);
      },
    );
    await fc.assert(anyRun, {
      endOnFailure: true,
      numRuns,
      seed,
      ...(HARVEST_MODEL_PATH !== undefined && { path: HARVEST_MODEL_PATH }),
    });
  },
  numRuns * 40_000,
);
