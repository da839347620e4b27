import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { runCommand } from "#server/cli/commands.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { rateLimits } from "#server/db/schema/sessions.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { invitesMailedTo } from "#tests/support/invites.ts";
import { blockUser, type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps({ env: { PUBLIC_URL: "https://gona.example" } });
let ownerRow: TestUser;
let owner: Caller;
let visitor: Caller;

beforeAll(async () => {
  ownerRow = await createAdmin(deps.db, "owner", { fullName: "Chidi Eze" });
});
beforeEach(async () => {
  await deps.db.delete(rateLimits);
  // A clock that other tests moved by days ends sessions.
  owner = await callAs(deps, ownerRow);
  visitor = await callAs(deps, "anonymous");
});

let people = 0;
function invitee(role?: "owner" | "manager" | "viewer") {
  people += 1;
  return { email: `invitee-${people}@example.com`, fullName: "Ngozi Bello", ...(role && { role }) };
}
async function lastTokenTo(email: string): Promise<string> {
  return (await invitesMailedTo(deps, email)).at(-1) ?? "";
}
const findInvites = (email: string) => deps.db.select().from(adminInvites).where(eq(adminInvites.email, email));
const auditOf = async (action: string, email: string) =>
  (await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, action))).filter(
    ({ details }) => details.email === email,
  );
const snapshot = async () => [
  await deps.db.select().from(adminInvites),
  await deps.db.select().from(userRoles),
  await deps.db.$count(users),
  await deps.db.$count(auditLogs),
];

describe("an owner's invitation", () => {
  test("is kept for 72 hours, mailed with its link, and audited", async () => {
    const { email, fullName } = invitee();
    expect(await owner.team.invite({ email: ` ${email.toUpperCase()} `, fullName: ` ${fullName} ` })).toEqual({
      status: "invited",
    });
    const [row] = await findInvites(email);
    expect(row).toMatchObject({
      fullName,
      role: "manager",
      status: "invited",
      consumedAt: null,
      invitedBy: ownerRow.id,
    });
    expect(row?.expiresAt.getTime()).toBe(deps.clock.now().getTime() + 72 * 3_600_000);

    const [mail] = await queuedMailsTo(deps.db, email);
    expect(mail).toMatchObject({ subject: "You are invited to help run Gona", holdsToken: true });
    expect(mail?.text).toContain("Hello Ngozi Bello,");
    expect(mail?.text).toContain("Chidi Eze invited you to Gona as manager");
    const query = `email=${encodeURIComponent(email)}&full_name=Ngozi\\+Bello&role=manager`;
    expect(mail?.text).toMatch(
      new RegExp(
        `https://gona\\.example/admin/setup-account\\?${query}#type=invite&access_token=${row?.id}-[0-9a-f]{64}`,
      ),
    );
    const secret = (await lastTokenTo(email)).split("-")[1] ?? "";
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(await auditOf("invite_admin", email)).toMatchObject([
      { userId: ownerRow.id, ipAddress: "203.0.113.7", details: { email, fullName, role: "manager" } },
    ]);
    expect(JSON.stringify(await auditOf("invite_admin", email))).not.toContain(secret);
  });

  test("of an address with an open one takes its place: the old link stops working", async () => {
    const first = invitee();
    await owner.team.invite(first);
    const oldToken = await lastTokenTo(first.email);
    const again = { ...first, fullName: "Ngozi Bello-Eze", role: "viewer" as const };
    expect(await owner.team.invite(again)).toEqual({ status: "re-invited" });
    expect(await findInvites(first.email)).toMatchObject([{ ...again, status: "re-invited" }]);
    const newToken = await lastTokenTo(first.email);
    expect(newToken).not.toBe(oldToken);
    expect(await visitor.team.inviteByToken({ token: oldToken })).toEqual({ state: "replaced" });
    expect(await visitor.team.inviteByToken({ token: newToken })).toMatchObject({ state: "valid", role: "viewer" });
  });

  test("is sent again with a new link and another 72 hours", async () => {
    const { email, fullName } = invitee("viewer");
    await owner.team.invite({ email, fullName, role: "viewer" });
    const oldToken = await lastTokenTo(email);
    deps.clock.advance({ minutes: 20 });
    await owner.team.resendInvite({ email, fullName });
    const [row] = await findInvites(email);
    expect(row).toMatchObject({ status: "re-invited", role: "viewer" });
    expect(row?.expiresAt.getTime()).toBe(deps.clock.now().getTime() + 72 * 3_600_000);
    expect(await visitor.team.inviteByToken({ token: oldToken })).toEqual({ state: "replaced" });
    expect(await auditOf("resend_admin_invite", email)).toHaveLength(1);
  });

  test("that was removed has a dead link, and is audited", async () => {
    const { email, fullName } = invitee();
    await owner.team.invite({ email, fullName });
    const [row] = await findInvites(email);
    await owner.team.removeInvite({ inviteId: row?.id ?? 0 });
    expect(await findInvites(email)).toEqual([]);
    expect(await visitor.team.inviteByToken({ token: await lastTokenTo(email) })).toEqual({ state: "unknown" });
    expect(await auditOf("remove_admin_invite", email)).toMatchObject([{ userId: ownerRow.id }]);
    const gone = { code: "NOT_FOUND", message: "This invitation no longer exists." };
    await expect(owner.team.removeInvite({ inviteId: row?.id ?? 0 })).rejects.toMatchObject(gone);
    await expect(owner.team.resendInvite({ email, fullName })).rejects.toMatchObject(gone);
  });

  test("stands in the list, newest first, until it is accepted; secrets don't", async () => {
    const [older, newer] = [invitee(), invitee()];
    await owner.team.invite(older);
    deps.clock.advance({ seconds: 1 });
    await owner.team.invite(newer);
    const list = await owner.team.listInvites();
    expect(list.slice(0, 2).map(({ email }) => email)).toEqual([newer.email, older.email]);
    expect(Object.keys(list[0] ?? {}).sort()).toEqual(
      ["createdAt", "email", "expiresAt", "fullName", "id", "isExpired", "role", "status"].sort(),
    );
    await visitor.team.acceptInvite({
      token: await lastTokenTo(newer.email),
      fullName: "Ngozi",
      password: "Cassava-Harvest-2027",
    });
    expect((await owner.team.listInvites()).map(({ email }) => email)).not.toContain(newer.email);
  });
});

