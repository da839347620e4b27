import { type LineMatchKind, lineMatchKindLabels } from "#shared/bank/texts.ts";
import { formatDateTime, formatDay } from "#shared/dates.ts";
import type { HarvestLoss } from "#shared/harvests/texts.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { countLots } from "#shared/projects/texts.ts";
import type { SecondPersonKind } from "#shared/second-person/texts.ts";
import { ownPages, pageTitles } from "#shared/site/pages.ts";
import { companyFields, companyLabels } from "#shared/site/profile-texts.ts";
import { confirmed } from "./confirmed-kinds.ts";
import { auditActionLabel } from "./texts.ts";

/** The audit log's entries, each in one sentence. */

/** The names of what an entry holds the ids of; null where it names none, or it isn't there any more. */
export type AuditNames = {
  actor: string | null;
  /** Whom it was about. */
  person: string | null;
  /** Who had asked for it, or made it. */
  asker: string | null;
  project: string | null;
  payment: { backer: string | null; amountKobo: Kobo } | null;
};

export type AuditFacts = { details: Record<string, unknown>; names: AuditNames };

const unknown = "Unknown";

/** A detail as a text; null where an entry of an earlier version has none. */
function text({ details }: AuditFacts, name: string): string | null {
  const value = details[name];
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

const quoted = (facts: AuditFacts, name: string, fallback: string) => {
  const found = text(facts, name);
  return found === null ? fallback : `“${found}”`;
};

function naira(facts: AuditFacts, name = "amountKobo"): string {
  const found = text(facts, name);
  return found !== null && /^-?\d+$/.test(found) ? formatNaira(BigInt(found)) : "an amount";
}

function moment(facts: AuditFacts, name: string): string {
  const at = new Date(text(facts, name) ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? "another time" : formatDateTime(at);
}

const project = (facts: AuditFacts) =>
  text(facts, "title") ?? text(facts, "projectTitle") ?? facts.names.project ?? "a project";

const round = (facts: AuditFacts) => `round ${text(facts, "round") ?? ""}`.trim();

const person = (facts: AuditFacts) => facts.names.person ?? text(facts, "email") ?? unknown;

/** The payment as it is today: an entry may hold another amount of it. */
function payment({ names }: AuditFacts): string {
  const of = names.payment ? ` of ${formatNaira(names.payment.amountKobo)}` : "";
  return `the payment${of} by ${names.payment?.backer ?? names.person ?? unknown}`;
}

/** The payment with the amount that the entry holds. */
const paymentThen = (facts: AuditFacts) =>
  `the payment of ${naira(facts)} by ${facts.names.payment?.backer ?? facts.names.person ?? unknown}`;

/** Names the matches of a bank line. */
function matched(facts: AuditFacts): string {
  const { matches } = facts.details;
  const kinds = Array.isArray(matches) ? matches.map((match: { kind?: unknown } | null) => match?.kind) : [];
  if (kinds.length === 1 && facts.names.payment) return `a bank line with ${payment(facts)}`;
  const labels = kinds.flatMap((kind) => (isMatchKind(kind) ? lineMatchKindLabels[kind].toLowerCase() : []));
  return labels.length === 0 ? "a bank line" : `a bank line: ${labels.join(", ")}`;
}

const isMatchKind = (kind: unknown): kind is LineMatchKind =>
  typeof kind === "string" && Object.hasOwn(lineMatchKindLabels, kind);

const moneyPart = (facts: AuditFacts) => `part ${text(facts, "part") ?? ""} of the money of ${project(facts)}`;

const harvest = (facts: AuditFacts) => `harvest ${text(facts, "number") ?? ""} of ${project(facts)}`.replace("  ", " ");

const payout = (facts: AuditFacts) => `payout ${text(facts, "reference") ?? text(facts, "payoutId") ?? ""}`.trim();

const run = (facts: AuditFacts) => `payment run ${text(facts, "runId") ?? ""}`.trim();

const runOf = (facts: AuditFacts) => {
  const count = text(facts, "payouts");
  return `${run(facts)}${count === null ? "" : `: ${count === "1" ? "1 payout" : `${count} payouts`}, ${naira(facts, "totalKobo")}`}`;
};

const holding = (facts: AuditFacts) => {
  const lots = text(facts, "lots");
  return lots === null || !/^\d+$/.test(lots) ? "the hold" : `the hold of ${countLots(Number(lots))}`;
};

const losses: Record<HarvestLoss, string> = {
  harvest: "the loss of a harvest",
  rest: "the loss of a harvest's rest",
  costs: "the loss of a harvest's costs",
};

/** Names the subject of a request; of a loss, what is lost. */
function subjectOf(facts: AuditFacts): string {
  const [kind, loss] = [text(facts, "kind"), text(facts, "what")];
  if (kind === "lose" && loss !== null && loss in losses) return losses[loss as HarvestLoss];
  return kind !== null && kind in confirmed ? confirmed[kind as SecondPersonKind] : "a request";
}

function request(facts: AuditFacts): string {
  const about = facts.names.payment ? payment(facts) : (text(facts, "title") ?? facts.names.project);
  return about === null ? subjectOf(facts) : `${subjectOf(facts)}: ${about}`;
}

const askedBy = ({ details, names }: AuditFacts) =>
  details.isAlone === true ? " as the only owner" : `, asked for by ${names.asker ?? unknown}`;

const role = (facts: AuditFacts) => text(facts, "role") ?? "administrator";
const invited = (facts: AuditFacts) => text(facts, "fullName") ?? text(facts, "email") ?? unknown;

const holiday = (facts: AuditFacts) =>
  `the holiday ${text(facts, "name") ?? unknown}, ${formatDay(text(facts, "day") ?? "1970-01-01")}`;

const grantIn = (facts: AuditFacts) => (text(facts, "grant") === "cashier" ? "a cashier" : "an accountant");

const report = (facts: AuditFacts) => `report ${text(facts, "number") ?? ""}`.trim();

const farm = (facts: AuditFacts) => text(facts, "farm") ?? "a farm";
const past = (facts: AuditFacts) =>
  `what ${farm(facts)} tells of ${text(facts, "years") ?? "earlier years"}: ${text(facts, "farmed") ?? "an entry"}`;

const statusChanges: Record<string, (facts: AuditFacts) => string> = {
  approved: (facts) => `approved ${paymentThen(facts)}`,
  rejected: (facts) => `rejected ${paymentThen(facts)}`,
};

type Sentence = (facts: AuditFacts) => string;

/** The act of an entry, to follow its actor's name: the only source of the log's sentences. */
export const auditSentences = {
  create_project: (facts) => `created the project ${project(facts)}`,
  edit_project: (facts) => `edited the project ${project(facts)}`,
  close_project: (facts) => `closed the project ${project(facts)}`,
  reopen_project: (facts) => `reopened the project ${project(facts)}`,
  clone_project: (facts) => `cloned ${text(facts, "original") ?? "a project"} as ${project(facts)}`,
  delete_project: (facts) => `deleted the project ${project(facts)}`,
  create_farm: (facts) => `added the farm ${farm(facts)}`,
  edit_farm: (facts) => `edited the farm ${farm(facts)}`,
  close_farm: (facts) => `closed the farm ${farm(facts)}`,
  reopen_farm: (facts) => `reopened the farm ${farm(facts)}`,
  enter_past: (facts) => `entered ${past(facts)}`,
  confirm_past: (facts) => `confirmed ${past(facts)}`,
  refuse_past: (facts) => `refused ${past(facts)}`,
  withdraw_past: (facts) => `withdrew ${past(facts)}`,
  take_past_down: (facts) => `took down ${past(facts)}`,
  invite_farm_person: (facts) => `invited ${invited(facts)} as ${role(facts)} of ${farm(facts)}`,
  resend_farm_invite: (facts) => `sent the invitation of ${invited(facts)} to ${farm(facts)} again`,
  revoke_farm_invite: (facts) => `took back the invitation of ${invited(facts)} to ${farm(facts)}`,
  accept_farm_invite: (facts) => `accepted the invitation as ${role(facts)} of ${farm(facts)}`,
  change_farm_role: (facts) => `made ${person(facts)} ${role(facts)} of ${farm(facts)}`,
  end_farm_person: (facts) => `ended the work of ${person(facts)} for ${farm(facts)}`,
  send_report: (facts) => `sent ${report(facts)} of ${project(facts)}`,
  dismiss_message: () => "said that a backer's message needs no answer",
  publish_report: (facts) => `published ${report(facts)} of ${project(facts)}`,
  send_report_back: (facts) => `asked for ${report(facts)} of ${project(facts)} again: ${quoted(facts, "note", "")}`,
  excuse_report: (facts) =>
    text(facts, "excuse") === null
      ? `took back the excuse for ${report(facts)} of ${project(facts)}`
      : `excused ${report(facts)} of ${project(facts)}: ${quoted(facts, "excuse", "")}`,
  make_report_link: (facts) => `made a link to report for ${project(facts)}`,
  revoke_report_link: (facts) => `ended a link to report for ${project(facts)}`,
  decide_photo_finding: (facts) =>
    text(facts, "verdict") === "confirmed"
      ? `found a photo of ${report(facts)} of ${project(facts)} to be used again or old`
      : `found nothing wrong with a photo of ${report(facts)} of ${project(facts)}`,
  save_report_plan: (facts) => `planned the reports of ${project(facts)}`,
  add_project_update: (facts) => `published the update ${quoted(facts, "update", "")} for ${project(facts)}`,
  add_backer: (facts) => `added ${person(facts)} as a backer of ${project(facts)}`,
  set_backing_weight: (facts) =>
    text(facts, "after") === null
      ? `took away what ${person(facts)} counted for in ${project(facts)}`
      : `let ${person(facts)} count for ${naira(facts, "after")} in ${project(facts)}`,
  remove_backer: (facts) => `removed ${person(facts)} as a backer of ${project(facts)}`,
  add_media: (facts) => `added media (${text(facts, "type") ?? "file"}) to ${project(facts)}`,
  remove_media: (facts) => `removed media (${text(facts, "type") ?? "file"}) from ${project(facts)}`,
  update_payment_status: (facts) =>
    statusChanges[text(facts, "after") ?? ""]?.(facts) ?? `set ${paymentThen(facts)} back to pending`,
  decide_round: (facts) =>
    `declared ${round(facts)} of ${project(facts)} ${text(facts, "outcome") === "funded" ? "funded" : "not funded"}`,
  make_refund_due: (facts) => `made a refund of ${naira(facts)} due to ${person(facts)}`,
  take_refund_back: (facts) => `took back that a refund of ${naira(facts)} is due to ${person(facts)}`,
  declare_arrived: (facts) => `declared ${naira(facts)} of ${person(facts)}'s payment as arrived`,
  write_off_round: (facts) => `ended ${round(facts)} of ${project(facts)}: nothing more will come`,
  match_line: (facts) => `matched ${matched(facts)}`,
  void_bank_data: (facts) => `voided ${text(facts, "title") ?? "bank data"}`,
  close_own_account: (facts) => `closed the bank account ${text(facts, "accountNumber") ?? ""}`.trim(),
  reopen_own_account: (facts) => `opened the bank account ${text(facts, "accountNumber") ?? ""} again`.trim(),
  undo_match: (facts) => `undid a bank line's match of ${naira(facts)}`,
  book_loss: (facts) => `booked a loss of ${naira(facts)}`,
  set_payee_account: () => "set their own account for payouts",
  enter_payee_account: (facts) =>
    `entered the account for payouts to ${text(facts, "lineId") !== null ? "the sender of a line" : person(facts)}`,
  set_farm_account: (facts) => `set the account that the money of ${text(facts, "farm") ?? project(facts)} goes to`,
  make_payout_run: (facts) => `made ${runOf(facts)}`,
  approve_payout_run: (facts) => `approved ${runOf(facts)}`,
  void_payout_run: (facts) => `cancelled ${runOf(facts)}`,
  export_payout_run: (facts) => `exported ${runOf(facts)}`,
  give_payout_run: (facts) => `said that the bank has the file of ${runOf(facts)}`,
  add_run_layout: (facts) => `made the bank file of ${run(facts)} in another layout`,
  refuse_payouts: (facts) => `said that the bank refused ${runOf(facts)}`,
  withhold_payout: (facts) => `withheld ${payout(facts)} of ${naira(facts)}`,
  let_payout_go: (facts) => `let ${payout(facts)} of ${naira(facts)} go`,
  download_payout_file: (facts) => `downloaded the bank file of ${run(facts)}`,
  close_month: (facts) => `closed the books of ${text(facts, "month") ?? "a month"}`,
  make_paper: (facts) => `made the paper ${text(facts, "number") ?? ""}`.trim(),
  mark_payout_paid: (facts) => `marked ${payout(facts)} of ${naira(facts)} as paid`,
  fail_payout: (facts) => `marked ${payout(facts)} of ${naira(facts)} as failed`,
  release_to_farm: (facts) => `released ${naira(facts)} to the farm of ${project(facts)}`,
  ask_for_part: (facts) => `asked for ${moneyPart(facts)}`,
  check_part: (facts) => `checked ${moneyPart(facts)}`,
  refuse_part: (facts) => `refused ${moneyPart(facts)}`,
  decide_proof_finding: (facts) => `decided what was noticed about a photo of ${moneyPart(facts)}`,
  skip_part: (facts) => `left out ${moneyPart(facts)}`,
  take_skip_back: (facts) => `let ${moneyPart(facts)} be asked for after all`,
  take_release_back: (facts) => `took back the release of ${naira(facts)} to the farm of ${project(facts)}`,
  return_to_backers: (facts) => `returned ${naira(facts)} of ${project(facts)} to its backers`,
  strike_payment: (facts) => `struck ${paymentThen(facts)}: ${naira(facts, "lostKobo")} is lost`,
  begin_holder_change: (facts) => `began to pass lots of ${project(facts)} to ${person(facts)}`,
  object_to_holder_change: (facts) =>
    `noted that the ${text(facts, "by") ?? "old or new"} holder objects to lots of ${project(facts)} passing to ${person(facts)}`,
  stop_holder_change: (facts) => `stopped lots of ${project(facts)} from passing to ${person(facts)}`,
  fail_holder_change: (facts) => `could not pass lots of ${project(facts)} to ${person(facts)}`,
  carry_out_holder_change: (facts) => `passed lots of ${project(facts)} to ${person(facts)}`,
  take_out_struck_payout: (facts) => `left ${naira(facts)} of ${project(facts)} unpaid, because its payment was struck`,
  take_return_back: (facts) => `took back the return of ${naira(facts)} to the backers of ${project(facts)}`,
  create_harvest: (facts) => `created ${harvest(facts)}`,
  edit_harvest: (facts) => `edited ${harvest(facts)}`,
  open_harvest: (facts) => `opened the choice about ${harvest(facts)}`,
  lower_harvest: (facts) => `lowered the quantity of ${harvest(facts)}`,
  withdraw_harvest: (facts) => `withdrew ${harvest(facts)}`,
  lose_harvest: (facts) => `declared ${harvest(facts)} lost`,
  lose_costs: (facts) => `booked the costs of ${harvest(facts)} as a loss`,
  lose_rest: (facts) => `declared the rest of ${harvest(facts)} lost`,
  collect_produce: (facts) => `handed produce of ${harvest(facts)} over`,
  add_harvest_file: (facts) => `added a file to ${harvest(facts)}`,
  add_harvest_cost: (facts) => `added the cost ${quoted(facts, "label", "")} of ${naira(facts)} to ${harvest(facts)}`,
  count_harvest_cost: (facts) =>
    `counted the cost ${quoted(facts, "label", "")} of ${naira(facts)} of ${harvest(facts)}`,
  remove_harvest_cost: (facts) => `removed the cost ${quoted(facts, "label", "")} from ${harvest(facts)}`,
  add_harvest_sale: (facts) => `added the sale to ${buyer(facts)} for ${naira(facts)} to ${harvest(facts)}`,
  change_sale: (facts) =>
    `changed what ${buyer(facts)} pays of ${harvest(facts)} from ${naira(facts, "beforeKobo")} to ${naira(facts)}`,
  lose_sale: (facts) => `booked ${naira(facts)} of the sale to ${buyer(facts)} of ${harvest(facts)} as a loss`,
  set_sale_quantity: (facts) => `wrote down how much of ${harvest(facts)} was sold to ${buyer(facts)}`,
  remove_harvest_sale: (facts) => `removed the sale to ${buyer(facts)} from ${harvest(facts)}`,
  declare_sale: (facts) => `declared ${naira(facts)} of a sale of ${harvest(facts)} as received`,
  take_back_sale: (facts) => `took back ${naira(facts)} of a declared sale of ${harvest(facts)}`,
  settle_harvest: (facts) => `settled ${harvest(facts)}`,
  reverse_settlement: (facts) => `reversed a settlement of ${harvest(facts)}`,
  finish_harvest: (facts) => `ended ${harvest(facts)}`,
  reduce_payment: (facts) => `reduced their payment for ${project(facts)} to what has arrived`,
  use_surplus: (facts) => `used ${naira(facts)} beyond their payment for another lot of ${project(facts)}`,
  ask_second_person: (facts) => `asked another owner to confirm ${request(facts)}`,
  confirm_as_second_person: (facts) => `confirmed ${request(facts)}${askedBy(facts)}`,
  decline_as_second_person: (facts) => `declined to confirm ${request(facts)}${askedBy(facts)}`,
  withdraw_request: (facts) => `no longer asks another owner to confirm ${request(facts)}`,
  edit_terms: (facts) => `edited the harvest terms of ${project(facts)}`,
  end_hold: (facts) => `ended ${holding(facts)} of ${person(facts)} on ${project(facts)}`,
  extend_hold: (facts) => `extended the hold of ${person(facts)} on ${project(facts)} to ${moment(facts, "after")}`,
  add_own_account: () => "added one of our bank accounts",
  change_own_account: () => "changed one of our bank accounts",
  change_charge_texts: () => "changed the texts by which bank charges of one of our bank accounts are known",
  activate_own_account: () => "changed the bank account that backers pay into",
  import_statement: (facts) =>
    `imported the bank statement ${quoted(facts, "fileName", "")}: ${text(facts, "newLines") ?? "some"} new lines`,
  update_applicant_status: (facts) =>
    `set an applicant for ${text(facts, "position") ?? "a position"} to ${text(facts, "after") ?? "another status"}`,
  admin_login: () => "signed in",
  reset_password: () => "reset their password by a mailed link",
  change_password: () => "changed their password",
  change_name: (facts) => `changed their name to ${text(facts, "after") ?? "another"}`,
  change_email: (facts) => `changed their email address to ${text(facts, "after") ?? "another"}`,
  link_google: () => "linked a Google account",
  unlink_google: () => "unlinked their Google account",
  close_account: () => "closed their account",
  create_admin: (facts) => `made ${person(facts)} an administrator (${role(facts)})`,
  begin_site: () => "set this site up, as its first owner",
  send_mail_code: () => "had a code mailed to them, to see whether mails leave",
  prove_mail: () => "entered the mailed code: mails leave the server",
  invite_admin: (facts) => `invited ${invited(facts)} as ${role(facts)}`,
  resend_admin_invite: (facts) => `sent the invitation of ${invited(facts)} again`,
  remove_admin_invite: (facts) => `removed the invitation of ${invited(facts)}`,
  accept_admin_invite: (facts) => `accepted the invitation as ${role(facts)}`,
  add_role: (facts) => `gave ${person(facts)} the role ${role(facts)}`,
  add_holiday: (facts) => `added ${holiday(facts)}`,
  remove_holiday: (facts) => `removed ${holiday(facts)}`,
  add_grant: (facts) => `made ${person(facts)} ${grantIn(facts)}`,
  remove_grant: (facts) => `took from ${person(facts)} what makes one ${grantIn(facts)}`,
  remove_role: (facts) => `took the role ${role(facts)} from ${person(facts)}`,
  deactivate_admin: (facts) => `deactivated the administrator ${person(facts)}`,
  reactivate_admin: (facts) => `reactivated the administrator ${person(facts)}`,
  remove_admin: (facts) => `removed the administrator ${person(facts)}`,
  send_password_reset: (facts) => `sent ${person(facts)} a link to reset the password`,
  block_user: (facts) => `blocked ${person(facts)}`,
  unblock_user: (facts) => `unblocked ${person(facts)}`,
  end_sessions: (facts) => `signed ${person(facts)} out everywhere`,
  add_setting: (facts) => `added the setting ${text(facts, "key") ?? ""}`.trim(),
  change_company: (facts) => `changed the company: ${companyFieldsOf(facts)}`,
  change_look: (facts) => `changed the look: ${lookOf(facts)}`,
  update_setting: (facts) => `changed the setting ${text(facts, "key") ?? ""}`.trim(),
  add_testimonial: () => "put a testimonial onto the home page",
  hide_testimonial: () => "took a testimonial off the home page",
  show_testimonial: () => "put a testimonial back onto the home page",
  save_page_text: (facts) => `wrote ${pageVersion(facts)}`,
  adopt_page_text: (facts) => `adopted the software's text as ${pageVersion(facts)}`,
  export_audit_logs: (facts) => `exported the audit logs${formatOf(facts)}`,
  export_table: (facts) => `exported the table ${text(facts, "table") ?? ""}${formatOf(facts)}`,
  two_factor_enabled: () => "switched two-factor sign-in on",
  two_factor_disabled: () => "switched two-factor sign-in off",
  two_factor_reset: (facts) => `reset the two-factor sign-in of ${person(facts)}`,
  recovery_codes_renewed: () => "renewed their recovery codes",
  recovery_code_used: () => "signed in with a recovery code",
} satisfies Record<string, Sentence>;

/** The actions of administrators, named as the audit screen shows them. */
export type AuditAction = keyof typeof auditSentences;

/** Describes what the entry changed in the look. */
function lookOf({ details: { before, after } }: AuditFacts): string {
  const values = (side: unknown): { color?: unknown; markFileId?: unknown } =>
    typeof side === "object" && side !== null ? side : {};
  const [was, is] = [values(before), values(after)];
  const color =
    was.color === is.color ? [] : `the colour is ${typeof is.color === "string" ? is.color : "the software's"}`;
  const mark = was.markFileId === is.markFileId ? [] : typeof is.markFileId === "string" ? "another mark" : "no mark";
  return [color, mark].flat().join(", ") || "nothing";
}

/** The fields of the company that the entry has another value of. */
function companyFieldsOf({ details }: AuditFacts): string {
  const after = typeof details.after === "object" && details.after !== null ? details.after : {};
  const labels = companyFields.flatMap((field) => (Object.hasOwn(after, field) ? companyLabels[field] : []));
  return labels.join(", ") || "nothing";
}
const pageVersion = (facts: AuditFacts) => {
  const page = text(facts, "page");
  const title = ownPages.find((each) => each === page);
  return `version ${text(facts, "after") ?? ""} of ${title ? pageTitles[title] : "a text"}`;
};

const buyer = (facts: AuditFacts) => text(facts, "buyer") ?? "a buyer";

const formatOf = (facts: AuditFacts) => {
  const format = text(facts, "format");
  return format === null ? "" : ` as ${format.toUpperCase()}`;
};

/** ", keeper of Epe Ponds," where somebody acted as one of a farm's people. */
function keeping({ details: { keeperOf } }: AuditFacts): string {
  if (typeof keeperOf !== "object" || keeperOf === null || !("farm" in keeperOf)) return "";
  return typeof keeperOf.farm === "string" ? `, keeper of ${keeperOf.farm},` : "";
}

type AuditEntry = AuditFacts & { actionType: string; userEmail: string | null };

const isKnown = (action: string): action is AuditAction => Object.hasOwn(auditSentences, action);

/** "Ada Obi approved the payment of ₦200,000 by Chike Eze". An action of another version has its name in words. */
export function auditSentence(entry: AuditEntry): string {
  const { actionType, names, userEmail, details } = entry;
  const actor = names.actor ?? userEmail ?? (details.via === "command line" ? "The command line" : "The system");
  if (!isKnown(actionType)) return `${actor}: ${auditActionLabel(actionType)}`;
  return `${actor}${keeping(entry)} ${auditSentences[actionType](entry).replace(/\s+/g, " ").trim()}`;
}
