import { beforeEach, expect, test } from "vitest";
import { mailAccountLink } from "#server/accounts/send-links.ts";
import { startSession } from "#server/accounts/sessions.ts";
import { resetTwoFactor } from "#server/accounts/two-factor-setup.ts";
import { buildApp } from "#server/app.ts";
import { signInCounters } from "#server/db/schema/sessions.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { blockUser, callAs, createAdmin, createUser, testPassword } from "#tests/support/people.ts";
import { securityLog } from "#tests/support/security-log.ts";
import { codeAt, enrol, wrongCodeAt } from "#tests/support/two-factor.ts";

const seen = securityLog();
const deps = await openTestDeps({ log: seen.log });
const newPassword = "Tilapia-Harvest-77";
const wrongPassword = "Wrong-guess-1";
/** Whatever was typed or mailed in this file: none of it may be in the log. */
const secrets = new Set([newPassword, wrongPassword, testPassword]);

beforeEach(async () => {
  await deps.db.delete(signInCounters);
  seen.events();
});

const line = (event: string, userId: string | null, reason: string, level: "info" | "warn" = "warn") => ({
  level,
  kind: "security",
  event,
  reason,
  userId,
  msg: "security event",
});
const done = (event: string, userId: string | null, reason: string) => line(event, userId, reason, "info");

/** The token of the last link that was mailed to the address. */
async function mailedToken(email: string): Promise<string> {
  const text = (await queuedMailsTo(deps.db, email)).at(-1)?.text ?? "";
  const token = /access_token=([\w-]+)/.exec(text)?.[1];
  if (!token) throw new Error("no link was mailed");
  secrets.add(token).add(email);
  return token;
}

test("a sign-in, and one that fails, are events with the account and the reason", async () => {
  const [user, admin] = [await createUser(deps.db), await createAdmin(deps.db, "owner")];
  const visitor = await callAs(deps, "anonymous");
  await visitor.auth.signIn({ email: user.email, password: testPassword });
  await visitor.auth.adminSignIn({ email: admin.email, password: testPassword });
  expect(seen.events()).toEqual([done("sign_in", user.id, "password"), done("sign_in", admin.id, "password")]);

  const refused = [
    () => visitor.auth.signIn({ email: user.email, password: wrongPassword }),
    () => visitor.auth.signIn({ email: "nobody@example.com", password: wrongPassword }),
    () => visitor.auth.adminSignIn({ email: user.email, password: testPassword }),
  ];
  for (const call of refused) await expect(call()).rejects.toThrow();
  expect(seen.events()).toEqual(
    expect.arrayContaining([
      line("sign_in_failed", user.id, "wrong_password"),
      line("sign_in_failed", null, "wrong_password"),
      line("sign_in_failed", user.id, "not_admin"),
    ]),
  );

  await blockUser(deps.db, user.id);
  await expect(visitor.auth.signIn({ email: user.email, password: testPassword })).rejects.toThrow("blocked");
  expect(seen.events()).toEqual([line("sign_in_failed", user.id, "blocked")]);
});

test("the lock of the fifth failure, and the attempts that it refuses, are events", async () => {
  const user = await createUser(deps.db);
  const visitor = await callAs(deps, "anonymous");
  for (let time = 0; time < 6; time += 1) {
    await expect(visitor.auth.signIn({ email: user.email, password: wrongPassword })).rejects.toThrow();
  }
  const failed = line("sign_in_failed", user.id, "wrong_password");
  expect(seen.events()).toEqual([
    ...Array.from({ length: 5 }, () => failed),
    line("locked", user.id, "sign_in_failed"),
    line("attempt_refused", user.id, "locked"),
  ]);
});

test("a reset is an event when it is asked for, refused and done", async () => {
  const user = await createUser(deps.db);
  const owner = await createAdmin(deps.db, "owner");
  const manager = await createAdmin(deps.db, "manager");
  const visitor = await callAs(deps, "anonymous");
  await mailAccountLink(deps, { purpose: "reset_password", email: user.email });
  await mailAccountLink(deps, { purpose: "reset_password", email: "nobody@example.com" });
  await (await callAs(deps, owner)).admins.sendPasswordReset({ userId: manager.id });
  expect(seen.events()).toEqual([
    done("reset_requested", user.id, "link_mailed"),
    done("reset_requested", null, "no_account"),
    { ...done("reset_requested", manager.id, "by_administrator"), by: owner.id },
  ]);

  const token = await mailedToken(user.email);
  await expect(visitor.auth.resetPassword({ token: "x".repeat(43), password: newPassword })).rejects.toThrow();
  await visitor.auth.resetPassword({ token, password: newPassword });
  expect(seen.events()).toEqual([
    line("reset_refused", null, "link_invalid"),
    done("password_changed", user.id, "reset"),
  ]);
});

