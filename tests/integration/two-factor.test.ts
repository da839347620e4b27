import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { findActor } from "#server/accounts/sessions.ts";
import { confirmTwoFactor } from "#server/accounts/two-factor-setup.ts";
import { runCommand } from "#server/cli/commands.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { sessions, signInCounters } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { recoveryCodes, twoFactors, users } from "#server/db/schema/users.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  type Caller,
  callAs,
  cookieJar,
  createAdmin,
  createUser,
  type TestUser,
  testPassword,
} from "#tests/support/people.ts";
import { codeAt, enrol, wrongCodeAt } from "#tests/support/two-factor.ts";

const wrong = "Invalid code. Please check it and try again.";
const proof = { currentPassword: testPassword };
const setUpFirst = "Set up two-factor sign-in in your account first.";
const mandatory = "Two-factor sign-in is required for administrators and can't be switched off.";

const deps = await openTestDeps();
let admin: TestUser;
let caller: Caller;

beforeEach(async () => {
  await deps.db.delete(signInCounters);
  await deps.db.delete(settings);
  deps.clock.advance({ minutes: 10 });
  admin = await createAdmin(deps.db, "owner");
  caller = await callAs(deps, admin);
});

const factorOf = async (userId: string) =>
  (await deps.db.select().from(twoFactors).where(eq(twoFactors.userId, userId)))[0];
const codesOf = (userId: string) => deps.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId));
const sessionsOf = (userId: string) => deps.db.select().from(sessions).where(eq(sessions.userId, userId));
const actionsOf = async (userId: string) =>
  (await deps.db.select().from(auditLogs).where(eq(auditLogs.userId, userId))).map(({ actionType }) => actionType);
const subjectsTo = async (email: string) => (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);
const require = () => deps.db.insert(settings).values({ key: "requiretwofactor", value: "true" });