describe("refused, and nothing changed:", () => {
  const good = { email: "somebody@example.com", fullName: "Some Body" };
  test.each([
    ["no address", { ...good, email: "nobody" }, "Please enter a valid email address"],
    ["a name of one letter", { ...good, fullName: " N " }, "Name must be at least 2 characters"],
    ["another role", { ...good, role: "admin" }, "The role must be owner, manager or viewer"],
  ])("%s", async (_what, input, text) => {
    const before = await snapshot();
    await expect(owner.team.invite(input as typeof good)).rejects.toThrow(text);
    expect(await snapshot()).toEqual(before);
  });

  test.each([
    { email: "", fullName: "Ngozi" },
    { email: "a@example.com", fullName: " " },
  ])("sending again without address or name: %o", async (input) => {
    await expect(owner.team.resendInvite(input)).rejects.toThrow("User email or name is missing");
  });

  test("oneself, to raise one's own role", async () => {
    const before = await snapshot();
    await expect(owner.team.invite({ email: ownerRow.email, fullName: "Me", role: "owner" })).rejects.toThrow(
      "You can't invite yourself.",
    );
    expect(await snapshot()).toEqual(before);
  });

  test("an administrator, and a blocked person", async () => {
    const manager = await createAdmin(deps.db, "manager");
    const blocked = await createUser(deps.db);
    await blockUser(deps.db, blocked.id);
    const before = await snapshot();
    await expect(owner.team.invite({ email: manager.email, fullName: "Man", role: "owner" })).rejects.toThrow(
      "This person is an administrator already. Change their roles instead.",
    );
    await expect(owner.team.invite({ email: blocked.email, fullName: "Blo" })).rejects.toThrow(
      "This person's account is blocked. Unblock it first.",
    );
    expect(await snapshot()).toEqual(before);
  });
});

describe("at the command line", () => {
  const command = { name: "invite-admin" as const, fullName: "Ngozi Bello" };

  test("the invitation is mailed, and its link printed where no mail server is set", async () => {
    const { email } = invitee();
    const result = await runCommand(deps, { ...command, email, role: "owner" });
    expect(result.isOk).toBe(true);
    const token = await lastTokenTo(email);
    expect(result.lines.at(-1)).toMatch(/^https:\/\/gona\.example\/admin\/setup-account\?/);
    expect(result.lines.at(-1)).toContain(token);
    const [mail] = await queuedMailsTo(deps.db, email);
    expect(mail?.text).toContain("The Gona team invited you to Gona as owner");
    expect(await auditOf("invite_admin", email)).toMatchObject([{ userId: null, details: { via: "command line" } }]);
    expect(await visitor.team.inviteByToken({ token })).toMatchObject({ state: "valid", role: "owner" });
  });

  test("with a mail server the link goes nowhere else", async () => {
    const { email } = invitee();
    const withMail = { ...deps, env: { ...deps.env, smtpUrl: "smtp://mail.example" } };
    const { lines } = await runCommand(withMail, { ...command, email, role: "viewer" });
    expect(lines).toEqual([`${email} is invited as viewer.`]);
  });

  test("faults are said in a line each", async () => {
    const before = await snapshot();
    expect(await runCommand(deps, { ...command, email: "x", fullName: "N", role: "king" })).toEqual({
      isOk: false,
      lines: [
        "Please enter a valid email address\nName must be at least 2 characters\nThe role must be owner, manager or viewer",
      ],
    });
    expect(await snapshot()).toEqual(before);
  });
});

test("a role in the link that doesn't exist is logged and skipped; one that does grants nothing", async () => {
  const { email, fullName } = invitee();
  await owner.team.invite({ email, fullName, role: "viewer" });
  const token = await lastTokenTo(email);
  const warn = vi.spyOn(deps.log, "warn").mockImplementation(() => {});
  expect(await visitor.team.inviteByToken({ token, linkRole: "superuser" })).toMatchObject({ role: "viewer" });
  expect(warn).toHaveBeenCalledExactlyOnceWith({ role: "superuser" }, "invalid role in an invitation link: skipped");
  expect(await visitor.team.inviteByToken({ token, linkRole: "owner" })).toMatchObject({ role: "viewer" });
  expect(warn).toHaveBeenCalledOnce();
  warn.mockRestore();
});
