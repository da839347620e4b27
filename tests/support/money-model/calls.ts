import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import { projects } from "#server/db/schema/projects.ts";
import { signInCounters } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { sweepHarvests } from "#server/features/harvests/jobs.ts";
import { carryOutHolderChanges } from "#server/features/payments/holder-changes/jobs.ts";
import { sweepHolds } from "#server/features/projects/holds/jobs.ts";
import { closeExpiredProjects } from "#server/features/projects/jobs.ts";
import { closePhrase } from "#shared/accounts/texts.ts";
import { keptMatch, type LinePart } from "#shared/bank/inputs.ts";
import { dayInLagos } from "#shared/dates.ts";
import { koboToNairaText } from "#shared/money.ts";
import { payoutFilePath } from "#shared/payouts/runs-texts.ts";
import type { Role } from "#shared/permissions.ts";
import { harvestOptions, quantityText } from "#shared/projects/terms-texts.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { accessMapping, csvOf, line } from "#tests/support/bank-imports.ts";
import { keepEvidence } from "#tests/support/harvests.ts";
import { invitesMailedTo } from "#tests/support/invites.ts";
import { testPassword } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { twoAgree } from "#tests/support/second-person.ts";
import { siteTermsOf } from "#tests/support/site-terms.ts";
import { countedKobo, type Weighing } from "./backing-weights.ts";
import {
  type GivingBack,
  type Imported,
  type Matching,
  seenUnallocatedKobo,
  sharedKobo,
  type Undoing,
} from "./bank.ts";
import { sum } from "./harvests.ts";
import type { ChangingHolder, OnChange } from "./holder-changes.ts";
import {
  type Beginning,
  type Decision,
  type Declaring,
  type RoundDecision,
  type Sending,
  seenLots,
  seenOf,
  seenTerms,
} from "./payments.ts";
import {
  type BookingLoss,
  chosenPayouts,
  downloads,
  type Giving,
  type MakingRun,
  type MatchingPayout,
  matchedKobo,
} from "./payouts.ts";
import { campaignDays, type Edit, type Offer, type TermsEdit } from "./projects.ts";
import { cast, type Real } from "./real.ts";
import { askedToReleaseKobo, type Releasing, seenToReleaseKobo } from "./release-parts.ts";
import { type OfPart, type PayingBack, paidBackByLineKobo } from "./releases.ts";
import { askedKobo, type Returning } from "./returns.ts";
import { type SendingBack, sentBackKobo } from "./senders.ts";
import { at, balanceKobo, fallingPlan, type Model, restKobo, roundOf, termsInSteps, unsoldLots } from "./state.ts";
import { lostKobo, type Striking } from "./strikes.ts";
import type { UsingSurplus } from "./surplus.ts";
import type { RightFile, Voiding } from "./voids.ts";
import { lastCreditOf } from "./walls.ts";

/** The calls that a browser makes, and what of their answers the model speaks of. */

type OnProject = { caller: number; project: number };
type OnPerson = { caller: number; person: number };

const nothing = (call: Promise<unknown>) => call.then(() => ({}));
const keyOf = (key: number) => `00000000-0000-4000-8000-${String(key).padStart(12, "0")}`;

/** A replayed answer must be the first one, word for word. */
export async function send(real: Real, { caller, project, lots, key, receipt }: Sending) {
  const fields = { projectId: String(real.projectId(project)), lots: String(lots), idempotencyKey: keyOf(key) };
  const reply = await real.upload(caller, fields, receipt);
  const name = `${caller}:${key}`;
  const earlier = real.replies.get(name);
  if (earlier && !isDeepStrictEqual(earlier, reply)) throw new Error("the same key gave another reply");
  real.replies.set(name, reply);
  const { paymentId, amountKobo } = reply as { paymentId: number; amountKobo: string };
  return { payment: real.paymentOf(paymentId), amountKobo: BigInt(amountKobo), isFirst: !earlier };
}