test("a change of address or password is an event, and so is a wrong password for it", async () => {
  const user = await createUser(deps.db);
  const backer = await callAs(deps, user);
  const email = `new-${user.email}`;
  await expect(backer.users.requestEmailChange({ email, currentPassword: wrongPassword })).rejects.toThrow();
  await backer.users.requestEmailChange({ email, currentPassword: testPassword });
  await backer.users.confirmEmailChange({ token: await mailedToken(email) });
  await backer.users.changePassword({ currentPassword: testPassword, password: newPassword });
  expect(seen.events()).toEqual([
    line("proof_failed", user.id, "wrong_password"),
    done("email_change_requested", user.id, "link_mailed"),
    done("email_changed", user.id, "by_session"),
    done("password_changed", user.id, "own_account"),
  ]);
});

test("a second factor's changes, wrong codes and sign-ins are events", async () => {
  const admin = await createAdmin(deps.db, "owner");
  const { secret, codes } = await enrol(deps, admin);
  for (const one of [secret, ...codes]) secrets.add(one);
  const visitor = await callAs(deps, "anonymous");
  await visitor.auth.adminSignIn({ email: admin.email, password: testPassword });
  const code = wrongCodeAt(secret, deps.clock.now());
  await expect(visitor.auth.verifySecondFactor({ code })).rejects.toThrow();
  await visitor.auth.verifySecondFactor({ code: codeAt(secret, deps.clock.now()) });
  await expect(visitor.twoFactor.renewRecoveryCodes({ currentPassword: testPassword, code })).rejects.toThrow();
  const renewed = await visitor.twoFactor.renewRecoveryCodes({ currentPassword: testPassword, code: codes[0] ?? "" });
  for (const one of renewed.codes) secrets.add(one);
  await visitor.twoFactor.switchOff({ currentPassword: testPassword, code: renewed.codes[0] ?? "" });
  expect(seen.events()).toEqual([
    done("second_factor_on", admin.id, "own_account"),
    line("second_factor_failed", admin.id, "wrong_code"),
    done("sign_in", admin.id, "password"),
    line("second_factor_failed", admin.id, "wrong_code"),
    done("recovery_codes_renewed", admin.id, "own_account"),
    done("second_factor_off", admin.id, "own_account"),
  ]);
  await enrol(deps, admin);
  seen.events();
  await resetTwoFactor(deps, admin);
  expect(seen.events()).toEqual([done("second_factor_off", admin.id, "command_line")]);
});

test("rights that are missing are an event of who is signed in, and none of a stranger", async () => {
  const viewer = await createAdmin(deps.db, "viewer");
  const user = await createUser(deps.db);
  await expect((await callAs(deps, viewer)).payments.list({})).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect((await callAs(deps, user)).dashboard.counts()).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect((await callAs(deps, "anonymous")).payments.list({})).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  expect(seen.events()).toEqual([
    line("access_refused", viewer.id, "payments.list"),
    line("access_refused", user.id, "dashboard.counts"),
  ]);
});

test("a file route's refusal is an event that leads to the request", async () => {
  const viewer = await createAdmin(deps.db, "viewer");
  const app = await buildApp(deps, { distDir: "/nowhere" });
  const from = { device: "Test", ipAddress: "127.0.0.1" };
  const token = await startSession(deps, { userId: viewer.id, kind: "admin", ...from });
  secrets.add(token);
  const headers = { host: "localhost", cookie: `${sessionCookieName(deps.env)}=${token}` };
  const answer = await app.inject({ url: "/files/exports/audit-logs.csv", headers });
  await app.close();
  expect(answer.statusCode).toBe(403);
  expect(seen.events()).toEqual([
    { ...line("access_refused", viewer.id, "audit:view"), reqId: answer.headers["x-request-id"] },
  ]);
});

test("no line of all this has a password, a code, a token or a person's address", () => {
  expect(secrets.size).toBeGreaterThan(20);
  const text = seen.text();
  expect(text).toContain("security event");
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toContain("@example.com");
});
