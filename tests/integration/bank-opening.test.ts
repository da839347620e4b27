import { asc, eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { createPayment, decide, expectMoneyHolds } from "#tests/support/money.ts";
import { callAs, createAdmin } from "#tests/support/people.ts";

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

test("the original account opens with what the ledger held, others with nothing; from then on nothing is assumed", async () => {
  const original = await keepOwnAccount(deps.db);
  const second = await keepOwnAccount(deps.db, "9876543210");
  const { owner, payment } = await createPayment(deps, { status: "approved" });
  const posted = payment.amountKobo;
  const file = (openingKobo: bigint) => csvOf({ openingKobo, truths: [line("2026-11-20", 5_00n)] });

  await importAs(deps, owner, { accountId: second, file: file(70_00n) });
  expect(await entriesOf("opening")).toEqual([`bank ${second} 7000`, `opening_difference ${second} -7000`]);
  expect(await deps.db.select().from(ownAccounts).orderBy(asc(ownAccounts.id))).toMatchObject([
    { openedOn: null },
    { openedOn: "2026-11-20", openingKobo: 70_00n },
  ]);

  const { payment: later } = await createPayment(deps, { owner });
  await decide(deps, owner, { paymentId: later.id, status: "approved", unseenReason: "The bank's page shows it" });
  expect((await entriesOf("approval")).filter((entry) => entry.startsWith("bank"))).toEqual([`bank null ${posted}`]);

  await importAs(deps, owner, { accountId: original, file: file(posted - 1_00n) });
  expect((await entriesOf("opening")).slice(2)).toEqual([
    `bank ${original} -100`,
    `opening_difference ${original} 100`,
  ]);
});

test("what two people declare before the original account opens is a part of what it held", async () => {
  await emptyDatabase(deps.db);
  const original = await keepOwnAccount(deps.db);
  const second = await keepOwnAccount(deps.db, "9876543210");
  const { owner, payment } = await createPayment(deps, { status: "approved" });
  const file = (openingKobo: bigint) => csvOf({ openingKobo, truths: [line("2026-11-20", 5_00n)] });
  await importAs(deps, owner, { accountId: second, file: file(0n) });

  const details = { paymentId: payment.id, amountKobo: String(payment.amountKobo) };
  const reason = "The bank confirmed it by letter.";
  await (await callAs(deps, owner)).secondPerson.ask({ kind: "declare_arrived", details, reason });
  const other = await callAs(deps, await createAdmin(deps.db, "owner"));
  const [request] = (await other.secondPerson.list()).requests;
  await other.secondPerson.confirm({ requestId: request?.id ?? 0 });

  await importAs(deps, owner, { accountId: original, file: file(payment.amountKobo) });
  expect(await entriesOf("opening")).toEqual([]);
});
