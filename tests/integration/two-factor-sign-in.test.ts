import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { issueEmailToken } from "#server/accounts/email-tokens.ts";
import { beginGoogle } from "#server/accounts/google/google.ts";
import { handOverSession, openSession } from "#server/accounts/open-session.ts";
import { hashPassword } from "#server/accounts/passwords.ts";
import { inTransaction } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { knownDevices, sessions, signInCounters } from "#server/db/schema/sessions.ts";
import { identities, recoveryCodes, twoFactors, users } from "#server/db/schema/users.ts";
import { queuedMailsTo, testClock } from "#tests/support/deps.ts";
import { openGoogleDeps } from "#tests/support/google-deps.ts";
import {
  blockUser,
  type Caller,
  type CookieJar,
  callAs,
  cookieJar,
  createAdmin,
  createUser,
  type TestUser,
  testPassword,
} from "#tests/support/people.ts";
import { codeAt, enrol, wrongCodeAt } from "#tests/support/two-factor.ts";

const over = "This sign-in took too long or was already used. Please sign in again.";
const wrong = "Invalid code. Please check it and try again.";
const nowLocked = "Too many failed login attempts. Please wait 3 minutes before trying again.";
const locked = "Too many failed attempts. Try again later.";

const clock = testClock();
const { deps, openId } = await openGoogleDeps(clock);
let admin: TestUser;
let secret: string;
let codes: string[];
let jar: CookieJar;
let visitor: Caller;

beforeEach(async () => {
  await deps.db.delete(signInCounters);
  // The first second of a time step, so that tests can count from it.
  clock.set(new Date(Math.ceil(clock.now().getTime() / 30_000 + 10) * 30_000));
  admin = await createAdmin(deps.db, "owner");
  ({ secret, codes } = await enrol(deps, admin));
  jar = cookieJar();
  visitor = await callAs(deps, "anonymous", { jar });
});

const now = (seconds = 0) => new Date(clock.now().getTime() + seconds * 1000);
const code = (seconds = 0) => codeAt(secret, now(seconds));
const wrongCode = () => wrongCodeAt(secret, now());
const sessionsOf = (userId: string) => deps.db.select().from(sessions).where(eq(sessions.userId, userId));
const auditOf = async (userId: string) =>
  (await deps.db.select().from(auditLogs).where(eq(auditLogs.userId, userId))).filter(
    ({ actionType }) => actionType !== "two_factor_enabled",
  );
const signIn = (caller = visitor) => caller.auth.adminSignIn({ email: admin.email, password: testPassword });

async function expectNoSession() {
  expect(await sessionsOf(admin.id)).toEqual([]);
  expect(await visitor.auth.viewer()).toBeNull();
}

