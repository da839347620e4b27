import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import * as passwords from "#server/accounts/passwords.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { knownDevices, sessions, signInCounters } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import { AppError } from "#server/platform/errors.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { isLong } from "#tests/support/length.ts";
import {
  blockUser,
  type Caller,
  type CookieJar,
  callAs,
  cookieJar,
  createAdmin,
  createUser,
  testPassword,
} from "#tests/support/people.ts";

// The real function, counted: how often a password was really verified is what the lock is about.
let verifyPassword: MockInstance<typeof passwords.verifyPassword>;

const wrong = "Invalid email or password. Please check your credentials and try again.";
const nowLocked = "Too many failed login attempts. Please wait 3 minutes before trying again.";
const locked = "Too many failed attempts. Try again later.";

const deps = await openTestDeps();
let visitor: Caller;
let jar: CookieJar;

beforeEach(async () => {
  await deps.db.delete(signInCounters);
  jar = cookieJar();
  visitor = await callAs(deps, "anonymous", { jar });
  verifyPassword = vi.spyOn(passwords, "verifyPassword");
});

const sessionsOf = (userId: string) => deps.db.select().from(sessions).where(eq(sessions.userId, userId));
const loginsOf = (userId: string) => deps.db.select().from(auditLogs).where(eq(auditLogs.userId, userId));

/** The refusal as the page gets it: code, text, details. */
async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error("the call was not refused");
  const cause = error.cause instanceof Error && "details" in error.cause ? error.cause : null;
  return { code: Reflect.get(error, "code"), message: error.message, details: cause?.details };
}

/** Fails to sign in without the slow hash of each try. Other tests check that a wrong password is refused. */
async function failTimes(caller: Caller, email: string, times: number) {
  verifyPassword.mockResolvedValue(false);
  for (let time = 0; time < times; time += 1) {
    await expect(caller.auth.signIn({ email, password: "Wrong-guess-1" })).rejects.toThrow();
  }
  verifyPassword.mockReset();
}

describe("signing in", () => {
  test("opens a session, whatever the case and the spaces of the address", async () => {
    const user = await createUser(deps.db);
    await expect(visitor.auth.viewer()).resolves.toBeNull();
    const email = `  ${user.email.toUpperCase()} `;
    await expect(visitor.auth.signIn({ email, password: testPassword })).resolves.toEqual({
      isAdmin: false,
      needsCode: false,
    });
    const viewer = await visitor.auth.viewer();
    expect(viewer).toMatchObject({ id: user.id, email: user.email, isAdmin: false, permissions: [], kind: "backer" });
    expect(viewer?.idleLimitMinutes).toBe(60);
    expect(jar.options.get("session")).toEqual({ sameSite: "lax", httpOnly: true, maxAgeSeconds: 7 * 86_400 });
    expect(await loginsOf(user.id)).toEqual([]);
  });

  test("keeps only a hash of the token", async () => {
    const user = await createUser(deps.db);
    await visitor.auth.signIn({ email: user.email, password: testPassword });
    const [row] = await sessionsOf(user.id);
    expect(JSON.stringify(row)).not.toContain(jar.get("session"));
  });

  test("gives a new token each time and ends the browser's session before", async () => {
    const user = await createUser(deps.db);
    await visitor.auth.signIn({ email: user.email, password: testPassword });
    const first = jar.get("session");
    await visitor.auth.signIn({ email: user.email, password: testPassword });
    expect(jar.get("session")).not.toBe(first);
    expect(await sessionsOf(user.id)).toHaveLength(1);
  });

  test("signing out ends the session and clears the cookie; doing it twice does no harm", async () => {
    const user = await createUser(deps.db);
    await visitor.auth.signIn({ email: user.email, password: testPassword });
    await visitor.auth.signOut();
    expect(await sessionsOf(user.id)).toEqual([]);
    expect(jar.get("session")).toBeUndefined();
    await expect(visitor.auth.signOut()).resolves.toBeUndefined();
  });

  test("an account without a password can't be entered with one", async () => {
    const user = await createUser(deps.db);
    await deps.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    await expect(visitor.auth.signIn({ email: user.email, password: testPassword })).rejects.toThrow(wrong);
  });

  test.each([
    ["no address", { email: "", password: "x" }, "Email and password are required"],
    ["no password", { email: "a@example.com", password: "" }, "Email and password are required"],
    ["spaces for an address", { email: "   ", password: "x" }, "Email and password are required"],
    ["an oversized address", { email: `${"a".repeat(300)}@example.com`, password: "x" }, wrong],
    ["an oversized password", { email: "a@example.com", password: "x".repeat(257) }, wrong],
    [
      "a NUL in the address",
      { email: "a\0@example.com", password: "x" },
      "This text contains characters that can't be used.",
    ],
    [
      "half a character in the address",
      { email: "a\ud800@example.com", password: "x" },
      "This text contains characters that can't be used.",
    ],
  ])("%s is refused before anything is counted", async (_, input, message) => {
    await expect(visitor.auth.signIn(input)).rejects.toThrow(message);
    expect(await deps.db.select().from(signInCounters)).toEqual([]);
    expect(verifyPassword).not.toHaveBeenCalled();
  });

  test("a blocked person learns of it only with the right password", async () => {
    const user = await createUser(deps.db, { isBlocked: true });
    await expect(visitor.auth.signIn({ email: user.email, password: "Wrong-guess-1" })).rejects.toThrow(wrong);
    await expect(visitor.auth.signIn({ email: user.email, password: testPassword })).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: "Your account has been blocked. Please contact support.",
    });
    expect(await sessionsOf(user.id)).toEqual([]);
  });

  test("an unconfirmed person learns of it only with the right password, where addresses are confirmed", async () => {
    const user = await createUser(deps.db, { emailVerifiedAt: null });
    const env = { ...deps.env, requireEmailConfirmation: true };
    const strict = await callAs({ ...deps, env }, "anonymous");
    await expect(strict.auth.signIn({ email: user.email, password: "Wrong-guess-1" })).rejects.toThrow(wrong);
    await expect(strict.auth.signIn({ email: user.email, password: testPassword })).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: "Please check your email to confirm your account.",
    });
    expect(await sessionsOf(user.id)).toEqual([]);
    await expect(visitor.auth.signIn({ email: user.email, password: testPassword })).resolves.toEqual({
      isAdmin: false,
      needsCode: false,
    });
  });
});

