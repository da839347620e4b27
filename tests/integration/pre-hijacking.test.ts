import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailAccountLink } from "#server/accounts/send-links.ts";
import { rateLimits, sessions, signInCounters } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import { openTestDeps, queuedMailsTo, type TestDeps } from "#tests/support/deps.ts";
import { drainJobs } from "#tests/support/jobs.ts";
import { callAs, cookieJar, createUser, type TestUser, testPassword } from "#tests/support/people.ts";

// A stranger prepares an account for somebody else's address. A click of its owner must not make the two share it.

const deps = await openTestDeps();
/** As where mail is sent: addresses are confirmed first. */
const strictDeps: TestDeps = { ...deps, env: { ...deps.env, requireEmailConfirmation: true } };
const strangersPassword = "Strangers-Trap-66";
const ownPassword = "Okra-Market-77";

beforeAll(() => deps.jobs.start({ "account-link": (link) => mailAccountLink(deps, link) }));
beforeEach(async () => {
  await deps.db.delete(signInCounters);
  await deps.db.delete(rateLimits);
});

const rowOf = async (userId: string) => (await deps.db.select().from(users).where(eq(users.id, userId)))[0];
const findAccount = async (email: string) => (await deps.db.select().from(users).where(eq(users.email, email)))[0];
const sessionsOf = (userId: string) => deps.db.select().from(sessions).where(eq(sessions.userId, userId));
const stateOf = async (userId: string) => ({ account: await rowOf(userId), sessions: await sessionsOf(userId) });
const freshAddress = () => `victim-${crypto.randomUUID().slice(0, 8)}@example.com`;

async function tokenTo(email: string, type: "signup" | "email_change" | "recovery"): Promise<string> {
  const mail = (await queuedMailsTo(deps.db, email)).at(-1);
  const token = new RegExp(`#type=${type}&access_token=([0-9a-f]{64})`).exec(mail?.text ?? "")?.[1];
  if (!token) throw new Error(`no ${type} link was mailed to ${email}`);
  return token;
}

async function resetByMail(email: string) {
  const visitor = await callAs(strictDeps, "anonymous");
  await visitor.auth.requestPasswordReset({ email });
  await drainJobs(deps.db, "account-link");
  await visitor.auth.resetPassword({ token: await tokenTo(email, "recovery"), password: ownPassword });
}

describe("a stranger's change to the victim's address", () => {
  async function prepare() {
    const stranger = await createUser(deps.db, { password: strangersPassword });
    const strangersBrowser = await callAs(deps, stranger);
    const email = freshAddress();
    await strangersBrowser.users.requestEmailChange({ email, currentPassword: strangersPassword });
    return { stranger, strangersBrowser, email, token: await tokenTo(email, "email_change") };
  }

  test("is not confirmed by the victim's click, signed in to another account or to none", async () => {
    const { stranger, email, token } = await prepare();
    const before = await stateOf(stranger.id);
    const victim = await createUser(deps.db);
    for (const who of ["anonymous", victim] as const) {
      const browser = await callAs(deps, who);
      await expect(browser.users.confirmEmailChange({ token })).rejects.toThrow(authTexts.linkPasswordMissing);
      await expect(browser.users.confirmEmailChange({ token, password: testPassword })).rejects.toThrow(
        authTexts.linkPasswordWrong,
      );
      await expect(browser.auth.mailedLink({ token, purpose: "change_email" })).resolves.toEqual({
        email,
        proof: "password",
      });
    }
    expect(await stateOf(stranger.id)).toEqual(before);
    expect(await findAccount(email)).toBeUndefined();
    // The address is still free for its owner, and the account that the victim gets is nobody else's.
    const visitor = await callAs(deps, "anonymous");
    const { token: formToken } = await visitor.auth.formToken();
    const own = { fullName: "The Owner", email, password: ownPassword, acceptTerms: true as const, formToken };
    await visitor.auth.signUp(own);
    const thief = await callAs(deps, "anonymous");
    await expect(thief.auth.signIn({ email, password: strangersPassword })).rejects.toThrow(authTexts.wrongCredentials);
  });

  test("locks after five guesses at the stranger's password", async () => {
    const { token } = await prepare();
    // A right password, like the stranger's a moment ago, resets the count two seconds later.
    deps.clock.advance({ seconds: 3 });
    const browser = await callAs(deps, "anonymous");
    const guess = () => browser.users.confirmEmailChange({ token, password: "Wrong-guess-1" });
    for (let tries = 0; tries < 4; tries++) await expect(guess()).rejects.toThrow(authTexts.linkPasswordWrong);
    await expect(guess()).rejects.toThrow(authTexts.nowLocked);
  });
});

