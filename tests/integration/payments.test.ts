import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { countOpenJobs } from "#tests/support/jobs.ts";
import {
  createPayment,
  decide,
  expectMoneyHolds,
  findPayment,
  findProject,
  keepPending,
  seen,
} from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
let owner: TestUser;

beforeEach(async () => {
  // Every receipt notifies all administrators, so those of earlier tests are dismissed.
  await dismissAdmins(deps.db);
  owner = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
});
afterEach(() => expectMoneyHolds(deps));

const backingsOf = (projectId: number) =>
  deps.db.select().from(projectBackings).where(eq(projectBackings.projectId, projectId));
const auditOf = async (paymentId: number) =>
  (
    await deps.db
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.actionType, "update_payment_status"))
      .orderBy(auditLogs.id)
  ).filter(({ details }) => details.paymentId === paymentId);
const postingsOf = (paymentId: number) =>
  deps.db
    .select({ kind: ledgerTransactions.kind, account: ledgerEntries.account, amountKobo: ledgerEntries.amountKobo })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .where(eq(ledgerTransactions.paymentId, paymentId))
    .orderBy(ledgerEntries.id);
const noticesOf = (userId: string) =>
  deps.db.select().from(notifications).where(eq(notifications.userId, userId)).orderBy(notifications.id);
const statusOf = async (paymentId: number) => (await findPayment(deps.db, paymentId)).status;

/** Nothing of an approval happened. */
async function expectUntouched(paymentId: number, projectId: number) {
  expect(await statusOf(paymentId)).toBe("pending");
  expect(await findProject(deps.db, projectId)).toMatchObject({
    isClosed: false,
    currentFundingKobo: 0n,
    backersCount: 0,
  });
  expect(await postingsOf(paymentId)).toEqual([]);
  expect(await auditOf(paymentId)).toEqual([]);
}