export async function visit(real: Real, { caller, project }: OnProject) {
  const page = await real.as(caller).payments.open({ projectId: real.projectId(project) });
  const { round, hold, mostLots, isOtherUnderReview, isTakenByOther, blockedBy, reference, ownPayment } = page;
  return {
    lotPriceKobo: round.lotPriceKobo,
    mostLots,
    isOtherUnderReview,
    isTakenByOther,
    blockedBy,
    hasReference: reference !== null,
    isAccountShown: page.bankDetails !== null,
    hold: hold && {
      own: hold.own && { ...hold.own, until: hold.own.until?.getTime() ?? null },
      heldByOthers: hold.heldByOthers,
      place: hold.place,
      waiting: hold.waiting,
    },
    ownStatus: ownPayment?.status ?? null,
    isRefundDue: (ownPayment?.refundDue ?? null) !== null,
  };
}

export const begin = async (real: Real, { caller, project, lots, look }: Beginning, model: Readonly<Model>) =>
  nothing(
    real.as(caller).payments.begin({
      projectId: real.projectId(project),
      lots,
      hasReadTerms: true,
      siteTerms: await siteTermsOf(real.deps),
      termsVersion: seenTerms(model, project, look),
    }),
  );

export const release = (real: Real, { caller, project }: OnProject) =>
  nothing(real.as(caller).holds.release({ projectId: real.projectId(project) }));
export const join = (real: Real, { caller, project, lots }: OnProject & { lots: number }) =>
  nothing(real.as(caller).holds.join({ projectId: real.projectId(project), lots }));
export const leave = (real: Real, { caller, project }: OnProject) =>
  nothing(real.as(caller).holds.leave({ projectId: real.projectId(project) }));

type OnHold = { caller: number; hold: number };
export const endHold = async (real: Real, { caller, hold }: OnHold, model: Readonly<Model>) =>
  nothing(real.as(caller).holds.end({ holdId: await real.holdId(model, hold), reason: "The farm needs them." }));
export const extendHold = async (
  real: Real,
  { caller, hold, hours }: OnHold & { hours: number },
  model: Readonly<Model>,
) => nothing(real.as(caller).holds.extend({ holdId: await real.holdId(model, hold), hours }));

/** The setting itself, which tests/integration/settings.test.ts changes as an owner does. */
export async function setHoldHours(real: Real, { hours }: { hours: number }) {
  await real.deps.db
    .update(settings)
    .set({ value: String(hours) })
    .where(eq(settings.key, holdHoursKey));
  return {};
}

export async function sweep(real: Real) {
  await sweepHolds(real.deps);
  return {};
}

export async function decide(real: Real, decision: Decision, model: Readonly<Model>) {
  const { caller, payment, status, reason, unseenReason, isGivenBack } = decision;
  const seen = seenOf(at(model.payments, payment), decision.look);
  const { status: now } = await real.as(caller).payments.setStatus({
    paymentId: real.paymentId(payment),
    status,
    seenStatus: seen.status,
    seenReceiptSha256: seen.receipt < 0 ? null : real.hashOf(seen.receipt),
    ...(reason !== undefined && { reason }),
    ...(unseenReason !== undefined && { unseenReason }),
    ...(isGivenBack !== undefined && { isGivenBack }),
  });
  return { status: now };
}

/** A statement as one bank writes it, of the day that it is: its balances go on where the last one ended. */
export async function importLines(real: Real, { caller, amountsKobo }: Imported, model: Readonly<Model>) {
  const openingKobo = balanceKobo(model);
  const today = dayInLagos(real.deps.clock.now());
  const truths = amountsKobo.map((amountKobo) => line(today, amountKobo, "NIP TRANSFER"));
  const answer = await importFile(real, caller, { openingKobo, truths });
  real.truths.push(...truths);
  return answer;
}