describe("switching it on", () => {
  test("shows a secret as picture, address and text, and changes nothing yet", async () => {
    const { secret, url, qr } = await caller.twoFactor.start(proof);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(url).toBe(
      `otpauth://totp/Gona:${encodeURIComponent(admin.email)}?issuer=Gona&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(qr).toMatch(/^data:image\/svg\+xml;base64,/);
    expect((await factorOf(admin.id))?.encryptedSecret).not.toContain(secret);
    expect(await caller.twoFactor.status()).toEqual({ enabledAt: null, recoveryCodesLeft: 0, isMandatory: false });
    expect(await actionsOf(admin.id)).toEqual([]);
  });

  test("takes a code of the app; gives ten recovery codes, a new token, an entry and a mail", async () => {
    const jar = cookieJar();
    const browser = await callAs(deps, admin, { jar });
    const before = jar.get("session");
    const { secret } = await browser.twoFactor.start(proof);
    const { codes } = await browser.twoFactor.confirm({ code: codeAt(secret, deps.clock.now()) });
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
    const kept = JSON.stringify(await codesOf(admin.id));
    for (const code of codes) expect(kept).not.toContain(code);
    expect(await browser.twoFactor.status()).toEqual({
      enabledAt: deps.clock.now(),
      recoveryCodesLeft: 10,
      isMandatory: false,
    });
    expect(jar.get("session")).not.toBe(before);
    // The session of `caller`, another browser, has ended.
    expect(await sessionsOf(admin.id)).toHaveLength(1);
    await expect(caller.twoFactor.status()).rejects.toThrow("Authentication required");
    expect(await actionsOf(admin.id)).toEqual(["two_factor_enabled"]);
    expect(await subjectsTo(admin.email)).toEqual(["Gona: two-factor sign-in was switched on"]);
  });

  test("gives the session a new token but no new time: neither its absolute limit nor a fresh sign-in", async () => {
    await deps.db.update(users).set({ passwordHash: null }).where(eq(users.id, admin.id));
    const [before] = await sessionsOf(admin.id);
    deps.clock.advance({ minutes: 10 });
    const { secret } = await caller.twoFactor.start(proof);
    deps.clock.advance({ minutes: 1 });
    await caller.twoFactor.confirm({ code: codeAt(secret, deps.clock.now()) });
    const [after] = await sessionsOf(admin.id);
    expect(after?.idHash).not.toBe(before?.idHash);
    expect(after?.createdAt).toEqual(before?.createdAt);
    await expect(caller.users.changePassword({ password: "New-Harvest-2027" })).rejects.toThrow(
      accountTexts.signInAgain,
    );
  });

  test.each([
    ["no password", {}, accountTexts.passwordMissing],
    ["a wrong one", { currentPassword: "Wrong-guess-1" }, accountTexts.passwordWrong],
  ])("begins with %s: refused, and nothing begins", async (_, given, text) => {
    await expect(caller.twoFactor.start(given)).rejects.toMatchObject({
      message: text,
      cause: { fields: { currentPassword: [text] } },
    });
    expect(await factorOf(admin.id)).toBeUndefined();
    await expect(caller.twoFactor.start(proof)).resolves.toBeDefined();
  });

  test("without a password to ask for, it needs a sign-in of the last ten minutes, to the second", async () => {
    await deps.db.update(users).set({ passwordHash: null }).where(eq(users.id, admin.id));
    deps.clock.advance({ seconds: 600 });
    await expect(caller.twoFactor.start({})).resolves.toBeDefined();
    deps.clock.advance({ seconds: 1 });
    await expect(caller.twoFactor.start({})).rejects.toThrow(accountTexts.signInAgain);
  });

  test("refuses a session that has ended while the request was under way", async () => {
    const { secret } = await caller.twoFactor.start(proof);
    const code = codeAt(secret, deps.clock.now());
    const jar = cookieJar();
    await callAs(deps, admin, { jar });
    const actor = await findActor(deps, jar.get("session"));
    if (!actor) throw new Error("nobody is signed in");
    // As a reset or a block does.
    await deps.db.delete(sessions).where(eq(sessions.userId, admin.id));
    const ctx = { ...deps, actor, ipAddress: "203.0.113.7", userAgent: "Test browser", cookies: jar };
    await expect(confirmTwoFactor(ctx, { code })).rejects.toThrow("Authentication required");
    expect(await sessionsOf(admin.id)).toEqual([]);
    expect((await factorOf(admin.id))?.confirmedAt).toBeNull();
  });

  test("refuses a wrong code, and is then still off", async () => {
    const { secret } = await caller.twoFactor.start(proof);
    await expect(caller.twoFactor.confirm({ code: wrongCodeAt(secret, deps.clock.now()) })).rejects.toThrow(wrong);
    await expect(caller.twoFactor.confirm({ code: codeAt(secret, deps.clock.now()).slice(1) })).rejects.toThrow(wrong);
    expect(await caller.twoFactor.status()).toMatchObject({ enabledAt: null });
    expect(await codesOf(admin.id)).toEqual([]);
    expect(await actionsOf(admin.id)).toEqual([]);
  });

  test("counts the confirming code as used", async () => {
    const { secret } = await caller.twoFactor.start(proof);
    const code = codeAt(secret, deps.clock.now());
    await caller.twoFactor.confirm({ code });
    const visitor = await callAs(deps, "anonymous");
    await visitor.auth.adminSignIn({ email: admin.email, password: testPassword });
    await expect(visitor.auth.verifySecondFactor({ code })).rejects.toThrow(wrong);
  });

  test("begun again replaces the secret; confirmed, it can't be begun nor confirmed again", async () => {
    const first = await caller.twoFactor.start(proof);
    const second = await caller.twoFactor.start(proof);
    await expect(caller.twoFactor.confirm({ code: codeAt(first.secret, deps.clock.now()) })).rejects.toThrow(wrong);
    await caller.twoFactor.confirm({ code: codeAt(second.secret, deps.clock.now()) });
    const factor = await factorOf(admin.id);
    await expect(caller.twoFactor.start(proof)).rejects.toThrow("Two-factor sign-in is already on.");
    await expect(caller.twoFactor.confirm({ code: "123456" })).rejects.toThrow("Two-factor sign-in is already on.");
    expect(await factorOf(admin.id)).toEqual(factor);
  });

  test("confirmed twice at once happens once", async () => {
    const { secret } = await caller.twoFactor.start(proof);
    const code = codeAt(secret, deps.clock.now());
    const others = await Promise.all([1, 2, 3].map(() => callAs(deps, admin)));
    const results = await Promise.allSettled(others.map((other) => other.twoFactor.confirm({ code })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await codesOf(admin.id)).toHaveLength(10);
    expect(await actionsOf(admin.id)).toEqual(["two_factor_enabled"]);
  });

  test("can't be confirmed before it was begun", async () => {
    await expect(caller.twoFactor.confirm({ code: "123456" })).rejects.toThrow("Please start the setup again.");
  });
});

describe("switching it off, and new recovery codes", () => {
  let secret: string;
  let codes: string[];
  beforeEach(async () => {
    ({ secret, codes } = await enrol(deps, admin));
    caller = await callAs(deps, admin);
  });

  test.each([
    ["a code", () => codeAt(secret, deps.clock.now())],
    ["a recovery code", () => codes[0] ?? ""],
  ])("the password and %s switch it off: audited, mailed, other sessions ended", async (_, code) => {
    await callAs(deps, admin);
    await caller.twoFactor.switchOff({ ...proof, code: code() });
    expect(await factorOf(admin.id)).toBeUndefined();
    expect(await codesOf(admin.id)).toEqual([]);
    expect(await sessionsOf(admin.id)).toHaveLength(1);
    expect(await caller.twoFactor.status()).toMatchObject({ enabledAt: null });
    expect(await actionsOf(admin.id)).toContain("two_factor_disabled");
    expect(await subjectsTo(admin.email)).toContain("Gona: two-factor sign-in was switched off");
    const visitor = await callAs(deps, "anonymous");
    const input = { email: admin.email, password: testPassword };
    await expect(visitor.auth.adminSignIn(input)).resolves.toMatchObject({ needsCode: false });
  });

  test("new recovery codes replace the old ones: audited and mailed", async () => {
    const renewed = await caller.twoFactor.renewRecoveryCodes({ ...proof, code: codes[1] ?? "" });
    expect(renewed.codes).toHaveLength(10);
    expect(renewed.codes).not.toContain(codes[0]);
    expect(await codesOf(admin.id)).toHaveLength(10);
    expect(await actionsOf(admin.id)).toContain("recovery_codes_renewed");
    expect(await subjectsTo(admin.email)).toContain("Gona: you have new recovery codes");
    const visitor = await callAs(deps, "anonymous");
    await visitor.auth.adminSignIn({ email: admin.email, password: testPassword });
    await expect(visitor.auth.verifySecondFactor({ code: codes[0] ?? "" })).rejects.toThrow(wrong);
    await expect(visitor.auth.verifySecondFactor({ code: renewed.codes[0] ?? "" })).resolves.toBeDefined();
  });

  test("an account without a password uses a fresh sign-in and a code", async () => {
    await deps.db.update(users).set({ passwordHash: null }).where(eq(users.id, admin.id));
    await expect(caller.twoFactor.switchOff({})).rejects.toThrow("Enter the code");
    deps.clock.advance({ minutes: 11 });
    const code = () => codeAt(secret, deps.clock.now());
    await expect(caller.twoFactor.switchOff({ code: code() })).rejects.toThrow(accountTexts.signInAgain);
    expect(await factorOf(admin.id)).toBeDefined();
    const fresh = await callAs(deps, admin);
    await expect(fresh.twoFactor.switchOff({ code: code() })).resolves.toBeUndefined();
  });

  test("is refused where it is off", async () => {
    const other = await callAs(deps, "viewer");
    await expect(other.twoFactor.switchOff(proof)).rejects.toThrow("Two-factor sign-in is not on.");
    await expect(other.twoFactor.renewRecoveryCodes(proof)).rejects.toThrow("is not on");
  });

  test("is refused while the setting makes it mandatory", async () => {
    await require();
    await expect(caller.twoFactor.switchOff(proof)).rejects.toThrow(mandatory);
    expect(await factorOf(admin.id)).toBeDefined();
    await expect(caller.twoFactor.renewRecoveryCodes({ ...proof, code: codes[0] ?? "" })).resolves.toBeDefined();
  });
});

describe("the setting that makes it mandatory", () => {
  test.each([
    ["unset", null, true],
    ["false", "false", true],
    ["something else", "yes", true],
    ["true", "true", false],
  ])("%s: administrators without a factor work: %s", async (_, value, works) => {
    if (value !== null) await deps.db.insert(settings).values({ key: "requiretwofactor", value });
    const call = caller.payments.list({});
    if (works) await expect(call).resolves.toBeDefined();
    else await expect(call).rejects.toMatchObject({ code: "FORBIDDEN", message: setUpFirst });
  });

  test("lets them sign in and reach the enrolment only, until it is done", async () => {
    await require();
    const browser = await callAs(deps, "anonymous", { jar: cookieJar() });
    const input = { email: admin.email, password: testPassword };
    await expect(browser.auth.adminSignIn(input)).resolves.toEqual({ isAdmin: true, needsCode: false });
    expect(await browser.auth.viewer()).toMatchObject({ isAdmin: true, mustSetUpTwoFactor: true, permissions: [] });
    await expect(browser.dashboard.projects({})).rejects.toThrow(setUpFirst);
    expect(await browser.twoFactor.status()).toMatchObject({ isMandatory: true, enabledAt: null });
    const { secret } = await browser.twoFactor.start(proof);
    await expect(browser.dashboard.projects({})).rejects.toThrow(setUpFirst);
    await browser.twoFactor.confirm({ code: codeAt(secret, deps.clock.now()) });
    expect(await browser.auth.viewer()).toMatchObject({ mustSetUpTwoFactor: false });
    await expect(browser.dashboard.projects({})).resolves.toBeDefined();
  });

  test("names before whom it stops: active administrators who have none, oneself marked", async () => {
    const owner = await createAdmin(deps.db, "owner", { fullName: "Aa Owner" });
    const without = await createAdmin(deps.db, "viewer", { fullName: "Ab Without" });
    await createAdmin(deps.db, "viewer", { fullName: "Ac Blocked", isBlocked: true });
    await createUser(deps.db, { fullName: "Ad Backer" });
    const begun = await createAdmin(deps.db, null, { fullName: "Ae Begun" });
    await (await callAs(deps, begun)).twoFactor.start(proof);
    await enrol(deps, await createAdmin(deps.db, "manager", { fullName: "Af Enrolled" }));
    const { count, admins } = await (await callAs(deps, owner)).twoFactor.adminsWithout();
    expect(admins.filter(({ fullName }) => /^A[a-f] /.test(fullName))).toEqual([
      { id: owner.id, fullName: "Aa Owner", isSelf: true },
      { id: without.id, fullName: "Ab Without", isSelf: false },
      { id: begun.id, fullName: "Ae Begun", isSelf: false },
    ]);
    expect(admins.length).toBeLessThanOrEqual(20);
    expect(count).toBeGreaterThanOrEqual(admins.length);
  });

  test("asks nothing of backers", async () => {
    await require();
    const backer = await callAs(deps, "backer");
    expect(await backer.auth.viewer()).toMatchObject({ mustSetUpTwoFactor: false });
    await expect(backer.payments.listMyPending()).resolves.toBeDefined();
  });
});

describe("the command for a lost phone", () => {
  const reset = (email: string) => runCommand(deps, { name: "reset-two-factor", email });

  test("takes the factor away and ends the sessions; audited and mailed", async () => {
    await enrol(deps, admin);
    caller = await callAs(deps, admin);
    expect(await reset(` ${admin.email.toUpperCase()}`)).toMatchObject({ isOk: true });
    expect(await factorOf(admin.id)).toBeUndefined();
    expect(await codesOf(admin.id)).toEqual([]);
    expect(await sessionsOf(admin.id)).toEqual([]);
    const entries = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "two_factor_reset"));
    expect(entries.at(-1)).toMatchObject({
      userId: null,
      details: { userId: admin.id, email: admin.email, via: "command line" },
    });
    expect(await subjectsTo(admin.email)).toContain("Gona: two-factor sign-in was switched off");
  });

  test("says what is wrong, and changes nothing", async () => {
    expect(await reset("nobody@example.com")).toEqual({ isOk: false, lines: ["No administrator has this email."] });
    expect(await reset(admin.email)).toEqual({ isOk: false, lines: ["Two-factor sign-in is not on."] });
    expect(await sessionsOf(admin.id)).toHaveLength(1);
  });
});
