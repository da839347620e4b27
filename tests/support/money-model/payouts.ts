import { bankTexts, payoutLineTexts } from "#shared/bank/texts.ts";
import { dayInLagos, formatDay } from "#shared/dates.ts";
import { afterWorkingDays } from "#shared/lagos-time.ts";
import { payeeAccountLimits } from "#shared/payouts/payee-accounts-texts.ts";
import { payoutRunTexts } from "#shared/payouts/runs-texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { permissionsOf } from "#shared/permissions.ts";
import {
  bookLossTexts,
  failPayoutTexts,
  farmAccountTexts,
  letPayoutGoTexts,
  refusePayoutsTexts,
  secondPersonLimits,
  secondPersonTexts,
} from "#shared/second-person/texts.ts";
import { makePaper } from "./papers.ts";
import { confirmByTwo, otherOwners, requireToCount } from "./second-person.ts";
import {
  type Account,
  at,
  currentAccount,
  farmOf,
  isActiveOwner,
  type Model,
  newPayout,
  type Payee,
  type Payout,
  Refused,
  readersOf,
  require,
  requireSignedIn,
  requireStandingLine,
  restKobo,
  standingLines,
  tell,
} from "./state.ts";
import { takenFrom, takeOutAgain } from "./taken-out.ts";
import { takesTwo, wasOfAnother } from "./walls.ts";

/** Money that goes out: accounts, runs, and what the bank's lines show of payouts. */

const dayMs = 86_400_000;
const open = ["waiting", "due", "in_run"];

/** Makes what is owed and not in a run due when there is an account, and waiting when there is none. */
export function followAccount(model: Model, payee: Payee): void {
  const state = currentAccount(model, payee) === null ? "waiting" : "due";
  for (const payout of model.payouts) {
    if (payout.payee === payee && (payout.state === "waiting" || payout.state === "due")) payout.state = state;
  }
}

/** Another account each time: it rests for two days. */
export function giveAccount(model: Model, { caller }: { caller: number }) {
  requireSignedIn(model, caller);
  replaceAccount(model, caller);
  model.audit.push("set_payee_account");
  return {};
}

/** Owners keep that of a farm: one enters it, and the other confirms it. */
export function giveFarmAccount(model: Model, { project }: { project: number }) {
  const farm = farmOf(model, project);
  if (farm === null) throw new Refused("not_found", farmAccountTexts.gone);
  confirmByTwo(model, "set_farm_account");
  replaceAccount(model, farm);
  return {};
}

export function replaceAccount(model: Model, payee: Payee): void {
  const before = currentAccount(model, payee);
  if (before !== null) Object.assign(at(model.accounts, before), { isReplaced: true, replacedAt: model.now });
  const usableFrom = model.now + payeeAccountLimits.restHours * 3_600_000;
  model.accounts.push({ payee, usableFrom, isReplaced: false });
  followAccount(model, payee);
}

export type MakingRun = { caller: number; mask: number; isAny: boolean };

/** The payouts that an owner ticks: of those that are due, or of all. */
export function chosenPayouts(model: Readonly<Model>, { mask, isAny }: MakingRun): number[] {
  const listed = model.payouts.flatMap(({ state }, index) => (isAny || state === "due" ? [index] : []));
  return listed.filter((_, place) => (mask >> (place % 8)) & 1);
}

export function makeRun(model: Model, args: MakingRun) {
  const { caller } = args;
  require(model, caller, "payouts:process");
  const chosen = chosenPayouts(model, args);
  if (chosen.some((index) => at(model.payouts, index).state !== "due")) {
    throw new Refused("conflict", payoutRunTexts.notDue);
  }
  if (chosen.some((index) => at(model.payouts, index).isWithheld)) throw new Refused("conflict", "withheld");
  const accounts = chosen.map((index) => currentAccount(model, at(model.payouts, index).payee) ?? -1);
  refuseUnpayable(model, accounts);
  for (const index of chosen) Object.assign(at(model.payouts, index), { state: "in_run", run: model.runs.length });
  const made = { madeBy: caller, payouts: chosen, accounts, madeAt: model.now };
  model.runs.push({ ...made, state: "draft", exportedAt: null, isDownloaded: false, isGiven: false });
  model.audit.push("make_payout_run");
  tell(model, otherOwners(model, caller), "second_person", caller);
  return {};
}