describe("signing in with a second factor", () => {
  test("gives no session before the code, and a new token after it", async () => {
    await expect(signIn()).resolves.toEqual({ isAdmin: true, needsCode: true });
    await expectNoSession();
    expect(jar.get("session")).toBeUndefined();
    expect(jar.options.get("second-step")).toEqual({ sameSite: "strict", httpOnly: true, maxAgeSeconds: 300 });
    expect(await visitor.auth.signInState()).toMatchObject({ needsCode: true });
    expect(await auditOf(admin.id)).toEqual([]);
    expect(await deps.db.select().from(knownDevices).where(eq(knownDevices.userId, admin.id))).toEqual([]);

    await expect(visitor.auth.verifySecondFactor({ code: code() })).resolves.toEqual({
      isAdmin: true,
      needsCode: false,
    });
    expect(await visitor.auth.viewer()).toMatchObject({ id: admin.id, kind: "admin" });
    expect(await sessionsOf(admin.id)).toHaveLength(1);
    expect(jar.get("second-step")).toBeUndefined();
    expect(await visitor.auth.signInState()).toMatchObject({ needsCode: false, failures: 0 });
    const details = { method: "password", secondFactor: "code" };
    expect(await auditOf(admin.id)).toMatchObject([{ actionType: "admin_login", details }]);
  });

  test("is asked for at everybody's door too", async () => {
    const input = { email: admin.email, password: testPassword };
    await expect(visitor.auth.signIn(input)).resolves.toEqual({ isAdmin: true, needsCode: true });
    await expectNoSession();
  });

  test("keeps the session that the browser had until the code was right", async () => {
    const other = await createUser(deps.db);
    const both = await callAs(deps, other, { jar });
    await signIn(both);
    expect(await both.auth.viewer()).toMatchObject({ id: other.id });
    await both.auth.verifySecondFactor({ code: code() });
    expect(await both.auth.viewer()).toMatchObject({ id: admin.id });
    expect(await sessionsOf(other.id)).toEqual([]);
  });

  test("asks nobody who began an enrolment without confirming it, and no backer", async () => {
    const beginner = await createAdmin(deps.db, "viewer");
    await (await callAs(deps, beginner)).twoFactor.start({ currentPassword: testPassword });
    const input = { email: beginner.email, password: testPassword };
    await expect(visitor.auth.adminSignIn(input)).resolves.toMatchObject({ needsCode: false });
    await deps.db.update(users).set({ isAdmin: false }).where(eq(users.id, admin.id));
    const former = { email: admin.email, password: testPassword };
    await expect(visitor.auth.signIn(former)).resolves.toEqual({ isAdmin: false, needsCode: false });
  });

  test("is asked for after Google", async () => {
    openId.person = { sub: `g-${admin.id}`, email: admin.email, email_verified: true, name: "Ada Obi" };
    await deps.db
      .insert(identities)
      .values({ provider: "google", subject: openId.person.sub, userId: admin.id, email: admin.email });
    for (const kind of ["admin", "backer"] as const) {
      const ctx = { ...deps, actor: null, ipAddress: "203.0.113.7", userAgent: "Test browser", cookies: jar };
      const { redirectUri: _, ...answer } = await openId.visit(
        await beginGoogle(ctx, { kind, purpose: "sign-in", next: undefined }),
      );
      const result = await visitor.auth.finishGoogle({ kind, ...answer });
      expect(result).toMatchObject({ outcome: "entered", isAdmin: true, needsCode: true });
      await expectNoSession();
    }
    await visitor.auth.verifySecondFactor({ code: code() });
    const details = { method: "google", secondFactor: "code" };
    expect(await auditOf(admin.id)).toMatchObject([{ actionType: "admin_login", details }]);
  });

  test("is asked for after an invitation", async () => {
    const ctx = { ...deps, actor: null, ipAddress: "203.0.113.7", userAgent: "Test browser", cookies: jar };
    const entry = await inTransaction(deps.db, (tx) => openSession(tx, ctx, admin, "invitation"));
    expect(await handOverSession(ctx, "admin", entry)).toEqual({ needsCode: true });
    await expectNoSession();
    await visitor.auth.verifySecondFactor({ code: code() });
    expect(await auditOf(admin.id)).toMatchObject([{ details: { method: "invitation", secondFactor: "code" } }]);
  });

  test("a new password leaves it as it is", async () => {
    const [before] = await deps.db.select().from(twoFactors).where(eq(twoFactors.userId, admin.id));
    const { id: userId, email } = admin;
    const link = { userId, email, purpose: "reset_password", lifetimeMinutes: 60 } as const;
    const token = await inTransaction(deps.db, (tx) => issueEmailToken(tx, deps, link));
    await visitor.auth.resetPassword({ token, password: "New-Harvest-2027" });
    const input = { email: admin.email, password: "New-Harvest-2027" };
    await expect(visitor.auth.adminSignIn(input)).resolves.toMatchObject({ needsCode: true });
    await expect(visitor.auth.verifySecondFactor({ code: code() })).resolves.toMatchObject({ needsCode: false });
    const [after] = await deps.db.select().from(twoFactors).where(eq(twoFactors.userId, admin.id));
    expect(after?.encryptedSecret).toBe(before?.encryptedSecret);
  });
});

