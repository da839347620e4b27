import { expect, test } from "vitest";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { callAs, cookieJar, createUser, testPassword } from "#tests/support/people.ts";

const deps = await openTestDeps();

test("a sign-in from a new device is mailed, unless it is the account's first", async () => {
  const { email } = await createUser(deps.db);
  const signIn = async (jar = cookieJar(), userAgent = "Mozilla/5.0 (X11; Linux x86_64) Firefox/132.0") => {
    const visitor = await callAs(deps, "anonymous", { jar, userAgent });
    await visitor.auth.signIn({ email, password: testPassword });
    await visitor.auth.signOut();
  };
  const subjects = async () => (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);

  const first = cookieJar();
  await signIn(first);
  await signIn(first);
  expect(await subjects()).toEqual([]);

  const second = cookieJar();
  await signIn(second, "<b>Chrome/131</b> Android");
  await signIn(second);
  await signIn(first);
  expect(await subjects()).toEqual(["New sign-in to your Gona account"]);
  const [mail] = await queuedMailsTo(deps.db, email);
  expect(mail?.text).toContain("Device: Chrome on Android\nAddress: 203.0.113.7\nTime: 21 Nov 2026, 10:00 WAT");
  expect(mail?.text).toContain("http://localhost:3000/forgot-password");
  expect(mail?.html).not.toContain("<b>");
});

test("a wrong password from a new device is not", async () => {
  const { email } = await createUser(deps.db);
  const known = await callAs(deps, "anonymous");
  await known.auth.signIn({ email, password: testPassword });
  const stranger = await callAs(deps, "anonymous");
  await expect(stranger.auth.signIn({ email, password: "Wrong-guess-1" })).rejects.toThrow();
  expect(await queuedMailsTo(deps.db, email)).toEqual([]);
});
