import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { findActor, startSession } from "#server/accounts/sessions.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { sessions, signInCounters } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { callAs, cookieJar, createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";

const deps = await openTestDeps();
const androidChrome =
  "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";
const newPassword = "Okra-Market-77";

beforeEach(async () => {
  await deps.db.delete(signInCounters);
});

const rowOf = async (userId: string) => (await deps.db.select().from(users).where(eq(users.id, userId)))[0];
const sessionsOf = (userId: string) => deps.db.select().from(sessions).where(eq(sessions.userId, userId));
const auditOf = async (userId: string) => {
  const entries = await deps.db.select().from(auditLogs).where(eq(auditLogs.userId, userId));
  return entries.map(({ actionType, details }) => ({ actionType, details }));
};
const newAddress = () => `new-${crypto.randomUUID().slice(0, 8)}@example.com`;
const withoutPassword = (user: TestUser) =>
  deps.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id));

/** The token in the newest mail to an address. */
async function tokenTo(email: string): Promise<string> {
  const mail = (await queuedMailsTo(deps.db, email)).at(-1);
  const token = /#type=email_change&access_token=([0-9a-f]{64})/.exec(mail?.text ?? "")?.[1];
  if (!token) throw new Error(`no link was mailed to ${email}`);
  return token;
}

describe("the name", () => {
  test("changes, trimmed; an administrator's change is audited", async () => {
    const person = await createAdmin(deps.db, "viewer", { fullName: "Before" });
    const caller = await callAs(deps, person);
    await caller.users.changeName({ fullName: "  Ngozi Eze " });
    expect(await rowOf(person.id)).toMatchObject({ fullName: "Ngozi Eze" });
    await expect(caller.auth.viewer()).resolves.toMatchObject({ fullName: "Ngozi Eze" });
    expect(await auditOf(person.id)).toEqual([
      { actionType: "change_name", details: { before: "Before", after: "Ngozi Eze" } },
    ]);
  });

  test.each([
    ["", authTexts.fullNameRequired],
    ["x".repeat(201), authTexts.fullNameTooLong],
  ])("is not changed to %j", async (fullName, text) => {
    const person = await createUser(deps.db, { fullName: "Before" });
    await expect((await callAs(deps, person)).users.changeName({ fullName })).rejects.toThrow(text);
    expect(await rowOf(person.id)).toMatchObject({ fullName: "Before" });
  });
});

