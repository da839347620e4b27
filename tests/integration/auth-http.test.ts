import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { signInCounters } from "#server/db/schema/sessions.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createAdmin, createUser, testPassword } from "#tests/support/people.ts";

// What goes over the wire: cookies, status, bodies. The rules themselves are tested at the procedures.
const origin = "https://gona.example";
const deps = await openTestDeps({ env: { PUBLIC_URL: origin, REQUIRE_EMAIL_CONFIRMATION: "false" } });
let app: FastifyInstance;

beforeAll(async () => {
  app = await buildApp(deps);
});
afterAll(async () => {
  await app.close();
});
beforeEach(() => deps.db.delete(signInCounters));

async function post(procedure: string, input: unknown, headers: Record<string, string> = {}) {
  const answer = await app.inject({
    method: "POST",
    url: `/trpc/${procedure}`,
    headers: { origin, "content-type": "application/json", ...headers },
    payload: JSON.stringify({ json: input }),
  });
  return { status: answer.statusCode, body: answer.body, cookies: answer.cookies, headers: answer.headers };
}

test("over https the session's cookie is for this host only, and out of reach of scripts", async () => {
  const user = await createUser(deps.db);
  const { status, body, cookies } = await post("auth.signIn", { email: user.email, password: testPassword });
  expect(status).toBe(200);
  const session = cookies.find((cookie) => cookie.name === "__Host-session");
  expect(session).toMatchObject({ httpOnly: true, secure: true, sameSite: "Lax", path: "/", maxAge: 604_800 });
  expect(session).not.toHaveProperty("domain");
  expect(cookies.find((cookie) => cookie.name === "__Host-device")).toMatchObject({ httpOnly: true, secure: true });
  expect(body).not.toContain(session?.value);
});

test("the form token's cookie is strict", async () => {
  const answer = await app.inject({ url: "/trpc/auth.formToken" });
  expect(answer.cookies).toMatchObject([
    { name: "__Host-form-token", httpOnly: true, secure: true, sameSite: "Strict", path: "/", maxAge: 3600 },
  ]);
});

test.each(["auth.signIn", "auth.adminSignIn"])(
  "%s answers a wrong password and an unknown address alike, up to the lock",
  async (procedure) => {
    const people = [await createUser(deps.db), await createUser(deps.db, { isBlocked: true })];
    const emails = [...people, await createAdmin(deps.db, "owner")].map((person) => person.email);
    const answersFor = async (email: string) => {
      const answers = [];
      for (let time = 0; time < 6; time += 1) {
        const { status, body, cookies, headers } = await post(procedure, { email, password: "Wrong-guess-1" });
        const { "x-request-id": _, "set-cookie": __, date: ___, ...others } = headers;
        answers.push({
          status,
          body,
          others,
          cookies: cookies.map(({ value, ...attributes }) => [attributes, value.length]),
        });
      }
      return answers;
    };
    const unknown = await answersFor("nobody@example.com");
    expect(unknown.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 429, 429]);
    for (const email of emails) expect(await answersFor(email)).toEqual(unknown);
  },
);

test("signing out for good empties the browser's storage, and keeps its cache and its device's cookie", async () => {
  const user = await createUser(deps.db);
  const signIn = async () => {
    const { cookies } = await post("auth.signIn", { email: user.email, password: testPassword });
    return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  };
  const left = await post("auth.signOut", { isFinal: true }, { cookie: await signIn() });
  expect(left.status).toBe(200);
  expect(left.headers["clear-site-data"]).toBe('"storage"');
  expect(left.cookies.map(({ name }) => name)).not.toContain("__Host-device");
  const everywhere = await post(
    "users.signOutEverywhere",
    { currentPassword: testPassword },
    { cookie: await signIn() },
  );
  expect(everywhere.headers["clear-site-data"]).toBe('"storage"');
});

test.each([{}, { isFinal: false }])("a session that ran out leaves drafts where they are: %j", async (input) => {
  const { status, headers } = await post("auth.signOut", input);
  expect(status).toBe(200);
  expect(headers).not.toHaveProperty("clear-site-data");
});
