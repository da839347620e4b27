import fc from "fast-check";
import { expect } from "vitest";
import { settings } from "#server/db/schema/settings.ts";
import { vatKey, withholdingKey } from "#shared/settings-texts.ts";
import * as bank from "#tests/support/money-model/bank.ts";
import * as calls from "#tests/support/money-model/calls.ts";
import { harvestCommand } from "#tests/support/money-model/commands.ts";
import * as harvestCalls from "#tests/support/money-model/harvest-calls.ts";
import * as sales from "#tests/support/money-model/harvest-sales.ts";
import * as harvests from "#tests/support/money-model/harvests.ts";
import * as payments from "#tests/support/money-model/payments.ts";
import * as out from "#tests/support/money-model/payouts.ts";
import { playRuns } from "#tests/support/money-model/play.ts";
import * as farm from "#tests/support/money-model/projects.ts";
import { answerOfCall, beginRun, cast, type Real } from "#tests/support/money-model/real.ts";
import * as settlements from "#tests/support/money-model/settlements.ts";
import { answerOf, type Model } from "#tests/support/money-model/state.ts";
import * as weights from "#tests/support/money-model/weights.ts";

/**
 * As money-model.test.ts, for what a funded farm grows: whatever is opened, chosen, collected, sold, divided, reversed, paid, lost
 * and ended, also while payments, refunds, runs, accounts and projects change, everybody gets what the model says, and each paper
 * is there.
 */
type Start = { isTaxed: boolean; hasGrant: boolean; hasStatements: boolean; upTo: "draft" | "allotted" | "settled" };

/**
 * Three backers have paid for a farm of four lots, whose terms take costs off the sales, and somebody may have a granted part.
 * Of its harvest a draft is there.
 */
async function fundFarm(model: Model, real: Real, { isTaxed, hasGrant, hasStatements, upTo }: Start): Promise<void> {
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
    await real.deps.db.insert(settings).values(rates);
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
  if (hasGrant) {
    const granting = { caller: cast.manager, project: 0, person: cast.viewer };
    await both(calls.grant(real, granting), () => farm.grant(model, granting));
    const weighing = { ...granting, round: 1, weightKobo: 3_333_333n };
    await both(calls.setWeight(real, weighing), () => weights.setWeight(model, weighing));
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
  const selling = { ...onIt, pool: "sold" as const, part: "half" as const, amountKobo: 12_345_679n };
  await both(harvestCalls.sell(real, selling, model), () => sales.sell(model, selling));
  await both(harvestCalls.declareSale(real, { sale: 0 }, model), () => sales.declareSale(model, { sale: 0 }));
  const settling = { caller: cast.owner, harvest: 0, pool: "sold" as const, isSeen: true };
  await both(harvestCalls.settle(real, settling, model), () => settlements.settle(model, settling));
}

const starts = fc.record({
  ...{ isTaxed: fc.boolean(), hasGrant: fc.boolean(), hasStatements: fc.boolean() },
  upTo: fc.constantFrom("draft" as const, "allotted" as const, "settled" as const, "settled" as const),
});

await playRuns("the server agrees with the model of harvests", {
  ...{ name: "HARVEST", numRuns: 6, commands: harvestCommand, maxCommands: 100 },
  starts,
  begin: async ({ deps, app }, start) => {
    const run = await beginRun(deps, app, { holdHours: 0, hasTwoOwners: true });
    await fundFarm(run.model, run.real, start);
    return run;
  },
  end: ({ model }) => expect(out.overpaid(model)).toEqual([]),
});