type OnRun = { caller: number; run: number };

/** Nobody's account was entered by two owners here, so that nothing is paid to somebody who was blocked since. */
function refuseUnpayable(model: Model, accounts: number[]): void {
  const chosen = accounts.map((account) => at(model.accounts, account));
  for (const { isReplaced, usableFrom } of chosen) {
    if (isReplaced) throw new Refused("conflict", "changed");
    if (usableFrom > model.now) throw new Refused("conflict", "rests");
  }
  const isOfBlocked = ({ payee }: Account) => payee >= 0 && at(model.people, payee).isBlocked;
  if (chosen.some(isOfBlocked)) throw new Refused("conflict", "blocked");
}

export function approveRun(model: Model, { caller, run: index }: OnRun) {
  require(model, caller, "payouts:process");
  const run = at(model.runs, index);
  if (run.madeBy === caller) throw new Refused("forbidden", secondPersonTexts.needsAnother);
  if (run.state !== "draft") throw new Refused("conflict", payoutRunTexts.notDraft);
  if (model.now >= run.madeAt + secondPersonLimits.days * dayMs) {
    throw new Refused("conflict", payoutRunTexts.waitedTooLong);
  }
  refuseUnpayable(model, run.accounts);
  if (!isActiveOwner(at(model.people, run.madeBy))) throw new Refused("conflict", payoutRunTexts.makerGone);
  requireToCount(model, { madeBy: run.madeBy, caller });
  run.state = "approved";
  model.audit.push("approve_payout_run");
  tell(model, [run.madeBy], "second_person", caller);
  // Every other owner is told of it, too, whoever approved it among them.
  tell(model, otherOwners(model, run.madeBy), "second_person", caller);
  return {};
}

export function voidRun(model: Model, { caller, run: index }: OnRun) {
  require(model, caller, "payouts:process");
  const run = at(model.runs, index);
  if (run.state === "void") throw new Refused("conflict", payoutRunTexts.isVoid);
  if (run.state !== "draft" && run.state !== "approved") throw new Refused("conflict", payoutRunTexts.isExported);
  run.state = "void";
  for (const payout of run.payouts) {
    const freed = at(model.payouts, payout);
    Object.assign(freed, { state: "due", run: null });
    followAccount(model, freed.payee);
  }
  model.audit.push("void_payout_run");
  takeOutAgain(model, run.payouts);
  if (run.madeBy !== caller) tell(model, [run.madeBy], "second_person", caller);
  return {};
}

export function exportRun(model: Model, { caller, run: index }: OnRun) {
  require(model, caller, "payouts:process");
  const run = at(model.runs, index);
  if (run.state === "exported" || run.state === "closed") return { files: 2 };
  if (run.state === "void") throw new Refused("conflict", payoutRunTexts.isVoid);
  if (run.state !== "approved") throw new Refused("conflict", payoutRunTexts.notApproved);
  refuseUnpayable(model, run.accounts);
  run.state = "exported";
  run.exportedAt = model.now;
  for (const place of run.payouts) {
    const payout = at(model.payouts, place);
    payout.state = "sent";
    payout.sentAt = model.now;
    oweMore(model, payout, -payout.amountKobo);
  }
  const totalKobo = run.payouts.reduce((sum, place) => sum + at(model.payouts, place).amountKobo, 0n);
  makePaper(model, { kind: "run_sheet", about: index, person: null, amountKobo: totalKobo });
  model.audit.push("export_payout_run");
  tell(model, otherOwners(model, caller), "second_person", caller);
  return { files: 2 };
}