/** Imports a file of the money missing before a line, and of the line itself as the bank first printed it. */
export async function importRightFile(real: Real, { caller, line: place }: RightFile, model: Readonly<Model>) {
  const { day, amountKobo, balanceKobo, gapKobo } = at(model.lines, place);
  const missing = line(day, gapKobo, "NIP TRANSFER");
  const truths = [missing, at(real.truths, place)];
  const answer = await importFile(real, caller, { openingKobo: balanceKobo - amountKobo - gapKobo, truths });
  real.truths.push(missing);
  return answer;
}

async function importFile(real: Real, caller: number, statement: Parameters<typeof csvOf>[0]) {
  const content = csvOf(statement);
  // Each line is new, though one of the same day may have its amount and its balance.
  const fields = { accountId: String(real.accountId), mapping: JSON.stringify(accessMapping), sameLines: "no" };
  const file = new File([Uint8Array.from(content)], "statement.csv");
  const answer = await real.sendFile(caller, { url: "/bank/statements", fields, file });
  if (answer.kind !== "imported") throw new Error(`the statement was not imported: ${JSON.stringify(answer)}`);
  return { lines: answer.newLines };
}

/** A kobo each at its two ends. */
export async function letQuietWeekPass(real: Real, { caller }: { caller: number }, model: Readonly<Model>) {
  const kobo = { caller, amountsKobo: [1n] };
  await importLines(real, kobo, model);
  await letTimePass(real, { hours: 168, isSwept: false });
  const first = {
    amountKobo: 1n,
    day: "",
    statement: 0,
    position: model.lines.length,
    balanceKobo: balanceKobo(model) + 1n,
  };
  const lines = [...model.lines, { ...first, gapKobo: 0n, isVoid: false }];
  return importLines(real, kobo, { ...model, lines });
}

export async function useSurplus(real: Real, { caller, payment, lots, look }: UsingSurplus, model: Readonly<Model>) {
  const { project } = at(model.payments, payment);
  const termsVersion = project === null ? 1 : seenTerms(model, project, look);
  const siteTerms = await siteTermsOf(real.deps);
  const wanted = { paymentId: real.paymentId(payment), lots, termsVersion, siteTerms, hasReadTerms: true as const };
  await real.as(caller).bank.useSurplus(wanted);
  real.paymentOf(await real.nthId("project_payments", model.payments.length));
  return {};
}

export async function voidData(real: Real, { what, line, statement }: Voiding) {
  const details =
    what === "line"
      ? { what, lineId: await real.nthId("statement_lines", line) }
      : what === "statement"
        ? { what, statementId: await real.nthId("statements", statement) }
        : { what, accountId: real.accountId };
  return confirmByTwo(real, { kind: "void_bank_data", details, reason: "This file is of the other account." });
}

export async function matchLine(real: Real, args: Matching, model: Readonly<Model>) {
  const { caller, line, payment, kind, isByTwo = false } = args;
  const amountKobo = sharedKobo(model, args);
  const paymentId = real.paymentId(payment);
  const credit = lastCreditOf(model, payment);
  const creditMatchId = credit === null ? 999_999_999 : await real.nthId("line_matches", credit);
  const part =
    kind === "operator"
      ? { kind, amountKobo, reason: "Ours" }
      : kind === "taken_back"
        ? { kind, amountKobo, paymentId, creditMatchId }
        : kind === "payment"
          ? { kind, amountKobo, paymentId }
          : { kind, amountKobo };
  return explain(real, model, { caller, line, part, isByTwo });
}

type Explaining = { caller: number; line: number; part: LinePart; isByTwo?: boolean };

/** One part of a line, explained by one or two owners who see what is explained of it already. */
export async function explain(real: Real, model: Readonly<Model>, { caller, line, part, isByTwo }: Explaining) {
  const seen = at(model.lines, line).amountKobo;
  const seenMatchedKobo = (seen < 0n ? -seen : seen) - restKobo(model, line);
  const match = { lineId: await real.nthId("statement_lines", line), seenMatchedKobo, parts: [part] };
  if (!isByTwo) return nothing(real.as(caller).bank.match(match));
  return confirmByTwo(real, {
    kind: "match_line",
    details: keptMatch(match),
    reason: "Both of us have seen it at the bank.",
  });
}

