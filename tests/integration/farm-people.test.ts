import { and, desc, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { farmInvites, farmPeople, farms } from "#server/db/schema/farms.ts";
import { rateLimits } from "#server/db/schema/sessions.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import type { FarmRole } from "#shared/farms/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { blockUser, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createFarm, type TestFarm } from "#tests/support/projects.ts";

const deps = await openTestDeps();
const { db } = deps;
let manager: TestUser;
let farm: TestFarm;

beforeAll(async () => {
  manager = await createAdmin(db, "manager", { fullName: "Chidi Eze" });
});
beforeEach(async () => {
  await db.delete(rateLimits);
  farm = await createFarm(db, { name: "Epe Ponds" });
});

const link = /\/farm\/invitation#type=invite&access_token=(\d+-[0-9a-f]{64})/;
const tokensTo = async (email: string) =>
  (await queuedMailsTo(db, email)).flatMap(({ text }) => link.exec(text)?.[1] ?? []);

async function inviteTo(email: string, role: FarmRole = "reporter", by = manager, farmId = farm.id): Promise<string> {
  await (await callAs(deps, by)).farms.invite({ farmId, email, fullName: "Ngozi Bello", role });
  return (await tokensTo(email)).at(-1) ?? "";
}
let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `field-${addresses}@example.com`;
};
const workOf = (userId: string) =>
  db
    .select({ farmId: farmPeople.farmId, role: farmPeople.role, endedAt: farmPeople.endedAt })
    .from(farmPeople)
    .where(eq(farmPeople.userId, userId))
    .orderBy(farmPeople.id);
const openInvites = async () => (await (await callAs(deps, manager)).farms.one({ farmId: farm.id })).invites;
const lastAudit = async () => (await db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1))[0];