export type Giving = OnRun & { isDownloading: boolean };

/** Returns true if an owner who has the right downloads a file first. */
export const downloads = (model: Readonly<Model>, { caller, run, isDownloading }: Giving): boolean => {
  const person = at(model.people, caller);
  const mayProcess = person.isSignedIn && permissionsOf(person).includes("payouts:process");
  return isDownloading && mayProcess && at(model.runs, run).exportedAt !== null;
};

/** The bank has its file: whom it pays is told, except where the bank has shown already what became of it. */
export function giveRun(model: Model, args: Giving) {
  const run = at(model.runs, args.run);
  if (downloads(model, args)) {
    run.isDownloaded = true;
    model.audit.push("download_payout_file");
  }
  require(model, args.caller, "payouts:process");
  if (run.exportedAt === null) throw new Refused("conflict", payoutRunTexts.notToGive);
  if (run.isGiven) return {};
  if (!run.isDownloaded) throw new Refused("conflict", payoutRunTexts.notDownloaded);
  run.isGiven = true;
  model.audit.push("give_payout_run");
  for (const place of run.payouts) {
    const payout = at(model.payouts, place);
    // One notification for each, not one for each person.
    if (payout.state === "sent") tell(model, readersOf(model, payout), "payment_status");
  }
  return {};
}

/** Raises the debt of a payment; that of a settlement follows from its payouts. */
export function oweMore(model: Model, { refund, payment }: Payout, byKobo: bigint): void {
  const index = refund === null ? payment : at(model.refunds, refund).payment;
  if (index !== null) at(model.payments, index).dueKobo += byKobo;
}

/** A run ends with the last of its payouts that was paid or failed. */
function closeRun(model: Model, { run: index }: Payout): void {
  if (index === null) return;
  const run = at(model.runs, index);
  if (run.payouts.some((payout) => at(model.payouts, payout).state === "sent")) return;
  if (run.state === "exported") run.state = "closed";
}

function pay(model: Model, payout: Payout): void {
  payout.state = "paid";
  closeRun(model, payout);
  const readers = readersOf(model, payout).filter((reader) => !payout.paidReaders.includes(reader));
  payout.paidReaders.push(...readers);
  tell(model, readers, "payment_status");
}

/** The account that a payout went to. */
export function accountOf(model: Model, payout: Payout): Account {
  const run = at(model.runs, payout.run ?? -1);
  return at(model.accounts, at(run.accounts, run.payouts.indexOf(model.payouts.indexOf(payout))));
}

/** Another payout takes the sum, to the same account unless the bank named it wrong. */
function fail(model: Model, payout: Payout, isAccountWrong = false): void {
  Object.assign(payout, { state: "failed", failedAt: model.now });
  oweMore(model, payout, payout.amountKobo);
  const account = accountOf(model, payout);
  if (isAccountWrong && !account.isReplaced) Object.assign(account, { isReplaced: true, replacedAt: model.now });
  replace(model, payout);
  if (isAccountWrong) followAccount(model, payout.payee);
  closeRun(model, payout);
  // Where a strike ended all of it, they are told that instead.
  const takenKobo = takeOutAgain(model, [model.payouts.indexOf(payout)]);
  if (takenKobo < payout.amountKobo) tell(model, readersOf(model, payout), "payment_status");
}

/** The payout that takes the place of one that failed. What returns money of a struck payment is withheld. */
function replace(model: Model, payout: Payout): void {
  const { payee, former, refund, settlement, release, returned, payment, amountKobo, part, parts } = payout;
  const next = newPayout({ payee, former, refund, settlement, release, returned, payment, amountKobo, part, parts });
  const state = currentAccount(model, payee) === null ? "waiting" : "due";
  const isWithheld = returned !== null && payment !== null && at(model.payments, payment).lostKobo > 0n;
  model.payouts.push({ ...next, state, isWithheld, replaces: model.payouts.indexOf(payout) });
}

