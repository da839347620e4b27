import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { beginGoogle } from "#server/accounts/google/google.ts";
import { finishGoogle } from "#server/accounts/google/sign-in.ts";
import { findActor } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { knownDevices, rateLimits, sessions } from "#server/db/schema/sessions.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { identities, users } from "#server/db/schema/users.ts";
import { AppError } from "#server/platform/errors.ts";
import type { BeginGoogleQuery, FinishGoogleInput } from "#shared/accounts/google.ts";
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
  testPassword,
  type Who,
} from "#tests/support/people.ts";

const failed = "Failed to sign in with Google";
const noAdmin = "User does not have admin privileges";
const blocked = "Your account has been blocked. Please contact support.";
const elsewhere = "This Google account is already linked to another account here.";
const otherLinked = "Your account is already linked to another Google account. Please unlink that one first.";

const clock = testClock();
const { deps, openId } = await openGoogleDeps(clock);
let jar: CookieJar;
let count = 0;

beforeEach(async () => {
  jar = cookieJar();
  count += 1;
  openId.person = { sub: `google-${count}`, email: `ada-${count}@example.com`, email_verified: true, name: "Ada Obi" };
  await deps.db.delete(rateLimits);
});
afterEach(() => {
  openId.tampering = {};
});

type Visit = { kind?: "backer" | "admin"; purpose?: "sign-in" | "sign-up"; next?: string; who?: Who };

/** Begins a visit to the provider in this browser, and returns the address to which it would be redirected. */
async function leave(request: Partial<BeginGoogleQuery>, from = deps): Promise<string> {
  const asked: BeginGoogleQuery = { kind: "backer", purpose: "sign-in", next: undefined, ...request };
  return beginGoogle(
    { ...from, actor: null, ipAddress: "203.0.113.7", userAgent: "Test browser", cookies: jar },
    asked,
  );
}

/** Goes to the provider and back in one browser. Returns what the callback page posts. */
async function goAndReturn({ who: _, ...request }: Visit = {}): Promise<FinishGoogleInput> {
  const { redirectUri: __, ...answer } = await openId.visit(await leave(request));
  return { kind: request.kind ?? "backer", ...answer };
}

async function signIn(visit: Visit = {}) {
  const caller = await callAs(deps, visit.who ?? "anonymous", { jar });
  const answer = await goAndReturn(visit);
  const result = await caller.auth.finishGoogle(answer);
  if (result.outcome !== "asks_password") return { caller, result };
  // An account with the same address is linked once its password was given: google-link.test.ts.
  const entered = await caller.auth.linkGoogleByPassword({ password: testPassword });
  return { caller, result: { ...result, ...entered, outcome: "entered" as const } };
}

/** Returns what the page learns of a refusal. Throws if there is none. */
async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error) || !(error.cause instanceof AppError)) throw new Error(`not refused: ${error}`);
  return { message: error.message, backTo: error.cause.details?.backTo };
}

const findPerson = async () => (await deps.db.select().from(users).where(eq(users.email, openId.person.email)))[0];
const linksOf = (userId: string) => deps.db.select().from(identities).where(eq(identities.userId, userId));
const sessionsOf = (userId: string) => deps.db.select().from(sessions).where(eq(sessions.userId, userId));
const countAll = async () =>
  (await deps.db.select().from(users)).length + (await deps.db.select().from(identities)).length;

