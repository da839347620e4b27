import * as backingWeights from "./backing-weights.ts";
import * as bank from "./bank.ts";
import * as calls from "./calls.ts";
import * as harvestCalls from "./harvest-calls.ts";
import * as sales from "./harvest-sales.ts";
import * as harvests from "./harvests.ts";
import * as payments from "./payments.ts";
import * as out from "./payouts.ts";
import { playBoth, type Run } from "./play.ts";
import * as projects from "./projects.ts";
import { cast } from "./real.ts";
import * as parts from "./release-parts.ts";
import * as settlements from "./settlements.ts";

/** A farm that is sold out, and what came after, played by model and server alike: where a run may begin. */

/** How far it has come. */
export type Funded = {
  hasGrant: boolean;
  /** Its terms name the parts in which it gets what is raised. */
  inSteps?: boolean;
  /** Its terms plan each of two harvests. */
  isPlanned?: boolean;
  isImported: boolean;
  upTo: "bought" | "released" | "insured" | "draft" | "allotted" | "shown" | "settled" | "endable";
};

/**
 * Three backers have paid for a farm of four lots, whose terms take costs off the sales, and somebody may have a
 * granted part. Then some of the money is sent to the farm; or there is a draft of its harvest, or more: of an endable
 * one all is sold, and more was paid for it than its farm is owed. Of one that is shown, lines show what its buyer
 * paid, and that so much went out.
 */
export async function fundFarm(run: Run, funded: Funded): Promise<void> {
  const { hasGrant, inSteps = false, isPlanned = false, isImported, upTo } = funded;
  if (isImported) {
    const lines = { caller: cast.owner, amountsKobo: [25_000_000n, 12_500_000n, 12_500_000n, -12_500_000n, -5_000n] };
    await playBoth(run, { call: calls.importLines, rule: bank.importLines }, lines);
  }
  const editing = { caller: cast.manager, project: 0, look: "now" as const, inSteps, isPlanned };
  await playBoth(run, { call: calls.editTerms, rule: projects.editTerms }, editing);
  for (const caller of [0, 1, 2]) {
    const purchase = { caller, project: 0, lots: caller === 0 ? 2 : 1, look: "now" as const };
    await playBoth(run, { call: calls.begin, rule: payments.begin }, purchase);
    const sending = { ...purchase, key: caller, receipt: caller };
    await playBoth(run, { call: calls.send, rule: payments.submit }, sending);
    if (isImported) {
      const about = { kind: "payment" as const, share: "rest" as const };
      const match = { caller: cast.owner, line: caller, payment: caller, ...about };
      await playBoth(run, { call: calls.matchLine, rule: bank.matchLine }, match);
    }
    const approve = { caller: cast.owner, payment: caller, look: "now" as const, status: "approved" as const };
    await playBoth(run, { call: calls.decide, rule: payments.setStatus }, approve);
  }
  for (const caller of [0, 1]) {
    await playBoth(run, { call: calls.giveAccount, rule: out.giveAccount }, { caller });
  }
  if (upTo === "bought") return;
  if (upTo === "released") return sendToFarm(run, inSteps);
  if (hasGrant) {
    const granting = { caller: cast.manager, project: 0, person: cast.viewer };
    await playBoth(run, { call: calls.grant, rule: projects.grant }, granting);
    const weighing = { project: 0, person: cast.viewer, round: 1, weightKobo: 3_333_333n };
    await playBoth(run, { call: calls.setWeight, rule: backingWeights.setWeight }, weighing);
  }
  if (upTo === "insured") {
    const onSum = { caller: cast.manager, project: 0, round: 1 };
    await playBoth(run, { call: harvestCalls.insure, rule: harvests.insure }, onSum);
    const claiming = { caller: cast.manager, harvest: 0, pool: "sold" as const, part: "rest" as const };
    const paid = { ...claiming, amountKobo: 12_345_679n };
    await playBoth(run, { call: harvestCalls.sell, rule: sales.sell }, paid);
    await playBoth(run, { call: harvestCalls.declareSale, rule: sales.declareSale }, { sale: 0 });
    return;
  }
  const drafting = { caller: cast.manager, project: 0, round: 1, quantity: 700_123n };
  await playBoth(run, { call: harvestCalls.draft, rule: harvests.draft }, drafting);
  if (upTo === "draft") return;
  const onIt = { caller: cast.manager, harvest: 0 };
  await playBoth(run, { call: harvestCalls.open, rule: harvests.open }, onIt);
  const choosing = { caller: 1, harvest: 0, takenEighths: 5, givenEighths: 1 };
  await playBoth(run, { call: harvestCalls.choose, rule: harvests.choose }, choosing);
  const passing = { hours: 264, isSwept: true };
  await playBoth(run, { call: calls.letTimePass, rule: projects.letTimePass }, passing);
  if (upTo === "allotted") return;
  const costing = { ...onIt, amountKobo: 5_000_000n, paidBy: "platform" as const };
  await playBoth(run, { call: harvestCalls.addCost, rule: sales.addCost }, costing);
  const part = upTo === "endable" ? ("rest" as const) : ("half" as const);
  const selling = { ...onIt, pool: "sold" as const, part, amountKobo: 12_345_679n };
  await playBoth(run, { call: harvestCalls.sell, rule: sales.sell }, selling);
  if (upTo === "shown") await showSale(run);
  else await playBoth(run, { call: harvestCalls.declareSale, rule: sales.declareSale }, { sale: 0 });
  const settling = { caller: cast.owner, harvest: 0, pool: "sold" as const, isSeen: true };
  await playBoth(run, { call: harvestCalls.settle, rule: settlements.settle }, settling);
  if (upTo === "settled" || upTo === "shown") return;
  const collecting = { ...onIt, part: 0 };
  await playBoth(run, { call: harvestCalls.collect, rule: harvests.collect }, collecting);
  await playBoth(run, { call: harvestCalls.addCost, rule: sales.addCost }, costing);
}

