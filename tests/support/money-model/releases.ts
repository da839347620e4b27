import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { cancelPayouts } from "./payouts.ts";
import { at, farmOf, type Model, outcomeOf, owe, type Payment, Refused, require, unseenOf } from "./state.ts";

/** A funded round's money that goes on to its farm, as far as it has arrived. */

export type Release = { project: number; round: number; amountKobo: bigint; isTakenBack: boolean };
type OfRound = { project: number; round: number };

const sum = (list: readonly bigint[]): bigint => list.reduce((all, one) => all + one, 0n);

export const releasedKobo = (model: Model, { project, round }: OfRound): bigint =>
  sum(
    model.releases
      .filter((it) => it.project === project && it.round === round && !it.isTakenBack)
      .map(({ amountKobo }) => amountKobo),
  );

function unseenKobo(model: Model, payment: Payment): bigint {
  const { inTransitKobo, receivableKobo } = unseenOf(model, payment);
  return inTransitKobo + receivableKobo;
}

/** What a round still has for its farm, and what of that nobody has seen at the bank. */
function owedOf(model: Model, key: OfRound) {
  const approved = model.payments.filter(
    (it) => it.origin === key.project && it.round === key.round && it.status === "approved",
  );
  return {
    owedKobo: sum(approved.map(({ amountKobo }) => amountKobo)) - releasedKobo(model, key),
    unseenKobo: sum(approved.map((payment) => unseenKobo(model, payment))),
  };
}

export function releasableKobo(model: Readonly<Model>, key: OfRound): bigint {
  const { owedKobo, unseenKobo: unseen } = owedOf(model, key);
  return owedKobo > unseen ? owedKobo - unseen : 0n;
}

export type Releasing = { caller: number; project: number; round: number; look: "now" | "all" | "more" };

/** What an owner saw: what can be released, all that the round has, or more. It is never nothing. */
export function seenToReleaseKobo(model: Readonly<Model>, { look, ...key }: Releasing): bigint {
  const { owedKobo } = owedOf(model, key);
  const seen = look === "now" ? releasableKobo(model, key) : look === "all" ? owedKobo : owedKobo + 1n;
  return seen > 0n ? seen : 1n;
}

export function release(model: Model, args: Releasing) {
  const { caller, project, round } = args;
  require(model, caller, "payouts:process");
  const found = at(model.projects, project);
  if (found.isRemoved) throw new Refused("not_found", projectAdminTexts.notFound);
  if (round > found.round) throw new Refused("not_found", texts.nothingOwed);
  if (outcomeOf(model, project, round) !== "funded") throw new Refused("conflict", texts.notFunded);
  const { owedKobo } = owedOf(model, args);
  if (owedKobo <= 0n) throw new Refused("conflict", texts.nothingOwed);
  const amountKobo = releasableKobo(model, args);
  const seen = seenToReleaseKobo(model, args);
  if (seen > amountKobo && seen <= owedKobo) throw new Refused("conflict", texts.notArrived(amountKobo, owedKobo));
  if (seen !== amountKobo) throw new Refused("conflict", texts.changed);
  const index = model.releases.length;
  model.releases.push({ project, round, amountKobo, isTakenBack: false });
  owe(model, { release: index, payee: farmOf(project), amountKobo });
  model.audit.push("release_to_farm");
  return {};
}

export function takeBack(model: Model, { caller, release: index }: { caller: number; release: number }) {
  require(model, caller, "payouts:process");
  const found = at(model.releases, index);
  if (found.isTakenBack) throw new Refused("conflict", texts.takenBackAlready);
  cancelPayouts(model, (it) => it.release === index, payoutTexts.alreadyOnItsWay);
  found.isTakenBack = true;
  model.audit.push("take_release_back");
  return {};
}

/** Approvals of one round go one after the other: each needs that its money is still with the round. */
export function requireNotReleased(model: Model, reversed: readonly Payment[]): void {
  const [first] = reversed;
  if (!first) return;
  const key = { project: first.origin, round: first.round };
  const gone = releasedKobo(model, key);
  let { owedKobo, unseenKobo: unseen } = owedOf(model, key);
  for (const payment of reversed) {
    const { amountKobo } = payment;
    const own = unseenKobo(model, payment);
    const isMissing = owedKobo < amountKobo || (amountKobo > own && owedKobo - unseen < amountKobo - own);
    if (gone > 0n && isMissing) throw new Refused("conflict", texts.wentToFarm(gone));
    owedKobo -= amountKobo;
    unseen -= own;
  }
}