type OnPayout = { caller: number; payout: number };

/** An owner saw it leave. Its line is still waited for. */
export function markPaid(model: Model, { caller, payout: index }: OnPayout) {
  require(model, caller, "payouts:process");
  const payout = at(model.payouts, index);
  if (payout.state === "paid") {
    throw new Refused("conflict", payout.isByHand ? payoutTexts.markedAlready : payoutTexts.seenAlready);
  }
  if (payout.state !== "sent") throw new Refused("conflict", payoutTexts.notSent);
  payout.isByHand = true;
  model.audit.push("mark_payout_paid");
  pay(model, payout);
  return {};
}

export type Showing = { caller: number; payout: number; isBack: boolean; both: boolean };

/** The lines of a payout: that it left, that it came back, or both. */
export function shownBy(model: Readonly<Model>, { caller, payout, isBack, both }: Showing) {
  const { amountKobo } = at(model.payouts, payout);
  return { caller, amountsKobo: both ? [-amountKobo, amountKobo] : [isBack ? amountKobo : -amountKobo] };
}

export type MatchingPayout = OnPayout & {
  line: number;
  kind: "payout" | "returned";
  isWhole: boolean;
  isAccountWrong?: boolean;
  isByTwo?: boolean;
};

/**
 * Returns the amount matched as a payout's: all of it, or a kobo less. Zero can't be matched: for a payout of one kobo
 * it is one more.
 */
export function matchedKobo(model: Readonly<Model>, { payout, isWhole }: MatchingPayout): bigint {
  const { amountKobo } = at(model.payouts, payout);
  if (isWhole) return amountKobo;
  return amountKobo > 1n ? amountKobo - 1n : amountKobo + 1n;
}

/** A match that is about no harvest and no release. */
export const noHarvest = { sale: null, harvest: null, release: null };

/** Each payout leaves once, as a whole, and comes back once, perhaps less charges. */
export function matchPayout(model: Model, args: MatchingPayout) {
  const { caller, line, payout: index, kind, isAccountWrong = false, isByTwo = false } = args;
  if (!isByTwo) require(model, caller, "bank:import");
  requireStandingLine(model, line);
  const amountKobo = matchedKobo(model, args);
  if (amountKobo > restKobo(model, line)) {
    throw new Refused("conflict", bankTexts.moreThanRest(restKobo(model, line)));
  }
  const isIn = at(model.lines, line).amountKobo > 0n;
  if (kind === "returned" && !isIn) throw new Refused("conflict", bankTexts.onlyIn);
  if (kind === "payout" && isIn) throw new Refused("conflict", bankTexts.onlyOut);
  const payout = at(model.payouts, index);
  if (payout.sentAt === null) throw new Refused("conflict", payoutTexts.notSent);
  if (kind === "payout" && amountKobo !== payout.amountKobo) {
    throw new Refused("conflict", payoutTexts.wholeOnly(payout.amountKobo));
  }
  if (amountKobo > payout.amountKobo) throw new Refused("conflict", payoutTexts.moreThanSent(payout.amountKobo));
  const isOfSecond = kind === "returned" && isPaidTwice(model, index) && !isSecondBack(model, index);
  const isBack = kind === "returned" && !isOfSecond;
  if (isBack && isSeen(model, index, "returned")) throw new Refused("conflict", payoutLineTexts.cameBackAlready);
  if (isBack && payout.state !== "failed") refusePaidBack(model, [index]);
  if (kind === "payout" && isSeen(model, index, "payout")) throw new Refused("conflict", payoutTexts.seenAlready);
  if (kind === "payout" && wasDeclaredFailed(model, index)) {
    throw new Refused("conflict", payoutLineTexts.failedBefore);
  }
  if (!isByTwo && (kind === "returned" || wasOfAnother(model, line, null))) throw takesTwo();
  if (isByTwo) confirmByTwo(model);
  model.matches.push({
    line,
    kind,
    payment: null,
    payout: index,
    ...noHarvest,
    amountKobo,
    isUndone: false,
    at: model.now,
    isByTwo,
    ...(isOfSecond && { isOfSecond }),
  });
  if (kind === "payout" && payout.state === "sent") pay(model, payout);
  if (isBack && payout.state !== "failed") fail(model, payout, isAccountWrong);
  model.audit.push("match_line");
  return {};
}

