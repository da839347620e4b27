import fc from "fast-check";
import type { PaymentStatus } from "#shared/payment-statuses.ts";
import { roles } from "#shared/permissions.ts";
import * as bank from "./bank.ts";
import * as calls from "./calls.ts";
import { type Command, command } from "./command.ts";
import * as harvestCalls from "./harvest-calls.ts";
import * as sales from "./harvest-sales.ts";
import * as harvests from "./harvests.ts";
import * as holds from "./holds.ts";
import * as payments from "./payments.ts";
import * as out from "./payouts.ts";
import * as people from "./people.ts";
import * as farm from "./projects.ts";
import { cast } from "./real.ts";
import * as settlements from "./settlements.ts";
import {
  at,
  type Hold,
  heldKobo,
  type Model,
  type Payment,
  type Payout,
  type Project,
  type Run,
  restKobo,
} from "./state.ts";

/** Everything that people do in a run, and how often. Mostly who may do it does it. */

const often = <First, Other>(weight: number, first: fc.Arbitrary<First>, other: fc.Arbitrary<Other>) =>
  fc.oneof({ weight, arbitrary: first }, { weight: 1, arbitrary: other });
const place = fc.nat({ max: 11 });
const backer = fc.nat({ max: cast.backers - 1 });
const owner = often(5, fc.constant(cast.owner), place);
const manager = often(1, often(5, fc.constant(cast.manager), place), owner);
const anyBacker = often(6, backer, place);
/** Most of what is worth seeing happens between few people on one project. */
const project = often(1, fc.constant(0), place);
const person = often(3, backer, place);
const goalKobo = fc.constantFrom(40_000_000n, 50_000_000n, 60_000_000n);
const look = often(5, fc.constant("now" as const), fc.constant("first" as const));

/** Mostly one lot, so that several people share a round. */
const lots = fc.constantFrom(1, 1, 1, 2, 3);
const lotsOfProject = fc.constantFrom(1, 4);

const byBackerOnProject = fc.record({ caller: anyBacker, project });
const byManagerOnProject = fc.record({ caller: manager, project });
const byManagerOnBacker = fc.record({ caller: manager, project, person });
const byOwnerOnPerson = fc.record({ caller: owner, person });

const decision = <Status extends PaymentStatus>(...statuses: Status[]) =>
  fc.record({
    caller: owner,
    payment: place,
    look,
    status: fc.constantFrom(...statuses),
    reason: fc.constant("Blurred"),
    arrivedKobo: fc.constantFrom(0n, 1_000_000n, 60_000_000n),
    unseenReason: often(3, fc.constant("The payer is known"), fc.constant("")),
    isGivenBack: fc.boolean(),
  });
const placesOf = <Item>(list: readonly Item[], isIt: (item: Item) => boolean) =>
  list.flatMap((item, index) => (isIt(item) ? [index] : []));
const paymentsThat = (isIt: (it: Payment) => boolean) => (model: Model) =>
  placesOf(model.payments, isIt).map((payment) => ({ payment }));
const projectsThat = (isIt: (it: Project) => boolean) => (model: Model) =>
  placesOf(model.projects, isIt).map((project) => ({ project }));
const grantsThatStand = ({ projects, grants }: Model) =>
  [...projects.keys()].flatMap((project) => grants.of(project).map((person) => ({ project, person })));
const signedOut = (model: Model) => placesOf(model.people, (it) => !it.isSignedIn && !it.isClosed);
const invited = (model: Model) =>
  placesOf(model.people, (it) => model.invites.some(({ email, isUsed }) => email === it.email && !isUsed));
const isOpenAccount = (model: Model, { person }: { person: number }) => !at(model.people, person).isClosed;

/** Backers who hold nothing of an open project's round, and how many of its lots are free. */
const placesToHold = (isIt: (place: { free: number }) => boolean) => (model: Model) =>
  model.projects.flatMap(({ isClosed, isRemoved, round }, project) => {
    if (isClosed || isRemoved || !isIt({ free: holds.freeLots(model, { project, round }) })) return [];
    const isHolder = (person: number) =>
      model.holds.some((it) => it.project === project && it.person === person && holds.stands(model, it));
    return [...model.people.keys()]
      .filter((person) => person < cast.backers && !isHolder(person))
      .map((caller) => ({ caller, project }));
  });

