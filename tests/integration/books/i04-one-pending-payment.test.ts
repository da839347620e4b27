import { onePendingPayment } from "#server/books/checks/i04-one-pending-payment.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await paymentBooks(deps);

testInvariant(deps, onePendingPayment, [
  [
    "several pending payments of one backer",
    "drop index project_payments_one_pending_per_backer",
    `update project_payments set status = 'pending', user_id = w.user_id, project_id = w.project_id
        from (select user_id, project_id from project_payments where id = ${ids.waiting}) w
        where id = ${ids.takenBack}`,
  ],
]);
