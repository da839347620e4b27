import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { runMoneyChecks } from "#server/books/checks/money.ts";
import { seedDemoData } from "#server/cli/seed.ts";
import { isCheckViolation } from "#server/db/errors.ts";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { supportByPayment } from "#server/features/projects/backings/service.ts";
import type { Check } from "#server/platform/findings.ts";
import { openTestDatabase } from "#tests/support/database.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment, decide, expectMoneyHolds } from "#tests/support/money.ts";
import { createUser, type TestUser } from "#tests/support/people.ts";
import { lookAfter, type Planted, reportsOf } from "#tests/support/planted.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
let stranger: TestUser;
let waitingBacker: string;
let ids: { project: number; approved: number; waiting: number; takenBack: number };

/** One project with an approved and a waiting payment, and elsewhere one whose approval was taken back. */
beforeAll(async () => {
  stranger = await createUser(deps.db);
  const project = await createProject(deps.db);
  const waiting = await createPayment(deps, { project });
  waitingBacker = waiting.backer.id;
  const approved = await createPayment(deps, { project, owner: waiting.owner, status: "approved" });
  const takenBack = await createPayment(deps, { owner: waiting.owner, status: "approved" });
  await decide(deps, waiting.owner, { paymentId: takenBack.payment.id, status: "rejected" });
  ids = {
    project: project.id,
    approved: approved.payment.id,
    waiting: waiting.payment.id,
    takenBack: takenBack.payment.id,
  };
});
afterEach(() => expectMoneyHolds(deps));

/** All checks of the books after they were broken. */
const checkAfter = (...statements: string[]): Promise<Check[]> =>
  lookAfter(deps.db, statements, (tx) => runMoneyChecks(tx, deps.clock.now()));

/** A request about the waiting payment that the only owner has confirmed. */
const confirmedRequest = (kind: string, details: string) =>
  `insert into second_person_requests (kind, subject, details, reason, requested_by, requested_at, decision, decided_by, decided_at, is_alone)
    values ('${kind}', '${ids.waiting}', '${details}', 'It was seen by both.', '${stranger.id}', now(), 'confirmed', '${stranger.id}', now(), true)`;

