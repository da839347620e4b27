import { asc, eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { rateLimits, sessions, signInCounters } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import {
  findAutoPublishHours,
  findBankDetails,
  findHoldHours,
  findMaxLots,
  findOfferHours,
  findPlatformFee,
  findSecondPersonAmount,
  listSettings,
} from "#server/features/settings/queries.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import {
  effectiveValue,
  isMoneySetting,
  settingDefaults,
  takesTwoOwners,
  settingTexts as texts,
} from "#shared/settings/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { contextOf } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { agree, confirmNext } from "#tests/support/second-person.ts";
import { gona } from "#tests/support/site.ts";

const deps = await openTestDeps();
const { db } = deps;
let ownerRow: TestUser;
let otherOwner: TestUser;
let owner: Caller;

beforeAll(async () => {
  ownerRow = await createAdmin(db, "owner", { fullName: "Chidi Eze" });
  otherOwner = await createAdmin(db, "owner");
  await createAdmin(db, "owner", { isBlocked: true });
});
beforeEach(async () => {
  await db.delete(settings);
  await db.delete(secondPersonRequests);
  await db.delete(rateLimits);
  await db.delete(signInCounters);
  await db.delete(outgoingMails);
  owner = await callAs(deps, ownerRow);
});

const storedValue = async (key: string) => (await db.select().from(settings).where(eq(settings.key, key)))[0]?.value;
const rowOf = async (key: string) => {
  const row = (await owner.settings.list()).find((one) => one.key === key);
  if (!row) throw new Error(`no setting ${key}`);
  return row;
};
const lastAudit = async () => (await db.select().from(auditLogs).orderBy(asc(auditLogs.id))).at(-1);
const state = async () => [
  await db.select().from(settings),
  await db.$count(auditLogs),
  await db.$count(outgoingMails),
];
/** Changes a setting alone or, where it takes two owners, with the other one. */
async function change(key: string, to: string): Promise<void> {
  const stored = (await storedValue(key)) ?? "";
  const from = isMoneySetting(key) ? effectiveValue(key, stored) : stored;
  if (!isMoneySetting(key) || !takesTwoOwners(key, { from, to })) {
    await owner.settings.save({ values: { [key]: to }, seen: { [key]: stored } });
    return;
  }
  const reason = "We have agreed on it at our meeting.";
  const owners = { asker: ownerRow, confirmer: otherOwner };
  await agree(deps, owners, { kind: "change_setting", details: { key, from, to }, reason });
}
/** Expects the call to be refused with these words, and nothing to change. */
async function expectRefused(call: () => Promise<unknown>, message: string): Promise<void> {
  const before = await state();
  await expect(call()).rejects.toThrow(message);
  expect(await state()).toEqual(before);
}

