import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { issueEmailToken } from "#server/accounts/email-tokens.ts";
import { consumeInviteFor } from "#server/accounts/invites.ts";
import { startSession } from "#server/accounts/sessions.ts";
import { inTransaction } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { emailTokens, knownDevices, rateLimits, sessions } from "#server/db/schema/sessions.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { identities, twoFactors, userRoles, users } from "#server/db/schema/users.ts";
import type { Role } from "#shared/permissions.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { invitesMailedTo } from "#tests/support/invites.ts";
import { contextOf } from "#tests/support/money.ts";
import {
  blockUser,
  callAs,
  cookieJar,
  createAdmin,
  createUser,
  type TestUser,
  testPassword,
} from "#tests/support/people.ts";

const deps = await openTestDeps();
let owner: TestUser;

beforeAll(async () => {
  owner = await createAdmin(deps.db, "owner");
});
beforeEach(async () => {
  await deps.db.delete(rateLimits);
});

const password = "Cassava-Harvest-2027";
let people = 0;
const newAddress = () => {
  people += 1;
  return `joiner-${people}@example.com`;
};

async function tokenFor(email: string, role: Role = "manager", by = owner): Promise<string> {
  const caller = await callAs(deps, by);
  await caller.team.invite({ email, fullName: "Ngozi Bello", role });
  return (await invitesMailedTo(deps, email)).at(-1) ?? "";
}
const accept = (token: string) => ({ token, fullName: "Ngozi Bello", password });
async function accountOf(email: string) {
  const [user] = await deps.db.select().from(users).where(eq(users.email, email));
  if (!user) return null;
  const roles = await deps.db.select().from(userRoles).where(eq(userRoles.userId, user.id));
  return { ...user, roles: roles.map(({ role }) => role) };
}
const isConsumed = async (email: string) =>
  (await deps.db.select().from(adminInvites).where(eq(adminInvites.email, email)))[0]?.consumedAt !== null;

describe("a new address", () => {
  test("gets a verified administrator's account with the role, is signed in, and it is audited", async () => {
    const email = newAddress();
    const token = await tokenFor(email, "manager");
    const jar = cookieJar();
    const visitor = await callAs(deps, "anonymous", { jar });
    expect(await visitor.team.inviteByToken({ token })).toEqual({
      state: "valid",
      step: "set-up",
      email,
      fullName: "Ngozi Bello",
      role: "manager",
    });
    expect(await visitor.team.acceptInvite({ ...accept(token), fullName: " Ngozi B. " })).toEqual({ needsCode: false });
    const account = await accountOf(email);
    expect(account).toMatchObject({ fullName: "Ngozi B.", isAdmin: true, roles: ["manager"] });
    expect(account?.emailVerifiedAt).toEqual(deps.clock.now());
    const viewer = await visitor.auth.viewer();
    expect(viewer).toMatchObject({ email, isAdmin: true, kind: "admin" });
    expect(viewer?.permissions).toContain("payments:view");
    expect(viewer?.permissions).not.toContain("payments:process");
    const entries = await deps.db
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.userId, account?.id ?? ""));
    expect(entries).toMatchObject([
      { actionType: "accept_admin_invite", userEmail: email, details: { email, role: "manager", invitedBy: owner.id } },
      { actionType: "admin_login", details: { method: "invitation" } },
    ]);
    const later = await callAs(deps, "anonymous");
    expect(await later.auth.adminSignIn({ email, password })).toMatchObject({ isAdmin: true });
  });

  test.each([
    ["no name", { fullName: " " }, "Please fill in all required fields"],
    ["a short password", { password: "Abc-12" }, "Password must be at least 8 characters long"],
    [
      "a weak password",
      { password: "snailsandgoats" },
      "Please choose a stronger password that meets all requirements.",
    ],
  ])("with %s is told so, and the invitation stays good", async (_what, wrong, text) => {
    const email = newAddress();
    const token = await tokenFor(email);
    const visitor = await callAs(deps, "anonymous");
    await expect(visitor.team.acceptInvite({ ...accept(token), ...wrong })).rejects.toThrow(text);
    expect(await accountOf(email)).toBeNull();
    expect(await isConsumed(email)).toBe(false);
  });
});