describe("an own change of address", () => {
  async function prepare(person: TestUser) {
    const jar = cookieJar();
    const here = await callAs(deps, person, { jar });
    const elsewhere = await callAs(deps, person);
    const email = freshAddress();
    await here.users.requestEmailChange({ email, currentPassword: testPassword });
    return { here, elsewhere, email, token: await tokenTo(email, "email_change") };
  }

  test("by the account's session keeps that one and ends all others; the old address is told so", async () => {
    const person = await createUser(deps.db);
    const { here, elsewhere, email, token } = await prepare(person);
    const link = { token, purpose: "change_email" as const };
    await expect(here.auth.mailedLink(link)).resolves.toEqual({ email, proof: "session" });
    await expect(here.users.confirmEmailChange({ token })).resolves.toEqual({ email });
    await expect(here.auth.viewer()).resolves.toMatchObject({ id: person.id, email });
    await expect(elsewhere.auth.viewer()).resolves.toBeNull();
    expect(await sessionsOf(person.id)).toHaveLength(1);
    const [notice] = await queuedMailsTo(deps.db, person.email);
    expect(notice?.text).toContain("All other devices were signed out");
  });

  test("by the password, in a browser without that session, ends every session", async () => {
    const person = await createUser(deps.db);
    const { here, elsewhere, email, token } = await prepare(person);
    const other = await createUser(deps.db);
    const phone = await callAs(deps, other);
    await expect(phone.users.confirmEmailChange({ token, password: testPassword })).resolves.toEqual({ email });
    await expect(here.auth.viewer()).resolves.toBeNull();
    await expect(elsewhere.auth.viewer()).resolves.toBeNull();
    await expect(phone.auth.viewer()).resolves.toMatchObject({ id: other.id });
  });

  test("of an account without a password takes its session", async () => {
    const person = await createUser(deps.db);
    await deps.db.update(users).set({ passwordHash: null }).where(eq(users.id, person.id));
    const here = await callAs(deps, person);
    const email = freshAddress();
    await here.users.requestEmailChange({ email });
    const token = await tokenTo(email, "email_change");
    const phone = await callAs(deps, "anonymous");
    const link = { token, purpose: "change_email" as const };
    await expect(phone.auth.mailedLink(link)).resolves.toEqual({ email, proof: "sign_in" });
    await expect(phone.users.confirmEmailChange({ token, password: testPassword })).rejects.toThrow(
      authTexts.linkSignInFirst,
    );
    await here.users.confirmEmailChange({ token });
    expect(await rowOf(person.id)).toMatchObject({ email });
  });

  test("does not outlive the session that asks, nor the password that was right", async () => {
    const person = await createUser(deps.db);
    const { here, token } = await prepare(person);
    await deps.db.delete(sessions).where(eq(sessions.userId, person.id));
    await expect(here.users.confirmEmailChange({ token })).rejects.toThrow(authTexts.linkPasswordMissing);
    expect(await rowOf(person.id)).toMatchObject({ email: person.email });
  });
});

describe("a stranger's sign-up with the victim's address", () => {
  async function prepare(on = strictDeps) {
    const strangersBrowser = await callAs(on, "anonymous");
    const { token: formToken } = await strangersBrowser.auth.formToken();
    const email = freshAddress();
    const trap = { fullName: "The Owner", email, password: strangersPassword, acceptTerms: true as const, formToken };
    await strangersBrowser.auth.signUp(trap);
    if (!on.env.requireEmailConfirmation) {
      // The stranger waits inside, and has the link sent from the profile.
      await strangersBrowser.auth.resendConfirmation({ email });
      await drainJobs(deps.db, "account-link");
    }
    const account = await findAccount(email);
    if (!account) throw new Error("the account is missing");
    return { strangersBrowser, email, account, token: await tokenTo(email, "signup") };
  }

  test.each([
    ["where addresses are confirmed first", strictDeps],
    ["where they aren't, and the stranger is signed in", deps],
  ])("is not confirmed by the victim's click, %s", async (_, on) => {
    const { account, email, token } = await prepare(on);
    const before = await stateOf(account.id);
    const victim = await callAs(on, "anonymous");
    await expect(victim.auth.confirmEmail({ token })).rejects.toThrow(authTexts.linkPasswordMissing);
    await expect(victim.auth.confirmEmail({ token, password: ownPassword })).rejects.toThrow(
      authTexts.linkPasswordWrong,
    );
    await expect(victim.auth.mailedLink({ token, purpose: "confirm_email" })).resolves.toEqual({
      email,
      proof: "password",
    });
    expect(await stateOf(account.id)).toEqual(before);
    expect(account.emailVerifiedAt).toBeNull();
  });

  test("ends with the reset that the page offers: the stranger's password and sessions are gone", async () => {
    const { strangersBrowser, email, account, token } = await prepare(deps);
    await resetByMail(email);
    expect(await sessionsOf(account.id)).toEqual([]);
    await expect(strangersBrowser.auth.viewer()).resolves.toBeNull();
    const thief = await callAs(strictDeps, "anonymous");
    await expect(thief.auth.signIn({ email, password: strangersPassword })).rejects.toThrow(authTexts.wrongCredentials);
    await expect(thief.auth.confirmEmail({ token, password: strangersPassword })).rejects.toThrow(
      authTexts.confirmationInvalid,
    );
    const owner = await callAs(strictDeps, "anonymous");
    await owner.auth.signIn({ email, password: ownPassword });
    await expect(owner.auth.viewer()).resolves.toMatchObject({ id: account.id });
  });
});

