import { readFileSync } from "node:fs";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { bankInvariants, checkCoverage, secondPersonOfLines } from "#server/books/checks/bank.ts";
import { postArrival } from "#server/books/events/payments.ts";
import { readMoney } from "#server/books/places.ts";
import { post } from "#server/books/post.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import type { Violation } from "#server/platform/findings.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment, expectMoneyHolds, findPayment } from "#tests/support/money.ts";
import { createAdmin } from "#tests/support/people.ts";
import { lookAfter, type Planted, reportsOf } from "#tests/support/planted.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";

const deps = await openTestDeps();
const ids: Record<string, number> = {};
let payer: string;

/** An account with a matched credit, a charge, an undone match and a credit that nothing explains; and a second account. */
beforeAll(async () => {
  const owner = await createAdmin(deps.db, "owner");
  const unseen = await createPayment(deps, { owner, status: "approved" });
  const account = await openOwnAccount(deps, { importedBy: owner.id, openingKobo: 70_000_000n });
  const other = await openOwnAccount(deps, { importedBy: owner.id, accountNumber: "9876543210" });
  const { payment, backer } = await createPayment(deps, { owner });
  payer = backer.id;
  const paidIn = await keepLine(deps, account, {
    amountKobo: payment.amountKobo,
    balanceKobo: 70_000_000n + payment.amountKobo,
  });
  const charge = await keepLine(deps, account, {
    amountKobo: -50_00n,
    balanceKobo: 70_000_000n + payment.amountKobo - 50_00n,
  });
  const open = await keepLine(deps, other, { amountKobo: 1_000_00n });
  await inTransaction(deps.db, async (tx) => {
    const made = async (
      lineId: number,
      values: Pick<typeof lineMatches.$inferInsert, "kind" | "amountKobo" | "paymentId">,
    ) => {
      const [match] = await tx
        .insert(lineMatches)
        .values({ lineId, ...values })
        .returning();
      await tx.update(statementLines).set({ matchedKobo: values.amountKobo }).where(eq(statementLines.id, lineId));
      return { kind: "match" as const, matchId: match?.id ?? 0 };
    };
    const { amountKobo } = payment;
    const transaction = await made(paidIn.id, { kind: "payment", amountKobo, paymentId: payment.id });
    const from = [{ account: "unmatched_in" as const, lineId: paidIn.id, amountKobo }];
    const before = await readMoney(tx, payment);
    await postArrival(tx, { payment, transaction, before, after: { ...before, arrivedKobo: amountKobo }, from });
    ids.match = transaction.matchId;
    await post(tx, await made(charge.id, { kind: "bank_charges", amountKobo: 50_00n }), [
      { account: "unmatched_out", lineId: charge.id, amountKobo: -50_00n },
      { account: "bank_charges", amountKobo: 50_00n },
    ]);
  });
  Object.assign(ids, { account: account.id, other: other.id, paidIn: paidIn.id, charge: charge.id, open: open.id });
  Object.assign(ids, { payment: payment.id, unseen: unseen.payment.id });
});
afterEach(() => expectMoneyHolds(deps));

/** A debit that is said to have taken back money of the matched credit. */
const takenBack = ({ paymentId, amountKobo }: { paymentId: number | undefined; amountKobo: number }) =>
  `insert into line_matches (line_id, kind, amount_kobo, payment_id, credit_match_id)
    values (${ids.charge}, 'taken_back', ${amountKobo}, ${paymentId}, ${ids.match})`;

