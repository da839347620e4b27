import { readFileSync } from "node:fs";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { payoutInvariants } from "#server/books/checks/payouts.ts";
import { postRelease } from "#server/books/events/payouts.ts";
import { post } from "#server/books/post.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { farmReleases } from "#server/db/schema/payouts.ts";
import { failPayout, makePayouts, markSeenLeaving, type Payout } from "#server/features/payouts/service.ts";
import type { Violation } from "#server/platform/findings.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment, expectMoneyHolds } from "#tests/support/money.ts";
import { findPayout, giveAccount, keepRun, oweRefund } from "#tests/support/payouts.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";
import { lookAfter, type Planted, reportsOf } from "#tests/support/planted.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

const deps = await openTestDeps();
const { db } = deps;
const ids: Record<string, number> = {};
let owner: TestUser;
let second: TestUser;

/** A refund with an account, and its only payout. */
async function owedWithAccount() {
  const owed = await oweRefund(deps, { owner });
  const account = await giveAccount(deps, { userId: owed.backer.id }, { addedBy: owed.backer.id });
  return { payout: await findPayout(deps, owed.payouts[0]?.id ?? 0), account };
}
/** A line of a payout's amount, matched with it. */
async function matchLine(ownAccount: OwnAccount, payout: Payout, kind: "payout" | "returned"): Promise<number> {
  const isOut = kind === "payout";
  const { id: payoutId, amountKobo } = payout;
  const line = await keepLine(deps, ownAccount, { amountKobo: isOut ? -amountKobo : amountKobo });
  await inTransaction(db, async (tx) => {
    const [match] = await tx.insert(lineMatches).values({ lineId: line.id, kind, amountKobo, payoutId }).returning();
    await tx.update(statementLines).set({ matchedKobo: amountKobo }).where(eq(statementLines.id, line.id));
    const sign = isOut ? 1n : -1n;
    await post(tx, { kind: "match", matchId: match?.id ?? 0 }, [
      { account: isOut ? "unmatched_out" : "unmatched_in", lineId: line.id, amountKobo: -sign * amountKobo },
      { account: "payouts_in_transit", payoutId, amountKobo: sign * amountKobo },
    ]);
    const at = deps.clock.now();
    if (isOut) await markSeenLeaving(tx, [payout], { day: "2026-11-05", at });
    else await failPayout(tx, payout, { reason: "name differs", actorId: owner.id, at });
  });
  return line.id;
}

/** A payout in each state, and a release to a farm. */
beforeAll(async () => {
  owner = await createAdmin(db, "owner");
  second = await createAdmin(db, "owner");
  const waiting = await oweRefund(deps, { owner });
  const due = await owedWithAccount();
  const drafted = await owedWithAccount();
  const sent = await owedWithAccount();
  const paid = await owedWithAccount();
  const failed = await owedWithAccount();
  const { payment, project } = await createPayment(deps, { owner, status: "approved" });
  const ownAccount = await openOwnAccount(deps, { importedBy: owner.id, openingKobo: 10_000_000_00n });
  Object.assign(ids, { draft: await keepRun(deps, [drafted], { ownAccount, owner, second, isExported: false }) });
  Object.assign(ids, { run: await keepRun(deps, [sent, paid, failed], { ownAccount, owner, second }) });
  await matchLine(ownAccount, await findPayout(deps, paid.payout.id), "payout");
  await matchLine(ownAccount, await findPayout(deps, failed.payout.id), "payout");
  await matchLine(ownAccount, await findPayout(deps, failed.payout.id), "returned");
  await inTransaction(db, async (tx) => {
    const at = deps.clock.now();
    const about = { projectId: project.id, projectTitle: project.title, round: 1, amountKobo: payment.amountKobo };
    const [release] = await tx
      .insert(farmReleases)
      .values({ ...about, madeBy: owner.id })
      .returning();
    if (!release) throw new Error("no release");
    await postRelease(tx, "farm_release", { release, actorId: owner.id, at });
    await makePayouts(tx, [{ ...about, kind: "farm", releaseId: release.id, at }]);
    Object.assign(ids, { release: release.id });
  });
  Object.assign(ids, { refund: waiting.refund.id, waiting: waiting.payouts[0]?.id ?? 0, due: due.payout.id });
  Object.assign(ids, {
    drafted: drafted.payout.id,
    sent: sent.payout.id,
    paid: paid.payout.id,
    failed: failed.payout.id,
  });
});
afterEach(() => expectMoneyHolds(deps));