describe("administrators", () => {
  test("get their kind of session and an audit entry, at either sign-in page", async () => {
    const owner = await createAdmin(deps.db, "owner");
    await visitor.auth.adminSignIn({ email: owner.email, password: testPassword });
    expect(await visitor.auth.viewer()).toMatchObject({ kind: "admin", isAdmin: true, idleLimitMinutes: 30 });
    expect(jar.options.get("session")?.maxAgeSeconds).toBe(12 * 3600);
    await visitor.auth.signIn({ email: owner.email, password: testPassword });
    const entries = await loginsOf(owner.id);
    expect(entries.map((entry) => [entry.actionType, entry.userEmail, entry.ipAddress])).toEqual([
      ["admin_login", owner.email, "203.0.113.7"],
      ["admin_login", owner.email, "203.0.113.7"],
    ]);
  });

  test("somebody else is turned away at /admin/login and left without a session", async () => {
    const user = await createUser(deps.db);
    await visitor.auth.signIn({ email: user.email, password: testPassword });
    await expect(visitor.auth.adminSignIn({ email: user.email, password: testPassword })).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: "User does not have admin privileges",
    });
    expect(await sessionsOf(user.id)).toEqual([]);
    expect(jar.get("session")).toBeUndefined();
  });

  test("a wrong password at /admin/login says nothing about being an administrator", async () => {
    const owner = await createAdmin(deps.db, "owner");
    const user = await createUser(deps.db);
    const message = "Invalid email or password. Please check your credentials.";
    for (const email of [owner.email, user.email, "nobody@example.com"]) {
      const answer = await refusal(visitor.auth.adminSignIn({ email, password: "Wrong-guess-1" }));
      expect(answer).toEqual({ code: "BAD_REQUEST", message, details: { failures: 1 } });
    }
    expect(await loginsOf(owner.id)).toEqual([]);
  });

  test("a failed audit entry undoes the sign-in", async () => {
    const owner = await createAdmin(deps.db, "owner");
    await deps.db.execute(
      sql`alter table audit_logs add constraint broken check (action_type <> 'admin_login') not valid`,
    );
    try {
      await expect(visitor.auth.adminSignIn({ email: owner.email, password: testPassword })).rejects.toThrow();
    } finally {
      await deps.db.execute(sql`alter table audit_logs drop constraint broken`);
    }
    expect(await sessionsOf(owner.id)).toEqual([]);
  });
});