const planted: Planted[] = [
  {
    invariant: "I1",
    reported: "funding is not the ledger's sum",
    plant: () => [`update projects set current_funding_kobo = current_funding_kobo + 1 where id = ${ids.project}`],
  },
  {
    invariant: "I1",
    reported: "number of backers is not that of the backings",
    plant: () => [`update projects set backers_count = 7 where id = ${ids.project}`],
  },
  {
    invariant: "I2",
    reported: "more lots are approved than the round has",
    plant: () => [`update project_payments set status = 'approved' where id = ${ids.waiting}`],
  },
  {
    invariant: "I2",
    reported: "approved lots are not those of the payments",
    plant: () => [`update project_payments set status = 'approved' where id = ${ids.waiting}`],
  },
  {
    invariant: "I2",
    reported: "all lots together are not the goal",
    plant: () => [`update project_rounds set lot_price_kobo = lot_price_kobo + 1 where project_id = ${ids.project}`],
  },
  {
    invariant: "I2",
    reported: "sold out round is not funded",
    plant: () => [`update project_rounds set outcome = null, decided_at = null where project_id = ${ids.project}`],
  },
  {
    invariant: "I2",
    reported: "earlier round with approved lots that nobody can decide",
    plant: () => [
      `update projects set round = 2 where id = ${ids.project}`,
      `update project_rounds set outcome = null, decided_at = null where project_id = ${ids.project}`,
    ],
  },
  {
    invariant: "I2",
    reported: "payment of a round that is not there",
    plant: () => [`update project_payments set round = 7 where id = ${ids.waiting}`],
  },
  {
    invariant: "I3",
    reported: "approved payment without a backing",
    plant: () => [`delete from project_backings where project_id = ${ids.project}`],
  },
  {
    invariant: "I3",
    reported: "open project whose round is sold out or decided",
    plant: () => [`update projects set is_closed = false, closed_at = null where id = ${ids.project}`],
  },
  {
    invariant: "I3",
    reported: "backing that nothing supports",
    plant: () => [`insert into project_backings (project_id, user_id) values (${ids.project}, '${stranger.id}')`],
  },
  {
    invariant: "I4",
    reported: "several pending payments of one backer",
    plant: () => [
      "drop index project_payments_one_pending_per_backer",
      `update project_payments set status = 'pending', user_id = w.user_id, project_id = w.project_id
        from (select user_id, project_id from project_payments where id = ${ids.waiting}) w
        where id = ${ids.takenBack}`,
    ],
  },
  {
    invariant: "I5",
    reported: "payment and ledger differ",
    plant: () => [`update project_payments set status = 'pending' where id = ${ids.approved}`],
  },
  {
    invariant: "I5",
    reported: "payment and ledger differ",
    plant: () => [`update project_payments set amount_kobo = amount_kobo - 1 where id = ${ids.approved}`],
  },
  {
    invariant: "I5",
    reported: "standing posting in another round or project than its payment",
    plant: () => [`update ledger_transactions set round = 2 where payment_id = ${ids.approved}`],
  },
  {
    invariant: "I5",
    reported: "standing posting in another round or project than its payment",
    plant: () => [`delete from project_payments where id = ${ids.approved}`],
  },
  {
    invariant: "I5",
    reported: "reversal that doesn't take back what its approval posted",
    plant: () => [
      `update ledger_entries set amount_kobo = amount_kobo * 2 where transaction_id in
        (select id from ledger_transactions where kind = 'reversal')`,
    ],
  },
  {
    invariant: "I5",
    reported: "reversal that doesn't take back what its approval posted",
    plant: () => [`update ledger_transactions set round = 2 where kind = 'reversal'`],
  },
  {
    invariant: "I6",
    reported: "ledger transaction doesn't sum to zero",
    plant: () => ["update ledger_entries set amount_kobo = amount_kobo + 1 where account = 'in_transit'"],
  },
  {
    invariant: "I6",
    reported: "ledger transaction doesn't sum to zero",
    plant: () => ["delete from ledger_entries"],
  },
  {
    invariant: "I6",
    reported: "guard is missing or switched off",
    plant: () => ["alter table ledger_entries disable trigger ledger_entries_append_only"],
  },
  {
    invariant: "I6",
    reported: "guard is missing or switched off",
    plant: () => ["drop trigger audit_logs_append_only on audit_logs"],
  },
  {
    invariant: "I6",
    reported: "guard is missing or switched off",
    plant: () => ["alter table project_backings disable trigger project_backings_supported"],
  },
  {
    invariant: "I6",
    reported: "key is missing or not valid",
    plant: () => ["drop index payment_references_one_in_use"],
  },
  {
    invariant: "I6",
    reported: "key is missing or not valid",
    plant: () => ["alter table payment_receipts drop constraint payment_receipts_idempotency_key"],
  },
  {
    invariant: "I6",
    reported: "audit trail has a gap",
    plant: () => [
      `delete from audit_logs where details->>'paymentId' = '${ids.takenBack}' and details->>'after' = 'approved'`,
    ],
  },
  {
    invariant: "I6",
    reported: "status is not the last audited one",
    plant: () => [`update project_payments set status = 'rejected' where id = ${ids.waiting}`],
  },
  {
    invariant: "I6",
    reported: "audited changes and postings differ",
    plant: () => [
      `insert into ledger_transactions (kind, payment_id, project_id, project_title, round, user_id)
        select kind, payment_id, project_id, project_title, round, user_id from ledger_transactions
        where payment_id = ${ids.approved}`,
    ],
  },
  {
    invariant: "I7",
    reported: "several receipts of one idempotency key",
    plant: () => [
      "alter table payment_receipts drop constraint payment_receipts_idempotency_key",
      `update payment_receipts r set idempotency_key = p.idempotency_key, user_id = p.user_id
        from payment_receipts p where r.payment_id = ${ids.waiting} and p.payment_id = ${ids.approved}`,
    ],
  },
  {
    invariant: "I7",
    reported: "receipt whose payment is gone or another person's",
    plant: () => [`delete from project_payments where id = ${ids.waiting}`],
  },
  {
    invariant: "I7",
    reported: "receipt whose payment is gone or another person's",
    plant: () => [`update payment_receipts set user_id = '${stranger.id}' where payment_id = ${ids.waiting}`],
  },
  {
    invariant: "I7",
    reported: "payment with another reference than its backer was given",
    plant: () => [`update project_payments set reference = 'GONA-0-XXXX' where id = ${ids.waiting}`],
  },
  {
    invariant: "I7",
    reported: "payment with another reference than its backer was given",
    plant: () => ["delete from payment_references"],
  },
  {
    invariant: "I7",
    reported: "decided payment is gone",
    plant: () => [`delete from project_payments where id = ${ids.takenBack}`],
  },
  {
    invariant: "I8",
    reported: "several notifications of one event to one person",
    plant: () => [
      "alter table notifications drop constraint notifications_one_per_event",
      `insert into notifications (user_id, kind, title, content, event_key)
        select user_id, kind, title, content, event_key from notifications`,
    ],
  },
  {
    invariant: "I8",
    reported: "several mails of one event to one recipient",
    plant: () => [
      "alter table outgoing_mails drop constraint outgoing_mails_one_per_event",
      `insert into outgoing_mails (event_key, recipient, subject, text, html, message_id)
        select event_key, recipient, subject, text, html, message_id || '2' from outgoing_mails`,
    ],
  },
  {
    invariant: "I8",
    reported: "payment notification without a mail",
    plant: () => ["delete from outgoing_mails"],
  },
  {
    invariant: "I8",
    reported: "status change that its backer was not told of",
    plant: () => ["delete from notifications where kind = 'payment_status'"],
  },
  {
    invariant: "I9",
    reported: "receipt without a stored file of its hash",
    plant: () => [`update stored_files set sha256 = repeat('0', 64)`],
  },
  {
    invariant: "I9",
    reported: "receipt without a stored file of its hash",
    plant: () => ["delete from stored_files"],
  },
  {
    invariant: "I9",
    reported: "receipt without a stored file of its hash",
    plant: () => ["update stored_files set kind = 'resume'"],
  },
  {
    invariant: "I9",
    reported: "stored receipt that no payment refers to",
    plant: () => [
      `insert into stored_files (kind, storage_key, sha256, bytes, content_type, original_name)
        values ('receipt', 'receipt/x', repeat('0', 64), 1, 'image/png', 'x')`,
    ],
  },
  {
    invariant: "I9",
    reported: "payment without its receipt",
    plant: () => ["delete from payment_receipts"],
  },
  {
    invariant: "I9",
    reported: "payment without its receipt",
    plant: () => [`update project_payments set current_receipt_id = gen_random_uuid() where id = ${ids.waiting}`],
  },
  {
    invariant: "I9",
    reported: "payment without a receipt that no line ever showed",
    plant: () => [`update project_payments set current_receipt_id = null where id = ${ids.waiting}`],
  },
  {
    invariant: "I16",
    reported: "more lots are held and approved than the round has",
    plant: () => [
      `insert into holds (project_id, round, user_id, lots, until) values (${ids.project}, 1, '${stranger.id}', 1, '2099-01-01')`,
    ],
  },
  {
    invariant: "I16",
    reported: "held lots are not those of the holds",
    plant: () => [
      `insert into holds (project_id, round, user_id, lots, until) values (${ids.project}, 1, '${stranger.id}', 1, '2099-01-01')`,
    ],
  },
  {
    invariant: "I16",
    reported: "hold that stands past its end",
    plant: () => [
      `insert into holds (project_id, round, user_id, lots, until) values (${ids.project}, 1, '${stranger.id}', 1, timestamptz '${deps.clock.now().toISOString()}' - interval '3 minutes')`,
    ],
  },
  {
    invariant: "I17",
    reported: "approved payment under other terms than its round",
    plant: () => [`update project_payments set terms_version = 2 where id = ${ids.approved}`],
  },
  {
    invariant: "I17",
    reported: "payment under other terms than its payer agreed to",
    plant: () => ["update payment_references set terms_version = 2"],
  },
  {
    invariant: "I17",
    reported: "terms of a round are not there",
    plant: () => [`delete from round_terms where project_id = ${ids.project}`],
  },
  {
    invariant: "I23",
    reported: "owner without a term that stands",
    plant: () => [
      `update users set is_admin = true where id = '${stranger.id}'`,
      `insert into user_roles (user_id, role) values ('${stranger.id}', 'owner')`,
    ],
  },
  {
    invariant: "I23",
    reported: "term that stands of who is no owner",
    plant: () => [`insert into owner_terms (user_id, since) values ('${stranger.id}', now())`],
  },
  {
    invariant: "I19",
    reported: "round written off without a second person",
    plant: () => [
      `update project_rounds set outcome = 'written_off', decided_by = '${stranger.id}' where project_id = ${ids.project}`,
      `insert into second_person_requests (kind, subject, details, reason, requested_by, requested_at, decision, decided_by, decided_at)
        values ('write_off', '${ids.project}/1', '{}', 'Nobody is left there.', '${stranger.id}', now(), 'declined', '${stranger.id}', now())`,
    ],
  },
  {
    invariant: "I19",
    reported: "confirmed, and not done",
    plant: () => [
      `insert into second_person_requests (kind, subject, details, reason, requested_by, requested_at, decision, decided_by, decided_at, is_alone)
        values ('write_off', '${ids.project}/1', '{}', 'Nobody is left there.', '${stranger.id}', now(), 'confirmed', '${stranger.id}', now(), true)`,
    ],
  },
  {
    invariant: "I19",
    reported: "rest written off without a second person",
    plant: () => [
      `insert into ledger_entries (transaction_id, account, amount_kobo)
        select max(id), 'bank_charges', 10001 from ledger_transactions where payment_id = ${ids.approved} and kind = 'approval'`,
    ],
  },
  {
    invariant: "I19",
    reported: "confirmed, and not approved",
    plant: () => [confirmedRequest("approve_payment", '{"writtenOffKobo": "0"}')],
  },
  {
    invariant: "I19",
    reported: "declared arrivals are not what second people confirmed",
    plant: () => [confirmedRequest("declare_arrived", '{"amountKobo": "1"}')],
  },
];

