import {
  confirmationMail,
  identityMail,
  invitationMail,
  newDeviceMail,
  passwordChangedMail,
} from "#server/accounts/emails.ts";
import { applicationMail } from "#server/features/careers/emails.ts";
import { contactMail } from "#server/features/contact/emails.ts";
import { moneyWaitsNotice } from "#server/features/dashboard/emails.ts";
import {
  countedNotice,
  lostNotice,
  loweredNotice,
  openedNotice,
  readyNotice,
  reminderNotice,
  restLostNotice,
  settledNotice,
  uncollectedNotice,
  withdrawnNotice,
} from "#server/features/harvests/emails.ts";
import { receiptNotice } from "#server/features/payments/buying/emails.ts";
import { anothersTransferNotice, arrivedNotice, keptNotice } from "#server/features/payments/review/arrival-emails.ts";
import {
  approvedNotice,
  notFundedNotice,
  pendingAgainNotice,
  rejectedNotice,
  takenNotice,
} from "#server/features/payments/review/emails.ts";
import { refundDueNotice, refundTakenBackNotice } from "#server/features/payments/unallocated/emails.ts";
import { failedNotice, notFailedNotice, paidNotice, sentNotice } from "#server/features/payouts/emails.ts";
import { payeeAccountMail } from "#server/features/payouts/payee-accounts/emails.ts";
import { farmAccountMail } from "#server/features/payouts/releases/emails.ts";
import { overdueNotice } from "#server/features/payouts/reminder-emails.ts";
import { runApprovedNotice, runDecidedNotice, runWaitsNotice } from "#server/features/payouts/runs/emails.ts";
import { projectClosedNotice, projectReopenedNotice } from "#server/features/projects/emails.ts";
import {
  endingNotice,
  heldNotice,
  holdEndedNotice,
  projectRemovedNotice,
  yourTurnNotice,
} from "#server/features/projects/holds/emails.ts";
import { adminMessageNotice, backerMessageNotice } from "#server/features/projects/messages/emails.ts";
import { writtenOffNotice } from "#server/features/projects/write-offs/emails.ts";
import { askedNotice, decidedNotice } from "#server/features/second-person/emails.ts";
import { renderMail } from "#server/mail/layout.ts";
import { gona } from "./site.ts";