describe("whoever comes for the first time", () => {
  test("gets an account with a verified address and no password, and is signed in", async () => {
    const { caller, result } = await signIn();
    expect(result).toEqual({ outcome: "entered", isAdmin: false, needsCode: false, to: "/profile" });
    const user = await findPerson();
    expect(user).toMatchObject({ fullName: "Ada Obi", passwordHash: null, isAdmin: false });
    expect(user?.emailVerifiedAt).toEqual(clock.now());
    await expect(caller.auth.viewer()).resolves.toMatchObject({ id: user?.id, kind: "backer" });
    const devices = await deps.db
      .select()
      .from(knownDevices)
      .where(eq(knownDevices.userId, String(user?.id)));
    expect(devices).toHaveLength(1);
    await expect(caller.auth.identities()).resolves.toEqual({
      google: { email: openId.person.email, linkedAt: clock.now() },
      isEmailVerified: true,
      hasPassword: false,
    });
  });

  test("is led to / after signing up, and to the page they came from", async () => {
    expect((await signIn({ purpose: "sign-up" })).result.to).toBe("/");
    expect((await signIn({ next: "/project/7" })).result.to).toBe("/project/7");
    expect((await signIn({ next: "//evil.example" })).result.to).toBe("/profile");
  });

  test("comes to the same account again by the subject, whatever the address is then", async () => {
    await signIn();
    const user = await findPerson();
    openId.person = { ...openId.person, email: `moved-${count}@example.com`, email_verified: false };
    jar = cookieJar();
    const { caller } = await signIn();
    await expect(caller.auth.viewer()).resolves.toMatchObject({ id: user?.id });
    expect(await findPerson()).toBeUndefined();
  });

  test("in two tabs at once makes one account", async () => {
    const caller = await callAs(deps, "anonymous", { jar });
    const otherJar = cookieJar();
    const answers = [await goAndReturn()];
    const firstJar = jar;
    jar = otherJar;
    answers.push(await goAndReturn());
    const other = await callAs(deps, "anonymous", { jar: otherJar });
    jar = firstJar;
    const [first, second] = answers;
    if (!first || !second) throw new Error("no answers");
    await Promise.all([caller.auth.finishGoogle(first), other.auth.finishGoogle(second)]);
    const viewer = await caller.auth.viewer();
    expect(viewer).not.toBeNull();
    await expect(other.auth.viewer()).resolves.toMatchObject({ id: viewer?.id });
  });
});

describe("an account with the address", () => {
  test.each([
    ["verified here and there", true, true, null],
    ["not verified by the provider", true, false, /^Google has not confirmed that this email address is yours/],
    ["not verified here", false, true, /^There is already an account with this email address, but/],
    ["verified nowhere", false, false, /^Google has not confirmed that this email address is yours/],
  ])("%s", async (_, isVerifiedHere, isVerifiedThere, refused) => {
    const emailVerifiedAt = isVerifiedHere ? new Date("2026-01-01T00:00:00Z") : null;
    const user = await createUser(deps.db, { email: openId.person.email, emailVerifiedAt });
    openId.person.email_verified = isVerifiedThere;
    const visit = signIn();
    if (refused === null) {
      const { caller } = await visit;
      await expect(caller.auth.viewer()).resolves.toMatchObject({ id: user.id });
      expect(await linksOf(user.id)).toMatchObject([{ subject: openId.person.sub, email: user.email }]);
      const mails = await queuedMailsTo(deps.db, user.email);
      expect(mails.map((mail) => mail.subject)).toContain("Google was linked to your Gona account");
    } else {
      const { message, backTo } = await refusalOf(visit);
      expect(message).toMatch(refused);
      expect(backTo).toBe("/login");
      expect(await linksOf(user.id)).toEqual([]);
      expect(await sessionsOf(user.id)).toEqual([]);
      expect(await findPerson()).toEqual(expect.objectContaining({ id: user.id, emailVerifiedAt }));
    }
  });

  test("that nobody has isn't made where the provider hasn't verified it", async () => {
    for (const value of [false, "true", 1, undefined]) {
      openId.person.email_verified = value;
      const before = await countAll();
      expect((await refusalOf(signIn())).message).toMatch(/^Google has not confirmed/);
      expect(await countAll()).toBe(before);
    }
  });

  test("and another Google account keeps that one", async () => {
    await signIn();
    openId.person.sub = `another-${count}`;
    expect((await refusalOf(signIn())).message).toBe(otherLinked);
  });

  test("that is blocked stays outside, by the address and by the subject, and nothing is linked", async () => {
    const user = await createUser(deps.db, { email: openId.person.email });
    await blockUser(deps.db, user.id);
    expect((await refusalOf(signIn())).message).toBe(blocked);
    expect(await linksOf(user.id)).toEqual([]);
    await deps.db
      .insert(identities)
      .values({ provider: "google", subject: openId.person.sub, userId: user.id, email: user.email });
    for (const kind of ["backer", "admin"] as const) expect((await refusalOf(signIn({ kind }))).message).toBe(blocked);
    expect(await sessionsOf(user.id)).toEqual([]);
  });
});