const decide = { call: calls.decide, rule: payments.setStatus };
const ofPayments: [weight: number, command: fc.Arbitrary<Command>][] = [
  [3, command("visit the payment page", byBackerOnProject, { call: calls.visit, rule: payments.visit })],
  [
    10,
    command("begin a purchase", fc.record({ caller: anyBacker, project, lots, look }), {
      isPossible: (model, args) => !at(model.projects, args.project).isRemoved || args.look === "first",
      aims: placesToHold(({ free }) => free > 0),
      call: calls.begin,
      rule: payments.begin,
    }),
  ],
  [
    9,
    command("send a receipt", fc.record({ caller: anyBacker, project, lots }), {
      aims: ({ references }) =>
        references.filter((it) => !it.isRetired).map(({ person: caller, project }) => ({ caller, project })),
      call: (real, args, model) => calls.send(real, freshReceipt(args, model)),
      rule: (model, args) => payments.submit(model, freshReceipt(args, model)),
    }),
  ],
  [
    3,
    command(
      "send a receipt again with its key",
      fc.record({ again: place, project, lots, isElsewhere: fc.boolean() }),
      {
        isPossible: (model) => model.submits.length > 0,
        call: (real, args, model) => calls.send(real, sentAgain(args, model)),
        rule: (model, args) => payments.submit(model, sentAgain(args, model)),
      },
    ),
  ],
  [8, command("approve", decision("approved"), { ...decide, aims: paymentsThat((it) => it.status !== "approved") })],
  [3, command("reject", decision("rejected"), decide)],
  [
    4,
    command("take an approval back", decision("pending", "rejected"), {
      ...decide,
      isPossible: (model, { payment }) => at(model.payments, payment).status === "approved",
      aims: paymentsThat((it) => it.status === "approved"),
    }),
  ],
  [
    4,
    command(
      "decide on a round",
      fc.record({ caller: owner, project, outcome: fc.constantFrom("funded" as const, "not_funded" as const), look }),
      {
        call: calls.decideRound,
        rule: payments.decideRound,
        isPossible: (model, args) => !at(model.projects, args.project).isRemoved,
        aims: projectsThat((it) => it.isClosed && !it.isRemoved),
      },
    ),
  ],
  [
    4,
    command("set pending again", decision("pending"), {
      ...decide,
      aims: paymentsThat((it) => it.status !== "pending"),
    }),
  ],
];

const holdsThatAre =
  (...states: Hold["state"][]) =>
  (model: Model) =>
    placesOf(model.holds, ({ state }) => states.includes(state)).map((hold) => ({ hold }));
const holdersOf = ({ holds }: Model) =>
  holds.filter(({ state }) => state === "live").map(({ person: caller, project }) => ({ caller, project }));
const onHold = { isPossible: ({ holds }: Model) => holds.length > 0, aims: holdsThatAre("live") };

const ofHolds: typeof ofPayments = [
  [4, command("give lots back", byBackerOnProject, { call: calls.release, rule: holds.release, aims: holdersOf })],
  [
    6,
    command("join the waiting list", fc.record({ caller: anyBacker, project, lots }), {
      call: calls.join,
      aims: placesToHold(({ free }) => free === 0),
      rule: holds.join,
    }),
  ],
  [1, command("leave the waiting list", byBackerOnProject, { call: calls.leave, rule: holds.leave })],
  [
    2,
    command("end a hold", fc.record({ caller: owner, hold: place }), {
      ...onHold,
      call: calls.endHold,
      rule: holds.endByHand,
    }),
  ],
  [
    1,
    command("extend a hold", fc.record({ caller: owner, hold: place, hours: fc.constantFrom(1, 24, 168) }), {
      ...onHold,
      call: calls.extendHold,
      rule: holds.extend,
    }),
  ],
  [
    4,
    command("switch holding", fc.record({ hours: fc.constantFrom(0, 24, 24, 24, 168) }), {
      call: calls.setHoldHours,
      rule: (model, { hours }) => {
        model.holdHours = hours;
        return {};
      },
    }),
  ],
  [
    2,
    command("sweep", fc.record({}), {
      call: calls.sweep,
      rule: (model) => {
        holds.sweep(model);
        return {};
      },
    }),
  ],
  [
    7,
    command("let hours pass", fc.record({ hours: fc.constantFrom(1, 5, 12, 24, 72), isSwept: fc.boolean() }), {
      call: calls.letTimePass,
      rule: farm.letTimePass,
    }),
  ],
];