/** Returns true if a line shows the payout leaving, or coming back: a second debit given back doesn't count. */
export const isSeen = (model: Model, payout: number, kind: "payout" | "returned") =>
  model.matches.some((it) => it.payout === payout && it.kind === kind && !it.isUndone && !it.isOfSecond);

/** Returns true if one of the two transfers of a payout that was paid out twice was given back. */
export const isSecondBack = (model: Model, payout: number | null): boolean =>
  model.matches.some((it) => it.payout === payout && it.isOfSecond && !it.isUndone);

const isPaidTwice = (model: Model, payout: number): boolean =>
  model.matches.some((it) => it.payout === payout && it.isTwice && !it.isUndone);

/** Returns true if a payout failed by declaration: no line shows it coming back. */
const wasDeclaredFailed = (model: Model, payout: number): boolean =>
  at(model.payouts, payout).state === "failed" && !isSeen(model, payout, "returned");

const waitsForLine = (model: Model, index: number): boolean =>
  at(model.payouts, index).sentAt !== null && !isSeen(model, index, "payout");

/**
 * Returns true if a line may be the one debit of everything that no line shows yet of a run, within two weeks of its
 * export.
 */
function isDebitOf(model: Model, line: number, run: number): boolean {
  const { amountKobo, day, isVoid } = at(model.lines, line);
  if (isVoid) return false;
  const { exportedAt, payouts } = at(model.runs, run);
  const unseen = payouts.filter((payout) => isExpectedToLeave(model, payout));
  const total = unseen.reduce((sum, payout) => sum + at(model.payouts, payout).amountKobo, 0n);
  if (exportedAt === null || total === 0n || amountKobo !== -total || restKobo(model, line) !== total) return false;
  const exportedOn = dayInLagos(new Date(exportedAt));
  return day >= exportedOn && Date.parse(day) - Date.parse(exportedOn) <= 14 * dayMs;
}

/** A debit is waited for; one of a payout that two people declared failed is theirs to look at. */
const isExpectedToLeave = (model: Model, payout: number) =>
  waitsForLine(model, payout) && !wasDeclaredFailed(model, payout);

/** The run that a line is surely the debit of: no other line and no other run has the same total. */
function sureRunOf(model: Model, line: number): number | null {
  const runs = [...model.runs.keys()].filter((run) => isDebitOf(model, line, run));
  const [run] = runs;
  if (run === undefined || runs.length > 1) return null;
  // The total of one payout says no more than its amount.
  if (at(model.runs, run).payouts.filter((payout) => isExpectedToLeave(model, payout)).length < 2) return null;
  const lines = [...model.lines.keys()].filter((other) => isDebitOf(model, other, run));
  return lines.length === 1 ? run : null;
}

/** After an import the system itself matches the debits of whole runs, unless a person undid one of them. */
export function matchSureRuns(model: Model): void {
  const wasUndone = (line: number) => model.matches.some((it) => it.line === line && it.isUndone);
  const likely = [...model.lines.keys()].filter(
    (line) => !wasUndone(line) && [...model.runs.keys()].some((run) => isDebitOf(model, line, run)),
  );
  for (const line of likely) {
    const run = sureRunOf(model, line);
    if (run === null) continue;
    const seen = at(model.runs, run).payouts.filter((payout) => isExpectedToLeave(model, payout));
    for (const index of seen) {
      const payout = at(model.payouts, index);
      const { amountKobo } = payout;
      model.matches.push({
        line,
        kind: "payout",
        payment: null,
        payout: index,
        ...noHarvest,
        amountKobo,
        isUndone: false,
        at: model.now,
      });
    }
    model.audit.push("match_line");
    for (const index of seen) if (at(model.payouts, index).state === "sent") pay(model, at(model.payouts, index));
  }
}