describe("approving", () => {
  test("backs, closes, posts, funds, audits, notifies and queues one mail", async () => {
    const { payment, project, backer } = await createPayment(deps, { owner });
    const caller = await callAs(deps, owner, { ipAddress: "198.51.100.4" });
    const jobsBefore = await countOpenJobs(deps.db, "mail");
    await caller.payments.setStatus({ ...(await seen(deps.db, payment.id)), status: "approved" });

    expect(await findPayment(deps.db, payment.id)).toMatchObject({
      status: "approved",
      round: 1,
      decidedBy: owner.id,
      decidedAt: deps.clock.now(),
    });
    expect(await findProject(deps.db, project.id)).toMatchObject({
      isClosed: true,
      closedAt: deps.clock.now(),
      currentFundingKobo: project.fundingGoalKobo,
      backersCount: 1,
    });
    expect(await backingsOf(project.id)).toMatchObject([{ userId: backer.id, grantedAt: null }]);
    expect(await postingsOf(payment.id)).toEqual([
      { kind: "approval", account: "in_transit", amountKobo: project.fundingGoalKobo },
      { kind: "approval", account: "project_funding", amountKobo: -project.fundingGoalKobo },
    ]);
    expect(await auditOf(payment.id)).toMatchObject([
      {
        userId: owner.id,
        userEmail: owner.email,
        ipAddress: "198.51.100.4",
        details: {
          before: "pending",
          after: "approved",
          amountKobo: project.fundingGoalKobo.toString(),
          projectId: project.id,
          projectTitle: project.title,
        },
      },
    ]);
    expect(await noticesOf(backer.id)).toMatchObject([{ kind: "payment_status", title: "Payment approved" }]);
    const mails = await queuedMailsTo(deps.db, backer.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe(`Your backing of ${project.title} is confirmed`);
    for (const words of [
      `Dear ${backer.fullName},`,
      project.title,
      "₦500,000",
      payment.reference,
      `${deps.env.publicUrl}/backed-project/${project.id}`,
    ]) {
      expect(mails[0]?.text).toContain(words);
    }
    expect(await countOpenJobs(deps.db, "mail")).toBe(jobsBefore + 1);
  });

  test("greets a backer without a name as 'Valued Backer', and hostile titles stay text", async () => {
    const backer = await createUser(deps.db, { fullName: " " });
    const project = await createProject(deps.db, { title: '<img src=x onerror="1">\r\nBcc: all' });
    await createPayment(deps, { backer, project, owner, status: "approved" });
    const [mail] = await queuedMailsTo(deps.db, backer.email);
    expect(mail?.text).toContain("Dear Valued Backer,");
    expect(mail?.subject).not.toMatch(/[\r\n]/);
    expect(mail?.html).not.toContain("<img");
  });

  test("a status, receipt or payment that isn't the one seen is refused, and nothing changes", async () => {
    const { payment, project } = await createPayment(deps, { owner });
    const caller = await callAs(deps, owner);
    const look = await seen(deps.db, payment.id);
    const changed = { code: "CONFLICT", message: paymentTexts.changed };
    await expect(
      caller.payments.setStatus({ ...look, seenStatus: "rejected", status: "approved" }),
    ).rejects.toMatchObject(changed);
    await expect(
      caller.payments.setStatus({ ...look, seenReceiptSha256: "0".repeat(64), status: "approved" }),
    ).rejects.toMatchObject(changed);
    await expect(
      caller.payments.setStatus({ ...look, paymentId: 987_654_321, status: "approved" }),
    ).rejects.toMatchObject({ code: "NOT_FOUND", message: paymentTexts.gone });
    await expectUntouched(payment.id, project.id);
  });

  test("a second approval in the round is refused and says by whom the first was", async () => {
    const project = await createProject(deps.db);
    const second = await createPayment(deps, { project, owner });
    await createPayment(deps, { project, owner, status: "approved" });
    await expect(decide(deps, owner, { paymentId: second.payment.id, status: "approved" })).rejects.toMatchObject({
      reason: "conflict",
      message: paymentTexts.roundTaken("Amaka Obi"),
    });
    expect(await statusOf(second.payment.id)).toBe("pending");
    expect(await findProject(deps.db, project.id)).toMatchObject({ backersCount: 1, currentFundingKobo: 50_000_000n });
  });

  test("others who wait are told that it is taken, other backers that it closed, the approved one neither", async () => {
    const project = await createProject(deps.db, { backersCount: 1 });
    const friend = await createUser(deps.db);
    await deps.db
      .insert(projectBackings)
      .values({ projectId: project.id, userId: friend.id, grantedAt: deps.clock.now(), grantedBy: owner.id });
    const waiting = await createPayment(deps, { project, owner });
    const { backer } = await createPayment(deps, { project, owner, status: "approved" });
    expect(await noticesOf(waiting.backer.id)).toMatchObject([{ title: "Project taken by another backer" }]);
    expect(await noticesOf(friend.id)).toMatchObject([{ kind: "project_closed", title: "Project closed" }]);
    expect(await noticesOf(backer.id)).toMatchObject([{ title: "Payment approved" }]);
    expect(await queuedMailsTo(deps.db, friend.email)).toHaveLength(1);
    expect(await queuedMailsTo(deps.db, backer.email)).toHaveLength(1);

    const manager = await callAs(deps, "manager");
    const list = await manager.payments.list({ projectId: project.id });
    expect(list.canProcess).toBe(false);
    expect(list.items.map(({ status, refundDue }) => [status, refundDue])).toEqual([
      ["approved", null],
      ["pending", "project_taken"],
    ]);
  });

  test("a failing audit undoes all of it", async () => {
    const { payment, project, backer } = await createPayment(deps, { owner });
    await deps.db.execute(sql`create function fail_audit() returns trigger language plpgsql as
      $$ begin raise exception 'no audit today'; end $$`);
    await deps.db.execute(sql`create trigger fail_audit before insert on audit_logs execute function fail_audit()`);
    try {
      await expect(decide(deps, owner, { paymentId: payment.id, status: "approved" })).rejects.toThrow();
    } finally {
      await deps.db.execute(sql`drop trigger fail_audit on audit_logs`);
      await deps.db.execute(sql`drop function fail_audit`);
    }
    await expectUntouched(payment.id, project.id);
    expect(await backingsOf(project.id)).toEqual([]);
    expect(await queuedMailsTo(deps.db, backer.email)).toEqual([]);
  });

  test("an approval on a project that was closed by hand works", async () => {
    const project = await createProject(deps.db);
    const { payment } = await createPayment(deps, { project, owner });
    await deps.db
      .update(projects)
      .set({ isClosed: true, closedAt: deps.clock.now() })
      .where(eq(projects.id, project.id));
    await decide(deps, owner, { paymentId: payment.id, status: "approved" });
    expect(await findProject(deps.db, project.id)).toMatchObject({ isClosed: true, backersCount: 1 });
  });
});

describe("leaving approved", () => {
  test.each(["pending", "rejected"] as const)(
    "to %s takes back funding and backing; the project stays closed",
    async (to) => {
      const { payment, project, backer } = await createPayment(deps, { owner, status: "approved" });
      await decide(deps, owner, { paymentId: payment.id, status: to });
      expect(await findPayment(deps.db, payment.id)).toMatchObject({ status: to, round: 1 });
      expect(await findProject(deps.db, project.id)).toMatchObject({
        isClosed: true,
        currentFundingKobo: 0n,
        backersCount: 0,
      });
      expect(await backingsOf(project.id)).toEqual([]);
      expect((await postingsOf(payment.id)).map(({ kind, amountKobo }) => [kind, amountKobo])).toEqual([
        ["approval", 50_000_000n],
        ["approval", -50_000_000n],
        ["reversal", -50_000_000n],
        ["reversal", 50_000_000n],
      ]);
      expect((await auditOf(payment.id)).map(({ details }) => details.after)).toEqual(["approved", to]);
      const mails = await queuedMailsTo(deps.db, backer.email);
      expect(mails).toHaveLength(2);
      expect(mails[1]?.text).toContain("approval");
    },
  );

  test("a granted backing stays, and so does one that another approved payment supports", async () => {
    const { payment, project, backer } = await createPayment(deps, { owner, status: "approved" });
    await deps.db
      .update(projectBackings)
      .set({ grantedAt: deps.clock.now(), grantedBy: owner.id })
      .where(eq(projectBackings.projectId, project.id));
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
    expect(await findProject(deps.db, project.id)).toMatchObject({ backersCount: 1, currentFundingKobo: 0n });

    const other = await createPayment(deps, { owner, status: "approved" });
    await reopenInNextRound(other.project.id);
    const again = await createPayment(deps, { ...other, status: "approved" });
    expect(again.payment.round).toBe(2);
    await decide(deps, owner, { paymentId: other.payment.id, status: "rejected" });
    expect(await backingsOf(other.project.id)).toMatchObject([{ userId: other.backer.id }]);
    expect(await findProject(deps.db, other.project.id)).toMatchObject({
      backersCount: 1,
      currentFundingKobo: 50_000_000n,
    });
    await decide(deps, owner, { paymentId: again.payment.id, status: "rejected" });
    expect(await backingsOf(other.project.id)).toEqual([]);
    expect(backer.id).not.toBe(other.backer.id);
  });

  test("an earlier round's approval is taken back in its own round", async () => {
    const first = await createPayment(deps, { owner, status: "approved" });
    await reopenInNextRound(first.project.id);
    expect(await findProject(deps.db, first.project.id)).toMatchObject({ currentFundingKobo: 0n });
    await createPayment(deps, { project: first.project, owner, status: "approved" });
    await decide(deps, owner, { paymentId: first.payment.id, status: "pending" });
    expect(await findProject(deps.db, first.project.id)).toMatchObject({
      currentFundingKobo: 50_000_000n,
      backersCount: 1,
    });
  });

  test("every direction works, again and again, and each change leaves one mail and one audit entry", async () => {
    const { payment, backer, project } = await createPayment(deps, { owner });
    const path = [
      "approved",
      "pending",
      "rejected",
      "pending",
      "approved",
      "rejected",
      "approved",
      "rejected",
    ] as const;
    for (const status of path) {
      deps.clock.advance({ minutes: 1 });
      await decide(deps, owner, { paymentId: payment.id, status });
      await expectMoneyHolds(deps);
    }
    expect((await auditOf(payment.id)).map(({ details }) => details.after)).toEqual(path);
    expect(await queuedMailsTo(deps.db, backer.email)).toHaveLength(path.length);
    expect(await postingsOf(payment.id)).toHaveLength(3 * 2 * 2);
    expect(await findProject(deps.db, project.id)).toMatchObject({ currentFundingKobo: 0n, backersCount: 0 });
  });

  test("setting the status it has changes nothing", async () => {
    const { payment } = await createPayment(deps, { owner, status: "approved" });
    await decide(deps, owner, { paymentId: payment.id, status: "approved" });
    expect(await auditOf(payment.id)).toHaveLength(1);
    expect(await postingsOf(payment.id)).toHaveLength(2);
  });
});

describe("rejecting", () => {
  test("keeps the reason, audits, and mails it to the backer", async () => {
    const { payment, backer, project } = await createPayment(deps, { owner });
    await decide(deps, owner, { paymentId: payment.id, status: "rejected", reason: "The amount can't be read." });
    expect(await findPayment(deps.db, payment.id)).toMatchObject({ status: "rejected", decidedBy: owner.id });
    expect(await findProject(deps.db, project.id)).toMatchObject({ isClosed: false, backersCount: 0 });
    expect(await auditOf(payment.id)).toMatchObject([
      { details: { before: "pending", after: "rejected", reason: "The amount can't be read." } },
    ]);
    const [mail] = await queuedMailsTo(deps.db, backer.email);
    expect(mail?.text).toContain("Reason: The amount can't be read.");

    const mine = await callAs(deps, backer);
    expect((await mine.payments.listMyPending()).rejected).toMatchObject([
      { payment: { rejectionReason: "The amount can't be read." }, project: { id: project.id } },
    ]);
  });

  test("setting it back is refused while the backer has another pending payment", async () => {
    const first = await createPayment(deps, { owner, status: "rejected" });
    const second = await createPayment(deps, first);
    expect(second.payment.id).not.toBe(first.payment.id);
    await expect(decide(deps, owner, { paymentId: first.payment.id, status: "pending" })).rejects.toMatchObject({
      reason: "conflict",
      message: paymentTexts.otherPending,
    });
    expect(await findPayment(deps.db, first.payment.id)).toMatchObject({ status: "rejected", decidedBy: owner.id });
    expect(await auditOf(first.payment.id)).toHaveLength(1);
  });
});

describe("a removed project", () => {
  test("leaves its payments with their titles: pending ones can be rejected, not approved; approved ones taken back", async () => {
    const project = await createProject(deps.db);
    const waiting = await createPayment(deps, { project, owner });
    const approved = await createPayment(deps, { project, owner, status: "approved" });
    await inTransaction(deps.db, async (tx) => {
      await tx.delete(projectBackings).where(eq(projectBackings.projectId, project.id));
      await tx.delete(projects).where(eq(projects.id, project.id));
    });
    const caller = await callAs(deps, owner);
    const { items } = await caller.payments.list({});
    expect(items.find(({ id }) => id === waiting.payment.id)).toMatchObject({
      projectId: null,
      projectTitle: project.title,
      refundDue: "project_removed",
    });
    await expect(decide(deps, owner, { paymentId: waiting.payment.id, status: "approved" })).rejects.toThrow(
      paymentTexts.removedNotApprovable,
    );
    await decide(deps, owner, { paymentId: waiting.payment.id, status: "rejected" });
    await decide(deps, owner, { paymentId: approved.payment.id, status: "rejected" });
    expect(await statusOf(approved.payment.id)).toBe("rejected");
  });
});

describe("the administrators' list", () => {
  test("is newest first, 50 a page by keyset, filtered by status", async () => {
    const project = await createProject(deps.db);
    // Same moment for pairs: the id decides.
    const moments = Array.from({ length: 52 }, (_, place) => {
      return { createdAt: new Date(deps.clock.now().getTime() + 1000 * Math.floor(place / 2)) };
    });
    const ids = await keepPending(deps.db, project, moments);
    const manager = await callAs(deps, "manager");
    const first = await manager.payments.list({ projectId: project.id, status: "pending" });
    const second = await manager.payments.list({ projectId: project.id, status: "pending", cursor: first.nextCursor });
    expect(first.items).toHaveLength(50);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(second.nextCursor).toBeNull();
    expect((await manager.payments.list({ projectId: project.id, status: "approved" })).items).toEqual([]);
    await expect(manager.payments.list({ cursor: "nonsense" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("names a backer without a name 'Unknown'", async () => {
    const backer = await createUser(deps.db, { fullName: " " });
    const { project } = await createPayment(deps, { backer, owner });
    const manager = await callAs(deps, "manager");
    expect((await manager.payments.list({ projectId: project.id })).items).toMatchObject([{ backerName: "Unknown" }]);
  });

  test("can be narrowed to projects that somebody paid for, found by their titles to the letter", async () => {
    const paid = await createProject(deps.db, { title: "Goats 100% dry_land" });
    const other = await createProject(deps.db, { title: "Goats 100 of dryland" });
    const unpaid = await createProject(deps.db, { title: "Goats 100% dry_land, not yet paid" });
    await createPayment(deps, { project: paid, owner });
    await createPayment(deps, { project: other, owner });
    const manager = await callAs(deps, "manager");
    const find = async (search: string, selectedId?: number) =>
      (await manager.payments.projects({ search, selectedId })).items.map(({ id }) => id);
    expect(await find("goats 100")).toEqual([other.id, paid.id]);
    expect(await find("100% DRY_")).toEqual([paid.id]);
    expect(await find("no such farm")).toEqual([]);
    // The chosen one is named whatever is searched, and first.
    expect(await find("no such farm", unpaid.id)).toEqual([unpaid.id]);
    expect(await find("goats 100", paid.id)).toEqual([paid.id, other.id]);
    expect((await manager.payments.list({ projectId: paid.id })).items).toHaveLength(1);
  });
});

describe("backed projects", () => {
  test("are listed for their backer only, and open for backers and administrators", async () => {
    const { project, backer } = await createPayment(deps, { owner, status: "approved" });
    const mine = await callAs(deps, backer);
    expect((await mine.backings.mine({})).items).toMatchObject([{ id: project.id, isClosed: true }]);
    expect((await mine.payments.listMyPending()).pending).toEqual([]);
    expect(await mine.backings.project({ projectId: project.id })).toMatchObject({ creator: "Gona Farms" });
    const viewer = await callAs(deps, "viewer");
    expect(await viewer.backings.project({ projectId: project.id })).toMatchObject({ id: project.id });
    const stranger = await callAs(deps, "backer");
    expect((await stranger.backings.mine({})).items).toEqual([]);
    await expect(stranger.backings.project({ projectId: project.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "Project not found",
    });
  });
});

/** Reopens a project whose round is over: the next round begins. */
async function reopenInNextRound(projectId: number): Promise<void> {
  await (await callAs(deps, owner)).projects.reopen({ projectId });
}