describe("the administrators' page", () => {
  test("lets an administrator in, and the audit says how", async () => {
    const admin = await createAdmin(deps.db, "manager", { email: openId.person.email });
    const { caller, result } = await signIn({ kind: "admin", next: "/discover" });
    expect(result).toEqual({ outcome: "entered", isAdmin: true, needsCode: false, to: "/admin/dashboard" });
    await expect(caller.auth.viewer()).resolves.toMatchObject({ id: admin.id, kind: "admin" });
    const entries = await deps.db.select().from(auditLogs).where(eq(auditLogs.userId, admin.id));
    expect(entries).toMatchObject([
      { actionType: "link_google", details: { googleEmail: admin.email }, ipAddress: "203.0.113.7" },
      { actionType: "admin_login", details: { method: "google" } },
    ]);
  });

  test("refuses a backer, and leaves no session, link nor right", async () => {
    const user = await createUser(deps.db, { email: openId.person.email });
    expect(await refusalOf(signIn({ kind: "admin", who: user }))).toEqual({ message: noAdmin, backTo: "/admin/login" });
    expect(await sessionsOf(user.id)).toEqual([]);
    expect(await linksOf(user.id)).toEqual([]);
    const caller = await callAs(deps, "anonymous", { jar });
    await expect(caller.auth.viewer()).resolves.toBeNull();
    expect(await findPerson()).toMatchObject({ isAdmin: false });
  });

  test("makes no account for a stranger", async () => {
    const before = await countAll();
    expect((await refusalOf(signIn({ kind: "admin" }))).message).toBe(noAdmin);
    expect(await countAll()).toBe(before);
  });
});

describe("an invitation to the administrators", () => {
  /** Invites the provider's address (or another), as the command line does. */
  async function invitePerson(values: { email?: string; expiresAt?: Date } = {}) {
    const expiresAt = new Date(clock.now().getTime() + 72 * 3_600_000);
    const tokenHash = `invite-${count}`;
    const invite = { email: openId.person.email, fullName: "Ada Obi", role: "manager" as const, tokenHash, expiresAt };
    await deps.db.insert(adminInvites).values({ ...invite, ...values });
  }
  async function openInvites() {
    const found = await deps.db
      .select()
      .from(adminInvites)
      .where(eq(adminInvites.tokenHash, `invite-${count}`));
    return found.filter((invite) => invite.consumedAt === null);
  }
  /** Makes an account that is linked to the provider's identity but has another address, and returns that address. */
  async function createLinkedUser() {
    const { email, id: userId } = await createUser(deps.db);
    await deps.db.insert(identities).values({ provider: "google", subject: openId.person.sub, userId, email });
    return email;
  }

  test.each([
    ["without an account", async () => undefined],
    ["with a verified account", () => createUser(deps.db, { email: openId.person.email })],
  ])("lets in whoever comes %s, once", async (_, prepare) => {
    await prepare();
    await invitePerson();
    const { caller, result } = await signIn({ kind: "admin" });
    expect(result).toMatchObject({ outcome: "entered", isAdmin: true, to: "/admin/dashboard" });
    const viewer = await caller.auth.viewer();
    expect(viewer).toMatchObject({ email: openId.person.email, isAdmin: true, kind: "admin" });
    expect(viewer?.permissions).toContain("payments:view");
    expect(viewer?.permissions).not.toContain("payments:process");
    expect(await openInvites()).toEqual([]);
    const entries = await deps.db.select().from(auditLogs).where(eq(auditLogs.userEmail, openId.person.email));
    expect(entries.map((entry) => entry.actionType).sort()).toEqual(["accept_admin_invite", "admin_login"]);
  });

  test("grants nothing at the public page", async () => {
    await invitePerson();
    expect((await signIn()).result).toMatchObject({ isAdmin: false });
    expect(await openInvites()).toHaveLength(1);
  });

  test.each([
    ["for another address", () => invitePerson({ email: `other-${count}@example.com` })],
    ["that is over", () => invitePerson({ expiresAt: clock.now() })],
    [
      "for the account's address, which isn't the one that comes",
      async () => invitePerson({ email: await createLinkedUser() }),
    ],
    [
      "for the address that comes, which isn't the account's",
      async () => {
        await createLinkedUser();
        await invitePerson();
      },
    ],
    [
      "for an account whose address nobody confirmed",
      async () => {
        await createUser(deps.db, { email: openId.person.email, emailVerifiedAt: null });
        await invitePerson();
      },
    ],
    [
      "for an address that the provider has not verified",
      async () => {
        openId.person.email_verified = false;
        await invitePerson();
      },
    ],
  ])("%s grants nothing", async (_, prepare) => {
    await prepare();
    const before = await countAll();
    const admins = await deps.db.$count(users, eq(users.isAdmin, true));
    await refusalOf(signIn({ kind: "admin" }));
    expect(await openInvites()).toHaveLength(1);
    expect(await countAll()).toBe(before);
    expect(await deps.db.$count(users, eq(users.isAdmin, true))).toBe(admins);
  });
});

