import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailAccountLink } from "#server/accounts/send-links.ts";
import { endSession } from "#server/accounts/sessions.ts";
import { createAdmin as createAdminByCommand } from "#server/accounts/users.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { emailTokens, rateLimits } from "#server/db/schema/sessions.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { openTestDeps, queuedMailsTo, type TestDeps } from "#tests/support/deps.ts";
import { drainJobs } from "#tests/support/jobs.ts";
import { type Caller, type CookieJar, callAs, cookieJar, createUser, testPassword } from "#tests/support/people.ts";

const deps = await openTestDeps();
/** As where mail is sent: addresses are confirmed first. */
let strictDeps: TestDeps;
let jar: CookieJar;
let visitor: Caller;
let strictVisitor: Caller;
let formToken: string;

beforeAll(async () => {
  strictDeps = { ...deps, env: { ...deps.env, requireEmailConfirmation: true } };
  await deps.jobs.start({ "account-link": (link) => mailAccountLink(deps, link) });
});
beforeEach(async () => {
  await deps.db.delete(rateLimits);
  jar = cookieJar();
  visitor = await callAs(deps, "anonymous", { jar });
  strictVisitor = await callAs(strictDeps, "anonymous", { jar });
  formToken = (await visitor.auth.formToken()).token;
});

let people = 0;
const newcomer = () => {
  people += 1;
  const email = `newcomer-${people}@example.com`;
  return { fullName: "Ada Obi", email, password: testPassword, acceptTerms: true as const, formToken };
};
const findAccount = async (email: string) => (await deps.db.select().from(users).where(eq(users.email, email)))[0];
const countAccounts = () => deps.db.$count(users);

describe("signing up", () => {
  test("makes an account and signs in at once, where addresses aren't confirmed", async () => {
    const input = newcomer();
    const loose = { ...input, fullName: "  Ada Obi ", email: ` ${input.email.toUpperCase()} ` };
    expect(await visitor.auth.signUp(loose)).toEqual({ isSignedIn: true });
    const account = await findAccount(input.email);
    expect(account).toMatchObject({ fullName: "Ada Obi", isAdmin: false, isBlocked: false, emailVerifiedAt: null });
    expect(account?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await visitor.auth.viewer()).toMatchObject({ email: input.email, fullName: "Ada Obi", kind: "backer" });
    expect(await queuedMailsTo(deps.db, input.email)).toEqual([]);
  });

  test("mails a link first, where addresses are confirmed", async () => {
    const input = newcomer();
    expect(await strictVisitor.auth.signUp(input)).toEqual({ isSignedIn: false });
    expect(await visitor.auth.viewer()).toBeNull();
    expect(jar.get("session")).toBeUndefined();
    const mails = await queuedMailsTo(deps.db, input.email);
    expect(mails.map((mail) => mail.subject)).toEqual(["Confirm your email for Gona"]);
  });

  test.each([
    ["/back-project/3", true],
    ["//evil.example/back-project/3", false],
    ["https://evil.example", false],
    ["/\\evil.example", false],
  ])("leads on to %s from the mailed link: %s", async (next, isKept) => {
    const input = { ...newcomer(), next };
    await strictVisitor.auth.signUp(input);
    await strictVisitor.auth.resendConfirmation({ email: input.email, next });
    await drainJobs(deps.db, "account-link");
    const mails = await queuedMailsTo(deps.db, input.email);
    expect(mails).toHaveLength(2);
    for (const { text } of mails) {
      const [, link = ""] = /(\S+\/auth-callback#\S+)/.exec(text) ?? [];
      expect(new URLSearchParams(new URL(link).hash.slice(1)).get("next")).toBe(isKept ? next : null);
    }
  });

  test("gives no rights, whatever else is sent along", async () => {
    const input = { ...newcomer(), isAdmin: true, role: "owner", emailVerifiedAt: new Date(), id: crypto.randomUUID() };
    await visitor.auth.signUp(input);
    const account = await findAccount(input.email);
    expect(account).toMatchObject({ isAdmin: false, emailVerifiedAt: null });
    expect(account?.id).not.toBe(input.id);
  });

  test("an address has one account", async () => {
    const user = await createUser(deps.db);
    const before = await findAccount(user.email);
    await expect(visitor.auth.signUp({ ...newcomer(), email: user.email })).rejects.toMatchObject({
      code: "CONFLICT",
      message: "An account with this email already exists.",
    });
    expect(await findAccount(user.email)).toEqual(before);
    expect(await visitor.auth.viewer()).toBeNull();
  });

  test("two at once for one address make one account", async () => {
    const input = newcomer();
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => visitor.auth.signUp(input)));
    expect(results.filter((it) => it.status === "fulfilled")).toHaveLength(1);
  });

  test.each([
    ["no name", { fullName: "  " }, "Full name is required"],
    ["an oversized name", { fullName: "a".repeat(201) }, "Full name cannot exceed 200 characters"],
    ["a name with a line break", { fullName: "Ada\r\nBcc: x@example.com" }, "Full name is required"],
    ["a name with a NUL", { fullName: "Ada\0" }, "This text contains characters that can't be used."],
    ["no address", { email: "" }, "Valid email is required"],
    ["half an address", { email: "ada@" }, "Valid email is required"],
    ["an address with a line break", { email: "ada@example.com\nBcc: x@example.com" }, "Valid email is required"],
    ["an oversized address", { email: `${"a".repeat(250)}@example.com` }, "Valid email is required"],
    ["a short password", { password: "Abc-123" }, "Password must be at least 8 characters long"],
    [
      "a weak password",
      { password: "snailsandgoats" },
      "Please choose a stronger password that meets all requirements.",
    ],
    ["an oversized password", { password: `Aa1-${"x".repeat(5000)}` }, "Password must be at most 256 characters long"],
    ["terms not accepted", { acceptTerms: false as true }, "You must agree to the terms of service"],
  ])("%s is refused and makes no account", async (_, fault, message) => {
    const before = await countAccounts();
    await expect(visitor.auth.signUp({ ...newcomer(), ...fault })).rejects.toThrow(message);
    expect(await countAccounts()).toBe(before);
    expect(await visitor.auth.viewer()).toBeNull();
  });

  test("a name of markup is kept as it is and escaped in the mail", async () => {
    const input = { ...newcomer(), fullName: '<img src=x onerror="alert(1)">' };
    await strictVisitor.auth.signUp(input);
    const [mail] = await queuedMailsTo(deps.db, input.email);
    expect(mail?.html).not.toContain("<img");
    expect((await findAccount(input.email))?.fullName).toBe(input.fullName);
  });
});