describe("the lock", () => {
  test.each(["a known", "an unknown"])("five failures on %s address lock it for 180 seconds", async (kind) => {
    const email = kind === "a known" ? (await createUser(deps.db)).email : "nobody@example.com";
    const lockedUntil = new Date(deps.clock.now().getTime() + 180_000).toISOString();
    for (const failures of [1, 2, 3, 4]) {
      const answer = await refusal(visitor.auth.signIn({ email, password: "Wrong-guess-1" }));
      expect(answer).toEqual({ code: "BAD_REQUEST", message: wrong, details: { failures } });
    }
    const details = { failures: 5, lockedUntil, secondsLeft: 180 };
    const fifth = await refusal(visitor.auth.signIn({ email, password: "Wrong-guess-1" }));
    expect(fifth).toEqual({ code: "TOO_MANY_REQUESTS", message: nowLocked, details });
    const sixth = await refusal(visitor.auth.signIn({ email, password: testPassword }));
    expect(sixth).toEqual({ code: "TOO_MANY_REQUESTS", message: locked, details });
    expect(verifyPassword).toHaveBeenCalledTimes(5);
  });

  test("holds one second before its end and is gone with the counter one second after", async () => {
    const user = await createUser(deps.db);
    await failTimes(visitor, user.email, 5);
    deps.clock.advance({ seconds: 179 });
    await expect(visitor.auth.signIn({ email: user.email, password: testPassword })).rejects.toThrow(locked);
    deps.clock.advance({ seconds: 2 });
    const first = await refusal(visitor.auth.signIn({ email: user.email, password: "Wrong-guess-1" }));
    expect(first.details).toEqual({ failures: 1 });
    await expect(visitor.auth.signIn({ email: user.email, password: testPassword })).resolves.toBeDefined();
  });

  test("attempts while locked neither count nor prolong it", async () => {
    const user = await createUser(deps.db);
    await failTimes(visitor, user.email, 5);
    const before = await deps.db.select().from(signInCounters);
    await failTimes(visitor, user.email, 20);
    expect(await deps.db.select().from(signInCounters)).toEqual(before);
  });

  test("a success resets the counter", async () => {
    const user = await createUser(deps.db);
    await failTimes(visitor, user.email, 4);
    await visitor.auth.signIn({ email: user.email, password: testPassword });
    deps.clock.advance({ seconds: 3 });
    const next = await refusal(visitor.auth.signIn({ email: user.email, password: "Wrong-guess-1" }));
    expect(next.details).toEqual({ failures: 1 });
  });

  test("survives a reload of the page, and says nothing to another browser", async () => {
    const user = await createUser(deps.db);
    expect(await visitor.auth.signInState()).toMatchObject({ failures: 0, lockedUntil: null, secondsLeft: 0 });
    await failTimes(visitor, user.email, 3);
    expect(await visitor.auth.signInState()).toMatchObject({ failures: 3, lockedUntil: null, secondsLeft: 0 });
    await failTimes(visitor, user.email, 2);
    const lockedUntil = new Date(deps.clock.now().getTime() + 180_000);
    expect(await visitor.auth.signInState()).toMatchObject({ failures: 5, lockedUntil, secondsLeft: 180 });
    const restarted = await callAs({ ...deps }, "anonymous", { jar });
    expect(await restarted.auth.signInState()).toMatchObject({ failures: 5, lockedUntil, secondsLeft: 180 });
    const other = await callAs(deps, "anonymous");
    expect(await other.auth.signInState()).toMatchObject({ failures: 0, lockedUntil: null, secondsLeft: 0 });
    deps.clock.advance({ seconds: 181 });
    expect(await visitor.auth.signInState()).toMatchObject({ failures: 0, lockedUntil: null, secondsLeft: 0 });
  });

  test("a made-up cookie names no counter", async () => {
    const forged = await callAs(deps, "anonymous", { jar: cookieJar({ "sign-in": "pair:' or true --" }) });
    expect(await forged.auth.signInState()).toMatchObject({ failures: 0, lockedUntil: null, secondsLeft: 0 });
  });

  test("is shared by both sign-in pages", async () => {
    const owner = await createAdmin(deps.db, "owner");
    await failTimes(visitor, owner.email, 5);
    await expect(visitor.auth.adminSignIn({ email: owner.email, password: testPassword })).rejects.toThrow(locked);
  });

  test("strangers can't lock a device that signed in before", async () => {
    const user = await createUser(deps.db);
    await visitor.auth.signIn({ email: user.email, password: testPassword });
    expect(await deps.db.select().from(knownDevices).where(eq(knownDevices.userId, user.id))).toHaveLength(1);
    for (let address = 0; address < 11; address += 1) {
      const stranger = await callAs(deps, "anonymous", { ipAddress: `198.51.100.${address}` });
      await failTimes(stranger, user.email, 5);
    }
    await expect(visitor.auth.signIn({ email: user.email, password: testPassword })).resolves.toBeDefined();
    const unknown = await callAs(deps, "anonymous", { ipAddress: "198.51.100.99" });
    const answer = await refusal(unknown.auth.signIn({ email: user.email, password: testPassword }));
    expect(answer).toMatchObject({ message: locked, details: { failures: 50 } });
    deps.clock.advance({ hours: 1, seconds: -1 });
    await expect(unknown.auth.signIn({ email: user.email, password: testPassword })).rejects.toThrow(locked);
    deps.clock.advance({ seconds: 1 });
    await expect(unknown.auth.signIn({ email: user.email, password: testPassword })).resolves.toBeDefined();
  });

  test("a device of one account is a stranger to another, and a forged one to all", async () => {
    const [mine, theirs] = [await createUser(deps.db), await createUser(deps.db)];
    await visitor.auth.signIn({ email: mine.email, password: testPassword });
    deps.clock.advance({ seconds: 3 });
    await failTimes(visitor, theirs.email, 5);
    const sameAddress = await callAs(deps, "anonymous");
    await expect(sameAddress.auth.signIn({ email: theirs.email, password: testPassword })).rejects.toThrow(locked);
    const device = jar.get("device") ?? "";
    await failTimes(sameAddress, mine.email, 5);
    const forged = await callAs(deps, "anonymous", { jar: cookieJar({ device: `${device.split(".")[0]}.AAAA` }) });
    await expect(forged.auth.signIn({ email: mine.email, password: testPassword })).rejects.toThrow(locked);
    await expect(visitor.auth.signIn({ email: mine.email, password: testPassword })).resolves.toBeDefined();
  });

  test("one IPv6 subscriber is one address", async () => {
    const user = await createUser(deps.db);
    for (let host = 1; host <= 5; host += 1) {
      await failTimes(await callAs(deps, "anonymous", { ipAddress: `2001:db8:7:7::${host}` }), user.email, 1);
    }
    const next = await callAs(deps, "anonymous", { ipAddress: "2001:db8:7:7:aaaa::9" });
    await expect(next.auth.signIn({ email: user.email, password: testPassword })).rejects.toThrow(locked);
  });

  test("100 failures from one address in ten minutes stop it for all accounts", async () => {
    const user = await createUser(deps.db);
    for (let name = 0; name < 25; name += 1) await failTimes(visitor, `guess-${name}@example.com`, 4);
    const answer = await refusal(visitor.auth.signIn({ email: user.email, password: testPassword }));
    expect(answer).toEqual({
      code: "TOO_MANY_REQUESTS",
      message: "Too many attempts. Please try again later.",
      details: undefined,
    });
    const elsewhere = await callAs(deps, "anonymous", { ipAddress: "198.51.100.1" });
    await expect(elsewhere.auth.signIn({ email: user.email, password: testPassword })).resolves.toBeDefined();
    deps.clock.advance({ minutes: 10, seconds: -1 });
    await expect(visitor.auth.signIn({ email: user.email, password: testPassword })).rejects.toThrow(answer.message);
    deps.clock.advance({ seconds: 1 });
    await expect(visitor.auth.signIn({ email: user.email, password: testPassword })).resolves.toBeDefined();
  });

  test("an attempt that a busy server could not look at doesn't count", async () => {
    const user = await createUser(deps.db);
    for (let time = 0; time < 8; time += 1) {
      verifyPassword.mockRejectedValueOnce(new AppError("unavailable", "busy"));
      const answer = await refusal(visitor.auth.signIn({ email: user.email, password: testPassword }));
      expect(answer.code).toBe("SERVICE_UNAVAILABLE");
    }
    const next = await refusal(visitor.auth.signIn({ email: user.email, password: "Wrong-guess-1" }));
    expect(next.details).toEqual({ failures: 1 });
  });

  test("right passwords don't count for the address", async () => {
    const user = await createUser(deps.db);
    for (let time = 0; time < 12; time += 1) {
      await visitor.auth.signIn({ email: user.email, password: testPassword });
      deps.clock.advance({ seconds: 3 });
    }
    const counters = await deps.db.select().from(signInCounters);
    expect(counters.filter((it) => it.key.startsWith("address:")).map((it) => it.failures)).toEqual([0]);
  });

  test("of many parallel guesses five are looked at, whether none, half or all of them are right", async () => {
    for (const isRight of [() => false, (guess: number) => guess % 2 === 1, () => true]) {
      verifyPassword.mockClear();
      const user = await createUser(deps.db);
      const guesses = Array.from({ length: isLong ? 200 : 30 }, (_, guess) =>
        visitor.auth.signIn({ email: user.email, password: isRight(guess) ? testPassword : `Wrong-guess-${guess}` }),
      );
      const results = await Promise.allSettled(guesses);
      expect(verifyPassword.mock.calls.length).toBeLessThanOrEqual(5);
      const codes = results.map((it) => (it.status === "fulfilled" ? "OK" : Reflect.get(it.reason, "code")));
      expect(codes).not.toContain("INTERNAL_SERVER_ERROR");
      if (isRight(0)) expect(codes).toContain("OK");
      if (!isRight(1)) expect(codes).not.toContain("OK");
    }
  });
});