describe("a flow", () => {
  test("works once, also with a copy of its cookie", async () => {
    const caller = await callAs(deps, "anonymous", { jar });
    const answer = await goAndReturn();
    const copy = new Map(jar.values);
    await caller.auth.finishGoogle(answer);
    expect(jar.get("openid-flow")).toBeUndefined();
    expect((await refusalOf(caller.auth.finishGoogle(answer))).message).toBe(failed);
    jar.values.set("openid-flow", String(copy.get("openid-flow")));
    expect((await refusalOf(caller.auth.finishGoogle(answer))).message).toBe(failed);
  });

  test.each([
    ["of the public page ends at the administrators'", "backer", "admin", "/admin/login"],
    ["of the administrators' page ends at the public one", "admin", "backer", "/login"],
  ] as const)("%s: refused", async (_, begun, ended, backTo) => {
    await createAdmin(deps.db, "owner", { email: openId.person.email });
    const caller = await callAs(deps, "anonymous", { jar });
    const answer = await goAndReturn({ kind: begun });
    expect(await refusalOf(caller.auth.finishGoogle({ ...answer, kind: ended }))).toEqual({ message: failed, backTo });
    await expect(caller.auth.viewer()).resolves.toBeNull();
  });

  test.each([
    ["in another browser", () => void jar.clear("openid-flow")],
    ["after ten minutes", () => clock.advance({ seconds: 600 })],
    ["with another state", (answer: FinishGoogleInput) => void Object.assign(answer, { state: "another" })],
    ["without a state", (answer: FinishGoogleInput) => void Reflect.deleteProperty(answer, "state")],
    ["without a code", (answer: FinishGoogleInput) => void Reflect.deleteProperty(answer, "code")],
    ["with an error of the provider", (answer: FinishGoogleInput) => void Object.assign(answer, { error: "invalid" })],
  ])("that comes back %s fails", async (_, change) => {
    const caller = await callAs(deps, "anonymous", { jar });
    const answer = await goAndReturn();
    change(answer);
    expect((await refusalOf(caller.auth.finishGoogle(answer))).message).toBe(failed);
    expect(await findPerson()).toBeUndefined();
  });

  test("that fails on the way to a new account says so in its words", async () => {
    openId.tampering.claims = (claims) => void Object.assign(claims, { nonce: "another" });
    expect(await refusalOf(signIn({ purpose: "sign-up" }))).toEqual({
      message: "Failed to sign up with Google",
      backTo: "/signup",
    });
  });

  test("that the person cancels leads back without a word, wherever it began", async () => {
    openId.tampering.cancels = true;
    expect((await signIn()).result).toEqual({ outcome: "cancelled", to: "/login" });
    expect((await signIn({ purpose: "sign-up" })).result).toEqual({ outcome: "cancelled", to: "/signup" });
    expect((await signIn({ kind: "admin" })).result).toEqual({ outcome: "cancelled", to: "/admin/login" });
  });

  test("that can't begin leads back, and says why in the fragment", async () => {
    openId.tampering.discovery = (document) => Reflect.deleteProperty(document, "jwks_uri");
    clock.advance({ hours: 2 });
    expect(await leave({ next: "/project/7" })).toBe("/login?next=%2Fproject%2F7#google=failed");
    expect(await leave({ purpose: "sign-up", next: "//evil.example" })).toBe("/signup#google=failed");
    expect(await leave({ kind: "admin" })).toBe("/admin/login#google=failed");
    openId.tampering = {};
    expect(await leave({}, { ...deps, oidc: null })).toBe("/login#google=failed");
    const answers = [];
    for (let time = 0; time < 101; time += 1) answers.push(await leave({}));
    expect(answers.at(-2)).toBe("/login#google=limited");
    expect(jar.get("openid-flow")).toBeDefined();
  });
});

