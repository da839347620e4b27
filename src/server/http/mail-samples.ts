import * as account from "#server/accounts/emails.ts";
import * as ownerNews from "#server/accounts/owners/owner-news.ts";
import * as alarms from "#server/features/alarms/emails.ts";
import * as bank from "#server/features/bank/emails.ts";
import * as careers from "#server/features/careers/emails.ts";
import * as contact from "#server/features/contact/emails.ts";
import * as dashboard from "#server/features/dashboard/emails.ts";
import type { NoticeText } from "#server/features/notifications/service.ts";
import * as buying from "#server/features/payments/buying/emails.ts";
import * as holderChanges from "#server/features/payments/holder-changes/emails.ts";
import { surplusUsedNotice } from "#server/features/payments/notices.ts";
import * as arrivals from "#server/features/payments/review/arrival-emails.ts";
import * as review from "#server/features/payments/review/emails.ts";
import { lateReviewsMail } from "#server/features/payments/review/late-emails.ts";
import { struckNotice } from "#server/features/payments/strikes/emails.ts";
import * as unallocated from "#server/features/payments/unallocated/emails.ts";
import * as payouts from "#server/features/payouts/emails.ts";
import * as payeeAccounts from "#server/features/payouts/payee-accounts/emails.ts";
import * as farmReleases from "#server/features/payouts/releases/emails.ts";
import * as payoutReminders from "#server/features/payouts/reminder-emails.ts";
import * as roundReturns from "#server/features/payouts/returns/emails.ts";
import * as payoutRuns from "#server/features/payouts/runs/emails.ts";
import * as projects from "#server/features/projects/emails.ts";
import * as holds from "#server/features/projects/holds/emails.ts";
import * as media from "#server/features/projects/media/emails.ts";
import * as messages from "#server/features/projects/messages/emails.ts";
import * as updates from "#server/features/projects/updates/emails.ts";
import * as writeOffs from "#server/features/projects/write-offs/emails.ts";
import * as secondPerson from "#server/features/second-person/emails.ts";
import * as settings from "#server/features/settings/emails.ts";
import { termsChangeMail } from "#server/features/site/consents/emails.ts";
import * as profile from "#server/features/site/profile/emails.ts";
import * as setup from "#server/features/site/setup/emails.ts";
import * as siteTexts from "#server/features/site/texts/emails.ts";
import type { Mail } from "#server/mail/layout.ts";
import type { Kobo } from "#shared/money.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { writeOffTexts } from "#shared/second-person/texts.ts";
import { companyOf, type Site } from "#shared/site/site.ts";
import { farmMailSamples, farmNoticeSamples } from "./farm-mail-samples.ts";

/** A mail of the product with made-up data. The preview's address contains the id. */
export type MailSample = Mail & { id: string };