/** Sets a payout whose match is undone to sent again, unless an owner saw it leave. */
export function revertToSent(model: Model, payout: Payout): void {
  if (payout.state !== "paid" || payout.isByHand) return;
  payout.state = "sent";
  const run = at(model.runs, payout.run ?? -1);
  if (run.state === "closed") run.state = "exported";
}

/**
 * The first day that the statements don't cover, of the day it was sent and three working days after it. Each statement
 * is of one day, which isn't over, and its balances follow from the one before: a day is covered once there is a line
 * of a later one.
 */
export function uncoveredDay(model: Model, sentAt: number): string | undefined {
  const spans = spansOf(model).filter(({ gapKobo }) => gapKobo === 0n);
  return daysToCover(sentAt).find((day) => !spans.some(({ from, to }) => from <= day && to > day));
}

const daysToCover = (sentAt: number): string[] =>
  [0, 1, 2, 3].map((after) => dayInLagos(afterWorkingDays(new Date(sentAt), after, [])));

/** From the day of the line before to that of each line that stands, and what is missing between them. */
const spansOf = (model: Model) =>
  standingLines(model).map((line, place, all) => {
    const before = all[place - 1];
    const from = before === undefined ? (model.openedOn ?? "") : at(model.lines, before).day;
    const { day: to, gapKobo } = at(model.lines, line);
    return { from, to, gapKobo };
  });

/** Returns true if lines are missing on these days. */
function hasGap(model: Model, sentAt: number): boolean {
  const days = daysToCover(sentAt);
  const [first = "", last = ""] = [days.at(0), days.at(-1)];
  return spansOf(model).some(({ from, to, gapKobo }) => gapKobo !== 0n && from <= last && to >= first);
}

/** A debit since then that may be the payout, or its run: nobody has explained all of it. */
function hasSuspect(model: Model, { amountKobo, run, sentAt }: Payout): boolean {
  const ofRun = at(model.runs, run ?? -1).payouts.map((payout) => at(model.payouts, payout));
  const sumOf = (some: Payout[]) => some.reduce((sum, it) => sum + it.amountKobo, 0n);
  const sums = [amountKobo, sumOf(ofRun), sumOf(ofRun.filter(({ state }) => state === "sent"))];
  const sentOn = dayInLagos(new Date(sentAt ?? 0));
  return model.lines.some((line, index) => {
    const rest = restKobo(model, index);
    return (
      line.amountKobo < 0n &&
      !line.isVoid &&
      rest > 0n &&
      line.day >= sentOn &&
      (sums.includes(rest) || sums.includes(-line.amountKobo))
    );
  });
}

export type BookingLoss = { line: number; payout: number };

/** Two owners book the debit of a payout that was declared failed, or that another line shows leaving. */
export function bookLoss(model: Model, { line, payout: index }: BookingLoss) {
  requireStandingLine(model, line);
  if (at(model.lines, line).amountKobo > 0n) throw new Refused("conflict", bankTexts.onlyOut);
  const { amountKobo } = at(model.payouts, index);
  if (amountKobo > restKobo(model, line)) {
    throw new Refused("conflict", bankTexts.moreThanRest(restKobo(model, line)));
  }
  const { sentAt } = at(model.payouts, index);
  if (isPaidTwice(model, index)) throw new Refused("conflict", bookLossTexts.paidTwiceAlready);
  const isSeenOnce = isSeen(model, index, "payout");
  const isPossible = isSeenOnce || wasDeclaredFailed(model, index);
  if (sentAt === null || !isPossible) throw new Refused("conflict", bookLossTexts.notDeclaredFailed);
  const match = {
    line,
    kind: "payout" as const,
    payment: null,
    payout: index,
    ...noHarvest,
    amountKobo,
    isUndone: false,
    at: model.now,
  };
  model.matches.push({ ...match, isTwice: true });
  confirmByTwo(model, "book_loss");
  return {};
}