describe("a link", () => {
  test("works until 72 hours have passed, to the second", async () => {
    const [inTime, late] = [newAddress(), newAddress()];
    const tokens = [await tokenFor(inTime), await tokenFor(late)];
    deps.clock.advance({ hours: 72, seconds: -1 });
    const visitor = await callAs(deps, "anonymous");
    expect(await visitor.team.inviteByToken({ token: tokens[0] ?? "" })).toMatchObject({ state: "valid" });
    await visitor.team.acceptInvite(accept(tokens[0] ?? ""));
    deps.clock.advance({ seconds: 1 });
    const other = await callAs(deps, "anonymous");
    expect(await other.team.inviteByToken({ token: tokens[1] ?? "" })).toEqual({ state: "expired" });
    await expect(other.team.acceptInvite(accept(tokens[1] ?? ""))).rejects.toThrow("This invitation has expired.");
    expect(await accountOf(late)).toBeNull();
    const again = await callAs(deps, owner);
    expect((await again.team.listInvites()).find(({ email }) => email === late)).toMatchObject({ isExpired: true });
  });

  test("that was replaced accepts nothing, nor does one that was made up", async () => {
    const email = newAddress();
    const old = await tokenFor(email, "owner");
    const token = await tokenFor(email, "viewer");
    const visitor = await callAs(deps, "anonymous");
    await expect(visitor.team.acceptInvite(accept(old))).rejects.toThrow("This link was replaced by a newer one.");
    const [id, secret = ""] = token.split("-");
    for (const made of ["", secret, `0-${secret}`, `${"9".repeat(15)}-${secret}`, `${id}-${secret}0`, `0${token}`]) {
      expect(await visitor.team.inviteByToken({ token: made })).toEqual({ state: "unknown" });
      await expect(visitor.team.acceptInvite(accept(made))).rejects.toThrow("This invitation link does not work.");
    }
    expect(await accountOf(email)).toBeNull();
    await visitor.team.acceptInvite(accept(token));
    expect(await accountOf(email)).toMatchObject({ roles: ["viewer"] });
  });

  test.each([
    ["was blocked", (id: string) => blockUser(deps.db, id)],
    [
      "is no administrator any more",
      (id: string) => deps.db.update(users).set({ isAdmin: false }).where(eq(users.id, id)),
    ],
    [
      "is no owner any more",
      (id: string) => deps.db.update(userRoles).set({ role: "manager" }).where(eq(userRoles.userId, id)),
    ],
  ])("of an inviter who %s since then is worth nothing", async (_what, demote) => {
    const inviter = await createAdmin(deps.db, "owner");
    const email = newAddress();
    const token = await tokenFor(email, "manager", inviter);
    await demote(inviter.id);
    const visitor = await callAs(deps, "anonymous");
    expect(await visitor.team.inviteByToken({ token })).toEqual({ state: "withdrawn" });
    await expect(visitor.team.acceptInvite(accept(token))).rejects.toThrow("This invitation was withdrawn.");
    expect(await accountOf(email)).toBeNull();
  });

  test("can be tried 60 times in ten minutes from one network", async () => {
    const visitor = await callAs(deps, "anonymous");
    for (let time = 0; time < 60; time += 1) await visitor.team.inviteByToken({ token: "x" });
    await expect(visitor.team.acceptInvite(accept("x"))).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  });
});

