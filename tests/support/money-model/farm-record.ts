import { expect } from "vitest";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { fewestBackers } from "#shared/farms/record.ts";
import { type Harvest, harvestsPlanned, isShortOf, type OfRound, plannedOf, priceKobo, sum } from "./harvests.ts";
import type { Real } from "./real.ts";
import { approvedOf, unseenKobo } from "./releases.ts";
import { awayKobo, seenKobo } from "./sale-money.ts";
import { at, findRound, type Model, type Outcome, outcomeOf, type Payout } from "./state.ts";

/** The public record of a farm's earlier rounds, worked out a second time, from what was done. */

type RecordRound = RouterOutputs["farmPages"]["record"]["rounds"][number];

/** The one farm that the model's projects are of. */
const theFarm = 0;

export async function expectRecordAgrees(model: Model, real: Real, when: string): Promise<void> {
  const { caller } = await real.visitor();
  const { rounds } = await caller.farmPages.record({ farmId: real.farmId(theFarm) });
  expect(inOrder(rounds.map((round) => shownRound(real, round))), when).toEqual(inOrder(recordOf(model)));
}

/** A removed project is known by nothing but what it did. */
const inOrder = <Round>(rounds: Round[]): Round[] => {
  const key = (round: Round) =>
    JSON.stringify(round, (_, value) => (typeof value === "bigint" ? String(value) : value));
  return rounds.sort((one, other) => (key(one) < key(other) ? -1 : 1));
};

const shownRound = (real: Real, { price, shares, ...round }: RecordRound) => ({
  project: round.projectId === null ? null : real.ids.projects.indexOf(round.projectId),
  round: round.round,
  outcome: round.outcome,
  stage: round.stage,
  lots: round.lots,
  approvedLots: round.approvedLots,
  lotsSource: round.lotsSource,
  isFew: round.isFew,
  harvests: round.harvests.map(({ state, isInsurance, counted, planned, note }) => ({
    state,
    isInsurance,
    counted: counted ?? 0n,
    planned,
    isShort: note !== null,
  })),
  price: { reachedKobo: price.reachedKobo, source: price.source },
  shares,
});

function recordOf(model: Model) {
  return model.projects.flatMap(({ farm, rounds }, project) =>
    farm !== theFarm
      ? []
      : rounds.flatMap((_, place) => {
          const key = { project, round: place + 1 };
          const outcome = lastOutcomeOf(model, key);
          return outcome === null ? [] : [recordOfRound(model, key, outcome)];
        }),
  );
}

/** A removed project's outcomes stay: its payments are known by what they were sent for. */
function lastOutcomeOf(model: Model, { project, round }: OfRound): Outcome | null {
  const { isRemoved } = at(model.projects, project);
  if (!isRemoved) return outcomeOf(model, project, round);
  const { lots, decided } = findRound(model, project, round);
  const isSoldOut = approvedLots(model, { project, round }) === lots;
  return decided ?? (isSoldOut || round < at(model.projects, project).round ? "funded" : null);
}

const approvedLots = (model: Model, key: OfRound): number =>
  approvedOf(model, key).reduce((all, { lots }) => all + lots, 0);

function recordOfRound(model: Model, key: OfRound, outcome: Outcome) {
  const { project, round } = key;
  const paid = approvedOf(model, key);
  const counted = paid.filter(({ lostKobo }) => lostKobo === 0n);
  const backers = new Set(counted.map(({ person }) => person)).size;
  const weights = model.roundWeights.filter((it) => it.project === project && it.round === round);
  const baseKobo =
    weights.length > 0
      ? sum(weights.map(({ weightKobo, struckKobo }) => weightKobo - struckKobo))
      : sum(counted.map(({ amountKobo }) => amountKobo));
  const own = [...model.harvests.entries()].filter(([, it]) => it.project === project && it.round === round);
  const harvests = own.flatMap(([, it]) => (it.state === "draft" || it.state === "withdrawn" ? [] : [it]));
  const of = (kobo: bigint) => shareOf(kobo, { baseKobo, backers });
  const payouts = (isInsurance: boolean) =>
    backersPayouts(model, ({ settlement }) => {
      const harvest = settlement === null ? undefined : own.find(([place]) => place === settledOf(model, settlement));
      return harvest?.[1].isInsurance === isInsurance;
    });
  const returned = backersPayouts(model, (it) => {
    const source = it.returned === null ? null : at(model.returns, it.returned);
    return source?.project === project && source.round === round;
  });
  const owed = [...payouts(false), ...payouts(true)].filter(([, { state }]) =>
    ["waiting", "due", "in_run", "sent"].includes(state),
  );
  return {
    project: at(model.projects, project).isRemoved ? null : project,
    round,
    outcome,
    stage:
      outcome === "funded"
        ? stageOf(
            own.map(([, it]) => it),
            harvestsPlanned(model, key),
          )
        : outcome,
    lots: findRound(model, project, round).lots,
    approvedLots: approvedLots(model, key),
    lotsSource: paid.every((payment) => unseenKobo(model, payment) === 0n) ? "bank" : "owners",
    isFew: backers < fewestBackers,
    harvests: harvests.map((harvest) => {
      const { state, isInsurance, quantity: counted } = harvest;
      const planned = plannedOf(model, harvest);
      return { state, isInsurance, counted, planned, isShort: isShortOf(planned, counted) };
    }),
    price: {
      ...priceOf(
        model,
        own.flatMap(([place, { isInsurance }]) => (isInsurance ? [] : [place])),
      ),
      ...(backers < fewestBackers && { reachedKobo: null }),
    },
    shares: {
      paid: paidOf(model, payouts(false), of),
      produce: { share: of(sum(own.map(([, it]) => collectedKobo(it)))), source: "farm" },
      insurance: paidOf(model, payouts(true), of),
      returned: paidOf(model, returned, of),
      onItsWay: { share: of(sum(owed.map(([, { amountKobo }]) => amountKobo))), source: "owners" },
      lost: { share: of(lostKobo(model, own)), source: "owners" },
    },
  };
}

