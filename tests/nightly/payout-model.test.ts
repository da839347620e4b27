import fc from "fast-check";
import { expect } from "vitest";
import { settings } from "#server/db/schema/settings.ts";
import { maxTransferKey } from "#shared/settings-texts.ts";
import * as bank from "#tests/support/money-model/bank.ts";
import * as calls from "#tests/support/money-model/calls.ts";
import { payoutCommand } from "#tests/support/money-model/commands.ts";
import * as payments from "#tests/support/money-model/payments.ts";
import * as out from "#tests/support/money-model/payouts.ts";
import { playRuns } from "#tests/support/money-model/play.ts";
import * as projects from "#tests/support/money-model/projects.ts";
import { answerOfCall, beginRun, cast, type Real } from "#tests/support/money-model/real.ts";
import { answerOf, type Model } from "#tests/support/money-model/state.ts";

/**
 * As money-model.test.ts, for money that goes out: whatever is given, made, approved, declared void, exported, shown by the
 * bank, returned and taken back, each payout stands where the model says, and never more is paid than is due.
 */
type Origin = "approved" | "declared" | "paid" | "matched";

/**
 * Three payments of ₦125,000 that are given back, in transfers of at most ₦100,000: before the first statement, where they were
 * approved, or two people say that they came, and in one case most of it was paid out and marked so already; or after it.
 */
async function oweRefunds(model: Model, real: Real, origin: Origin): Promise<void> {
  model.maxTransferKobo = 10_000_000n;
  await real.deps.db.insert(settings).values({ key: maxTransferKey, value: "100000" });
  const both = async (call: Promise<Record<string, unknown> | undefined>, rule: () => Record<string, unknown>) =>
    expect(await answerOfCall(call)).toEqual(answerOf(model, rule));
  for (const caller of [0, 1, 2]) {
    const purchase = { caller, project: 0, lots: 1, look: "now" as const };
    await both(calls.begin(real, purchase, model), () => payments.begin(model, purchase));
    const sending = { ...purchase, key: caller, receipt: caller };
    await both(calls.send(real, sending), () => payments.submit(model, sending));
    const decision = { caller: cast.owner, payment: caller, look: "now" as const, unseenReason: "Known to us" };
    if (origin === "declared") {
      const reject = { ...decision, status: "rejected" as const };
      await both(calls.decide(real, reject, model), () => payments.setStatus(model, reject));
      const said = { payment: caller, amountKobo: 12_500_000n };
      await both(calls.declareArrived(real, said), () => payments.declareArrived(model, said));
      continue;
    }
    if (origin === "matched") {
      const lines = { caller: cast.owner, amountsKobo: [12_500_000n] };
      await both(calls.importLines(real, lines, model), () => bank.importLines(model, lines));
      const match = {
        caller: cast.owner,
        line: caller,
        payment: caller,
        kind: "payment" as const,
        share: "rest" as const,
      };
      await both(calls.matchLine(real, match, model), () => bank.matchLine(model, match));
    } else {
      const approve = { ...decision, status: "approved" as const };
      await both(calls.decide(real, approve, model), () => payments.setStatus(model, approve));
    }
    const back = { ...decision, status: "rejected" as const, arrivedKobo: 12_500_000n, isGivenBack: true };
    await both(calls.decide(real, back, model), () => payments.setStatus(model, back));
  }
  if (origin === "paid") await payOut(model, real);
}

/** A run of all that is due, of which one payout is left unmarked. */
async function payOut(model: Model, real: Real): Promise<void> {
  const both = async (call: Promise<Record<string, unknown> | undefined>, rule: () => Record<string, unknown>) =>
    expect(await answerOfCall(call)).toEqual(answerOf(model, rule));
  for (const caller of [0, 1]) {
    await both(calls.giveAccount(real, { caller }, model), () => out.giveAccount(model, { caller }));
  }
  const rest = { hours: 48, isSwept: false };
  await both(calls.letTimePass(real, rest), () => projects.letTimePass(model, rest));
  const making = { caller: cast.manager, mask: 255, isAny: false };
  await both(calls.makeRun(real, making, model), () => out.makeRun(model, making));
  const onRun = { caller: cast.owner, run: 0 };
  await both(calls.approveRun(real, onRun), () => out.approveRun(model, onRun));
  await both(calls.exportRun(real, onRun), () => out.exportRun(model, onRun));
  for (const payout of [0, 1, 2]) {
    const marking = { caller: cast.owner, payout };
    await both(calls.markPaid(real, marking), () => out.markPaid(model, marking));
  }
}

await playRuns("the server agrees with the model of payouts", {
  ...{ name: "PAYOUT", numRuns: 40, commands: payoutCommand, maxCommands: 50 },
  starts: fc.constantFrom<Origin>("approved", "declared", "paid", "matched"),
  begin: async ({ deps, app }, origin) => {
    const run = await beginRun(deps, app, { holdHours: 0, hasTwoOwners: true });
    await oweRefunds(run.model, run.real, origin);
    return run;
  },
  end: ({ model }) => expect(out.overpaid(model)).toEqual([]),
});