describe("the form token", () => {
  const expired = "Form submission failed. Please refresh the page and try again.";

  test("is 32 random bytes in hex, in a strict cookie for an hour", async () => {
    expect(formToken).toMatch(/^[0-9a-f]{64}$/);
    expect(jar.get("form-token")).toBe(formToken);
    expect(jar.options.get("form-token")).toEqual({ sameSite: "strict", httpOnly: true, maxAgeSeconds: 3600 });
    const other = await callAs(deps, "anonymous");
    expect((await other.auth.formToken()).token).not.toBe(formToken);
  });

  test("is the same in a second tab, so that both forms can be sent", async () => {
    expect((await visitor.auth.formToken()).token).toBe(formToken);
  });

  test.each([
    ["another browser's", () => "ab".repeat(32)],
    ["an empty", () => ""],
    ["a longer", () => `${formToken}0`],
    ["a non-ASCII", () => "é".repeat(64)],
  ])("%s value is refused and makes no account", async (_, given) => {
    const input = { ...newcomer(), formToken: given() };
    await expect(visitor.auth.signUp(input)).rejects.toMatchObject({ code: "BAD_REQUEST", message: expired });
    expect(await findAccount(input.email)).toBeUndefined();
  });

  test("without its cookie is refused, and a cookie of other shape never fits", async () => {
    jar.clear("form-token");
    await expect(visitor.auth.signUp(newcomer())).rejects.toThrow(expired);
    jar.values.set("form-token", "short");
    await expect(visitor.auth.signUp({ ...newcomer(), formToken: "short" })).rejects.toThrow(expired);
  });
});

