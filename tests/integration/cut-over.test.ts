import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseErrorOf, isCheckViolation, isForeignKeyViolation } from "#server/db/errors.ts";
import { migrate } from "#server/db/migrate.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { makeMissingPapers } from "#server/features/papers/jobs.ts";
import { openEmptyDatabase, type TestDatabase } from "#tests/support/database.ts";
import { type TestDeps, testDeps } from "#tests/support/deps.ts";
import { decide, expectMoneyHolds, findProject, seen } from "#tests/support/money.ts";
import { migrateUpTo } from "#tests/support/old-database.ts";

/** The books of the version before lots under the migrations that followed. */

const root = join(import.meta.dirname, "../..");
const lastBefore = "0012_plain_search";
const caught = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

type Row = Record<string, unknown>;
let database: TestDatabase;
let deps: TestDeps;
let before: Row[];

async function loadBooks(): Promise<void> {
  const text = readFileSync(join(root, "tests/support/books-before-lots.sql"), "utf8");
  await inTransaction(database.db, async (tx) => {
    // The rows are a dump: they come in no order that foreign keys and triggers would accept.
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of text.split(/;\n(?=INSERT|SELECT|$)/)) if (statement) await tx.execute(sql.raw(statement));
  });
}

/** Every row that says something about money. A payment that isn't approved had no round yet. */
const readBooks = () =>
  rows<Row>(
    database.db,
    sql`select * from (
      select 'transaction' as what, id::text as id, to_jsonb(t) as row from ledger_transactions t
      union all select 'entry', id::text, to_jsonb(e) from ledger_entries e
      union all select 'project', id::text, to_jsonb(p) from projects p
      union all select 'backing', id::text, to_jsonb(b) from project_backings b
      union all select 'audit', id::text, to_jsonb(a) from audit_logs a
      union all select 'receipt', id::text, to_jsonb(r) from payment_receipts r
      union all select 'reference', reference, to_jsonb(r) from payment_references r
      union all select 'payment', id::text, case status when 'approved' then to_jsonb(p) else to_jsonb(p) - 'round' end
        from project_payments p
    ) books order by what, id`,
  );

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrateUpTo(database.db, lastBefore);
  await loadBooks();
  before = await readBooks();
  await migrate(database.handle);
  deps = await testDeps(database);
  // As the job does within the hour: what was approved before there were papers gets its receipts.
  await makeMissingPapers(deps);
});
afterAll(async () => {
  await deps.close();
  await database.close();
});

async function paymentOf(title: string, status: string) {
  const [found] = await rows<{ id: string; amount_kobo: string }>(
    database.db,
    sql`select id, amount_kobo from project_payments where project_title = ${title} and status = ${status} order by id`,
  );
  if (!found) throw new Error(`no ${status} payment of ${title}`);
  return { paymentId: Number(found.id), amountKobo: BigInt(found.amount_kobo) };
}

async function owner() {
  const [found] = await database.db.select().from(users).where(eq(users.email, "owner@example.com"));
  if (!found) throw new Error("no owner");
  return { ...found, password: "" };
}

const entriesOf = async (paymentId: number) =>
  (
    await rows<{ entry: string }>(
      database.db,
      sql`select concat_ws(' ', t.kind, e.account, e.amount_kobo, 'payment ' || e.payment_id,
          'round ' || e.project_id || '/' || e.round) as entry
        from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        where t.payment_id = ${paymentId} order by e.id`,
    )
  ).map(({ entry }) => entry);

test("nothing that was written is changed, and every rule about money holds", async () => {
  expect(before.length).toBeGreaterThan(100);
  // Newer columns may be beside the old ones.
  expect(await readBooks()).toMatchObject(before);
  await expectMoneyHolds(deps);
});

