import fc from "fast-check";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import * as harvestCalls from "#tests/support/money-model/harvest-calls.ts";
import * as sales from "#tests/support/money-model/harvest-sales.ts";
import * as harvests from "#tests/support/money-model/harvests.ts";
import * as projects from "#tests/support/money-model/projects.ts";
import { proceedsKobo, receivableOfSale, seenKobo } from "#tests/support/money-model/sale-money.ts";
import * as back from "#tests/support/money-model/sales-taken-back.ts";
import { areTwoThere } from "#tests/support/money-model/second-person.ts";
import * as settlements from "#tests/support/money-model/settlements.ts";
import { at, type Model, outcomeOf, restKobo, standingLines } from "#tests/support/money-model/state.ts";
import { openLines } from "./bank.ts";
import { backer, manager, mostly, often, owner, place, placesOf, project, seldom, type Weighted } from "./drawn.ts";

/** Commands about a funded farm's harvest: chosen, collected, sold, divided and ended. */

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
    bothPools.flatMap((from) => (proceedsKobo(model, harvest, from) > 0n ? [{ harvest, pool: from }] : [])),
  );
const salesThat = (isIt: (it: harvests.Sale) => boolean) => (model: Model) =>
  placesOf(model.sales, isIt).map((sale) => ({ sale }));

const choosers = ({ harvests: all, now }: Model) =>
  all.flatMap(({ state, choosesUntil, parts }, harvest) =>
    state === "choosing" && choosesUntil >= now ? parts.map(({ person: caller }) => ({ harvest, caller })) : [],
  );
const collectors = (model: Model) =>
  harvestsThat(({ collectsUntil, parts }) => (collectsUntil ?? 0) >= model.now && parts.some(harvests.isReady))(model);

const isWaitedFor = ({ state, parts }: harvests.Harvest) => state === "choosing" || parts.some(harvests.isReady);
const mayGrow = (model: Model, { project: index }: { project: number }) =>
  !at(model.projects, index).isRemoved && model.harvests.length < 4;
const fundedFirst = (model: Model) =>
  placesOf([...model.projects.keys()], (index) => {
    const isThere = !at(model.projects, index).isRemoved;
    return isThere && outcomeOf(model, index, 1) === "funded";
  }).map((index) => ({ project: index }));