describe("the table", () => {
  test("says what is wrong where a rule of the database asks for itself", async () => {
    const ctx = await contextOf(deps, ownerRow);
    await db.execute(sql`alter table settings rename to stored_settings`);
    await db.execute(sql`create view settings as select * from stored_settings`);
    await db.execute(sql`create or replace view settings as select * from settings`);
    try {
      await expect(listSettings(ctx)).rejects.toMatchObject({
        reason: "unavailable",
        message: "Permission error loading settings. Please check your role permissions.",
      });
    } finally {
      await db.execute(sql`drop view settings`);
      await db.execute(sql`alter table stored_settings rename to settings`);
    }
    expect(await listSettings(ctx)).toMatchObject([{ key: "supportemail", value: gona.supportEmail }]);
  });

  test("lists all settings by key, with who changed them last", async () => {
    await owner.settings.add({ key: " SessionTimeout ", value: " 3 ", description: " Our rule " });
    expect(await owner.settings.list()).toMatchObject([
      {
        key: "sessiontimeout",
        value: "3",
        description: "Our rule",
        updatedByName: "Chidi Eze",
        updatedAt: deps.clock.now(),
      },
      { key: "supportemail", value: gona.supportEmail, updatedByName: null },
    ]);
    expect(await lastAudit()).toMatchObject({
      actionType: "add_setting",
      userId: ownerRow.id,
      details: { key: "sessiontimeout", before: null, after: "3" },
    });
  });

  test("a changed value is kept, and audited with the one before", async () => {
    await owner.settings.add({ key: "sessiontimeout", value: "3" });
    const row = await rowOf("sessiontimeout");
    deps.clock.advance({ minutes: 1 });
    expect(await owner.settings.update({ settingId: row.id, value: "4", seenValue: "3" })).toEqual({
      wasAdded: false,
      wasChanged: true,
    });
    expect(await rowOf("sessiontimeout")).toMatchObject({ value: "4", updatedAt: deps.clock.now() });
    expect(await lastAudit()).toMatchObject({
      actionType: "update_setting",
      details: { key: "sessiontimeout", before: "3", after: "4" },
    });
  });

  test("saying the same again changes nothing and is no entry", async () => {
    await owner.settings.add({ key: "sessiontimeout", value: "3" });
    const { id } = await rowOf("sessiontimeout");
    const before = await state();
    await owner.settings.update({ settingId: id, value: " 3 ", seenValue: "3" });
    expect(await state()).toEqual(before);
  });

  test("what another person has set meanwhile is not written over", async () => {
    await owner.settings.add({ key: "sessiontimeout", value: "3" });
    const { id } = await rowOf("sessiontimeout");
    await expectRefused(
      () => owner.settings.update({ settingId: id, value: "5", seenValue: "2" }),
      texts.changedMeanwhile,
    );
    await expectRefused(
      () => owner.settings.update({ settingId: 999_999, value: "5", seenValue: "2" }),
      texts.notFound,
    );
  });

  test("a key is taken once, and is one that something reads", async () => {
    await owner.settings.add({ key: "sessiontimeout", value: "3" });
    await expectRefused(() => owner.settings.add({ key: "SESSIONTIMEOUT", value: "4" }), texts.keyTaken);
    await expectRefused(() => owner.settings.add({ key: "apples", value: "4" }), texts.keyUnknown);
    await expectRefused(() => owner.settings.add({ key: " ", value: "4" }), texts.keyMissing);
    await expectRefused(() => owner.settings.add({ key: "supportemail", value: "  " }), texts.valueMissing);
  });
});

describe("the session timeout", () => {
  test.each(["", "0", "-5", "2.5", "abc", "1e3", "30 minutes"])("is refused as %j", async (value) => {
    await expectRefused(() => owner.settings.save({ values: { sessiontimeout: value } }), texts.timeoutInvalid);
  });

  test("is whole minutes from 1 to 1440, and holds at once", async () => {
    expect(await owner.settings.save({ values: { sessiontimeout: "1440" } })).toMatchObject({ wasAdded: true });
    expect(await rowOf("sessiontimeout")).toMatchObject({ description: "Admin session timeout in minutes" });
    expect(await owner.settings.save({ values: { sessiontimeout: " 010 " } })).toMatchObject({ wasAdded: false });
    expect(await storedValue("sessiontimeout")).toBe("10");
    expect(await owner.auth.viewer()).toMatchObject({ idleLimitMinutes: 10 });
    await expectRefused(() => owner.settings.save({ values: { sessiontimeout: "1441" } }), texts.timeoutTooLong);
    const { id, value } = await rowOf("sessiontimeout");
    await expectRefused(
      () => owner.settings.update({ settingId: id, value: "0", seenValue: value }),
      texts.timeoutInvalid,
    );
  });
});

test("switches are true or false", async () => {
  await expectRefused(() => owner.settings.add({ key: "requiretwofactor", value: "maybe" }), texts.switchInvalid);
  await owner.settings.add({ key: "requiresigninforprojects", value: "TRUE" });
  expect(await storedValue("requiresigninforprojects")).toBe("true");
});

