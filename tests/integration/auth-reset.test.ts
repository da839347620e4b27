import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { issueEmailToken } from "#server/accounts/email-tokens.ts";
import { verifyPassword } from "#server/accounts/passwords.ts";
import { mailAccountLink } from "#server/accounts/send-links.ts";
import { inTransaction } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { emailTokens, knownDevices, rateLimits, sessions, signInCounters } from "#server/db/schema/sessions.ts";
import { identities, twoFactors, users } from "#server/db/schema/users.ts";
import { MailRefusedError } from "#server/mail/mailer.ts";
import { sendQueuedMail } from "#server/mail/outbox.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { drainJobs } from "#tests/support/jobs.ts";
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

const deps = await openTestDeps();
let jar: CookieJar;
let visitor: Caller;

const newPassword = "New-Harvest-2027";
const invalid = "The password reset link is invalid or has expired. Please request a new one.";

beforeAll(async () => {
  await deps.jobs.start({ "account-link": (link) => mailAccountLink(deps, link) });
});
beforeEach(async () => {
  await deps.db.delete(rateLimits);
  await deps.db.delete(signInCounters);
  jar = cookieJar();
  visitor = await callAs(deps, "anonymous", { jar });
});

async function askForLink(email: string): Promise<void> {
  await visitor.auth.requestPasswordReset({ email });
  await drainJobs(deps.db, "account-link");
}

/** The tokens of all reset links mailed to an address, oldest first. */
async function tokensMailedTo(email: string, page = "/reset-password"): Promise<string[]> {
  const link = new RegExp(`http://localhost:3000${page}#type=recovery&access_token=([0-9a-f]{64})`);
  const mails = await queuedMailsTo(deps.db, email);
  return mails.flatMap(({ text }) => link.exec(text)?.[1] ?? []);
}

/** Mails a reset link, as the job does that a request queues. Returns its token. */
async function resetLinkFor(user: Pick<TestUser, "email">): Promise<string> {
  await mailAccountLink(deps, { purpose: "reset_password", email: user.email });
  return (await tokensMailedTo(user.email)).at(-1) ?? "";
}

async function passwordIs(userId: string, password: string): Promise<boolean> {
  const [row] = await deps.db.select().from(users).where(eq(users.id, userId));
  return verifyPassword(row?.passwordHash ?? null, password);
}

const sessionsOf = (userId: string) => deps.db.select().from(sessions).where(eq(sessions.userId, userId));

describe("asking for a link", () => {
  test("mails one to the address, whatever its letters' case", async () => {
    const user = await createUser(deps.db);
    await askForLink(` ${user.email.toUpperCase()} `);
    expect(await tokensMailedTo(user.email)).toHaveLength(1);
    const [mail] = await queuedMailsTo(deps.db, user.email);
    expect(mail).toMatchObject({ subject: "Reset your Gona password", holdsToken: true });
  });

  test("leads administrators to their own page", async () => {
    const admin = await createAdmin(deps.db, "viewer");
    await askForLink(admin.email);
    expect(await tokensMailedTo(admin.email)).toEqual([]);
    expect(await tokensMailedTo(admin.email, "/admin/reset-password")).toHaveLength(1);
  });

  test("mails nothing to strangers and blocked people, and the answer doesn't tell", async () => {
    const user = await createUser(deps.db);
    const blocked = await createUser(deps.db, { isBlocked: true });
    for (const email of [user.email, blocked.email, "stranger@example.com"]) {
      expect(await visitor.auth.requestPasswordReset({ email })).toBeUndefined();
    }
    await drainJobs(deps.db, "account-link");
    expect(await queuedMailsTo(deps.db, blocked.email)).toEqual([]);
    expect(await queuedMailsTo(deps.db, "stranger@example.com")).toEqual([]);
    expect(await queuedMailsTo(deps.db, user.email)).toHaveLength(1);
  });

  test.each(["an account's", "a stranger's"])("%s address gets three an hour", async (kind) => {
    const email = kind === "an account's" ? (await createUser(deps.db)).email : "stranger@example.com";
    const ask = () => visitor.auth.requestPasswordReset({ email });
    for (let time = 0; time < 3; time += 1) await ask();
    const refusal = { code: "TOO_MANY_REQUESTS", message: "Too many attempts. Please try again later." };
    await expect(ask()).rejects.toMatchObject(refusal);
    deps.clock.advance({ hours: 1, seconds: -1 });
    await expect(ask()).rejects.toMatchObject(refusal);
    deps.clock.advance({ seconds: 1 });
    await ask();
  });

  test.each(["", "ada@", "ada@example.com\nBcc: x@example.com", `${"a".repeat(250)}@example.com`])(
    "%j is refused",
    async (email) => {
      await expect(visitor.auth.requestPasswordReset({ email })).rejects.toThrow("Valid email is required");
    },
  );
});