test.each(planted)("$invariant sees a planted violation: $reported", async ({ invariant, reported, plant }) => {
  const found = (await checkAfter(...plant())).find(({ name }) => name.startsWith(`${invariant} `));
  expect(found?.violations.map(({ violation }) => violation)).toContain(reported);
  for (const { row } of found?.violations ?? []) expect(row).toBeTypeOf("object");
});

test("every branch of every invariant has a planted violation", async () => {
  const files = ["src/server/books/checks/money.ts", "src/server/accounts/owner-terms.ts"];
  const reported = files.flatMap((file) => reportsOf(readFileSync(file, "utf8")));
  expect(reported.length).toBeGreaterThan(20);
  expect(new Set(planted.map((plan) => plan.reported))).toEqual(new Set(reported));
  const names = (await runMoneyChecks(deps.db, deps.clock.now())).map(({ name }) => name.split(" ")[0]);
  expect(names).toEqual([
    "I1",
    "I2",
    "I3",
    "I4",
    "I5",
    "I6",
    "I7",
    "I8",
    "I9",
    "I10",
    "I11",
    "I12",
    "I20",
    "I13",
    "I15",
    "I14",
    "I22",
    "I16",
    "I17",
    "I19",
    "I21",
    "I23",
  ]);
});

describe("the database itself refuses", () => {
  test.each(["ledger_transactions", "ledger_entries", "audit_logs"])("to change, delete or empty %s", async (table) => {
    for (const statement of [
      `update ${table} set created_at = now()`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]) {
      const fitting =
        table === "ledger_entries" ? statement.replace("created_at = now()", "account = 'bank'") : statement;
      await expect(deps.db.execute(sql.raw(fitting))).rejects.toMatchObject({
        cause: { message: expect.stringContaining("append-only") },
      });
    }
  });

  test("a confirmation by whoever asked, unless they are said to be alone", async () => {
    const confirm = (isAlone: boolean) =>
      deps.db.execute(
        sql`insert into second_person_requests (kind, subject, details, reason, requested_by, requested_at, decision, decided_by, decided_at, is_alone)
          values ('write_off', '0/1', '{}', 'Nobody is left there.', ${stranger.id}, now(), 'confirmed', ${isAlone ? waitingBacker : stranger.id}, now(), ${isAlone})`,
      );
    for (const isAlone of [true, false]) {
      await expect(confirm(isAlone)).rejects.toMatchObject({
        cause: { message: expect.stringContaining("second_person_requests_two_people") },
      });
    }
  });

  test("a ledger transaction that doesn't sum to zero, when it commits", async () => {
    const post = inTransaction(deps.db, async (tx) => {
      const [posted] = await tx
        .insert(ledgerTransactions)
        .values({
          kind: "approval",
          paymentId: ids.waiting,
          projectId: 0,
          projectTitle: "x",
          round: 1,
          userId: stranger.id,
        })
        .returning();
      const transactionId = posted?.id ?? 0;
      await tx.insert(ledgerEntries).values([
        { transactionId, account: "in_transit", paymentId: ids.waiting, amountKobo: 100n },
        { transactionId, account: "project_funding", projectId: 0, round: 1, amountKobo: -99n },
      ]);
    });
    await expect(post).rejects.toSatisfy((error) => isCheckViolation(error, "ledger_sums_to_zero"));
  });

  test("an entry without its account's dimensions, and one with another's", async () => {
    for (const entry of [
      { account: "project_funding" as const, projectId: 1 },
      { account: "unallocated" as const },
      { account: "backer_due" as const, paymentId: 1 },
      { account: "bank" as const, paymentId: 1 },
      { account: "bank" as const },
    ]) {
      const post = deps.db.insert(ledgerEntries).values({ transactionId: 1, amountKobo: 1n, ...entry });
      await expect(post).rejects.toSatisfy((error) => isCheckViolation(error, "ledger_entries_dimensions"));
    }
  });

  test("a backing that nothing supports, and an approved payment without a backing", async () => {
    const refusedBy = (constraint: string) => (error: unknown) => isCheckViolation(error, constraint);
    await expect(
      deps.db.insert(projectBackings).values({ projectId: ids.project, userId: stranger.id }),
    ).rejects.toSatisfy(refusedBy("backing_is_supported"));
    await expect(deps.db.delete(projectBackings).where(eq(projectBackings.projectId, ids.project))).rejects.toSatisfy(
      refusedBy("approved_payment_has_backing"),
    );
  });

  test("funding that the ledger doesn't have, and more approved lots than the round has", async () => {
    await expect(
      deps.db.update(projects).set({ currentFundingKobo: 1n }).where(eq(projects.id, ids.project)),
    ).rejects.toSatisfy((error) => isCheckViolation(error, "project_funding_is_ledger_sum"));
    const approve = (tx: DbOrTx) =>
      tx.update(projectPayments).set({ status: "approved" }).where(eq(projectPayments.id, ids.waiting));
    await expect(
      inTransaction(deps.db, async (tx) => {
        await supportByPayment(tx, { projectId: ids.project, userId: waitingBacker, at: deps.clock.now() });
        await approve(tx);
      }),
    ).rejects.toSatisfy((error) => isCheckViolation(error, "round_lots_are_approved_lots"));
    await expect(
      deps.db.update(projectRounds).set({ approvedLots: 2 }).where(eq(projectRounds.projectId, ids.project)),
    ).rejects.toSatisfy((error) => isCheckViolation(error, "project_rounds_not_oversold"));
    await expect(
      deps.db.update(projectRounds).set({ lotPriceKobo: 1n }).where(eq(projectRounds.projectId, ids.project)),
    ).rejects.toSatisfy((error) => isCheckViolation(error, "sold_round_is_frozen"));
  });
});

