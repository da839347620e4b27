import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { rateLimits, sessions } from "#server/db/schema/sessions.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { adminTexts as texts } from "#shared/people/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { blockUser, type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
const { db } = deps;
let ownerRow: TestUser;
let owner: Caller;
let target: TestUser;

beforeEach(async () => {
  await db.delete(userRoles);
  await db.update(users).set({ isAdmin: false });
  await db.delete(rateLimits);
  ownerRow = await createAdmin(db, "owner", { fullName: "Chidi Eze" });
  owner = await callAs(deps, ownerRow);
  target = await createAdmin(db, "manager", { fullName: "Ada Obi" });
});

const rolesOf = async ({ id }: TestUser) =>
  (await db.select().from(userRoles).where(eq(userRoles.userId, id))).map(({ role }) => role).sort();
const isAdmin = async ({ id }: TestUser) => (await db.select().from(users).where(eq(users.id, id)))[0]?.isAdmin;
const sessionsOf = ({ id }: TestUser) => db.$count(sessions, eq(sessions.userId, id));
const lastAudit = async () => (await db.select().from(auditLogs).orderBy(asc(auditLogs.id))).at(-1);
const state = async () => [
  await db.select().from(userRoles).orderBy(userRoles.userId, userRoles.role),
  await db.select().from(users).orderBy(users.id),
  await db.$count(auditLogs),
  await db.$count(outgoingMails),
  await db.$count(sessions),
];
async function expectRefused(call: () => Promise<unknown>, message: string): Promise<void> {
  const before = await state();
  await expect(call()).rejects.toMatchObject({ message });
  expect(await state()).toEqual(before);
}
const entry = async (who: TestUser) => (await owner.admins.list()).find(({ id }) => id === who.id);

test("the list names administrators with their roles and status, also deactivated ones, and no backers", async () => {
  const backer = await createUser(db);
  await db.insert(userRoles).values({ userId: target.id, role: "viewer" });
  const gone = await createAdmin(db, "viewer", { fullName: "Zainab Musa" });
  await owner.admins.deactivate({ userId: gone.id });
  const listed = await owner.admins.list();
  expect(listed.map(({ fullName, roles, status, isSelf }) => ({ fullName, roles, status, isSelf }))).toEqual([
    { fullName: "Ada Obi", roles: ["manager", "viewer"], status: "active", isSelf: false },
    { fullName: "Chidi Eze", roles: ["owner"], status: "active", isSelf: true },
    { fullName: "Zainab Musa", roles: ["viewer"], status: "deactivated", isSelf: false },
  ]);
  expect(JSON.stringify(listed)).not.toContain(backer.email);
  expect(JSON.stringify(listed)).not.toContain("argon2");
});

describe("roles", () => {
  test("one is added: the person's sessions end and the change is audited", async () => {
    await callAs(deps, target);
    expect(await owner.admins.addRole({ userId: target.id, role: "owner" })).toEqual({ wasChanged: true });
    expect(await rolesOf(target)).toEqual(["manager", "owner"]);
    expect(await sessionsOf(target)).toBe(0);
    expect(await lastAudit()).toMatchObject({
      actionType: "add_role",
      userId: ownerRow.id,
      userEmail: ownerRow.email,
      details: { userId: target.id, email: target.email, role: "owner", before: ["manager"] },
    });
  });

  test("one that is held already, or not held, changes nothing", async () => {
    await callAs(deps, target);
    const before = await state();
    expect(await owner.admins.addRole({ userId: target.id, role: "manager" })).toEqual({ wasChanged: false });
    expect(await owner.admins.removeRole({ userId: target.id, role: "viewer" })).toEqual({ wasChanged: false });
    expect(await state()).toEqual(before);
  });

  test("one is taken away: the sessions end, without any role the projects can still be seen", async () => {
    await callAs(deps, target);
    await owner.admins.removeRole({ userId: target.id, role: "manager" });
    expect(await rolesOf(target)).toEqual([]);
    expect(await sessionsOf(target)).toBe(0);
    expect(await lastAudit()).toMatchObject({ actionType: "remove_role", details: { before: ["manager"], after: [] } });
    const again = await callAs(deps, target);
    expect(await again.auth.viewer()).toMatchObject({ permissions: ["projects:view"] });
  });

  test("nobody gives themselves one", async () => {
    await expectRefused(() => owner.admins.addRole({ userId: ownerRow.id, role: "manager" }), texts.ownRole);
  });

  test("the last owner keeps the role; one of two may step down", async () => {
    const step = () => owner.admins.removeRole({ userId: ownerRow.id, role: "owner" });
    await expectRefused(step, accountTexts.lastOwner);
    const blocked = await createAdmin(db, "owner");
    await blockUser(db, blocked.id);
    await expectRefused(step, accountTexts.lastOwner);
    await createAdmin(db, "owner");
    await step();
    expect(await rolesOf(ownerRow)).toEqual([]);
    expect(await owner.auth.viewer()).toBeNull();
  });

  test("a backer and a deactivated administrator can't be given one", async () => {
    const backer = await createUser(db);
    await expectRefused(() => owner.admins.addRole({ userId: backer.id, role: "owner" }), texts.notAdmin);
    await owner.admins.deactivate({ userId: target.id });
    await expectRefused(() => owner.admins.addRole({ userId: target.id, role: "owner" }), texts.notAdmin);
    await expectRefused(() => owner.admins.addRole({ userId: crypto.randomUUID(), role: "owner" }), texts.userNotFound);
  });
});

