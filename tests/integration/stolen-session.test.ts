import { eq, like } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { payeeAccounts, payoutFiles, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { rateLimits, sessions, signInCounters } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { siteProfiles } from "#server/db/schema/site.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { findBankDetails } from "#server/features/settings/queries.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { effectiveValue, secondPersonKey } from "#shared/settings/texts.ts";
import { companyTexts } from "#tests/support/company.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { invitesMailedTo } from "#tests/support/invites.ts";
import { createPayment, expectMoneyHolds } from "#tests/support/money.ts";
import { giveAccount, oweRefund } from "#tests/support/payouts.ts";
import {
  type Caller,
  callAs,
  createAdmin,
  createUser,
  dismissAdmins,
  type TestUser,
  testPassword,
} from "#tests/support/people.ts";
import { createProject, farmOf } from "#tests/support/projects.ts";
import { codeAt, enrol } from "#tests/support/two-factor.ts";

// Whoever holds an owner's session, and not the password, gets no money out, and nobody in or out.

const deps = await openTestDeps();
const { db } = deps;
const reason = "The bank told us so in its letter.";
let amaka: TestUser;
let bola: TestUser;
/** Amaka's session in a stranger's hands. */
let stolen: Caller;
let asBola: Caller;

beforeEach(async () => {
  for (const table of [rateLimits, signInCounters]) await db.delete(table);
  await db.delete(userRoles);
  await dismissAdmins(db);
  amaka = await createAdmin(db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(db, "owner", { fullName: "Bola Ade" });
  stolen = await callAs(deps, amaka, { isProved: false });
  asBola = await callAs(deps, bola);
  if ((await findBankDetails(db)) === null) {
    const account = {
      bankName: "Sample Bank",
      accountName: "Gona Farms",
      accountNumber: "0123456789",
      bankCode: "058",
    };
    await asBola.bank.addAccount(account);
  }
});
afterAll(() => expectMoneyHolds(deps));

const state = async () => ({
  people: await db
    .select({ id: users.id, isAdmin: users.isAdmin, isBlocked: users.isBlocked })
    .from(users)
    .orderBy(users.id),
  roles: await db.select().from(userRoles).orderBy(userRoles.userId),
  sessions: await db.$count(sessions),
  invites: await db.$count(adminInvites),
  accounts: [await db.$count(payeeAccounts), await db.select().from(ownAccounts)],
  settings: await db.select().from(settings).orderBy(settings.key),
  profiles: await db.$count(siteProfiles),
  runs: await db.select().from(payoutRuns).orderBy(payoutRuns.id),
  payouts: await db.select().from(payouts).orderBy(payouts.id),
  files: await db.$count(payoutFiles),
  requests: await db.$count(secondPersonRequests),
  books: await db.$count(ledgerEntries),
  entries: await db.$count(auditLogs),
  mails: await db.$count(outgoingMails),
});

const newOwner = async () => ({ userId: (await createAdmin(db, "owner")).id });
async function draftBy(maker: Caller) {
  const owed = await oweRefund(deps, { owner: bola });
  await giveAccount(deps, { userId: owed.backer.id }, { addedBy: owed.backer.id });
  const ownAccountId = (await db.select().from(ownAccounts))[0]?.id ?? 0;
  const payoutIds = owed.payouts.map(({ id }) => id);
  return { payoutId: payoutIds[0] ?? 0, ...(await maker.payouts.makeRun({ payoutIds, ownAccountId })) };
}
async function exported() {
  const { runId, payoutId } = await draftBy(await callAs(deps, amaka));
  await asBola.payouts.approveRun({ runId });
  await asBola.payouts.exportRun({ runId, profile: "generic" });
  return payoutId;
}
const blockedAccount = { bankCode: "044", accountNumber: "0690000031", accountName: "A Stranger" };
async function fundedFarm() {
  const project = await createProject(db);
  await createPayment(deps, { project, owner: bola, status: "approved" });
  return { ...farmOf(project), ...blockedAccount };
}
const settingsOf = (values: Parameters<Caller["settings"]["save"]>[0]["values"]) => async () => (by: Caller) =>
  by.settings.save({ values });

/** Acts that take the password, by their names. Each prepares its rows and returns the act itself. */
const acts: Record<string, () => Promise<(by: Caller) => Promise<unknown>>> = {
  "inviting an owner": async () => (by) =>
    by.team.invite({ email: `puppet-${crypto.randomUUID()}@example.com`, fullName: "Pup Pet", role: "owner" }),
  "sending an invitation again": async () => {
    const email = `puppet-${crypto.randomUUID()}@example.com`;
    await asBola.team.invite({ email, fullName: "Pup Pet", role: "owner" });
    return (by) => by.team.resendInvite({ email, fullName: "Pup Pet" });
  },
  "making an owner": async () => {
    const { id: userId } = await createAdmin(db, "manager");
    return (by) => by.admins.addRole({ userId, role: "owner" });
  },
  "taking an owner's role": async () => {
    const { userId } = await newOwner();
    return (by) => by.admins.removeRole({ userId, role: "owner" });
  },
  "deactivating an owner": async () => {
    const who = await newOwner();
    return (by) => by.admins.deactivate(who);
  },
  "letting an owner back in": async () => {
    const who = await newOwner();
    await asBola.admins.deactivate(who);
    return (by) => by.admins.reactivate(who);
  },
  "removing an owner": async () => {
    const who = await newOwner();
    return (by) => by.admins.remove(who);
  },
  "blocking an owner": async () => {
    const who = await newOwner();
    return (by) => by.users.block(who);
  },
  "unblocking an owner": async () => {
    const who = await newOwner();
    await asBola.users.block(who);
    return (by) => by.users.unblock(who);
  },
  "resetting an owner's password": async () => {
    const who = await newOwner();
    return (by) => by.admins.sendPasswordReset(who);
  },
  "approving a run": async () => {
    const { runId } = await draftBy(asBola);
    return (by) => by.payouts.approveRun({ runId });
  },
  "exporting a run": async () => {
    const { runId } = await draftBy(await callAs(deps, amaka));
    await asBola.payouts.approveRun({ runId });
    return (by) => by.payouts.exportRun({ runId, profile: "generic" });
  },
  "marking a payout as paid": async () => {
    const payoutId = await exported();
    const sessionId = String(payoutId).padStart(30, "0");
    return (by) => by.payouts.markPaid({ payoutId, sessionId, reason });
  },
  "entering a farm's account": async () => {
    const details = await fundedFarm();
    return (by) => by.secondPerson.ask({ kind: "set_farm_account", details, reason });
  },
  "confirming a farm's account": async () => {
    await asBola.secondPerson.ask({ kind: "set_farm_account", details: await fundedFarm(), reason });
    const requestId = (await asBola.secondPerson.list()).requests.at(-1)?.id ?? 0;
    return (by) => by.secondPerson.confirm({ requestId });
  },
  "entering the account of somebody who is blocked": async () => {
    const details = { userId: (await createUser(db, { isBlocked: true })).id, ...blockedAccount };
    return (by) => by.secondPerson.ask({ kind: "enter_payee_account", details, reason });
  },
  "confirming the account of somebody who is blocked": async () => {
    const details = { userId: (await createUser(db, { isBlocked: true })).id, ...blockedAccount };
    await asBola.secondPerson.ask({ kind: "enter_payee_account", details, reason });
    const requestId = (await asBola.secondPerson.list()).requests.at(-1)?.id ?? 0;
    return (by) => by.secondPerson.confirm({ requestId });
  },
  "asking for other bank details": async () => {
    const seen = await findBankDetails(db);
    if (!seen) throw new Error("no bank details");
    const details = { ...seen, accountNumber: "9999999999", seen };
    return (by) => by.secondPerson.ask({ kind: "change_bank_details", details, reason });
  },
  "adding an account of ours": async () => {
    const accountNumber = String(Math.floor(Math.random() * 1e9)).padStart(10, "0");
    const account = { bankName: "Other Bank", accountName: "A Stranger", accountNumber, bankCode: "" };
    return (by) => by.bank.addAccount(account);
  },
  "asking for a higher limit": async () => {
    const [limit] = await db.select().from(settings).where(eq(settings.key, secondPersonKey));
    const details = {
      key: secondPersonKey,
      from: effectiveValue(secondPersonKey, limit?.value),
      to: "2000000",
    } as const;
    return (by) => by.secondPerson.ask({ kind: "change_setting", details, reason });
  },
  "setting from when on a second person is needed": settingsOf({ secondperson: "900000" }),
  "setting the most of one transfer": settingsOf({ maxtransfer: "4000000" }),
  "writing the company anew": async () => {
    const { profile } = await asBola.site.profile();
    const address = crypto.randomUUID();
    return (by) => by.site.saveCompany({ ...companyTexts(profile), address, seenVersion: profile.version });
  },
  "setting the support address": settingsOf({ supportemail: "elsewhere@example.com" }),
  "setting the bank's columns": settingsOf({ payoutcolumns: "none" }),
};

const refused = { message: accountTexts.proofRequired, code: "FORBIDDEN", cause: { reason: "proof_required" } };

test.each(Object.entries(acts))("%s takes the password", async (_what, prepare) => {
  const act = await prepare();
  const before = await state();
  await expect(act(stolen)).rejects.toMatchObject(refused);
  expect(await state()).toEqual(before);
  await stolen.auth.prove({ currentPassword: testPassword });
  await act(stolen);
  expect(await state()).not.toEqual(before);
});

test("the password is good for the session it was given in, and for ten minutes", async () => {
  const act = (by: Caller) => by.settings.save({ values: { payoutcolumns: "none" } });
  await stolen.auth.prove({ currentPassword: testPassword });
  const elsewhere = await callAs(deps, amaka, { isProved: false });
  await expect(act(elsewhere)).rejects.toMatchObject(refused);
  deps.clock.advance({ minutes: 9 });
  await act(stolen);
  deps.clock.advance({ minutes: 2 });
  await expect(act(stolen)).rejects.toMatchObject(refused);
});

test("guesses at the password are locked as at sign-in", async () => {
  for (let guess = 0; guess < 5; guess += 1)
    await stolen.auth.prove({ currentPassword: `Guess-${guess}` }).catch(() => {});
  await expect(stolen.auth.prove({ currentPassword: testPassword })).rejects.toMatchObject({
    cause: { reason: "rate_limited" },
  });
  await expect(stolen.admins.deactivate({ userId: bola.id })).rejects.toThrow(accountTexts.proofRequired);
});

test("a sign-in with the password is a proof, and one with a second factor", async () => {
  const caller = await callAs(deps, "anonymous", { isProved: false });
  await caller.auth.adminSignIn({ email: amaka.email, password: testPassword });
  await caller.settings.save({ values: { payoutcolumns: "none" } });
  deps.clock.advance({ minutes: 11 });
  await expect(caller.settings.save({ values: { payoutcolumns: "none" } })).rejects.toThrow(accountTexts.proofRequired);
});

test("blocking a backer stays one step", async () => {
  const { id: userId } = await createAdmin(db, "viewer");
  await stolen.users.block({ userId });
  await stolen.users.unblock({ userId });
});

const ownerMails: Record<string, [act: string, subject: string]> = {
  "is invited": ["inviting an owner", "somebody was invited as an owner"],
  "gets the role": ["making an owner", "there is a new owner"],
  "loses the role": ["taking an owner's role", "an owner lost the role"],
  "is deactivated": ["deactivating an owner", "an owner was deactivated"],
  "is let back in": ["letting an owner back in", "an owner is back"],
  "is removed": ["removing an owner", "an owner was removed"],
  "is blocked": ["blocking an owner", "an owner was blocked"],
  "is unblocked": ["unblocking an owner", "an owner is back"],
  "gets a link for a new password": ["resetting an owner's password", "a new password was asked for an owner"],
};
test.each(Object.entries(ownerMails))("when an owner %s, every owner is mailed", async (_what, [act, subject]) => {
  const run = await acts[act]?.();
  await db.delete(outgoingMails).where(like(outgoingMails.eventKey, "owners:%"));
  await run?.(await callAs(deps, amaka));
  const told = await db
    .select()
    .from(outgoingMails)
    .where(eq(outgoingMails.subject, `Gona: ${subject}`));
  const concerned = act === "inviting an owner" ? 0 : 1;
  expect(told.map(({ recipient }) => recipient)).toEqual(expect.arrayContaining([amaka.email, bola.email]));
  expect(told).toHaveLength(2 + concerned);
});

test("an owner who accepts an invitation is told of to all", async () => {
  const { id, email } = await createAdmin(db, "viewer");
  await db.update(users).set({ isAdmin: false }).where(eq(users.id, id));
  await asBola.team.invite({ email, fullName: "New Owner", role: "owner" });
  const invitee = await callAs(deps, { id, isAdmin: false });
  const [token] = await invitesMailedTo(deps, email);
  await invitee.team.acceptInviteSignedIn({ token: token ?? "" });
  for (const owner of [amaka, bola]) {
    const subjects = (await queuedMailsTo(db, owner.email)).map(({ subject }) => subject);
    expect(subjects).toContain("Gona: there is a new owner");
  }
});

test("the only owner changes where backers pay with a second factor and a reason", async () => {
  await dismissAdmins(db, bola.id);
  const { secret } = await enrol(deps, amaka);
  const caller = await callAs(deps, amaka);
  const seen = await findBankDetails(db);
  if (!seen) throw new Error("no bank details");
  const details = { ...seen, accountNumber: "9999999999", seen };
  await caller.secondPerson.ask({ kind: "change_bank_details", details, reason });
  const requestId = (await caller.secondPerson.list()).requests[0]?.id ?? 0;
  await expect(caller.secondPerson.confirm({ requestId, currentPassword: testPassword })).rejects.toThrow();
  const code = codeAt(secret, deps.clock.now());
  await caller.secondPerson.confirm({ requestId, currentPassword: testPassword, code });
  expect(await findBankDetails(db)).toMatchObject({ accountNumber: "9999999999" });
});

test("of two owners neither confirms their own account of a farm", async () => {
  const caller = await callAs(deps, amaka);
  await caller.secondPerson.ask({ kind: "set_farm_account", details: await fundedFarm(), reason });
  const requestId = (await caller.secondPerson.list()).requests.at(-1)?.id ?? 0;
  const proof = { currentPassword: testPassword };
  await expect(caller.secondPerson.confirm({ requestId, ...proof })).rejects.toThrow(secondPersonTexts.needsAnother);
  expect(await db.$count(payeeAccounts, eq(payeeAccounts.addedBy, amaka.id))).toBe(0);
});