export const sendBack = (real: Real, args: SendingBack, model: Readonly<Model>) =>
  explain(real, model, {
    ...args,
    part: { kind: "sent_back", amountKobo: sentBackKobo(model, args), reason: "They typed a wrong number" },
  });

export async function undoMatch(real: Real, { caller, match, isByTwo = false }: Undoing) {
  const matchId = await real.nthId("line_matches", match);
  if (!isByTwo) return nothing(real.as(caller).bank.undo({ matchId, reason: "By mistake" }));
  return confirmByTwo(real, {
    kind: "undo_match",
    details: { matchId },
    reason: "Both of us have seen it at the bank.",
  });
}

export function giveUnallocatedBack(real: Real, args: GivingBack, model: Readonly<Model>) {
  const seen = { paymentId: real.paymentId(args.payment), seenUnallocatedKobo: seenUnallocatedKobo(model, args) };
  if (!args.isByTwo) return nothing(real.as(args.caller).payments.giveUnallocatedBack(seen));
  const details = { ...seen, seenUnallocatedKobo: String(seen.seenUnallocatedKobo) };
  return confirmByTwo(real, { kind: "give_unallocated_back", details, reason: "Both of us know whose money it is." });
}

export async function strike(real: Real, args: Striking, model: Readonly<Model>) {
  const fileIds = [await keepEvidence(real.deps, { id: real.personId(cast.owner) })];
  const details = { paymentId: real.paymentId(args.payment), lostKobo: String(lostKobo(model, args)), fileIds };
  return confirmByTwo(real, {
    kind: "strike_payment",
    details,
    reason: "The bank took it back, and they don't answer.",
  });
}

export async function changeHolder(real: Real, { payment, to }: ChangingHolder, model: Readonly<Model>) {
  const fileIds = [await keepEvidence(real.deps, { id: real.personId(cast.owner) })];
  const people = {
    fromUserId: real.personId(at(model.payments, payment).person),
    toUserId: real.personId(to),
  };
  const details = { paymentId: real.paymentId(payment), ...people, cause: "gift" as const, fileIds };
  return confirmByTwo(real, { kind: "change_holder", details, reason: "She gives them to her sister." });
}
export const objectToChange = async (real: Real, { caller, change }: OnChange) =>
  nothing(real.as(caller).holderChanges.object({ changeId: await real.nthId("holder_changes", change) }));
export const stopChange = async (real: Real, { caller, change }: OnChange) =>
  nothing(
    real.as(caller).holderChanges.stop({ changeId: await real.nthId("holder_changes", change), reason: mistake }),
  );

export const takeRefundBack = async (real: Real, { caller, refund }: { caller: number; refund: number }) =>
  nothing(
    real.as(caller).payments.takeRefundBack({ refundId: await real.nthId("refunds", refund), reason: "By mistake" }),
  );

/**
 * A password that is typed at leisure: earlier ones are forgotten first. The clock stands still between two commands, and a
 * sixth within two seconds would be refused.
 */
async function typedPassword({ deps }: Real): Promise<string> {
  await deps.db.delete(signInCounters);
  return testPassword;
}

/** Each account has another number. */
const newAccount = async (real: Real, { accounts }: Readonly<Model>) => ({
  bankCode: "044",
  accountNumber: String(accounts.length).padStart(10, "0"),
  accountName: "A Backer",
  currentPassword: await typedPassword(real),
});
export const giveAccount = async (real: Real, { caller }: { caller: number }, model: Readonly<Model>) =>
  nothing(real.as(caller).payeeAccounts.set(await newAccount(real, model)));
