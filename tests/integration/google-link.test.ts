import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { beginGoogle } from "#server/accounts/google/google.ts";
import { mailAccountLink } from "#server/accounts/send-links.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { projectBackings } from "#server/db/schema/projects.ts";
import { knownDevices, rateLimits, sessions, signInCounters } from "#server/db/schema/sessions.ts";
import { identities, users } from "#server/db/schema/users.ts";
import { googleTexts } from "#shared/accounts/google-texts.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import { queuedMailsTo, testClock } from "#tests/support/deps.ts";
import { openGoogleDeps } from "#tests/support/google-deps.ts";
import { drainJobs } from "#tests/support/jobs.ts";
import {
  type Caller,
  type CookieJar,
  callAs,
  cookieJar,
  createAdmin,
  createUser,
  type TestUser,
  testPassword,
} from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { enrol } from "#tests/support/two-factor.ts";

// Google leads to an account with the same address only for people who prove that it is theirs, so that nobody shares
// an account with a stranger whose password and sessions were there before.

const strangersPassword = "Strangers-Trap-66";
const ownPassword = "Okra-Market-77";
const asked = { outcome: "asks_password" };
const clock = testClock();
const { deps, openId } = await openGoogleDeps(clock);
let count = 0;

beforeAll(async () => {
  await deps.jobs.start({ "account-link": (link) => mailAccountLink(deps, link) });
});
beforeEach(async () => {
  count += 1;
  openId.person = { sub: `owner-${count}`, email: `owner-${count}@example.com`, email_verified: true, name: "Ada Obi" };
  await deps.db.delete(rateLimits);
  await deps.db.delete(signInCounters);
});

async function comeByGoogle(kind: "backer" | "admin" = "backer", jar: CookieJar = cookieJar()) {
  const caller = await callAs(deps, "anonymous", { jar });
  const ctx = { ...deps, actor: null, ipAddress: "203.0.113.7", userAgent: "Test browser", cookies: jar };
  const url = await beginGoogle(ctx, { kind, purpose: "sign-in", next: "/project/7" });
  const { redirectUri: _, ...answer } = await openId.visit(url);
  return { caller, jar, result: caller.auth.finishGoogle({ kind, ...answer }) };
}

const stateOf = async (userId: string) => ({
  account: (await deps.db.select().from(users).where(eq(users.id, userId)))[0],
  sessions: await deps.db.select().from(sessions).where(eq(sessions.userId, userId)),
  identities: await deps.db.select().from(identities).where(eq(identities.userId, userId)),
  devices: await deps.db.select().from(knownDevices).where(eq(knownDevices.userId, userId)),
});
const subjectsTo = async (email: string) => (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);
const signIn = async (email: string, password: string) =>
  (await callAs(deps, "anonymous")).auth.signIn({ email, password });

describe("a stranger's account with the owner's address, confirmed once by a click", () => {
  let account: TestUser;
  let stranger: Caller;

  beforeEach(async () => {
    account = await createUser(deps.db, { email: openId.person.email, password: strangersPassword });
    stranger = await callAs(deps, "anonymous");
    await stranger.auth.signIn({ email: account.email, password: strangersPassword });
  });

  test("isn't opened by Google alone: nothing is linked, and nothing of it changes", async () => {
    const before = await stateOf(account.id);
    const { caller, result } = await comeByGoogle();
    await expect(result).resolves.toMatchObject({ ...asked, to: "/project/7" });
    await expect(caller.auth.viewer()).resolves.toBeNull();
    await expect(caller.auth.signInState()).resolves.toMatchObject({ linksGoogle: { email: account.email } });
    await expect(caller.auth.linkGoogleByPassword({ password: ownPassword })).rejects.toThrow(
      authTexts.linkPasswordWrong,
    );
    expect(await stateOf(account.id)).toEqual(before);
  });

  test("loses the stranger's password, sessions and devices to the owner who doesn't know it, and nothing else", async () => {
    const project = await createProject(deps.db);
    await deps.db.insert(projectBackings).values({ projectId: project.id, userId: account.id, grantedAt: clock.now() });
    const { caller, result } = await comeByGoogle();
    await result;
    await expect(caller.auth.linkGoogleWithoutPassword()).resolves.toEqual({ isAdmin: false, needsCode: false });
    await expect(caller.auth.viewer()).resolves.toMatchObject({ id: account.id, fullName: account.fullName });
    await expect(stranger.auth.viewer()).resolves.toBeNull();
    await expect(signIn(account.email, strangersPassword)).rejects.toThrow(authTexts.wrongCredentials);
    const after = await stateOf(account.id);
    expect(after.account).toMatchObject({ email: account.email, passwordHash: null });
    expect([after.sessions.length, after.identities.length, after.devices.length]).toEqual([1, 1, 1]);
    expect(await deps.db.$count(projectBackings, eq(projectBackings.userId, account.id))).toBe(1);
    const [mail] = (await queuedMailsTo(deps.db, account.email)).filter(({ subject }) => /linked/.test(subject));
    expect(mail?.text).toContain("The password that the account had was removed");
    // The step is used up.
    await expect(caller.auth.linkGoogleWithoutPassword()).rejects.toThrow(googleTexts.linkStepOver);
  });
});

