import { desc, eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { rateLimits, signInCounters } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { findBankDetails } from "#server/features/settings/queries.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { ownAccountTexts as texts } from "#shared/bank/own-accounts-texts.ts";
import { settingTexts } from "#shared/settings/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { expectMoneyHolds } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { twoAgree } from "#tests/support/second-person.ts";

const deps = await openTestDeps();
const { db } = deps;
const first = { bankName: "Sample Bank", accountName: "Gona Farms", accountNumber: "0123456789", bankCode: "058" };
const second = { bankName: "Harvest Bank", accountName: "Gona Farms", accountNumber: "9876543210", bankCode: "" };
let ownerRow: TestUser;
let otherOwner: TestUser;
let owner: Caller;

beforeAll(async () => {
  ownerRow = await createAdmin(db, "owner", { fullName: "Chidi Eze" });
  otherOwner = await createAdmin(db, "owner");
});
beforeEach(async () => {
  for (const table of [settings, ownAccounts, rateLimits, signInCounters, outgoingMails]) await db.delete(table);
  owner = await callAs(deps, ownerRow);
});
afterEach(() => expectMoneyHolds(deps));

const audited = async () =>
  (await db.select().from(auditLogs).orderBy(desc(auditLogs.id))).map((row) => row.actionType);
const accountOf = async (accountNumber: string) => {
  const account = (await owner.bank.accounts()).find((one) => one.accountNumber === accountNumber);
  if (!account) throw new Error(`no account ${accountNumber}`);
  return { ...account, accountId: account.id, seenUpdatedAt: account.updatedAt };
};
/** As if a statement of it had been imported. */
const open = (accountId: number) =>
  db.update(ownAccounts).set({ openedOn: "2026-11-01", openingKobo: 0n }).where(eq(ownAccounts.id, accountId));
const detailsOf = ({ bankName, accountName, accountNumber }: typeof first) => ({
  bankName,
  accountName,
  accountNumber,
});
type Change = Extract<Parameters<Caller["secondPerson"]["ask"]>[0], { kind: "change_bank_details" }>["details"];
const asked = (details: Change) => ({
  kind: "change_bank_details" as const,
  details,
  reason: "The bank gave us another account.",
});
/** Two owners agree on what backers read. */
const change = async (details: Change) => twoAgree(owner, await callAs(deps, otherOwner), asked(details));
const state = async () => [
  await db.select().from(ownAccounts).orderBy(ownAccounts.id),
  await db.select().from(settings).orderBy(settings.id),
  await db.$count(auditLogs),
  await db.$count(outgoingMails),
];
async function expectRefused(call: () => Promise<unknown>, message: string): Promise<void> {
  const before = await state();
  await expect(call()).rejects.toThrow(message);
  expect(await state()).toEqual(before);
}

describe("an own account", () => {
  test("that is the first is the one that backers read", async () => {
    await owner.bank.addAccount(first);
    expect(await owner.bank.accounts()).toMatchObject([{ ...first, isActive: true, openedOn: null, lastDay: null }]);
    expect(await db.select().from(ownAccounts)).toMatchObject([{ createdBy: ownerRow.id }]);
    expect(await findBankDetails(db)).toEqual({
      bankName: "Sample Bank",
      accountName: "Gona Farms",
      accountNumber: "0123456789",
    });
    expect((await audited()).slice(0, 4)).toEqual(["add_setting", "add_setting", "add_setting", "add_own_account"]);
    for (const { email } of [ownerRow, otherOwner]) {
      expect(await queuedMailsTo(db, email)).toMatchObject([{ subject: "Gona: the bank details were changed" }]);
    }
  });

  test("that is added later waits until it is activated, and every owner is told of both", async () => {
    await owner.bank.addAccount(first);
    await db.delete(outgoingMails);
    await owner.bank.addAccount(second);
    expect(await findBankDetails(db)).toMatchObject({ accountNumber: "0123456789" });
    expect(await queuedMailsTo(db, otherOwner.email)).toMatchObject([
      { subject: "Gona: a bank account was added", text: expect.stringContaining("Account number: 9876543210") },
    ]);
    await change({ ...second, bankCode: undefined, seen: detailsOf(first) });
    expect(await findBankDetails(db)).toMatchObject({ bankName: "Harvest Bank", accountNumber: "9876543210" });
    expect(await owner.bank.accounts()).toMatchObject([
      { accountNumber: "9876543210", isActive: true },
      { accountNumber: "0123456789", isActive: false },
    ]);
    expect(await audited()).toContain("activate_own_account");
    expect((await queuedMailsTo(db, otherOwner.email)).map(({ subject }) => subject)).toContain(
      "Gona: the bank details were changed",
    );
    await expectRefused(
      () => owner.secondPerson.ask(asked({ ...detailsOf(second), seen: detailsOf(second) })),
      settingTexts.nothingToSave,
    );
  });

  test("that is active changes what backers read with a second person; its bank and number stay once it was opened", async () => {
    await owner.bank.addAccount(first);
    const changed = { ...first, accountName: "Gona Farms Ltd", accountNumber: "0123456780" };
    await expectRefused(
      async () => owner.bank.changeAccount({ ...(await accountOf("0123456789")), ...changed }),
      settingTexts.bankNeedsAnother,
    );
    await change({ ...changed, bankCode: "044", seen: detailsOf(first) });
    expect(await findBankDetails(db)).toMatchObject({ accountName: "Gona Farms Ltd", accountNumber: "0123456780" });
    const account = await accountOf("0123456780");
    expect(account.bankCode).toBe("044");
    await open(account.id);
    for (const other of [{ accountNumber: "0123456781" }, { bankName: "Other Bank" }]) {
      await expectRefused(() => owner.bank.changeAccount({ ...account, ...changed, ...other }), texts.opened);
    }
    await change({ ...detailsOf(changed), accountName: "Gona Limited", seen: detailsOf(changed) });
    expect(await findBankDetails(db)).toMatchObject({ accountName: "Gona Limited", accountNumber: "0123456780" });
    await owner.bank.changeAccount({ ...(await accountOf("0123456780")), bankCode: "" });
    expect((await accountOf("0123456780")).bankCode).toBeNull();
  });

  test("is kept once, and not changed over another person's change", async () => {
    await owner.bank.addAccount(first);
    await expectRefused(() => owner.bank.addAccount(first), texts.taken);
    await owner.bank.addAccount(second);
    const seen = await accountOf("9876543210");
    deps.clock.advance({ minutes: 1 });
    await owner.bank.changeAccount({ ...seen, ...second, accountName: "Gona Ltd" });
    await expectRefused(
      () => owner.bank.changeAccount({ ...seen, ...second, accountName: "Gona & Sons" }),
      texts.changedMeanwhile,
    );
    await expectRefused(() => owner.bank.changeAccount({ ...seen, ...second, accountId: 999_999 }), texts.notFound);
  });

  test("takes the owner's password, and an owner", async () => {
    const unproved = await callAs(deps, ownerRow, { isProved: false });
    await expectRefused(() => unproved.bank.addAccount(first), accountTexts.proofRequired);
    await owner.bank.addAccount(first);
    await owner.bank.addAccount(second);
    const account = await accountOf("9876543210");
    await expectRefused(() => unproved.bank.changeAccount({ ...account, ...second }), accountTexts.proofRequired);
    for (const who of ["viewer", "manager", "backer"] as const) {
      const caller = await callAs(deps, who);
      const denied = "Admin privileges required";
      await expectRefused(() => caller.bank.addAccount(first), denied);
      await expectRefused(() => caller.bank.changeAccount({ ...account, ...second }), denied);
    }
    expect(await (await callAs(deps, "manager")).bank.accounts()).toHaveLength(2);
    await expect((await callAs(deps, "viewer")).bank.accounts()).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test.each([
    ["a short number", { accountNumber: "12345" }],
    ["no name", { accountName: " " }],
    ["a bank of two lines", { bankName: "Sample\nBank" }],
    ["a code of four digits", { bankCode: "0580" }],
  ])("is not kept with %s", async (_what, wrong) => {
    const before = await state();
    await expect(owner.bank.addAccount({ ...first, ...wrong })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    expect(await state()).toEqual(before);
  });

  test("added first by two owners at once is one", async () => {
    const other = await callAs(deps, otherOwner);
    const tries = await Promise.allSettled([owner.bank.addAccount(first), other.bank.addAccount(second)]);
    const accounts = await db.select().from(ownAccounts);
    expect(accounts).toHaveLength(tries.filter(({ status }) => status === "fulfilled").length);
    expect(accounts.filter(({ isActive }) => isActive)).toHaveLength(1);
  });
});

describe("the bank details of the settings", () => {
  const details = { bankname: "Sample Bank", bankaccountname: "Gona Farms", bankaccountnumber: "0123456789" };

  test("make the first account when they are complete, and change it until it is opened", async () => {
    await owner.settings.add({ key: "bankname", value: "Sample Bank" });
    expect(await db.select().from(ownAccounts)).toEqual([]);
    await owner.settings.save({ values: details });
    expect(await db.select().from(ownAccounts)).toMatchObject([{ ...first, bankCode: null }]);
    await change({ ...detailsOf(first), accountNumber: "0123456780", seen: detailsOf(first) });
    expect(await db.select().from(ownAccounts)).toMatchObject([{ accountNumber: "0123456780", isActive: true }]);
  });

  test("of another bank or number make another account once it is opened; another name does not", async () => {
    await owner.settings.save({ values: details });
    const { id } = await accountOf("0123456789");
    await open(id);
    const renamed = { ...detailsOf(first), accountName: "Gona Ltd" };
    await change({ ...renamed, seen: detailsOf(first) });
    expect(await db.select().from(ownAccounts)).toMatchObject([{ id, accountName: "Gona Ltd" }]);
    const other = { ...renamed, accountNumber: "9876543210" };
    await change({ ...other, seen: renamed });
    expect(await owner.bank.accounts()).toMatchObject([
      { accountNumber: "9876543210", isActive: true, openedOn: null },
      { id, accountNumber: "0123456789", isActive: false },
    ]);
    // Back to the one that is kept.
    await change({ ...renamed, seen: other });
    expect(await owner.bank.accounts()).toMatchObject([
      { id, isActive: true },
      { accountNumber: "9876543210", isActive: false },
    ]);
  });
});
