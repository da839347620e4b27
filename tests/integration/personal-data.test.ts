import { createHash, randomUUID } from "node:crypto";
import { and, eq, getTableName, inArray, is, isNull, like, sql } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { beforeAll, describe, expect, test } from "vitest";
import { encryptTwoFactorSecret } from "#server/accounts/totp.ts";
import { readLastHead, writeHeads } from "#server/books/heads.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { ownAccounts, statementLines, statementLineTexts, statements, voids } from "#server/db/schema/bank.ts";
import { farmPast } from "#server/db/schema/farm-past.ts";
import { farmInvites, farmPeople } from "#server/db/schema/farms.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import {
  harvestCosts,
  harvestFiles,
  harvestParts,
  harvestSales,
  harvests,
  roundWeights,
} from "#server/db/schema/harvests.ts";
import { holderChangePayments, holderChanges } from "#server/db/schema/holder-changes.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { holidays } from "#server/db/schema/holidays.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { notificationOptOuts, outgoingMails } from "#server/db/schema/notifications.ts";
import { papers } from "#server/db/schema/papers.ts";
import { paymentEvidence, paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import {
  farmReleases,
  payeeAccounts,
  payoutFiles,
  payoutRuns,
  payouts,
  roundReturns,
} from "#server/db/schema/payouts.ts";
import {
  backingWeights,
  projectBackings,
  projectFavorites,
  projectMessages,
  projects,
  projectUpdates,
} from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { releaseAsks, releaseSkips } from "#server/db/schema/release-parts.ts";
import { farmReports, reportAsks, reportLinks, reportPlans } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { savedSearches } from "#server/db/schema/saved-searches.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { knownDevices } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { settlementParts, settlements } from "#server/db/schema/settlements.ts";
import { agreedTexts, consents, mailProofs, sitePages, siteProfiles, testimonials } from "#server/db/schema/site.ts";
import { paymentStrikes, settlementStrikes } from "#server/db/schema/strikes.ts";
import { adminInvites, contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { photoFindings } from "#server/db/schema/update-photos.ts";
import {
  identities,
  ownerTerms,
  recoveryCodes,
  twoFactors,
  userGrants,
  userRoles,
  users,
} from "#server/db/schema/users.ts";
import { closeMonth, findNextMonth } from "#server/features/books/service.ts";
import { decideOnRound } from "#server/features/payments/review/round-decision.ts";
import { writeMyData } from "#server/features/people/users/export/my-data.ts";
import { insertTerms } from "#server/features/projects/rounds/service.ts";
import { cleanUp } from "#server/housekeeping.ts";
import { sendQueuedMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import { closableFrom } from "#shared/books/texts.ts";
import { defaultTerms } from "#shared/projects/terms-texts.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { contextOf, createPayment, decide, expectMoneyHolds, storeReceiptFile } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";
import { createFarm, createProject } from "#tests/support/projects.ts";
import { gona } from "#tests/support/site.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";
import { codeAt } from "#tests/support/two-factor.ts";

/**
 * The fate of everything that says something about a person. A line holds for one or more columns:
 *
 *   table: columns | when the account is closed | because | in the export of personal data | because
 *
 * closed:  deleted  the row goes at once
 *          expires  the row goes by itself, at the latest with the cleaning 30 days later
 *          cleared  the row stays with a value that says nothing
 *          kept     the value stays
 *          set      closing writes it
 * export:  where each of the columns is in the file, or no
 */
const personalData = `
users: id                                    | kept    | the books and the audit log name people by it        | account.id | it is the person's
users: email, full_name                      | cleared | that is what closing is for                           | account.email, account.fullName | they are the person's
users: password_hash                         | cleared | nobody signs in any more                              | no | a secret; the file says whether there is one
users: email_verified_at, last_activity_at   | cleared | they belong to the address and to a person who is gone | account.emailVerifiedAt, account.lastActivityAt | they are the person's
users: contact_email                         | set     | only while money may still come, or come back; the hourly cleaning takes it away | no | empty while the account stands
users: is_admin                              | cleared | rights end with the account                           | account.isAdmin | it is the person's
users: is_blocked                            | kept    | nobody is left whom it names                          | no | false for whoever can ask
users: closed_at                             | set     | it keeps the account closed                           | no | empty for whoever can ask
users: updated_at                            | set     | it is a date of the row                               | account.updatedAt | it is the person's
users: created_at                            | kept    | a date without a person                               | account.createdAt | it is the person's

user_roles: role                             | deleted | rights end with the account                           | account.roles | it is the person's
user_grants: grant_name                      | deleted | rights end with the account                           | account.grants | it is the person's
user_grants: user_id, given_by, created_at   | deleted | with the grant                                        | no | the grant says it; who gave it is somebody else
ledger_closings: closed_by                   | kept    | an act in office, without a name                      | no | an act in office
ledger_closings: month, ends_at, last_entry_id, entries, hash, balances, created_at | kept | the books, and name nobody | no | how the books are kept
holidays: added_by, removed_by               | kept    | an act in office, without a name                      | no | an act in office
holidays: id, day, name, created_at, removed_at | kept | the site's, not a person's                            | no | the site's, not a person's
user_roles: user_id, created_at              | deleted | with the role                                         | no | the role says it
identities: email, created_at                | deleted | nobody signs in any more                              | account.google.email, account.google.linkedAt | they are the person's
identities: provider, subject, user_id       | deleted | nobody signs in any more                              | no | it is Google's key, and means nothing elsewhere
two_factors: created_at                      | deleted | nobody signs in any more                              | account.secondFactor.since | it is the person's
two_factors: user_id, encrypted_secret, confirmed_at, last_used_step | deleted | nobody signs in any more      | no | secrets, and what they need
recovery_codes: user_id, code_hash, used_at  | deleted | nobody signs in any more                              | no | secrets

sessions: kind, device, ip_address, last_activity_at, created_at | deleted | closing signs out everywhere      | sessions.kind, sessions.browser, sessions.ipAddress, sessions.lastActivityAt, sessions.createdAt | they are the person's
sessions: id_hash, user_id                   | deleted | closing signs out everywhere                          | no | the hash of a secret
sessions: proved_at                          | deleted | closing signs out everywhere                          | no | it counts for ten minutes, of this session alone
known_devices: label, last_seen_at, created_at | deleted | nobody signs in any more                            | devices.browser, devices.lastSeenAt, devices.firstSeenAt | they are the person's
known_devices: user_id, device_hash          | deleted | nobody signs in any more                              | no | the hash of a secret
email_tokens: token_hash, user_id, purpose, email, expires_at, used_at, created_at | deleted | the links stop working | no | secrets of a day, of an address that isn't theirs yet
rate_limits: key, hits, resets_at            | expires | a count for minutes or an hour                        | no | it names the account for an hour at most

notifications: kind, title, content, project_id, is_read, email_sent, created_at | deleted | what the person was told, and what administrators were told of them by name | notifications.kind, notifications.title, notifications.content, notifications.projectId, notifications.isRead, notifications.emailSent, notifications.createdAt | what they were told
notifications: id, user_id, about_user_id, event_key, is_about_money | deleted | with the notification                         | no | where it stands says it
notification_opt_outs: kind, created_at      | deleted | nothing is mailed any more                            | account.consents.mailsSwitchedOff.kind, account.consents.mailsSwitchedOff.since | they are the person's
notification_opt_outs: user_id               | deleted | with the choice                                       | no | where it stands says it
outgoing_mails: recipient, subject, created_at, sent_at | expires | what waits still goes; all mails go after 30 days | mails.to, mails.subject, mails.writtenAt, mails.sentAt | what was mailed to them
outgoing_mails: id, event_key, notification_id, text, html, headers, holds_token, message_id, refusal | expires | with the mail | no | the notifications have the words, and links in mails work

payment_references: project_id, reference, round, terms_version, agreed_at, lots, lot_price_kobo, retired_at, created_at | kept | a transfer may still come with it | paymentReferences.projectId, paymentReferences.reference, paymentReferences.round, paymentReferences.termsVersion, paymentReferences.agreedAt, paymentReferences.lots, paymentReferences.lotPrice.kobo, paymentReferences.retiredAt, paymentReferences.createdAt | they are the person's
payment_references: site_terms              | kept    | what was agreed to must stay provable                 | no | the agreements have it
payment_references: id, user_id              | kept    | whose it is, without a name                           | no | where it stands says it
holds: project_id, round, lots, reference, state, until, ended_at, end_reason, created_at | kept | the books | holds.projectId, holds.round, holds.lots, holds.reference, holds.state, holds.until, holds.endedAt, holds.endReason, holds.createdAt | they are the person's
holds: id, user_id, has_receipt, until_before_receipt, is_extended, warned_at, ended_by | kept | the books, without a name          | no | how the books are kept; who ended it is somebody else's
waiting_list: project_id, round, lots, created_at, offered_at, left_at | kept | who came first must stay provable | waitingList.projectId, waitingList.round, waitingList.lots, waitingList.joinedAt, waitingList.offeredAt, waitingList.leftAt | they are the person's
waiting_list: id, user_id                    | kept    | without a name                                        | no | where it stands says it
refunds: payment_id, amount_kobo, reason, created_at | kept | the books                                      | refunds.paymentId, refunds.amount.kobo, refunds.reason, refunds.createdAt | they are the person's
refunds: taken_back_at, taken_back_reason    | kept    | the books                                             | refunds.takenBackAt, refunds.takenBackReason | they are the person's
refunds: id, user_id, made_by, request_id, taken_back_by | kept    | the books, without a name                             | no | who made it and took it back is somebody else's
payee_accounts: bank_code, bank_name, account_number, account_name, usable_from, created_at, replaced_at | kept | while money may still come; then deleted, or kept with the run that paid to it | payeeAccounts.bankCode, payeeAccounts.bankName, payeeAccounts.accountNumber, payeeAccounts.accountName, payeeAccounts.usableFrom, payeeAccounts.since, payeeAccounts.replacedAt | they are the person's
payee_accounts: id, user_id, farm_id, line_id, added_by, request_id | kept | with the account, without a name | no | where it stands says it; who entered it is somebody else's
payouts: kind, state, payment_id, project_id, project_title, round, amount_kobo, part, parts, reference, created_at, due_at, promised_by, sent_at, paid_at, failed_at, cancelled_at | kept | the books | payouts.kind, payouts.state, payouts.paymentId, payouts.projectId, payouts.project, payouts.round, payouts.amount.kobo, payouts.part, payouts.parts, payouts.reference, payouts.createdAt, payouts.dueAt, payouts.promisedBy, payouts.sentAt, payouts.paidAt, payouts.failedAt, payouts.cancelledAt | they are the person's
payouts: id, user_id, farm_id, former_user_id, refund_id, release_id, settlement_id, return_id, line_id, run_id, replaces_id, paid_by, paid_session_id, paid_reason, failed_reason, refusal_request_id, withheld_at, withheld_by, withheld_reason, let_go_request_id | kept | the books, without a name | no | how the books are kept; who paid by hand or withheld it, and why, is somebody else's
papers: kind, code, first_day, last_day, amount_kobo, content, created_at, replaced_at | kept | the books; what was given out must stay provable, with the name that it had | papers.kind, papers.code, papers.firstDay, papers.lastDay, papers.amount.kobo, papers.content, papers.createdAt, papers.replacedAt | they are the person's
papers: id, user_id, year, sequence, payment_id, refund_id, settlement_id, run_id, file_id, head_n, head_hash | kept | the books | no | the number says year and sequence; the rest is how the books are kept
payout_runs: made_by, approved_by, exported_by, given_by, voided_by | kept | an act in office, without a name | no | an act in office
payout_runs: id, state, own_account_id, payouts, total_kobo, lines_sha256, created_at, approved_at, alone_reason, exported_at, given_at, closed_at, voided_at, void_reason | kept | the books | no | an act in office; what came of it is in the payouts
payout_files: id, run_id, format, layout, columns, sha256, bytes, created_at | kept | what the bank got must stay provable; it has the names of accounts | no | the bank's record; what came of it is in the payouts
round_weights: project_id, round, weight_kobo | kept | the farm's harvests are shared by it | harvestWeights.projectId, harvestWeights.round, harvestWeights.weight.kobo | it is the person's part
round_weights: backing_id, user_id           | kept    | the books, without a name                             | no | where it stands says it
harvest_parts: harvest_id, weight_kobo, chosen_taken, chosen_given, chosen_sold, chosen_at, quantity, taken, given, sold, produce_kobo, code, collected_at, uncollected_at | kept | the books | harvestParts.harvestId, harvestParts.weight.kobo, harvestParts.chosen.taken.thousandths, harvestParts.chosen.given.thousandths, harvestParts.chosen.sold.thousandths, harvestParts.chosenAt, harvestParts.quantity.thousandths, harvestParts.taken.thousandths, harvestParts.given.thousandths, harvestParts.sold.thousandths, harvestParts.produceValue.kobo, harvestParts.code, harvestParts.collectedAt, harvestParts.uncollectedAt | they are the person's
harvest_parts: backing_id, user_id, collected_by | kept | the books, without a name                         | no | who handed it over is somebody else's
settlement_parts: settlement_id, weight, share_kobo, fee_kobo, vat_kobo, wht_kobo, net_kobo | kept | the books | settlements.id, settlements.weight, settlements.share.kobo, settlements.fee.kobo, settlements.vat.kobo, settlements.wht.kobo, settlements.net.kobo | they are the person's
settlement_parts: backing_id, user_id        | kept    | the books, without a name                             | no | where it stands says it
payment_strikes: reason, created_at | kept | the books | payments.struckReason, payments.struckAt | they are the person's
payment_strikes: payment_id, lost_kobo, project_id, round, backing_id | kept | the books | no | where it stands says it; what was lost is the company's
payment_strikes: id, user_id, request_id, struck_by | kept | the books, without a name | no | how the books are kept
settlement_strikes: net_kobo | kept | the books | settlements.struck.kobo | it is the person's
settlement_strikes: id, strike_id, settlement_id, backing_id, payout_id, user_id, share_kobo, fee_kobo, vat_kobo, wht_kobo, created_at | kept | the books | no | the payouts and papers say it
holder_changes: payment_id, project_id, project_title, round, cause, reason, created_at, until, outcome, ended_at, end_reason | kept | the books; why somebody else holds the lots must stay provable | holderChanges.paymentId, holderChanges.projectId, holderChanges.project, holderChanges.round, holderChanges.cause, holderChanges.reason, holderChanges.createdAt, holderChanges.until, holderChanges.outcome, holderChanges.endedAt, holderChanges.endReason | they are the person's
holder_changes: id, from_user_id, to_user_id, request_id, made_by, ended_by, backing_id | kept | the books, without a name | no | the file says which of the two they were; the other person's, acts in office, and how the books are kept
holder_change_payments: change_id, payment_id | kept | the books, without a name | no | the payments say it
payment_evidence: file_id, payment_id, added_by, created_at | kept | files by which two owners decided: they must stay provable | no | an act in office; they may be about other people
round_weights: struck_kobo | kept | the books | no | the notice says it
harvest_parts: struck_kobo | kept | the books | no | the notice says it
harvests: created_by                         | kept    | an act in office, without a name                      | no | an act in office
harvests: id, project_id, project_title, round, number, place, is_insurance, state, quantity, opened_quantity, lost_quantity, reference_price_kobo, note, created_at, updated_at, opened_at, chooses_until, allotted_at, farm_quantity, collects_until, done_at, lost_at, withdrawn_at, costs_lost_at, unwritten_lost_kobo, rest_lost_at, rest_lost_reason | kept | a farm's, not a person's | no | a farm's; the person's part of it is exported
settlements: settled_by, reversed_by         | kept    | an act in office, without a name                      | no | an act in office
settlements: id, harvest_id, number, pool, proceeds_kobo, costs_kobo, farm_costs_kobo, farm_kobo, net_kobo, fee_kobo, vat_kobo, wht_kobo, farm_quantity, fee_rate, vat_rate, wht_rate, farm_deducted_kobo, created_at, reversed_at, reversed_reason | kept | a farm's, not a person's | no | a farm's; the person's part of it is exported
harvest_costs: recorded_by, removed_by       | kept    | an act in office, without a name                      | no | an act in office
harvest_costs: id, harvest_id, label, amount_kobo, paid_by, request_id, created_at, removed_at | kept | a farm's, not a person's | no | a farm's, not a person's
harvest_sales: recorded_by, removed_by       | kept    | an act in office, without a name                      | no | an act in office
harvest_sales: id, harvest_id, pool, buyer, quantity, amount_kobo, created_at, declared_at, request_id, removed_at, taken_back_at, taken_back_request_id, lost_kobo | kept | the books; it may name who bought | no | a farm's, not a person's
harvest_files: added_by                      | kept    | an act in office, without a name                      | no | an act in office
harvest_files: id, harvest_id, purpose, cost_id, sale_id, file_id, idempotency_key, created_at | kept | a farm's, not a person's | no | a farm's, not a person's
farm_releases: made_by, taken_back_by        | kept    | an act in office, without a name                      | no | an act in office
round_returns: made_by, taken_back_by        | kept    | an act in office, without a name                      | no | an act in office
round_returns: id, project_id, project_title, round, amount_kobo, reason, request_id, created_at, taken_back_at, taken_back_reason | kept | a round's, not a person's | no | a round's, not a person's
farm_releases: id, project_id, project_title, round, part, ask_id, amount_kobo, request_id, public_reason, created_at, taken_back_at, taken_back_reason | kept | a farm's, not a person's | no | a farm's, not a person's
release_asks: asked_by, decided_by           | kept    | an act in office, without a name                      | no | an act in office
release_asks: id, project_id, round, part, note, created_at, verdict, decided_at, refusal, request_id | kept | a farm's, not a person's | no | a farm's, not a person's
release_skips: skipped_by                    | kept    | an act in office, without a name                      | no | an act in office
release_skips: id, project_id, round, part, reason, request_id, created_at, taken_back_at, taken_back_request_id | kept | a farm's, not a person's | no | a farm's, not a person's
project_rounds: decided_by                   | kept    | an act in office, without a name                      | no | an act in office
project_rounds: project_id, round, farm_id, lots, minimum_lots, lot_price_kobo, terms_version, approved_lots, held_lots, outcome, decided_at, opened_at, told_at, created_at | kept | a farm's, not a person's | no | a farm's, not a person's
owner_terms: id, user_id, since, until          | kept    | when somebody held the office, without a name         | no | an act in office
second_person_requests: requested_by, decided_by | kept | an act in office, without a name                 | no | an act in office
second_person_requests: id, kind, subject, details, reason, requested_at, decision, decided_at, is_alone | kept | the books, without a name; once decided or expired, of an account its last digits | no | about a farm, or about a payment that says the same
round_terms: written_by                      | kept    | an act in office, without a name                      | no | an act in office
round_terms: project_id, round, version, unit, planned_quantity, planned_price_kobo, planned_harvests, harvest_plan, first_harvest_on, farm_part_rate, deductible_costs, fee_rate, options, collection_place, choice_days, collection_days, insurance, release_parts, text, text_sha256, created_at | kept | a farm's, not a person's | no | a farm's, not a person's
ledger_entries: user_id                      | kept    | the books are append-only, and name nobody            | no | the payments and refunds say the same
ledger_entries: id, transaction_id, account, payment_id, project_id, round, own_account_id, line_id, payout_id, harvest_id, sale_id, amount_kobo | kept | the books | no | the payments and refunds say the same
project_payments: id, project_id, project_title, round, lots, terms_version, agreed_at, amount_kobo, reference, status, rejection_reason, decided_at, created_at | kept | the books | payments.id, payments.projectId, payments.project, payments.round, payments.lots, payments.termsVersion, payments.agreedAt, payments.amount.kobo, payments.reference, payments.status, payments.rejectionReason, payments.decidedAt, payments.createdAt | they are the person's
project_payments: review_by                  | kept    | the books                                             | payments.reviewBy | it was promised to the person
project_payments: site_terms                 | kept    | what was agreed to must stay provable                 | no | the agreements have it
project_payments: user_id, decided_by, current_receipt_id, updated_at | kept | the books, without a name  | no | who decided is somebody else's; the rest is how the books are kept
project_payments: refund_email               | kept    | of accounts that were closed before money due kept them open; cleared when the payment is decided | no | empty while the account stands
payment_receipts: sha256, created_at         | kept    | the books                                             | payments.receipts.sha256, payments.receipts.sentAt | they are the person's
payment_receipts: id, payment_id, user_id, file_id, idempotency_key | kept | the books, without a name           | no | how the books are kept
stored_files: bytes, original_name           | kept    | receipts and papers are books, a photo is of its farm | payments.receipts.bytes, payments.receipts.fileName | of receipts and résumés; photos are the farm's
stored_files: id, kind, storage_key, sha256, content_type, uploaded_by, created_at | kept | with the file, without a name | no | how the file is kept; a receipt's hash is with its payment
ledger_transactions: id, kind, payment_id, project_id, project_title, round, user_id, own_account_id, line_id, match_id, payout_id, release_id, return_id, holder_change_id, harvest_id, settlement_id, sale_id, actor_id, reverses_id, created_at | kept | the books are append-only, and name nobody | no | the payments say the same
own_accounts: created_by                     | kept    | an act in office, without a name                      | no | an act in office
own_accounts: id, bank_name, account_name, account_number, bank_code, is_active, mapping, day_order, opened_on, opening_kobo, charge_texts, created_at, updated_at, closed_at | kept | the site's, not a person's | no | the site's, not a person's
voids: made_by                               | kept    | an act in office, without a name                      | no | an act in office
voids: id, what, own_account_id, reason, request_id, created_at | kept | the site's, not a person's | no | the site's, not a person's
statements: imported_by                      | kept    | an act in office, without a name                      | no | an act in office
statements: id, own_account_id, void_id, file_id, file_name, sha256, bytes, format, first_day, last_day, lines, new_lines, pending_entries, failed_entries, reversed_entries, zero_entries, other_rows, opening_kobo, closing_kobo, gap_reason, created_at, matched_at | kept | the bank's record, not a person's | no | the bank's record, not a person's
statement_lines: narration, counterparty     | kept    | what the bank wrote stays as it wrote it; it may name who paid | no | the bank's record; what came of it is in the payments
statement_lines: id, own_account_id, void_id, statement_id, row, position, date, value_date, amount_kobo, balance_kobo, gap_kobo, bank_reference, customer_reference, session_id, is_reversal, reference, suggested_rule, fingerprint, repetition, matched_kobo, created_at | kept | the books | no | the bank's record; what came of it is in the payments
statement_line_texts: narration               | kept    | what the bank wrote stays as it wrote it; it may name who paid | no | the bank's record; what came of it is in the payments
statement_line_texts: id, line_id, bank_reference, fingerprint, created_at | kept | the books | no | the bank's record; what came of it is in the payments
line_matches: made_by, undone_by             | kept    | the books, without a name                             | no | an act in office; or their surplus's press, which their payments in the file tell
line_matches: id, line_id, kind, amount_kobo, payment_id, payout_id, harvest_id, sale_id, release_id, counter_line_id, credit_match_id, request_id, raised_kobo, receivable_kobo, rule, is_named, reason, created_at, undone_at, undone_reason | kept | the books | no | what came of them is in the payments

project_backings: project_id, created_at     | kept    | the farm's backers are counted                        | backings.projectId, backings.since | they are the person's
backing_weights: round, weight_kobo, reason  | kept    | the farm's harvests are shared by it                  | backings.weights.round, backings.weights.weight.kobo, backings.weights.reason | it is the person's part
backing_weights: backing_id                  | kept    | without a name                                        | no | where it stands says it
project_backings: id, user_id, granted_at, granted_by | kept | without a name                                   | no | who granted it is somebody else's
project_favorites: project_id, created_at    | deleted | of no use to anybody else                             | favorites.projectId, favorites.since | they are the person's
project_favorites: user_id                   | deleted | with the favorite                                     | no | where it stands says it
saved_searches: name, filters, told_until, stopped_at, created_at | deleted | nobody is left to be told                      | savedSearches.name, savedSearches.filters, savedSearches.toldUntil, savedSearches.stoppedAt, savedSearches.since | they are the person's
saved_searches: id, user_id                  | deleted | with the search                                       | no | where it stands says it
project_messages: project_id, content, is_private, created_at | kept | part of a conversation with others, without the name | messages.projectId, messages.content, messages.isPrivate, messages.createdAt | they are the person's
project_messages: recipient_id                | kept   | without a name                                         | no | where it stands says it: answers
project_messages: no_answer_at, no_answer_by  | kept   | an act in office, without a name                       | no | an act in office
project_messages: id, user_id, is_admin_reply, answers_id, idempotency_key | kept | with the message                        | no | where it stands says it

admin_invites: email, full_name, role, created_at, expires_at, consumed_at | deleted | an accepted one has done its work; one that waits is an owner's to take back | invitations.email, invitations.fullName, invitations.role, invitations.createdAt, invitations.expiresAt, invitations.acceptedAt | they are the person's, if the address is proved
admin_invites: id, status, token_hash, invited_by | deleted | with the invitation                              | no | a secret, and somebody else's act
farm_invites: email, full_name, role, created_at, expires_at, consumed_at, revoked_at | deleted | one that was accepted or taken back has done its work | farmInvitations.email, farmInvitations.fullName, farmInvitations.role, farmInvitations.createdAt, farmInvitations.expiresAt, farmInvitations.acceptedAt, farmInvitations.revokedAt | they are the person's, if the address is proved
farm_invites: id, farm_id, token_hash, invited_by | deleted | with the invitation                          | no | a secret, somebody else's act, and where it stands
farm_people: role, created_at, farm_id       | kept    | who reported for a farm must stay known, without a name | farmWork.role, farmWork.since, farmWork.farmId | they are the person's
farm_people: ended_at                        | set     | rights on a farm end with the account                 | farmWork.endedAt | it is the person's
farm_people: id, user_id, invited_by, ended_by | kept  | without a name                                        | no | where it stands says it; acts in office
farm_past: entered_by, decided_by            | kept    | without a name                                        | no | acts for a farm and in office
farm_past: id, farm_id, from_year, to_year, farmed, outcome, unit, planned, harvested, paid_by, evidence, created_at, state, decided_at, reason | kept | the farm's, not a person's | no | the farm's, not a person's
farm_reports: project_id, round, number, sent_at, content, farm_note | kept | the farm's record, without a name | sentReports.projectId, sentReports.round, sentReports.number, sentReports.sentAt, sentReports.content, sentReports.farmNote | they are the person's words
farm_reports: sent_by, published_by, excused_by | kept  | without a name                                        | no | where it stands says it; acts in office
farm_reports: id, due_at, code, idempotency_key, first_sent_at, sent_link_id, sent_back_at, sent_back_note, published_at, is_code_seen, update_id, excused_at, excuse, created_at | kept | the farm's, not a person's | no | the farm's, not a person's
report_asks: project_id, round, number, created_at | kept | how many asked stays known, without a name        | reportAsks.projectId, reportAsks.round, reportAsks.number, reportAsks.askedAt | they are the person's
report_asks: user_id                         | kept    | without a name                                        | no | where it stands says it
report_plans: written_by                     | kept    | an act in office, without a name                      | no | an act in office
report_plans: project_id, round, version, template, every_days, weekday, ends_on, figures, created_at | kept | the farm's, not a person's | no | the farm's, not a person's
report_links: made_by                        | kept    | an act in office, without a name                      | no | an act in office
report_links: id, project_id, token_hash, label, expires_at, revoked_at, created_at | kept | who reported, as the link's maker called them | no | somebody else's words; a secret
photo_findings: decided_by                   | kept    | an act in office, without a name                      | no | an act in office
photo_findings: id, file_id, kind, other_file_id, distance, verdict, decided_at, created_at | kept | the photo's, not a person's | no | the photo's, not a person's
site_profiles: written_by                    | kept    | an act in office, without a name                      | no | an act in office
site_profiles: version, name, legal_name, tagline, company_number, address, phone, whatsapp, support_email, regulator_note, reference_prefix, paper_prefix, color, shades, mark_file_id, created_at | kept | the site's, not a person's | no | the site's, not a person's
site_pages: written_by                       | kept    | an act in office, without a name                      | no | an act in office
agreed_texts: sha256, page, version, html, created_at | kept | the site's words, not a person's | no | the site's words, not a person's
site_pages: page, version, html, is_material, change_note, in_force_from, created_at | kept | the site's, not a person's | no | the site's, not a person's
mail_proofs: asked_by                        | kept    | an act in office, without a name                      | no | an act in office
mail_proofs: id, code_hash, sent_to, proven_at, created_at | kept | an address of the office                      | no | an address of the office
testimonials: written_by                     | kept    | an act in office, without a name                      | no | an act in office
testimonials: id, name, backed, words, photo_file_id, agreement, hidden_at, created_at | kept | they agreed to stand there; an owner hides it when they ask | no | the page shows it
consents: kind, text_sha256, created_at      | kept    | what was agreed to must stay provable                 | agreements.kind, agreements.textSha256, agreements.agreedAt | they are the person's
consents: id, user_id                        | kept    | what was agreed to must stay provable, without a name | no | where it stands says it
settings: updated_by                         | kept    | an act in office, without a name                      | no | an act in office
settings: id, key, value, description, updated_at | kept | the site's, not a person's                           | no | the site's, not a person's
audit_logs: id, action_type, user_id, user_email, details, ip_address, created_at | kept | acts in office must stay provable: nobody can change the log, closing included; of an account it has the last digits | no | acts in office, which name others too; on request
job_applications: full_name, email, phone, position, cover_letter, created_at | kept | came without the account; deleted when asked | jobApplications.fullName, jobApplications.email, jobApplications.phone, jobApplications.position, jobApplications.coverLetter, jobApplications.createdAt | theirs, if the address is proved
job_applications: id, resume_file_id, status, idempotency_key | kept | with the application                      | no | how it is handled
contact_messages: name, email, phone, message, created_at | kept | came without the account; deleted when asked | contactMessages.name, contactMessages.email, contactMessages.phone, contactMessages.message, contactMessages.createdAt | theirs, if the address is proved
contact_messages: id, read_at, idempotency_key | kept  | with the message                                      | no | how it is handled
`;

/** Tables that say nothing about a person, and why that is sure. */
const impersonal: Record<string, string> = {
  setup_codes: "hashes of codes that open the set-up of an empty site",
  projects: "a farm; its creator is the name of an organisation",
  farms: "a farm; who visited it is named as backers read it, by whoever is in office",
  project_updates: "written for the site by whoever is in office, unnamed",
  project_media: "pictures of a farm",
  update_photos: "pictures of a farm",
  release_proofs: "pictures and papers of a farm",
  farm_past_files: "pictures and papers of a farm",
  photo_prints: "how pictures of a farm look",
  report_figures: "figures of a farm",
  alarms: "names rows by id only",
  sign_in_counters: "its keys are keyed hashes, and expire within a day",
  payout_run_lines: "names payouts and accounts by id only",
  ledger_heads: "hashes of the ledger",
  paper_counters: "counts papers of a kind and year",
  settlement_costs: "names costs and settlements by id only",
  used_challenges: "random ids for ten minutes",
};

/** The queue's own table: only jobs that mail an account's link hold an address. */
const ofTheQueue = "jobs.job.data: the address of a link that was asked for, deleted an hour after it was mailed";

type Fate = "deleted" | "expires" | "cleared" | "kept" | "set";
type Line = { table: string; columns: string[]; fate: Fate; paths: string[] | null };

const lines: Line[] = personalData
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => {
    const [what = "", fate = "", why, exported = "", whyExported, ...rest] = line.split("|").map((cell) => cell.trim());
    if (!why || !whyExported || rest.length > 0) throw new Error(`a line of five cells, please: ${line}`);
    const [table = "", names = ""] = what.split(":");
    const list = (text: string) => text.split(",").map((name) => name.trim());
    const [columns, paths] = [list(names), exported === "no" ? null : list(exported)];
    if (paths && paths.length !== columns.length) throw new Error(`as many places as columns, please: ${line}`);
    return { table, columns, fate: fate as Fate, paths };
  });
const lineOf = (table: string, column: string) =>
  lines.find((line) => line.table === table && line.columns.includes(column));

const tables = Object.values(
  import.meta.glob<Record<string, unknown>>("../../src/server/db/schema/*.ts", { eager: true }),
).flatMap((module) => Object.values(module).filter((value) => is(value, PgTable)));

describe("the table of personal data", () => {
  const listed = new Set(lines.map(({ table }) => table));

  test("has every table that may name a person", () => {
    const missing = tables
      .map(getTableName)
      .filter((table) => !listed.has(table) && !(table in impersonal))
      .map((table) => `${table} is new: say in the table above what becomes of it, or why it names nobody`);
    expect(missing).toEqual([]);
    const pointing = tables
      .filter((table) => !listed.has(getTableName(table)))
      .filter((table) => getTableConfig(table).foreignKeys.some((key) => key.reference().foreignTable === users));
    expect(pointing.map((table) => `${getTableName(table)} points to users: it needs lines above`)).toEqual([]);
  });

  test.each([...listed])("has every column of %s, once, and none that is gone", (name) => {
    const table = tables.find((one) => getTableName(one) === name);
    const columns = table ? getTableConfig(table).columns.map((column) => column.name) : [];
    const missing = columns.filter((column) => !lineOf(name, column));
    const say = (column: string) =>
      `${name}.${column} is new: say in the table above what becomes of it when the account is closed (removePerson), whether it is in the export (writeMyData), and why; then make both true`;
    expect(missing.map(say)).toEqual([]);
    const told = lines.filter((line) => line.table === name).flatMap((line) => line.columns);
    expect(told.sort()).toEqual(columns.sort());
  });
});

const deps = await openTestDeps();
const address = "zainab-canary@example.com";
/** The secret of the person's second factor. */
const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const browser = { userAgent: "Mozilla/5.0 (Canary) Firefox/145.0", ipAddress: "203.0.113.77" };

type Row = Record<string, unknown>;
type Snapshot = Map<string, Row[]>;
let person: TestUser;
let data: unknown;
let before: Snapshot;
let atOnce: Snapshot;
let later: Snapshot;

/** Texts that only this person's rows have, and the id. */
const names = (value: unknown) => {
  const text = JSON.stringify(value)?.toLowerCase() ?? "";
  return text.includes("canary") || text.includes(browser.ipAddress) || text.includes(person.id);
};

/** Every row of every table, of the queue too, that names the person. */
async function readAll(): Promise<Snapshot> {
  const found = await rows<{ schema: string; name: string }>(
    deps.db,
    sql`select relnamespace::regnamespace::text as schema, relname::text as name from pg_class
      where relkind in ('r', 'p') and not relispartition
        and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const snapshot: Snapshot = new Map();
  for (const { schema, name } of found) {
    const all = await rows<{ row: Row }>(
      deps.db,
      sql`select to_jsonb(t) as row from ${sql.identifier(schema)}.${sql.identifier(name)} t`,
    );
    snapshot.set(
      schema === "public" ? name : `${schema}.${name}`,
      all.map(({ row }) => row),
    );
  }
  return snapshot;
}

const rowsAbout = (snapshot: Snapshot, table: string) => (snapshot.get(table) ?? []).filter(names);

/** Finds a row again in another snapshot, by its primary key. */
function sameRow(snapshot: Snapshot, name: string, row: Row): Row | undefined {
  const table = tables.find((one) => getTableName(one) === name);
  if (!table) throw new Error(`no table ${name}`);
  const { columns, primaryKeys } = getTableConfig(table);
  const key = [...columns.filter(({ primary }) => primary), ...primaryKeys.flatMap((made) => made.columns)];
  return snapshot.get(name)?.find((other) => key.every((column) => other[column.name] === row[column.name]));
}

async function sendWaiting() {
  const waiting = await deps.db
    .select({ id: outgoingMails.id })
    .from(outgoingMails)
    .where(isNull(outgoingMails.sentAt));
  for (const { id } of waiting) await sendQueuedMail(deps, id);
}

/**
 * Gives money due and held lots to somebody else, because they would keep an account from being closed.
 */
async function giveOpenAffairs({ from, to }: Record<"from" | "to", TestUser>): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const isOpen = and(eq(payouts.userId, from.id), eq(payouts.state, "due"));
    await tx.update(payouts).set({ userId: to.id }).where(isOpen);
    await tx
      .update(holds)
      .set({ userId: to.id })
      .where(and(eq(holds.userId, from.id), eq(holds.state, "live")));
  });
}

/** The person wrote what the site says of its operator, and agreed to its terms. */
async function runSite(userId: string): Promise<void> {
  const { db, clock } = deps;
  const [by, textSha256] = [{ writtenBy: userId, createdAt: clock.now() }, "c".repeat(64)];
  const { key: storageKey, ...file } = await storeReceiptFile(deps);
  const [mark] = await db
    .insert(storedFiles)
    .values({ ...file, storageKey, kind: "mark", originalName: "mark.png" })
    .returning({ id: storedFiles.id });
  const shown = { companyNumber: "RC 123456", address: "Epe", phone: "+2348012345678", whatsapp: "+2348012345678" };
  const look = { color: "#1d6b2f", shades: Array.from({ length: 10 }, () => "#1d6b2f"), markFileId: mark?.id ?? null };
  const {
    look: _look,
    publicUrl: _publicUrl,
    hasCareers: _hasCareers,
    reviewDays: _reviewDays,
    reviewTime: _reviewTime,
    markPath: _markPath,
    ...profile
  } = gona;
  await db.insert(siteProfiles).values({ ...profile, version: 2, ...shown, regulatorNote: "canary", ...look, ...by });
  const text = { page: "terms" as const, version: 1, html: "<p>canary</p>" };
  const change = { isMaterial: true, changeNote: "canary", inForceFrom: clock.now() };
  await db.insert(sitePages).values({ ...text, ...change, ...by });
  await db.insert(agreedTexts).values({ ...text, sha256: textSha256 });
  await db.insert(consents).values({ userId, kind: "sign_up", textSha256 });
  await db.update(paymentReferences).set({ siteTerms: textSha256 });
  await db.update(projectPayments).set({ siteTerms: textSha256 });
  const proof = { codeHash: textSha256, sentTo: "canary@gona.example", askedBy: userId, provenAt: clock.now() };
  await db.insert(mailProofs).values(proof);
  const said = { name: "Canary", backed: "canary", words: "canary", agreement: "canary" };
  await db.insert(testimonials).values({ ...said, photoFileId: mark?.id ?? null, hiddenAt: clock.now(), ...by });
}

/** The person imported a statement that names them as a payer, explained lines of it and took an explanation back. */
async function importAsOwner(paymentId: number): Promise<void> {
  const { db, clock } = deps;
  const at = clock.now();
  const [importedBy, accountNumber] = [person.id, "0123456789"];
  const account = await openOwnAccount(deps, { importedBy, accountNumber, openingKobo: 100n });
  const other = await openOwnAccount(deps, { importedBy, accountNumber: "9876543210" });
  const named = {
    narration: "NIP/ZAINAB CANARY",
    counterparty: "ZAINAB CANARY",
    bankReference: "S1",
    reference: "GONA-1",
  };
  const found = {
    customerReference: "C1",
    sessionId: "0".repeat(30),
    suggestedRule: "other_amount" as const,
    gapKobo: 1n,
    valueDate: "2026-11-05",
  };
  const paidIn = await keepLine(deps, account, { amountKobo: 100n, balanceKobo: 200n, ...named, ...found });
  const paidOut = await keepLine(deps, other, { amountKobo: -100n, ...named });
  await deps.db
    .insert(statementLineTexts)
    .values({ ...named, lineId: paidIn.id, bankReference: "B1", fingerprint: "other" });
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const mapping = { titles: [], date: 0, valueDate: null, narration: 1, reference: null, balance: null };
    await tx.update(ownAccounts).set({
      createdBy: person.id,
      bankCode: "058",
      dayOrder: "day_first" as const,
      mapping: { ...mapping, money: { kind: "one_column", amount: 2, mark: null }, dayOrder: "by_file" },
    });
    await tx.update(statements).set({ closingKobo: 200n, openingKobo: 100n, gapReason: "canary: a holiday" });
    await tx.update(ownAccounts).set({ closedAt: at }).where(eq(ownAccounts.id, other.id));
    const voiding = { what: "line" as const, ownAccountId: other.id, reason: "canary: no such line", requestId: 1 };
    const [voided] = await tx
      .insert(voids)
      .values({ ...voiding, madeBy: person.id, createdAt: at })
      .returning({ voidId: voids.id });
    const isVoid = { ownAccountId: null, voidId: voided?.voidId };
    await tx.update(statements).set(isVoid).where(eq(statements.ownAccountId, other.id));
    await tx.update(statementLines).set(isVoid).where(eq(statementLines.id, paidOut.id));
    const undone = { undoneAt: at, undoneBy: person.id, undoneReason: "canary: the wrong one" };
    const made = {
      lineId: paidIn.id,
      amountKobo: 100n,
      rule: "our_reference" as const,
      reason: "canary",
      madeBy: person.id,
      ...undone,
    };
    const matches = await tx
      .insert(lineMatches)
      .values([
        { ...made, kind: "own_transfer", counterLineId: paidOut.id },
        { ...made, kind: "payment", paymentId },
        { ...made, kind: "payout", payoutId: 1 },
        { ...made, kind: "farm_paid_back", releaseId: 1 },
        { ...made, kind: "sale", saleId: 1, raisedKobo: 1n, receivableKobo: 1n },
      ])
      .returning();
    await tx.update(ledgerTransactions).set({ actorId: person.id }).where(isNull(ledgerTransactions.paymentId));
    const matchIds = matches.map(({ id: matchId }) => ({ kind: "match" as const, matchId, actorId: person.id }));
    await tx.insert(ledgerTransactions).values(matchIds);
    await tx.update(refunds).set({ takenBackAt: at, takenBackBy: person.id, takenBackReason: "canary: it fits now" });
  });
}

/** A payout of the person was paid by hand and failed, another was cancelled; in office they paid a farm and made runs. */
async function payOut(ofPerson: { paymentId: number; refundId: number }): Promise<void> {
  const at = deps.clock.now();
  const by = person.id;
  await inTransaction(deps.db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const made = { ownAccountId: 1, payouts: 1, totalKobo: 1n, linesSha256: "canary-lines", madeBy: by, createdAt: at };
    const voided = { state: "void" as const, voidedBy: by, voidedAt: at, voidReason: "canary: the wrong day" };
    const approved = { approvedBy: by, approvedAt: at, aloneReason: "canary: alone here" };
    const closed = { state: "closed" as const, exportedBy: by, exportedAt: at, closedAt: at, givenBy: by, givenAt: at };
    await tx.insert(payoutRuns).values({ ...made, ...voided });
    const [run] = await tx
      .insert(payoutRuns)
      .values({ ...made, ...approved, ...closed })
      .returning();
    const runId = run?.id ?? 0;
    const bytes = Buffer.from("Zainab");
    await tx.insert(payoutFiles).values({
      runId,
      format: "csv",
      columns: [{ title: "canary", field: "reference" }],
      bytes,
      createdAt: at,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
    const farm = { projectId: 1, projectTitle: "canary", round: 1, amountKobo: 1n, createdAt: at };
    const takenBack = { takenBackAt: at, takenBackBy: by, takenBackReason: "canary: too early" };
    const ofPart = { projectId: 1, round: 1, part: 1, requestId: 1, createdAt: at };
    const refused = {
      verdict: "refused" as const,
      decidedBy: by,
      decidedAt: at,
      refusal: "canary: no receipt is there",
    };
    const [ask] = await tx
      .insert(releaseAsks)
      .values({ ...ofPart, note: "canary: chicks came", askedBy: by, ...refused })
      .returning();
    const skip = { reason: "canary: not needed", skippedBy: by, takenBackAt: at, takenBackRequestId: 1 };
    await tx.insert(releaseSkips).values({ ...ofPart, ...skip });
    const released = { part: 1, askId: ask?.id, requestId: 1, publicReason: "canary: it was ill" };
    const [release] = await tx
      .insert(farmReleases)
      .values({ ...farm, ...released, madeBy: by, ...takenBack })
      .returning();
    const [returned] = await tx
      .insert(roundReturns)
      .values({ ...farm, reason: "canary: flooded", requestId: 1, madeBy: by, ...takenBack })
      .returning();
    const returnId = returned?.id;
    const part = { part: 1, parts: 1, createdAt: at };
    const due = { dueAt: at, promisedBy: at };
    const paid = { sentAt: at, paidAt: at, paidBy: by, paidSessionId: "9".repeat(30), paidReason: "canary: seen" };
    const own = { ...farm, ...part, ...due, kind: "refund" as const, userId: by, ...ofPerson };
    const failing = {
      ...own,
      ...paid,
      runId,
      failedAt: at,
      failedReason: "canary: name differs",
      refusalRequestId: 1,
      withheldAt: at,
      withheldBy: by,
      withheldReason: "canary: withheld",
      letGoRequestId: 1,
    };
    const [failed] = await tx
      .insert(payouts)
      .values({ ...failing, state: "failed", reference: "GP-CANARY-1" })
      .returning();
    const cancelled = { state: "cancelled" as const, cancelledAt: at };
    await tx.insert(payouts).values([
      { ...own, ...cancelled, replacesId: failed?.id, reference: "GP-CANARY-2" },
      {
        ...farm,
        ...part,
        ...cancelled,
        kind: "farm",
        farmId: 1,
        releaseId: release?.id,
        reference: "GP-CANARY-3",
      },
      {
        ...own,
        ...cancelled,
        kind: "returned",
        refundId: null,
        returnId,
        formerUserId: crypto.randomUUID(),
        reference: "GP-CANARY-4",
      },
    ]);
    await tx.insert(ledgerTransactions).values([
      { kind: "payout_sent", payoutId: failed?.id, actorId: by },
      { kind: "farm_release", releaseId: release?.id, actorId: by },
      { kind: "round_return", returnId, actorId: by },
    ]);
    const [request] = await tx
      .insert(secondPersonRequests)
      .values({
        kind: "set_farm_account",
        subject: "1",
        reason: "The farm's letter names it.",
        details: { farmId: 1 },
        requestedBy: by,
        requestedAt: at,
        decision: "confirmed",
        decidedBy: by,
        decidedAt: at,
        isAlone: true,
      })
      .returning({ id: secondPersonRequests.id });
    await tx.insert(payeeAccounts).values({
      farmId: 1,
      bankCode: "044",
      bankName: "Access Bank",
      accountNumber: "0690000032",
      accountName: "Canary",
      usableFrom: at,
      addedBy: by,
      requestId: request?.id ?? 0,
      createdAt: at,
      replacedAt: at,
    });
  });
}

/** The year of papers that are written only to fill their columns. */
const paperYear = 2025;

/** Writes a farm's harvests that the person kept in office, and a part of one that is their own. */
async function harvest(): Promise<void> {
  const at = deps.clock.now();
  const by = person.id;
  await inTransaction(deps.db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const part = { backingId: 1, userId: by, weightKobo: 100n };
    await tx.insert(roundWeights).values({ projectId: 77, round: 1, ...part });
    const farm = { projectId: 77, projectTitle: "canary", round: 1, isInsurance: false, createdBy: by };
    const facts = { quantity: 100n, referencePriceKobo: 100n, note: "canary", createdAt: at, updatedAt: at };
    const opened = {
      openedAt: at,
      openedQuantity: 100n,
      choosesUntil: at,
      allottedAt: at,
      farmQuantity: 0n,
      collectsUntil: at,
    };
    const [done] = await tx
      .insert(harvests)
      .values({
        ...farm,
        ...facts,
        ...opened,
        number: 1,
        place: 1,
        state: "done",
        doneAt: at,
        restLostAt: at,
        restLostReason: "canary",
      })
      .returning();
    const harvestId = done?.id ?? 0;
    await tx.insert(harvests).values([
      { ...farm, ...facts, number: 2, place: 2, state: "lost", lostAt: at, costsLostAt: at },
      { ...farm, ...facts, number: 3, state: "withdrawn", withdrawnAt: at },
    ]);
    const chosen = { chosenTaken: 40n, chosenGiven: 10n, chosenSold: 50n, chosenAt: at };
    const allotted = { quantity: 100n, taken: 40n, given: 10n, sold: 50n, produceKobo: 4n, code: "123456" };
    await tx.insert(harvestParts).values([
      { harvestId, ...part, ...chosen, ...allotted, collectedAt: at, collectedBy: by },
      { harvestId: harvestId + 1, ...part, ...chosen, ...allotted, uncollectedAt: at },
    ]);
    const removed = { removedAt: at, removedBy: by };
    const cost = { harvestId, label: "Feed", amountKobo: 1n, paidBy: "farm" as const, recordedBy: by, ...removed };
    await tx.insert(harvestCosts).values({ ...cost, requestId: 1, createdAt: at });
    const sale = { harvestId, pool: "sold" as const, buyer: "canary", quantity: 1n, amountKobo: 1n, recordedBy: by };
    await tx.insert(harvestSales).values([
      { ...sale, ...removed, createdAt: at },
      { ...sale, declaredAt: at, requestId: 1, createdAt: at },
      { ...sale, takenBackAt: at, takenBackRequestId: 1, createdAt: at },
    ]);
    const file = { harvestId, addedBy: by, createdAt: at };
    await tx.insert(harvestFiles).values([
      { ...file, purpose: "cost", costId: 1, fileId: crypto.randomUUID(), idempotencyKey: crypto.randomUUID() },
      { ...file, purpose: "sale", saleId: 1, fileId: crypto.randomUUID(), idempotencyKey: crypto.randomUUID() },
    ]);
    const sums = { proceedsKobo: 10n, costsKobo: 0n, farmCostsKobo: 0n, farmKobo: 0n, farmQuantity: 0n };
    const gave = { feeKobo: 1n, vatKobo: 1n, whtKobo: 1n, netKobo: 7n };
    const rates = { feeRate: 500, vatRate: 750, whtRate: 0 };
    const reversed = { reversedAt: at, reversedBy: by, reversedReason: "canary: a wrong price" };
    const [settled] = await tx
      .insert(settlements)
      .values({
        harvestId,
        number: 1,
        pool: "sold",
        ...sums,
        ...gave,
        ...rates,
        settledBy: by,
        createdAt: at,
        ...reversed,
      })
      .returning();
    const settlementId = settled?.id ?? 0;
    await tx
      .insert(settlementParts)
      .values({ settlementId, backingId: 1, userId: by, weight: 50n, shareKobo: 10n, ...gave });
    const isTheirs = eq(projectPayments.userId, by);
    const [paid] = await tx.select({ id: projectPayments.id }).from(projectPayments).where(isTheirs).limit(1);
    const struck = {
      paymentId: paid?.id ?? 0,
      userId: by,
      projectId: 1,
      round: 1,
      backingId: 1,
      lostKobo: 1n,
      reason: "canary: never came",
    };
    const [strike] = await tx
      .insert(paymentStrikes)
      .values({ ...struck, requestId: 1, struckBy: by })
      .returning();
    await tx
      .insert(settlementStrikes)
      .values({ strikeId: strike?.id ?? 0, settlementId, backingId: 1, userId: by, shareKobo: 10n, ...gave });
    const change = {
      paymentId: 1_000_000,
      projectId: 1,
      projectTitle: "canary farm",
      round: 1,
      fromUserId: by,
      toUserId: crypto.randomUUID(),
      cause: "gift" as const,
      reason: "canary: given to a cousin",
      requestId: 1,
      madeBy: by,
      createdAt: at,
      until: new Date(at.getTime() + 1000),
      endedAt: new Date(at.getTime() + 1000),
    };
    await tx.insert(holderChanges).values([
      { ...change, outcome: "carried_out", backingId: 1 },
      { ...change, requestId: 2, outcome: "stopped", endedBy: by, endReason: "canary: nothing passed" },
    ]);
    await tx.insert(holderChangePayments).values({ changeId: 1, paymentId: 1_000_000 });
    await tx.insert(paymentEvidence).values({ fileId: crypto.randomUUID(), paymentId: 1_000_000, addedBy: by });
    const content = { title: "canary", facts: [{ label: "For", value: "Zainab Canary" }], tables: [], notes: [] };
    const paper = { year: paperYear, userId: by, amountKobo: 7n, content, createdAt: at, replacedAt: at };
    await tx.insert(papers).values([
      { ...paper, kind: "settlement", sequence: 1, code: "CANARY0000000001", settlementId },
      {
        ...paper,
        kind: "statement",
        sequence: 1,
        code: "CANARY0000000002",
        fileId: crypto.randomUUID(),
        firstDay: "2025-01-01",
        lastDay: "2025-12-31",
      },
    ]);
  });
}

/** Takes away what was written into the books only to fill their columns. */
async function emptyBooks(): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.delete(lineMatches);
    await tx.delete(papers).where(eq(papers.year, paperYear));
    await tx.delete(payouts).where(like(payouts.reference, "GP-CANARY-%"));
    for (const table of [payoutFiles, payoutRuns, farmReleases, releaseSkips, roundReturns]) await tx.delete(table);
    for (const table of [settlementStrikes, paymentStrikes]) await tx.delete(table);
    for (const table of [holderChanges, holderChangePayments, paymentEvidence]) await tx.delete(table);
    for (const table of [settlementParts, settlements, harvestFiles, harvestSales, harvestCosts])
      await tx.delete(table);
    for (const table of [harvestParts, harvests, roundWeights]) await tx.delete(table);
    await tx
      .delete(ledgerTransactions)
      .where(inArray(ledgerTransactions.kind, ["match", "payout_sent", "farm_release", "round_return"]));
    for (const table of ["statements", "statement_lines"])
      await tx.execute(sql`update ${sql.identifier(table)} t set void_id = null, own_account_id = v.own_account_id
        from voids v where v.id = t.void_id`);
    await tx.delete(voids);
    await tx.update(statementLines).set({ gapKobo: null });
    await tx.update(refunds).set({ takenBackAt: null, takenBackBy: null, takenBackReason: null });
  });
}

/** An account with something in every column: a backer, later an administrator, who leaves. */
beforeAll(async () => {
  const { db, clock } = deps;
  const at = clock.now();
  const owner = await createAdmin(db, "owner");
  person = await createUser(db, { email: address, fullName: "Zainab Canary", lastActivityAt: at });
  const userId = person.id;
  const { project } = await createPayment(deps, { backer: person, owner, status: "approved" });
  const { payment: rejected } = await createPayment(deps, { backer: person, owner });
  await decide(deps, owner, { paymentId: rejected.id, status: "rejected", reason: "canary: not on our statement" });
  const { payment: ofClosed } = await createPayment(deps, { owner });
  await db
    .update(projectPayments)
    .set({ refundEmail: "canary-refund@example.com" })
    .where(eq(projectPayments.id, ofClosed.id));
  await db.update(storedFiles).set({ originalName: "canary-receipt.png" });

  const { id: givenProject } = await createProject(db);
  const canaryGrant = { projectId: givenProject, userId, grantedAt: at, createdAt: at };
  const [granted] = await db.insert(projectBackings).values(canaryGrant).returning({ id: projectBackings.id });
  const canaryWeight = { round: 1, weightKobo: 5_000_000n, reason: "canary: lent a tractor" };
  await db.insert(backingWeights).values({ backingId: granted?.id ?? 0, ...canaryWeight });
  const part = { weightKobo: "5000000", seenKobo: "0" };
  await db.insert(secondPersonRequests).values({
    kind: "set_weight",
    subject: `${givenProject}/${userId}/1`,
    reason: "They lent us a tractor.",
    details: { projectId: givenProject, userId, round: 1, ...part },
    requestedBy: owner.id,
    requestedAt: at,
    decision: "confirmed",
    decidedAt: at,
    decidedBy: owner.id,
    isAlone: true,
  });
  await db.update(projects).set({ backersCount: 1 }).where(eq(projects.id, givenProject));

  const missed = await createProject(db, { lots: 4 });
  await createPayment(deps, { backer: person, owner, project: missed, status: "approved" });
  await (await callAs(deps, owner)).projects.close({ projectId: missed.id });
  await decideOnRound(await contextOf(deps, person), {
    projectId: missed.id,
    outcome: "not_funded",
    seenApprovedLots: 1,
  });

  const { id: heldProject } = await createProject(db, { lots: 4 });
  await db.transaction(async (tx) => {
    const held = { projectId: heldProject, round: 1, userId, lots: 1, createdAt: at };
    const ended = { ...held, state: "ended" as const, endedAt: at, endedBy: userId, endReason: "canary: needed" };
    const live = {
      ...held,
      until: new Date("2099-01-01"),
      reference: "GONA-HELD",
      untilBeforeReceipt: at,
      warnedAt: at,
    };
    await tx.insert(holds).values(ended);
    await tx.insert(holds).values(live);
    await tx.update(projectRounds).set({ heldLots: 1 }).where(eq(projectRounds.projectId, heldProject));
  });
  await db.insert(secondPersonRequests).values({
    kind: "write_off",
    subject: `${project.id}/1`,
    details: { projectId: project.id, round: 1 },
    reason: "canary: the pens were flooded",
    requestedBy: userId,
    requestedAt: at,
    decision: "withdrawn",
    decidedBy: userId,
    decidedAt: at,
  });
  const entry = { projectId: project.id, round: 1, userId, lots: 1, joinedAt: at };
  await db.insert(waitingList).values([
    { ...entry, offeredAt: at },
    { ...entry, leftAt: at },
  ]);

  const caller = await callAs(deps, person, browser);
  await caller.messages.send({ projectId: project.id, content: "canary: how are the snails?", idempotencyKey: userId });
  const given = { bankCode: "044", accountName: "Zainab Canary", currentPassword: testPassword };
  await caller.payeeAccounts.set({ ...given, accountNumber: "0690000032" });
  await caller.payeeAccounts.set({ ...given, accountNumber: "0690000049" });
  const [due] = await db.select().from(refunds).where(eq(refunds.userId, userId));
  await payOut({ paymentId: due?.paymentId ?? 0, refundId: due?.id ?? 0 });
  await harvest();
  const administrator = await callAs(deps, owner);
  const answer = { projectId: project.id, content: "canary: well", idempotencyKey: owner.id };
  await administrator.messages.send(answer);
  const [question] = await db.select().from(projectMessages).where(eq(projectMessages.userId, userId));
  const only = { projectId: project.id, content: "canary: come on Friday", answersId: question?.id ?? 0 };
  await administrator.messages.send({ ...only, idempotencyKey: crypto.randomUUID() });
  await administrator.messages.dismiss({ messageId: question?.id ?? 0 });
  await caller.users.requestEmailChange({ email: "new-canary@example.com", currentPassword: testPassword });
  await db.execute(sql`update email_tokens set used_at = now()`);
  const own = { userId, createdAt: at };
  await db.insert(projectFavorites).values({ ...own, projectId: project.id });
  await caller.savedSearches.save({ name: "Canary search", filters: { search: "canary" } });
  await db.update(savedSearches).set({ stoppedAt: at });
  await db.update(projectRounds).set({ toldAt: at });
  await db.insert(notificationOptOuts).values({ ...own, kind: "project_update" });
  await db.insert(identities).values({ ...own, provider: "google", subject: "canary-subject", email: address });
  await db.insert(twoFactors).values({
    ...own,
    encryptedSecret: encryptTwoFactorSecret({ appSecret: deps.appSecret, userId }, secret),
    confirmedAt: at,
    lastUsedStep: "1",
  });
  await db.insert(recoveryCodes).values({ userId, codeHash: "canary-code-hash", usedAt: at });
  await db
    .insert(knownDevices)
    .values({ ...own, deviceHash: "canary-device-hash", label: "Canary browser", lastSeenAt: at });

  // In office.
  await db.update(users).set({ isAdmin: true }).where(eq(users.id, userId));
  await db.insert(userRoles).values({ ...own, role: "manager" });
  await db.insert(userGrants).values({ ...own, grant: "cashier", givenBy: owner.id });
  const canaryDay = { day: "2026-12-30", name: "Canary day", addedBy: userId, createdAt: at };
  await db.insert(holidays).values({ ...canaryDay, removedBy: userId, removedAt: at });
  await db.insert(ownerTerms).values({ userId, since: at, until: at });
  const other = await createUser(db);
  const { payment } = await createPayment(deps, { backer: other, owner: person, status: "approved" });
  await decide(deps, person, { paymentId: payment.id, status: "rejected" });
  const office = await callAs(deps, { id: userId, isAdmin: true });
  await office.backings.grant({ projectId: payment.projectId ?? 0, userId: other.id });
  await db.insert(settings).values({ key: "canary", value: "canary", updatedBy: userId });
  await runSite(userId);
  await importAsOwner(payment.id);
  const plan = { plannedQuantity: 2_000n, plannedPriceKobo: 100n, plannedHarvests: 2, firstHarvestOn: "2027-03-01" };
  const insurance = { insurer: "Naic", policy: "A-17", covers: "Pays the farm for a flood." };
  const terms = { ...defaultTerms(500), ...plan, insurance };
  await db.transaction((tx) =>
    insertTerms(tx, { projectId: project.id, round: 1 }, { terms, version: 2, writtenBy: userId, at }),
  );
  const by = { actor: owner, clock, ipAddress: browser.ipAddress };
  await db.transaction((tx) => recordAudit(tx, by, "add_role", { userId, email: address }));
  const { key: storageKey, ...file } = await storeReceiptFile(deps);
  const uploaded = { storageKey, ...file, originalName: "canary.png", uploadedBy: userId, createdAt: at };
  const [photo] = await db
    .insert(storedFiles)
    .values({ ...uploaded, kind: "photo" })
    .returning();
  await createProject(db, { imageFileId: photo?.id });

  // Without the account, under its address.
  const invite = {
    email: address,
    fullName: "Zainab Canary",
    role: "manager",
    expiresAt: at,
    invitedBy: userId,
  } as const;
  await db.insert(adminInvites).values({ ...invite, tokenHash: "canary-token-hash", consumedAt: at });
  const [farm, formerFarm] = [await createFarm(db), await createFarm(db)];
  const toFarm = { ...invite, farmId: farm.id, role: "keeper" } as const;
  await db.insert(farmInvites).values([
    { ...toFarm, tokenHash: "canary-farm-1", consumedAt: at },
    { ...toFarm, tokenHash: "canary-farm-2", revokedAt: at },
  ]);
  const work = { userId, role: "keeper", invitedBy: userId } as const;
  await db.insert(farmPeople).values([
    { ...work, farmId: farm.id },
    { ...work, farmId: formerFarm.id, endedAt: at, endedBy: userId },
  ]);
  await db.insert(farmPast).values({
    ...{
      farmId: farm.id,
      fromYear: 2019,
      toYear: 2021,
      farmed: "canary layers",
      outcome: "canary: all sold in Ilorin",
    },
    unit: "crate",
    planned: 6000n,
    harvested: 5000n,
    paidBy: "canary: own savings",
    evidence: "canary notes",
    enteredBy: userId,
    state: "refused",
    decidedBy: userId,
    decidedAt: at,
    reason: "canary: nothing is readable",
  });
  const report = { projectId: 7, round: 1, dueAt: at, code: "7K3P", createdAt: at };
  const linked = {
    projectId: 7,
    label: "canary",
    tokenHash: "canary-link",
    madeBy: userId,
    expiresAt: at,
    revokedAt: at,
    createdAt: at,
  };
  const [link] = await db.insert(reportLinks).values(linked).returning();
  const news = { projectId: project.id, title: "Report 1", content: "All well", createdAt: at };
  const [update] = await db.insert(projectUpdates).values(news).returning();
  await db.insert(farmReports).values({
    ...report,
    number: 1,
    content: "canary: all well",
    farmNote: "canary: the rain",
    firstSentAt: at,
    sentAt: at,
    sentBy: userId,
    sentLinkId: link?.id ?? null,
    publishedAt: at,
    publishedBy: userId,
    excusedAt: at,
    excusedBy: userId,
    excuse: "canary: the road was under water",
    idempotencyKey: randomUUID(),
    sentBackAt: at,
    sentBackNote: "canary: blurred",
    updateId: update?.id ?? null,
  });
  const asked = { projectId: project.id, round: 1, number: 1 };
  await db.insert(farmReports).values({ ...report, ...asked, code: "7K3Q" });
  await db.insert(reportAsks).values({ ...asked, userId, createdAt: at });
  const planned = {
    ...planOfTemplate("none"),
    projectId: 7,
    round: 1,
    version: 1,
    endsOn: "2027-03-01",
    writtenBy: userId,
  };
  await db.insert(reportPlans).values(planned);
  const { key, ...resume } = await storeReceiptFile(deps);
  const finding = {
    kind: "alike" as const,
    distance: 3,
    verdict: "dismissed" as const,
    decidedBy: userId,
    decidedAt: at,
  };
  const found = { ...finding, fileId: photo?.id ?? "", otherFileId: photo?.id ?? "" };
  await db.insert(photoFindings).values(found);
  const [stored] = await db
    .insert(storedFiles)
    .values({ ...resume, kind: "resume", storageKey: key, originalName: "canary-resume.pdf", createdAt: at })
    .returning();
  const sender = { email: address, phone: "+234 803 000 canary", createdAt: at };
  const letter = { position: "Farm Hand", coverLetter: "canary: I like snails", resumeFileId: stored?.id };
  await db.insert(jobApplications).values({ ...sender, ...letter, fullName: "Zainab Canary" });
  await db
    .insert(contactMessages)
    .values({ ...sender, name: "Zainab Canary", message: "canary: where are you?", readAt: at });

  // Mails that were sent, one that was refused, and one that waits.
  const mail = { recipient: address, subject: "canary", text: "canary", html: "canary", createdAt: at };
  await sendWaiting();
  await db
    .insert(outgoingMails)
    .values({ ...mail, eventKey: "canary:refused", messageId: "<canary-1>", refusal: "canary: no such mailbox" });
  await db.insert(outgoingMails).values({ ...mail, eventKey: "canary:waiting", messageId: "<canary-2>" });
  await deps.jobs.enqueue(db, "account-link", { purpose: "reset_password", email: address });

  await closeBooks();
  const written: string[] = [];
  const proved = await contextOf(deps, person);
  proved.actor.session.provedAt = deps.clock.now();
  for await (const part of writeMyData(proved)) written.push(part);
  data = JSON.parse(written.join(""));

  before = await readAll();
  deps.clock.advance({ minutes: 1 });
  const code = codeAt(secret, deps.clock.now());
  const close = { currentPassword: testPassword, code, confirmation: "close my account" as const };
  await expect(caller.users.close(close)).rejects.toMatchObject({ code: "CONFLICT" });
  await giveOpenAffairs({ from: person, to: owner });
  await caller.users.close(close);
  await giveOpenAffairs({ from: owner, to: person });
  atOnce = await readAll();
  await sendWaiting();
  expect(deps.mailer.mails.map(({ subject }) => subject)).toContain("Your Gona account is closed");
  deps.clock.advance({ days: 31 });
  await cleanUp(deps);
  later = await readAll();
});

/** The person's papers print a head, and they close the oldest month of the books. */
async function closeBooks(): Promise<void> {
  const { db } = deps;
  await writeHeads(deps);
  const head = await readLastHead(db);
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.update(papers).set({ headN: head?.n, headHash: head?.hash }).where(eq(papers.userId, person.id));
  });
  const month = (await findNextMonth(db))?.month ?? "";
  const ctx = { ...(await contextOf(deps, person)), clock: { now: () => closableFrom(month) } };
  await closeMonth(ctx, { month });
}

/** Columns that are empty in every row that names a person. */
const neverAboutPeople = [
  "ledger_transactions.reverses_id",
  ...["project_id", "round", "own_account_id", "line_id", "payout_id", "harvest_id", "sale_id"].map(
    (column) => `ledger_entries.${column}`,
  ),
  ...["harvest_id", "settlement_id", "sale_id", "holder_change_id"].map((column) => `ledger_transactions.${column}`),
  "holder_change_payments.change_id",
  "holder_change_payments.payment_id",
  ...["harvest_id", "sale_id", "credit_match_id", "request_id"].map((column) => `line_matches.${column}`),
  "payouts.settlement_id",
  ...["payouts", "payee_accounts"].map((table) => `${table}.line_id`),
  "papers.run_id",
  "refunds.request_id",
  "settlement_strikes.payout_id",
];

const cells = lines.flatMap(({ table, columns, fate, paths }) =>
  columns.map((column, index) => ({ table, column, fate, path: paths?.[index] ?? null })),
);

describe("closing the account", () => {
  test("is tried with something in every column", () => {
    const empty = cells
      .filter(({ table, column, fate }) => fate !== "set" && !neverAboutPeople.includes(`${table}.${column}`))
      .filter(({ table, column }) => !rowsAbout(before, table).some((row) => row[column] !== null));
    expect(empty.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
  });

  test.each(cells)("$table: $column is $fate", ({ table, column, fate }) => {
    for (const row of rowsAbout(before, table)) {
      const [soon, late] = [sameRow(atOnce, table, row), sameRow(later, table, row)];
      if (fate === "deleted") expect(soon).toBeUndefined();
      else if (fate === "expires") expect(late).toBeUndefined();
      else if (fate === "kept") expect([soon?.[column], late?.[column]]).toEqual([row[column], row[column]]);
      else if (fate === "cleared") {
        expect(soon).toBeDefined();
        expect(soon?.[column]).not.toEqual(row[column]);
        expect(String(soon?.[column]).toLowerCase()).not.toContain("canary");
      }
    }
    if (fate !== "set") return;
    const set = rowsAbout(before, table).map((row) => [row[column], sameRow(atOnce, table, row)?.[column]]);
    expect(set.some(([was, is]) => is !== null && is !== was)).toBe(true);
  });

  test("leaves the person's name, address and id nowhere else, in the whole database", async () => {
    const found = new Set(
      [...later].flatMap(([table, all]) =>
        all.flatMap((row) =>
          Object.entries(row)
            .filter(([, value]) => names(value))
            .map(([column]) => `${table}.${column}`),
        ),
      ),
    );
    const unexpected = [...found].filter((place) => {
      const [table = "", column = ""] = place.split(".");
      const fate = lineOf(table, column)?.fate;
      const isIdInAddress = place === "users.email";
      return !isIdInAddress && fate !== "kept" && fate !== "set" && !ofTheQueue.startsWith(`${place}:`);
    });
    expect(unexpected).toEqual([]);
    await emptyBooks();
    await expectMoneyHolds(deps);
  });
});

describe("the export of personal data", () => {
  /** All values at a place such as "payments.receipts.sha256", of every entry of the lists on the way. */
  const valuesAt = (place: unknown, path: string): unknown[] => {
    if (Array.isArray(place)) return place.flatMap((entry) => valuesAt(entry, path));
    if (path === "") return [place];
    const [key = "", ...rest] = path.split(".");
    return valuesAt((place as Row | null)?.[key], rest.join("."));
  };
  const isMoment = (value: unknown) => typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
  const plain = (value: unknown) => (isMoment(value) ? new Date(String(value)).toISOString() : String(value));
  const valuesOf = ({ table, column }: { table: string; column: string }) =>
    rowsAbout(before, table)
      .map((row) => row[column])
      .filter((value) => value !== null);

  test.each(cells.filter(({ path }) => path !== null))("has $column of $table at $path", ({ table, column, path }) => {
    const exported = valuesAt(data, path ?? "").map(plain);
    const own = valuesOf({ table, column }).map(plain);
    expect(own.filter((value) => exported.includes(value))).not.toEqual([]);
  });

  test.each(cells.filter(({ path }) => path === null))("hasn't $column of $table", ({ table, column }) => {
    const text = JSON.stringify(data);
    const exported = new Set(
      cells
        .filter(({ path }) => path !== null)
        .flatMap(valuesOf)
        .map(plain),
    );
    const telling = valuesOf({ table, column })
      .filter((value) => !isMoment(value) && typeof value === "string" && value.length >= 16)
      .map(plain)
      .filter((value) => !exported.has(value));
    expect(telling.filter((value) => text.includes(JSON.stringify(value)))).toEqual([]);
  });
});
