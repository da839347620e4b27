import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { beginGoogle } from "#server/accounts/google/google.ts";
import { resetTwoFactor } from "#server/accounts/two-factor-setup.ts";
import { createAdmin as createAdminByCommand } from "#server/accounts/users.ts";
import { rateLimits, sessions } from "#server/db/schema/sessions.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { identities, twoFactors, users } from "#server/db/schema/users.ts";
import { contactForm } from "#shared/contact/inputs.ts";
import { queuedMailsTo, testClock } from "#tests/support/deps.ts";
import { openGoogleDeps } from "#tests/support/google-deps.ts";
import { callAs, cookieJar, createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { enrol } from "#tests/support/two-factor.ts";

// Addresses that trimming and lower-casing would turn into somebody else's: they must be nobody's, wherever they come in.

const clock = testClock();
const { deps, openId } = await openGoogleDeps(clock);
let victim: TestUser;
let count = 0;

beforeEach(async () => {
  await deps.db.delete(rateLimits);
  count += 1;
  victim = await createUser(deps.db, { email: `kofi-${count}@example.com` });
});

/** All that the database holds of the victim. */
const stateOf = async ({ id, email }: TestUser) => ({
  account: await deps.db.select().from(users).where(eq(users.id, id)),
  sessions: await deps.db.select().from(sessions).where(eq(sessions.userId, id)),
  identities: await deps.db.select().from(identities).where(eq(identities.userId, id)),
  mails: await queuedMailsTo(deps.db, email),
});

const lookAlikes: [string, (email: string) => string][] = [
  ["a Kelvin sign for its K", (email) => email.replace("k", "\u212a")],
  ["a no-break space before it", (email) => `\u00a0${email}`],
  ["a no-break space after it", (email) => `${email}\u00a0`],
  ["a byte order mark before it", (email) => `\ufeff${email}`],
  ["an ideographic space after it", (email) => `${email}\u3000`],
];

test.each(lookAlikes)("a verified address at the provider with %s opens nobody's account", async (_, disguise) => {
  const admin = await createAdmin(deps.db, "owner", { email: `kemi-${count}@example.com` });
  for (const [person, kind] of [
    [victim, "backer"],
    [admin, "admin"],
  ] as const) {
    const before = await stateOf(person);
    const accounts = await deps.db.$count(users);
    openId.person = {
      sub: `stranger-${count}-${kind}`,
      email: disguise(person.email),
      email_verified: true,
      name: "A Stranger",
    };
    const jar = cookieJar();
    const caller = await callAs(deps, "anonymous", { jar });
    const ctx = { ...deps, actor: null, ipAddress: "203.0.113.7", userAgent: "Test browser", cookies: jar };
    const { redirectUri: __, ...answer } = await openId.visit(
      await beginGoogle(ctx, { kind, purpose: "sign-in", next: undefined }),
    );
    await expect(caller.auth.finishGoogle({ kind, ...answer })).rejects.toThrow(
      "Your Google account has an email address that can't be used here.",
    );
    await expect(caller.auth.viewer()).resolves.toBeNull();
    expect(await stateOf(person)).toEqual(before);
    expect(await deps.db.$count(users)).toBe(accounts);
  }
});

test.each(lookAlikes)("a typed address with %s is nobody's", async (_, disguise) => {
  const before = await stateOf(victim);
  const email = disguise(victim.email);
  const visitor = await callAs(deps, "anonymous");
  const { token: formToken } = await visitor.auth.formToken();
  const newcomer = { fullName: "A Stranger", password: testPassword, acceptTerms: true as const, formToken };
  await expect(visitor.auth.signUp({ ...newcomer, email })).rejects.toThrow("Valid email is required");
  const signIn = { email, password: testPassword };
  const wrong = "Invalid email or password. Please check your credentials";
  await expect(visitor.auth.signIn(signIn)).rejects.toThrow(wrong);
  await expect(visitor.auth.adminSignIn(signIn)).rejects.toThrow(wrong);
  await expect(visitor.auth.requestPasswordReset({ email })).rejects.toThrow("Valid email is required");
  await expect(visitor.auth.resendConfirmation({ email })).rejects.toThrow("Valid email is required");
  const stranger = await callAs(deps, "backer");
  await expect(stranger.users.requestEmailChange({ email, currentPassword: testPassword })).rejects.toThrow(
    "Valid email is required",
  );
  const owner = await callAs(deps, "owner");
  await expect(owner.team.invite({ email, fullName: "A Stranger", role: "owner" })).rejects.toThrow(/email/i);
  const project = await createProject(deps.db);
  await expect(owner.backings.grant({ projectId: project.id, email })).rejects.toThrow(/not found/i);
  const input = { email, fullName: "A Stranger", role: "owner" as const, password: testPassword };
  await expect(createAdminByCommand(deps, input)).rejects.toThrow("Valid email is required");
  expect(contactForm.shape.email.safeParse(email).success).toBe(false);
  expect(await stateOf(victim)).toEqual(before);
  expect(await deps.db.$count(adminInvites, eq(adminInvites.email, victim.email))).toBe(0);
});

test("the command line takes nobody's second factor by a look-alike", async () => {
  const admin = await createAdmin(deps.db, "owner", { email: `kola-${count}@example.com` });
  await enrol(deps, admin);
  for (const [, disguise] of lookAlikes) {
    await expect(resetTwoFactor(deps, { email: disguise(admin.email) })).rejects.toThrow(
      "No administrator has this email.",
    );
  }
  expect(await deps.db.$count(twoFactors, eq(twoFactors.userId, admin.id))).toBe(1);
  await resetTwoFactor(deps, { email: ` ${admin.email.toUpperCase()} ` });
  expect(await deps.db.$count(twoFactors, eq(twoFactors.userId, admin.id))).toBe(0);
});
