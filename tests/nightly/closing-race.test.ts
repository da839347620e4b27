import { asc, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { writeHeads } from "#server/books/heads.ts";
import { rows } from "#server/db/open.ts";
import { ledgerClosings, ledgerHeads } from "#server/db/schema/ledger-heads.ts";
import { closeMonth } from "#server/features/books/service.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import { contextOf, createPayment, expectMoneyHolds, seen } from "#tests/support/money.ts";
import { createAdmin } from "#tests/support/people.ts";

/** People who post while a month is closed, each with the clock of when they began. */

const { deps, replicas } = await openTestReplicas();
const { db, clock } = deps;
const people = 64;
const before = new Date("2026-11-30T22:59:59.900Z");
const closedAt = new Date("2026-11-30T23:10:00Z");
const endsAt = new Date("2026-11-30T23:00:00Z");

test("a closing while 64 people post leaves no entry on the wrong side", async () => {
  const owner = await createAdmin(db, "owner");
  await createPayment(deps, { owner, status: "approved" });
  const payments: number[] = [];
  for (let person = 0; person < people; person += 1) payments.push((await createPayment(deps, { owner })).payment.id);
  clock.set(closedAt);
  const ctx = await contextOf(deps, owner);
  const postings = await Promise.all(
    payments.map(async (paymentId, index) => {
      const of = replicas[index % 2] ?? deps;
      const late = { ...ctx, db: of.db, clock: { now: () => (index % 3 === 0 ? closedAt : before) } };
      return { late, input: { ...(await seen(db, paymentId)), status: "approved" as const } };
    }),
  );
  const half = postings.slice(0, people / 2).map(({ late, input }) => setPaymentStatus(late, input));
  const closing = closeMonth(ctx, { month: "2026-11" });
  const heads = writeHeads(deps);
  const rest = postings.slice(people / 2).map(({ late, input }) => setPaymentStatus(late, input));
  await Promise.all([...half, closing, heads, ...rest]);

  const [closed] = await db.select().from(ledgerClosings);
  const [counted] = await rows<{ before: number; beyond: number }>(
    db,
    sql`select count(*) filter (where t.created_at < ${endsAt.toISOString()}::timestamptz)::int as before,
        count(*) filter (where t.created_at < ${endsAt.toISOString()}::timestamptz and e.id > ${closed?.lastEntryId ?? 0})::int as beyond
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id`,
  );
  expect(counted).toEqual({ before: closed?.entries, beyond: 0 });
  await writeHeads(deps);
  const [last] = (await db.select().from(ledgerHeads).orderBy(asc(ledgerHeads.n))).slice(-1);
  const [highest] = await rows<{ id: string }>(db, sql`select max(id) as id from ledger_entries`);
  expect(last?.lastEntryId).toBe(Number(highest?.id));
  await expectMoneyHolds(deps);
});