describe("an address with a verified account", () => {
  test("needs a sign-in to it, which then is all it needs: sessions end, an administrator's begins", async () => {
    const user = await createUser(deps.db, { fullName: "Old Name" });
    const token = await tokenFor(user.email, "viewer");
    const visitor = await callAs(deps, "anonymous");
    expect(await visitor.team.inviteByToken({ token })).toMatchObject({ state: "valid", step: "sign-in" });
    await expect(visitor.team.acceptInvite(accept(token))).rejects.toMatchObject({
      code: "CONFLICT",
      message: "This address has an account. Sign in to it, then accept the invitation.",
    });
    await expect(visitor.team.acceptInviteSignedIn({ token })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await accountOf(user.email)).toMatchObject({ isAdmin: false, passwordHash: user.passwordHash });

    const elsewhere = await callAs(deps, user);
    const self = await callAs(deps, user);
    expect(await self.team.inviteByToken({ token })).toMatchObject({ step: "accept" });
    expect(await self.team.acceptInviteSignedIn({ token })).toEqual({ needsCode: false });
    expect(await self.auth.viewer()).toMatchObject({ isAdmin: true, kind: "admin", fullName: "Old Name" });
    expect(await elsewhere.auth.viewer()).toBeNull();
    expect(await accountOf(user.email)).toMatchObject({ roles: ["viewer"], passwordHash: user.passwordHash });
    expect(await self.team.inviteByToken({ token })).toEqual({ state: "used" });
  });

  test("is not another signed-in person's to accept", async () => {
    const user = await createUser(deps.db);
    const [token, forNew] = [await tokenFor(user.email), await tokenFor(newAddress())];
    const stranger = await callAs(deps, "backer");
    for (const one of [token, forNew]) {
      expect(await stranger.team.inviteByToken({ token: one })).toMatchObject({ state: "valid", step: "sign-out" });
      for (const attempt of [
        () => stranger.team.acceptInvite(accept(one)),
        () => stranger.team.acceptInviteSignedIn({ token: one }),
      ])
        await expect(attempt()).rejects.toMatchObject({
          code: "FORBIDDEN",
          message: "This invitation is for another address than the one you are signed in with.",
        });
    }
    expect(await isConsumed(user.email)).toBe(false);
    expect(await stranger.auth.viewer()).toMatchObject({ isAdmin: false });
  });

  test("gets the invitation's role, not those that they had", async () => {
    const former = await createAdmin(deps.db, "owner", { isAdmin: true });
    await deps.db.update(users).set({ isAdmin: false }).where(eq(users.id, former.id));
    const token = await tokenFor(former.email, "viewer");
    await (await callAs(deps, { ...former, isAdmin: false })).team.acceptInviteSignedIn({ token });
    expect(await accountOf(former.email)).toMatchObject({ isAdmin: true, roles: ["viewer"] });
  });

  test("and a second factor that they had is asked for the code", async () => {
    const former = await createUser(deps.db);
    await deps.db.insert(twoFactors).values({ userId: former.id, encryptedSecret: "x", confirmedAt: deps.clock.now() });
    const token = await tokenFor(former.email);
    const self = await callAs(deps, former);
    expect(await self.team.acceptInviteSignedIn({ token })).toEqual({ needsCode: true });
    expect(await self.auth.viewer()).toBeNull();
    expect(await deps.db.$count(sessions, eq(sessions.userId, former.id))).toBe(0);
  });

  test("that was blocked since then gets nothing", async () => {
    const user = await createUser(deps.db, { emailVerifiedAt: null });
    const token = await tokenFor(user.email);
    await blockUser(deps.db, user.id);
    const visitor = await callAs(deps, "anonymous");
    await expect(visitor.team.acceptInvite(accept(token))).rejects.toThrow(
      "Your account has been blocked. Please contact support.",
    );
    expect(await isConsumed(user.email)).toBe(false);
  });
});

