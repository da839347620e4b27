import { acknowledgedIsThere } from "#server/books/checks/i07-acknowledged-is-there.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await paymentBooks(deps);

testInvariant(deps, acknowledgedIsThere, [
  [
    "several receipts of one idempotency key",
    "alter table payment_receipts drop constraint payment_receipts_idempotency_key",
    `update payment_receipts r set idempotency_key = p.idempotency_key, user_id = p.user_id
        from payment_receipts p where r.payment_id = ${ids.waiting} and p.payment_id = ${ids.approved}`,
  ],
  ["receipt whose payment is gone or another person's", `delete from project_payments where id = ${ids.waiting}`],
  [
    "receipt whose payment is gone or another person's",
    `update payment_receipts set user_id = '${ids.stranger}' where payment_id = ${ids.waiting}`,
  ],
  [
    "payment with another reference than its backer was given",
    `update project_payments set reference = 'GONA-0-XXXX' where id = ${ids.waiting}`,
  ],
  ["decided payment is gone", `delete from project_payments where id = ${ids.takenBack}`],
]);
