import { expect } from "vitest";
import * as backingWeights from "./backing-weights.ts";
import * as bank from "./bank.ts";
import * as calls from "./calls.ts";
import * as harvestCalls from "./harvest-calls.ts";
import * as sales from "./harvest-sales.ts";
import * as harvests from "./harvests.ts";
import * as payments from "./payments.ts";
import * as out from "./payouts.ts";
import * as projects from "./projects.ts";
import { answerOfCall, cast, type Real } from "./real.ts";
import * as settlements from "./settlements.ts";
import { answerOf, type Model } from "./state.ts";

/** A farm that is sold out, and what came after, played by model and server alike: where a run may begin. */

/** How far it has come. */
export type Funded = {
  hasGrant: boolean;
  hasStatements: boolean;
  upTo: "bought" | "insured" | "draft" | "allotted" | "settled" | "endable";
};

/**
 * Three backers have paid for a farm of four lots, whose terms take costs off the sales, and somebody may have a granted part.
 * Then there is a draft of its harvest, or more: of an endable one all is sold, and more was paid for it than its farm is owed.
 */
export async function fundFarm(model: Model, real: Real, { hasGrant, hasStatements, upTo }: Funded): Promise<void> {
  const both = async (call: Promise<Record<string, unknown> | undefined>, rule: () => Record<string, unknown>) => {
    const answer = await answerOfCall(call);
    expect(answer).toEqual(answerOf(model, rule));
    expect(answer).toHaveProperty("done");
  };
  if (hasStatements) {
    const lines = { caller: cast.owner, amountsKobo: [25_000_000n, 12_500_000n, 12_500_000n, -12_500_000n] };
    await both(calls.importLines(real, lines, model), () => bank.importLines(model, lines));
  }
  const editing = { caller: cast.manager, project: 0, look: "now" as const };
  await both(calls.editTerms(real, editing, model), () => projects.editTerms(model, editing));
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
  if (upTo === "bought") return;
  if (hasGrant) {
    const granting = { caller: cast.manager, project: 0, person: cast.viewer };
    await both(calls.grant(real, granting), () => projects.grant(model, granting));
    const weighing = { ...granting, caller: cast.owner, round: 1, weightKobo: 3_333_333n };
    await both(calls.setWeight(real, weighing), () => backingWeights.setWeight(model, weighing));
  }
  if (upTo === "insured") {
    const onSum = { caller: cast.manager, project: 0, round: 1 };
    await both(harvestCalls.insure(real, onSum), () => harvests.insure(model, onSum));
    const claiming = { caller: cast.manager, harvest: 0, pool: "sold" as const, part: "rest" as const };
    const paid = { ...claiming, amountKobo: 12_345_679n };
    await both(harvestCalls.sell(real, paid, model), () => sales.sell(model, paid));
    await both(harvestCalls.declareSale(real, { sale: 0 }, model), () => sales.declareSale(model, { sale: 0 }));
    return;
  }
  const drafting = { caller: cast.manager, project: 0, round: 1, quantity: 700_123n };
  await both(harvestCalls.draft(real, drafting), () => harvests.draft(model, drafting));
  if (upTo === "draft") return;
  const onIt = { caller: cast.manager, harvest: 0 };
  await both(harvestCalls.open(real, onIt), () => harvests.open(model, onIt));
  const choosing = { caller: 1, harvest: 0, takenEighths: 5, givenEighths: 1 };
  await both(harvestCalls.choose(real, choosing, model), () => harvests.choose(model, choosing));
  const passing = { hours: 264, isSwept: true };
  await both(calls.letTimePass(real, passing), () => projects.letTimePass(model, passing));
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