export async function giveFarmAccount(real: Real, { project }: { project: number }, model: Readonly<Model>) {
  const { currentPassword: _, ...account } = await newAccount(real, model);
  const details = { farmId: real.farmId(at(model.projects, project).farm), ...account };
  return confirmByTwo(real, { kind: "set_farm_account", details, reason: "The farm's letter names this account." });
}

export async function giveSenderAccount(real: Real, { line }: { line: number }, model: Readonly<Model>) {
  const { currentPassword: _, ...account } = await newAccount(real, model);
  const details = { lineId: await real.nthId("statement_lines", line), ...account };
  return confirmByTwo(real, { kind: "enter_payee_account", details, reason: "The sender's bank names this account." });
}

const ofPart = (real: Real, { project, round, part }: OfPart) => ({ projectId: real.projectId(project), round, part });
/** Finds the last ask for a part. */
const lastAskOf = async (real: Real, { project, round, part }: OfPart, { asks }: Readonly<Model>) => {
  const last = asks.findLastIndex((it) => it.project === project && it.round === round && it.part === part);
  return last < 0 ? null : await real.nthId("release_asks", last);
};
export const releaseToFarm = async (real: Real, args: Releasing & { caller: number }, model: Readonly<Model>) => {
  const seenKobo = seenToReleaseKobo(model, args);
  const amountKobo = askedToReleaseKobo(model, args);
  const askId = await lastAskOf(real, args, model);
  return nothing(real.as(args.caller).farmReleases.release({ ...ofPart(real, args), askId, seenKobo, amountKobo }));
};
export const releaseByTwo = async (real: Real, args: Releasing, model: Readonly<Model>) => {
  const seenKobo = String(seenToReleaseKobo(model, args));
  const amountKobo = String(askedToReleaseKobo(model, args));
  const askId = await lastAskOf(real, args, model);
  const details = { ...ofPart(real, args), askId, seenKobo, amountKobo };
  return confirmByTwo(real, { kind: "release_to_farm", details, reason: "Nobody else is in the office." });
};
export const askForPart = (
  real: Real,
  { caller, isKeeper, ...key }: OfPart & { caller: number; isKeeper: boolean },
) => {
  const { releaseParts, farmReleaseParts } = real.as(caller);
  return nothing((isKeeper ? farmReleaseParts : releaseParts).ask({ ...ofPart(real, key), note: "", fileIds: [] }));
};
type OnAsk = { caller: number; ask: number };
export const checkPart = async (real: Real, { caller, ask }: OnAsk) =>
  nothing(real.as(caller).releaseParts.check({ askId: await real.nthId("release_asks", ask) }));
export async function refusePart(real: Real, { caller, ask }: OnAsk) {
  const refusal = "The receipt is of another farm.";
  return nothing(real.as(caller).releaseParts.refuse({ askId: await real.nthId("release_asks", ask), refusal }));
}
export const skipPart = (real: Real, { isSkipped, ...key }: OfPart & { isSkipped: boolean }) =>
  confirmByTwo(real, {
    kind: "skip_part",
    details: { ...ofPart(real, key), isSkipped },
    reason: "The farm has its own feed this year.",
  });
export const takeReleaseBack = async (real: Real, { caller, release }: { caller: number; release: number }) =>
  nothing(
    real.as(caller).farmReleases.takeBack({ releaseId: await real.nthId("farm_releases", release), reason: mistake }),
  );

export async function matchPaidBack(real: Real, args: PayingBack, model: Readonly<Model>) {
  const releaseId = await real.nthId("farm_releases", args.release);
  const part = { kind: "farm_paid_back" as const, amountKobo: paidBackByLineKobo(model, args), releaseId };
  return explain(real, model, { caller: args.caller, line: args.line, part });
}

export function returnToBackers(real: Real, args: Returning, model: Readonly<Model>) {
  const { project, round } = args;
  const details = { projectId: real.projectId(project), round, amountKobo: String(askedKobo(model, args)) };
  return confirmByTwo(real, { kind: "return_to_backers", details, reason: "The farm gave up after the flood." });
}
export async function takeReturnBack(real: Real, { returned }: { returned: number }) {
  const details = { returnId: await real.nthId("round_returns", returned) };
  return confirmByTwo(real, { kind: "take_return_back", details, reason: mistake });
}