describe("the step between password and code", () => {
  test("is good for five minutes", async () => {
    await signIn();
    clock.advance({ seconds: 299 });
    await expect(visitor.auth.verifySecondFactor({ code: code() })).resolves.toMatchObject({ isAdmin: true });
    await visitor.auth.signOut();
    await signIn();
    clock.advance({ seconds: 300 });
    await expect(visitor.auth.verifySecondFactor({ code: code() })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      message: over,
    });
    expect(await visitor.auth.signInState()).toMatchObject({ needsCode: false });
    await expectNoSession();
  });

  test("leads to one session, also when its cookie was kept", async () => {
    await signIn();
    const kept = jar.get("second-step") ?? "";
    await visitor.auth.verifySecondFactor({ code: code() });
    await visitor.auth.signOut();
    jar.values.set("second-step", kept);
    await expect(visitor.auth.verifySecondFactor({ code: code(30) })).rejects.toThrow(over);
    await expectNoSession();
    // The refused code was not used up, nor counted.
    expect(await visitor.auth.signInState()).toMatchObject({ failures: 0 });
    await signIn();
    await expect(visitor.auth.verifySecondFactor({ code: code(30) })).resolves.toMatchObject({ isAdmin: true });
  });

  test("works in no other browser, and can't be forged", async () => {
    await signIn();
    const step = jar.get("second-step") ?? "";
    const [body = "", signature = ""] = step.split(".");
    const victim = await createAdmin(deps.db, "owner");
    const forged = Buffer.from(Buffer.from(body, "base64url").toString().replace(admin.id, victim.id)).toString(
      "base64url",
    );
    const device = jar.get("device") ?? "";
    const attempts: Record<string, string>[] = [
      {},
      { "second-step": step },
      { "second-step": `${forged}.${signature}`, device },
      { "second-step": `${body}.x`, device },
      { "second-step": `${step}.x`, device },
      { "second-step": "x", device },
    ];
    for (const cookies of attempts) {
      const other = await callAs(deps, "anonymous", { jar: cookieJar(cookies) });
      await expect(other.auth.verifySecondFactor({ code: code() })).rejects.toThrow(over);
    }
    await expectNoSession();
  });

  test.each([
    [
      "a new password",
      async () =>
        void (await deps.db
          .update(users)
          .set({ passwordHash: await hashPassword("New-Harvest-2027") })
          .where(eq(users.id, admin.id))),
      over,
    ],
    ["lost rights", () => deps.db.update(users).set({ isAdmin: false }).where(eq(users.id, admin.id)), over],
    ["a factor that was taken away", () => deps.db.delete(twoFactors).where(eq(twoFactors.userId, admin.id)), over],
    ["a block", () => blockUser(deps.db, admin.id), "Your account has been blocked. Please contact support."],
  ])("is worth nothing after %s", async (_, change, message) => {
    await signIn();
    await change();
    await expect(visitor.auth.verifySecondFactor({ code: code() })).rejects.toThrow(message);
    expect(await sessionsOf(admin.id)).toEqual([]);
  });

  test("ends with signing out", async () => {
    await signIn();
    await visitor.auth.signOut();
    await expect(visitor.auth.verifySecondFactor({ code: code() })).rejects.toThrow(over);
  });
});

describe("codes", () => {
  test("count once: neither the same nor an older one is taken again", async () => {
    await signIn();
    const [older, used] = [code(), code(30)];
    await visitor.auth.verifySecondFactor({ code: used });
    for (const again of [used, older]) {
      await signIn();
      await expect(visitor.auth.verifySecondFactor({ code: again })).rejects.toThrow(wrong);
    }
    clock.advance({ seconds: 31 });
    await signIn();
    await expect(visitor.auth.verifySecondFactor({ code: code() })).rejects.toThrow(wrong);
    clock.advance({ seconds: 29 });
    await expect(visitor.auth.verifySecondFactor({ code: code() })).resolves.toMatchObject({ isAdmin: true });
  });

  test("are read with a space in the middle", async () => {
    await signIn();
    const spaced = `${code().slice(0, 3)} ${code().slice(3)}`;
    await expect(visitor.auth.verifySecondFactor({ code: spaced })).resolves.toMatchObject({ isAdmin: true });
  });

  test("of two browsers at once let one in", async () => {
    const callers = await Promise.all([1, 2, 3, 4].map(() => callAs(deps, "anonymous", { jar: cookieJar() })));
    for (const caller of callers) await signIn(caller);
    const given = code();
    const results = await Promise.allSettled(callers.map((caller) => caller.auth.verifySecondFactor({ code: given })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await sessionsOf(admin.id)).toHaveLength(1);
  });

  test("another administrator's are worth nothing", async () => {
    const other = await createAdmin(deps.db, "owner");
    const theirs = await enrol(deps, other);
    await signIn();
    await expect(visitor.auth.verifySecondFactor({ code: theirs.codes[0] ?? "" })).rejects.toThrow(wrong);
    await expectNoSession();
  });

  test("can't be checked after APP_SECRET was changed, which is said and counts as no failure", async () => {
    const [factor] = await deps.db.select().from(twoFactors).where(eq(twoFactors.userId, admin.id));
    const changed = { ...deps, appSecret: "another secret of the tests, as long as the first" };
    const caller = await callAs(changed, "anonymous", { jar });
    await signIn(caller);
    await expect(caller.auth.verifySecondFactor({ code: code() })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: "Your second factor can't be read. Please ask whoever runs the server to reset it.",
    });
    expect(await deps.db.select().from(twoFactors).where(eq(twoFactors.userId, admin.id))).toEqual([factor]);
    expect(await sessionsOf(admin.id)).toEqual([]);
  });
});