describe("the address that the buttons lead to", () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await buildApp(deps);
  });
  afterAll(() => app.close());
  const start = (query: string, host = "localhost:3000") =>
    app.inject({ url: `/auth/google/start${query}`, headers: { host } });

  test("sends the browser to the provider, with the flow in a cookie that no script reads", async () => {
    const answer = await start("?kind=admin&purpose=sign-in");
    expect(answer.statusCode).toBe(302);
    expect(answer.headers).toMatchObject({
      location: expect.stringContaining(`${openId.issuer}/authorize?`),
      "cache-control": "no-store",
    });
    expect(answer.headers.location).toContain("admin%2Fauth-callback");
    expect(answer.cookies).toMatchObject([{ name: "openid-flow", httpOnly: true, sameSite: "Lax", maxAge: 600 }]);
  });

  test("is moved to the public address first, where the provider leads back to", async () => {
    const answer = await start("?kind=admin&next=%2Fdiscover", "127.0.0.1:3000");
    const moved = "?kind=admin&purpose=sign-in&next=%2Fdiscover&isMoved=1";
    expect(answer.headers.location).toBe(`http://localhost:3000/auth/google/start${moved}`);
    expect(answer.cookies).toEqual([]);
    for (const host of ["localhost:3000", "127.0.0.1:8080"]) {
      expect((await start(moved, host)).headers.location).toContain(`${openId.issuer}/authorize?`);
    }
  });

  test.each([
    "",
    "?kind=owner&purpose=link&userId=1",
    "?kind=admin&kind=backer&next=1&next=2",
    `?next=${"x".repeat(900)}`,
  ])("takes %j for a plain sign-in", async (query) => {
    const answer = await start(query);
    expect(answer.headers.location).toContain("3000%2Fauth-callback");
  });
});

