import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mailAccountLink } from "#server/accounts/send-links.ts";
import { buildApp } from "#server/app.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { drainJobs } from "#tests/support/jobs.ts";
import { isLong } from "#tests/support/length.ts";
import { createUser } from "#tests/support/people.ts";

// Neither an answer nor the time it takes reveals whether an address has an account.
const origin = "https://gona.example";
const tries = isLong ? 200 : 20;
const deps = await openTestDeps({ env: { PUBLIC_URL: origin, REQUIRE_EMAIL_CONFIRMATION: "true" } });
let app: FastifyInstance;

beforeAll(async () => {
  app = await buildApp(deps);
});
afterAll(async () => {
  await app.close();
});

/** Sends one request. Returns its time and its answer, without the parts that are random in every answer. */
async function ask(procedure: string, input: Record<string, string>) {
  const started = performance.now();
  const answer = await app.inject({
    method: "POST",
    url: `/trpc/${procedure}`,
    headers: { origin, "content-type": "application/json" },
    payload: JSON.stringify({ json: input }),
  });
  const ms = performance.now() - started;
  const { "x-request-id": _, date: __, "set-cookie": ___, ...headers } = answer.headers;
  const cookies = answer.cookies.map(({ value, expires, ...attributes }) => ({ ...attributes, length: value.length }));
  return { ms, seen: { status: answer.statusCode, body: answer.body, headers, cookies } };
}

/** Five standard errors of the measured chance: 0.46 with 20 tries, 0.14 with 200. A missing hash shifts it by 0.5. */
const noise = 5 / Math.sqrt(6 * tries);

/** Returns the share of pairs in which the first kind of answer takes longer: a half, but for noise. */
function shareLonger(ones: number[], others: number[]): number {
  const longer = ones.flatMap((one) => others.map((other): number => (one > other ? 1 : one === other ? 0.5 : 0)));
  return longer.reduce((sum, each) => sum + each, 0) / longer.length;
}

/** Asks for both addresses in turn, in random order, and compares all answers and times. */
async function expectSameFor(procedure: string, known: string, unknown: string, more: Record<string, string> = {}) {
  const times: Record<string, number[]> = { [known]: [], [unknown]: [] };
  const seen = new Set<string>();
  for (let round = 0; round < tries + 5; round += 1) {
    // A day later no limit counts the tries before.
    deps.clock.advance({ days: 1 });
    for (const email of Math.random() < 0.5 ? [known, unknown] : [unknown, known]) {
      const answer = await ask(procedure, { email, ...more });
      seen.add(JSON.stringify(answer.seen));
      // The first rounds compile and fill caches.
      if (round >= 5) times[email]?.push(answer.ms);
    }
  }
  expect([...seen]).toHaveLength(1);
  const chance = shareLonger(times[known] ?? [], times[unknown] ?? []);
  expect(Math.abs(chance - 0.5)).toBeLessThan(noise);
}

// Both check the password by the same function; auth-http.test.ts compares the answers of both.
test.each(isLong ? ["auth.signIn", "auth.adminSignIn"] : ["auth.signIn"])(
  "%s says the same to a wrong password and to an unknown address",
  async (procedure) => {
    const { email } = await createUser(deps.db);
    await expectSameFor(procedure, email, "nobody-at-all-at-all@example.com", { password: "Wrong-guess-1" });
  },
  180_000,
);

// The links are made after the answer, by a job. The jobs run when all is measured, so that the work that one answer
// leaves behind doesn't slow down the next one, whoever that is for.
const unknown = "nobody-at-all-at-all@example.com";
let verified: string;
let unverified: string;

test("a reset link is asked for in the same way for everybody", async () => {
  verified = (await createUser(deps.db)).email;
  await expectSameFor("auth.requestPasswordReset", verified, unknown);
}, 180_000);

test("a new confirmation link is asked for in the same way for everybody", async () => {
  unverified = (await createUser(deps.db, { emailVerifiedAt: null })).email;
  await expectSameFor("auth.resendConfirmation", unverified, unknown);
}, 180_000);

test("whoever has an account gets what they asked for", async () => {
  await deps.jobs.start({ "account-link": (link) => mailAccountLink(deps, link) });
  await drainJobs(deps.db, "account-link", 120_000);
  for (const email of [verified, unverified]) expect(await queuedMailsTo(deps.db, email)).toHaveLength(tries + 5);
  expect(await queuedMailsTo(deps.db, unknown)).toEqual([]);
}, 180_000);