test("an unconfirmed account is taken over: nothing is left of whoever made it", async () => {
  const squatter = await createUser(deps.db, { emailVerifiedAt: null, fullName: "Squatter" });
  const { id: userId, email } = squatter;
  const at = deps.clock.now();
  await deps.db.insert(identities).values({ provider: "google", subject: "squatter", userId, email });
  await deps.db.insert(knownDevices).values({ userId, deviceHash: "squatter", lastSeenAt: at, createdAt: at });
  await inTransaction(deps.db, (tx) =>
    issueEmailToken(tx, deps, { userId, email: "thief@example.com", purpose: "change_email", lifetimeMinutes: 60 }),
  );
  const squattersBrowser = await callAs(deps, squatter);
  const token = await tokenFor(email);
  expect(await squattersBrowser.team.inviteByToken({ token })).toMatchObject({ step: "set-up" });
  await expect(squattersBrowser.team.acceptInviteSignedIn({ token })).rejects.toThrow("This address was not confirmed");

  const visitor = await callAs(deps, "anonymous");
  expect(await visitor.team.inviteByToken({ token })).toMatchObject({ step: "set-up" });
  await visitor.team.acceptInvite(accept(token));
  expect(await squattersBrowser.auth.viewer()).toBeNull();
  expect(await visitor.auth.viewer()).toMatchObject({ id: userId, isAdmin: true, fullName: "Ngozi Bello" });
  expect((await accountOf(email))?.emailVerifiedAt).toEqual(deps.clock.now());
  const stranger = await callAs(deps, "anonymous");
  await expect(stranger.auth.signIn({ email, password: testPassword })).rejects.toThrow("Invalid email or password");
  expect(await deps.db.$count(identities, eq(identities.userId, userId))).toBe(0);
  expect(await deps.db.$count(emailTokens, eq(emailTokens.userId, userId))).toBe(0);
  expect(
    await deps.db.$count(knownDevices, and(eq(knownDevices.userId, userId), eq(knownDevices.deviceHash, "squatter"))),
  ).toBe(0);
  expect((await queuedMailsTo(deps.db, email)).map(({ subject }) => subject)).toContain(
    "Your Gona password was changed",
  );
});

describe("a verified address that comes by another way in", () => {
  async function consume(user: TestUser): Promise<boolean> {
    const ctx = await contextOf(deps, user);
    return inTransaction(deps.db, (tx) => consumeInviteFor(tx, ctx, user));
  }

  test("uses up its open invitation", async () => {
    const user = await createUser(deps.db);
    const token = await tokenFor(user.email, "viewer");
    expect(await consume(user)).toBe(true);
    expect(await accountOf(user.email)).toMatchObject({ isAdmin: true, roles: ["viewer"] });
    const visitor = await callAs(deps, "anonymous");
    expect(await visitor.team.inviteByToken({ token })).toEqual({ state: "used" });
    expect(await consume(user)).toBe(false);
  });

  test("gets nothing without one, with an expired one, unverified, or by an inviter who may not invite", async () => {
    expect(await consume(await createUser(deps.db))).toBe(false);

    const unverified = await createUser(deps.db, { emailVerifiedAt: null });
    await tokenFor(unverified.email);
    expect(await consume(unverified)).toBe(false);

    const inviter = await createAdmin(deps.db, "owner");
    const friend = await createUser(deps.db);
    await tokenFor(friend.email, "owner", inviter);
    await blockUser(deps.db, inviter.id);
    expect(await consume(friend)).toBe(false);

    const late = await createUser(deps.db);
    await tokenFor(late.email);
    deps.clock.advance({ hours: 72 });
    expect(await consume(late)).toBe(false);
    for (const { email } of [unverified, friend, late])
      expect(await accountOf(email)).toMatchObject({ isAdmin: false, roles: [] });
  });
});

test("nothing in the address of a page grants anything: a sign-in with type=admin is an ordinary one", async () => {
  const user = await createUser(deps.db);
  await startSession(deps, { userId: user.id, kind: "admin", device: "", ipAddress: "" });
  const visitor = await callAs(deps, "anonymous");
  const input = { email: user.email, password: testPassword, type: "admin", role: "owner" };
  expect(await visitor.auth.signIn(input)).toMatchObject({ isAdmin: false });
  expect(await visitor.auth.viewer()).toMatchObject({ isAdmin: false, permissions: [] });
  expect(await accountOf(user.email)).toMatchObject({ isAdmin: false, roles: [] });
});
