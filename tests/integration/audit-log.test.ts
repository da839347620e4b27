import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { isLong } from "#tests/support/length.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
const { db } = deps;
let app: FastifyInstance;
let ownerRow: TestUser;
let owner: Caller;
const [ada, bola] = [crypto.randomUUID(), crypto.randomUUID()];

beforeAll(async () => {
  app = await buildApp(deps);
  ownerRow = await createAdmin(db, "owner");
  owner = await callAs(deps, ownerRow);
  const entry = (actionType: string, createdAt: string, userId: string | null, userEmail: string | null) => ({
    actionType,
    userId,
    userEmail,
    createdAt: new Date(createdAt),
    details: { email: '=HYPERLINK("x")', note: 'said "hi", twice' },
    ipAddress: "203.0.113.7",
  });
  await db.insert(auditLogs).values([
    // The last moments of the 9th in Lagos, then the first of the 10th.
    entry("block_user", "2026-03-09T22:59:59.999Z", ada, "ada@example.com"),
    entry("unblock_user", "2026-03-09T23:00:00.000Z", ada, "ada@example.com"),
    entry("block_user", "2026-03-10T22:59:59.999Z", bola, "bola@example.com"),
    entry("close_project", "2026-03-10T23:00:00.000Z", null, null),
    // An address that changed: the latest one names the person.
    entry("edit_project", "2026-03-11T12:00:00.000Z", bola, "=bola@example.com"),
  ]);
});
afterAll(() => app.close());

const actionsOf = async (filter: Parameters<Caller["auditLog"]["list"]>[0]) =>
  (await owner.auditLog.list(filter)).items.map(({ actionType }) => actionType);

async function download(person: TestUser | null, path: string) {
  const kind = person?.isAdmin ? "admin" : "backer";
  const from = { device: "Test browser", ipAddress: "203.0.113.9" };
  const token = person && (await startSession(deps, { userId: person.id, kind, ...from }));
  return app.inject({ url: path, cookies: token ? { session: token } : {} });
}

describe("the list", () => {
  test("is filtered by days in Lagos, by action and by person", async () => {
    expect(await actionsOf({})).toEqual(["edit_project", "close_project", "block_user", "unblock_user", "block_user"]);
    expect(await actionsOf({ from: "2026-03-10", to: "2026-03-10" })).toEqual(["block_user", "unblock_user"]);
    expect(await actionsOf({ from: "2026-03-11" })).toEqual(["edit_project", "close_project"]);
    expect(await actionsOf({ to: "2026-03-09" })).toEqual(["block_user"]);
    expect(await actionsOf({ action: "block_user", userId: bola })).toEqual(["block_user"]);
    expect(await owner.auditLog.list({ action: "no_such" })).toEqual({ items: [], total: 0, isCapped: false });
    for (const wrong of [{ from: "2026-02-30" }, { to: "yesterday" }, { pageSize: 7 as 5 }, { page: 0 }])
      await expect(owner.auditLog.list(wrong)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("comes in pages of the chosen size", async () => {
    expect(await owner.auditLog.list({ page: 1, pageSize: 5 })).toMatchObject({ total: 5, isCapped: false });
    expect(await actionsOf({ page: 2, pageSize: 5 })).toEqual([]);
  });

  test("offers the actions and people that there are", async () => {
    expect(await owner.auditLog.filters()).toEqual({
      actions: ["block_user", "close_project", "edit_project", "unblock_user"],
      users: [
        { id: bola, email: "=bola@example.com" },
        { id: ada, email: "ada@example.com" },
      ].sort((a, b) => a.email.localeCompare(b.email)),
    });
  });
});

describe("the export", () => {
  test("as CSV keeps the columns, quotes, and runs no formula", async () => {
    const answer = await download(ownerRow, "/files/exports/audit-logs.csv?from=2026-03-11");
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "cache-control": "no-store",
      "content-disposition": 'attachment; filename="audit-logs-2026-11-21.csv"',
    });
    const details = '"{""note"":""said \\""hi\\"", twice"",""email"":""=HYPERLINK(\\""x\\"")""}"';
    const lines = answer.body.split("\r\n");
    expect(lines[0]).toBe('\uFEFF"Date","Action","User","Details","IP Address"');
    const [date, action, user] = (lines[1] ?? "").split(",");
    expect([date, action, user]).toEqual(['"2026-03-11T13:00:00.000+01:00"', '"edit_project"', `"'=bola@example.com"`]);
    expect(lines[2]).toContain('"close_project","System",');
    expect(lines).toHaveLength(4);
    // Which key stands first is up to the database.
    expect(lines[1]?.length).toBe(`${date},${action},${user},${details},"203.0.113.7"`.length);
  });

  test("as JSON is one list; who took it is audited and not in it", async () => {
    const answer = await download(ownerRow, "/files/exports/audit-logs.json?to=2026-03-31");
    expect(answer.headers["content-disposition"]).toBe('attachment; filename="audit-logs-2026-11-21.json"');
    const list = answer.json();
    expect(list).toHaveLength(5);
    expect(list[0]).toMatchObject({ actionType: "edit_project", createdAt: "2026-03-11T13:00:00.000+01:00" });
    const [latest] = (await owner.auditLog.list({ pageSize: 5 })).items;
    expect(latest).toMatchObject({
      actionType: "export_audit_logs",
      userId: ownerRow.id,
      details: { format: "json", filters: { to: "2026-03-31" } },
    });
    expect((await download(ownerRow, "/files/exports/audit-logs.json?action=none")).json()).toEqual([]);
  });

  test("is refused to everybody else, and where the filters make no sense", async () => {
    const before = await db.$count(auditLogs);
    const people = [null, await createUser(db), await createAdmin(db, "viewer"), await createAdmin(db, "manager")];
    for (const [index, person] of people.entries()) {
      const answer = await download(person, "/files/exports/audit-logs.csv");
      expect([index, answer.statusCode]).toEqual([index, index === 0 ? 401 : 403]);
    }
    for (const query of ["from=1", "userId=me", "action=", "action=%00", "from=2026-01-01&from=2026-01-02"])
      expect((await download(ownerRow, `/files/exports/audit-logs.csv?${query}`)).statusCode).toBe(400);
    expect(await db.$count(auditLogs)).toBe(before);
  });
});

const many = isLong ? 50_000 : 11_000;

test("very many entries leave in order, each once; 10,000 are counted", async () => {
  await db.execute(sql`
    insert into audit_logs (action_type, details, created_at)
    select 'many', jsonb_build_object('number', n, 'text', repeat('x', 200)), timestamptz '2025-01-01' + (n / 7) * interval '1 second'
    from generate_series(1, ${many}::int) n`);
  expect(await owner.auditLog.list({ action: "many", page: 1000, pageSize: 10 })).toMatchObject({
    total: 10_000,
    isCapped: true,
    items: { length: 10 },
  });
  const answer = await download(ownerRow, "/files/exports/audit-logs.csv?action=many");
  const seen = answer.body
    .split("\r\n")
    .flatMap((line) => /""number"": ?(\d+)/.exec(line)?.[1] ?? [])
    .map(Number);
  expect(seen).toEqual(Array.from({ length: many }, (_, index) => many - index));
}, 120_000);
