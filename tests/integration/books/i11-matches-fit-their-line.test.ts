import { matchesFitTheirLine } from "#server/books/checks/i11-matches-fit-their-line.ts";
import { bankBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant, testRefusals } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await bankBooks(deps);

/** A debit that is said to have taken back money of the matched credit. */
const takenBack = (paymentId: number, amountKobo: number) =>
  `insert into line_matches (line_id, kind, amount_kobo, payment_id, credit_match_id)
    values (${ids.charge}, 'taken_back', ${amountKobo}, ${paymentId}, ${ids.match})`;

testInvariant(deps, matchesFitTheirLine, [
  [
    "more of a line is explained than it has",
    `insert into line_matches (line_id, kind, amount_kobo) values (${ids.charge}, 'bank_charges', 1)`,
    `update statement_lines set matched_kobo = matched_kobo where id = ${ids.charge}`,
  ],
  [
    "what is explained of a line is not its matches",
    `update statement_lines set matched_kobo = 1 where id = ${ids.open}`,
  ],
  [
    "ledger and line differ in what nothing explains",
    `update ledger_entries set amount_kobo = amount_kobo + 1 where line_id = ${ids.open}`,
  ],
  [
    "match whose postings are not those of its state",
    `update line_matches set undone_at = now(), undone_by = '${ids.payer}' where id = ${ids.match}`,
  ],
  [
    "match against the direction of its line",
    `update line_matches set kind = 'payment', payment_id = ${ids.payment} where line_id = ${ids.charge}`,
  ],
  ["more was taken back of a credit than it brought", takenBack(ids.payment, 99_999_999_999)],
  ["money taken back of a credit that isn't its payment's or sale's on this account", takenBack(ids.unseen, 1)],
]);

testRefusals(deps, [
  ["a match changed", `update line_matches set amount_kobo = 1 where id = ${ids.match}`, "change refused"],
  ["a match deleted", `delete from line_matches where id = ${ids.match}`, "change refused"],
  [
    "more explained than there is",
    `update statement_lines set matched_kobo = 100001 where id = ${ids.open}`,
    "statement_lines_matched",
  ],
  [
    "explained without a match",
    `update statement_lines set matched_kobo = 1 where id = ${ids.open}`,
    "its matches have",
  ],
]);