/** Rounded down to ₦100 for each ₦100,000, or to the nearest 5% where fewer than three paid. */
function shareOf(kobo: bigint, { baseKobo, backers }: { baseKobo: bigint; backers: number }) {
  if (baseKobo <= 0n) return null;
  if (backers >= fewestBackers) return { kobo: ((kobo * 1_000n) / baseKobo) * 10_000n };
  return { percent: Number((kobo * 40n + baseKobo) / (baseKobo * 2n)) * 5 };
}

const settledOf = (model: Model, settlement: number): number => at(model.settlements, settlement).harvest;

type Placed = [place: number, payout: Payout];

const backersPayouts = (model: Model, isOfIt: (payout: Payout) => boolean): Placed[] =>
  [...model.payouts.entries()].filter(([, it]) => it.payee >= 0 && isOfIt(it));

/** Returns the money that reached backers, and whether lines show all of it. */
function paidOf(model: Model, payouts: Placed[], of: (kobo: bigint) => ReturnType<typeof shareOf>) {
  const paid = payouts.filter(([, { state }]) => state === "paid");
  const isSeen = ([place]: Placed) =>
    model.matches.some((it) => it.kind === "payout" && it.payout === place && !it.isUndone);
  return { share: of(sum(paid.map(([, { amountKobo }]) => amountKobo))), source: sourceOf(paid.every(isSeen)) };
}

const sourceOf = (isSeen: boolean) => (isSeen ? "bank" : "owners");

const collectedKobo = ({ parts }: Harvest): bigint =>
  sum(parts.filter(({ isCollected }) => isCollected).map(({ taken }) => (taken * priceKobo) / 1000n));

/** Costs that nothing paid, and money of settled sales that the bank took back for good. */
const lostKobo = (model: Model, own: [place: number, harvest: Harvest][]): bigint =>
  sum(own.map(([, it]) => it.lostKobo)) +
  sum(model.sales.filter(({ harvest }) => own.some(([place]) => place === harvest)).map((it) => it.lostKobo));

/** Returns the price of a unit over sales that are paid in whole, in kobo but rounded down to naira, and its source. */
function priceOf(model: Model, harvests: number[]) {
  const sales = [...model.sales.entries()]
    .filter(([, { harvest, isRemoved }]) => harvests.includes(harvest) && !isRemoved)
    .map(([sale, { declaredAt, amountKobo, quantity }]) => {
      const shownKobo = seenKobo(model, sale) + awayKobo(model, sale);
      const isWhole = declaredAt !== null || shownKobo >= amountKobo;
      return { shownKobo, gotKobo: declaredAt === null ? shownKobo : amountKobo, quantity: quantity ?? 0n, isWhole };
    });
  const whole = sales.filter(({ isWhole }) => isWhole);
  const quantity = sum(whole.map((it) => it.quantity));
  const kobo = sum(whole.map(({ gotKobo }) => gotKobo));
  return {
    reachedKobo: quantity === 0n ? null : ((kobo * 10n) / quantity) * 100n,
    source: sourceOf(sum(sales.map((it) => it.shownKobo)) >= sum(sales.map((it) => it.gotKobo))),
  };
}

function stageOf(harvests: Harvest[], planned: number) {
  const grown = harvests.filter(({ state, isInsurance }) => !isInsurance && state !== "draft" && state !== "withdrawn");
  if (grown.length >= planned && grown.every(({ state }) => state === "lost")) return "lost";
  const isOver =
    harvests.every(({ state }) => ["done", "lost", "withdrawn"].includes(state)) &&
    grown.filter(({ state }) => state === "done" || state === "lost").length >= planned;
  return isOver ? "finished" : "running";
}