export const ofHarvests = {
  "enter a harvest": command(
    2,
    fc.record({
      caller: manager,
      project,
      round: fc.constant(1),
      quantity: fc.constantFrom(700_123n, 700_123n, 100_000n, 7n, 0n),
    }),
    { isPossible: mayGrow, needs: fundedFirst, call: harvestCalls.draft, rule: harvests.draft },
  ),
  "enter an insurer's sum": command(2, fc.record({ caller: manager, project, round: fc.constant(1) }), {
    isPossible: mayGrow,
    needs: fundedFirst,
    call: harvestCalls.insure,
    rule: harvests.insure,
  }),
  "open a harvest": command(5, onHarvest, {
    isPossible: hasHarvests,
    needs: harvestsIn("draft"),
    call: harvestCalls.open,
    rule: harvests.open,
  }),
  "two open a harvest though the bank doesn't show all": command(4, fc.record({ harvest: place, isSeen: mostly(7) }), {
    isPossible: (model) => areTwoThere(model) && hasHarvests(model),
    needs: harvestsIn("draft"),
    call: harvestCalls.openTogether,
    rule: harvests.openTogether,
  }),
  "withdraw a harvest": command(1, onHarvest, {
    isPossible: hasHarvests,
    needs: harvestsIn("draft", "choosing"),
    call: harvestCalls.withdraw,
    rule: settlements.withdraw,
  }),
  "lower a harvest": command(
    1,
    fc.record({ caller: manager, harvest: place, by: fc.constantFrom(7_777n, 1n, 600_000n, 0n) }),
    {
      isPossible: (model, { harvest, by }) => hasHarvests(model) && at(model.harvests, harvest).quantity >= by,
      needs: harvestsIn("choosing"),
      call: harvestCalls.lower,
      rule: harvests.lower,
    },
  ),
  "lower a harvest much": command(1, fc.record({ harvest: place, by: fc.constantFrom(400_000n, 600_000n, 1n) }), {
    isPossible: (model, { harvest, by }) =>
      areTwoThere(model) && hasHarvests(model) && at(model.harvests, harvest).quantity > by,
    needs: harvestsIn("choosing"),
    call: harvestCalls.lowerMuch,
    rule: harvests.lowerMuch,
  }),
  choose: command(
    6,
    fc.record({ caller: backer, harvest: place, takenEighths: eighths, givenEighths: fc.nat({ max: 2 }) }),
    { isPossible: hasHarvests, needs: choosers, call: harvestCalls.choose, rule: harvests.choose },
  ),
  "let the time for choosing and collecting pass": command(
    9,
    fc.record({ hours: fc.constantFrom(24, 120, 360), isSwept: fc.constant(true) }),
    {
      needs: (model) => (harvestsThat(isWaitedFor)(model).length > 0 ? [{}] : []),
      call: calls.letTimePass,
      rule: projects.letTimePass,
    },
  ),
  "hand produce over": command(5, fc.record({ caller: manager, harvest: place, part: place }), {
    isPossible: (model, args) => hasHarvests(model) && harvests.takerOf(model, args) !== undefined,
    needs: collectors,
    call: harvestCalls.collect,
    rule: harvests.collect,
  }),
  "add a photo of a harvest": command(3, onHarvest, {
    isPossible: hasHarvests,
    needs: harvestsIn("allotted", "settled"),
    call: harvestCalls.addFile,
    rule: harvests.addFile,
  }),
  "write a cost down": command(
    4,
    fc.record({
      caller: manager,
      harvest: place,
      amountKobo: fc.constantFrom(5_000n, 1_000_000n, 30_000_000n),
      paidBy: fc.constantFrom("platform" as const, "farm" as const),
    }),
    {
      isPossible: hasHarvests,
      needs: harvestsThat(({ state }) => state !== "done"),
      call: harvestCalls.addCost,
      rule: sales.addCost,
    },
  ),
  "count a cost of the farm": command(3, fc.record({ cost: place }), {
    isPossible: (model) => areTwoThere(model) && model.costs.length > 0,
    needs: ({ costs }) =>
      placesOf(costs, ({ isCounted, isRemoved }) => !isCounted && !isRemoved).map((cost) => ({ cost })),
    call: harvestCalls.countCost,
    rule: sales.countCost,
  }),
  "take a cost out": command(1, fc.record({ caller: manager, cost: place }), {
    isPossible: ({ costs }) => costs.length > 0,
    call: harvestCalls.removeCost,
    rule: sales.removeCost,
  }),
  "sell of a harvest": command(
    9,
    fc.record({
      caller: manager,
      harvest: place,
      pool,
      part: fc.constantFrom(
        "rest" as const,
        "rest" as const,
        "half" as const,
        "half" as const,
        "more" as const,
        "nothing" as const,
      ),
      amountKobo: saleKobo,
    }),
    {
      isPossible: hasHarvests,
      needs: (model) =>
        harvestsThat(sales.isAllotted)(model).flatMap(({ harvest }) =>
          bothPools.flatMap((from) =>
            at(model.harvests, harvest).isInsurance || sales.leftToSell(model, harvest, from) > 0n
              ? [{ harvest, pool: from }]
              : [],
          ),
        ),
      call: harvestCalls.sell,
      rule: sales.sell,
    },
  ),
  "take an advance or pay more for what was sold": command(
    4,
    fc.record({
      caller: manager,
      harvest: place,
      pool,
      part: fc.constant("nothing" as const),
      amountKobo: saleKobo,
    }),
    {
      isPossible: hasHarvests,
      needs: (model) => [
        ...harvestsThat(sales.isBeforeAllotment)(model).map((it) => ({ ...it, pool: "sold" as const })),
        ...salesThat(({ quantity, isRemoved }) => quantity !== null && !isRemoved)(model).map(({ sale }) => {
          const { harvest, pool: from } = at(model.sales, sale);
          return { harvest, pool: from };
        }),
      ],
      call: harvestCalls.sell,
      rule: sales.sell,
    },
  ),
  "say how much an advance was for": command(3, fc.record({ caller: manager, sale: place, isMuch: seldom(4) }), {
    isPossible: hasSales,
    needs: salesThat(({ quantity, isRemoved }) => quantity === null && !isRemoved),
    call: harvestCalls.measure,
    rule: sales.measure,
  }),
  "take a sale out": command(2, fc.record({ sale: place }), {
    isPossible: (model) => areTwoThere(model) && hasSales(model),
    call: harvestCalls.removeSale,
    rule: sales.removeSale,
  }),
  "change what a sale is for": command(
    4,
    fc.record({
      sale: place,
      to: fc.constantFrom("more" as const, "more" as const, "less" as const, "same" as const),
    }),
    {
      isPossible: (model) => areTwoThere(model) && hasSales(model),
      needs: salesThat(({ declaredAt, isRemoved }) => declaredAt === null && !isRemoved),
      call: harvestCalls.changeSale,
      rule: sales.changeSale,
    },
  ),
  "declare a sale as paid": command(7, fc.record({ sale: place }), {
    isPossible: (model) => areTwoThere(model) && hasSales(model),
    needs: salesThat(({ declaredAt, isTakenBack, isRemoved }) => declaredAt === null && !isTakenBack && !isRemoved),
    call: harvestCalls.declareSale,
    rule: sales.declareSale,
  }),
  "take back that a sale was paid": command(2, fc.record({ sale: place }), {
    isPossible: (model) => areTwoThere(model) && hasSales(model),
    needs: salesThat(({ declaredAt }) => declaredAt !== null),
    call: harvestCalls.takeSaleBack,
    rule: sales.takeSaleBack,
  }),
  "match a sale or a cost": command(
    6,
    fc.record({
      caller: owner,
      line: place,
      sale: place,
      kind: fc.constantFrom("sale" as const, "sale" as const, "sale" as const, "harvest_cost" as const),
      isWhole: mostly(8),
      isRaised: seldom(3),
    }),
    {
      isPossible: (model) => hasSales(model) && model.lines.length > 0,
      needs: (model) =>
        standingLines(model)
          .filter((line) => restKobo(model, line) > 0n)
          .flatMap((line) =>
            [...model.sales.keys()].map((sale) => ({
              line,
              sale,
              kind: at(model.lines, line).amountKobo > 0n ? ("sale" as const) : ("harvest_cost" as const),
            })),
          ),
      call: harvestCalls.matchHarvest,
      rule: sales.matchHarvest,
    },
  ),
  "two say that the bank took a buyer's money back": command(
    5,
    fc.record({
      line: place,
      sale: place,
      share: fc.constantFrom<back.TakingSaleMoneyBack["share"]>("rest", "rest", "rest", "half", "more"),
    }),
    {
      isPossible: (model) => areTwoThere(model) && hasSales(model) && model.lines.length > 0,
      needs: (model) =>
        openLines((amountKobo) => amountKobo < 0n)(model).flatMap((line) =>
          [...model.sales.keys()].filter((sale) => seenKobo(model, sale) > 0n).map((sale) => ({ line, sale })),
        ),
      call: harvestCalls.takeSaleMoneyBack,
      rule: back.takeSaleMoneyBack,
    },
  ),
  "give up a buyer's money that was taken back": command(3, fc.record({ sale: place, isSeen: mostly(5) }), {
    isPossible: (model) => areTwoThere(model) && hasSales(model),
    needs: (model) =>
      [...model.sales.keys()].filter((sale) => receivableOfSale(model, sale) > 0n).map((sale) => ({ sale })),
    call: harvestCalls.loseSale,
    rule: back.loseSale,
  }),
  settle: command(10, fc.record({ caller: owner, harvest: place, pool, isSeen: mostly(7) }), {
    isPossible: hasHarvests,
    needs: withProceeds,
    call: harvestCalls.settle,
    rule: settlements.settle,
  }),
  "settle together": command(3, fc.record({ harvest: place, pool, isSeen: mostly(7) }), {
    isPossible: (model) => areTwoThere(model) && hasHarvests(model),
    needs: withProceeds,
    call: harvestCalls.settleTogether,
    rule: settlements.settleTogether,
  }),
  "reverse a settlement": command(4, fc.record({ caller: owner, settlement: place }), {
    isPossible: ({ settlements }) => settlements.length > 0,
    needs: standingSettlements,
    call: harvestCalls.reverse,
    rule: settlements.reverse,
  }),
  "finish a harvest": command(4, fc.record({ caller: owner, harvest: place }), {
    // Who is alone may end what they wrote down.
    isPossible: (model, ended) =>
      hasHarvests(model) && (areTwoThere(model) || !settlements.isRecorderOfRest(model, ended)),
    needs: harvestsIn("allotted", "settled"),
    call: harvestCalls.finish,
    rule: settlements.finish,
  }),
  "declare a harvest as lost": command(1, byOwners, {
    isPossible: (model) => areTwoThere(model) && hasHarvests(model),
    needs: harvestsThat(
      ({ filesAt, state }) => filesAt.length > 0 && ["draft", "choosing", "allotted"].includes(state),
    ),
    call: harvestCalls.lose,
    rule: settlements.lose,
  }),
  "declare the rest of a harvest as lost": command(4, byOwners, {
    isPossible: (model) => areTwoThere(model) && hasHarvests(model),
    needs: harvestsThat(({ filesAt, state }) => filesAt.length > 0 && ["allotted", "settled"].includes(state)),
    call: harvestCalls.loseRest,
    rule: settlements.loseRest,
  }),
  "book a harvest's costs as a loss": command(5, byOwners, {
    isPossible: (model) => areTwoThere(model) && hasHarvests(model),
    needs: (model) =>
      harvestsIn(
        "withdrawn",
        "lost",
        "settled",
      )(model).filter(({ harvest }) => settlements.lostAtEndKobo(model, harvest) > 0n),
    call: harvestCalls.loseCosts,
    rule: settlements.loseCosts,
  }),
} satisfies Weighted;
