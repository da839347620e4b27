import { roundReturnTexts as texts } from "#shared/payouts/returns-texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { cancelPayouts, refuseOnItsWay } from "./payouts.ts";
import { approvedOf, type OfRound, releasableKobo, sum, unseenKobo } from "./releases.ts";
import { confirmByTwo } from "./second-person.ts";
import { at, type Model, outcomeOf, owe, Refused, tell } from "./state.ts";

/** A round's money that goes back to its backers: its farm didn't get it, or paid it back. Two owners say so. */

/** `parts` are of the approved payments that brought it. */
export type Return = OfRound & {
  amountKobo: bigint;
  isTakenBack: boolean;
  parts: { payment: number; amountKobo: bigint }[];
};

export type Returning = OfRound & { share: "all" | "third" | "more" };

/** Returns the asked sum: all that the round has, a third of it, or more. It is never zero. */
export function askedKobo(model: Readonly<Model>, { share, ...key }: Returning): bigint {
  const whole = releasableKobo(model, key);
  const asked = share === "all" ? whole : share === "third" ? whole / 3n : whole + 1n;
  return asked > 0n ? asked : 1n;
}

/** Who brought how much of a round that the bank has shown, in the order of their payments. */
export const broughtTo = (model: Readonly<Model>, key: OfRound) =>
  approvedOf(model, key).map((payment) => ({
    payment: model.payments.indexOf(payment),
    person: payment.person,
    kobo: payment.amountKobo - unseenKobo(model, payment) - payment.lostKobo,
  }));

/**
 * Each gets their part rounded down, and what is left goes by a kobo each to those who lost most by it, of equals to
 * the earlier.
 */
export function divide(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = sum(weights);
  const parts = weights.map((weight) => (total * weight) / whole);
  for (let left = total - sum(parts); left > 0n; left -= 1n) {
    const lost = weights.map((weight, place) => total * weight - at(parts, place) * whole);
    const most = [...lost.keys()].reduce((one, other) => (at(lost, other) > at(lost, one) ? other : one));
    parts[most] = at(parts, most) + 1n;
  }
  return parts;
}

export function returnToBackers(model: Model, args: Returning) {
  const { project, round } = args;
  const amountKobo = askedKobo(model, args);
  const there = releasableKobo(model, args);
  if (amountKobo > there) throw new Refused("conflict", texts.moreThanThere(there));
  const brought = broughtTo(model, args);
  if (brought.every(({ kobo }) => kobo <= 0n)) throw new Refused("conflict", texts.nobody);
  const isThere = !at(model.projects, project).isRemoved;
  if (isThere && outcomeOf(model, project, round) === null) throw new Refused("conflict", texts.notFunded);
  const amounts = divide(
    amountKobo,
    brought.map(({ kobo }) => kobo),
  );
  const parts = brought
    .map(({ payment }, place) => ({ payment, amountKobo: at(amounts, place) }))
    .filter((part) => part.amountKobo > 0n);
  const index = model.returns.length;
  model.returns.push({ project, round, amountKobo, isTakenBack: false, parts });
  for (const part of parts) {
    const payment = at(model.payments, part.payment);
    payment.dueKobo += part.amountKobo;
    owe(model, { returned: index, payment: part.payment, payee: payment.person, amountKobo: part.amountKobo });
  }
  confirmByTwo(model, "return_to_backers");
  notifyOfRelease(model, at(model.returns, index));
  return {};
}

const notifyOfRelease = (model: Model, { parts }: Return): void =>
  tell(
    model,
    parts.map(({ payment }) => at(model.payments, payment).person),
    "payment_status",
  );

/** Returns true if nothing of a return is in a run or was sent. Otherwise the second owner reads that it's too late. */
export function isStillHere(model: Model, index: number): boolean {
  try {
    refuseOnItsWay(model, (it) => it.returned === index, payoutTexts.alreadyOnItsWay);
    return true;
  } catch {
    return false;
  }
}

export function takeReturnBack(model: Model, { returned: index }: { returned: number }) {
  const found = at(model.returns, index);
  if (found.isTakenBack) throw new Refused("conflict", texts.takenBackAlready);
  cancelPayouts(model, (it) => it.returned === index, payoutTexts.alreadyOnItsWay);
  found.isTakenBack = true;
  for (const { payment, amountKobo } of found.parts) at(model.payments, payment).dueKobo -= amountKobo;
  confirmByTwo(model, "take_return_back");
  notifyOfRelease(model, found);
  return {};
}