test("each round so far was one lot: the current one at the goal, an earlier one at what was paid", async () => {
  const rounds = await rows(
    database.db,
    sql`select p.title, r.round, r.lots, r.lot_price_kobo::int / 100 as naira, r.approved_lots, r.outcome, t.fee_rate
      from project_rounds r join projects p on p.id = r.project_id
        join round_terms t on t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version
      where p.title in ('Farm 0', 'Farm 3', 'Farm 4', 'Farm 7') order by p.title, r.round`,
  );
  const sold = { lots: 1, approved_lots: 1, outcome: "funded", fee_rate: 0 };
  const unsold = { lots: 1, approved_lots: 0, outcome: null, fee_rate: 0 };
  expect(rounds).toEqual([
    { title: "Farm 0", round: 1, naira: 50_000, ...sold },
    // A payment of the goal before this one was rejected, and approved after the goal had changed.
    { title: "Farm 3", round: 1, naira: 60_000, ...sold },
    { title: "Farm 4", round: 1, naira: 50_004, ...sold },
    { title: "Farm 4", round: 2, naira: 70_000, ...sold },
    { title: "Farm 4", round: 3, naira: 70_000, ...unsold },
    { title: "Farm 7", round: 1, naira: 50_007, ...unsold },
  ]);
});

test("an approval from before lots is taken back and given again, and the books balance", async () => {
  const { paymentId, amountKobo } = await paymentOf("Farm 0", "approved");
  await decide(deps, await owner(), { paymentId, status: "pending", arrivedKobo: amountKobo - 100n });
  await expectMoneyHolds(deps);
  await decide(deps, await owner(), { paymentId, status: "approved" });
  await expectMoneyHolds(deps);
  const projectId = 1;
  expect(await entriesOf(paymentId)).toEqual([
    "approval bank 5000000",
    "approval project_funding -5000000",
    "reversal bank -100",
    `reversal receipts_held -4999900 payment ${paymentId}`,
    `reversal project_funding 5000000 round ${projectId}/1`,
    "approval bank 100",
    `approval receipts_held 4999900 payment ${paymentId}`,
    `approval project_funding -5000000 round ${projectId}/1`,
  ]);
  expect((await findProject(database.db, projectId)).currentFundingKobo).toBe(5_000_000n);
});

test("so is one of an earlier round, and of a project that was deleted since", async () => {
  const earlier = await paymentOf("Farm 4", "approved");
  await decide(deps, await owner(), { paymentId: earlier.paymentId, status: "rejected" });
  const detached = await paymentOf("Farm 5", "approved");
  await decide(deps, await owner(), { paymentId: detached.paymentId, status: "rejected" });
  await expectMoneyHolds(deps);
  await decide(deps, await owner(), { paymentId: earlier.paymentId, status: "approved" });
  await expectMoneyHolds(deps);
});

test("a payment that waited is approved in the current round", async () => {
  const { paymentId } = await paymentOf("Farm 8", "pending");
  expect((await seen(database.db, paymentId)).seenStatus).toBe("pending");
  await decide(deps, await owner(), { paymentId, status: "approved" });
  const [project] = await database.db.select().from(projects).where(eq(projects.title, "Farm 8"));
  expect(project).toMatchObject({ round: 2, isClosed: true, currentFundingKobo: 5_000_800n });
  await expectMoneyHolds(deps);
});

describe("a process of the earlier version that still runs", () => {
  const attempt = (statement: ReturnType<typeof sql>) =>
    caught(inTransaction(database.db, (tx) => tx.execute(statement)));

  test("makes no payment, decides on none, and begins no round: the database refuses", async () => {
    const { paymentId } = await paymentOf("Farm 7", "pending");
    const rejection = sql`update project_payments set status = 'rejected', round = null where id = ${paymentId}`;
    expect(databaseErrorOf(await attempt(rejection))?.code).toBe("23502");
    const approval = sql`update project_payments set status = 'approved', round = 1, refund_email = null where id = ${paymentId}`;
    expect(isCheckViolation(await attempt(approval), "round_lots_are_approved_lots")).toBe(true);
    const entry = sql`insert into ledger_entries (transaction_id, account, amount_kobo) values (1, 'project_funding', -1)`;
    expect(isCheckViolation(await attempt(entry), "ledger_entries_dimensions")).toBe(true);
    const next = sql`update projects set round = round + 1 where title = 'Farm 0'`;
    expect(isForeignKeyViolation(await attempt(next), "projects_current_round_fk")).toBe(true);
  });

  test("changes no goal", async () => {
    const goal = sql`update projects set funding_goal_kobo = 9000000 where title = 'Farm 7'`;
    expect(isCheckViolation(await attempt(goal), "goal_is_all_lots")).toBe(true);
    await expectMoneyHolds(deps);
  });
});
