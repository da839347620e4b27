import { and, eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { notificationOptOuts } from "#server/db/schema/notifications.ts";
import { users } from "#server/db/schema/users.ts";
import { signMailLink } from "#server/features/notifications/rules.ts";
import type { NotificationKind } from "#shared/notifications/inputs.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { tell } from "#tests/support/notices.ts";
import { callAs, createUser, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
let app: FastifyInstance;
let backer: TestUser;
let link: URL;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
});
afterAll(async () => {
  await app.close();
});
beforeEach(async () => {
  backer = await createUser(deps.db);
  await tell(deps, [backer.id], { kind: "project_update" });
  const [mail] = await queuedMailsTo(deps.db, backer.email);
  link = new URL(String(mail?.headers["List-Unsubscribe"]).slice(1, -1));
});

const isSwitchedOff = async (kind: NotificationKind = "project_update", person = backer) =>
  (await deps.db.$count(
    notificationOptOuts,
    and(eq(notificationOptOuts.userId, person.id), eq(notificationOptOuts.kind, kind)),
  )) === 1;
/** As the mail provider's own servers call it: no cookie, no origin of ours. */
const press = (search: string, type = "application/x-www-form-urlencoded", payload = "List-Unsubscribe=One-Click") =>
  app.inject({
    method: "POST",
    url: `/unsubscribe${search}`,
    headers: { "content-type": type, origin: "https://mail.example", host: "localhost" },
    payload,
  });

test("a mail that can be switched off says how, in its foot and to the mail program", async () => {
  const [mail] = await queuedMailsTo(deps.db, backer.email);
  expect(mail?.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  expect(link.origin + link.pathname).toBe(`${deps.env.publicUrl}/unsubscribe`);
  expect(mail?.text).toContain(`Stop these emails (${link.href})`);
  expect(mail?.text).toContain(`${deps.env.publicUrl}/profile/account#emails`);
  expect(mail?.html).toContain(`<a href="${link.href}">Stop these emails</a>`);
});

test("a mail about a payment can't be switched off and offers nothing of the kind", async () => {
  const person = await createUser(deps.db);
  await tell(deps, [person.id], { kind: "payment_status" });
  const [mail] = await queuedMailsTo(deps.db, person.email);
  expect(mail?.headers).toEqual({});
  expect(mail?.text).not.toContain("unsubscribe");
  const token = signMailLink(deps.appSecret, { userId: person.id, kind: "payment_status" });
  expect((await press(`?token=${token}`)).statusCode).toBe(404);
  expect(await isSwitchedOff("payment_status", person)).toBe(false);
});

test("one click in a mail program switches that kind off for that person", async () => {
  const answer = await press(link.search);
  expect(answer.statusCode).toBe(200);
  expect(await isSwitchedOff()).toBe(true);
  expect(await isSwitchedOff("project_closed")).toBe(false);
  expect((await press(link.search)).statusCode).toBe(200);
  expect(await isSwitchedOff()).toBe(true);
});

test("the click is understood as a form in parts too", async () => {
  const part = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
  expect((await press(link.search, "multipart/form-data; boundary=x", part)).statusCode).toBe(200);
  expect(await isSwitchedOff()).toBe(true);
});

test("opening the link changes nothing: programs that look for viruses open every link", async () => {
  for (const method of ["GET", "HEAD"] as const)
    await app.inject({
      method,
      url: `/unsubscribe${link.search}`,
      headers: { host: "localhost", accept: "text/html" },
    });
  expect(await isSwitchedOff()).toBe(false);
});

test("the link's page works without a sign-in, and takes it back", async () => {
  const anybody = await callAs(deps, "anonymous");
  const token = link.searchParams.get("token") ?? "";
  expect(await anybody.notifications.mailLink({ token })).toEqual({ kind: "project_update", isMailed: true });
  await anybody.notifications.setMailPreferenceByLink({ token, isMailed: false });
  expect(await isSwitchedOff()).toBe(true);
  expect(await anybody.notifications.mailLink({ token })).toEqual({ kind: "project_update", isMailed: false });
  await anybody.notifications.setMailPreferenceByLink({ token, isMailed: true });
  expect(await isSwitchedOff()).toBe(false);
});

test("a link that we didn't sign switches nothing", async () => {
  const anybody = await callAs(deps, "anonymous");
  const token = link.searchParams.get("token") ?? "";
  const [userId, kind, signature] = token.split(".");
  const other = await createUser(deps.db);
  const forged = [
    "",
    "x",
    `${userId}.${kind}.`,
    `${userId}.project_closed.${signature}`,
    `${other.id}.${kind}.${signature}`,
    `${token}A`,
    `${token}.x`,
    signMailLink("another secret, also long enough", { userId: backer.id, kind: "project_update" }),
  ];
  for (const wrong of forged) {
    expect((await press(`?token=${encodeURIComponent(wrong)}`)).statusCode).toBe(404);
    const refused = anybody.notifications.setMailPreferenceByLink({ token: wrong, isMailed: false });
    await expect(refused).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(anybody.notifications.mailLink({ token: wrong })).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect((await press("")).statusCode).toBe(404);
  expect((await press("?token=a&token=b")).statusCode).toBe(404);
  expect(await deps.db.$count(notificationOptOuts, eq(notificationOptOuts.userId, backer.id))).toBe(0);
  expect(await deps.db.$count(notificationOptOuts, eq(notificationOptOuts.userId, other.id))).toBe(0);
});

test("the link of a closed account leads nowhere", async () => {
  await deps.db.update(users).set({ closedAt: deps.clock.now(), passwordHash: null }).where(eq(users.id, backer.id));
  expect((await press(link.search)).statusCode).toBe(404);
  expect(await isSwitchedOff()).toBe(false);
});
