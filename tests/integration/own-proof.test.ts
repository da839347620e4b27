import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { emailTokens, sessions } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { recoveryCodes, users } from "#server/db/schema/users.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { codeAt, enrol, wrongCodeAt } from "#tests/support/two-factor.ts";

// Whoever finds a browser signed in does none of these: they ask for the password, and for the second factor.

const deps = await openTestDeps();
const { db } = deps;
let owner: TestUser;
let caller: Caller;
let secret: string;
let codes: string[];

type Proof = { currentPassword?: string; code?: string };
const elsewhere = async () => (await caller.users.sessions()).find(({ isThisDevice }) => !isThisDevice)?.id ?? "";
const acts: Record<string, (proof: Proof) => Promise<unknown>> = {
  "changing the address": (proof) => caller.users.requestEmailChange({ email: `new-${owner.email}`, ...proof }),
  "changing the password": (proof) => caller.users.changePassword({ password: "Cassava-Harvest-2027", ...proof }),
  "ending another session": async (proof) => caller.users.endSession({ id: await elsewhere(), ...proof }),
  "ending all sessions": (proof) => caller.users.signOutEverywhere(proof),
  "new recovery codes": (proof) => caller.twoFactor.renewRecoveryCodes(proof),
  "switching two-factor sign-in off": (proof) => caller.twoFactor.switchOff(proof),
  "proving it for what follows": (proof) => caller.auth.prove(proof),
  "closing the account": (proof) => caller.users.close({ confirmation: "close my account", ...proof }),
};

/** All that one of them could have changed. */
async function stateOf() {
  const ofUser = eq(sessions.userId, owner.id);
  return {
    account: await db.select().from(users).where(eq(users.id, owner.id)),
    sessions: await db.select().from(sessions).where(ofUser).orderBy(sessions.idHash),
    links: await db.$count(emailTokens, eq(emailTokens.userId, owner.id)),
    codes: await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, owner.id)),
    settings: await db.select().from(settings),
    entries: await db.$count(auditLogs),
    mails: await db.$count(outgoingMails),
  };
}

startEachWith(deps, async () => {
  await createAdmin(db, "owner");
  owner = await createAdmin(db, "owner");
  ({ secret, codes } = await enrol(deps, owner));
  return async () => {
    await callAs(deps, owner);
    caller = await callAs(deps, owner);
  };
});

test.each(Object.entries(acts))(
  "%s asks for the password and a code: without either nothing changes",
  async (_, act) => {
    const codeNow = () => codeAt(secret, deps.clock.now());
    const before = await stateOf();
    const wrong = wrongCodeAt(secret, deps.clock.now());
    const cases = [
      [{ code: codeNow() }, "currentPassword", accountTexts.passwordMissing],
      [{ currentPassword: "Wrong-guess-1", code: codeNow() }, "currentPassword", accountTexts.passwordWrong],
      [{ currentPassword: testPassword }, "code", "Enter the code"],
      [{ currentPassword: testPassword, code: " " }, "code", "Enter the code"],
      [{ currentPassword: testPassword, code: wrong }, "code", "Invalid code. Please check it and try again."],
    ] as const;
    for (const [proof, field, message] of cases) {
      deps.clock.advance({ seconds: 3 });
      await expect(act(proof)).rejects.toMatchObject({ message, cause: { fields: { [field]: [message] } } });
    }
    expect(await stateOf()).toEqual(before);
    await act({ currentPassword: testPassword, code: codeNow() });
    expect(await stateOf()).not.toEqual(before);
  },
);

test("a recovery code is taken once, and told of", async () => {
  const proof = { currentPassword: testPassword, code: codes[0] ?? "" };
  await caller.users.requestEmailChange({ email: `new-${owner.email}`, ...proof });
  const subjects = (await queuedMailsTo(db, owner.email)).map(({ subject }) => subject);
  expect(subjects).toContain("A recovery code of your Gona account was used");
  await expect(caller.users.signOutEverywhere(proof)).rejects.toThrow("Invalid code.");
});

test("a code that was used for one act is no good for the next", async () => {
  const proof = { currentPassword: testPassword, code: codeAt(secret, deps.clock.now()) };
  await caller.users.requestEmailChange({ email: `new-${owner.email}`, ...proof });
  await expect(caller.users.signOutEverywhere(proof)).rejects.toThrow("Invalid code.");
  expect(await db.$count(sessions, eq(sessions.userId, owner.id))).toBe(2);
});

test("a refused act leaves the code good", async () => {
  const proof = { currentPassword: testPassword, code: codeAt(secret, deps.clock.now()) };
  await expect(caller.users.requestEmailChange({ email: owner.email, ...proof })).rejects.toThrow(
    accountTexts.emailSame,
  );
  await caller.users.requestEmailChange({ email: `new-${owner.email}`, ...proof });
});

test("five wrong codes lock it for 180 seconds, whatever right passwords come with them", async () => {
  const wrong = wrongCodeAt(secret, deps.clock.now());
  const end = (given?: string) => {
    // A right password resets its own counter two seconds later.
    deps.clock.advance({ seconds: 3 });
    const code = given ?? codeAt(secret, deps.clock.now());
    return caller.users.signOutEverywhere({ currentPassword: testPassword, code });
  };
  for (let tries = 0; tries < 4; tries += 1) await expect(end(wrong)).rejects.toThrow("Invalid code.");
  await expect(end(wrong)).rejects.toThrow("Please wait 3 minutes");
  await expect(end()).rejects.toThrow("Too many failed attempts.");
  deps.clock.advance({ seconds: 180 });
  await end();
});

test("a backer without a second factor is asked for the password only", async () => {
  const backer = await createUser(db);
  const [here, there] = [await callAs(deps, backer), await callAs(deps, backer)];
  await expect(here.users.account()).resolves.toMatchObject({ hasPassword: true, isCodeAsked: false });
  await expect(here.users.signOutEverywhere({})).rejects.toThrow(accountTexts.passwordMissing);
  await there.auth.touch();
  await here.users.signOutEverywhere({ currentPassword: testPassword });
  await expect(there.auth.touch()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("who came with Google ends sessions with a fresh sign-in: 10 minutes to the second", async () => {
  const backer = await createUser(db);
  await db.update(users).set({ passwordHash: null }).where(eq(users.id, backer.id));
  const late = await callAs(deps, backer);
  deps.clock.advance({ minutes: 10, seconds: 1 });
  await expect(late.users.signOutEverywhere({})).rejects.toThrow(accountTexts.signInAgain);
  const fresh = await callAs(deps, backer);
  deps.clock.advance({ minutes: 10 });
  await fresh.users.signOutEverywhere({});
  expect(await db.$count(sessions, eq(sessions.userId, backer.id))).toBe(0);
});
