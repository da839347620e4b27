import { papersOfPerson } from "./papers.ts";
import { at, type Model, owe, tell } from "./state.ts";
import { taxOwedKobo } from "./taxes.ts";

/**
 * The shares that settlements don't pay to the backer of a struck payment: they go back to the proceeds of their pools.
 */

type OfBacker = { project: number; round: number; person: number };

/** A payment that two owners struck, with how many settlements there were. */
export type Strike = Omit<OfBacker, "person"> & {
  payment: number;
  /** The backing that it counted for in the round's harvests; null if none had begun. */
  backing: number | null;
  amountKobo: bigint;
  after: number;
};
export type StruckShare = {
  settlement: number;
  backing: number;
  /** To whom it is owed, and for whom it was settled: lots may have passed on since. */
  person: number;
  settledFor: number;
  /** The payout that came back, was refused or left its run; null of what the strike itself took. */
  payout: number | null;
  shareKobo: bigint;
  feeKobo: bigint;
  vatKobo: bigint;
  whtKobo: bigint;
  netKobo: bigint;
};

const sum = (list: readonly bigint[]): bigint => list.reduce((all, one) => all + one, 0n);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** Lists the strikes of payments that a backing counted in a round. */
const strikesOf = (model: Readonly<Model>, { project, round }: OfBacker, backing: number): Strike[] =>
  model.strikes.filter((it) => it.project === project && it.round === round && it.backing === backing);

/** Lists what strikes took out of a backing's part of a settlement. */
export const takenFrom = (model: Readonly<Model>, settlement: number, backing: number): StruckShare[] =>
  model.takenOut.filter((it) => it.settlement === settlement && it.backing === backing);

type OfPart = Pick<StruckShare, "settlement" | "person" | "settledFor">;

const openPayouts = (model: Model, { settlement, person, settledFor }: OfPart) =>
  model.payouts.filter(
    (it) =>
      it.settlement === settlement &&
      it.payee === person &&
      (it.former ?? it.payee) === settledFor &&
      (it.state === "waiting" || it.state === "due"),
  );

/** The places of settlements of a round that stand. */
const settledOf = (model: Model, { project, round }: OfBacker): number[] =>
  [...model.settlements.entries()].flatMap(([place, { harvest, isReversed }]) => {
    const of = at(model.harvests, harvest);
    return !isReversed && of.project === project && of.round === round ? [place] : [];
  });

/**
 * Lists a backer's unsent shares that go back once a further `amountKobo` of their payments is struck. Taxes that were
 * passed on already stay where they are.
 */
function readStruckShares(
  model: Model,
  { project, round, person }: OfBacker,
  {
    amountKobo,
    only,
    payout,
  }: { amountKobo: bigint; only?: { settlement: number; settledFor: number }; payout: number | null },
): StruckShare[] {
  const weights = model.roundWeights.filter((it) => it.project === project && it.round === round);
  const left = { vat: taxOwedKobo(model, "vat"), wht: taxOwedKobo(model, "wht") };
  const found: StruckShare[] = [];
  for (const settlement of only === undefined ? settledOf(model, { project, round, person }) : [only.settlement]) {
    const isTheirs = only
      ? (part: { person: number }) => part.person === only.settledFor
      : (part: { backing: number }) => weights.some((it) => it.backing === part.backing && it.person === person);
    const part = at(model.settlements, settlement).parts.find(isTheirs);
    const weight = weights.find(({ backing }) => backing === part?.backing);
    if (!part || !weight) continue;
    const { backing, person: settledFor } = part;
    const taken = takenFrom(model, settlement, backing);
    const rest = (of: "feeKobo" | "vatKobo" | "whtKobo" | "netKobo") => part[of] - sum(taken.map((it) => it[of]));
    const strikes = strikesOf(model, { project, round, person }, backing);
    const laterKobo = sum(strikes.flatMap((it) => (it.after > settlement ? [it.amountKobo] : [])));
    const countedKobo = weight.weightKobo - weight.struckKobo + laterKobo;
    const struckKobo = (part.netKobo * (laterKobo + amountKobo)) / countedKobo - sum(taken.map((it) => it.netKobo));
    const open = openPayouts(model, { settlement, person, settledFor });
    const netKobo = smaller(sum(open.map((it) => it.amountKobo)), struckKobo);
    if (netKobo <= 0n) continue;
    const partOf = (of: "feeKobo" | "vatKobo" | "whtKobo") => (rest(of) * netKobo) / rest("netKobo");
    const feeKobo = partOf("feeKobo");
    const [vatKobo, whtKobo] = [smaller(partOf("vatKobo"), left.vat), smaller(partOf("whtKobo"), left.wht)];
    left.vat -= vatKobo;
    left.wht -= whtKobo;
    const shareKobo = feeKobo + vatKobo + whtKobo + netKobo;
    const kobo = { shareKobo, feeKobo, vatKobo, whtKobo, netKobo };
    found.push({ settlement, backing, person, settledFor, payout, ...kobo });
  }
  return found;
}

/** It isn't owed any more; a payout that is left of it is withheld as those before were. Its paper tells of the rest. */
function takeOut(model: Model, taken: StruckShare): void {
  const { settlement, backing, person, settledFor, netKobo } = taken;
  const open = openPayouts(model, taken);
  const isWithheld = open.some((payout) => payout.isWithheld);
  for (const payout of open) payout.state = "cancelled";
  const before = model.payouts.length;
  const former = settledFor === person ? null : settledFor;
  owe(model, { settlement, payee: person, former, amountKobo: sum(open.map((it) => it.amountKobo)) - netKobo });
  for (const payout of model.payouts.slice(before)) payout.isWithheld = isWithheld;
  model.takenOut.push(taken);
  const part = at(model.settlements, settlement).parts.find((it) => it.backing === backing);
  const leftKobo = (part?.netKobo ?? 0n) - sum(takenFrom(model, settlement, backing).map((it) => it.netKobo));
  papersOfPerson(model, { settlement, person: settledFor, amountKobo: leftKobo });
}

/** Takes the shares of a payment being struck out of settlements, before its backing's weight is lowered. */
export function takeOutByStrike(model: Model, key: OfBacker, amountKobo: bigint): void {
  for (const taken of readStruckShares(model, key, { amountKobo, payout: null })) takeOut(model, taken);
}

/**
 * Payouts that are due again, because they came back, were refused or left their run: as far as strikes say so, they
 * aren't.
 */
export function takeOutAgain(model: Model, payouts: readonly number[]): bigint {
  let takenKobo = 0n;
  const seen = new Set<string>();
  for (const payout of payouts) {
    const { settlement, payee: person, former } = at(model.payouts, payout);
    const settledFor = former ?? person;
    const part = `${settlement} ${person} ${settledFor}`;
    if (settlement === null || person < 0 || seen.has(part)) continue;
    seen.add(part);
    const { project, round } = at(model.harvests, at(model.settlements, settlement).harvest);
    const { backing } = at(model.settlements, settlement).parts.find((it) => it.person === settledFor) ?? {};
    if (backing === undefined || strikesOf(model, { project, round, person }, backing).length === 0) continue;
    const only = { settlement, settledFor };
    for (const taken of readStruckShares(model, { project, round, person }, { amountKobo: 0n, only, payout })) {
      takeOut(model, taken);
      takenKobo += taken.netKobo;
      model.audit.push("take_out_struck_payout");
      tell(model, [person], "payment_status");
    }
  }
  return takenKobo;
}