const publishing = lotsOfProject.chain((all) =>
  fc.record({
    caller: manager,
    title: fc.constant("Goat sheds"),
    goalKobo,
    lots: fc.constant(all),
    minimumLots: fc.constantFrom(1, all),
  }),
);

const ofProjects: typeof ofPayments = [
  [2, command("close", byManagerOnProject, { call: calls.close, rule: farm.close })],
  [
    5,
    command("reopen", byManagerOnProject, {
      call: calls.reopen,
      rule: farm.reopen,
      aims: projectsThat((it) => it.isClosed && !it.isRemoved),
    }),
  ],
  [1, command("clone", byManagerOnProject, { call: calls.clone, rule: farm.clone })],
  [1, command("publish", publishing, { call: calls.publish, rule: farm.create })],
  [
    3,
    command(
      "edit",
      fc.record({
        caller: manager,
        project,
        title: fc.constant("Edited"),
        goalKobo: fc.option(goalKobo),
        lots: fc.option(lotsOfProject),
        look,
      }),
      {
        call: calls.edit,
        rule: farm.edit,
      },
    ),
  ],
  [
    2,
    command("edit the terms", fc.record({ caller: manager, project, look }), {
      isPossible: (model, args) => !at(model.projects, args.project).isRemoved,
      call: calls.editTerms,
      rule: farm.editTerms,
    }),
  ],
  [1, command("delete", fc.record({ caller: owner, project }), { call: calls.remove, rule: farm.remove })],
  [
    1,
    command("let days pass", fc.record({ hours: fc.constantFrom(480, 720), isSwept: fc.boolean() }), {
      call: calls.letTimePass,
      rule: farm.letTimePass,
    }),
  ],
  [3, command("add a backer", byManagerOnBacker, { call: calls.grant, rule: farm.grant })],
  [
    3,
    command("remove a backer", byManagerOnBacker, {
      call: calls.revokeGrant,
      rule: farm.revokeGrant,
      aims: grantsThatStand,
    }),
  ],
  [2, command("favourite", byBackerOnProject, { call: calls.favorite, rule: farm.favorite })],
  [1, command("unfavourite", byBackerOnProject, { call: calls.unfavorite, rule: farm.unfavorite })],
];

const ofPeople: typeof ofPayments = [
  [
    1,
    command(
      "sign up",
      fc.record({ email: fc.constantFrom("ada@example.com", "obi@example.com"), fullName: fc.constant("Ada Obi") }),
      {
        call: calls.signUp,
        rule: people.signUp,
      },
    ),
  ],
  [
    3,
    command("sign in", fc.record({ person: place }), {
      isPossible: (model, args) => signedOut(model).includes(args.person),
      aims: (model) => signedOut(model).map((person) => ({ person })),
      call: calls.signIn,
      rule: people.signIn,
    }),
  ],
  [2, command("block", byOwnerOnPerson, { call: calls.block, rule: people.block })],
  [2, command("unblock", byOwnerOnPerson, { call: calls.unblock, rule: people.unblock })],
  [
    2,
    command("invite", fc.record({ caller: owner, person, role: fc.constantFrom(...roles) }), {
      isPossible: isOpenAccount,
      call: calls.invite,
      rule: people.invite,
    }),
  ],
  [
    2,
    command("accept an invitation", fc.record({ caller: place }), {
      isPossible: (model, { caller }) => model.invites.some(({ email }) => email === at(model.people, caller).email),
      aims: (model) => invited(model).map((caller) => ({ caller })),
      call: calls.acceptInvite,
      rule: people.acceptInvite,
    }),
  ],
  [
    1,
    command("take an administrator's rights", fc.record({ caller: owner, person: place }), {
      call: calls.removeAdmin,
      rule: people.removeAdmin,
    }),
  ],
  [
    1,
    command("close the own account", fc.record({ caller: place }), {
      call: calls.closeAccount,
      rule: people.closeAccount,
    }),
  ],
];