describe("linking from the profile", () => {
  async function link(caller: Caller): Promise<FinishGoogleInput> {
    const { url } = await caller.auth.linkGoogle();
    const { redirectUri, ...answer } = await openId.visit(url);
    expect(redirectUri).toMatch(/\/auth-callback$/);
    return { kind: "backer", ...answer };
  }

  test("adds a way in, tells the account's address, and changes nothing the second time", async () => {
    const user = await createUser(deps.db);
    const caller = await callAs(deps, user, { jar });
    for (let time = 0; time < 2; time += 1) {
      await expect(caller.auth.finishGoogle(await link(caller))).resolves.toEqual({
        outcome: "linked",
        to: "/profile/account",
      });
    }
    expect(await linksOf(user.id)).toHaveLength(1);
    expect(await queuedMailsTo(deps.db, user.email)).toHaveLength(1);
    jar = cookieJar();
    const { caller: again } = await signIn();
    await expect(again.auth.viewer()).resolves.toMatchObject({ id: user.id });
  });

  test("is audited for an administrator, and so is its undoing, each once", async () => {
    const admin = await createAdmin(deps.db, "viewer");
    const caller = await callAs(deps, admin, { jar });
    for (let time = 0; time < 2; time += 1) await caller.auth.finishGoogle(await link(caller));
    for (let time = 0; time < 2; time += 1) await caller.auth.unlinkGoogle();
    const entries = await deps.db.select().from(auditLogs).where(eq(auditLogs.userId, admin.id));
    expect(entries).toMatchObject([
      { actionType: "link_google", userEmail: admin.email, details: { googleEmail: openId.person.email } },
      { actionType: "unlink_google", userEmail: admin.email },
    ]);
  });

  test("is refused once the session has ended, also while the request is under way", async () => {
    const user = await createUser(deps.db);
    const caller = await callAs(deps, user, { jar });
    const answer = await link(caller);
    const actor = await findActor(deps, jar.get("session"));
    // As a reset or a block does.
    await deps.db.delete(sessions).where(eq(sessions.userId, user.id));
    const ctx = { ...deps, actor, ipAddress: "203.0.113.7", userAgent: "Test browser", cookies: jar };
    await expect(finishGoogle(ctx, answer)).rejects.toThrow("Authentication required");
    expect(await linksOf(user.id)).toEqual([]);
  });

  test("needs a sign-in of the last ten minutes: it is a lasting way in, not for whoever finds a browser", async () => {
    const user = await createUser(deps.db);
    const caller = await callAs(deps, user, { jar });
    clock.advance({ seconds: 600 });
    await expect(link(caller)).resolves.toBeDefined();
    clock.advance({ seconds: 1 });
    expect((await refusalOf(caller.auth.linkGoogle())).message).toBe(
      "Please sign out and in again first: for this, your sign-in must be less than 10 minutes old.",
    );
  });

  test("never signs anybody in", async () => {
    const user = await createUser(deps.db);
    const caller = await callAs(deps, user, { jar });
    const answer = await link(caller);
    await caller.auth.signOut();
    expect((await refusalOf(caller.auth.finishGoogle(answer))).message).toBe(failed);
    await expect(caller.auth.viewer()).resolves.toBeNull();
    expect(await linksOf(user.id)).toEqual([]);
  });

  test("is not finished by another account", async () => {
    const user = await createUser(deps.db);
    const answer = await link(await callAs(deps, user, { jar }));
    const other = await createUser(deps.db);
    const caller = await callAs(deps, other, { jar });
    await refusalOf(caller.auth.finishGoogle(answer));
    expect([...(await linksOf(user.id)), ...(await linksOf(other.id))]).toEqual([]);
  });

  test("needs both addresses verified, a free identity and an account without one", async () => {
    const unverified = await createUser(deps.db, { emailVerifiedAt: null });
    const unconfirmed = await callAs(deps, unverified, { jar });
    expect((await refusalOf(unconfirmed.auth.finishGoogle(await link(unconfirmed)))).message).toBe(
      "Please confirm your email address before you link Google.",
    );

    const user = await createUser(deps.db);
    const caller = await callAs(deps, user, { jar });
    openId.person.email_verified = false;
    const refused = await refusalOf(caller.auth.finishGoogle(await link(caller)));
    expect(refused.message).toMatch(/^Google has not confirmed/);
    expect(refused.backTo).toBe("/profile/account");
    openId.person.email_verified = true;

    const owner = await createUser(deps.db);
    await deps.db
      .insert(identities)
      .values({ provider: "google", subject: openId.person.sub, userId: owner.id, email: owner.email });
    expect((await refusalOf(caller.auth.finishGoogle(await link(caller)))).message).toBe(elsewhere);
    expect(await linksOf(user.id)).toEqual([]);

    const theOwner = await callAs(deps, owner, { jar: cookieJar() });
    await theOwner.auth.unlinkGoogle();
    await caller.auth.finishGoogle(await link(caller));
    openId.person.sub = `another-${count}`;
    expect((await refusalOf(caller.auth.finishGoogle(await link(caller)))).message).toBe(otherLinked);
  });

  test("can be undone, and told, unless it is the only way in", async () => {
    const user = await createUser(deps.db, { email: openId.person.email });
    const { caller } = await signIn();
    await caller.auth.unlinkGoogle();
    await caller.auth.unlinkGoogle();
    expect(await linksOf(user.id)).toEqual([]);
    const subjects = (await queuedMailsTo(deps.db, user.email)).map((mail) => mail.subject);
    expect(subjects.filter((subject) => subject.includes("unlinked"))).toEqual([
      "Google was unlinked from your Gona account",
    ]);

    openId.person = { ...openId.person, sub: `only-${count}`, email: `only-${count}@example.com` };
    jar = cookieJar();
    const { caller: withoutPassword } = await signIn();
    expect((await refusalOf(withoutPassword.auth.unlinkGoogle())).message).toBe(
      "Google is your only way to sign in. Please set a password before you unlink it.",
    );
    await expect(withoutPassword.auth.identities()).resolves.toMatchObject({ google: { email: openId.person.email } });
  });

  test("is refused where Google isn't configured", async () => {
    const caller = await callAs({ ...deps, oidc: null }, "backer", { jar });
    expect((await refusalOf(caller.auth.linkGoogle())).message).toBe(
      "Google sign-in is not available yet on this site.",
    );
  });
});