describe("a 41st lot is refused to a hand on the database", () => {
  /** Of 40 lots 20 are approved, 19 held, and two more wait with a receipt. */
  let round: { projectId: number; waiting: number; backer: string };
  beforeAll(async () => {
    const project = await createProject(deps.db, { fundingGoalKobo: 200_000_000n, lots: 40 });
    const { payment, backer } = await createPayment(deps, { project, lots: 2 });
    await createPayment(deps, { project, lots: 20, status: "approved" });
    round = { projectId: project.id, waiting: payment.id, backer: backer.id };
    await inTransaction(deps.db, async (tx) => {
      await tx.execute(hold(19));
      await tx.execute(count({ held: 19 }));
    });
  });

  const hold = (lots: number) => sql`insert into holds (project_id, round, user_id, lots, until)
    values (${round.projectId}, 1, ${stranger.id}, ${lots}, '2099-01-01')`;
  const count = ({ approved = 20, held = 19 }: { approved?: number; held?: number }) =>
    sql`update project_rounds set approved_lots = ${approved}, held_lots = ${held} where project_id = ${round.projectId}`;
  const approve = async (tx: Tx) => {
    await supportByPayment(tx, { projectId: round.projectId, userId: round.backer, at: deps.clock.now() });
    await tx.execute(sql`update project_payments set status = 'approved' where id = ${round.waiting}`);
  };
  const growHold = (tx: Tx) =>
    tx.execute(sql`update holds set lots = 21 where project_id = ${round.projectId} and user_id = ${stranger.id}`);

  const attempts: [string, string, (tx: Tx) => Promise<unknown>][] = [
    ["approved", "round_lots_are_approved_lots", approve],
    ["held", "round_lots_are_held_lots", growHold],
    ["counted as approved", "project_rounds_not_oversold", (tx) => tx.execute(count({ approved: 22 }))],
    ["counted as held", "project_rounds_not_oversold", (tx) => tx.execute(count({ held: 21 }))],
    ["counted as both", "project_rounds_not_oversold", (tx) => tx.execute(count({ approved: 21, held: 20 }))],
    [
      "approved, and the held ones counted less for it",
      "round_lots_are_held_lots",
      async (tx) => {
        await approve(tx);
        await tx.execute(count({ approved: 22, held: 18 }));
      },
    ],
    [
      "held, and the approved ones counted less for it",
      "round_lots_are_approved_lots",
      async (tx) => {
        await growHold(tx);
        await tx.execute(count({ approved: 19, held: 21 }));
      },
    ],
  ];
  test.each(attempts)("%s: %s", async (_how, constraint, attempt) => {
    await expect(inTransaction(deps.db, attempt)).rejects.toSatisfy((error) => isCheckViolation(error, constraint));
  });
});

test("the demo's books are in order", async () => {
  const demo = await openTestDatabase();
  try {
    let stored = 0;
    await seedDemoData(demo.db, {
      now: deps.clock.now(),
      owner: { email: "owner@demo.example", passwordHash: "x" },
      backer: { email: "backer@demo.example", passwordHash: "x" },
      storeFile: async (bytes) => {
        stored += 1;
        return { key: `receipt/${stored}`, sha256: createHash("sha256").update(bytes).digest("hex") };
      },
    });
    await expectMoneyHolds({ ...deps, db: demo.db });
  } finally {
    await demo.close();
  }
});
