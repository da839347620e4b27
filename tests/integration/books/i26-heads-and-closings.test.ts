import { headsAndClosingsHold } from "#server/books/checks/i26-heads-and-closings.ts";
import { writeHeads } from "#server/books/heads.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment } from "#tests/support/money.ts";
import { callAs, createAdmin } from "#tests/support/people.ts";
import { testInvariant, testRefusals } from "#tests/support/planted.ts";

const deps = await openTestDeps();

/** Two heads, a paper that prints one, and two closed months. */
const owner = await createAdmin(deps.db, "owner");
const { payment } = await createPayment(deps, { owner, status: "approved" });
await writeHeads(deps);
await createPayment(deps, { owner, status: "approved" });
await writeHeads(deps);
deps.clock.set(new Date("2027-01-05T09:00:00Z"));
const by = await callAs(deps, owner);
for (const month of ["2026-11", "2026-12"]) await by.books.close({ month });

/** Raises a payment by a naira, as somebody at the database could: on both sides, so the books still sum to zero. */
const rewrite = [
  `update ledger_entries set amount_kobo = amount_kobo + 100 * sign(amount_kobo)::bigint where transaction_id =
    (select id from ledger_transactions where payment_id = ${payment.id} and kind = 'approval')`,
] as const;

testInvariant(deps, headsAndClosingsHold, [
  ["head is not the hash of the entries", ...rewrite],
  ["heads have a gap", "delete from ledger_heads where n = 1"],
  [
    "paper prints a head that is not in the chain",
    "update ledger_heads set hash = reverse(hash) where n = (select max(head_n) from papers)",
  ],
  ["closed month is not the hash of its entries", ...rewrite],
  ["closed month is not its frozen balances", ...rewrite],
  ["months were not closed in order", "update ledger_closings set month = '2027-02-01' where month = '2026-12-01'"],
  ["closed month without its paper", "delete from papers where kind = 'closing' and first_day = '2026-12-01'"],
]);

testRefusals(deps, [
  ["another hash of a head", "update ledger_heads set hash = reverse(hash)", "append-only"],
  ["that a head goes", "delete from ledger_heads", "append-only"],
  ["another month", "update ledger_closings set entries = 7", "append-only"],
]);
