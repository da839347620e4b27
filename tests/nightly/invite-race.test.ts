import { and, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { consumeInviteFor } from "#server/accounts/invites.ts";
import { inTransaction } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { rateLimits } from "#server/db/schema/sessions.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import { invitesMailedTo } from "#tests/support/invites.ts";
import { raceRounds } from "#tests/support/length.ts";
import { contextOf } from "#tests/support/money.ts";
import { blockUser, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";

const {
  deps,
  replicas: [replica],
} = await openTestReplicas();
let owner: TestUser;

beforeAll(async () => {
  owner = await createAdmin(deps.db, "owner");
});

const accept = (token: string) => ({ token, fullName: "Ngozi Bello", password: "Cassava-Harvest-2027" });
/** A round begins with no try counted: all rounds together are more than the limit. */
async function rounds(play: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < raceRounds; round += 1) {
    await deps.db.delete(rateLimits);
    await play(round);
  }
}

async function tokenFor(email: string, by = owner): Promise<string> {
  await (await callAs(deps, by)).team.invite({ email, fullName: "Ngozi Bello", role: "viewer" });
  return (await invitesMailedTo(deps, email)).at(-1) ?? "";
}
const statuses = (results: PromiseSettledResult<unknown>[]) => results.map(({ status }) => status).sort();
const refusals = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === "rejected" ? [(result.reason as Error).message] : []));
const acceptances = (email: string) =>
  deps.db.$count(auditLogs, and(eq(auditLogs.actionType, "accept_admin_invite"), eq(auditLogs.userEmail, email)));

test("a link that is used twice at once, also through two replicas, works exactly once", () =>
  rounds(async (round) => {
    const email = `new-${round}@example.com`;
    const token = await tokenFor(email);
    const callers = [await callAs(deps, "anonymous"), await callAs(replica, "anonymous")];
    const results = await Promise.allSettled(callers.map((caller) => caller.team.acceptInvite(accept(token))));
    expect(statuses(results)).toEqual(["fulfilled", "rejected"]);
    expect(refusals(results)).toEqual(["This invitation has been used already."]);
    expect(await acceptances(email)).toBe(1);
    const viewers = await Promise.all(callers.map((caller) => caller.auth.viewer()));
    expect(viewers.filter((viewer) => viewer?.isAdmin)).toHaveLength(1);
  }));

test("a signed-in person who accepts twice at once has one role by one acceptance", () =>
  rounds(async () => {
    const user = await createUser(deps.db);
    const token = await tokenFor(user.email);
    const callers = [await callAs(deps, user), await callAs(replica, user)];
    const results = await Promise.allSettled(callers.map((caller) => caller.team.acceptInviteSignedIn({ token })));
    expect(statuses(results)).toEqual(["fulfilled", "rejected"]);
    expect(await acceptances(user.email)).toBe(1);
    expect(await deps.db.$count(userRoles, eq(userRoles.userId, user.id))).toBe(1);
  }));

test("the mailed link and a return from the provider at once: one of them uses the invitation up", () =>
  rounds(async () => {
    const user = await createUser(deps.db);
    const token = await tokenFor(user.email);
    const caller = await callAs(deps, user);
    const ctx = await contextOf(replica, user);
    await Promise.allSettled([
      caller.team.acceptInviteSignedIn({ token }),
      inTransaction(replica.db, async (tx) => {
        const [locked] = await tx.select().from(users).where(eq(users.id, user.id)).for("no key update");
        return locked ? consumeInviteFor(tx, ctx, locked) : false;
      }),
    ]);
    expect(await acceptances(user.email)).toBe(1);
  }));

test("an address invited twice at once has one open invitation, and one link that works", () =>
  rounds(async (round) => {
    const email = `twice-${round}@example.com`;
    const callers = [await callAs(deps, owner), await callAs(replica, owner)];
    const input = { email, fullName: "Ngozi Bello" };
    const results = await Promise.all(callers.map((caller) => caller.team.invite(input)));
    expect(results.map(({ status }) => status).sort()).toEqual(["invited", "re-invited"]);
    expect(await deps.db.$count(adminInvites, eq(adminInvites.email, email))).toBe(1);
    const visitor = await callAs(deps, "anonymous");
    const states = await Promise.all(
      (await invitesMailedTo(deps, email)).map(async (token) => (await visitor.team.inviteByToken({ token })).state),
    );
    expect(states.sort()).toEqual(["replaced", "valid"]);
  }));

test("an inviter who is blocked while the link is used: either comes first, and then it counts", () =>
  rounds(async (round) => {
    const inviter = await createAdmin(deps.db, "owner");
    const email = `by-blocked-${round}@example.com`;
    const token = await tokenFor(email, inviter);
    const visitor = await callAs(deps, "anonymous");
    const [result] = await Promise.allSettled([
      visitor.team.acceptInvite(accept(token)),
      blockUser(replica.db, inviter.id),
    ]);
    const joined = await deps.db.$count(users, eq(users.email, email));
    expect(joined).toBe(result.status === "fulfilled" ? 1 : 0);
    if (result.status === "rejected") expect(refusals([result])).toEqual(["This invitation was withdrawn."]);
  }));
