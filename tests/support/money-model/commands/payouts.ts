import fc from "fast-check";
import * as bank from "#tests/support/money-model/bank.ts";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import * as out from "#tests/support/money-model/payouts.ts";
import * as projects from "#tests/support/money-model/projects.ts";
import { cast } from "#tests/support/money-model/real.ts";
import { areTwoThere, otherOwners } from "#tests/support/money-model/second-person.ts";
import { at, type Model, type Payout, type Run, restKobo } from "#tests/support/money-model/state.ts";
import { openLines } from "./bank.ts";
import { backer, often, owner, place, placesOf, type Weighted } from "./drawn.ts";

/** Accounts, runs, and what the bank's lines show of payouts. */

/** Both owners, who approve each other's runs. */
const eitherOwner = often(12, fc.constantFrom(cast.owner, cast.manager), place);
const runsIn =
  (...states: Run["state"][]) =>
  (model: Model) =>
    model.runs.flatMap(({ state, madeBy }, run) =>
      states.includes(state) ? [{ run, caller: madeBy === cast.owner ? cast.manager : cast.owner }] : [],
    );
const onRun = fc.record({ caller: eitherOwner, run: place });
const hasRuns = ({ runs }: Model) => runs.length > 0;
const payoutsIn =
  (...states: Payout["state"][]) =>
  (model: Model) =>
    placesOf(model.payouts, ({ state }) => states.includes(state)).map((payout) => ({ payout }));
const hasPayouts = ({ payouts }: Model) => payouts.length > 0;
const sizeOf = (kobo: bigint) => (kobo < 0n ? -kobo : kobo);

/** Lines and payouts whose amounts fit. */
const fitting = (isIn: boolean) => (model: Model) =>
  openLines((amountKobo) => amountKobo > 0n === isIn)(model).flatMap((line) =>
    model.payouts.flatMap(({ amountKobo, sentAt }, payout) =>
      sentAt !== null && amountKobo <= restKobo(model, line) && amountKobo <= sizeOf(at(model.lines, line).amountKobo)
        ? [{ line, payout }]
        : [],
    ),
  );
/** A line never names a payout here, so that two people say that one came back. */
const payoutMatch = (kind: "payout" | "returned") =>
  fc.record({
    isByTwo: kind === "payout" ? fc.constant(false) : often(5, fc.constant(true), fc.constant(false)),
    caller: owner,
    line: place,
    payout: place,
    kind: fc.constant(kind),
    isAccountWrong: fc.boolean(),
    isWhole: often(kind === "payout" ? 7 : 2, fc.constant(true), fc.constant(false)),
  });
const matchingPayout = { call: calls.matchPayout, rule: out.matchPayout };

