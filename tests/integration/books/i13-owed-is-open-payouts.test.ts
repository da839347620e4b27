import { owedIsOpenPayouts } from "#server/books/checks/i13-owed-is-open-payouts.ts";
import { payoutBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant, testRefusals } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await payoutBooks(deps);

testInvariant(deps, owedIsOpenPayouts, [
  [
    "open payouts and ledger differ",
    `update payouts set state = 'cancelled', cancelled_at = now() where id = ${ids.waiting}`,
  ],
  ["payouts are not their refund", `update refunds set amount_kobo = amount_kobo + 1 where id = ${ids.refund}`],
  ["payouts are not their release", `update farm_releases set amount_kobo = amount_kobo - 1 where id = ${ids.release}`],
  ["payout stands elsewhere than its lines say", `delete from line_matches where payout_id = ${ids.paid}`],
  [
    "what was paid out twice is not what its lines say",
    `update line_matches set reason = 'It is lost' where payout_id = ${ids.paid}`,
  ],
  [
    "what was paid out twice is not what its lines say",
    `update line_matches set receivable_kobo = amount_kobo where payout_id = ${ids.failed} and kind = 'returned'`,
  ],
  [
    "payouts are not what is sent back of their line",
    "update line_matches set amount_kobo = amount_kobo - 1 where kind = 'sent_back'",
  ],
  [
    "payouts are not their return",
    `insert into round_returns (project_id, project_title, round, amount_kobo, reason, request_id, made_by)
      values (1, 'Ponds', 1, 1, 'Flooded', 1, '${ids.owner}')`,
  ],
]);

testRefusals(deps, [
  ["another amount", `update payouts set amount_kobo = 1 where id = ${ids.waiting}`, "change refused"],
  ["a payout deleted", `delete from payouts where id = ${ids.waiting}`, "change refused"],
  [
    "a failed payout sent again",
    `update payouts set state = 'sent', failed_at = null, failed_reason = null where id = ${ids.failed}`,
    "change refused",
  ],
  [
    "a payout cancelled while its refund stands",
    `update payouts set state = 'cancelled', cancelled_at = now() where id = ${ids.waiting}`,
    "its payouts are 0",
  ],
  [
    "a refund without payouts",
    `insert into refunds (payment_id, user_id, amount_kobo, reason)
      select payment_id, user_id, 1, 'surplus' from payouts where id = ${ids.waiting}`,
    "its payouts are 0",
  ],
  [
    "a match of what is sent back undone while its payouts stand",
    `with undone as (
      update line_matches set undone_at = now(), undone_by = '${ids.owner}' where kind = 'sent_back' returning line_id
    ) update statement_lines set matched_kobo = 0 where id in (select line_id from undone)`,
    "its payouts are 7500000",
  ],
  ["a payout from waiting to paid", `update payouts set state = 'paid' where id = ${ids.waiting}`, "change refused"],
  [
    "a return undone",
    `update line_matches set undone_at = now(), undone_by = '${ids.owner}' where kind = 'returned'`,
    "its matches have 0",
  ],
]);