describe("an own account with the same address", () => {
  test("is linked once its password was given; password and sessions stay", async () => {
    const account = await createUser(deps.db, { email: openId.person.email });
    const elsewhere = await callAs(deps, account);
    const { caller, result } = await comeByGoogle();
    await expect(result).resolves.toMatchObject(asked);
    await caller.auth.linkGoogleByPassword({ password: testPassword });
    await expect(caller.auth.viewer()).resolves.toMatchObject({ id: account.id });
    await expect(elsewhere.auth.viewer()).resolves.toMatchObject({ id: account.id });
    await expect(signIn(account.email, testPassword)).resolves.toBeDefined();
    expect(await subjectsTo(account.email)).toContain("Google was linked to your Gona account");
    const again = await comeByGoogle();
    await expect(again.result).resolves.toMatchObject({ outcome: "entered" });
  });

  test("that has no password loses its sessions before Google becomes its way in", async () => {
    const account = await createUser(deps.db, { email: openId.person.email });
    await deps.db.update(users).set({ passwordHash: null }).where(eq(users.id, account.id));
    const stranger = await callAs(deps, account);
    const { caller, result } = await comeByGoogle();
    await expect(result).resolves.toMatchObject({ outcome: "entered" });
    await expect(caller.auth.viewer()).resolves.toMatchObject({ id: account.id });
    await expect(stranger.auth.viewer()).resolves.toBeNull();
  });

  test("locks after five guesses at its password", async () => {
    await createUser(deps.db, { email: openId.person.email });
    const { caller, result } = await comeByGoogle();
    await result;
    const guess = () => caller.auth.linkGoogleByPassword({ password: "Wrong-guess-1" });
    for (let tries = 0; tries < 4; tries++) await expect(guess()).rejects.toThrow(authTexts.linkPasswordWrong);
    await expect(guess()).rejects.toThrow(authTexts.nowLocked);
  });
});

describe("the step that asks for the password", () => {
  test.each([
    ["in another browser", async ({ jar }: { jar: CookieJar }) => jar.clear("device")],
    ["after ten minutes", async () => clock.advance({ seconds: 600 })],
    ["forged", async ({ jar }: { jar: CookieJar }) => jar.values.set("google-link", `${jar.get("google-link")}x`)],
    [
      "after the password was changed",
      async ({ userId }: { userId: string }) => {
        const other = await createUser(deps.db, { password: ownPassword });
        const { passwordHash } = other;
        await deps.db.update(users).set({ passwordHash }).where(eq(users.id, userId));
      },
    ],
    [
      "after the address was changed",
      async ({ userId }: { userId: string }) =>
        deps.db
          .update(users)
          .set({ email: `moved-${count}@example.com` })
          .where(eq(users.id, userId)),
    ],
    ["after signing out", async ({ caller }: { caller: Caller }) => caller.auth.signOut()],
  ])("is over %s", async (_, change) => {
    const account = await createUser(deps.db, { email: openId.person.email });
    const { caller, jar, result } = await comeByGoogle();
    await result;
    await change({ caller, jar, userId: account.id });
    const before = await stateOf(account.id);
    await expect(caller.auth.linkGoogleByPassword({ password: testPassword })).rejects.toThrow(
      googleTexts.linkStepOver,
    );
    await expect(caller.auth.linkGoogleWithoutPassword()).rejects.toThrow(googleTexts.linkStepOver);
    expect(await stateOf(account.id)).toEqual(before);
  });
});

