import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "#server/db/migrate.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { runMoneyChecks } from "#server/features/payments/checks.ts";
import { openEmptyDatabase, type TestDatabase } from "#tests/support/database.ts";
import { migrateUpTo } from "#tests/support/old-database.ts";

/** Refunds that were due before there were payouts. */

let database: TestDatabase;
const person = "00000000-0000-4000-8000-000000000001";

/** A payment of a deleted project, with a refund that is owed by the ledger. */
const owed = (id: number, naira: number, reason: string, isTakenBack = false) => [
  `insert into project_payments (id, project_title, user_id, round, lots, terms_version, amount_kobo, reference, status)
    overriding system value values (${id}, 'Pond', '${person}', 1, 1, 1, ${naira}00, 'GONA-0000-000${id}', 'rejected')`,
  `insert into refunds (id, payment_id, user_id, amount_kobo, reason, taken_back_at, taken_back_by, taken_back_reason)
    overriding system value values (${id}, ${id}, '${person}', ${naira}00, '${reason}',
      ${isTakenBack ? `now(), '${person}', 'It was a mistake.'` : "null, null, null"})`,
  ...(isTakenBack
    ? []
    : [
        `insert into ledger_transactions (id, kind, payment_id, project_title, round, user_id)
          overriding system value values (${id}, 'refund_due', ${id}, 'Pond', 1, '${person}')`,
        `insert into ledger_entries (transaction_id, account, payment_id, amount_kobo)
          values (${id}, 'receipts_held', ${id}, ${naira}00)`,
        `insert into ledger_entries (transaction_id, account, payment_id, user_id, amount_kobo)
          values (${id}, 'backer_due', ${id}, '${person}', -${naira}00)`,
      ]),
];

/** Notifications of these events. */
const told = (kind: string, ...events: string[]) =>
  events.map(
    (event) => `insert into notifications (user_id, kind, title, content, event_key)
      values ('${person}', '${kind}', 'Money', 'About money.', '${event}')`,
  );

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrateUpTo(database.db, "0019_bank_statements");
  await inTransaction(database.db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const statements = [
      `insert into users (id, email, full_name) values ('${person}', 'ada@example.com', 'Ada Obi')`,
      ...owed(1, 12_000_000, "not_funded"),
      ...owed(2, 5_000_000, "surplus"),
      ...owed(3, 50_000, "not_approved", true),
      ...told("payment_status", "refund:1:due", "refund:1/2026-10-01:overdue", "payout:1:paid"),
      ...told("payment_status", "refund:1:taken_back", "payout:99:paid", "payment:1:approved:1", "payout:x:paid"),
      ...told("second_person", "refund:2:due"),
    ];
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
  await migrate(database.handle);
});
afterAll(() => database.close());

test("each refund that stands gets its payouts, in parts that banks transfer, and waits until somebody has looked at it", async () => {
  const found = await rows(
    database.db,
    sql`select refund_id::int, kind, state, (amount_kobo / 100)::int as naira, part, parts, project_title, round, is_from_before
      from payouts order by id`,
  );
  const about = { state: "waiting", project_title: "Pond", round: 1, is_from_before: true };
  expect(found).toEqual([
    { refund_id: 1, kind: "refund", naira: 5_000_000, part: 1, parts: 3, ...about },
    { refund_id: 1, kind: "refund", naira: 5_000_000, part: 2, parts: 3, ...about },
    { refund_id: 1, kind: "refund", naira: 2_000_000, part: 3, parts: 3, ...about },
    { refund_id: 2, kind: "surplus", naira: 5_000_000, part: 1, parts: 1, ...about },
  ]);
  const references = await rows<{ reference: string }>(database.db, sql`select reference from payouts`);
  expect(new Set(references.map(({ reference }) => reference)).size).toBe(4);
  for (const { reference } of references) expect(reference).toMatch(/^GP-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
});

test("what was told of money that is paid to the reader leads there, and nothing else", async () => {
  const found = await rows<{ event: string }>(
    database.db,
    sql`select event_key as event from notifications where is_about_money order by id`,
  );
  expect(found.map(({ event }) => event)).toEqual(["refund:1:due", "refund:1/2026-10-01:overdue", "payout:1:paid"]);
});

test("the books of what is owed hold", async () => {
  const checks = await runMoneyChecks(database.db, new Date());
  for (const invariant of ["I13", "I15"]) {
    expect(checks.find(({ name }) => name.startsWith(`${invariant} `))?.violations).toEqual([]);
  }
});
