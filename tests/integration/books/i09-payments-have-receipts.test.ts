import { paymentsHaveReceipts } from "#server/books/checks/i09-payments-have-receipts.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await paymentBooks(deps);

testInvariant(deps, paymentsHaveReceipts, [
  ["receipt without a stored file of its hash", `update stored_files set sha256 = repeat('0', 64)`],
  ["receipt without a stored file of its hash", "delete from stored_files"],
  ["receipt without a stored file of its hash", "update stored_files set kind = 'resume'"],
  [
    "stored receipt that no payment refers to",
    `insert into stored_files (kind, storage_key, sha256, bytes, content_type, original_name)
        values ('receipt', 'receipt/x', repeat('0', 64), 1, 'image/png', 'x')`,
  ],
  [
    "payment without its receipt",
    `update project_payments set current_receipt_id = gen_random_uuid() where id = ${ids.waiting}`,
  ],
  [
    "payment without a receipt that no line ever showed",
    `update project_payments set current_receipt_id = null where id = ${ids.waiting}`,
  ],
]);
