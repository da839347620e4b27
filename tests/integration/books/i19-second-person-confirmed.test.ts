import { secondPersonConfirmed } from "#server/books/checks/i19-second-person-confirmed.ts";
import { bankBooks, paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant, testRefusals } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = { ...(await paymentBooks(deps)), ...(await bankBooks(deps)) };

type Request = { decision?: "confirmed" | "declined" | null; details?: string; decidedBy?: string; isAlone?: boolean };

/** A request of a stranger, who has confirmed it alone unless it says otherwise. */
function request(kind: string, subject: number | string, given: Request = {}): string {
  const { decision = "confirmed", details = "{}", decidedBy = ids.stranger } = given;
  const { isAlone = decision === "confirmed" } = given;
  const decided = decision ? `'${decision}', '${decidedBy}', now()` : "null, null, null";
  return `insert into second_person_requests
    (kind, subject, details, reason, requested_by, requested_at, decision, decided_by, decided_at, is_alone)
    values ('${kind}', '${subject}', '${details}', 'It was seen by both.', '${ids.stranger}', now(), ${decided}, ${isAlone})`;
}

/** A declared arrival of the waiting payment, posted without a request. */
const declared = `with posted as (
    insert into ledger_transactions (kind, payment_id, project_title, round, user_id)
    values ('declared_arrival', ${ids.waiting}, 'Ponds', 1, '${ids.stranger}') returning id
  ) insert into ledger_entries (transaction_id, account, payment_id, amount_kobo)
    select id, 'in_transit', ${ids.waiting}, 100 from posted union all select id, 'unallocated', ${ids.waiting}, -100 from posted`;

/** A change of the approved payment's holder by that request. `ended` is its outcome, when and by whom. */
const changed = (requestId: string, ended: string): string =>
  `insert into holder_changes (payment_id, project_id, project_title, round, from_user_id, to_user_id, cause, reason, request_id,
      made_by, until, outcome, ended_at, ended_by)
    select ${ids.approved}, 1, 'Ponds', 1, '${ids.payer}', '${ids.stranger}', 'gift', 'A gift.', ${requestId}, '${ids.stranger}',
      now() + interval '14 days', ${ended}`;

testInvariant(deps, secondPersonConfirmed, [
  [
    "round written off without a second person",
    `update project_rounds set outcome = 'written_off', decided_by = '${ids.stranger}' where project_id = ${ids.project}`,
    request("write_off", `${ids.project}/1`, { decision: "declined" }),
  ],
  ["confirmed, and not done", request("write_off", `${ids.project}/1`)],
  [
    "rest written off without a second person",
    `insert into ledger_entries (transaction_id, account, amount_kobo)
        select max(id), 'bank_charges', 10001 from ledger_transactions where payment_id = ${ids.approved} and kind = 'approval'`,
  ],
  ["confirmed, and not approved", request("approve_payment", ids.waiting, { details: '{"writtenOffKobo": "0"}' })],
  [
    "declared arrivals are not what second people confirmed",
    request("declare_arrived", ids.waiting, { details: '{"amountKobo": "1"}' }),
  ],
  ["declared arrivals are not what second people confirmed", declared],
  [
    "charges on one line that take a second person",
    `update line_matches set amount_kobo = 100001 where line_id = ${ids.charge}`,
  ],
  [
    "money of an approved payment taken back without a second person",
    `insert into line_matches (line_id, kind, amount_kobo, payment_id, credit_match_id)
      values (${ids.charge}, 'taken_back', 1, ${ids.payment}, ${ids.match})`,
    `with made as (
        insert into ledger_transactions (kind, match_id) select 'match', max(id) from line_matches returning id
      ) insert into ledger_entries (transaction_id, account, payment_id, amount_kobo) select id, 'receivable', ${ids.payment}, 1 from made`,
  ],
  [
    "match by a request that nobody confirmed",
    `with asked as (${request("match_line", ids.charge, { decision: null })} returning id) update line_matches set request_id = asked.id from asked where line_id = ${ids.charge}`,
  ],
  [
    "money that no line names given back without a second person",
    `update line_matches set is_named = false, created_at = now() - interval '1 day' where kind = 'payment'`,
    `insert into refunds (payment_id, user_id, amount_kobo, reason, made_by, created_at)
        select payment_id, '${ids.payer}', 100, 'not_approved', '${ids.payer}', now() from line_matches
        where kind = 'payment' and undone_at is null limit 1`,
  ],
  [
    "refund by a request that nobody confirmed",
    `with asked as (${request("give_unallocated_back", "0", { decision: null })} returning id) insert into refunds (payment_id, user_id, amount_kobo, reason, made_by, created_at, request_id)
        select payment_id, '${ids.payer}', 100, 'not_approved', '${ids.payer}', now(), asked.id from line_matches, asked
        where kind = 'payment' limit 1`,
  ],
  [
    "payment struck by a request that nobody confirmed",
    `with asked as (${request("strike_payment", ids.approved, { decision: null })} returning id)
      insert into payment_strikes (payment_id, user_id, project_id, round, lost_kobo, reason, request_id, struck_by)
        select ${ids.approved}, '${ids.stranger}', 1, 1, 1, 'It never came.', id, '${ids.stranger}' from asked`,
  ],
  [
    "holder changed by a request that nobody confirmed",
    `with asked as (${request("change_holder", ids.approved, { decision: null })} returning id) ${changed("asked.id", "null, null, null::uuid")} from asked`,
  ],
  [
    "holder changed before its days were over, or though it was stopped",
    `with made as (${changed("0", `'objected', now(), '${ids.payer}'::uuid`)} returning id)
      insert into holder_change_payments (change_id, payment_id) select id, ${ids.approved} from made`,
  ],
]);

testRefusals(deps, [
  [
    "a confirmation by whoever asked",
    request("write_off", "0/1", { isAlone: false }),
    "second_person_requests_two_people",
  ],
  [
    "a confirmation alone by somebody else",
    request("write_off", "0/1", { decidedBy: ids.waitingBacker }),
    "second_person_requests_two_people",
  ],
]);