const planted: Planted[] = [
  {
    invariant: "I13",
    reported: "open payouts and ledger differ",
    plant: () => [`update payouts set state = 'cancelled', cancelled_at = now() where id = ${ids.waiting}`],
  },
  {
    invariant: "I13",
    reported: "payouts are not their refund",
    plant: () => [`update refunds set amount_kobo = amount_kobo + 1 where id = ${ids.refund}`],
  },
  {
    invariant: "I13",
    reported: "payouts are not their release",
    plant: () => [`update farm_releases set amount_kobo = amount_kobo - 1 where id = ${ids.release}`],
  },
  {
    invariant: "I13",
    reported: "payout stands elsewhere than its lines say",
    plant: () => [`delete from line_matches where payout_id = ${ids.paid}`],
  },
  {
    invariant: "I13",
    reported: "what was paid out twice is not what its lines say",
    plant: () => [`update line_matches set reason = 'It is lost' where payout_id = ${ids.paid}`],
  },
  {
    invariant: "I13",
    reported: "more was released than the round was paid",
    plant: () => ["update ledger_entries set amount_kobo = amount_kobo * 2 where account = 'farm_released'"],
  },
  {
    invariant: "I13",
    reported: "releases and ledger differ",
    plant: () => ["update ledger_entries set amount_kobo = amount_kobo - 1 where account = 'farm_released'"],
  },
  {
    invariant: "I15",
    reported: "payout in more than one run",
    plant: () => [
      `insert into payout_run_lines select ${ids.draft}, 9, payout_id, payee_account_id from payout_run_lines where payout_id = ${ids.sent}`,
    ],
  },
  {
    invariant: "I15",
    reported: "payout whose run is not the one it is a line of",
    plant: () => [`update payouts set run_id = ${ids.draft} where id = ${ids.sent}`],
  },
  {
    invariant: "I15",
    reported: "payout whose state is not that of its run",
    plant: () => [`update payouts set state = 'sent', sent_at = now() where id = ${ids.drafted}`],
  },
  {
    invariant: "I15",
    reported: "run is not its lines",
    plant: () => [
      `update payee_accounts set account_number = '9999999999' where id in
      (select payee_account_id from payout_run_lines where run_id = ${ids.run})`,
    ],
  },
  {
    invariant: "I15",
    reported: "run pays to another's account",
    plant: () => [
      `update payee_accounts set user_id = '${owner.id}', added_by = '${owner.id}' where id in
      (select payee_account_id from payout_run_lines where payout_id = ${ids.sent})`,
    ],
  },
  {
    invariant: "I15",
    reported: "exported run without its files",
    plant: () => [`delete from payout_files where run_id = ${ids.run} and format = 'xlsx'`],
  },
  {
    invariant: "I15",
    reported: "postings of a payout are not those of its state",
    plant: () => [`delete from ledger_transactions where payout_id = ${ids.sent}`],
  },
  {
    invariant: "I15",
    reported: "paid, and nothing shows it",
    plant: () => [`update payouts set state = 'paid', paid_at = now() where id = ${ids.sent}`],
  },
  {
    invariant: "I15",
    reported: "failed without a line that came back or a second person",
    plant: () => [`update payouts set state = 'failed', failed_at = now(), failed_reason = 'x' where id = ${ids.sent}`],
  },
  {
    invariant: "I15",
    reported: "debit booked as paid out twice without a second person",
    plant: () => [`update line_matches set reason = 'It is lost' where payout_id = ${ids.paid}`],
  },
  {
    invariant: "I15",
    reported: "failed payout that no other took over",
    plant: () => [`update payouts set replaces_id = null where replaces_id = ${ids.failed}`],
  },
  {
    invariant: "I15",
    reported: "line of another amount than its payout",
    plant: () => [`update line_matches set amount_kobo = 1 where payout_id = ${ids.paid}`],
  },
];