/** Two owners, once the statements cover three working days without it: one asks, and the other confirms at once. */
export function failByHand(model: Model, { payout: index }: { payout: number }) {
  const payout = at(model.payouts, index);
  if (payout.state !== "sent" && payout.state !== "paid") throw new Refused("conflict", payoutTexts.notSent);
  if (isSeen(model, index, "payout")) throw new Refused("conflict", payoutTexts.seenAlready);
  refusePaidBack(model, [index]);
  const uncovered = uncoveredDay(model, payout.sentAt ?? 0);
  if (uncovered !== undefined) throw new Refused("conflict", failPayoutTexts.uncovered(formatDay(uncovered)));
  if (hasGap(model, payout.sentAt ?? 0)) throw new Refused("conflict", "gap");
  if (hasSuspect(model, payout)) throw new Refused("conflict", "debit");
  confirmByTwo(model);
  fail(model, payout);
  model.audit.push("fail_payout");
  payout.isFailedByPeople = true;
  return {};
}

/** None can have failed of which the farm paid more back than the others of its release brought there. */
function refusePaidBack(model: Model, failing: readonly number[]): void {
  for (const index of failing) {
    const { release } = at(model.payouts, index);
    if (release === null) continue;
    const sum = (kobo: readonly bigint[]) => kobo.reduce((all, one) => all + one, 0n);
    const others = model.payouts.filter(
      (it, place) => it.release === release && (it.state === "sent" || it.state === "paid") && !failing.includes(place),
    );
    const paidBack = model.matches.filter(
      (it) => it.kind === "farm_paid_back" && it.release === release && !it.isUndone,
    );
    if (sum(paidBack.map((it) => it.amountKobo)) > sum(others.map((it) => it.amountKobo))) {
      throw new Refused("conflict", payoutTexts.paidBack);
    }
  }
}

export type RefusingRun = { run: number; mask: number };

/** The payouts of a run that the bank doesn't take: those ticked, or all. */
export function refusedPayouts(model: Readonly<Model>, { run, mask }: RefusingRun): number[] {
  const { payouts } = at(model.runs, run);
  const ticked = payouts.filter((_, place) => (mask >> (place % 8)) & 1);
  return ticked.length > 0 ? ticked : payouts;
}

/** Two owners: nothing of them left. Their sums are due again, as they were promised, and no payee is told. */
export function refuseRun(model: Model, args: RefusingRun) {
  const refused = refusedPayouts(model, args);
  const { exportedAt, payouts: ofRun } = at(model.runs, args.run);
  if (refused.some((index) => at(model.payouts, index).run !== args.run)) {
    throw new Refused("conflict", refusePayoutsTexts.notOfRun);
  }
  if (exportedAt === null) throw new Refused("conflict", refusePayoutsTexts.notExported);
  if (refused.some((index) => at(model.payouts, index).state !== "sent")) throw new Refused("conflict", "on its way");
  refusePaidBack(model, refused);
  if (refused.some((index) => hasSuspect(model, at(model.payouts, index)))) throw new Refused("conflict", "debit");
  confirmByTwo(model);
  for (const index of [...refused].sort((one, other) => one - other)) {
    const payout = at(model.payouts, index);
    Object.assign(payout, { state: "failed", failedAt: model.now, isFailedByPeople: true });
    oweMore(model, payout, payout.amountKobo);
    replace(model, payout);
  }
  closeRun(model, at(model.payouts, ofRun[0] ?? -1));
  takeOutAgain(
    model,
    [...refused].sort((one, other) => one - other),
  );
  model.audit.push("refuse_payouts");
  return {};
}

