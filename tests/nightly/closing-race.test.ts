import { asc, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { postLines } from "#server/books/events/lines.ts";
import { writeHeads } from "#server/books/heads.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { ledgerClosings, ledgerHeads } from "#server/db/schema/ledger-heads.ts";
import { closeMonth } from "#server/features/books/service.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import { contextOf, createPayment, expectMoneyHolds, seen } from "#tests/support/money.ts";
import { createAdmin } from "#tests/support/people.ts";
import { insertLine, openOwnAccount } from "#tests/support/statements.ts";

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

test("whoever writes many entries at once is waited for, and dated after the month that was closed", async () => {
  const owner = await createAdmin(db, "owner");
  const account = await openOwnAccount(deps, { importedBy: owner.id });
  const [month] = await db.select().from(ledgerClosings);
  expect(month?.month).toBe("2026-11-01");
  const [posted, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const importing = inTransaction((replicas[0] ?? deps).db, async (tx) => {
    await insertLine(tx, account, { amountKobo: 5_000n });
    const about = { ownAccountId: account.id, statementId: account.statementId };
    await postLines(tx, { ...about, actorId: owner.id, at: before });
    posted.resolve();
    await mayCommit.promise;
  });
  await posted.promise;
  const heads = writeHeads(deps);
  const isWaiting = sql`select 1 from pg_locks where locktype = 'advisory' and not granted`;
  await expect.poll(async () => (await rows(db, isWaiting)).length).toBe(1);
  mayCommit.resolve();
  await Promise.all([importing, heads]);
  const [line] = await rows<{ at: string; isInHead: boolean }>(
    db,
    sql`select t.created_at::text as at, e.id <= (select max(last_entry_id) from ledger_heads) as "isInHead"
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id order by e.id desc limit 1`,
  );
  expect({ at: new Date(line?.at ?? 0), isInHead: line?.isInHead }).toEqual({ at: endsAt, isInHead: true });
  await expectMoneyHolds(deps);
});