/** Every mail that the product sends, with its current text. */
export function mailSamples(site: Site): MailSample[] {
  const fullName = "Amina Bello";
  const reader = { fullName, site };
  const token = "0".repeat(64);
  const at = new Date("2026-11-21T13:05:00Z");
  const project = { site, projectId: 7, projectTitle: "Giant snails in shaded pens" };
  const payment = {
    ...project,
    amountKobo: 125_000_000n as Kobo,
    lots: 1,
    reference: `${site.referencePrefix}-7-4K2P`,
  };
  const due = {
    amountKobo: payment.amountKobo,
    isAccountKnown: false,
    note: { number: `${site.paperPrefix}N-2026-000007` },
  };
  const receipt = { number: `${site.paperPrefix}R-2026-000123` };
  const held = { ...project, lots: 3 };
  const hadHeld = { ...held, isOffer: false, hasReceipt: false };
  const until = new Date("2026-11-24T13:05:00Z");
  const payout = {
    ...project,
    kind: "refund" as const,
    amountKobo: 470_000_000n as Kobo,
    reference: `${site.paperPrefix}P-7K3P-9Q2M`,
    part: 1,
    parts: 1,
    account: { bankName: "Access Bank", accountNumber: "0123456789" },
  };
  const farmPayout = { ...payout, kind: "farm" as const, part: 1, parts: 3 };
  const returned = { site, projectTitle: payout.projectTitle, amountKobo: payout.amountKobo };
  const waiting = { site, projectId: 7, projectTitle: payout.projectTitle, round: 1 };
  const message = { ...project, content: "When is the first harvest?\nI would like to come and see it." };
  const payeeAccount = {
    bankName: "Access Bank",
    accountNumber: "0123456789",
    accountName: fullName.toUpperCase(),
    usableFrom: at,
  };
  const url = `${site.publicUrl}/sample#access_token=${token}`;

  const run = {
    site,
    by: "Chidi Eze",
    run: { id: 12, payouts: 17, totalKobo: 212_500_000n, linesSha256: "4f5c".repeat(16) },
  };
  const asked = { site, by: fullName, title: writeOffTexts.title(1, project.projectTitle) };
  const passing = {
    site,
    projectTitle: project.projectTitle,
    round: 1,
    fromName: fullName,
    toName: "Ngozi Bello",
  };
  const begun = {
    cause: "death" as const,
    reason: "He died in October, and his daughter inherits.",
    until: at,
    amountKobo: 20_000_000n,
  };
  const passed = { dueKobo: 19_000_000n, isAccountKnown: false, isChoosing: true };
  const flooded = "The pens were flooded in October, and no snails are left.";
  const mails: Record<string, Mail> = {
    ...farmMailSamples(site, { fullName, at }),
    "confirm-email": account.confirmationMail({ ...reader, token }),
    "reset-password": account.passwordResetMail({ ...reader, token, isAdmin: false }),
    "reset-password-admin": account.passwordResetMail({ ...reader, token, isAdmin: true }),
    "terms-change": termsChangeMail({
      ...reader,
      change: {
        version: 3,
        inForceFrom: new Date("2027-03-01T00:00:00+01:00"),
        isInForce: false,
        changes: [{ version: 3, note: "Refunds of what is due take 14 days in place of 10." }],
      },
    }),
    "password-changed": account.passwordChangedMail({ ...reader, at }),
    "new-email": account.newEmailMail({ ...reader, url }),
    "email-changed": account.emailChangedMail({ ...reader, newEmail: "amina.bello@example.com", at }),
    "email-in-use": account.emailInUseMail(reader),
    "account-closed": account.accountClosedMail({ ...reader, at }),
    "new-device": account.newDeviceMail({ ...reader, device: "Chrome on Android", ipAddress: "203.0.113.7", at }),
    "google-linked": account.identityMail({ ...reader, googleEmail: "amina@gmail.com", at }),
    "google-unlinked": account.identityMail({ ...reader, googleEmail: null, at }),
    "two-factor-on": account.twoFactorMail({ ...reader, change: "on", at }),
    "two-factor-off": account.twoFactorMail({ ...reader, change: "off", at }),
    "recovery-codes-renewed": account.twoFactorMail({ ...reader, change: "renewed", at }),
    "recovery-code-used": account.recoveryCodeUsedMail({ ...reader, left: 9, at }),
    invitation: account.invitationMail({
      site,
      fullName,
      invitedBy: "Chidi Eze",
      role: "manager",
      hours: 72,
      url,
    }),
    "mail-code": setup.mailCodeMail({ ...reader, code: "7K3P-9Q2M" }),
    "bank-details": settings.bankDetailsMail({
      ...reader,
      changedBy: { fullName: "Chidi Eze", email: "chidi.eze@example.com" },
      details: { bankName: "Sample Bank", accountName: companyOf(site), accountNumber: "0123456789" },
      at,
    }),
    "company-changed": profile.companyChangedMail({
      ...reader,
      changedBy: { fullName: "Chidi Eze", email: "chidi.eze@example.com" },
      changes: [
        { label: "Phone", before: null, after: "+2348031234567" },
        { label: "Address", before: "12 Farm Road\nKaduna", after: "4 Market Street\nKaduna" },
      ],
      at,
    }),
    "site-text": siteTexts.pageTextMail({
      ...reader,
      changedBy: { fullName: "Chidi Eze", email: "chidi.eze@example.com" },
      before: "<p>You may visit a farm on Sundays.</p><p>Bring boots.</p>",
      after: {
        page: "terms",
        version: 3,
        html: "<p>You may visit a farm on Saturdays.</p><p>Bring boots.</p>",
        isMaterial: true,
        changeNote: "Farms are open on Saturdays instead of Sundays.",
        inForceFrom: until,
      },
      at,
    }),
    "second-person-limit": settings.moneySettingMail({
      ...reader,
      changedBy: { fullName: "Chidi Eze", email: "chidi.eze@example.com" },
      key: "secondperson",
      askedBy: "Amaka Obi",
      before: "1000000",
      after: "5000000",
      at,
    }),
    "vat-changed": settings.moneySettingMail({
      ...reader,
      changedBy: { fullName: "Chidi Eze", email: "chidi.eze@example.com" },
      key: "vatpercent",
      askedBy: "Amaka Obi",
      before: "0",
      after: "7.5",
      at,
    }),
    "payment-without-its-money": arrivals.goneOwnersMail(payment, {
      fullName,
      goneKobo: payment.amountKobo,
      gone: "taken_back",
      reason: "The sender's bank reversed it.",
    }),
    "reviews-late": lateReviewsMail({ fullName, site, reviews: { count: 2, oldest: at }, unseen: 1 }),
    "statements-missing": bank.statementsMissingMail({
      ...reader,
      lastImportedAt: at,
      days: 4,
      pendingPayments: 3,
      inTransitKobo: 125_000_000n,
    }),
    "late-payouts": payoutReminders.latePayoutsMail({
      ...reader,
      overdue: { count: 2, amountKobo: 470_000_000n, lastDay: at },
      besides: { unseen: 1, runsToApprove: 1, runsToVoid: 0, runsToExport: 0, runsToGive: 0 },
    }),
    "own-account-added": bank.ownAccountMail({
      ...reader,
      changedBy: { fullName: "Chidi Eze", email: "chidi.eze@example.com" },
      account: {
        bankName: "Sample Bank",
        accountName: companyOf(site),
        accountNumber: "0123456789",
        bankCode: "058",
      },
      isNew: true,
      at,
    }),
    "farm-account": farmReleases.farmAccountMail({
      ...reader,
      farmId: 7,
      farmName: "Ikorodu Fisheries",
      account: payeeAccount,
      at,
      confirmedBy: { fullName: "Chidi Eze", email: "chidi.eze@example.com" },
      reason: "The farm's letter of 3 November names this account.",
    }),
    ...Object.fromEntries(
      ownerNews.ownerChanges.map((change) => [
        `owners-${change.replaceAll("_", "-")}`,
        ownerNews.ownerNewsMail({
          ...reader,
          change,
          at,
          person: { fullName: "Ngozi Okafor", email: "ngozi.okafor@example.com" },
          by: { fullName: "Chidi Eze", email: "chidi.eze@example.com" },
        }),
      ]),
    ),
    "payee-account": payeeAccounts.payeeAccountMail({ ...reader, account: payeeAccount, isByOwners: false, at }),
    "payee-account-entered": payeeAccounts.payeeAccountMail({
      ...reader,
      fullName: "",
      account: payeeAccount,
      isByOwners: true,
      at,
    }),
    alarm: alarms.alarmMail({
      ...reader,
      findings: [
        { violation: "funding is not the ledger's sum", row: { projectId: 7, fundingKobo: 1, ledgerKobo: 0 } },
      ],
      at,
    }),
    "contact-message": contact.contactMail({
      name: fullName,
      email: "amina.bello@example.com",
      phone: "+234 803 000 0000",
      message: "Good morning,\n\nmay I visit the snail farm on Saturday with two friends?",
      at,
    }),
    "job-application": careers.applicationMail({ site, fullName, position: "Farm Manager", hasResume: true, at }),
  };
  const arrived = (id: string, arrivedKobo: Kobo, hasReceipt = true) => {
    const notice = arrivals.arrivedNotice(payment, { arrivedKobo, hasReceipt, isFound: false, restBy: at });
    return notice ? { [id]: notice } : {};
  };
  const arrivalMails = {
    ...arrived("transfer-arrived", payment.amountKobo, false),
    ...arrived("part-arrived", 50_000_000n),
    ...arrived("too-much-arrived", 130_000_000n),
  };
  const notices: Record<string, NoticeText> = {
    "payment-approved": review.approvedNotice(payment, { receipt, refund: null, keptKobo: 0n }),
    "payment-rejected": review.rejectedNotice(payment, {
      wasApproved: false,
      reason: "The amount on the receipt differs.",
      refund: null,
    }),
    "payment-taken-back": review.rejectedNotice(payment, { wasApproved: true, reason: null, refund: null }),
    "payment-pending-again": review.pendingAgainNotice(payment, { wasApproved: true }),
    ...arrivalMails,
    "transfer-kept": arrivals.keptNotice(payment, 60_00n),
    "transfer-of-another": arrivals.anothersTransferNotice(payment),
    "transfer-taken-back": arrivals.goneNotice(payment, { goneKobo: payment.amountKobo, gone: "taken_back" }),
    "transfer-not-seen": arrivals.goneNotice(payment, { goneKobo: payment.amountKobo, gone: "undone" }),
    "project-taken": review.takenNotice({ ...project, lots: 1, refundDays: 5 }),
    "lots-taken": review.takenNotice({ ...project, lots: 40, refundDays: 5 }),
    "not-funded": review.notFundedNotice({ ...payment, lots: 3 }, due),
    "not-funded-unseen": review.notFundedNotice(payment, null),
    "payment-approved-kept": review.approvedNotice(payment, { receipt, refund: null, keptKobo: 50n }),
    "payment-approved-surplus": review.approvedNotice(payment, {
      receipt,
      keptKobo: 0n,
      refund: { amountKobo: 500_00n, isAccountKnown: true, note: { number: `${site.paperPrefix}N-2026-000008` } },
    }),
    "refund-due": unallocated.refundDueNotice(payment, { ...due, reason: "not_approved" }),
    "refund-taken-back": unallocated.refundTakenBackNotice(payment, {
      amountKobo: payment.amountKobo,
      reason: flooded,
    }),
    "payment-struck": struckNotice(payment, {
      reason: "The bank says that this transfer was never made.",
      takenKobo: 190_000_00n,
    }),
    "holder-change-begun": holderChanges.begunNotice(passing, { ...begun, side: "from" }),
    "holder-change-begun-new": holderChanges.begunNotice(passing, { ...begun, side: "to" }),
    "holder-change-done": holderChanges.carriedOutNotice(passing, { ...passed, side: "from" }),
    "holder-change-done-new": holderChanges.carriedOutNotice(passing, { ...passed, side: "to" }),
    "holder-change-ended": holderChanges.endedNotice(passing, { side: "to", why: "The old holder objected." }),
    "holder-change-owners": holderChanges.ownersNotice(passing, {
      title: "A change of holder was objected to",
      why: "The old holder objected.",
    }),
    "payout-struck": payouts.struckPayoutNotice({ ...payout, amountKobo: 190_000_00n }),
    "round-returned": roundReturns.returnedNotice({ ...returned, reason: flooded }),
    "round-return-taken-back": roundReturns.returnTakenBackNotice({ ...returned, reason: flooded }),
    "round-to-decide": dashboard.moneyWaitsNotice({ ...waiting, kind: "decide_round", lots: 40, approvedLots: 12 }),
    "sales-to-settle": dashboard.moneyWaitsNotice({
      ...waiting,
      kind: "settle_sales",
      harvestId: 3,
      number: 1,
      isInsurance: false,
      amountKobo: 1_040_000_00n,
    }),
    "money-to-release": dashboard.moneyWaitsNotice({ ...waiting, kind: "release_money", amountKobo: 4_700_000_00n }),
    "payout-sent": payouts.sentNotice(payout, at),
    "payout-of-harvest-sent": payouts.sentNotice({ ...payout, kind: "harvest" }, at),
    "payout-to-farm-sent": payouts.sentNotice(farmPayout, at),
    "payout-paid": payouts.paidNotice(payout, "2026-11-20"),
    "payout-came-back": payouts.failedNotice(payout, { reason: "name differs", isDue: false }),
    "payout-came-back-and-sent-again": payouts.failedNotice(payout, { reason: "bank not available", isDue: true }),
    "payout-not-come-back": payouts.notFailedNotice(payout),
    "payout-overdue": payoutReminders.overdueNotice({ ...payout, lastDay: at }),
    "payout-not-sent": payouts.failedNotice(payout, { reason: null, isDue: true }),
    "lots-held": holds.heldNotice({ ...held, until }),
    "hold-ends-soon": holds.endingNotice({ ...held, until }),
    "your-turn": holds.yourTurnNotice({ ...held, until }),
    "hold-lapsed": holds.holdEndedNotice({ ...hadHeld, reason: null }),
    "hold-lapsed-with-receipt": holds.holdEndedNotice({ ...hadHeld, hasReceipt: true, reason: null }),
    "turn-passed": holds.holdEndedNotice({ ...hadHeld, isOffer: true, reason: null }),
    "hold-ended": holds.holdEndedNotice({ ...hadHeld, reason: "The farm withdrew these lots." }),
    "hold-of-blocked": holds.holdEndedNotice({ ...hadHeld, reason: holdTexts.accountBlocked, isBlocked: true }),
    "hold-of-removed": holds.projectRemovedNotice({ ...project, heldLots: 3 }),
    "waiting-list-of-removed": holds.projectRemovedNotice({ ...project, heldLots: null }),
    "round-written-off": writeOffs.writtenOffNotice({ ...project, reason: flooded }),
    "payment-run-waits": payoutRuns.runWaitsNotice(run),
    "payment-run-exported": payoutRuns.runExportedNotice({ ...run, sheet: `${site.paperPrefix}L-2026-000012` }),
    "payment-run-in-another-layout": payoutRuns.runLayoutNotice(run),
    "payout-withheld": payouts.withheldNotice({ ...farmPayout, by: "Chidi Eze", reason: flooded }),
    "payment-run-approved": payoutRuns.runDecidedNotice({ ...run, decision: "approved" }),
    "payment-run-approved-for-owners": payoutRuns.runApprovedNotice({ ...run, aloneReason: null }),
    "payment-run-approved-alone": payoutRuns.runApprovedNotice({ ...run, aloneReason: flooded }),
    "payment-run-void": payoutRuns.runDecidedNotice({ ...run, decision: "void" }),
    "second-person-asked": secondPerson.askedNotice({ ...asked, reason: flooded }),
    "second-person-confirmed": secondPerson.decidedNotice({ ...asked, decision: "confirmed" }),
    "second-person-done": secondPerson.doneNotice({ ...asked, isAlone: false, reason: flooded }),
    "second-person-declined": secondPerson.decidedNotice({ ...asked, decision: "declined" }),
    "project-closed": projects.projectClosedNotice({ ...project, hasExpired: false }),
    "project-expired": projects.projectClosedNotice({ ...project, hasExpired: true }),
    "project-reopened": projects.projectReopenedNotice(project),
    "receipt-submitted": buying.receiptNotice({ ...payment, backerName: fullName, isReplacement: false }),
    "receipt-replaced": buying.receiptNotice({ ...payment, backerName: fullName, isReplacement: true }),
    "surplus-used": surplusUsedNotice({ ...payment, backerName: fullName }),
    "project-update": updates.projectUpdateNotice({
      ...project,
      title: "The first snails are in",
      content: "All forty pens are stocked.\n\nRain kept us from finishing the shade nets, which follow on Monday.",
    }),
    "new-photos": media.mediaNotice({ ...project, news: "photos" }),
    "new-videos": media.mediaNotice({ ...project, news: "videos" }),
    "new-livestream": media.mediaNotice({ ...project, news: "livestream" }),
    "backer-message": messages.backerMessageNotice({ ...message, isPrivate: false, senderName: fullName }),
    "backer-message-private": messages.backerMessageNotice({ ...message, isPrivate: true, senderName: fullName }),
    "admin-message": messages.adminMessageNotice({ ...message, isPrivate: false }),
    "admin-message-private": messages.adminMessageNotice({ ...message, isPrivate: true }),
    ...farmNoticeSamples(site, at),
  };
  const mailed = Object.entries(notices).flatMap(([id, { mail }]) => (mail ? [{ id, ...mail({ fullName }) }] : []));
  return [...Object.entries(mails).map(([id, mail]) => ({ id, ...mail })), ...mailed];
}