describe("the bank details", () => {
  const values = { bankname: "Sample Bank", bankaccountname: "Gona Farms", bankaccountnumber: "012 345 6789" };

  test("are saved together the first time, and every owner is told", async () => {
    const saved = await owner.settings.save({ values });
    expect(saved).toEqual({ wasAdded: true, wasChanged: true });
    expect(await findBankDetails(db)).toEqual({
      bankName: "Sample Bank",
      accountName: "Gona Farms",
      accountNumber: "0123456789",
    });
    for (const { email } of [ownerRow, otherOwner]) {
      const mails = await queuedMailsTo(db, email);
      expect(mails).toMatchObject([{ subject: "Gona: the bank details were changed" }]);
      expect(mails[0]?.text).toContain("Bank: Sample Bank\nAccount name: Gona Farms\nAccount number: 0123456789");
      expect(mails[0]?.text).toContain(`Chidi Eze (${ownerRow.email})`);
    }
    expect(await db.$count(outgoingMails)).toBe(2);
  });

  test("don't change without the password, nor half", async () => {
    const unproved = await callAs(deps, ownerRow, { isProved: false });
    await expectRefused(() => unproved.settings.save({ values }), accountTexts.proofRequired);
    await expectRefused(
      () => owner.settings.save({ values: { ...values, bankaccountnumber: "12345" } }),
      texts.accountNumberInvalid,
    );
  });

  test("that are set change with a second person only, and not over another change", async () => {
    await owner.settings.save({ values });
    const other = await callAs(deps, otherOwner);
    const seen = { bankName: "Sample Bank", accountName: "Gona Farms", accountNumber: "0123456789" };
    const kind = "change_bank_details" as const;
    const details = { ...seen, accountNumber: "9876543210", seen };
    const reason = "The bank gave us another account.";
    const moved = { ...values, bankaccountnumber: "9876543210" };
    await expectRefused(() => owner.settings.save({ values: moved }), texts.bankNeedsAnother);
    // The same once more, after an answer that was lost.
    await owner.settings.save({ values });
    await owner.secondPerson.ask({ kind, details, reason });
    const [request] = (await other.secondPerson.list()).requests;
    expect(request?.consequences).toContain("Account number: 0123456789 → 9876543210.");
    await expect(owner.secondPerson.confirm({ requestId: request?.id ?? 0 })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await findBankDetails(db)).toEqual(seen);
    await db.delete(outgoingMails);
    await other.secondPerson.confirm({ requestId: request?.id ?? 0 });
    expect(await findBankDetails(db)).toMatchObject({ accountNumber: "9876543210" });
    for (const { email } of [ownerRow, otherOwner]) {
      const subjects = (await queuedMailsTo(db, email)).map(({ subject }) => subject);
      expect(subjects).toContain("Gona: the bank details were changed");
    }
    await expect(owner.secondPerson.ask({ kind, details, reason })).rejects.toThrow(texts.changedMeanwhile);
  });

  test("in the table they are no different", async () => {
    await owner.settings.add({ key: "bankaccountnumber", value: "0123456789" });
    const { id } = await rowOf("bankaccountnumber");
    const change = { settingId: id, value: "9876543210", seenValue: "0123456789" };
    const unproved = await callAs(deps, ownerRow, { isProved: false });
    await expectRefused(() => unproved.settings.update(change), accountTexts.proofRequired);
    await expectRefused(() => owner.settings.update({ ...change, value: "98765" }), texts.accountNumberInvalid);
    await db.delete(outgoingMails);
    // Backers read nothing until all three are set.
    await owner.settings.update(change);
    expect(await storedValue("bankaccountnumber")).toBe("9876543210");
    expect((await queuedMailsTo(db, otherOwner.email))[0]?.text).toContain("Bank: not set");
    expect(await lastAudit()).toMatchObject({ details: { before: "0123456789", after: "9876543210" } });
  });
});

