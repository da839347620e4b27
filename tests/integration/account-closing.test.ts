import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { inTransaction, rows } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { notificationOptOuts, notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { payeeAccounts, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { projectFavorites, projectMessages } from "#server/db/schema/projects.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { settings } from "#server/db/schema/settings.ts";
import { identities, twoFactors, userRoles, users } from "#server/db/schema/users.ts";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { forgetContacts } from "#server/features/people/users/service.ts";
import { accountTexts, returnDays } from "#shared/accounts/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  contextOf,
  createPayment,
  decide,
  expectMoneyHolds,
  findPayment,
  rejectArrived,
  storeReceiptFile,
} from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, testPassword } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { siteTermsOf } from "#tests/support/site-terms.ts";

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

    expect(await caller.users.closing()).toEqual({ keptOpenBy: null, keepsContact: true, keepsAddressUntil: null });
    await caller.users.close(sure);

    expect(await rowOf(backer.id)).toMatchObject({
      email: `closed-${backer.id}@closed.invalid`,
      fullName: "Closed account",
      passwordHash: null,
      emailVerifiedAt: null,
      isAdmin: false,
      closedAt: deps.clock.now(),
      // The farm runs: what it earns is the person's.
      contactEmail: backer.email,
    });
    const kept = [
      "consents",
      "papers",
      "payment_receipts",
      "payment_references",
      "project_backings",
      "project_messages",
      "project_payments",
    ];
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
    expect(await caller.users.closing()).toMatchObject({ keptOpenBy: accountTexts.paymentPending });
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });

    const missed = await createProject(deps.db, { lots: 4 });
    const { payment: bought } = await createPayment(deps, { backer, owner, project: missed, status: "approved" });
    await expect(close()).rejects.toThrow(accountTexts.farmUndecided(missed.title));
    await rejectArrived(deps, owner, { id: bought.id, amountKobo: 100n });
    await expect(close()).rejects.toThrow(accountTexts.moneyUnallocated("₦1"));
    await decide(deps, owner, { paymentId: bought.id, status: "approved" });
    const administrator = await callAs(deps, owner);
    await administrator.projects.close({ projectId: missed.id });
    await administrator.payments.decideRound({ projectId: missed.id, outcome: "not_funded", seenApprovedLots: 1 });
    await expect(close()).rejects.toThrow(accountTexts.moneyDue("₦125,000"));
    expect(await rowOf(backer.id)).toMatchObject({ email: backer.email, closedAt: null });

    const holder = await createUser(deps.db);
    await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
    deps.clock.set(new Date());
    const open = await createProject(deps.db, { lots: 4 });
    const held = await callAs(deps, holder);
    await held.payments.begin({
      projectId: open.id,
      lots: 1,
      termsVersion: 1,
      siteTerms: await siteTermsOf(deps),
      hasReadTerms: true,
    });
    await expect(held.users.close(sure)).rejects.toThrow(accountTexts.lotsHeld);
    await held.holds.release({ projectId: open.id });
    await held.users.close(sure);
    await deps.db.update(settings).set({ value: "0" }).where(eq(settings.key, holdHoursKey));
  });

  describe("with money to come", () => {
    const account = { bankCode: "044", accountNumber: "0690000032", accountName: "Zainab Canary" };
    const proof = { currentPassword: testPassword };
    const accountsOf = (userId: string) => deps.db.select().from(payeeAccounts).where(eq(payeeAccounts.userId, userId));
    /** Moves the payouts on as if a run had been exported, or also seen at the bank. */
    const advance = (userId: string, state: "sent" | "paid") =>
      inTransaction(deps.db, async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`);
        const at = deps.clock.now();
        const [run] = await tx
          .insert(payoutRuns)
          .values({
            ownAccountId: 0,
            payouts: 1,
            totalKobo: 1n,
            linesSha256: "",
            madeBy: userId,
            createdAt: at,
          })
          .returning();
        const paid = state === "paid" ? { paidAt: at } : {};
        await tx
          .update(payouts)
          .set({ state, runId: run?.id ?? 0, sentAt: at, ...paid })
          .where(eq(payouts.userId, userId));
      });
    const inDays = (days: number) => new Date(deps.clock.now().getTime() + days * 86_400_000);
    /** Takes away what stood beside the books. */
    const takeBack = (userId: string) =>
      inTransaction(deps.db, async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`);
        const waiting = { state: "waiting" as const, runId: null, sentAt: null, paidAt: null };
        await tx
          .update(payouts)
          .set({ ...waiting, dueAt: null, promisedBy: null })
          .where(eq(payouts.userId, userId));
        await tx.delete(payoutRuns);
      });

    test("is refused while it is due or on its way, and says what to do", async () => {
      const { payment, backer, owner } = await createPayment(deps, { status: "approved" });
      await rejectArrived(deps, owner, payment);
      const administrator = await callAs(deps, owner);
      await administrator.payments.giveUnallocatedBack({
        paymentId: payment.id,
        seenUnallocatedKobo: payment.amountKobo,
      });
      const caller = await callAs(deps, backer);
      const amount = formatNaira(payment.amountKobo);
      const refusedBy = async (message: string) => {
        expect(await caller.users.closing()).toMatchObject({ keptOpenBy: message, keepsContact: true });
        await expect(caller.users.close(sure)).rejects.toMatchObject({ code: "CONFLICT", message });
        expect(await rowOf(backer.id)).toMatchObject({ email: backer.email, closedAt: null, contactEmail: null });
      };
      await refusedBy(`${amount} is still due to you. Tell us where to send it first.`);
      await caller.payeeAccounts.set({ ...account, ...proof });
      await refusedBy(accountTexts.moneyComing(amount));
      await advance(backer.id, "sent");
      await refusedBy(accountTexts.moneyOnItsWay(amount));
      await advance(backer.id, "paid");
      const until = inDays(returnDays);
      expect(await caller.users.closing()).toEqual({
        keptOpenBy: null,
        keepsContact: false,
        keepsAddressUntil: until,
      });
      const details = { userId: backer.id, ...account };
      const asked = {
        kind: "enter_payee_account" as const,
        subject: backer.id,
        details,
        reason: "Asked while blocked",
      };
      await deps.db
        .insert(secondPersonRequests)
        .values({ ...asked, requestedBy: owner.id, requestedAt: deps.clock.now() });
      await caller.users.close(sure);
      const [request] = await deps.db
        .select()
        .from(secondPersonRequests)
        .where(eq(secondPersonRequests.subject, backer.id));
      expect(request).toMatchObject({ decision: "lapsed", details: { accountNumber: "••• 0032" } });
      expect(request?.details).not.toHaveProperty("accountName");
      // The bank may send it back within the month: then there is somebody to write to.
      expect(await rowOf(backer.id)).toMatchObject({ contactEmail: backer.email });
      expect(await accountsOf(backer.id)).toEqual([]);
      const now = deps.clock.now();
      deps.clock.set(new Date(until.getTime() - 1));
      await forgetContacts(deps);
      expect(await rowOf(backer.id)).toMatchObject({ contactEmail: backer.email });
      deps.clock.set(until);
      await forgetContacts(deps);
      expect(await rowOf(backer.id)).toMatchObject({ contactEmail: null });
      deps.clock.set(now);
      await takeBack(backer.id);
    });

    test("of a running farm keeps address and bank account; what is due later is mailed there, until nothing runs", async () => {
      const { payment, backer, owner } = await createPayment(deps, { status: "approved" });
      const caller = await callAs(deps, backer);
      await caller.payeeAccounts.set({ ...account, ...proof });
      expect(await caller.users.closing()).toEqual({ keptOpenBy: null, keepsContact: true, keepsAddressUntil: null });
      await caller.users.close(sure);
      expect(await rowOf(backer.id)).toMatchObject({ fullName: "Closed account", contactEmail: backer.email });
      await forgetContacts(deps);
      expect(await rowOf(backer.id)).toMatchObject({ contactEmail: backer.email });

      await rejectArrived(deps, owner, payment);
      const administrator = await callAs(deps, owner);
      await forgetContacts(deps);
      expect(await rowOf(backer.id)).toMatchObject({ contactEmail: backer.email });
      await administrator.payments.giveUnallocatedBack({
        paymentId: payment.id,
        seenUnallocatedKobo: payment.amountKobo,
      });
      const [payout] = await deps.db.select().from(payouts).where(eq(payouts.userId, backer.id));
      expect(payout).toMatchObject({ state: "due" });
      const mail = (await queuedMailsTo(deps.db, backer.email)).at(-1);
      expect(mail?.text).toContain("We pay it to the account that you gave us.");
      expect(mail?.text).toContain("Dear Valued Backer,");
      expect(mail?.text).not.toContain("/profile");
      expect(await deps.db.$count(notifications, eq(notifications.userId, backer.id))).toBe(0);

      await forgetContacts(deps);
      expect(await rowOf(backer.id)).toMatchObject({ contactEmail: backer.email });
      await advance(backer.id, "paid");
      await forgetContacts(deps);
      expect(await rowOf(backer.id)).toMatchObject({ contactEmail: backer.email });
      const now = deps.clock.now();
      deps.clock.set(inDays(returnDays));
      await forgetContacts(deps);
      deps.clock.set(now);
      expect(await rowOf(backer.id)).toMatchObject({ contactEmail: null });
      expect(await accountsOf(backer.id)).toEqual([]);
      await takeBack(backer.id);
    });
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
});