/** An owner keeps a payout out of runs. */
export function withhold(model: Model, { caller, payout: index }: OnPayout) {
  require(model, caller, "payouts:process");
  const payout = at(model.payouts, index);
  if (payout.state !== "waiting" && payout.state !== "due") {
    throw new Refused("conflict", payoutRunTexts.withholdable);
  }
  if (payout.isWithheld) throw new Refused("conflict", payoutRunTexts.withheldAlready);
  payout.isWithheld = true;
  model.audit.push("withhold_payout");
  tell(model, otherOwners(model, caller), "second_person", caller);
  return {};
}

export function letGo(model: Model, { payout: index }: { payout: number }) {
  const payout = at(model.payouts, index);
  const isOpen = payout.state === "waiting" || payout.state === "due";
  if (!payout.isWithheld || !isOpen) throw new Refused("conflict", letPayoutGoTexts.notWithheld);
  confirmByTwo(model, "let_payout_go");
  payout.isWithheld = false;
  return {};
}

/** Cancels the payouts of something that is taken back. Refused where a part is on its way. */
export function cancelPayouts(model: Model, isOfIt: (it: Payout) => boolean, refusal: string): void {
  refuseOnItsWay(model, isOfIt, refusal);
  for (const payout of standing(model, isOfIt)) payout.state = "cancelled";
}

const standing = (model: Model, isOfIt: (it: Payout) => boolean): Payout[] =>
  model.payouts.filter((it) => isOfIt(it) && !["failed", "cancelled"].includes(it.state));

export function refuseOnItsWay(model: Model, isOfIt: (it: Payout) => boolean, refusal: string): void {
  const isOpen = ({ state }: Payout) => state === "waiting" || state === "due";
  if (!standing(model, isOfIt).every(isOpen)) throw new Refused("conflict", refusal);
}

/**
 * Never more is paid than is due: what is open, on its way and paid of a refund, release, return or settlement is what
 * is owed of it.
 */
export function overpaid(model: Readonly<Model>): string[] {
  const states = [...open, "sent", "paid"];
  const promised = (isOfIt: (it: Payout) => boolean) =>
    model.payouts
      .filter((it) => isOfIt(it) && states.includes(it.state))
      .reduce((sum, payout) => sum + payout.amountKobo, 0n);
  const wrong: string[] = [];
  for (const [refund, { amountKobo, isTakenBack }] of model.refunds.entries()) {
    const owed = isTakenBack ? 0n : amountKobo;
    if (promised((it) => it.refund === refund) !== owed) wrong.push(`refund ${refund}`);
  }
  for (const [release, { amountKobo, isTakenBack }] of model.releases.entries()) {
    if (promised((it) => it.release === release) !== (isTakenBack ? 0n : amountKobo)) wrong.push(`release ${release}`);
  }
  for (const [returned, { amountKobo, isTakenBack }] of model.returns.entries()) {
    if (promised((it) => it.returned === returned) !== (isTakenBack ? 0n : amountKobo))
      wrong.push(`return ${returned}`);
  }
  for (const [settlement, { isReversed, parts, farmKobo, costs, deductedKobo }] of model.settlements.entries()) {
    const byFarm = costs.filter(({ cost }) => at(model.costs, cost).paidBy === "farm");
    const ofFarm = byFarm.reduce((sum, { amountKobo }) => sum + amountKobo, farmKobo - deductedKobo);
    const isOwed = (kobo: bigint) => (isReversed ? 0n : kobo);
    const paid = (isPayee: (payee: Payee) => boolean) =>
      promised((it) => it.settlement === settlement && isPayee(it.former ?? it.payee));
    if (paid((payee) => payee < 0) !== isOwed(ofFarm)) wrong.push(`farm of settlement ${settlement}`);
    for (const { person, backing, netKobo } of parts) {
      const struckKobo = takenFrom(model, settlement, backing).reduce((all, it) => all + it.netKobo, 0n);
      if (paid((payee) => payee === person) !== isOwed(netKobo - struckKobo))
        wrong.push(`${person} of settlement ${settlement}`);
    }
  }
  return wrong;
}
