import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { rows } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { notificationOptOuts, outgoingMails } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projectFavorites, projectMessages } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { identities, twoFactors, userRoles, users } from "#server/db/schema/users.ts";
import { submitReceipt } from "#server/features/payments/receipts.ts";
import { accountTexts } from "#shared/account-texts.ts";
import { holdHoursKey } from "#shared/settings-texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  contextOf,
  createPayment,
  decide,
  expectMoneyHolds,
  findPayment,
  storeReceiptFile,
} from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, testPassword } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
const sure = { currentPassword: testPassword, confirmation: "close my account" } as const;

afterEach(() => expectMoneyHolds(deps));

const rowOf = async (userId: string) => (await deps.db.select().from(users).where(eq(users.id, userId)))[0];

/** Tables with a row of this person, users aside. */
async function tablesNaming(userId: string): Promise<string[]> {
  const columns = await rows<{ table_name: string; column_name: string }>(
    deps.db,
    sql`select table_name::text, column_name::text from information_schema.columns
      where table_schema = 'public' and data_type = 'uuid' and column_name like '%user_id' order by 1`,
  );
  const found: string[] = [];
  for (const { table_name: table, column_name: column } of columns) {
    const named = await rows(
      deps.db,
      sql`select 1 from ${sql.identifier(table)} where ${sql.identifier(column)} = ${userId} limit 1`,
    );
    if (named.length > 0) found.push(table);
  }
  return found;
}