export async function makeRun(real: Real, args: MakingRun, model: Readonly<Model>) {
  const payoutIds = await Promise.all(chosenPayouts(model, args).map((place) => real.nthId("payouts", place)));
  return nothing(real.as(args.caller).payouts.makeRun({ payoutIds, ownAccountId: real.accountId }));
}

const mistake = "It was made by mistake.";
type OnRun = { caller: number; run: number };
export const approveRun = async (real: Real, { caller, run }: OnRun) =>
  nothing(real.as(caller).payouts.approveRun({ runId: await real.nthId("payout_runs", run) }));
export const voidRun = async (real: Real, { caller, run }: OnRun) =>
  nothing(real.as(caller).payouts.voidRun({ runId: await real.nthId("payout_runs", run), reason: mistake }));
/** Made once, and the same bytes ever after. */
export async function exportRun(real: Real, { caller, run }: OnRun) {
  const runId = await real.nthId("payout_runs", run);
  const { files } = await real.as(caller).payouts.exportRun({ runId, profile: "generic" });
  const hashes = files.map(({ sha256 }) => sha256).join();
  const earlier = real.files.get(run) ?? hashes;
  if (earlier !== hashes) throw new Error("the same run gave another file");
  real.files.set(run, hashes);
  return { files: files.length };
}

export async function giveRun(real: Real, args: Giving, model: Readonly<Model>) {
  const runId = await real.nthId("payout_runs", args.run);
  if (downloads(model, args)) await real.readFile(args.caller, payoutFilePath(runId, "csv"));
  return nothing(real.as(args.caller).payouts.giveRun({ runId }));
}

type OnPayout = { caller: number; payout: number };
const reason = "The bank's app shows it.";
export const markPaid = async (real: Real, { caller, payout }: OnPayout) =>
  nothing(
    real.as(caller).payouts.markPaid({
      payoutId: await real.nthId("payouts", payout),
      sessionId: String(payout).padStart(30, "0"),
      reason,
    }),
  );

export async function matchPayout(real: Real, args: MatchingPayout, model: Readonly<Model>) {
  const { caller, line, payout, kind, isAccountWrong = false, isByTwo = false } = args;
  const about = { amountKobo: matchedKobo(model, args), payoutId: await real.nthId("payouts", payout) };
  const part = kind === "returned" ? { kind, ...about, isAccountWrong } : { kind, ...about };
  return explain(real, model, { caller, line, part, isByTwo });
}

/** Asks as the cast's owner and confirms as its manager. The answer is empty. */
export const confirmByTwo = (real: Real, request: Parameters<typeof twoAgree>[2]) =>
  nothing(twoAgree(real.as(cast.owner), real.as(cast.manager), request));

export const declareArrived = (real: Real, { payment, amountKobo }: Declaring) =>
  confirmByTwo(real, {
    kind: "declare_arrived",
    details: { paymentId: real.paymentId(payment), amountKobo: String(amountKobo) },
    reason: "We saw it in the bank's app.",
  });

export async function bookLoss(real: Real, { line, payout }: BookingLoss, model: Readonly<Model>) {
  const lineId = await real.nthId("statement_lines", line);
  const payoutId = await real.nthId("payouts", payout);
  const details = { lineId, payoutId, amountKobo: String(at(model.payouts, payout).amountKobo) };
  return confirmByTwo(real, { kind: "book_loss", details, reason: "The bank confirmed that it left." });
}

export async function failByHand(real: Real, { payout }: { payout: number }) {
  const details = { payoutId: await real.nthId("payouts", payout) };
  return confirmByTwo(real, { kind: "fail_payout", details, reason: "It never left our account." });
}