describe("the email", () => {
  test("changes by the link at the new address and the password, in any browser; the old address is told", async () => {
    const person = await createUser(deps.db);
    const caller = await callAs(deps, person);
    const email = newAddress();
    await caller.users.requestEmailChange({ email: ` ${email.toUpperCase()}`, currentPassword: testPassword });
    await expect(caller.users.account()).resolves.toMatchObject({ email: person.email, pendingEmail: email });
    const visitor = await callAs(deps, "anonymous");
    const link = { token: await tokenTo(email), password: testPassword };
    await expect(visitor.users.confirmEmailChange(link)).resolves.toEqual({ email });
    expect(await rowOf(person.id)).toMatchObject({ email, emailVerifiedAt: deps.clock.now() });
    const again = await callAs(deps, person);
    await expect(again.users.account()).resolves.toMatchObject({ email, pendingEmail: null });
    const [notice] = await queuedMailsTo(deps.db, person.email);
    expect(notice?.subject).toBe("Your Gona email was changed");
    expect(notice?.text).toContain(email);
  });

  test("keeps the link good for 24 hours to the second, once", async () => {
    const person = await createUser(deps.db);
    const visitor = await callAs(deps, "anonymous");
    const request = async () => {
      const email = newAddress();
      const caller = await callAs(deps, person);
      await caller.users.requestEmailChange({ email, currentPassword: testPassword });
      return tokenTo(email);
    };
    const late = await request();
    deps.clock.advance({ hours: 24 });
    await expect(visitor.users.confirmEmailChange({ token: late, password: testPassword })).rejects.toThrow(
      accountTexts.emailLinkInvalid,
    );
    const inTime = await request();
    deps.clock.advance({ hours: 23, minutes: 59, seconds: 59 });
    await visitor.users.confirmEmailChange({ token: inTime, password: testPassword });
    await expect(visitor.users.confirmEmailChange({ token: inTime, password: testPassword })).rejects.toThrow(
      accountTexts.emailLinkInvalid,
    );
  });

  test("says the same of a taken address, whose owner gets a mail without a link", async () => {
    const [person, other] = [await createUser(deps.db), await createUser(deps.db)];
    const caller = await callAs(deps, person);
    const free = newAddress();
    const answers = [];
    for (const email of [free, other.email]) {
      answers.push(await caller.users.requestEmailChange({ email, currentPassword: testPassword }));
      await expect(caller.users.account()).resolves.toMatchObject({ pendingEmail: email });
    }
    expect(answers[0]).toEqual(answers[1]);
    const [mail] = await queuedMailsTo(deps.db, other.email);
    expect(mail?.subject).toBe("Somebody asked to use your email at Gona");
    expect(mail?.text).not.toContain("access_token");
  });

  test("is refused where the address was taken in the meantime, and the link can be tried again", async () => {
    const person = await createUser(deps.db);
    const email = newAddress();
    await (await callAs(deps, person)).users.requestEmailChange({ email, currentPassword: testPassword });
    const token = await tokenTo(email);
    const other = await createUser(deps.db, { email });
    const visitor = await callAs(deps, "anonymous");
    await expect(visitor.users.confirmEmailChange({ token, password: testPassword })).rejects.toThrow(
      accountTexts.emailLinkInvalid,
    );
    expect(await rowOf(person.id)).toMatchObject({ email: person.email });
    await deps.db.delete(users).where(eq(users.id, other.id));
    await expect(visitor.users.confirmEmailChange({ token, password: testPassword })).resolves.toEqual({ email });
  });

  test("does not change any more after the password was changed or the account blocked", async () => {
    const person = await createAdmin(deps.db, "viewer");
    const [email, later] = [newAddress(), newAddress()];
    const visitor = await callAs(deps, "anonymous");
    const caller = await callAs(deps, person);
    await caller.users.requestEmailChange({ email, currentPassword: testPassword });
    const token = await tokenTo(email);
    await caller.users.changePassword({ currentPassword: testPassword, password: newPassword });
    await expect(visitor.users.confirmEmailChange({ token, password: testPassword })).rejects.toThrow(
      accountTexts.emailLinkInvalid,
    );
    await (await callAs(deps, person)).users.requestEmailChange({ email: later, currentPassword: newPassword });
    await deps.db.update(users).set({ isBlocked: true }).where(eq(users.id, person.id));
    const blocked = visitor.users.confirmEmailChange({ token: await tokenTo(later), password: newPassword });
    await expect(blocked).rejects.toThrow(accountTexts.emailLinkInvalid);
    expect(await rowOf(person.id)).toMatchObject({ email: person.email });
  });

  test("of an administrator is audited", async () => {
    const person = await createAdmin(deps.db, "manager");
    const email = newAddress();
    await (await callAs(deps, person)).users.requestEmailChange({ email, currentPassword: testPassword });
    await (await callAs(deps, "anonymous")).users.confirmEmailChange({
      token: await tokenTo(email),
      password: testPassword,
    });
    expect(await auditOf(person.id)).toEqual([
      { actionType: "change_email", details: { before: person.email, after: email } },
    ]);
  });
});

