import fc from "fast-check";
import { expect } from "vitest";
import { settings } from "#server/db/schema/settings.ts";
import { maxTransferKey } from "#shared/settings/texts.ts";
import * as bank from "#tests/support/money-model/bank.ts";
import * as calls from "#tests/support/money-model/calls.ts";
import { payoutCommand } from "#tests/support/money-model/commands.ts";
import { fundFarm } from "#tests/support/money-model/funded-farm.ts";
import * as payments from "#tests/support/money-model/payments.ts";
import * as out from "#tests/support/money-model/payouts.ts";
import { playBoth, playRuns, type Run } from "#tests/support/money-model/play.ts";
import * as projects from "#tests/support/money-model/projects.ts";
import { beginRun, cast } from "#tests/support/money-model/real.ts";

/**
 * As money-model.test.ts, for money that goes out: whatever is given, made, approved, declared void, exported, shown by the
 * bank, returned and taken back, each payout stands where the model says, and never more is paid than is due.
 */
type Origin = "approved" | "declared" | "paid" | "matched" | "released" | "in steps";

/**
 * Three payments of ₦125,000 that are given back, in transfers of at most ₦100,000: two people say that they came,
 * where they were approved or not, and in one case most of it was paid out and marked so already; or a line shows it.
 */
async function oweRefunds(run: Run, origin: Exclude<Origin, "released" | "in steps">): Promise<void> {
  const { model, real } = run;
  model.maxTransferKobo = 10_000_000n;
  await real.deps.db.insert(settings).values({ key: maxTransferKey, value: "100000" });
  for (const caller of [0, 1, 2]) {
    const purchase = { caller, project: 0, lots: 1, look: "now" as const };
    await playBoth(run, { call: calls.begin, rule: payments.begin }, purchase);
    const sending = { ...purchase, key: caller, receipt: caller };
    await playBoth(run, { call: calls.send, rule: payments.submit }, sending);
    const decision = { caller: cast.owner, payment: caller, look: "now" as const, unseenReason: "Known to us" };
    if (origin === "matched") {
      const lines = { caller: cast.owner, amountsKobo: [12_500_000n] };
      await playBoth(run, { call: calls.importLines, rule: bank.importLines }, lines);
      const match = {
        caller: cast.owner,
        line: caller,
        payment: caller,
        kind: "payment" as const,
        share: "rest" as const,
      };
      await playBoth(run, { call: calls.matchLine, rule: bank.matchLine }, match);
    } else if (origin !== "declared") {
      const approve = { ...decision, status: "approved" as const };
      await playBoth(run, { call: calls.decide, rule: payments.setStatus }, approve);
    }
    // The model's lines name nobody: then two give the money back.
    const isGivenBack = origin !== "matched";
    const back = { ...decision, status: "rejected" as const, isGivenBack };
    await playBoth(run, { call: calls.decide, rule: payments.setStatus }, back);
    if (isGivenBack) {
      const said = { payment: caller, amountKobo: 12_500_000n };
      await playBoth(run, { call: calls.declareArrived, rule: payments.declareArrived }, said);
      continue;
    }
    const held = { caller: cast.owner, payment: caller, isSeen: true, isByTwo: true };
    await playBoth(run, { call: calls.giveUnallocatedBack, rule: bank.giveUnallocatedBack }, held);
  }
  if (origin === "paid") await payOut(run);
}

/** A run of all that is due, of which one payout is left unmarked. */
async function payOut(run: Run): Promise<void> {
  for (const caller of [0, 1]) {
    await playBoth(run, { call: calls.giveAccount, rule: out.giveAccount }, { caller });
  }
  const rest = { hours: 48, isSwept: false };
  await playBoth(run, { call: calls.letTimePass, rule: projects.letTimePass }, rest);
  const making = { caller: cast.manager, mask: 255, isAny: false };
  await playBoth(run, { call: calls.makeRun, rule: out.makeRun }, making);
  const onRun = { caller: cast.owner, run: 0 };
  await playBoth(run, { call: calls.approveRun, rule: out.approveRun }, onRun);
  await playBoth(run, { call: calls.exportRun, rule: out.exportRun }, onRun);
  for (const payout of [0, 1, 2]) {
    const marking = { caller: cast.owner, payout };
    await playBoth(run, { call: calls.markPaid, rule: out.markPaid }, marking);
  }
}

await playRuns("the server agrees with the model of payouts", {
  name: "PAYOUT",
  numRuns: { short: 2, long: 1_200 },
  commands: payoutCommand,
  maxCommands: 50,
  starts: fc.constantFrom<Origin>("approved", "declared", "paid", "matched", "released", "in steps", "in steps"),
  begin: async ({ deps, app }, origin) => {
    const run = await beginRun(deps, app, { holdHours: 0, hasTwoOwners: true });
    if (origin !== "released" && origin !== "in steps") await oweRefunds(run, origin);
    else await fundFarm(run, { hasGrant: false, inSteps: origin === "in steps", isImported: true, upTo: "released" });
    return run;
  },
  end: ({ model }) => expect(out.overpaid(model)).toEqual([]),
});