describe("the reset link", () => {
  test("sets the password, ends every session, works once, and the change is mailed", async () => {
    const user = await createUser(deps.db);
    const signedIn = await callAs(deps, user);
    const here = await callAs(deps, user, { jar });
    const token = await resetLinkFor(user);
    await here.auth.resetPassword({ token, password: newPassword });

    expect(await sessionsOf(user.id)).toEqual([]);
    expect(await signedIn.auth.viewer()).toBeNull();
    expect(jar.get("session")).toBeUndefined();
    expect(await passwordIs(user.id, newPassword)).toBe(true);
    await expect(visitor.auth.signIn({ email: user.email, password: testPassword })).rejects.toThrow("Invalid email");
    await visitor.auth.signIn({ email: user.email, password: newPassword });

    const notice = (await queuedMailsTo(deps.db, user.email)).at(-1);
    expect(notice).toMatchObject({ subject: "Your Gona password was changed", holdsToken: false });
    expect(notice?.text).toMatch(/changed on \d+ \w{3} \d{4}, \d\d:\d\d WAT/);

    await expect(visitor.auth.resetPassword({ token, password: "Other-Harvest-2027" })).rejects.toThrow(invalid);
    expect(await passwordIs(user.id, newPassword)).toBe(true);
  });

  test("two at once with one link: one sets the password", async () => {
    const user = await createUser(deps.db);
    const token = await resetLinkFor(user);
    const passwords = ["First-Harvest-2027", "Second-Harvest-2027"];
    const results = await Promise.allSettled(
      passwords.map((password) => visitor.auth.resetPassword({ token, password })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const notices = (await queuedMailsTo(deps.db, user.email)).filter(({ subject }) => subject.includes("was changed"));
    expect(notices).toHaveLength(1);
  });

  test("works one second before 60 minutes are over, and no longer", async () => {
    const [early, late] = [await createUser(deps.db), await createUser(deps.db)];
    const tokens = { early: await resetLinkFor(early), late: await resetLinkFor(late) };
    deps.clock.advance({ minutes: 60, seconds: -1 });
    await visitor.auth.resetPassword({ token: tokens.early, password: newPassword });
    deps.clock.advance({ seconds: 1 });
    await expect(visitor.auth.resetPassword({ token: tokens.late, password: newPassword })).rejects.toThrow(invalid);
    expect(await passwordIs(late.id, testPassword)).toBe(true);
  });

  test("asked for again replaces the one before", async () => {
    const user = await createUser(deps.db);
    const [first, second] = [await resetLinkFor(user), await resetLinkFor(user)];
    expect(second).not.toBe(first);
    await expect(visitor.auth.resetPassword({ token: first, password: newPassword })).rejects.toThrow(invalid);
    await visitor.auth.resetPassword({ token: second, password: newPassword });
  });

  test("asked for by two at once leaves one that works", async () => {
    const user = await createUser(deps.db);
    const issue = () =>
      inTransaction(deps.db, (tx) =>
        issueEmailToken(tx, deps, {
          userId: user.id,
          email: user.email,
          purpose: "reset_password",
          lifetimeMinutes: 60,
        }),
      );
    await Promise.all([issue(), issue(), issue()]);
    expect(await deps.db.select().from(emailTokens).where(eq(emailTokens.userId, user.id))).toHaveLength(1);
  });

  test("that was made up changes nothing", async () => {
    const user = await createUser(deps.db);
    await resetLinkFor(user);
    for (const token of ["", "x", "0".repeat(64), "' or 1=1 --"]) {
      await expect(visitor.auth.resetPassword({ token, password: newPassword })).rejects.toThrow(invalid);
    }
    expect(await passwordIs(user.id, testPassword)).toBe(true);
  });

  test("of another purpose changes nothing", async () => {
    const user = await createUser(deps.db, { emailVerifiedAt: null });
    await visitor.auth.resendConfirmation({ email: user.email });
    await drainJobs(deps.db, "account-link");
    const [mail] = await queuedMailsTo(deps.db, user.email);
    const [, token = ""] = /access_token=([0-9a-f]{64})/.exec(mail?.text ?? "") ?? [];
    await expect(visitor.auth.resetPassword({ token, password: newPassword })).rejects.toThrow(invalid);
    await visitor.auth.confirmEmail({ token, password: testPassword });
  });

  test("is worthless once the account has another address, or was blocked", async () => {
    const [moved, blocked] = [await createUser(deps.db), await createUser(deps.db)];
    const tokens = [await resetLinkFor(moved), await resetLinkFor(blocked)];
    await deps.db
      .update(users)
      .set({ email: `moved-${moved.email}` })
      .where(eq(users.id, moved.id));
    await blockUser(deps.db, blocked.id);
    for (const token of tokens) {
      await expect(visitor.auth.resetPassword({ token, password: newPassword })).rejects.toThrow(invalid);
    }
    expect(await passwordIs(moved.id, testPassword)).toBe(true);
    expect(await passwordIs(blocked.id, testPassword)).toBe(true);
  });

  test("takes no weak password, and still works after each", async () => {
    const user = await createUser(deps.db);
    const token = await resetLinkFor(user);
    for (const [password, message] of [
      ["12345", "Password must be at least 6 characters"],
      ["", "Password must be at least 6 characters"],
      ["Abc-123", "Password must be at least 8 characters long"],
      ["snailsandgoats", "Please choose a stronger password that meets all requirements."],
      [`Aa1-${"x".repeat(300)}`, "Password must be at most 256 characters long"],
    ] as const) {
      const refusal = { code: "BAD_REQUEST", message: expect.stringContaining(message) };
      await expect(visitor.auth.resetPassword({ token, password })).rejects.toMatchObject(refusal);
    }
    await visitor.auth.resetPassword({ token, password: newPassword });
  });

  test("ends the lock of the place it is used at", async () => {
    const user = await createUser(deps.db);
    const fail = (caller: Caller) => caller.auth.signIn({ email: user.email, password: "Wrong-guess-1" });
    const elsewhere = await callAs(deps, "anonymous", { ipAddress: "198.51.100.9" });
    for (let time = 0; time < 5; time += 1) {
      await fail(visitor).catch(() => {});
      await fail(elsewhere).catch(() => {});
    }
    const token = await resetLinkFor(user);
    await visitor.auth.resetPassword({ token, password: newPassword });
    expect(await visitor.auth.signInState()).toMatchObject({ failures: 0, lockedUntil: null });
    await visitor.auth.signIn({ email: user.email, password: newPassword });
    await expect(fail(elsewhere)).rejects.toThrow("Too many failed attempts. Try again later.");
  });

  test("proves the address, and takes off what was attached before anybody had proved it", async () => {
    const unproven = await createUser(deps.db, { emailVerifiedAt: null });
    const proven = await createUser(deps.db);
    for (const { id, email } of [unproven, proven]) {
      await deps.db.insert(identities).values({ provider: "google", subject: id, userId: id, email });
      await deps.db.insert(knownDevices).values({ userId: id, deviceHash: "whose?", lastSeenAt: deps.clock.now() });
      await visitor.auth.resetPassword({ token: await resetLinkFor({ email }), password: newPassword });
    }
    const left = async (userId: string) => deps.db.select().from(identities).where(eq(identities.userId, userId));
    expect(await left(unproven.id)).toEqual([]);
    expect(await left(proven.id)).toHaveLength(1);
    const devices = await deps.db.select({ userId: knownDevices.userId }).from(knownDevices);
    expect(devices.map(({ userId }) => userId)).not.toContain(unproven.id);
    expect(devices.map(({ userId }) => userId)).toContain(proven.id);
    const [row] = await deps.db.select().from(users).where(eq(users.id, unproven.id));
    expect(row?.emailVerifiedAt).toEqual(deps.clock.now());
  });

  test("drops the account's other links, so that a stranger's change of address can't outlive it", async () => {
    const user = await createUser(deps.db);
    await inTransaction(deps.db, (tx) =>
      issueEmailToken(tx, deps, {
        userId: user.id,
        email: "thief@example.com",
        purpose: "change_email",
        lifetimeMinutes: 60,
      }),
    );
    await visitor.auth.resetPassword({ token: await resetLinkFor(user), password: newPassword });
    const links = await deps.db.select().from(emailTokens).where(eq(emailTokens.userId, user.id));
    expect(links.map(({ purpose }) => purpose)).toEqual(["reset_password"]);
  });

  test("an administrator's keeps the second factor and is audited", async () => {
    const admin = await createAdmin(deps.db, "manager");
    await deps.db.insert(twoFactors).values({ userId: admin.id, encryptedSecret: "x", confirmedAt: deps.clock.now() });
    await askForLink(admin.email);
    const [token = ""] = await tokensMailedTo(admin.email, "/admin/reset-password");
    await visitor.auth.resetPassword({ token, password: newPassword });
    expect(await deps.db.select().from(twoFactors).where(eq(twoFactors.userId, admin.id))).toHaveLength(1);
    const entries = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "reset_password"));
    expect(entries).toMatchObject([{ details: { userId: admin.id, email: admin.email }, ipAddress: "203.0.113.7" }]);
  });
});