/** Every kind of mail that repeats what somebody typed, with the text in each such place. */
export function mailsSaying(text: string): { subject: string; html: string; text: string }[] {
  const site = gona;
  const at = new Date("2026-11-21T09:00:00Z");
  const reader = { fullName: text, site };
  const project = { site, projectId: 1, projectTitle: text };
  const payment = { ...project, amountKobo: 100n, lots: 3, reference: text };
  const harvest = { ...project, unit: "kg" as const };
  const payout = {
    ...project,
    kind: "refund" as const,
    amountKobo: 100n,
    reference: "GP-7K3P-9Q2M",
    part: 1,
    parts: 1,
    account: { bankName: "Access Bank", accountNumber: "0123456789" },
  };
  const waiting = { site, projectId: 1, projectTitle: text, round: 1 };
  const run = { id: 1, payouts: 2, totalKobo: 100n, linesSha256: "0".repeat(64) };
  const account = { ...payout.account, accountName: text, usableFrom: at };
  const rejected = {
    wasApproved: false,
    reason: text,
    refund: { amountKobo: 100n, isAccountKnown: false },
  } as const;
  const notices = [
    backerMessageNotice({ ...project, isPrivate: true, senderName: text, content: text }),
    adminMessageNotice({ ...project, isPrivate: true, content: text }),
    projectClosedNotice({ ...project, hasExpired: true }),
    projectReopenedNotice(project),
    projectRemovedNotice({ ...project, heldLots: 3 }),
    projectRemovedNotice({ ...project, heldLots: null }),
    heldNotice({ ...project, lots: 3, until: at }),
    endingNotice({ ...project, lots: 3, until: at }),
    yourTurnNotice({ ...project, lots: 3, until: at }),
    holdEndedNotice({ ...project, lots: 3, reason: text, isOffer: false, hasReceipt: false }),
    rejectedNotice(payment, rejected),
    approvedNotice(payment, { ...rejected, keptKobo: 0n }),
    pendingAgainNotice(payment, { wasApproved: true }),
    takenNotice({ ...project, lots: 1, refundDays: 5 }),
    takenNotice({ ...project, lots: 3, refundDays: 1 }),
    notFundedNotice(payment, rejected.refund),
    refundDueNotice(payment, { ...rejected.refund, reason: "not_approved" }),
    refundTakenBackNotice(payment, { amountKobo: 100n, reason: text }),
    ...[20n, 100n, 20_000n].flatMap(
      (arrivedKobo) => arrivedNotice(payment, { arrivedKobo, hasReceipt: false, isFound: true, restBy: at }) ?? [],
    ),
    keptNotice(payment, 100n),
    anothersTransferNotice(payment),
    moneyWaitsNotice({ ...waiting, kind: "decide_round", lots: 40, approvedLots: 12 }),
    moneyWaitsNotice({ ...waiting, kind: "release_money", amountKobo: 100n }),
    sentNotice(payout, at),
    paidNotice(payout, "2026-11-20"),
    failedNotice(payout, { reason: text, isDue: false }),
    failedNotice(payout, { reason: text, isDue: true }),
    notFailedNotice(payout),
    overdueNotice({ ...payout, lastDay: at }),
    runWaitsNotice({ site, by: text, run }),
    runDecidedNotice({ site, by: text, run, decision: "void" }),
    runApprovedNotice({ site, by: text, run, aloneReason: text }),
    writtenOffNotice({ ...project, reason: text }),
    openedNotice(harvest, { mine: 1n, until: at }),
    countedNotice(harvest, { mine: 1n, until: at }),
    reminderNotice(harvest, { days: 3, until: at }),
    loweredNotice(harvest, { quantity: 1n, reason: text }),
    withdrawnNotice(harvest, { reason: text }),
    readyNotice(harvest, { taken: 1n, code: "408213", until: at, place: text }),
    uncollectedNotice(harvest, { taken: 1n }),
    settledNotice(harvest, {
      proceedsKobo: 200n,
      costsKobo: 1n,
      shareKobo: 100n,
      feeKobo: 5n,
      vatKobo: 1n,
      whtKobo: 1n,
      netKobo: 93n,
    }),
    settledNotice(harvest, {
      proceedsKobo: 200n,
      costsKobo: 0n,
      shareKobo: 100n,
      feeKobo: 0n,
      vatKobo: 0n,
      whtKobo: 1n,
      netKobo: 99n,
      isInsurance: true,
    }),
    restLostNotice(harvest, { reason: text }),
    lostNotice(harvest, { reason: text, insurance: { insurer: text, policy: text, covers: text } }),
    askedNotice({ site, by: text, title: text, reason: text }),
    decidedNotice({ site, by: text, title: text, decision: "declined" }),
    receiptNotice({ ...payment, backerName: text, isReplacement: true }),
  ];
  const mails = [
    ...notices.map(({ mail }) => mail({ fullName: text })),
    contactMail({ name: text, email: text, phone: text, message: text, at }),
    applicationMail({ site, fullName: text, position: text, hasResume: true, at }),
    confirmationMail({ ...reader, token: "token" }),
    identityMail({ ...reader, googleEmail: text, at }),
    invitationMail({ site, fullName: text, invitedBy: text, role: "owner", hours: 72, url: site.publicUrl }),
    newDeviceMail({ ...reader, device: text, ipAddress: text, at }),
    passwordChangedMail({ ...reader, at }),
    payeeAccountMail({ ...reader, account, isByOwners: false, at }),
    farmAccountMail({
      ...reader,
      farmId: 1,
      farmName: text,
      account,
      confirmedBy: { fullName: text, email: text },
      reason: text,
      at,
    }),
  ];
  return mails.map(({ subject, content }) => ({ subject, ...renderMail(gona, content) }));
}