export async function refuseRun(real: Real, { run, places }: { run: number; places: number[] }) {
  const runId = await real.nthId("payout_runs", run);
  const payoutIds = [];
  for (const place of places) payoutIds.push(await real.nthId("payouts", place));
  return confirmByTwo(real, {
    kind: "refuse_payouts",
    details: { runId, payoutIds },
    reason: "The bank didn't take it.",
  });
}

export const withhold = async (real: Real, { caller, payout }: OnPayout) =>
  nothing(real.as(caller).payouts.withhold({ payoutId: await real.nthId("payouts", payout), reason }));

export async function letGo(real: Real, { payout }: { payout: number }) {
  const details = { payoutId: await real.nthId("payouts", payout) };
  return confirmByTwo(real, { kind: "let_payout_go", details, reason: "We have looked at it together." });
}

export async function decideRound(real: Real, args: RoundDecision, model: Readonly<Model>) {
  const { caller, project, outcome, look } = args;
  const approvedLots = roundOf(model, project).lots - unsoldLots(model, project);
  return nothing(
    real.as(caller).payments.decideRound({
      projectId: real.projectId(project),
      outcome,
      seenApprovedLots: seenLots(approvedLots, look),
    }),
  );
}

export const close = (real: Real, { caller, project }: OnProject) =>
  nothing(real.as(caller).projects.close({ projectId: real.projectId(project) }));
export const reopen = (real: Real, { caller, project }: OnProject) =>
  nothing(real.as(caller).projects.reopen({ projectId: real.projectId(project) }));
export const remove = (real: Real, { caller, project }: OnProject) =>
  nothing(real.as(caller).projects.delete({ projectId: real.projectId(project) }));
export const favorite = (real: Real, { caller, project }: OnProject) =>
  nothing(real.as(caller).favorites.add({ projectId: real.projectId(project) }));
export const unfavorite = (real: Real, { caller, project }: OnProject) =>
  nothing(real.as(caller).favorites.remove({ projectId: real.projectId(project) }));

const backerOn = (real: Real, { project, person }: { project: number; person: number }) => ({
  projectId: real.projectId(project),
  userId: real.personId(person),
});
export const grant = (real: Real, args: OnProject & OnPerson) =>
  nothing(real.as(args.caller).backings.grant(backerOn(real, args)));
export const revokeGrant = (real: Real, args: OnProject & OnPerson) =>
  nothing(real.as(args.caller).backings.revokeGrant(backerOn(real, args)));

export const setWeight = (real: Real, args: Weighing, model: Readonly<Model>) => {
  const part = { weightKobo: String(args.weightKobo ?? 0n), seenKobo: String(countedKobo(model, args)) };
  const details = { ...backerOn(real, args), round: args.round, ...part };
  return confirmByTwo(real, { kind: "set_weight", details, reason: "They have paid it in cash." });
};

export async function publish(
  real: Real,
  { caller, title, goalKobo, lots, minimumLots }: { caller: number; title: string } & Offer,
) {
  const fundingGoal = koboToNairaText(goalKobo);
  const form = projectFormOf({ title, fundingGoal, lots, minimumLots, duration: campaignDays.ofNew });
  const { id } = await real.as(caller).projects.create(form);
  const again = await real.as(caller).projects.create(form);
  if (again.id !== id) throw new Error("one form made two projects");
  return { project: await real.addProject(id) };
}

export async function clone(real: Real, { caller, project }: OnProject) {
  const { id } = await real.as(caller).projects.clone({
    projectId: real.projectId(project),
    idempotencyKey: crypto.randomUUID(),
  });
  return { project: await real.addProject(id) };
}