const planted: Planted[] = [
  {
    invariant: "I10",
    reported: "line that is not posted as the bank told it",
    plant: () => [`update statement_lines set amount_kobo = amount_kobo + 1 where id = ${ids.open}`],
  },
  {
    invariant: "I10",
    reported: "posted line that is not there",
    plant: () => [`delete from statement_lines where id = ${ids.open}`],
  },
  {
    invariant: "I10",
    reported: "ledger of an own account is not its opening and its lines",
    plant: () => [`update own_accounts set opening_kobo = opening_kobo + 1 where id = ${ids.account}`],
  },
  {
    invariant: "I10",
    reported: "opening of an own account is not posted as it was told",
    plant: () => ["update ledger_entries set amount_kobo = amount_kobo - 1 where account = 'opening'"],
  },
  {
    invariant: "I10",
    reported: "bank moved by something else than a line",
    plant: () => [
      `insert into ledger_entries (transaction_id, account, own_account_id, amount_kobo)
        select max(id), 'bank', ${ids.account}, 1 from ledger_transactions where kind = 'approval'`,
    ],
  },
  {
    invariant: "I10",
    reported: "lines of an own account that was not opened",
    plant: () => [`update own_accounts set opened_on = '2026-11-06' where id = ${ids.account}`],
  },
  {
    invariant: "I10",
    reported: "printed balance does not follow from the one before",
    plant: () => [`update statement_lines set balance_kobo = balance_kobo + 1 where id = ${ids.charge}`],
  },
  {
    invariant: "I10",
    reported: "gap without a reason",
    plant: () => [`update statement_lines set gap_kobo = 5 where id = ${ids.open}`],
  },
  {
    invariant: "I11",
    reported: "more of a line is explained than it has",
    plant: () => [
      `insert into line_matches (line_id, kind, amount_kobo) values (${ids.charge}, 'bank_charges', 1)`,
      `update statement_lines set matched_kobo = matched_kobo where id = ${ids.charge}`,
    ],
  },
  {
    invariant: "I11",
    reported: "what is explained of a line is not its matches",
    plant: () => [`update statement_lines set matched_kobo = 1 where id = ${ids.open}`],
  },
  {
    invariant: "I11",
    reported: "ledger and line differ in what nothing explains",
    plant: () => [`update ledger_entries set amount_kobo = amount_kobo + 1 where line_id = ${ids.open}`],
  },
  {
    invariant: "I11",
    reported: "match whose postings are not those of its state",
    plant: () => [`update line_matches set undone_at = now(), undone_by = '${payer}' where id = ${ids.match}`],
  },
  {
    invariant: "I11",
    reported: "match against the direction of its line",
    plant: () => [
      `update line_matches set kind = 'payment', payment_id = ${ids.payment} where line_id = ${ids.charge}`,
    ],
  },
  {
    invariant: "I11",
    reported: "more was taken back of a credit than it brought",
    plant: () => [takenBack({ paymentId: ids.payment, amountKobo: 99_999_999_999 })],
  },
  {
    invariant: "I11",
    reported: "money taken back of a credit that isn't its payment's on this account",
    plant: () => [takenBack({ paymentId: ids.unseen, amountKobo: 1 })],
  },
  {
    invariant: "I19",
    reported: "charges on one line that take a second person",
    plant: () => [`update line_matches set amount_kobo = 100001 where line_id = ${ids.charge}`],
  },
  {
    invariant: "I19",
    reported: "money of an approved payment taken back without a second person",
    plant: () => [
      takenBack({ paymentId: ids.payment, amountKobo: 1 }),
      `with made as (
        insert into ledger_transactions (kind, match_id) select 'match', max(id) from line_matches returning id
      ) insert into ledger_entries (transaction_id, account, payment_id, amount_kobo) select id, 'receivable', ${ids.payment}, 1 from made`,
    ],
  },
  {
    invariant: "I19",
    reported: "match by a request that nobody confirmed",
    plant: () => [
      `with asked as (
        insert into second_person_requests (kind, subject, details, reason, requested_by, requested_at)
        values ('match_line', '${ids.charge}', '{}', 'The bank says so.', '${payer}', now()) returning id
      ) update line_matches set request_id = asked.id from asked where line_id = ${ids.charge}`,
    ],
  },
  {
    invariant: "I19",
    reported: "money that no line names given back without a second person",
    plant: () => [
      `update line_matches set is_named = false, created_at = now() - interval '1 day' where kind = 'payment'`,
      `insert into refunds (payment_id, user_id, amount_kobo, reason, made_by, created_at)
        select payment_id, '${payer}', 100, 'not_approved', '${payer}', now() from line_matches
        where kind = 'payment' and undone_at is null limit 1`,
    ],
  },
  {
    invariant: "I19",
    reported: "refund by a request that nobody confirmed",
    plant: () => [
      `with asked as (
        insert into second_person_requests (kind, subject, details, reason, requested_by, requested_at)
        values ('give_held_back', '0', '{}', 'The bank says so.', '${payer}', now()) returning id
      ) insert into refunds (payment_id, user_id, amount_kobo, reason, made_by, created_at, request_id)
        select payment_id, '${payer}', 100, 'not_approved', '${payer}', now(), asked.id from line_matches, asked
        where kind = 'payment' limit 1`,
    ],
  },
  {
    invariant: "I12",
    reported: "more was given back of a payment than had arrived",
    plant: () => [
      `insert into ledger_entries (transaction_id, account, payment_id, amount_kobo)
        select max(id), 'unallocated', ${ids.unseen}, 1 from ledger_transactions`,
    ],
  },
  {
    invariant: "I12",
    reported: "money of an approved payment stands elsewhere than its matches say",
    plant: () => [`update project_payments set status = 'approved' where id = ${ids.payment}`],
  },
  {
    invariant: "I12",
    reported: "money of a payment that is not approved stands elsewhere than its matches say",
    plant: () => [`update line_matches set amount_kobo = amount_kobo - 1 where id = ${ids.match}`],
  },
  {
    invariant: "I12",
    reported: "more or less is read to have arrived of an approved payment than its matches say",
    plant: () => [
      `insert into ledger_entries (transaction_id, account, payment_id, amount_kobo)
        select max(id), 'in_transit', ${ids.unseen}, 1 from ledger_transactions`,
    ],
  },
  {
    invariant: "I12",
    reported: "counted as arrived without a line, though statements were imported",
    plant: () => [
      `insert into ledger_transactions (kind, payment_id, project_title, round, user_id)
        values ('assumed_arrival', ${ids.unseen}, 'Ponds', 1, '${payer}')`,
    ],
  },
  {
    invariant: "I12",
    reported: "approved payment with a refund due",
    plant: () => [
      `insert into refunds (payment_id, user_id, amount_kobo, reason) values (${ids.unseen}, '${payer}', 1, 'not_approved')`,
    ],
  },
  {
    invariant: "I20",
    reported: "bank detail that is not the active own account's",
    plant: () => ["update settings set value = 'Other Bank' where key = 'bankname'"],
  },
];

