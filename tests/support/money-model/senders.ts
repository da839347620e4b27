import { bankTexts, sentBackTexts } from "#shared/bank/texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { cancelPayouts, noHarvest, replaceAccount } from "./payouts.ts";
import { confirmByTwo } from "./second-person.ts";
import {
  at,
  type LineMatch,
  type Model,
  owe,
  Refused,
  require,
  requireStandingLine,
  restKobo,
  senderOf,
} from "./state.ts";
import { takesTwo, wasOfAnother } from "./walls.ts";

/** Money of nobody here, which goes back to whoever sent it, to an account that two owners enter. */

export type SendingBack = { caller: number; line: number; share: "rest" | "half" | "more" };

/** How much of a line goes back: it is never nothing. */
export function sentBackKobo(model: Readonly<Model>, { line, share }: SendingBack): bigint {
  const rest = restKobo(model, line);
  if (share === "more" || rest === 0n) return rest + 1n;
  return share === "half" && rest > 1n ? rest / 2n : rest;
}

const isSentBack = (model: Readonly<Model>, line: number): boolean =>
  model.matches.some((it) => it.line === line && it.kind === "sent_back" && !it.isUndone);

export function sendBack(model: Model, args: SendingBack) {
  const { caller, line } = args;
  require(model, caller, "bank:import");
  requireStandingLine(model, line);
  const amountKobo = sentBackKobo(model, args);
  if (amountKobo > restKobo(model, line)) throw new Refused("conflict", bankTexts.moreThanRest(restKobo(model, line)));
  if (at(model.lines, line).amountKobo < 0n) throw new Refused("conflict", bankTexts.onlyIn);
  if (isSentBack(model, line)) throw new Refused("conflict", sentBackTexts.once);
  if (wasOfAnother(model, line, null)) throw takesTwo();
  const about = { ...noHarvest, payment: null, payout: null };
  model.matches.push({ line, kind: "sent_back", ...about, amountKobo, isUndone: false, at: model.now });
  owe(model, { release: null, payee: senderOf(line), amountKobo });
  model.audit.push("match_line");
  return {};
}

/** Undone, it isn't owed any more, unless it is in a run or was sent. */
export function takeSentBack(model: Model, { kind, line }: LineMatch): void {
  if (kind !== "sent_back") return;
  cancelPayouts(model, (it) => it.payee === senderOf(line), payoutTexts.alreadyOnItsWay);
}

export const isOwedToSender = (model: Readonly<Model>, line: number): boolean =>
  model.payouts.some(({ payee, state }) => payee === senderOf(line) && ["waiting", "due", "in_run"].includes(state));

export function giveSenderAccount(model: Model, { line }: { line: number }) {
  if (!isOwedToSender(model, line)) throw new Refused("conflict", sentBackTexts.nothingDue);
  confirmByTwo(model, "enter_payee_account");
  replaceAccount(model, senderOf(line));
  return {};
}
