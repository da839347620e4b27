import { afterAll, expect, test, vi } from "vitest";
import * as passwords from "#server/accounts/passwords.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { type Caller, callAs, createUser, testPassword } from "#tests/support/people.ts";

// How often a network address may ask, where anybody may. The limits of sign-in are in auth-sign-in.test.ts.
const deps = await openTestDeps({ env: { REQUIRE_EMAIL_CONFIRMATION: "true" } });
const { email: taken } = await createUser(deps.db);
const token = "0".repeat(64);
// Most of the time of a sign-up, and not what is counted.
vi.spyOn(passwords, "hashPassword").mockResolvedValue("no hash");
afterAll(() => void vi.restoreAllMocks());

const limits: {
  name: string;
  hits: number;
  seconds: number;
  ask: (visitor: Caller, time: number) => Promise<unknown>;
}[] = [
  {
    name: "sign-up",
    hits: 60,
    seconds: 3600,
    ask: async ({ auth }) => {
      const { token: formToken } = await auth.formToken();
      return auth.signUp({ fullName: "Ada Obi", email: taken, password: testPassword, acceptTerms: true, formToken });
    },
  },
  {
    name: "a link for a new password",
    hits: 20,
    seconds: 3600,
    ask: ({ auth }, time) => auth.requestPasswordReset({ email: `nobody-${time}@example.com` }),
  },
  {
    name: "a new confirmation link",
    hits: 20,
    seconds: 3600,
    ask: ({ auth }, time) => auth.resendConfirmation({ email: `nobody-${time}@example.com` }),
  },
  {
    name: "a reset",
    hits: 60,
    seconds: 3600,
    ask: ({ auth }) => auth.resetPassword({ token, password: testPassword }),
  },
  { name: "an invitation", hits: 60, seconds: 600, ask: ({ team }) => team.inviteByToken({ token }) },
];

test.each(limits)("$name: $hits times in $seconds seconds, to the second", async ({ hits, seconds, ask }) => {
  const visitor = await callAs(deps, "anonymous", { ipAddress: "198.51.100.40" });
  const isLimited = (time: number, by = visitor) =>
    ask(by, time).then(
      () => false,
      (error: unknown) => Reflect.get(Object(error), "code") === "TOO_MANY_REQUESTS",
    );
  for (let time = 1; time <= hits; time += 1) expect([time, await isLimited(time)]).toEqual([time, false]);
  expect(await isLimited(hits + 1)).toBe(true);
  expect(await isLimited(hits + 1, await callAs(deps, "anonymous", { ipAddress: "198.51.100.9" }))).toBe(false);
  deps.clock.advance({ seconds: seconds - 1 });
  expect(await isLimited(hits + 2)).toBe(true);
  deps.clock.advance({ seconds: 1 });
  expect(await isLimited(hits + 3)).toBe(false);
});