/** Each receipt is another file, and goes with another key. */
function freshReceipt(
  args: { caller: number; project: number; lots: number },
  { submits }: Readonly<Model>,
): payments.Sending {
  return { ...args, key: submits.length, receipt: submits.length };
}

/** The answer was lost, so the browser sends the same once more: by mistake, perhaps, for another project. */
function sentAgain(
  { again, project, lots, isElsewhere }: { again: number; project: number; lots: number; isElsewhere: boolean },
  model: Readonly<Model>,
): payments.Sending {
  const { person, key, receipt, payment } = at(model.submits, again % model.submits.length);
  const { project: paidFor } = at(model.payments, payment);
  return { caller: person, key, receipt, lots, project: isElsewhere || paidFor === null ? project : paidFor };
}

/** Amounts of one, two and half a lot, of the whole farm, a little less or more, and a charge; and some that go out. */
const movedKobo = fc.constantFrom(
  ...[12_500_000n, 25_000_000n, 6_250_000n, 30_000_000n, 12_495_000n, 12_600_000n, 12_500_000n],
  ...[-12_500_000n, -5_000n],
);
const lineMatch = (...kinds: bank.OtherMatch[]) =>
  fc.record({
    caller: owner,
    line: place,
    payment: place,
    kind: fc.constantFrom(...kinds),
    share: fc.constantFrom("rest" as const, "rest" as const, "rest" as const, "half" as const, "more" as const),
  });
const openLines = (isIt: (amountKobo: bigint) => boolean) => (model: Model) =>
  placesOf([...model.lines.keys()], (line) => isIt(at(model.lines, line).amountKobo) && restKobo(model, line) > 0n);
const matching = { call: calls.matchLine, rule: bank.matchLine };
const isPaid = ({ payments, lines }: Model) => payments.length > 0 && lines.length > 0;

const ofBank: typeof ofPayments = [
  [
    7,
    command(
      "import a statement",
      fc.record({ caller: owner, amountsKobo: fc.array(movedKobo, { minLength: 1, maxLength: 4 }) }),
      {
        call: calls.importLines,
        rule: bank.importLines,
      },
    ),
  ],
  [
    12,
    command("match money in", lineMatch("payment", "payment", "payment", "operator"), {
      ...matching,
      isPossible: isPaid,
      aims: (model) =>
        openLines((amountKobo) => amountKobo > 0n)(model).flatMap((line) =>
          [...model.payments.keys()].map((payment) => ({ line, payment })),
        ),
    }),
  ],
  [
    5,
    command("match money out", lineMatch("taken_back", "taken_back", "bank_charges", "operator"), {
      ...matching,
      isPossible: isPaid,
      aims: (model) =>
        openLines((amountKobo) => amountKobo < 0n)(model).flatMap((line) =>
          placesOf(model.payments, ({ arrivedKobo }) => arrivedKobo > 0n).map((payment) => ({ line, payment })),
        ),
    }),
  ],
  [
    4,
    command("undo a match", fc.record({ caller: owner, match: place }), {
      isPossible: ({ matches }) => matches.length > 0,
      aims: ({ matches }) => placesOf(matches, ({ isUndone }) => !isUndone).map((match) => ({ match })),
      call: calls.undoMatch,
      rule: bank.undoMatch,
    }),
  ],
  [
    4,
    command(
      "give back what is held",
      fc.record({ caller: owner, payment: place, isSeen: often(5, fc.constant(true), fc.constant(false)) }),
      {
        aims: paymentsThat((it) => heldKobo(it) > 0n && it.status !== "pending"),
        call: calls.giveHeldBack,
        rule: bank.giveHeldBack,
      },
    ),
  ],
  [
    3,
    command("take a refund back", fc.record({ caller: owner, refund: place }), {
      isPossible: ({ refunds }) => refunds.length > 0,
      call: calls.takeRefundBack,
      rule: bank.takeRefundBack,
    }),
  ],
];

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
const payoutMatch = (kind: "payout" | "returned") =>
  fc.record({
    caller: owner,
    line: place,
    payout: place,
    kind: fc.constant(kind),
    isWhole: often(7, fc.constant(true), fc.constant(false)),
  });