describe("sessions", () => {
  test.each([
    ["backer", 60],
    ["owner", 30],
  ] as const)("a %s's session ends after %i minutes without activity, to the second", async (who, minutes) => {
    const person = await callAs(deps, who);
    deps.clock.advance({ minutes, seconds: -1 });
    expect(await person.auth.viewer()).not.toBeNull();
    deps.clock.advance({ seconds: 1 });
    expect(await person.auth.viewer()).toBeNull();
    await expect(person.auth.touch()).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      message: "Authentication required",
    });
  });

  test("asking doesn't keep a session alive, activity does", async () => {
    const idle = await callAs(deps, "backer");
    const active = await callAs(deps, "backer");
    for (let minute = 0; minute < 60; minute += 10) {
      deps.clock.advance({ minutes: 10 });
      await idle.auth.viewer();
      await active.auth.touch();
    }
    expect(await idle.auth.viewer()).toBeNull();
    expect((await active.auth.viewer())?.expiresAt).toEqual(new Date(deps.clock.now().getTime() + 60 * 60_000));
  });

  test.each([
    ["backer", 7 * 24 * 60, 56],
    ["owner", 12 * 60, 24],
  ] as const)("a %s's session ends after %i minutes however active", async (who, minutes, pause) => {
    const person = await callAs(deps, who);
    deps.clock.advance({ minutes: minutes - pause });
    await deps.db.update(sessions).set({ lastActivityAt: deps.clock.now() });
    // The page is told how long is left, whatever its own clock says.
    expect(await person.auth.viewer()).toMatchObject({ endsInSeconds: pause * 60 });
    deps.clock.advance({ minutes: pause, seconds: -1 });
    expect(await person.auth.viewer()).toMatchObject({ endsInSeconds: 1 });
    deps.clock.advance({ seconds: 1 });
    expect(await person.auth.viewer()).toBeNull();
  });

  test("a blocked person is out at once, and back with the same session nowhere", async () => {
    const user = await createUser(deps.db);
    const person = await callAs(deps, user);
    expect(await person.auth.viewer()).not.toBeNull();
    await blockUser(deps.db, user.id);
    expect(await person.auth.viewer()).toBeNull();
    await expect(person.auth.touch()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("tells the page how long is left without activity, by no clock", async () => {
    const admin = await callAs(deps, "owner");
    expect(await admin.auth.viewer()).toMatchObject({ idleEndsInSeconds: 30 * 60 });
    deps.clock.advance({ minutes: 10 });
    expect(await admin.auth.viewer()).toMatchObject({ idleEndsInSeconds: 20 * 60 });
    await admin.auth.touch();
    expect(await admin.auth.viewer()).toMatchObject({ idleEndsInSeconds: 30 * 60 });
  });

  test("that an account is blocked is told to a browser that signed in to it, and to no other", async () => {
    const user = await createUser(deps.db);
    const jar = cookieJar();
    const person = await callAs(deps, "anonymous", { jar });
    await person.auth.signIn({ email: user.email, password: testPassword });
    const stranger = await callAs(deps, "anonymous", { jar: cookieJar() });
    const reasons = async () => [
      await person.auth.endReason({ userId: user.id }),
      await stranger.auth.endReason({ userId: user.id }),
    ];
    expect(await reasons()).toEqual(["expired", "expired"]);
    await blockUser(deps.db, user.id);
    expect(await reasons()).toEqual(["blocked", "expired"]);
  });

  test("a made-up token is nobody", async () => {
    for (const token of ["x", "", "a".repeat(5000), "' or 1=1 --"]) {
      const person = await callAs(deps, "anonymous", { jar: cookieJar({ session: token }) });
      expect(await person.auth.viewer()).toBeNull();
    }
  });
});