describe("an invitation", () => {
  test("goes by mail, says what it is for, and is kept as a hash; once sent again the former link is replaced", async () => {
    const email = newAddress();
    const token = await inviteTo(email, "keeper");
    const [mail] = await queuedMailsTo(db, email);
    expect(mail?.subject).toBe("You are invited to report for Epe Ponds");
    expect(mail?.text).toContain("Chidi Eze invited you to Gona as a keeper of Epe Ponds.");
    expect(await lastAudit()).toMatchObject({ actionType: "invite_farm_person", details: { email, role: "keeper" } });
    const [row] = await db.select().from(farmInvites).where(eq(farmInvites.email, email));
    expect(JSON.stringify(row)).not.toContain(token.split("-")[1]);

    const [open] = await openInvites();
    await (await callAs(deps, manager)).farms.resendInvite({ inviteId: open?.id ?? 0 });
    const tokens = await tokensTo(email);
    expect(new Set(tokens).size).toBe(2);
    expect(await openInvites()).toHaveLength(1);
    const visitor = await callAs(deps, "anonymous");
    expect(await visitor.farms.inviteByToken({ token: tokens[0] ?? "" })).toEqual({ state: "replaced" });
    expect(await visitor.farms.inviteByToken({ token: tokens[1] ?? "" })).toEqual({
      state: "valid",
      step: "sign-up",
      email,
      farmName: "Epe Ponds",
      role: "keeper",
    });
  });

  test("makes whoever confirmed that address one of the farm's people, once, and no administrator", async () => {
    const user = await createUser(db);
    const token = await inviteTo(user.email, "keeper");
    const visitor = await callAs(deps, "anonymous");
    expect(await visitor.farms.inviteByToken({ token })).toMatchObject({ step: "sign-in" });
    await expect(visitor.farms.acceptInvite({ token })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const self = await callAs(deps, user);
    expect(await self.farms.inviteByToken({ token })).toMatchObject({ step: "accept" });
    expect(await self.farms.acceptInvite({ token })).toEqual({ farmName: "Epe Ponds", role: "keeper" });
    expect(await workOf(user.id)).toEqual([{ farmId: farm.id, role: "keeper", endedAt: null }]);
    expect(await self.auth.viewer()).toMatchObject({ isAdmin: false, permissions: [], hasFarm: true });
    expect(await db.$count(userRoles, eq(userRoles.userId, user.id))).toBe(0);
    expect(await lastAudit()).toMatchObject({ actionType: "accept_farm_invite", userId: user.id });
    await expect(self.farms.acceptInvite({ token })).rejects.toThrow("This invitation has been used already.");
    expect(await workOf(user.id)).toHaveLength(1);
  });

  test("takes no address that isn't confirmed, and nobody else's account", async () => {
    const unconfirmed = await createUser(db, { emailVerifiedAt: null });
    const token = await inviteTo(unconfirmed.email);
    const self = await callAs(deps, unconfirmed);
    expect(await self.farms.inviteByToken({ token })).toMatchObject({ step: "confirm" });
    await expect(self.farms.acceptInvite({ token })).rejects.toThrow("Confirm this address first.");
    const stranger = await createUser(db);
    const other = await callAs(deps, stranger);
    expect(await other.farms.inviteByToken({ token })).toMatchObject({ step: "sign-out" });
    await expect(other.farms.acceptInvite({ token })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect([...(await workOf(unconfirmed.id)), ...(await workOf(stranger.id))]).toEqual([]);
    await db.update(users).set({ emailVerifiedAt: deps.clock.now() }).where(eq(users.id, unconfirmed.id));
    await self.farms.acceptInvite({ token });
    expect(await workOf(unconfirmed.id)).toHaveLength(1);
  });

  const farmIsClosed = () => db.update(farms).set({ closedAt: deps.clock.now() }).where(eq(farms.id, farm.id));
  test.each<[string, string, (inviter: TestUser) => Promise<unknown>]>([
    ["expired", "This invitation has expired.", async () => deps.clock.advance({ hours: 72 })],
    ["withdrawn", "This invitation was withdrawn.", farmIsClosed],
    ["withdrawn", "This invitation was withdrawn.", (inviter) => blockUser(db, inviter.id)],
    [
      "withdrawn",
      "This invitation was withdrawn.",
      (inviter) => db.update(userRoles).set({ role: "viewer" }).where(eq(userRoles.userId, inviter.id)),
    ],
    [
      "withdrawn",
      "This invitation was withdrawn.",
      async () => {
        const [open] = await openInvites();
        await (await callAs(deps, manager)).farms.revokeInvite({ inviteId: open?.id ?? 0 });
      },
    ],
  ])("is %s: %s", async (state, text, happen) => {
    const inviter = await createAdmin(db, "manager");
    const user = await createUser(db);
    const token = await inviteTo(user.email, "keeper", inviter);
    await happen(inviter);
    const self = await callAs(deps, user);
    expect(await self.farms.inviteByToken({ token })).toEqual({ state });
    await expect(self.farms.acceptInvite({ token })).rejects.toThrow(text);
    expect(await workOf(user.id)).toEqual([]);
  });

  test("that was made up opens nothing, and can't be guessed for long", async () => {
    const token = await inviteTo(newAddress());
    const visitor = await callAs(deps, "anonymous");
    const [id, secret = ""] = token.split("-");
    for (const made of ["", secret, `0-${secret}`, `${"9".repeat(15)}-${secret}`, `${id}-${secret}0`])
      expect(await visitor.farms.inviteByToken({ token: made })).toEqual({ state: "unknown" });
    expect(await visitor.farms.inviteByToken({ token: `${id}-${"0".repeat(64)}` })).toEqual({ state: "replaced" });
    for (let time = 0; time < 54; time += 1) await visitor.farms.inviteByToken({ token: "x" });
    await expect(visitor.farms.inviteByToken({ token })).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  });

  test("takes the password, and isn't for a closed farm, a blocked person or whoever works for it already", async () => {
    const invite = { farmId: farm.id, fullName: "Ngozi Bello", role: "reporter" as const };
    const office = await callAs(deps, manager);
    const unproved = await callAs(deps, manager, { isProved: false });
    await expect(unproved.farms.invite({ ...invite, email: newAddress() })).rejects.toThrow("password");
    const blocked = await createUser(db);
    await blockUser(db, blocked.id);
    await expect(office.farms.invite({ ...invite, email: blocked.email })).rejects.toThrow("blocked");
    const worker = await createFarmPerson(db, farm.id, "reporter");
    await expect(office.farms.invite({ ...invite, email: worker.email })).rejects.toThrow("works for the farm already");
    await db.update(farms).set({ closedAt: deps.clock.now() }).where(eq(farms.id, farm.id));
    await expect(office.farms.invite({ ...invite, email: newAddress() })).rejects.toThrow("This farm is closed.");
    expect(await db.$count(farmInvites, eq(farmInvites.farmId, farm.id))).toBe(0);
  });

  test("of two farms makes one person work for both", async () => {
    const second = await createFarm(db, { name: "Second Farm" });
    const user = await createUser(db);
    const self = await callAs(deps, user);
    await self.farms.acceptInvite({ token: await inviteTo(user.email, "keeper") });
    await self.farms.acceptInvite({ token: await inviteTo(user.email, "reporter", manager, second.id) });
    expect((await self.farms.mine()).map(({ name, role }) => [name, role])).toEqual([
      ["Epe Ponds", "keeper"],
      ["Second Farm", "reporter"],
    ]);
  });

  test("accepted twice at once counts once", async () => {
    const user = await createUser(db);
    const token = await inviteTo(user.email);
    const self = await callAs(deps, user);
    const answers = await Promise.allSettled([1, 2, 3].map(() => self.farms.acceptInvite({ token })));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await workOf(user.id)).toHaveLength(1);
  });
});

describe("a person's work", () => {
  const personIdOf = async (userId: string) =>
    (
      await db
        .select({ id: farmPeople.id })
        .from(farmPeople)
        .where(and(eq(farmPeople.farmId, farm.id), eq(farmPeople.userId, userId)))
        .orderBy(desc(farmPeople.id))
    )[0]?.id ?? 0;

  test("ends at once, is audited, and can begin again by another invitation", async () => {
    const keeper = await createFarmPerson(db, farm.id, "keeper");
    const self = await callAs(deps, keeper);
    const office = await callAs(deps, manager);
    expect(await self.farms.money()).toEqual([]);
    const personId = await personIdOf(keeper.id);
    await office.farms.endPerson({ personId });
    await expect(self.farms.money()).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(self.farms.mine()).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await lastAudit()).toMatchObject({ actionType: "end_farm_person", details: { userId: keeper.id } });
    await expect(office.farms.endPerson({ personId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await self.farms.acceptInvite({ token: await inviteTo(keeper.email, "reporter") });
    expect((await workOf(keeper.id)).map(({ role, endedAt }) => [role, endedAt === null])).toEqual([
      ["keeper", false],
      ["reporter", true],
    ]);
  });

  test("changes its role, and both stay known", async () => {
    const person = await createFarmPerson(db, farm.id, "reporter");
    const office = await callAs(deps, manager);
    const personId = await personIdOf(person.id);
    await office.farms.changeRole({ personId, role: "keeper" });
    expect(await (await callAs(deps, person)).farms.money()).toEqual([]);
    expect((await workOf(person.id)).map(({ role }) => role)).toEqual(["reporter", "keeper"]);
    expect(await lastAudit()).toMatchObject({
      actionType: "change_farm_role",
      details: { before: "reporter", role: "keeper" },
    });
    await expect(office.farms.changeRole({ personId, role: "keeper" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const again = { personId: await personIdOf(person.id), role: "keeper" as const };
    await expect(office.farms.changeRole(again)).rejects.toThrow("The person does that already.");
    expect(await workOf(person.id)).toHaveLength(2);
  });

  test("isn't the farm's people's to give", async () => {
    const keeper = await createFarmPerson(db, farm.id, "keeper");
    const self = await callAs(deps, keeper);
    const before = [await db.$count(farmInvites), await db.$count(farmPeople), await db.$count(auditLogs)];
    const email = newAddress();
    const personId = await personIdOf(keeper.id);
    for (const attempt of [
      () => self.farms.invite({ farmId: farm.id, email, fullName: "Friend", role: "keeper" }),
      () => self.farms.changeRole({ personId, role: "reporter" }),
      () => self.farms.endPerson({ personId }),
      () => self.farms.one({ farmId: farm.id }),
      () => self.farms.close({ farmId: farm.id }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect([await db.$count(farmInvites), await db.$count(farmPeople), await db.$count(auditLogs)]).toEqual(before);
  });
});