describe("an own sign-up", () => {
  async function prepare(on = strictDeps) {
    const jar = cookieJar();
    const browser = await callAs(on, "anonymous", { jar });
    const { token: formToken } = await browser.auth.formToken();
    const email = freshAddress();
    await browser.auth.signUp({
      fullName: "Ada Obi",
      email,
      password: testPassword,
      acceptTerms: true as const,
      formToken,
    });
    return { browser, email };
  }

  test("is confirmed by its session without more, where it has one", async () => {
    const { browser, email } = await prepare(deps);
    await browser.auth.resendConfirmation({ email });
    await drainJobs(deps.db, "account-link");
    const token = await tokenTo(email, "signup");
    await expect(browser.auth.mailedLink({ token, purpose: "confirm_email" })).resolves.toEqual({
      email,
      proof: "session",
    });
    await browser.auth.confirmEmail({ token });
    expect(await findAccount(email)).toMatchObject({ emailVerifiedAt: deps.clock.now() });
  });

  test("is not confirmed for a blocked person", async () => {
    const { email } = await prepare();
    const token = await tokenTo(email, "signup");
    await deps.db.update(users).set({ isBlocked: true }).where(eq(users.email, email));
    const phone = await callAs(strictDeps, "anonymous");
    await expect(phone.auth.confirmEmail({ token, password: testPassword })).rejects.toThrow(authTexts.blocked);
    expect(await findAccount(email)).toMatchObject({ emailVerifiedAt: null });
  });

  test("with a mistyped address is corrected: the link goes to the right one, the other stops working", async () => {
    const { browser, email } = await prepare();
    const old = await tokenTo(email, "signup");
    const newEmail = freshAddress();
    await browser.auth.correctSignUp({ email, newEmail, password: testPassword });
    expect(await findAccount(email)).toBeUndefined();
    await expect(browser.auth.confirmEmail({ token: old, password: testPassword })).rejects.toThrow(
      authTexts.confirmationInvalid,
    );
    await browser.auth.confirmEmail({ token: await tokenTo(newEmail, "signup"), password: testPassword });
    await expect(browser.auth.viewer()).resolves.toMatchObject({ email: newEmail });
    expect(await queuedMailsTo(deps.db, email)).toHaveLength(1);
  });

  test("is corrected by nobody else, nor once it is confirmed, nor to an address that is taken", async () => {
    const { browser, email } = await prepare();
    const [newEmail, confirmed] = [freshAddress(), await createUser(deps.db)];
    const correct = (input: { email: string; newEmail: string; password: string }) => browser.auth.correctSignUp(input);
    const wrong = authTexts.linkPasswordWrong;
    await expect(correct({ email, newEmail, password: ownPassword })).rejects.toThrow(wrong);
    await expect(correct({ email: freshAddress(), newEmail, password: testPassword })).rejects.toThrow(wrong);
    await expect(correct({ email, newEmail: email, password: testPassword })).rejects.toThrow(authTexts.correctionSame);
    await expect(correct({ email: confirmed.email, newEmail, password: testPassword })).rejects.toThrow(
      authTexts.correctionLate,
    );
    await expect(correct({ email, newEmail: confirmed.email, password: testPassword })).rejects.toThrow(
      authTexts.emailTaken,
    );
    expect(await findAccount(email)).toBeDefined();
    expect(await findAccount(newEmail)).toBeUndefined();
    expect(await rowOf(confirmed.id)).toMatchObject({ email: confirmed.email });
    expect(await queuedMailsTo(deps.db, newEmail)).toEqual([]);
  });

  test("sends an address three links an hour, however it is asked for", async () => {
    const newEmail = freshAddress();
    const { browser, email } = await prepare();
    for (let time = 0; time < 3; time += 1) await browser.auth.resendConfirmation({ email: newEmail });
    await expect(browser.auth.correctSignUp({ email, newEmail, password: testPassword })).rejects.toThrow(
      "Too many attempts. Please try again later.",
    );
    expect(await findAccount(email)).toBeDefined();
  });
});
