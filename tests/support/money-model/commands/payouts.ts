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
import { backer, mostly, often, owner, place, placesOf, seldom, type Weighted } from "./drawn.ts";

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
    isByTwo: kind === "payout" ? fc.constant(false) : mostly(5),
    caller: owner,
    line: place,
    payout: place,
    kind: fc.constant(kind),
    isAccountWrong: fc.boolean(),
    isWhole: often(kind === "payout" ? 7 : 2, fc.constant(true), fc.constant(false)),
  });
const matchingPayout = { call: calls.matchPayout, rule: out.matchPayout };

export const ofPayouts = {
  "give an account": command(6, fc.record({ caller: backer }), {
    needs: (model) =>
      model.payouts.flatMap(({ state, payee }) => (state === "waiting" && payee >= 0 ? [{ caller: payee }] : [])),
    call: calls.giveAccount,
    rule: out.giveAccount,
  }),
  "make a run": command(
    8,
    fc.record({
      caller: eitherOwner,
      mask: fc.nat({ max: 255 }),
      isAny: seldom(9),
    }),
    { isPossible: (model, args) => out.chosenPayouts(model, args).length > 0, call: calls.makeRun, rule: out.makeRun },
  ),
  "approve a run": command(8, onRun, {
    // The only owner proves who they are for it, which their own tests tell.
    isPossible: (model, { caller }) => hasRuns(model) && otherOwners(model, caller).length > 0,
    needs: runsIn("draft"),
    call: calls.approveRun,
    rule: out.approveRun,
  }),
  "declare a run void": command(3, onRun, { isPossible: hasRuns, call: calls.voidRun, rule: out.voidRun }),
  "export a run": command(8, onRun, {
    isPossible: hasRuns,
    needs: runsIn("approved"),
    call: calls.exportRun,
    rule: out.exportRun,
  }),
  "say that the bank has a run's file": command(
    6,
    fc.record({ caller: eitherOwner, run: place, isDownloading: mostly(4) }),
    {
      isPossible: hasRuns,
      needs: (model) =>
        placesOf(model.runs, ({ exportedAt, isGiven }) => exportedAt !== null && !isGiven).map((run) => ({ run })),
      call: calls.giveRun,
      rule: out.giveRun,
    },
  ),
  "the bank shows payouts": command(
    6,
    fc.record({ caller: fc.constant(cast.owner), payout: place, isBack: fc.boolean(), both: fc.boolean() }),
    {
      isPossible: hasPayouts,
      needs: payoutsIn("sent", "paid", "failed"),
      call: (real, args, model) => calls.importLines(real, out.shownBy(model, args), model),
      rule: (model, args) => bank.importLines(model, out.shownBy(model, args)),
    },
  ),
  "match a payout that left": command(9, payoutMatch("payout"), {
    ...matchingPayout,
    isPossible: (model) => hasPayouts(model) && model.lines.length > 0,
    needs: fitting(false),
  }),
  "match a payout that came back": command(6, payoutMatch("returned"), {
    ...matchingPayout,
    isPossible: (model, { isByTwo }) => (!isByTwo || areTwoThere(model)) && hasPayouts(model) && model.lines.length > 0,
    needs: fitting(true),
  }),
  "two undo that a payout came back": command(
    4,
    fc.record({ caller: owner, match: place }).map((args) => ({ ...args, isByTwo: true })),
    {
      isPossible: (model) => areTwoThere(model) && model.matches.length > 0,
      needs: (model) =>
        placesOf(model.matches, ({ isUndone, kind }) => !isUndone && kind === "returned").map((match) => ({ match })),
      call: calls.undoMatch,
      rule: bank.undoMatch,
    },
  ),
  "mark a payout as paid": command(3, fc.record({ caller: eitherOwner, payout: place }), {
    isPossible: hasPayouts,
    needs: payoutsIn("sent"),
    call: calls.markPaid,
    rule: out.markPaid,
  }),
  "declare a payout failed": command(3, fc.record({ payout: place }), {
    isPossible: (model) => areTwoThere(model) && hasPayouts(model),
    needs: (model) =>
      payoutsIn(
        "sent",
        "paid",
      )(model).filter(({ payout }) => !out.uncoveredDay(model, at(model.payouts, payout).sentAt ?? 0)),
    call: calls.failByHand,
    rule: out.failByHand,
  }),
  "the bank refuses a run": command(3, fc.record({ run: place, mask: fc.nat({ max: 255 }) }), {
    isPossible: (model) => areTwoThere(model) && hasRuns(model),
    needs: (model) => placesOf(model.runs, ({ state }) => state === "exported").map((run) => ({ run })),
    call: (real, args, model) => calls.refuseRun(real, { run: args.run, places: out.refusedPayouts(model, args) }),
    rule: out.refuseRun,
  }),
  "withhold a payout": command(2, fc.record({ caller: eitherOwner, payout: place }), {
    isPossible: hasPayouts,
    needs: payoutsIn("due", "waiting"),
    call: calls.withhold,
    rule: out.withhold,
  }),
  "let a withheld payout go": command(4, fc.record({ payout: place }), {
    isPossible: (model) => areTwoThere(model) && hasPayouts(model),
    needs: (model) => placesOf(model.payouts, ({ isWithheld }) => isWithheld).map((payout) => ({ payout })),
    call: calls.letGo,
    rule: out.letGo,
  }),
  "the bank shows little for a week": command(6, fc.record({ caller: fc.constant(cast.owner) }), {
    call: calls.letQuietWeekPass,
    rule: (model, { caller }) => {
      const kobo = { caller, amountsKobo: [1n] };
      bank.importLines(model, kobo);
      projects.letTimePass(model, { hours: 168, isSwept: false });
      return bank.importLines(model, kobo);
    },
  }),
  "book a late debit as a loss": command(3, fc.record({ line: place, payout: place }), {
    isPossible: (model) => areTwoThere(model) && hasPayouts(model) && model.lines.length > 0,
    needs: (model) =>
      fitting(false)(model).filter(({ payout }) => ["failed", "paid"].includes(at(model.payouts, payout).state)),
    call: calls.bookLoss,
    rule: out.bookLoss,
  }),
  "let days pass": command(9, fc.record({ hours: fc.constantFrom(24, 48, 72, 120), isSwept: fc.constant(false) }), {
    call: calls.letTimePass,
    rule: projects.letTimePass,
  }),
} satisfies Weighted;
