/** Payment runs, which send payouts to the bank: texts and addresses. No schema is here. */

import { formatNaira, type Kobo } from "#shared/money.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { type PayoutFileFormat, payoutLimits } from "./texts.ts";

const count = (payouts: number) => (payouts === 1 ? "1 payout" : `${payouts.toLocaleString("en-NG")} payouts`);

export const payoutRunTexts = {
  count,
  title: (run: { id: number; payouts: number; totalKobo: Kobo }) =>
    `Payment run ${run.id}: ${formatNaira(run.totalKobo)} in ${count(run.payouts)}`,
  payable: (payouts: number) =>
    payouts === 0 ? "None of these payouts can be paid now." : `${count(payouts)} can be paid now.`,
  ownMoney: "This run pays you, so you can't approve it. Make it yourself, and another owner approves it.",
  compare: "Before the money leaves, your bank must show this total, and every owner's mail the same total and hash.",
  totalLabel: "Total",
  hashLabel: "Hash of the lines",
  noneChosen: "Choose at least one payout.",
  tooMany: `One run has at most ${payoutLimits.runSize.toLocaleString("en-NG")} payouts.`,
  ownAccountGone: "This account of ours no longer exists.",
  notDue: "A chosen payout isn't due any more. Nothing was changed. Please look at the list again.",
  rests: (reference: string, until: string) =>
    `${reference} can't be paid yet: its account was changed, and can be paid to from ${until} on.`,
  blocked: (reference: string, person: string) =>
    `${reference} can't be paid: ${person} is blocked. Two owners have to enter the account first.`,
  withheld: (reference: string) => `${reference} is withheld. Two owners have to let it go first.`,
  withholdable: "Only a payout that was not put into a run yet can be withheld.",
  withheldAlready: "This payout is withheld already.",
  withheldDone: "Payout withheld",
  layoutMade: "The file is made in another layout",
  layoutFailed: "Failed to make the file",
  notToGive: "Only a run whose files were made can be given to the bank.",
  notDownloaded: "Download a file of this run first, and give it to the bank.",
  giveNoMore:
    "These files stay as they are. Give none of them to a bank again: some of what they pay was paid or is due again, and somebody would be paid twice.",
  given: "Whoever gets the money is told that it is on its way",
  giveFailed: "Nobody was told",
  notForLayout: "Only a run that was given to the bank has a file in another layout.",
  layoutTooLate:
    "A payout of this run was paid or has failed since: another file of all its lines would pay somebody twice.",
  accountChanged: (reference: string) =>
    `The account of ${reference} was changed after this run was made. Cancel the run, and make another.`,
  gone: "This payment run no longer exists.",
  notDraft: "This run doesn't wait for approval any more.",
  waitedTooLong: `This run waited for approval for more than ${secondPersonLimits.days} days. Cancel it, and make another.`,
  makerGone: "Whoever made this run is no owner any more. Cancel it, and make another.",
  notApproved: "Another owner has to approve this run before it goes to the bank.",
  isVoid: "This run was cancelled.",
  isExported: "This run went to the bank already, so it can't be cancelled.",
  needsReason: `You are the only owner. Please say why in at least ${secondPersonLimits.reasonMin} characters.`,
  noOwnColumns: "No columns of your own are set. Choose them in the settings, or take other columns.",
  noFile: "This run has no file yet.",
  sessionIdInvalid: "The session id has 30 digits",
  fetchFailed: "Failed to fetch the payouts",
  runsFailed: "Failed to fetch the payment runs",
  runFailed: "Failed to fetch the payment run",
  made: "Payment run made",
  makeFailed: "Failed to make the payment run",
  approved: "Payment run approved",
  approveFailed: "Failed to approve the payment run",
  voided: "Payment run cancelled",
  exported: "The files for the bank are made",
  exportFailed: "Failed to make the files",
  paid: "Payout marked as paid",
  runsToApprove: (runs: number) =>
    runs === 1 ? "1 payment run waits for approval." : `${runs} payment runs wait for approval.`,
  runsToVoid: (runs: number) =>
    runs === 1
      ? "1 payment run can't be approved any more: cancel it, and make another."
      : `${runs} payment runs can't be approved any more: cancel them, and make others.`,
  runsToExport: (runs: number) =>
    runs === 1
      ? "1 payment run is approved and not at the bank yet."
      : `${runs} payment runs are approved and not at the bank yet.`,
  runsToGive: (runs: number) =>
    runs === 1
      ? "1 payment run has its files. Say when the bank has one: then whoever gets the money is told."
      : `${runs} payment runs have their files. Say when the bank has them: then whoever gets the money is told.`,
  unseen: (payouts: number) => `${count(payouts)} ${payouts === 1 ? "was" : "were"} sent and not seen leaving.`,
  overdue: (payouts: number) =>
    `${count(payouts)} ${payouts === 1 ? "is" : "are"} overdue: the day that was promised has passed.`,
  refused: (payouts: number, amount: string) =>
    `${amount} in ${count(payouts)} is due again, with ${payouts === 1 ? "a new reference" : "new references"}. Accounts and promises stay.`,
  refusedButTaken: (payouts: number) =>
    `If the bank did take ${payouts === 1 ? "it, it" : "them, they"} would be paid twice: please make sure with the bank first.`,
  sessionIdTaken: "Another payout was marked as paid with this session id.",
} as const;

/** How much of payouts waits for owners. */
export type WaitingPayouts = {
  overdue: number;
  unseen: number;
  runsToApprove: number;
  runsToVoid: number;
  runsToExport: number;
  runsToGive: number;
};

/** The same in sentences, the most pressing first, with the tab of the payouts' page that shows each. */
export function waitsForOwners(waiting: WaitingPayouts) {
  const all = [
    { count: waiting.overdue, text: payoutRunTexts.overdue, tab: undefined },
    { count: waiting.unseen, text: payoutRunTexts.unseen, tab: "sent" },
    { count: waiting.runsToApprove, text: payoutRunTexts.runsToApprove, tab: "runs" },
    { count: waiting.runsToVoid, text: payoutRunTexts.runsToVoid, tab: "runs" },
    { count: waiting.runsToExport, text: payoutRunTexts.runsToExport, tab: "runs" },
    { count: waiting.runsToGive, text: payoutRunTexts.runsToGive, tab: "runs" },
  ] as const;
  return all.filter(({ count }) => count > 0).map(({ count, text, tab }) => ({ text: text(count), tab }));
}

/** Where the file of a run is downloaded, in the layout of its export or a later one. */
export const payoutFilePath = (runId: number | ":runId", format: PayoutFileFormat, layout = 1): string =>
  `/files/payout-runs/${runId}/payouts.${format}${layout === 1 ? "" : `?layout=${layout}`}`;

/** A hash in groups of eight, as people compare it. */
export const groupedHash = (sha256: string): string => sha256.match(/.{1,8}/g)?.join(" ") ?? "";