describe("an administrator", () => {
  test("comes in with the password, or without it, which is audited", async () => {
    const admin = await createAdmin(deps.db, "manager", { email: openId.person.email });
    const { caller, result } = await comeByGoogle("admin");
    await expect(result).resolves.toMatchObject({ ...asked, to: "/admin/dashboard" });
    await caller.auth.linkGoogleWithoutPassword();
    await expect(caller.auth.viewer()).resolves.toMatchObject({ id: admin.id, kind: "admin" });
    const entries = await deps.db.select().from(auditLogs).where(eq(auditLogs.userId, admin.id));
    expect(entries.map(({ actionType, details }) => [actionType, details])).toEqual([
      ["link_google", { googleEmail: admin.email, passwordDropped: true }],
      ["admin_login", { method: "google" }],
    ]);
  });

  test("with a second factor needs the password to link, and then the code", async () => {
    const admin = await createAdmin(deps.db, "owner", { email: openId.person.email });
    await enrol(deps, admin);
    const { caller, result } = await comeByGoogle("admin");
    await result;
    const before = await stateOf(admin.id);
    await expect(caller.auth.linkGoogleWithoutPassword()).rejects.toThrow(googleTexts.dropRefused);
    expect(await stateOf(admin.id)).toEqual(before);
  });

  test("with a second factor is asked for the code after the password", async () => {
    const admin = await createAdmin(deps.db, "owner", { email: openId.person.email });
    await enrol(deps, admin);
    const { caller, result } = await comeByGoogle();
    await result;
    await expect(caller.auth.linkGoogleByPassword({ password: testPassword })).resolves.toEqual({
      isAdmin: true,
      needsCode: true,
    });
    await expect(caller.auth.viewer()).resolves.toBeNull();
  });

  test("is the only one who is asked at the administrators' page", async () => {
    const account = await createUser(deps.db, { email: openId.person.email });
    const { caller, result } = await comeByGoogle("admin");
    await expect(result).rejects.toThrow(authTexts.notAdmin);
    await expect(caller.auth.signInState()).resolves.toMatchObject({ linksGoogle: null });
    expect((await stateOf(account.id)).identities).toEqual([]);
  });
});

test("a stranger's unconfirmed account is refused with what to do, and the reset takes it from the stranger", async () => {
  const account = await createUser(deps.db, {
    email: openId.person.email,
    password: strangersPassword,
    emailVerifiedAt: null,
  });
  const stranger = await callAs(deps, account);
  const before = await stateOf(account.id);
  const refused = await comeByGoogle();
  await expect(refused.result).rejects.toThrow(googleTexts.accountUnverified);
  expect(await stateOf(account.id)).toEqual(before);

  const owner = await callAs(deps, "anonymous");
  await owner.auth.requestPasswordReset({ email: account.email });
  await drainJobs(deps.db, "account-link");
  const mail = (await queuedMailsTo(deps.db, account.email)).at(-1);
  const token = /access_token=([0-9a-f]{64})/.exec(mail?.text ?? "")?.[1] ?? "";
  await owner.auth.resetPassword({ token, password: ownPassword });
  await expect(stranger.auth.viewer()).resolves.toBeNull();
  await expect(signIn(account.email, strangersPassword)).rejects.toThrow(authTexts.wrongCredentials);

  const { caller, result } = await comeByGoogle();
  await expect(result).resolves.toMatchObject(asked);
  await caller.auth.linkGoogleByPassword({ password: ownPassword });
  await expect(caller.auth.viewer()).resolves.toMatchObject({ id: account.id });
});