describe("the password", () => {
  test("changes, ends all sessions, and the address is told", async () => {
    const person = await createAdmin(deps.db, "viewer");
    const jar = cookieJar();
    const caller = await callAs(deps, person, { jar });
    const elsewhere = await callAs(deps, person);
    await caller.users.changePassword({ currentPassword: testPassword, password: newPassword });
    expect(jar.get("session")).toBeUndefined();
    expect(await sessionsOf(person.id)).toEqual([]);
    await expect(elsewhere.auth.touch()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const visitor = await callAs(deps, "anonymous");
    await expect(visitor.auth.signIn({ email: person.email, password: testPassword })).rejects.toThrow();
    await visitor.auth.signIn({ email: person.email, password: newPassword });
    const subjects = (await queuedMailsTo(deps.db, person.email)).map(({ subject }) => subject);
    expect(subjects).toContain("Your Gona password was changed");
    expect((await auditOf(person.id)).map(({ actionType }) => actionType)).toEqual(["change_password", "admin_login"]);
  });

  test.each([
    ["a wrong current one", "Wrong-guess-1", newPassword, accountTexts.passwordWrong],
    ["a short new one", testPassword, "Ab1!", "Password must be at least 8 characters long"],
    ["a weak new one", testPassword, "onlylowercase", "Please choose a stronger password that meets all requirements."],
    ["the same one", testPassword, testPassword, accountTexts.passwordSame],
  ])("stays with %s", async (_, currentPassword, password, text) => {
    const person = await createUser(deps.db);
    const caller = await callAs(deps, person);
    await expect(caller.users.changePassword({ currentPassword, password })).rejects.toThrow(text);
    expect(await rowOf(person.id)).toMatchObject({ passwordHash: person.passwordHash });
    await caller.auth.touch();
  });

  test("can't be guessed here either: five tries lock sign-in too, for 180 seconds", async () => {
    const person = await createUser(deps.db);
    const caller = await callAs(deps, person);
    const guess = (currentPassword: string) => caller.users.changePassword({ currentPassword, password: newPassword });
    for (let tries = 0; tries < 4; tries++) {
      await expect(guess("Wrong-guess-1")).rejects.toThrow(accountTexts.passwordWrong);
    }
    await expect(guess("Wrong-guess-1")).rejects.toThrow(authTexts.nowLocked);
    await expect(guess(testPassword)).rejects.toThrow(authTexts.locked);
    await expect(
      caller.users.close({ currentPassword: testPassword, confirmation: "close my account" }),
    ).rejects.toThrow(authTexts.locked);
    await expect(caller.auth.signIn({ email: person.email, password: testPassword })).rejects.toThrow(authTexts.locked);
    deps.clock.advance({ seconds: 179 });
    await expect(guess(testPassword)).rejects.toThrow(authTexts.locked);
    deps.clock.advance({ seconds: 1 });
    await guess(testPassword);
  });

  test("can be set by who came with Google, if the sign-in is fresh: 10 minutes to the second", async () => {
    const person = await createUser(deps.db);
    await withoutPassword(person);
    const caller = await callAs(deps, person);
    await expect(caller.users.account()).resolves.toMatchObject({ hasPassword: false });
    deps.clock.advance({ minutes: 10, seconds: 1 });
    await expect(caller.users.changePassword({ password: newPassword })).rejects.toThrow(accountTexts.signInAgain);
    expect(await rowOf(person.id)).toMatchObject({ passwordHash: null });
    const again = await callAs(deps, person);
    deps.clock.advance({ minutes: 10 });
    await again.users.changePassword({ password: newPassword });
    const visitor = await callAs(deps, "anonymous");
    await visitor.auth.signIn({ email: person.email, password: newPassword });
  });
});

describe("the sessions", () => {
  test("are listed with device, address and activity, this one first, without what opens one", async () => {
    const person = await createUser(deps.db);
    const phone = await callAs(deps, person, { userAgent: androidChrome, ipAddress: "198.51.100.4" });
    deps.clock.advance({ minutes: 5 });
    const jar = cookieJar();
    const laptop = await callAs(deps, person, { jar });
    const stranger = await createUser(deps.db);
    await callAs(deps, stranger);
    const [first, second, ...rest] = await phone.users.sessions();
    expect(rest).toEqual([]);
    expect(first).toMatchObject({ device: "Chrome on Android", ipAddress: "198.51.100.4", isThisDevice: true });
    expect(second).toMatchObject({ isThisDevice: false, lastActivityAt: deps.clock.now() });
    const rows = await sessionsOf(person.id);
    const listed = JSON.stringify(await laptop.users.sessions());
    for (const { idHash } of rows) expect(listed).not.toContain(idHash);
    expect(listed).not.toContain(jar.get("session"));
  });

  test("leave the list when their idle limit is over, to the second", async () => {
    const person = await createUser(deps.db);
    await callAs(deps, person);
    deps.clock.advance({ minutes: 30 });
    const caller = await callAs(deps, person);
    deps.clock.advance({ minutes: 29, seconds: 59 });
    expect(await caller.users.sessions()).toHaveLength(2);
    deps.clock.advance({ seconds: 1 });
    expect(await caller.users.sessions()).toHaveLength(1);
  });

  test("end one by one, only one's own", async () => {
    const [person, stranger] = [await createUser(deps.db), await createUser(deps.db)];
    const [here, there] = [await callAs(deps, person), await callAs(deps, person)];
    const foreign = await callAs(deps, stranger);
    const foreignId = (await foreign.users.sessions())[0]?.id ?? "";
    const proof = { currentPassword: testPassword };
    await here.users.endSession({ id: foreignId, ...proof });
    await foreign.auth.touch();
    const other = (await here.users.sessions()).find(({ isThisDevice }) => !isThisDevice);
    await here.users.endSession({ id: other?.id ?? "", ...proof });
    await here.users.endSession({ id: other?.id ?? "", ...proof });
    await expect(there.auth.touch()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await here.auth.touch();
  });

  test("end all at once, this one too", async () => {
    const person = await createUser(deps.db);
    const jar = cookieJar();
    const [here, there] = [await callAs(deps, person, { jar }), await callAs(deps, person)];
    await here.users.signOutEverywhere({ currentPassword: testPassword });
    expect(jar.get("session")).toBeUndefined();
    await expect(there.auth.touch()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await sessionsOf(person.id)).toEqual([]);
  });

  test("of a closed account open nothing, should one be left", async () => {
    const person = await createUser(deps.db);
    await (await callAs(deps, person)).users.close({ currentPassword: testPassword, confirmation: "close my account" });
    const from = { kind: "backer", device: "", ipAddress: "" } as const;
    const token = await startSession(deps, { userId: person.id, ...from });
    expect(sessionCookieName(deps.env)).toBe("session");
    expect(await findActor(deps, token)).toBeNull();
  });
});
