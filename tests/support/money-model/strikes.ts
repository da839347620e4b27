import { strikeTexts as texts } from "#shared/payments/strikes-texts.ts";
import { isReady, refuseBegun } from "./harvests.ts";
import { replacePapers } from "./papers.ts";
import { requireNotReleased, unseenKobo } from "./releases.ts";
import { isStillHere } from "./returns.ts";
import { confirmByTwo } from "./second-person.ts";
import { at, type Model, type Payment, Refused, saidKobo, tell } from "./state.ts";
import { takeOutAgain, takeOutByStrike } from "./taken-out.ts";

/** Approved payments that never came, or that the bank took back, once their approval can't be taken back any more. */

export type Striking = { payment: number; isSeen: boolean };

/** Returns the missing money of a payment as an owner saw it. It is never zero. */
export function lostKobo(model: Readonly<Model>, { payment, isSeen }: Striking): bigint {
  const missing = unseenKobo(model, at(model.payments, payment));
  return isSeen && missing > 0n ? missing : missing + 1n;
}

/** Returns true if an approval can still be taken back, so that nothing is struck. */
export function canLeaveApproved(model: Model, payment: Payment): boolean {
  try {
    refuseBegun(model, { project: payment.origin, round: payment.round });
    requireNotReleased(model, [payment]);
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return false;
  }
}

/** It stays approved and its lots stay sold; what is missing is lost, and it counts nothing in harvests. */
export function strike(model: Model, args: Striking) {
  const payment = at(model.payments, args.payment);
  if (payment.status !== "approved") throw new Refused("conflict", texts.notApproved);
  if (payment.lostKobo > 0n) throw new Refused("conflict", texts.struckAlready);
  const missing = unseenKobo(model, payment);
  if (missing === 0n) throw new Refused("conflict", texts.allSeen);
  if (canLeaveApproved(model, payment)) throw new Refused("conflict", texts.takeBackInstead);
  requireNoReturn(model, args.payment);
  if (lostKobo(model, args) !== missing) throw new Refused("conflict", texts.changed);
  const { origin: project, round, person, amountKobo } = payment;
  const weight = model.roundWeights.find((it) => it.project === project && it.round === round && it.person === person);
  const backing = weight?.backing ?? null;
  takeOutByStrike(model, { project, round, person }, amountKobo);
  lowerWeight(model, payment);
  payment.arrivedKobo -= saidKobo(model, payment, args.payment);
  Object.assign(payment, { lostKobo: missing, words: [] });
  for (const payout of returnsDue(model, args.payment)) payout.isWithheld = true;
  model.strikes.push({ project, round, backing, payment: args.payment, amountKobo, after: model.settlements.length });
  replacePapers(model, { kind: "receipt", about: args.payment });
  confirmByTwo(model, "strike_payment");
  takeOutAgain(model, dueToFormerHolders(model, { project, round, person, backing }));
  tell(model, [person], "payment_status");
  return {};
}

/**
 * Lists what settlements of the round owe to who held a payment before: it was in a run when the lots passed on, and left
 * it since.
 */
function dueToFormerHolders(
  model: Model,
  { project, round, person, backing }: { project: number; round: number; person: number; backing: number | null },
): number[] {
  return [...model.payouts.entries()].flatMap(([place, { settlement, payee, former, state }]) => {
    if (settlement === null || payee < 0 || payee === person || (state !== "waiting" && state !== "due")) return [];
    const { harvest, parts } = at(model.settlements, settlement);
    const of = at(model.harvests, harvest);
    const isOfBacking = parts.some((it) => it.backing === backing && it.person === (former ?? payee));
    return of.project === project && of.round === round && isOfBacking ? [place] : [];
  });
}

/** Lists the unsent payouts of returns for a payment. */
const returnsDue = (model: Model, payment: number) =>
  model.payouts.filter(
    (it) => it.returned !== null && it.payment === payment && ["waiting", "due", "in_run"].includes(it.state),
  );

/**
 * Refused while a return that nothing was sent of can be taken back, or something of it is in a run. The rest is
 * withheld.
 */
function requireNoReturn(model: Model, payment: number): void {
  const due = returnsDue(model, payment);
  const open = due.filter(({ returned }) => isStillHere(model, returned ?? -1));
  const kobo = (some: typeof due) => some.reduce((all, { amountKobo }) => all + amountKobo, 0n);
  if (open.length > 0) throw new Refused("conflict", texts.returnFirst(kobo(open)));
  const inRun = due.filter(({ state }) => state === "in_run");
  if (inRun.length > 0) throw new Refused("conflict", texts.returnInRun(kobo(inRun)));
}

/** In choices that are open, in what is sold, and of produce that lies ready, which is sold instead. */
function lowerWeight(model: Model, { origin, round, person, amountKobo }: Payment): void {
  const weight = model.roundWeights.find((it) => it.project === origin && it.round === round && it.person === person);
  if (!weight) return;
  weight.struckKobo += amountKobo;
  for (const harvest of model.harvests) {
    if (harvest.project !== origin || harvest.round !== round) continue;
    const part = harvest.parts.find((it) => it.person === person);
    if (!part) continue;
    if (harvest.allottedAt === null) {
      part.weightKobo -= amountKobo;
      harvest.parts = harvest.parts.filter(({ weightKobo }) => weightKobo > 0n);
      continue;
    }
    if (harvest.state !== "lost" && isReady(part)) part.isUncollected = true;
    part.struckKobo += amountKobo;
  }
}
