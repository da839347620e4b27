import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { asc } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { encryptTwoFactorSecret } from "#server/accounts/totp.ts";
import { rotateSecret } from "#server/cli/rotate-secret.ts";
import { twoFactors } from "#server/db/schema/users.ts";
import type { Deps } from "#server/platform/deps.ts";
import { loadAppSecret, prepareNextSecret } from "#server/platform/secret.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { tempFolder } from "#tests/support/http-app.ts";
import { callAs, createAdmin, type TestUser, testPassword } from "#tests/support/people.ts";
import { codeAt, enrol } from "#tests/support/two-factor.ts";

const deps = await openTestDeps();

beforeEach(async () => {
  await deps.db.delete(twoFactors);
});

/** The same installation with APP_SECRET in the environment. */
const withSecret = (appSecret: string): Deps => ({ ...deps, appSecret, env: { ...deps.env, appSecret } });
/** The same with the secret in a folder. */
async function withFolder(dataDir: string): Promise<Deps> {
  const env = { ...deps.env, appSecret: undefined, dataDir };
  return { ...deps, env, appSecret: await loadAppSecret(env, { isRotating: true }) };
}
const secretOf = (dataDir: string) => loadAppSecret({ appSecret: undefined, dataDir });
const factors = () => deps.db.select().from(twoFactors).orderBy(asc(twoFactors.userId));

async function enrolled(by: Deps) {
  const admin = await createAdmin(deps.db, "owner");
  return { admin, ...(await enrol(by, admin)) };
}

async function signIn(by: Deps, { email }: TestUser, code: string) {
  const visitor = await callAs(by, "anonymous");
  await visitor.auth.adminSignIn({ email, password: testPassword });
  return visitor.auth.verifySecondFactor({ code });
}

const newSecret = "the next secret of the tests, long enough";
const thirdSecret = "a third secret of the tests, long enough";

test("codes of the app and recovery codes go on working under the new secret, and under the one after it", async () => {
  const before = [await enrolled(deps), await enrolled(deps)] as const;
  const after = withSecret(newSecret);
  await expect(signIn(after, before[0].admin, before[0].codes[0] ?? "")).rejects.toThrow();
  const { lines } = await rotateSecret(after, { oldSecret: deps.appSecret });
  expect(lines[0]).toBe("The new secret opens all second factors (2); 2 were encrypted anew.");
  const entered = { isAdmin: true, needsCode: false };
  for (const { admin, secret, codes } of before) {
    expect(await signIn(after, admin, codeAt(secret, deps.clock.now()))).toEqual(entered);
    expect(await signIn(after, admin, codes[0] ?? "")).toEqual(entered);
    await expect(signIn(after, admin, codes[0] ?? ""), "used").rejects.toThrow();
  }
  const third = withSecret(thirdSecret);
  await rotateSecret(third, { oldSecret: newSecret });
  expect(await signIn(third, before[0].admin, before[0].codes[1] ?? "")).toEqual(entered);
  await expect(signIn(withSecret(newSecret), before[0].admin, before[0].codes[2] ?? "")).rejects.toThrow();
});

test("run again it changes nothing, and brings along who enrolled with the old secret meanwhile", async () => {
  await enrolled(deps);
  const after = withSecret(newSecret);
  await rotateSecret(after, { oldSecret: deps.appSecret });
  const once = await factors();
  expect((await rotateSecret(after, { oldSecret: deps.appSecret })).lines[0]).toContain("(1); 0 were");
  expect(await factors()).toEqual(once);
  await enrolled(deps);
  expect((await rotateSecret(after, { oldSecret: deps.appSecret })).lines[0]).toContain("(2); 1 were");
});

test("a wrong old secret, the same one or none is refused, and nothing changes", async () => {
  const { admin } = await enrolled(deps);
  await enrolled(withSecret(thirdSecret));
  const before = await factors();
  const after = withSecret(newSecret);
  await expect(rotateSecret(after, { oldSecret: "w".repeat(32) })).rejects.toThrow("2 of 2 second factors open with");
  // One that opens doesn't help the other.
  await expect(rotateSecret(after, { oldSecret: thirdSecret })).rejects.toThrow(`neither secret (${admin.email})`);
  await expect(rotateSecret(after, { oldSecret: newSecret })).rejects.toThrow("is the secret that is in use");
  await expect(rotateSecret(after, { oldSecret: undefined })).rejects.toThrow("OLD_APP_SECRET is missing");
  expect(await factors()).toEqual(before);
});

test("where the secret is kept in DATA_DIR a new one takes its place, and the one before stays beside it", async () => {
  const dataDir = await tempFolder();
  const old = await secretOf(dataDir);
  const { admin, secret } = await enrolled(await withFolder(dataDir));
  await rotateSecret(await withFolder(dataDir), { oldSecret: undefined });
  expect(await secretOf(dataDir)).not.toBe(old);
  expect((await readFile(join(dataDir, "app-secret.before"), "utf8")).trim()).toBe(old);
  const entered = await signIn(await withFolder(dataDir), admin, codeAt(secret, deps.clock.now()));
  expect(entered.needsCode).toBe(false);
});

test("cut short between the database and the file, it keeps the server from starting and goes on", async () => {
  const [dataDir, cut] = [await tempFolder(), await tempFolder()];
  await secretOf(dataDir);
  const { admin, secret } = await enrolled(await withFolder(dataDir));
  const next = await prepareNextSecret(dataDir);
  // The folder as it is when the process ends right after the commit.
  await cp(dataDir, cut, { recursive: true });
  await rotateSecret(await withFolder(dataDir), { oldSecret: undefined });
  await expect(secretOf(cut)).rejects.toThrow("npm run admin -- rotate-secret");
  const { lines } = await rotateSecret(await withFolder(cut), { oldSecret: undefined });
  expect(lines[0]).toContain("(1); 0 were");
  expect(await secretOf(cut)).toBe(next.secret);
  const entered = await signIn(await withFolder(cut), admin, codeAt(secret, deps.clock.now()));
  expect(entered.needsCode).toBe(false);
});

test("refused with the secret in DATA_DIR, it leaves no trace that keeps the server from starting", async () => {
  const dataDir = await tempFolder();
  const old = await secretOf(dataDir);
  const admin = await createAdmin(deps.db, "owner");
  const foreign = encryptTwoFactorSecret({ appSecret: thirdSecret, userId: admin.id }, "GEZDGNBVGY3TQOJQ");
  await deps.db.insert(twoFactors).values({ userId: admin.id, encryptedSecret: foreign });
  await expect(rotateSecret(await withFolder(dataDir), { oldSecret: undefined })).rejects.toThrow("1 of 1");
  expect(await secretOf(dataDir)).toBe(old);
});