describe("the numbers about lots and fees", () => {
  const numbers = [
    { key: "platformfee", read: findPlatformFee, unset: 500, least: ["0", 0], most: ["30.00", 3000], wrong: "30.01" },
    { key: "holdhours", read: findHoldHours, unset: 24, least: ["0", 0], most: ["168", 168], wrong: "169" },
    {
      key: "reportautopublish",
      read: findAutoPublishHours,
      unset: 24,
      least: ["0", 0],
      most: ["168", 168],
      wrong: "169",
    },
    { key: "offerhours", read: findOfferHours, unset: 12, least: ["1", 1], most: ["168", 168], wrong: "0" },
    { key: "maxlots", read: findMaxLots, unset: 20, least: ["1", 1], most: ["1000", 1000], wrong: "1001" },
    {
      key: "secondperson",
      read: findSecondPersonAmount,
      unset: 100_000_000n,
      least: ["0", 0n],
      most: ["1000000000", 100_000_000_000n],
      wrong: "1000000001",
    },
  ] as const;

  test.each(numbers)("$key has a default, bounds, and reads as unset where the row is broken", async (number) => {
    const { key, read, unset, wrong } = number;
    expect(await read(db)).toBe(unset);
    for (const [value, meant] of [number.least, number.most]) {
      await change(key, String(value));
      expect(await read(db)).toBe(meant);
    }
    for (const value of [wrong, "-1", "1e2", "soon"]) {
      await expect(owner.settings.save({ values: { [key]: value } })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
    expect(await storedValue(key)).toBe(number.most[0]);
    await db.update(settings).set({ value: "soon" }).where(eq(settings.key, key));
    expect(await read(db)).toBe(unset);
  });
});

test("naira are kept as digits, however they are typed", async () => {
  await owner.settings.save({ values: { maxtransfer: " ₦2,500,000 " } });
  expect(await storedValue("maxtransfer")).toBe("2500000");
  for (const value of ["2,50,000", "2.500.000", "₦", ",500"]) {
    await expect(owner.settings.save({ values: { maxtransfer: value } })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  }
});

test("a session that ended meanwhile changes nothing", async () => {
  await db.delete(sessions).where(eq(sessions.userId, ownerRow.id));
  await expectRefused(() => owner.settings.add({ key: "sessiontimeout", value: "3" }), "Authentication required");
});

describe("what decides how much one owner does alone, or what is taken of sales", () => {
  const raise = { key: "secondperson" as const, from: "1000000", to: "5000000" };
  const reason = "The farms have become larger this year.";
  const mailsTo = async ({ email }: TestUser) =>
    (await queuedMailsTo(deps.db, email)).filter(({ subject }) => subject.startsWith("Gona: "));

  test.each([
    { key: "secondperson", value: "1000001" },
    { key: "maxtransfer", value: "5000001" },
    { key: "platformfee", value: "4.99" },
    { key: "vatpercent", value: "30" },
    { key: "withholdingpercent", value: "0.01" },
  ] as const)(
    "$key isn't changed to $value by one owner, from its default, by card or table",
    async ({ key, value }) => {
      await expectRefused(() => owner.settings.save({ values: { [key]: value } }), texts.takesTwo);
      await expectRefused(() => owner.settings.add({ key, value }), texts.takesTwo);
      // Nor by a row that says the default first.
      await db.insert(settings).values({ key, value: settingDefaults[key] });
      const { id: settingId, value: seenValue } = await rowOf(key);
      await expectRefused(() => owner.settings.update({ settingId, value, seenValue }), texts.takesTwo);
    },
  );

  test("is changed by two, who read what it means, and every owner is mailed", async () => {
    await owner.secondPerson.ask({ kind: "change_setting", details: raise, reason });
    const other = await callAs(deps, otherOwner);
    const [request] = (await other.secondPerson.list()).requests;
    expect(request).toMatchObject({
      title: "Change the amount that takes a second person from ₦1,000,000 to ₦5,000,000",
      consequences: [expect.stringContaining("less than ₦5,000,000 in 30 days"), "Every owner is emailed."],
      isPossible: true,
    });
    const requestId = request?.id ?? 0;
    await expectRefused(() => owner.secondPerson.confirm({ requestId }), secondPersonTexts.needsAnother);
    await other.secondPerson.confirm({ requestId });
    expect(await storedValue("secondperson")).toBe("5000000");
    expect(await lastAudit()).toMatchObject({
      actionType: "add_setting",
      details: { key: "secondperson", before: null, after: "5000000", requestId, reason },
    });
    for (const person of [ownerRow, otherOwner]) {
      const [mail] = await mailsTo(person);
      expect(mail?.subject).toBe("Gona: the amount that takes a second person was changed");
      expect(mail?.text).toContain("from ₦1,000,000 to ₦5,000,000");
    }
  });

  test("isn't changed by what was asked for once another value counts", async () => {
    await owner.secondPerson.ask({ kind: "change_setting", details: raise, reason });
    await owner.settings.save({ values: { secondperson: "500000" } });
    await expect(confirmNext(deps, otherOwner)).rejects.toThrow(texts.changedMeanwhile);
    const [request] = (await owner.secondPerson.list()).requests;
    await owner.secondPerson.withdraw({ requestId: request?.id ?? 0 });
    expect(await storedValue("secondperson")).toBe("500000");
    const same = { ...raise, to: raise.from };
    const ask = (details: typeof raise) => owner.secondPerson.ask({ kind: "change_setting", details, reason });
    await expect(ask(same)).rejects.toThrow(texts.notTwo);
    await expect(ask({ ...raise, to: "5,000,000" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("is lowered by one where it is a limit, and every owner is mailed", async () => {
    await owner.settings.save({ values: { secondperson: "1000000" }, seen: {} });
    expect(await mailsTo(otherOwner)).toEqual([]);
    await owner.settings.save({ values: { secondperson: "900000", maxtransfer: "1000000" } });
    expect((await mailsTo(otherOwner)).map(({ text }) => text).join(" ")).toMatch(
      /from ₦1,000,000 to ₦900,000.*from ₦5,000,000 to ₦1,000,000/s,
    );
  });
});