test.each(planted)("$invariant sees a planted violation: $reported", async ({ invariant, reported, plant }) => {
  const check = payoutInvariants.find(({ name }) => name.startsWith(`${invariant} `));
  const found = await lookAfter(db, plant(), (tx) => rows<Violation>(tx, check?.query ?? sql`select 1`));
  expect(found.map(({ violation }) => violation)).toContain(reported);
  for (const { row } of found) expect(row).toBeTypeOf("object");
});

test("every branch of every invariant has a planted violation", () => {
  const checks = readFileSync("src/server/books/checks/payouts.ts", "utf8");
  const reported = reportsOf(checks);
  expect(reported.length).toBeGreaterThan(10);
  expect(new Set(planted.map((plan) => plan.reported))).toEqual(new Set(reported));
});

test.each([
  ["another amount", () => `update payouts set amount_kobo = 1 where id = ${ids.waiting}`, "change refused"],
  ["a payout deleted", () => `delete from payouts where id = ${ids.waiting}`, "change refused"],
  [
    "a failed payout sent again",
    () => `update payouts set state = 'sent', failed_at = null, failed_reason = null where id = ${ids.failed}`,
    "change refused",
  ],
  ["a payout sent without a run", () => `update payouts set state = 'in_run' where id = ${ids.due}`, "payouts_in_run"],
  [
    "a payout cancelled while its refund stands",
    () => `update payouts set state = 'cancelled', cancelled_at = now() where id = ${ids.waiting}`,
    "its payouts are 0",
  ],
  [
    "a refund without payouts",
    () => `insert into refunds (payment_id, user_id, amount_kobo, reason)
      select payment_id, user_id, 1, 'surplus' from payouts where id = ${ids.waiting}`,
    "its payouts are 0",
  ],
  ["a run's total changed", () => `update payout_runs set total_kobo = 1 where id = ${ids.draft}`, "change refused"],
  ["a sent run declared void", () => `update payout_runs set state = 'void' where id = ${ids.run}`, "change refused"],
  [
    "a run approved by its maker",
    () =>
      `update payout_runs set state = 'approved', approved_by = made_by, approved_at = now() where id = ${ids.draft}`,
    "payout_runs_two_people",
  ],
  ["a run's line deleted", () => `delete from payout_run_lines where run_id = ${ids.draft}`, "append-only"],
  ["a file changed", () => `update payout_files set bytes = 'x' where run_id = ${ids.run}`, "append-only"],
  [
    "a file with another hash",
    () =>
      `insert into payout_files (run_id, format, columns, sha256, bytes) values (${ids.draft}, 'csv', '[]', 'abc', 'x')`,
    "payout_files_hash",
  ],
  ["an account's number changed", () => "update payee_accounts set account_number = '1111111111'", "change refused"],
  [
    "a number of an account in a decided request",
    () => `insert into second_person_requests
        (kind, subject, details, reason, requested_by, requested_at, decision, decided_by, decided_at)
      values ('enter_payee_account', 'x', '{"accountName": "Ada Obi"}', 'x', '${owner.id}', now(), 'declined',
        '${second.id}', now())`,
    "second_person_requests_forgotten",
  ],
  [
    "a payout from waiting to paid",
    () => `update payouts set state = 'paid' where id = ${ids.waiting}`,
    "change refused",
  ],
  [
    "a payout matched twice",
    () => `insert into line_matches (line_id, kind, amount_kobo, payout_id)
      select line_id, kind, amount_kobo, payout_id from line_matches where payout_id = ${ids.paid}`,
    "line_matches_payout_once",
  ],
  [
    "a return undone",
    () => `update line_matches set undone_at = now(), undone_by = '${owner.id}' where kind = 'returned'`,
    "change refused",
  ],
  [
    "a payout posted twice",
    () => `insert into ledger_transactions (kind, payout_id) values ('payout_sent', ${ids.sent})`,
    "ledger_transactions_payout_once",
  ],
])("the database itself refuses: %s", async (_what, statement, told) => {
  await expect(db.execute(sql.raw(statement()))).rejects.toMatchObject({
    cause: { message: expect.stringContaining(told) },
  });
});