describe("at rest", () => {
  test("the link is kept only as a hash, and its mail is blanked once it was sent", async () => {
    const user = await createUser(deps.db);
    const token = await resetLinkFor(user);
    expect(JSON.stringify(await deps.db.select().from(emailTokens))).not.toContain(token);
    const [mail] = await queuedMailsTo(deps.db, user.email);
    await sendQueuedMail(deps, mail?.id ?? 0);
    expect(deps.mailer.mails.at(-1)?.text).toContain(token);
    const [sent] = await queuedMailsTo(deps.db, user.email);
    expect(sent?.sentAt).not.toBeNull();
    expect(JSON.stringify(sent)).not.toContain(token);
    expect(sent?.text).toContain("was removed");
  });

  test("a mail that was refused is blanked too, and one without a token stays as it is", async () => {
    const user = await createUser(deps.db);
    const token = await resetLinkFor(user);
    vi.spyOn(deps.mailer, "send").mockRejectedValueOnce(new MailRefusedError("no such mailbox"));
    const [mail] = await queuedMailsTo(deps.db, user.email);
    await sendQueuedMail(deps, mail?.id ?? 0);
    const [refused] = await queuedMailsTo(deps.db, user.email);
    expect(refused?.refusal).toBe("no such mailbox");
    expect(JSON.stringify(refused)).not.toContain(token);

    await visitor.auth.resetPassword({ token, password: newPassword });
    const [, notice] = await queuedMailsTo(deps.db, user.email);
    await sendQueuedMail(deps, notice?.id ?? 0);
    expect((await queuedMailsTo(deps.db, user.email))[1]?.text).toContain("was changed on");
  });
});
