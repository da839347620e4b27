import { asc, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { projectBackings } from "#server/db/schema/projects.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { adminTexts as texts } from "#shared/people/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
const { db } = deps;
let ownerRow: TestUser;
let owner: Caller;
beforeAll(async () => {
  ownerRow = await createAdmin(db, "owner");
  owner = await callAs(deps, ownerRow);
});

const lastAudit = async () => (await db.select().from(auditLogs).orderBy(asc(auditLogs.id))).at(-1);
const isBlocked = async ({ id }: TestUser) => (await db.select().from(users).where(eq(users.id, id)))[0]?.isBlocked;

describe("all users", () => {
  test("come newest first, page by page, without administrators and closed accounts", async () => {
    const at = new Date("2026-03-01T00:00:00Z");
    const made: string[] = [];
    for (let number = 0; number < 60; number += 1) {
      // Some share a moment.
      const createdAt = new Date(at.getTime() + Math.floor(number / 4) * 1000);
      made.push((await createUser(db, { fullName: `Paged ${number}`, createdAt })).id);
    }
    const closed = await createUser(db, { fullName: "Paged closed", createdAt: at });
    await db.update(users).set({ closedAt: at, passwordHash: null }).where(eq(users.id, closed.id));
    await createAdmin(db, "viewer", { fullName: "Paged admin" });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<Caller["users"]["list"]>> = await owner.users.list({ search: "paged", cursor });
      expect(page.items.length).toBeLessThanOrEqual(25);
      seen.push(...page.items.map(({ id }) => id));
      const times = page.items.map(({ createdAt }) => createdAt.getTime());
      expect(times).toEqual([...times].sort((a, b) => b - a));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toHaveLength(60);
    expect([...seen].sort()).toEqual([...made].sort());
  });

  test("are found by a part of the name or the address, taken literally", async () => {
    const person = await createUser(db, { fullName: "Halima 100% Musa", email: "halima@farm.example" });
    const ids = async (search: string) => (await owner.users.list({ search })).items.map(({ id }) => id);
    expect(await ids("MUSA")).toEqual([person.id]);
    expect(await ids("@farm.ex")).toEqual([person.id]);
    expect(await ids("100%")).toEqual([person.id]);
    expect(await ids("1%M")).toEqual([]);
    expect(JSON.stringify(await owner.users.list({ search: "musa" }))).not.toContain("argon2");
  });
});

describe("blocking", () => {
  test("ends the person's sessions with it, is audited with id and email, and is undone", async () => {
    const person = await createUser(db);
    const caller = await callAs(deps, person);
    await owner.users.block({ userId: person.id });
    expect(await isBlocked(person)).toBe(true);
    expect(await db.$count(sessions, eq(sessions.userId, person.id))).toBe(0);
    expect(await caller.auth.viewer()).toBeNull();
    expect(await lastAudit()).toMatchObject({
      actionType: "block_user",
      userId: ownerRow.id,
      details: { userId: person.id, email: person.email, before: "active", after: "blocked" },
    });
    const entries = await db.$count(auditLogs);
    await owner.users.block({ userId: person.id });
    expect(await db.$count(auditLogs)).toBe(entries);

    await owner.users.unblock({ userId: person.id });
    expect(await isBlocked(person)).toBe(false);
    expect(await lastAudit()).toMatchObject({ actionType: "unblock_user", details: { email: person.email } });
  });

  test("the last owner can't be blocked by anybody", async () => {
    const second = await createAdmin(db, "owner");
    const caller = await callAs(deps, second);
    await caller.users.block({ userId: ownerRow.id });
    await expect(owner.users.block({ userId: second.id })).rejects.toThrow("Authentication required");
    await caller.users.unblock({ userId: ownerRow.id });
    owner = await callAs(deps, ownerRow);
    await owner.admins.deactivate({ userId: second.id });
    await expect(owner.admins.removeRole({ userId: ownerRow.id, role: "owner" })).rejects.toThrow(
      accountTexts.lastOwner,
    );
    expect(await isBlocked(ownerRow)).toBe(false);
  });

  test("there must be such a person", async () => {
    const entries = await db.$count(auditLogs);
    for (const name of ["block", "unblock", "byId"] as const)
      await expect(owner.users[name]({ userId: crypto.randomUUID() })).rejects.toThrow(texts.userNotFound);
    expect(await db.$count(auditLogs)).toBe(entries);
  });
});

describe("ending somebody's sessions", () => {
  const sessionsOf = ({ id }: TestUser) => db.$count(sessions, eq(sessions.userId, id));

  test.each([
    ["a backer", () => createUser(db)],
    ["another owner", () => createAdmin(db, "owner")],
  ])("signs %s out everywhere, lets them in again, and is audited", async (_, create) => {
    const person = await create();
    const [here, there] = [await callAs(deps, person), await callAs(deps, person)];
    const stranger = await callAs(deps, "backer");
    await owner.users.endSessions({ userId: person.id });
    for (const caller of [here, there]) await expect(caller.auth.touch()).rejects.toThrow("Authentication required");
    await stranger.auth.touch();
    expect(await lastAudit()).toMatchObject({
      actionType: "end_sessions",
      userId: ownerRow.id,
      details: { userId: person.id, email: person.email, sessions: 2 },
    });
    await here.auth.signIn({ email: person.email, password: person.password });
    await here.auth.touch();
  });

  test("is not for oneself nor nobody, and nothing changes", async () => {
    const [entries, own] = [await db.$count(auditLogs), await sessionsOf(ownerRow)];
    const end = (userId: string) => owner.users.endSessions({ userId });
    await expect(end(ownerRow.id)).rejects.toThrow(texts.ownAccount);
    await expect(end(crypto.randomUUID())).rejects.toThrow(texts.userNotFound);
    await expect(end("x")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await db.$count(auditLogs)).toBe(entries);
    expect(await sessionsOf(ownerRow)).toBe(own);
  });
});

test("what a person backs comes latest first, page by page, and nothing of others", async () => {
  const person = await createUser(db, { fullName: "Backing Person" });
  const other = await createUser(db);
  const titles: string[] = [];
  for (let number = 0; number < 27; number += 1) {
    const project = await createProject(db, { title: `Farm number ${number}`, isClosed: number === 26 });
    titles.push(project.title);
    const createdAt = new Date(deps.clock.now().getTime() + number);
    await db
      .insert(projectBackings)
      .values([
        { projectId: project.id, userId: person.id, grantedAt: createdAt, createdAt },
        ...(number === 3 ? [{ projectId: project.id, userId: other.id, grantedAt: createdAt, createdAt }] : []),
      ]);
  }
  expect(await owner.users.byId({ userId: person.id })).toMatchObject({
    fullName: "Backing Person",
    email: person.email,
    lastActivityAt: null,
  });
  const first = await owner.users.backedProjects({ userId: person.id });
  expect(first.items[0]).toMatchObject({ title: "Farm number 26", isClosed: true, currentFundingKobo: 0n });
  const second = await owner.users.backedProjects({ userId: person.id, cursor: first.nextCursor });
  expect([...first.items, ...second.items].map(({ title }) => title)).toEqual(titles.reverse());
  expect((await owner.users.backedProjects({ userId: other.id })).items).toHaveLength(1);
  expect(await owner.users.backedProjects({ userId: ownerRow.id })).toEqual({ items: [], nextCursor: null });
});
