import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectFavorites, projectMessages } from "#server/db/schema/projects.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment } from "#tests/support/money.ts";
import { giveAccount } from "#tests/support/payouts.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
let app: FastifyInstance;
beforeAll(async () => {
  app = await buildApp(deps);
});
afterAll(() => app.close());

async function download(person: TestUser | null, { isProved = false } = {}) {
  const kind = person?.isAdmin ? "admin" : "backer";
  const from = { device: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0", ipAddress: "203.0.113.9" } as const;
  const token = person && (await startSession(deps, { userId: person.id, kind, isProved, ...from }));
  const answer = await app.inject({ url: "/files/my-data.json", cookies: token ? { session: token } : {} });
  return { answer, token };
}

test("everything we hold about a person comes as one JSON file, without secrets and without others", async () => {
  const person = await createUser(deps.db, { fullName: "Halima Musa" });
  const other = await createUser(deps.db, { fullName: "Zebra Canary", email: "zebra-canary@example.com" });
  const { payment, project } = await createPayment(deps, { backer: person, status: "approved" });
  await createPayment(deps, { backer: other, project: await createProject(deps.db) });
  await deps.db.insert(projectFavorites).values([
    { userId: person.id, projectId: project.id },
    { userId: other.id, projectId: project.id },
  ]);
  const administrator = await createAdmin(deps.db, "manager");
  const message = (userId: string, content: string) => ({
    userId,
    projectId: project.id,
    content,
    isAdminReply: false,
  });
  const asked = await deps.db
    .insert(projectMessages)
    .values([message(person.id, "Are the ponds full?"), message(other.id, "zebra-canary")])
    .returning();
  await deps.db.insert(projectMessages).values(
    asked.map(({ id: answersId, userId: recipientId, content }) => ({
      ...message(administrator.id, `To you: ${content}`),
      isAdminReply: true,
      isPrivate: true,
      recipientId,
      answersId,
    })),
  );

  const { answer, token } = await download(person);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "content-disposition": 'attachment; filename="gona-my-data-2026-11-21.json"',
  });
  const data = answer.json();
  expect(data.account).toMatchObject({
    id: person.id,
    email: person.email,
    fullName: "Halima Musa",
    hasPassword: true,
    roles: [],
    grants: [],
    consents: { mailsSwitchedOff: [] },
  });
  expect(data.sessions.at(-1)).toMatchObject({ device: "Firefox on Linux", ipAddress: "203.0.113.9" });
  expect(data.favorites).toMatchObject([{ projectId: project.id, project: project.title }]);
  expect(data.backings).toMatchObject([{ projectId: project.id }]);
  const kobo = String(payment.amountKobo);
  expect(data.payments).toMatchObject([
    {
      id: payment.id,
      status: "approved",
      reference: payment.reference,
      amount: { kobo, naira: `${kobo.slice(0, -2)}.${kobo.slice(-2)}` },
      receipts: [{ fileName: "receipt.png" }],
    },
  ]);
  expect(data.messages).toMatchObject([{ content: "Are the ponds full?", isPrivate: false }]);
  expect(data.answers).toMatchObject([{ content: "To you: Are the ponds full?" }]);
  expect(data.notifications).toMatchObject([{ kind: "payment_status" }]);
  const rows = await deps.db.select().from(sessions);
  const secrets = [token ?? "", person.passwordHash ?? "", ...rows.map(({ idHash }) => idHash)];
  for (const secret of [...secrets, "zebra-canary", "Zebra Canary", other.id])
    expect(answer.body).not.toContain(secret);
});

test("a long history comes whole, each entry once", async () => {
  const person = await createUser(deps.db);
  const made = Array.from({ length: 401 }, (_, index) => ({
    userId: person.id,
    kind: "project_update" as const,
    title: `Notice ${index}`,
    content: "Rain at last.",
    eventKey: `test:${index}`,
  }));
  await deps.db.insert(notifications).values(made);
  const { answer } = await download(person);
  const titles = answer.json().notifications.map(({ title }: { title: string }) => title);
  expect(titles).toEqual(made.map(({ title }) => title));
});

test("an administrator's roles are in it", async () => {
  const { answer } = await download(await createAdmin(deps.db, "manager"));
  expect(answer.json().account).toMatchObject({ isAdmin: true, roles: ["manager"] });
});

test("nobody signed in: no data", async () => {
  const { answer } = await download(null);
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toMatchObject({ error: { reason: "unauthenticated", message: "Authentication required" } });
});

test("ten an hour, to the second", async () => {
  const person = await createUser(deps.db);
  for (let time = 0; time < 10; time++) expect((await download(person)).answer.statusCode).toBe(200);
  expect((await download(person)).answer.statusCode).toBe(429);
  deps.clock.advance({ minutes: 59, seconds: 59 });
  expect((await download(person)).answer.statusCode).toBe(429);
  deps.clock.advance({ seconds: 1 });
  expect((await download(person)).answer.statusCode).toBe(200);
});

test("of a bank account it has the last digits, and the whole number only once the password was given", async () => {
  const person = await createUser(deps.db);
  await giveAccount(deps, { userId: person.id }, { addedBy: person.id, accountNumber: "0690000031" });
  const numbersIn = async (how: { isProved: boolean }) =>
    (await download(person, how)).answer
      .json()
      .payeeAccounts.map((one: { accountNumber: string }) => one.accountNumber);
  expect(await numbersIn({ isProved: false })).toEqual(["••• 0031"]);
  expect(await numbersIn({ isProved: true })).toEqual(["0690000031"]);
});

test("the file is named after the day in Lagos", async () => {
  deps.clock.set(new Date("2026-11-21T23:30:00Z"));
  const { answer } = await download(await createUser(deps.db));
  expect(answer.headers["content-disposition"]).toContain("my-data-2026-11-22.json");
});
