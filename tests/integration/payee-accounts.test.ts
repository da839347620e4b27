import { asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { payeeAccounts, payouts } from "#server/db/schema/payouts.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { rateLimits, signInCounters } from "#server/db/schema/sessions.ts";
import { notifyFailed, notifyPaid, notifySent } from "#server/features/payouts/notices.ts";
import { endExpiredRequests, endRequestsAbout, endRequestsOf } from "#server/features/second-person/service.ts";
import { cleanUp } from "#server/housekeeping.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { payeeAccountTexts as texts } from "#shared/payouts/payee-accounts-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createPayment, expectMoneyHolds, rejectArrived } from "#tests/support/money.ts";
import { oweRefund } from "#tests/support/payouts.ts";
import { blockUser, callAs, createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";

const deps = await openTestDeps();
const { db } = deps;
const proof = { currentPassword: testPassword };
const account = { bankCode: "044", accountNumber: "0690000032", accountName: "OBI ADAEZE" };
const hourMs = 3_600_000;

beforeEach(async () => {
  for (const table of [rateLimits, signInCounters]) await db.delete(table);
});
afterEach(() => expectMoneyHolds(deps));

const payoutsOf = (userId: string) =>
  db.select().from(payouts).where(eq(payouts.userId, userId)).orderBy(asc(payouts.id));
const accountsOf = (userId: string) =>
  db.select().from(payeeAccounts).where(eq(payeeAccounts.userId, userId)).orderBy(asc(payeeAccounts.id));

/** A backer to whom the whole of a payment is due. */
async function createDue(given: { backer?: TestUser; owner?: TestUser } = {}) {
  const made = await createPayment(deps, { ...given, status: "approved" });
  const { payment, owner, backer } = made;
  await rejectArrived(deps, owner, payment);
  const administrator = await callAs(deps, owner);
  await administrator.payments.giveUnallocatedBack({ paymentId: payment.id, seenUnallocatedKobo: payment.amountKobo });
  return { ...made, caller: await callAs(deps, backer) };
}

describe("a person's account", () => {
  test("makes what is due to them payable, rests for 48 hours, and is mailed and audited", async () => {
    const { backer, caller, payment } = await createDue({ backer: await createUser(db, { fullName: "Adaeze Obi" }) });
    expect(await caller.payeeAccounts.mine()).toMatchObject({
      account: null,
      payouts: [{ state: "waiting", amountKobo: payment.amountKobo, promisedBy: null, paidTo: null }],
    });
    const told = (await queuedMailsTo(db, backer.email)).at(-1);
    expect(told?.text).toContain("Tell us where to.");
    expect(told?.text).toContain("/profile?tab=money");

    const at = deps.clock.now();
    await caller.payeeAccounts.set({ ...account, accountNumber: "0690 000 032", ...proof });
    const usableFrom = new Date(at.getTime() + 48 * hourMs);
    const [kept] = await accountsOf(backer.id);
    expect(kept).toMatchObject({ ...account, bankName: "Access Bank", usableFrom, replacedAt: null });
    expect(await payoutsOf(backer.id)).toMatchObject([{ state: "due", dueAt: at }]);
    expect(await caller.payeeAccounts.mine()).toMatchObject({
      account: { masked: "Access Bank ••• 0032", accountName: "OBI ADAEZE", usableFrom, isUsable: false },
      payouts: [{ state: "due", isOverdue: false }],
    });
    expect(JSON.stringify(await caller.payeeAccounts.mine(), (_, it) => String(it))).not.toContain("0690000032");

    const mail = (await queuedMailsTo(db, backer.email)).at(-1);
    expect(mail).toMatchObject({ subject: "Gona: the account for your payouts was changed" });
    expect(mail?.text).toContain("Access Bank ••• 0032, OBI ADAEZE");
    expect(mail?.text).not.toContain("0690000032");
    const logged = await db.select().from(auditLogs).where(eq(auditLogs.actionType, "set_payee_account"));
    expect(logged.filter(({ userId }) => userId === backer.id)).toMatchObject([
      { details: { payeeAccountId: kept?.id, before: null, after: "Access Bank ••• 0032" } },
    ]);
  });

  test("that is known already makes a refund due at once, and its mail asks for none", async () => {
    const backer = await createUser(db);
    const caller = await callAs(deps, backer);
    await caller.payeeAccounts.set({ ...account, ...proof });
    await createDue({ backer });
    expect(await payoutsOf(backer.id)).toMatchObject([{ state: "due" }]);
    const mail = (await queuedMailsTo(db, backer.email)).at(-1);
    expect(mail?.text).toContain("We pay it to the account that you gave us.");
    expect(mail?.text).not.toContain("Tell us where to");
  });

  test("is replaced by another, which rests anew; the same again is refused", async () => {
    const { backer, caller } = await createDue();
    await caller.payeeAccounts.set({ ...account, ...proof });
    await expect(caller.payeeAccounts.set({ ...account, ...proof })).rejects.toMatchObject({
      code: "CONFLICT",
      message: texts.unchanged,
    });
    await caller.payeeAccounts.set({ ...account, accountNumber: "0690000042", ...proof });
    expect(await accountsOf(backer.id)).toMatchObject([
      { accountNumber: "0690000032", replacedAt: deps.clock.now() },
      { accountNumber: "0690000042", replacedAt: null },
    ]);
    expect((await payoutsOf(backer.id)).map(({ state }) => state)).toEqual(["due"]);
  });

  test("is refused without the password or in a wrong form, and nothing changes", async () => {
    const { backer, caller } = await createDue();
    const before = [await payoutsOf(backer.id), await queuedMailsTo(db, backer.email)];
    const refused: [object, string][] = [
      [{ ...account }, accountTexts.passwordMissing],
      [{ ...account, currentPassword: "wrong" }, accountTexts.passwordWrong],
      [{ ...account, ...proof, accountNumber: "123456789" }, texts.numberInvalid],
      [{ ...account, ...proof, accountNumber: "12345678901" }, texts.numberInvalid],
      [{ ...account, ...proof, bankCode: "999" }, texts.bankMissing],
      [{ ...account, ...proof, accountName: " A " }, texts.nameInvalid],
      [{ ...account, ...proof, accountName: "Ada\nObi" }, texts.nameInvalid],
    ];
    for (const [given, text] of refused) {
      await expect(caller.payeeAccounts.set(given as never)).rejects.toThrow(text);
    }
    const visitor = await callAs(deps, "anonymous");
    await expect(visitor.payeeAccounts.set({ ...account, ...proof })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await accountsOf(backer.id)).toEqual([]);
    expect([await payoutsOf(backer.id), await queuedMailsTo(db, backer.email)]).toEqual(before);
  });

  test("is told to be unusual where its number or its name is, which refuses nothing", async () => {
    const caller = await callAs(deps, await createUser(db, { fullName: "Adaeze Ọlámidé Obi" }));
    const check = (given: object) => caller.payeeAccounts.check({ ...account, ...given });
    const usual = { isNameUnlike: false, isNumberUnusual: false };
    for (const accountName of ["OBI ADAEZE OLAMIDE", "Adaeze Obi", "obi, olamide adaeze"]) {
      expect(await check({ accountName })).toEqual(usual);
    }
    expect(await check({ accountName: "Chukwuma Eze" })).toEqual({ ...usual, isNameUnlike: true });
    expect(await check({ accountName: "OBI ADAEZE OLAMIDE", accountNumber: "0690000031" })).toEqual({
      ...usual,
      isNumberUnusual: true,
    });
    await caller.payeeAccounts.set({ ...account, accountName: "Chukwuma Eze", accountNumber: "0690000031", ...proof });
  });

  test("shows nobody another's money", async () => {
    const { backer } = await createDue();
    await (await callAs(deps, backer)).payeeAccounts.set({ ...account, ...proof });
    expect(await (await callAs(deps, "backer")).payeeAccounts.mine()).toMatchObject({ account: null, payouts: [] });
  });
});

describe("what became of a payout", () => {
  test("is told once each, by notification and mail", async () => {
    const { backer } = await createDue();
    const [payout] = await payoutsOf(backer.id);
    if (!payout) throw new Error("no payout");
    const tell = () =>
      inTransaction(db, async (tx) => {
        await notifySent(tx, deps, [payout]);
        await notifyPaid(tx, deps, [payout], null);
        await notifyFailed(tx, deps, payout, { reason: "name differs", isDue: false });
      });
    await tell();
    await tell();
    const mails = (await queuedMailsTo(db, backer.email)).slice(-3);
    expect(mails.map(({ eventKey }) => eventKey)).toEqual(
      ["sent", "paid", "failed"].map((event) => `payout:${payout.id}:${event}`),
    );
    expect(mails[0]?.text).toContain(`reference ${payout.reference}`);
    expect(mails[2]?.text).toContain("Your bank gave the money back (name differs). Please check the account.");
    const { items } = await (await callAs(deps, backer)).notifications.newest();
    expect(items.slice(0, 4)).toMatchObject([
      { title: "Money came back", isAboutMoney: true },
      { title: "Money paid", isAboutMoney: true },
      { title: "Money sent", isAboutMoney: true },
      { title: "Refund due", isAboutMoney: true },
    ]);
  });

  test("and a decision that makes a refund due, or takes one back, leads to where its mail leads", async () => {
    const owner = await createAdmin(db, "owner");
    const { backer, refund } = await oweRefund(deps, { owner });
    const newest = async () => (await (await callAs(deps, backer)).notifications.newest()).items[0];
    expect(await newest()).toMatchObject({ title: "Payment not approved", isAboutMoney: true });
    const reason = "The transfer was another person's.";
    await (await callAs(deps, owner)).payments.takeRefundBack({ refundId: refund.id, reason });
    expect(await newest()).toMatchObject({ title: "Refund taken back", isAboutMoney: false });
  });

  test("of a farm is told to all owners", async () => {
    const owner = await createAdmin(db, "owner");
    const manager = await createAdmin(db, "manager");
    const { backer, project } = await createDue();
    const [payout] = await payoutsOf(backer.id);
    if (!payout) throw new Error("no payout");
    const toFarm = { ...payout, id: 987_654, kind: "farm" as const, userId: null, projectId: project.id };
    await inTransaction(db, (tx) => notifySent(tx, deps, [toFarm]));
    const mailed = async ({ email }: TestUser) =>
      (await queuedMailsTo(db, email)).filter(({ eventKey }) => eventKey === "payout:987654:sent");
    expect(await mailed(owner)).toMatchObject([{ text: expect.stringContaining(`/admin/project/${project.id}`) }]);
    expect(await mailed(manager)).toEqual([]);
  });
});

describe("somebody who can't sign in", () => {
  test("has an account entered by two owners, and is told; whoever can sign in gives it themselves", async () => {
    const { backer } = await createDue();
    const asking = await callAs(deps, await createAdmin(db, "owner"));
    const confirming = await callAs(deps, await createAdmin(db, "owner"));
    const reason = "The person wrote to us from their own address.";
    const ask = () =>
      asking.secondPerson.ask({ kind: "enter_payee_account", details: { userId: backer.id, ...account }, reason });
    await expect(ask()).rejects.toMatchObject({ code: "CONFLICT", message: texts.notNeeded });
    await blockUser(db, backer.id);
    await ask();
    const { requests } = await confirming.secondPerson.list();
    const request = requests.find(({ kind }) => kind === "enter_payee_account");
    await confirming.secondPerson.confirm({ requestId: request?.id ?? 0 });
    expect(await accountsOf(backer.id)).toMatchObject([{ ...account, requestId: request?.id }]);
    expect(await payoutsOf(backer.id)).toMatchObject([{ state: "due" }]);
    const mail = (await queuedMailsTo(db, backer.email)).at(-1);
    expect(mail?.text).toContain("our team entered the account that we pay your money to: Access Bank ••• 0032");
    expect(mail?.text).not.toContain("/profile?tab=money");
  });

  describe("of the account that owners asked about", () => {
    const reason = "The person wrote to us from their own address.";
    const detailsOf = async (userId: string) =>
      (await db.select().from(secondPersonRequests).where(eq(secondPersonRequests.subject, userId))).at(-1);
    const logged = async () => JSON.stringify(await db.select({ details: auditLogs.details }).from(auditLogs));
    const number = "0690000899";
    const lastFour = { bankCode: "044", accountNumber: "••• 0899" };

    async function ask() {
      const { backer } = await createDue();
      await blockUser(db, backer.id);
      const asking = await callAs(deps, await createAdmin(db, "owner"));
      const other = await callAs(deps, await createAdmin(db, "owner"));
      const details = { userId: backer.id, ...account, accountNumber: number };
      await asking.secondPerson.ask({ kind: "enter_payee_account", details, reason });
      const asked = await detailsOf(backer.id);
      expect(asked?.details).toMatchObject({ accountNumber: number, accountName: account.accountName });
      return { backer, asking, other, requestId: asked?.id ?? 0 };
    }
    async function forgotten(userId: string, decision: string) {
      const found = await detailsOf(userId);
      expect(found).toMatchObject({ decision, details: lastFour });
      expect(found?.details).not.toHaveProperty("accountName");
      expect(await logged()).not.toContain(number);
    }

    test("the log has the last digits, and so has the request once it is confirmed, declined or withdrawn", async () => {
      const first = await ask();
      await first.other.secondPerson.confirm({ requestId: first.requestId });
      expect(await accountsOf(first.backer.id)).toMatchObject([{ accountNumber: number }]);
      await forgotten(first.backer.id, "confirmed");
      const second = await ask();
      await second.other.secondPerson.decline({ requestId: second.requestId });
      await forgotten(second.backer.id, "declined");
      const third = await ask();
      await third.asking.secondPerson.withdraw({ requestId: third.requestId });
      await forgotten(third.backer.id, "withdrawn");
      const entries = (await db.select().from(auditLogs)).filter(({ details }) => details?.userId === first.backer.id);
      expect(entries.map(({ actionType }) => actionType)).toEqual([
        ...["ask_second_person", "confirm_as_second_person", "enter_payee_account"],
      ]);
    });

    test("the hourly cleaning ends what nobody confirmed in time", async () => {
      const { backer } = await ask();
      const now = deps.clock.now();
      deps.clock.set(new Date(now.getTime() + secondPersonLimits.days * 24 * hourMs - 1));
      await endExpiredRequests(deps);
      expect(await detailsOf(backer.id)).toMatchObject({ decision: null, details: { accountNumber: number } });
      deps.clock.set(new Date(now.getTime() + secondPersonLimits.days * 24 * hourMs));
      await cleanUp(deps);
      deps.clock.set(now);
      await forgotten(backer.id, "lapsed");
    });

    test("an open request ends with the account of whom it is about, and with its owner's rights", async () => {
      const { backer } = await ask();
      await inTransaction(db, (tx) => endRequestsAbout(tx, [backer.id], deps.clock.now()));
      await forgotten(backer.id, "lapsed");
      const other = await ask();
      const asked = await detailsOf(other.backer.id);
      await inTransaction(db, (tx) => endRequestsOf(tx, asked?.requestedBy ?? "", deps.clock.now()));
      await forgotten(other.backer.id, "lapsed");
    });
  });
});