test.each(planted)("$invariant sees a planted violation: $reported", async ({ invariant, reported, plant }) => {
  const checks = [...bankInvariants, { name: "I19 lines", query: secondPersonOfLines }];
  const check = checks.find(({ name }) => name.startsWith(`${invariant} `));
  const found = await lookAfter(deps.db, plant(), (tx) => rows<Violation>(tx, check?.query ?? sql`select 1`));
  expect(found.map(({ violation }) => violation)).toContain(reported);
  for (const { row } of found) expect(row).toBeTypeOf("object");
});

test("every branch of every invariant has a planted violation", () => {
  const checks = readFileSync("src/server/books/checks/bank.ts", "utf8");
  const reported = reportsOf(checks.slice(0, checks.indexOf("I18")));
  expect(reported.length).toBeGreaterThan(10);
  expect(new Set(planted.map((plan) => plan.reported))).toEqual(new Set(reported));
});

test("the alarm is raised where less is there than is owed, and only then", async () => {
  expect(await checkCoverage(deps.db, deps.clock.now())).toMatchObject({ violations: [] });
  const spent = `insert into ledger_entries (transaction_id, account, own_account_id, amount_kobo)
    select max(id), 'bank', ${ids.account}, -80000000 from ledger_transactions`;
  const { violations } = await lookAfter(deps.db, [spent], (tx) => checkCoverage(tx, deps.clock.now()));
  expect(violations).toMatchObject([{ violation: "less money is there than is owed to others" }]);
});

test("what is approved covers nothing once it is in transit for 14 days, nor what is receivable", async () => {
  const spend = (kobo: bigint) => `insert into ledger_entries (transaction_id, account, own_account_id, amount_kobo)
    select max(id), 'bank', ${ids.account}, -${kobo} from ledger_transactions`;
  const { amountKobo, reference } = await findPayment(deps.db, ids.unseen ?? 0);
  // All that is at the bank besides what is owed.
  const spare = 70_000_000n + 1_000_00n - 50_00n - 1_000_00n;
  const later = new Date(deps.clock.now().getTime() + 15 * 86_400_000);
  const at = (moment: Date, ...more: string[]) =>
    lookAfter(deps.db, [spend(spare), ...more], async (tx) => (await checkCoverage(tx, moment)).violations);
  expect(await at(deps.clock.now())).toEqual([]);
  expect(await at(later)).toMatchObject([
    {
      row: { missingKobo: Number(amountKobo), inTransitTooLong: [`${reference}: ${amountKobo} kobo`], receivable: [] },
    },
  ]);
  const takenBack = `update ledger_entries set account = 'receivable' where account = 'in_transit'`;
  expect(await at(deps.clock.now(), takenBack)).toMatchObject([
    {
      row: { missingKobo: Number(amountKobo), receivable: [`${reference}: ${amountKobo} kobo`], inTransitTooLong: [] },
    },
  ]);
});

test.each([
  ["a line changed", () => `update statement_lines set narration = 'other' where id = ${ids.open}`, "change refused"],
  ["a line deleted", () => `delete from statement_lines where id = ${ids.open}`, "change refused"],
  ["a match changed", () => `update line_matches set amount_kobo = 1 where id = ${ids.match}`, "change refused"],
  ["a match deleted", () => `delete from line_matches where id = ${ids.match}`, "change refused"],
  [
    "more explained than there is",
    () => `update statement_lines set matched_kobo = 100001 where id = ${ids.open}`,
    "statement_lines_matched",
  ],
  [
    "explained without a match",
    () => `update statement_lines set matched_kobo = 1 where id = ${ids.open}`,
    "its matches have",
  ],
  [
    "a line posted twice",
    () => `insert into ledger_transactions (kind, line_id) values ('line', ${ids.open})`,
    "ledger_transactions_line_once",
  ],
])("the database itself refuses: %s", async (_what, statement, told) => {
  await expect(deps.db.execute(sql.raw(statement()))).rejects.toMatchObject({
    cause: { message: expect.stringContaining(told) },
  });
});