export async function edit(real: Real, { caller, project, title, goalKobo, lots, look }: Edit, model: Readonly<Model>) {
  const projectId = real.projectId(project);
  const { updatedAt } = projects;
  const [row] = await real.deps.db.select({ updatedAt }).from(projects).where(eq(projects.id, projectId));
  const first = at(real.firstUpdates, project);
  const seenUpdatedAt = look === "now" ? (row?.updatedAt ?? first) : first;
  const fundingGoal = koboToNairaText(goalKobo ?? at(model.projects, project).goalKobo);
  const now = roundOf(model, project);
  const offer = { lots: lots ?? now.lots, minimumLots: lots ?? now.minimumLots };
  const form = projectFormOf({ title, fundingGoal, ...offer, duration: campaignDays.ofEdited });
  return nothing(real.as(caller).projects.update({ ...form, projectId, seenUpdatedAt }));
}

export const editTerms = (real: Real, args: TermsEdit, model: Readonly<Model>) => {
  const { caller, project, look, inSteps, isPlanned } = args;
  const seenVersion = seenTerms(model, project, look);
  const releaseParts = inSteps ? stepsForm : [];
  const form = {
    ...termsForm,
    ...(isPlanned ? plannedForm : {}),
    releaseParts,
    projectId: real.projectId(project),
    seenVersion,
  };
  return nothing(real.as(caller).projects.updateTerms(form));
};

const stepsForm = termsInSteps.parts.map((rate) => ({
  label: "Feed",
  rate: String(rate / 100),
  proof: "",
  afterDays: 0,
}));

const plannedForm = {
  plannedQuantity: quantityText(sum(fallingPlan)),
  plannedHarvests: fallingPlan.length,
  harvestPlan: fallingPlan.map(quantityText),
};

const termsForm = {
  unit: "kg" as const,
  plannedQuantity: "",
  plannedPrice: "",
  plannedHarvests: null,
  firstHarvestOn: null,
  farmPart: "10",
  deductibleCosts: ["Feed"],
  fee: "7.5",
  options: [...harvestOptions],
  collectionPlace: "",
  choiceDays: 10,
  collectionDays: 5,
  insurance: null,
};

export async function letTimePass(real: Real, { hours, isSwept }: { hours: number; isSwept: boolean }) {
  await real.passHours(hours);
  await closeExpiredProjects(real.deps);
  if (!isSwept) return {};
  await sweepHolds(real.deps);
  await sweepHarvests(real.deps);
  await carryOutHolderChanges(real.deps);
  return {};
}

export async function signUp(real: Real, { email, fullName }: { email: string; fullName: string }) {
  const visitor = await real.visitor();
  const { token: formToken } = await visitor.caller.auth.formToken();
  await visitor.caller.auth.signUp({ email, fullName, password: testPassword, acceptTerms: true, formToken });
  const viewer = await visitor.caller.auth.viewer();
  await real.addMember(viewer?.id ?? "", email, visitor);
  return { person: real.members.length - 1 };
}

export const signIn = async (real: Real, { person }: { person: number }) =>
  nothing(real.as(person).auth.signIn({ email: real.member(person).email, password: await typedPassword(real) }));
export const block = (real: Real, { caller, person }: OnPerson) =>
  nothing(real.as(caller).users.block({ userId: real.personId(person) }));
export const unblock = (real: Real, { caller, person }: OnPerson) =>
  nothing(real.as(caller).users.unblock({ userId: real.personId(person) }));
export const removeAdmin = (real: Real, { caller, person }: OnPerson) =>
  nothing(real.as(caller).admins.remove({ userId: real.personId(person) }));
export const closeAccount = async (real: Real, { caller }: { caller: number }) =>
  nothing(real.as(caller).users.close({ currentPassword: await typedPassword(real), confirmation: closePhrase }));

export async function invite(real: Real, { caller, person, role }: OnPerson & { role: Role }) {
  const { email } = real.member(person);
  const { status } = await real.as(caller).team.invite({ email, fullName: "Somebody New", role });
  return { status };
}

/** By the link that was mailed last. */
export async function acceptInvite(real: Real, { caller }: { caller: number }) {
  const tokens = await invitesMailedTo(real.deps, real.member(caller).email);
  return nothing(real.as(caller).team.acceptInviteSignedIn({ token: tokens.at(-1) ?? "" }));
}