describe("recovery codes", () => {
  test("each lets in once, however it is typed; that is audited and mailed", async () => {
    const given = codes[3] ?? "";
    await signIn();
    await visitor.auth.verifySecondFactor({ code: ` ${given.toUpperCase().replaceAll("-", " ")} ` });
    expect(await visitor.auth.viewer()).toMatchObject({ id: admin.id });
    expect((await visitor.twoFactor.status()).recoveryCodesLeft).toBe(9);
    const actions = (await auditOf(admin.id)).map(({ actionType, details }) => [actionType, details]);
    expect(actions).toEqual([
      ["recovery_code_used", { left: 9 }],
      ["admin_login", { method: "password", secondFactor: "recovery_code" }],
    ]);
    const mail = (await queuedMailsTo(deps.db, admin.email)).find(({ subject }) => /recovery code/i.test(subject));
    expect(mail?.text).toContain("9 are left");
    expect(JSON.stringify(mail)).not.toContain(given);

    await visitor.auth.signOut();
    await signIn();
    await expect(visitor.auth.verifySecondFactor({ code: given })).rejects.toThrow(wrong);
    await expect(visitor.auth.verifySecondFactor({ code: codes[4] ?? "" })).resolves.toMatchObject({ isAdmin: true });
  });

  test("one of them in four browsers at once lets one in", async () => {
    const callers = await Promise.all([1, 2, 3, 4].map(() => callAs(deps, "anonymous", { jar: cookieJar() })));
    for (const caller of callers) await signIn(caller);
    const results = await Promise.allSettled(
      callers.map((caller) => caller.auth.verifySecondFactor({ code: codes[0] ?? "" })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const used = (await deps.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, admin.id))).filter(
      ({ usedAt }) => usedAt !== null,
    );
    expect(used).toHaveLength(1);
  });
});

describe("wrong codes", () => {
  const fail = (caller = visitor) => caller.auth.verifySecondFactor({ code: wrongCode() });

  test("lock after five for three minutes, in the words of the sign-in, and after a reload", async () => {
    await signIn();
    for (const failures of [1, 2, 3, 4]) {
      await expect(fail()).rejects.toThrow(wrong);
      expect(await visitor.auth.signInState()).toMatchObject({ failures, lockedUntil: null, needsCode: true });
    }
    await expect(fail()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS", message: nowLocked });
    await expect(visitor.auth.verifySecondFactor({ code: code() })).rejects.toThrow(locked);
    expect(await visitor.auth.signInState()).toMatchObject({ failures: 5, secondsLeft: 180, needsCode: true });
    clock.advance({ seconds: 179 });
    await expect(visitor.auth.verifySecondFactor({ code: code() })).rejects.toThrow(locked);
    clock.advance({ seconds: 1 });
    await expect(visitor.auth.verifySecondFactor({ code: code() })).resolves.toMatchObject({ isAdmin: true });
  });

  test("of recovery codes count alike", async () => {
    await signIn();
    for (let time = 0; time < 4; time += 1) {
      await expect(visitor.auth.verifySecondFactor({ code: "aaaa-bbbb-cccc" })).rejects.toThrow(wrong);
    }
    await expect(fail()).rejects.toThrow(nowLocked);
  });

  test("are not set back by the right password, nor by a new browser at the same address", async () => {
    await signIn();
    for (let time = 0; time < 4; time += 1) await expect(fail()).rejects.toThrow(wrong);
    clock.advance({ seconds: 10 });
    const other = await callAs(deps, "anonymous", { jar: cookieJar() });
    await signIn(other);
    await expect(fail(other)).rejects.toThrow(nowLocked);
    await expect(other.auth.verifySecondFactor({ code: code() })).rejects.toThrow(locked);
  });

  test("sent forty at once are looked at five times at most", async () => {
    await signIn();
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => fail()));
    const messages = results.map((result) => (result.status === "rejected" ? String(result.reason.message) : "in"));
    expect(messages.filter((message) => message === wrong)).toHaveLength(4);
    expect(messages.filter((message) => message === nowLocked)).toHaveLength(1);
    expect(messages.filter((message) => message === locked)).toHaveLength(35);
  });

  test.each([
    ["nothing", "", "Enter the code"],
    ["spaces", "   ", "Enter the code"],
    ["too much", "1".repeat(41), wrong],
  ])("%s is refused before anything is counted", async (_, given, message) => {
    await signIn();
    await deps.db.delete(signInCounters);
    await expect(visitor.auth.verifySecondFactor({ code: given })).rejects.toThrow(message);
    expect(await deps.db.select().from(signInCounters)).toEqual([]);
  });
});
