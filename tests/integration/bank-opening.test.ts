import { asc, eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment, decide, expectMoneyHolds } from "#tests/support/money.ts";

const deps = await openTestDeps();
afterEach(() => expectMoneyHolds(deps));

const entriesOf = async (kind: "opening" | "approval") =>
  (
    await deps.db
      .select({ account: ledgerEntries.account, own: ledgerEntries.ownAccountId, kobo: ledgerEntries.amountKobo })
      .from(ledgerEntries)
      .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
      .where(eq(ledgerTransactions.kind, kind))
      .orderBy(asc(ledgerEntries.id))
  ).map(({ account, own, kobo }) => `${account} ${own} ${kobo}`);

test("each account opens with the balance before its first line; what was approved stays in transit", async () => {
  const first = await keepOwnAccount(deps.db);
  const second = await keepOwnAccount(deps.db, "9876543210");
  const { owner, payment } = await createPayment(deps, { status: "approved" });
  const posted = payment.amountKobo;
  const file = (openingKobo: bigint) => csvOf({ openingKobo, truths: [line("2026-11-20", 5_00n)] });
  const approval = `in_transit null ${posted}`;
  expect((await entriesOf("approval"))[0]).toBe(approval);

  await importAs(deps, owner, { accountId: second, file: file(70_00n) });
  expect(await entriesOf("opening")).toEqual([`bank ${second} 7000`, `opening ${second} -7000`]);
  expect(await deps.db.select().from(ownAccounts).orderBy(asc(ownAccounts.id))).toMatchObject([
    { openedOn: null },
    { openedOn: "2026-11-20", openingKobo: 70_00n },
  ]);

  const { payment: later } = await createPayment(deps, { owner });
  await decide(deps, owner, { paymentId: later.id, status: "approved", unseenReason: "The bank's page shows it" });
  expect((await entriesOf("approval")).filter((entry) => entry.startsWith("in_transit"))).toEqual([approval, approval]);

  await importAs(deps, owner, { accountId: first, file: file(posted) });
  expect((await entriesOf("opening")).slice(2)).toEqual([`bank ${first} ${posted}`, `opening ${first} -${posted}`]);
});