export const ofPayouts = {
  "give an account": [
    6,
    command(fc.record({ caller: backer }), {
      needsAim: true,
      aims: (model) =>
        model.payouts.flatMap(({ state, payee }) => (state === "waiting" && payee >= 0 ? [{ caller: payee }] : [])),
      call: calls.giveAccount,
      rule: out.giveAccount,
    }),
  ],
  "make a run": [
    8,
    command(
      fc.record({
        caller: eitherOwner,
        mask: fc.nat({ max: 255 }),
        isAny: often(9, fc.constant(false), fc.constant(true)),
      }),
      {
        isPossible: (model, args) => out.chosenPayouts(model, args).length > 0,
        call: calls.makeRun,
        rule: out.makeRun,
      },
    ),
  ],
  "approve a run": [
    8,
    command(onRun, {
      // The only owner proves who they are for it, which their own tests tell.
      isPossible: (model, { caller }) => hasRuns(model) && otherOwners(model, caller).length > 0,
      needsAim: true,
      aims: runsIn("draft"),
      call: calls.approveRun,
      rule: out.approveRun,
    }),
  ],
  "declare a run void": [3, command(onRun, { isPossible: hasRuns, call: calls.voidRun, rule: out.voidRun })],
  "export a run": [
    8,
    command(onRun, {
      isPossible: hasRuns,
      needsAim: true,
      aims: runsIn("approved"),
      call: calls.exportRun,
      rule: out.exportRun,
    }),
  ],
  "say that the bank has a run's file": [
    6,
    command(
      fc.record({ caller: eitherOwner, run: place, isDownloading: often(4, fc.constant(true), fc.constant(false)) }),
      {
        isPossible: hasRuns,
        needsAim: true,
        aims: (model) =>
          placesOf(model.runs, ({ exportedAt, isGiven }) => exportedAt !== null && !isGiven).map((run) => ({ run })),
        call: calls.giveRun,
        rule: out.giveRun,
      },
    ),
  ],
  "the bank shows payouts": [
    6,
    command(fc.record({ caller: fc.constant(cast.owner), payout: place, isBack: fc.boolean(), both: fc.boolean() }), {
      isPossible: hasPayouts,
      needsAim: true,
      aims: payoutsIn("sent", "paid", "failed"),
      call: (real, args, model) => calls.importLines(real, out.shownBy(model, args), model),
      rule: (model, args) => bank.importLines(model, out.shownBy(model, args)),
    }),
  ],
  "match a payout that left": [
    9,
    command(payoutMatch("payout"), {
      ...matchingPayout,
      isPossible: (model) => hasPayouts(model) && model.lines.length > 0,
      needsAim: true,
      aims: fitting(false),
    }),
  ],
  "match a payout that came back": [
    6,
    command(payoutMatch("returned"), {
      ...matchingPayout,
      isPossible: (model, { isByTwo }) =>
        (!isByTwo || areTwoThere(model)) && hasPayouts(model) && model.lines.length > 0,
      needsAim: true,
      aims: fitting(true),
    }),
  ],
  "two undo that a payout came back": [
    4,
    command(
      fc.record({ caller: owner, match: place }).map((args) => ({ ...args, isByTwo: true })),
      {
        isPossible: (model) => areTwoThere(model) && model.matches.length > 0,
        needsAim: true,
        aims: (model) =>
          placesOf(model.matches, ({ isUndone, kind }) => !isUndone && kind === "returned").map((match) => ({ match })),
        call: calls.undoMatch,
        rule: bank.undoMatch,
      },
    ),
  ],
  "mark a payout as paid": [
    3,
    command(fc.record({ caller: eitherOwner, payout: place }), {
      isPossible: hasPayouts,
      needsAim: true,
      aims: payoutsIn("sent"),
      call: calls.markPaid,
      rule: out.markPaid,
    }),
  ],
  "declare a payout failed": [
    3,
    command(fc.record({ payout: place }), {
      isPossible: (model) => areTwoThere(model) && hasPayouts(model),
      needsAim: true,
      aims: (model) =>
        payoutsIn(
          "sent",
          "paid",
        )(model).filter(({ payout }) => !out.uncoveredDay(model, at(model.payouts, payout).sentAt ?? 0)),
      call: calls.failByHand,
      rule: out.failByHand,
    }),
  ],
  "the bank refuses a run": [
    3,
    command(fc.record({ run: place, mask: fc.nat({ max: 255 }) }), {
      isPossible: (model) => areTwoThere(model) && hasRuns(model),
      needsAim: true,
      aims: (model) => placesOf(model.runs, ({ state }) => state === "exported").map((run) => ({ run })),
      call: (real, args, model) => calls.refuseRun(real, { run: args.run, places: out.refusedPayouts(model, args) }),
      rule: out.refuseRun,
    }),
  ],
  "withhold a payout": [
    2,
    command(fc.record({ caller: eitherOwner, payout: place }), {
      isPossible: hasPayouts,
      needsAim: true,
      aims: payoutsIn("due", "waiting"),
      call: calls.withhold,
      rule: out.withhold,
    }),
  ],
  "let a withheld payout go": [
    4,
    command(fc.record({ payout: place }), {
      isPossible: (model) => areTwoThere(model) && hasPayouts(model),
      needsAim: true,
      aims: (model) => placesOf(model.payouts, ({ isWithheld }) => isWithheld).map((payout) => ({ payout })),
      call: calls.letGo,
      rule: out.letGo,
    }),
  ],
  "the bank shows little for a week": [
    6,
    command(fc.record({ caller: fc.constant(cast.owner) }), {
      call: calls.letQuietWeekPass,
      rule: (model, { caller }) => {
        const kobo = { caller, amountsKobo: [1n] };
        bank.importLines(model, kobo);
        projects.letTimePass(model, { hours: 168, isSwept: false });
        return bank.importLines(model, kobo);
      },
    }),
  ],
  "book a late debit as a loss": [
    3,
    command(fc.record({ line: place, payout: place }), {
      isPossible: (model) => areTwoThere(model) && hasPayouts(model) && model.lines.length > 0,
      needsAim: true,
      aims: (model) =>
        fitting(false)(model).filter(({ payout }) => ["failed", "paid"].includes(at(model.payouts, payout).state)),
      call: calls.bookLoss,
      rule: out.bookLoss,
    }),
  ],
  "let days pass": [
    9,
    command(fc.record({ hours: fc.constantFrom(24, 48, 72, 120), isSwept: fc.constant(false) }), {
      call: calls.letTimePass,
      rule: projects.letTimePass,
    }),
  ],
} satisfies Weighted;
