import { ledgerHoldsApprovals } from "#server/books/checks/i05-ledger-holds-approved-payments.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await paymentBooks(deps);

testInvariant(deps, ledgerHoldsApprovals, [
  ["payment and ledger differ", `update project_payments set status = 'pending' where id = ${ids.approved}`],
  ["payment and ledger differ", `update project_payments set amount_kobo = amount_kobo - 1 where id = ${ids.approved}`],
  [
    "standing posting in another round or project than its payment",
    `update ledger_transactions set round = 2 where payment_id = ${ids.approved}`,
  ],
  [
    "standing posting in another round or project than its payment",
    `delete from project_payments where id = ${ids.approved}`,
  ],
  [
    "reversal that doesn't take back what its approval posted",
    `update ledger_entries set amount_kobo = amount_kobo * 2 where transaction_id in
        (select id from ledger_transactions where kind = 'reversal')`,
  ],
  [
    "reversal that doesn't take back what its approval posted",
    `update ledger_transactions set round = 2 where kind = 'reversal'`,
  ],
]);