describe("closing an account", () => {
  test("removes the person; what was backed, paid and written stays without the name", async () => {
    const backer = await createUser(deps.db, { fullName: "Zainab Canary" });
    const caller = await callAs(deps, backer);
    await createPayment(deps, { backer, status: "approved" });
    await createPayment(deps, { backer, status: "rejected" });
    const project = await createProject(deps.db);
    const mine = { userId: backer.id, projectId: project.id };
    await deps.db.insert(projectFavorites).values(mine);
    await deps.db.insert(projectMessages).values({ ...mine, content: "How are the snails?", isAdminReply: false });
    await deps.db.insert(notificationOptOuts).values({ userId: backer.id, kind: "project_update" });
    await deps.db
      .insert(identities)
      .values({ provider: "google", subject: backer.id, userId: backer.id, email: backer.email });
    await deps.db.update(outgoingMails).set({ sentAt: deps.clock.now() });

    expect(await caller.users.closing()).toEqual({ keptOpenBy: null });
    await caller.users.close(sure);

    expect(await rowOf(backer.id)).toMatchObject({
      email: `closed-${backer.id}@closed.invalid`,
      fullName: "Closed account",
      passwordHash: null,
      emailVerifiedAt: null,
      isAdmin: false,
      closedAt: deps.clock.now(),
    });
    const kept = ["payment_receipts", "payment_references", "project_backings", "project_messages", "project_payments"];
    const ledger = (await tablesNaming(backer.id)).filter((table) => !table.startsWith("ledger"));
    expect(ledger).toEqual(kept);
    const mails = await queuedMailsTo(deps.db, backer.email);
    expect(mails.map(({ subject }) => subject)).toEqual(["Your Gona account is closed"]);
    await expect(caller.auth.touch()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const visitor = await callAs(deps, "anonymous");
    await expect(visitor.auth.signIn({ email: backer.email, password: testPassword })).rejects.toThrow();
    await createUser(deps.db, { email: backer.email });
  });

  test("is refused while a payment is under review, a farm undecided, money held or due, or lots held, and nothing changes", async () => {
    const { payment, backer, owner } = await createPayment(deps);
    const caller = await callAs(deps, backer);
    const close = () => caller.users.close(sure);
    await expect(close()).rejects.toMatchObject({ code: "CONFLICT", message: accountTexts.paymentPending });
    expect(await caller.users.closing()).toEqual({ keptOpenBy: accountTexts.paymentPending });
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });

    const missed = await createProject(deps.db, { lots: 4 });
    const { payment: bought } = await createPayment(deps, { backer, owner, project: missed, status: "approved" });
    await expect(close()).rejects.toMatchObject({ message: accountTexts.farmUndecided(missed.title) });
    await decide(deps, owner, { paymentId: bought.id, status: "rejected", arrivedKobo: 100n });
    await expect(close()).rejects.toMatchObject({ message: accountTexts.moneyHeld("₦1") });
    await decide(deps, owner, { paymentId: bought.id, status: "approved" });
    const administrator = await callAs(deps, owner);
    await administrator.projects.close({ projectId: missed.id });
    await administrator.payments.decideRound({ projectId: missed.id, outcome: "not_funded", seenApprovedLots: 1 });
    await expect(close()).rejects.toMatchObject({ message: accountTexts.moneyDue("₦125,000") });
    expect(await rowOf(backer.id)).toMatchObject({ email: backer.email, closedAt: null });

    const holder = await createUser(deps.db);
    await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
    deps.clock.set(new Date());
    const open = await createProject(deps.db, { lots: 4 });
    const held = await callAs(deps, holder);
    await held.payments.begin({ projectId: open.id, lots: 1, termsVersion: 1, hasReadTerms: true });
    await expect(held.users.close(sure)).rejects.toMatchObject({ message: accountTexts.lotsHeld });
    await held.holds.release({ projectId: open.id });
    await held.users.close(sure);
    await deps.db.update(settings).set({ value: "0" }).where(eq(settings.key, holdHoursKey));
  });

  test("while a receipt is sent: it is refused", async () => {
    const { payment, backer, project, owner } = await createPayment(deps);
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
    const ctx = await contextOf(deps, backer);
    await (await callAs(deps, backer)).users.close(sure);
    const file = await storeReceiptFile(deps);
    const late = submitReceipt(ctx, { projectId: project.id, lots: 1, idempotencyKey: randomUUID(), file });
    await expect(late).rejects.toMatchObject({ reason: "unauthenticated" });
    expect(await deps.storage.exists(file.key)).toBe(false);
    expect((await findPayment(deps.db, payment.id)).currentReceiptId).toBe(payment.currentReceiptId);
  });

  test.each([
    ["without the password", { ...sure, currentPassword: undefined }, accountTexts.passwordMissing],
    ["with a wrong password", { ...sure, currentPassword: "Wrong-guess-1" }, accountTexts.passwordWrong],
  ])("is refused %s, and nothing changes", async (_, input, text) => {
    const backer = await createUser(deps.db);
    const caller = await callAs(deps, backer);
    await expect(caller.users.close(input)).rejects.toThrow(text);
    expect(await rowOf(backer.id)).toMatchObject({ email: backer.email, closedAt: null });
    await caller.auth.touch();
  });

  test("is refused without the typed words", async () => {
    const backer = await createUser(deps.db);
    const caller = await callAs(deps, backer);
    const almost = { ...sure, confirmation: "close my acount" } as unknown as typeof sure;
    await expect(caller.users.close(almost)).rejects.toThrow(accountTexts.closeUnconfirmed);
    expect(await rowOf(backer.id)).toMatchObject({ closedAt: null });
  });

  test("takes an administrator's rights, roles and second factor, and is audited", async () => {
    const manager = await createAdmin(deps.db, "manager");
    await deps.db.insert(twoFactors).values({ userId: manager.id, encryptedSecret: "secret" });
    await (await callAs(deps, manager)).users.close(sure);
    expect(await rowOf(manager.id)).toMatchObject({ isAdmin: false });
    expect(await tablesNaming(manager.id)).toEqual(["audit_logs"]);
    const [entry] = await deps.db.select().from(auditLogs).where(eq(auditLogs.userId, manager.id));
    expect(entry).toMatchObject({ actionType: "close_account", details: { roles: ["manager"] } });
  });

  test("is refused to the last active owner; blocked and closed owners don't count", async () => {
    await deps.db.delete(userRoles);
    const owner = await createAdmin(deps.db, "owner");
    await createAdmin(deps.db, "owner", { isBlocked: true });
    const caller = await callAs(deps, owner);
    await expect(caller.users.close(sure)).rejects.toThrow(accountTexts.lastOwner);
    expect(await rowOf(owner.id)).toMatchObject({ isAdmin: true, closedAt: null });
    const other = await createAdmin(deps.db, "owner");
    await caller.users.close(sure);
    await expect((await callAs(deps, other)).users.close(sure)).rejects.toThrow(accountTexts.lastOwner);
  });

  test("leaves payments' rows as they were", async () => {
    const { payment, backer } = await createPayment(deps, { status: "approved" });
    await (await callAs(deps, backer)).users.close(sure);
    const [kept] = await deps.db.select().from(projectPayments).where(eq(projectPayments.id, payment.id));
    expect(kept).toEqual(payment);
  });
});
