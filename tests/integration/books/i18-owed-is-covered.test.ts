import { expect, test } from "vitest";
import { owedIsCovered } from "#server/books/checks/i18-owed-is-covered.ts";
import { bankBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { findPayment } from "#tests/support/money.ts";
import { testInvariant, violationsAfter } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await bankBooks(deps);
const { amountKobo, reference } = await findPayment(deps.db, ids.unseen);

const spend = (kobo: number) => `insert into ledger_entries (transaction_id, account, own_account_id, amount_kobo)
  select max(id), 'bank', ${ids.account}, -${kobo} from ledger_transactions`;
/** All that is at the bank besides what is owed: the opening without the charge. */
const spare = 70_000_000 - 50_00;
const takenBack = "update ledger_entries set account = 'receivable' where account = 'in_transit'";
const named = { violation: "less money is there than is owed to others", row: { missingKobo: Number(amountKobo) } };

testInvariant(deps, owedIsCovered, [["less money is there than is owed to others", spend(spare + 1)]]);

test("what is in transit covers for 14 days, what is receivable never, and the alarm names both", async () => {
  expect(await violationsAfter(deps, owedIsCovered, [spend(spare)])).toEqual([]);
  expect(await violationsAfter(deps, owedIsCovered, [spend(spare), takenBack])).toMatchObject([
    { ...named, row: { ...named.row, receivable: [`${reference}: ${amountKobo} kobo`], inTransitTooLong: [] } },
  ]);
  const clock = { now: () => new Date(deps.clock.now().getTime() + 15 * 86_400_000) };
  expect(await violationsAfter({ ...deps, clock }, owedIsCovered, [spend(spare)])).toMatchObject([
    { ...named, row: { ...named.row, inTransitTooLong: [`${reference}: ${amountKobo} kobo`], receivable: [] } },
  ]);
});