describe("an administrator", () => {
  test("is deactivated, loses every right at once, and comes back with the roles of before", async () => {
    const before = await callAs(deps, target);
    await owner.admins.deactivate({ userId: target.id });
    expect(await before.auth.viewer()).toBeNull();
    expect([await isAdmin(target), await rolesOf(target)]).toEqual([false, ["manager"]]);
    expect(await lastAudit()).toMatchObject({
      actionType: "deactivate_admin",
      details: { userId: target.id, email: target.email, before: "active", after: "deactivated" },
    });
    const asBacker = await callAs(deps, { ...target, isAdmin: false });
    expect(await asBacker.auth.viewer()).toMatchObject({ isAdmin: false, permissions: [] });

    await owner.admins.reactivate({ userId: target.id });
    expect([await isAdmin(target), await rolesOf(target)]).toEqual([true, ["manager"]]);
    expect(await asBacker.auth.viewer()).toBeNull();
    expect(await lastAudit()).toMatchObject({ actionType: "reactivate_admin" });
    await expectRefused(() => owner.admins.reactivate({ userId: target.id }), texts.notDeactivated);
  });

  test("without a role can be deactivated and reactivated too", async () => {
    const bare = await createAdmin(db, null);
    await owner.admins.deactivate({ userId: bare.id });
    expect(await entry(bare)).toMatchObject({ status: "deactivated" });
    await owner.admins.reactivate({ userId: bare.id });
    const caller = await callAs(deps, bare);
    expect(await caller.auth.viewer()).toMatchObject({ permissions: ["projects:view"] });
  });

  test("is removed with rights and roles, and can't be reactivated", async () => {
    await callAs(deps, target);
    await owner.admins.remove({ userId: target.id });
    expect([await isAdmin(target), await rolesOf(target), await sessionsOf(target)]).toEqual([false, [], 0]);
    expect(await lastAudit()).toMatchObject({
      actionType: "remove_admin",
      details: { before: { isAdmin: true, roles: ["manager"] }, after: { isAdmin: false, roles: [] } },
    });
    expect(await entry(target)).toBeUndefined();
    await expectRefused(() => owner.admins.reactivate({ userId: target.id }), texts.notDeactivated);
    await expectRefused(() => owner.admins.remove({ userId: target.id }), texts.notAdmin);
  });

  test("who is deactivated can be removed; who is blocked is not reactivated", async () => {
    await owner.admins.deactivate({ userId: target.id });
    await blockUser(db, target.id);
    await expectRefused(() => owner.admins.reactivate({ userId: target.id }), texts.isBlocked);
    await owner.admins.remove({ userId: target.id });
    expect(await rolesOf(target)).toEqual([]);
  });

  test("does none of this to their own account", async () => {
    await createAdmin(db, "owner");
    const self = { userId: ownerRow.id };
    for (const name of ["deactivate", "reactivate", "remove"] as const)
      await expectRefused(() => owner.admins[name](self), texts.ownAccount);
    await expectRefused(() => owner.users.block(self), texts.ownAccount);
  });

  test("gets a link for a new password by mail, three times an hour", async () => {
    for (let sent = 0; sent < 3; sent += 1) await owner.admins.sendPasswordReset({ userId: target.id });
    const mails = await queuedMailsTo(db, target.email);
    expect(mails).toHaveLength(3);
    expect(mails[0]?.text).toContain("/admin/reset-password#type=recovery&access_token=");
    expect(await lastAudit()).toMatchObject({
      actionType: "send_password_reset",
      details: { userId: target.id, email: target.email },
    });
    expect(JSON.stringify(await lastAudit())).not.toContain("access_token");
    await expectRefused(
      () => owner.admins.sendPasswordReset({ userId: target.id }),
      "Too many attempts. Please try again later.",
    );
    const backer = await createUser(db);
    await expectRefused(() => owner.admins.sendPasswordReset({ userId: backer.id }), texts.notAdmin);
  });
});