describe("the confirmation link", () => {
  const invalid = "This confirmation link is invalid or has expired. Please request a new one.";

  async function tokenMailedTo(email: string, index = 0): Promise<string> {
    const mail = (await queuedMailsTo(deps.db, email))[index];
    const [, token = ""] =
      /http:\/\/localhost:3000\/auth-callback#type=signup&access_token=([0-9a-f]{64})/.exec(mail?.text ?? "") ?? [];
    return token;
  }

  async function signUpUnconfirmed() {
    const input = newcomer();
    await strictVisitor.auth.signUp(input);
    return { email: input.email, token: await tokenMailedTo(input.email) };
  }

  test("confirms the address with the password, signs in, and works once", async () => {
    const { email, token } = await signUpUnconfirmed();
    expect(token).toHaveLength(64);
    await strictVisitor.auth.confirmEmail({ token, password: testPassword });
    expect((await findAccount(email))?.emailVerifiedAt).toEqual(deps.clock.now());
    await expect(strictVisitor.auth.viewer()).resolves.toMatchObject({ email });
    await expect(strictVisitor.auth.confirmEmail({ token, password: testPassword })).rejects.toThrow(invalid);
    await expect(strictVisitor.auth.signIn({ email, password: testPassword })).resolves.toEqual({
      isAdmin: false,
      needsCode: false,
    });
  });

  test("is kept only as a hash among the links", async () => {
    const { token } = await signUpUnconfirmed();
    expect(JSON.stringify(await deps.db.select().from(emailTokens))).not.toContain(token);
  });

  test("works one second before 24 hours are over, and no longer", async () => {
    const [early, late] = [await signUpUnconfirmed(), await signUpUnconfirmed()];
    deps.clock.advance({ hours: 24, seconds: -1 });
    await strictVisitor.auth.confirmEmail({ token: early.token, password: testPassword });
    deps.clock.advance({ seconds: 1 });
    await expect(strictVisitor.auth.confirmEmail({ token: late.token, password: testPassword })).rejects.toThrow(
      invalid,
    );
    expect((await findAccount(late.email))?.emailVerifiedAt).toBeNull();
  });

  test("is worthless once the account has another address", async () => {
    const { email, token } = await signUpUnconfirmed();
    await deps.db
      .update(users)
      .set({ email: `moved-${email}` })
      .where(eq(users.email, email));
    await expect(strictVisitor.auth.confirmEmail({ token, password: testPassword })).rejects.toThrow(invalid);
    expect((await findAccount(`moved-${email}`))?.emailVerifiedAt).toBeNull();
  });

  test.each(["", "x", "0".repeat(64), "' or 1=1 --"])("%j confirms nobody", async (token) => {
    const { email } = await signUpUnconfirmed();
    await expect(strictVisitor.auth.confirmEmail({ token, password: testPassword })).rejects.toThrow(invalid);
    expect((await findAccount(email))?.emailVerifiedAt).toBeNull();
  });

  test("sent again replaces the one before", async () => {
    const { email, token } = await signUpUnconfirmed();
    await strictVisitor.auth.resendConfirmation({ email });
    await drainJobs(deps.db, "account-link");
    const second = await tokenMailedTo(email, 1);
    expect(second).not.toBe(token);
    await expect(strictVisitor.auth.confirmEmail({ token, password: testPassword })).rejects.toThrow(invalid);
    await strictVisitor.auth.confirmEmail({ token: second, password: testPassword });
    expect((await findAccount(email))?.emailVerifiedAt).not.toBeNull();
  });

  test("is not sent to strangers, confirmed or blocked people, and the answer doesn't tell", async () => {
    const confirmed = await createUser(deps.db);
    const blocked = await createUser(deps.db, { isBlocked: true, emailVerifiedAt: null });
    const { email } = await signUpUnconfirmed();
    for (const to of [confirmed.email, blocked.email, "stranger@example.com", email]) {
      expect(await strictVisitor.auth.resendConfirmation({ email: to })).toBeUndefined();
    }
    await drainJobs(deps.db, "account-link");
    for (const to of [confirmed.email, blocked.email, "stranger@example.com"]) {
      expect(await queuedMailsTo(deps.db, to)).toEqual([]);
    }
    expect(await queuedMailsTo(deps.db, email)).toHaveLength(2);
  });

  test.each(["an account's", "a stranger's"])("%s address gets three an hour", async (kind) => {
    const email = kind === "an account's" ? (await signUpUnconfirmed()).email : `stranger-${people}@example.com`;
    for (let time = 0; time < 3; time += 1) await strictVisitor.auth.resendConfirmation({ email });
    await expect(strictVisitor.auth.resendConfirmation({ email })).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  });
});

describe("an administrator made at the command line", () => {
  const input = { email: "boss@example.com", fullName: "The Boss", role: "owner" as const, password: testPassword };

  test("has the role, a confirmed address and an audit entry, and can sign in", async () => {
    const { id } = await createAdminByCommand(deps, input);
    expect(await deps.db.select().from(userRoles).where(eq(userRoles.userId, id))).toMatchObject([{ role: "owner" }]);
    const entries = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "create_admin"));
    expect(entries.map((entry) => entry.details)).toEqual([
      { userId: id, email: input.email, role: "owner", via: "command line" },
    ]);
    await strictVisitor.auth.adminSignIn({ email: input.email, password: testPassword });
    expect((await strictVisitor.auth.viewer())?.permissions).toContain("payments:process");
    await endSession(deps, jar.get("session") ?? "");
  });

  test("is refused with every fault of the input", async () => {
    const faulty = { email: "boss", fullName: " ", role: "owner" as const, password: "short" };
    await expect(createAdminByCommand(deps, faulty)).rejects.toThrow(
      "Valid email is required\nFull name is required\nPassword must be at least 8 characters long",
    );
    await expect(createAdminByCommand(deps, { ...input, email: " Second@Example.COM " })).resolves.toBeDefined();
    expect(await findAccount("second@example.com")).toMatchObject({ isAdmin: true });
  });

  test("doesn't take over an account that exists", async () => {
    const user = await createUser(deps.db);
    await expect(createAdminByCommand(deps, { ...input, email: user.email })).rejects.toThrow(
      "An account with this email already exists.",
    );
    expect(await findAccount(user.email)).toMatchObject({ isAdmin: false, fullName: user.fullName });
    expect(await deps.db.select().from(userRoles).where(eq(userRoles.userId, user.id))).toEqual([]);
  });
});