const matchingPayout = { call: calls.matchPayout, rule: out.matchPayout };

const ofPayouts: typeof ofPayments = [
  [
    6,
    command("give an account", fc.record({ caller: backer }), {
      aims: (model) =>
        model.payouts.flatMap(({ state, payee }) => (state === "waiting" && payee >= 0 ? [{ caller: payee }] : [])),
      call: calls.giveAccount,
      rule: out.giveAccount,
    }),
  ],
  [
    8,
    command(
      "make a run",
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
  [
    8,
    command("approve a run", onRun, {
      isPossible: hasRuns,
      aims: runsIn("draft"),
      call: calls.approveRun,
      rule: out.approveRun,
    }),
  ],
  [3, command("declare a run void", onRun, { isPossible: hasRuns, call: calls.voidRun, rule: out.voidRun })],
  [
    8,
    command("export a run", onRun, {
      isPossible: hasRuns,
      aims: runsIn("approved"),
      call: calls.exportRun,
      rule: out.exportRun,
    }),
  ],
  [
    6,
    command(
      "the bank shows payouts",
      fc.record({ caller: fc.constant(cast.owner), payout: place, isBack: fc.boolean(), both: fc.boolean() }),
      {
        isPossible: hasPayouts,
        aims: payoutsIn("sent", "paid", "failed"),
        call: (real, args, model) => calls.importLines(real, out.shownBy(model, args), model),
        rule: (model, args) => bank.importLines(model, out.shownBy(model, args)),
      },
    ),
  ],
  [
    9,
    command("match a payout that left", payoutMatch("payout"), {
      ...matchingPayout,
      isPossible: (model) => hasPayouts(model) && model.lines.length > 0,
      aims: fitting(false),
    }),
  ],
  [
    6,
    command("match a payout that came back", payoutMatch("returned"), {
      ...matchingPayout,
      isPossible: (model) => hasPayouts(model) && model.lines.length > 0,
      aims: fitting(true),
    }),
  ],
  [
    3,
    command("mark a payout as paid", fc.record({ caller: eitherOwner, payout: place }), {
      isPossible: hasPayouts,
      aims: payoutsIn("sent"),
      call: calls.markPaid,
      rule: out.markPaid,
    }),
  ],
  [
    3,
    command("declare a payout failed", fc.record({ payout: place }), {
      isPossible: hasPayouts,
      aims: (model) =>
        payoutsIn(
          "sent",
          "paid",
        )(model).filter(({ payout }) => !out.uncoveredDay(model, at(model.payouts, payout).sentAt ?? 0)),
      call: calls.failByHand,
      rule: out.failByHand,
    }),
  ],
  [
    6,
    command("the bank shows little for a week", fc.record({ caller: fc.constant(cast.owner) }), {
      call: calls.letQuietWeekPass,
      rule: (model, { caller }) => {
        const kobo = { caller, amountsKobo: [1n] };
        bank.importLines(model, kobo);
        farm.letTimePass(model, { hours: 168, isSwept: false });
        return bank.importLines(model, kobo);
      },
    }),
  ],
  [
    3,
    command("book a late debit as a loss", fc.record({ line: place, payout: place }), {
      isPossible: (model) => hasPayouts(model) && model.lines.length > 0,
      aims: (model) => fitting(false)(model).filter(({ payout }) => at(model.payouts, payout).state === "failed"),
      call: calls.bookLoss,
      rule: out.bookLoss,
    }),
  ],
  [
    2,
    command(
      "declare money as arrived",
      fc.record({ payment: place, amountKobo: fc.constantFrom(12_500_000n, 5_000_000n, 1n) }),
      {
        isPossible: ({ payments }, { payment }) => payments[payment]?.status === "rejected",
        call: calls.declareArrived,
        rule: payments.declareArrived,
      },
    ),
  ],
  [
    9,
    command("let days pass", fc.record({ hours: fc.constantFrom(24, 48, 72, 120), isSwept: fc.constant(false) }), {
      call: calls.letTimePass,
      rule: farm.letTimePass,
    }),
  ],
];

const harvestsThat = (isIt: (it: harvests.Harvest) => boolean) => (model: Model) =>
  placesOf(model.harvests, isIt).map((harvest) => ({ harvest }));
const harvestsIn = (...states: harvests.Harvest["state"][]) => harvestsThat(({ state }) => states.includes(state));
const hasHarvests = ({ harvests: all }: Model) => all.length > 0;
const hasSales = ({ sales }: Model) => sales.length > 0;
const onHarvest = fc.record({ caller: manager, harvest: place });
const byOwners = fc.record({ harvest: place });
const pool = often(3, fc.constant("sold" as const), fc.constant("uncollected" as const));
const bothPools = ["sold", "uncollected"] as const;
const saleKobo = fc.constantFrom(12_500_000n, 25_000_000n, 6_250_000n, 12_345_679n, 1n, 100_000n);
const eighths = fc.nat({ max: 8 });
const standingSettlements = ({ settlements }: Model) =>
  placesOf(settlements, ({ isReversed }) => !isReversed).map((settlement) => ({ settlement }));
const withProceeds = (model: Model) =>
  [...model.harvests.keys()].flatMap((harvest) =>
    bothPools.flatMap((from) => (sales.proceedsKobo(model, harvest, from) > 0n ? [{ harvest, pool: from }] : [])),
  );
const salesThat = (isIt: (it: harvests.Sale) => boolean) => (model: Model) =>
  placesOf(model.sales, isIt).map((sale) => ({ sale }));

const choosers = ({ harvests: all, now }: Model) =>
  all.flatMap(({ state, choosesUntil, parts }, harvest) =>
    state === "choosing" && choosesUntil >= now ? parts.map(({ person: caller }) => ({ harvest, caller })) : [],
  );
const collectors = (model: Model) =>
  harvestsThat(({ collectsUntil, parts }) => (collectsUntil ?? 0) >= model.now && parts.some(harvests.isReady))(model);

const ofHarvests: typeof ofPayments = [
  [
    2,
    command(
      "enter a harvest",
      fc.record({
        caller: manager,
        project,
        round: fc.constant(1),
        quantity: fc.constantFrom(700_123n, 700_123n, 100_000n, 7n, 0n),
      }),
      {
        isPossible: (model, args) => !at(model.projects, args.project).isRemoved && model.harvests.length < 4,
        call: harvestCalls.draft,
        rule: harvests.draft,
      },
    ),
  ],
  [
    5,
    command("open a harvest", onHarvest, {
      isPossible: hasHarvests,
      needsAim: true,
      aims: harvestsIn("draft"),
      call: harvestCalls.open,
      rule: harvests.open,
    }),
  ],
  [
    1,
    command("withdraw a harvest", onHarvest, {
      isPossible: hasHarvests,
      needsAim: true,
      aims: harvestsIn("draft", "choosing"),
      call: harvestCalls.withdraw,
      rule: harvests.withdraw,
    }),
  ],
  [
    1,
    command(
      "lower a harvest",
      fc.record({ caller: manager, harvest: place, by: fc.constantFrom(7_777n, 1n, 600_000n, 0n) }),
      {
        isPossible: (model, { harvest, by }) => hasHarvests(model) && at(model.harvests, harvest).quantity >= by,
        needsAim: true,
        aims: harvestsIn("choosing"),
        call: harvestCalls.lower,
        rule: harvests.lower,
      },
    ),
  ],
  [
    6,
    command(
      "choose",
      fc.record({ caller: backer, harvest: place, takenEighths: eighths, givenEighths: fc.nat({ max: 2 }) }),
      {
        isPossible: hasHarvests,
        needsAim: true,
        aims: choosers,
        call: harvestCalls.choose,
        rule: harvests.choose,
      },
    ),
  ],
  [
    9,
    command(
      "let the time for choosing and collecting pass",
      fc.record({ hours: fc.constantFrom(24, 120, 360), isSwept: fc.constant(true) }),
      {
        call: calls.letTimePass,
        rule: farm.letTimePass,
      },
    ),
  ],
  [
    5,
    command("hand produce over", fc.record({ caller: manager, harvest: place, part: place }), {
      isPossible: (model, args) => hasHarvests(model) && harvests.takerOf(model, args) !== undefined,
      needsAim: true,
      aims: collectors,
      call: harvestCalls.collect,
      rule: harvests.collect,
    }),
  ],
  [
    3,
    command("add a photo of a harvest", onHarvest, {
      isPossible: hasHarvests,
      needsAim: true,
      aims: harvestsIn("allotted", "settled"),
      call: harvestCalls.addFile,
      rule: harvests.addFile,
    }),
  ],
  [
    4,
    command(
      "write a cost down",
      fc.record({
        caller: manager,
        harvest: place,
        amountKobo: fc.constantFrom(5_000n, 1_000_000n, 30_000_000n),
        paidBy: fc.constantFrom("platform" as const, "farm" as const),
      }),
      {
        isPossible: hasHarvests,
        needsAim: true,
        aims: harvestsThat(({ state }) => state !== "done"),
        call: harvestCalls.addCost,
        rule: sales.addCost,
      },
    ),
  ],
  [
    1,
    command("take a cost out", fc.record({ caller: manager, cost: place }), {
      isPossible: ({ costs }) => costs.length > 0,
      call: harvestCalls.removeCost,
      rule: sales.removeCost,
    }),
  ],
  [
    9,
    command(
      "sell of a harvest",
      fc.record({
        caller: manager,
        harvest: place,
        pool,
        part: fc.constantFrom("rest" as const, "rest" as const, "half" as const, "half" as const, "more" as const),
        amountKobo: saleKobo,
      }),
      {
        isPossible: hasHarvests,
        needsAim: true,
        aims: (model) =>
          harvestsIn(
            "allotted",
            "settled",
            "done",
          )(model).flatMap(({ harvest }) =>
            bothPools.flatMap((from) => (sales.leftToSell(model, harvest, from) > 0n ? [{ harvest, pool: from }] : [])),
          ),
        call: harvestCalls.sell,
        rule: sales.sell,
      },
    ),
  ],
  [
    2,
    command("take a sale out", fc.record({ caller: manager, sale: place }), {
      isPossible: hasSales,
      call: harvestCalls.removeSale,
      rule: sales.removeSale,
    }),
  ],
  [
    7,
    command("declare a sale as paid", fc.record({ sale: place }), {
      isPossible: hasSales,
      needsAim: true,
      aims: salesThat(({ declaredAt, isTakenBack, isRemoved }) => declaredAt === null && !isTakenBack && !isRemoved),
      call: harvestCalls.declareSale,
      rule: sales.declareSale,
    }),
  ],
  [
    2,
    command("take back that a sale was paid", fc.record({ sale: place }), {
      isPossible: hasSales,
      needsAim: true,
      aims: salesThat(({ declaredAt }) => declaredAt !== null),
      call: harvestCalls.takeSaleBack,
      rule: sales.takeSaleBack,
    }),
  ],
  [
    6,
    command(
      "match a sale or a cost",
      fc.record({
        caller: owner,
        line: place,
        sale: place,
        kind: fc.constantFrom("sale" as const, "sale" as const, "sale" as const, "harvest_cost" as const),
        isWhole: often(8, fc.constant(true), fc.constant(false)),
      }),
      {
        isPossible: (model) => hasSales(model) && model.lines.length > 0,
        needsAim: true,
        aims: (model) =>
          placesOf([...model.lines.keys()], (line) => restKobo(model, line) > 0n).flatMap((line) =>
            [...model.sales.keys()].map((sale) => ({
              ...{ line, sale },
              kind: at(model.lines, line).amountKobo > 0n ? ("sale" as const) : ("harvest_cost" as const),
            })),
          ),
        call: harvestCalls.matchHarvest,
        rule: sales.matchHarvest,
      },
    ),
  ],
  [
    10,
    command(
      "settle",
      fc.record({ caller: owner, harvest: place, pool, isSeen: often(7, fc.constant(true), fc.constant(false)) }),
      {
        isPossible: hasHarvests,
        needsAim: true,
        aims: withProceeds,
        call: harvestCalls.settle,
        rule: settlements.settle,
      },
    ),
  ],
  [
    4,
    command("reverse a settlement", fc.record({ caller: owner, settlement: place }), {
      isPossible: ({ settlements }) => settlements.length > 0,
      needsAim: true,
      aims: standingSettlements,
      call: harvestCalls.reverse,
      rule: settlements.reverse,
    }),
  ],
  [
    4,
    command("finish a harvest", fc.record({ caller: owner, harvest: place }), {
      isPossible: hasHarvests,
      needsAim: true,
      aims: harvestsIn("allotted", "settled"),
      call: harvestCalls.finish,
      rule: settlements.finish,
    }),
  ],
  [
    1,
    command("declare a harvest as lost", byOwners, {
      isPossible: (model, { harvest }) => hasHarvests(model) && harvests.hasBackers(model, at(model.harvests, harvest)),
      needsAim: true,
      aims: harvestsThat(
        ({ filesAt, state }) => filesAt.length > 0 && ["draft", "choosing", "allotted"].includes(state),
      ),
      call: harvestCalls.lose,
      rule: settlements.lose,
    }),
  ],
  [
    4,
    command("declare the rest of a harvest as lost", byOwners, {
      isPossible: hasHarvests,
      needsAim: true,
      aims: harvestsThat(({ filesAt, state }) => filesAt.length > 0 && ["allotted", "settled"].includes(state)),
      call: harvestCalls.loseRest,
      rule: settlements.loseRest,
    }),
  ],
  [
    5,
    command("book a harvest's costs as a loss", byOwners, {
      isPossible: hasHarvests,
      needsAim: true,
      aims: (model) =>
        harvestsIn(
          "withdrawn",
          "lost",
          "settled",
        )(model).filter(({ harvest }) => settlements.lostAtEndKobo(model, harvest) > 0n),
      call: harvestCalls.loseCosts,
      rule: settlements.loseCosts,
    }),
  ],
  [
    2,
    command("give a farm's account", fc.record({ caller: owner, project }), {
      call: calls.giveFarmAccount,
      rule: out.giveFarmAccount,
    }),
  ],
  [
    1,
    // Whoever goes without anything to come leaves no account behind, which the model doesn't follow.
    command("a backer closes the account", fc.record({ caller: backer }), {
      isPossible: ({ accounts, payouts }, { caller }) =>
        !accounts.some(({ payee }) => payee === caller) ||
        payouts.some(({ payee, state }) => payee === caller && ["waiting", "due", "in_run", "sent"].includes(state)),
      call: calls.closeAccount,
      rule: people.closeAccount,
    }),
  ],
];

type Weighted = typeof ofPayments;
const oneOf = (...groups: Weighted[]) =>
  fc.oneof(...groups.flat().map(([weight, arbitrary]) => ({ weight, arbitrary })));

export const anyCommand = oneOf(ofPayments, ofHolds, ofProjects, ofPeople);
/** Payments and the bank's statement, on farms that close, open again and are decided on; nothing is held. */
export const bankCommand = oneOf(ofPayments, ofBank, ofProjects.slice(0, 2));
/** Refunds that are due, their runs, and what the bank's statement shows of them. */
export const payoutCommand = oneOf(
  ofPayouts,
  ofBank.slice(0, 2).map(([, it]) => [3, it]),
  ofBank.slice(3),
);
/** A farm's harvests, among payments of its rounds, refunds, runs, the bank's statement, and people and projects that go. */
export const harvestCommand = oneOf(
  ofHarvests,
  ofPayments.slice(1, 3).map(([, it]) => [1, it]),
  ofPayments.slice(4, 8).map(([, it]) => [1, it]),
  ofProjects.slice(0, 2).map(([, it]) => [1, it]),
  ofProjects.slice(6, 7),
  ofBank.slice(0, 1).map(([, it]) => [3, it]),
  ofBank.slice(3).map(([, it]) => [2, it]),
  ofPayouts.slice(0, 9).map(([, it]) => [3, it]),
);