async function showSale(run: Run): Promise<void> {
  const lines = { caller: cast.owner, amountsKobo: [12_345_679n, -12_345_679n] };
  const line = run.model.lines.length;
  await playBoth(run, { call: calls.importLines, rule: bank.importLines }, lines);
  const match = { caller: cast.owner, line, kind: "sale" as const, sale: 0, isWhole: true, isRaised: false };
  await playBoth(run, { call: harvestCalls.matchHarvest, rule: sales.matchHarvest }, match);
}

/** One lot of a farm, for which twice as much has come as it is, as two owners say of the line, is approved. */
export async function overpay(run: Run): Promise<void> {
  const purchase = { caller: 0, project: 0, lots: 1, look: "now" as const };
  await playBoth(run, { call: calls.begin, rule: payments.begin }, purchase);
  await playBoth(run, { call: calls.send, rule: payments.submit }, { ...purchase, key: 0, receipt: 0 });
  const lines = { caller: cast.owner, amountsKobo: [25_000_000n] };
  await playBoth(run, { call: calls.importLines, rule: bank.importLines }, lines);
  const match = { caller: cast.owner, line: 0, payment: 0, kind: "payment" as const, share: "rest" as const };
  await playBoth(run, { call: calls.matchLine, rule: bank.matchLine }, { ...match, isByTwo: true });
  const approve = { caller: cast.owner, payment: 0, look: "now" as const, status: "approved" as const };
  await playBoth(run, { call: calls.decide, rule: payments.setStatus }, approve);
}

/** Half of what has arrived, or of its first part, is released, and is on its way. It takes two owners. */
async function sendToFarm(run: Run, inSteps: boolean): Promise<void> {
  await playBoth(run, { call: calls.giveFarmAccount, rule: out.giveFarmAccount }, { project: 0 });
  const first = { project: 0, round: 1, part: 1 };
  if (inSteps) {
    const asking = { ...first, caller: cast.keeper, isKeeper: true };
    await playBoth(run, { call: calls.askForPart, rule: parts.ask }, asking);
    await playBoth(run, { call: calls.checkPart, rule: parts.check }, { caller: cast.manager, ask: 0 });
  }
  const half = { ...first, caller: cast.owner, look: "now" as const, share: "half" as const };
  await playBoth(run, { call: calls.releaseToFarm, rule: parts.release }, half);
  await playBoth(run, { call: calls.letTimePass, rule: projects.letTimePass }, { hours: 48, isSwept: false });
  const making = { caller: cast.manager, mask: 255, isAny: false };
  await playBoth(run, { call: calls.makeRun, rule: out.makeRun }, making);
  const onRun = { caller: cast.owner, run: 0 };
  await playBoth(run, { call: calls.approveRun, rule: out.approveRun }, onRun);
  await playBoth(run, { call: calls.exportRun, rule: out.exportRun }, onRun);
}
