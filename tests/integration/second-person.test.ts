import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { keepOwnerTerms } from "#server/accounts/owners/owner-terms.ts";
import { inTransaction } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { users } from "#server/db/schema/users.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { accountTexts, closePhrase } from "#shared/accounts/texts.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { secondPersonTexts as texts, writeOffTexts } from "#shared/second-person/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createPayment, decide, expectMoneyHolds, findPayment } from "#tests/support/money.ts";
import {
  blockUser,
  type Caller,
  callAs,
  createAdmin,
  createUser,
  dismissAdmins,
  type TestUser,
} from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { codeAt, enrol, wrongCodeAt } from "#tests/support/two-factor.ts";

/** Acts that take two owners, shown on the first kind: writing a round off. */

const deps = await openTestDeps();
const reason = "The ponds were flooded, and no fish is left.";
let amaka: TestUser;
let tunde: TestUser;
let ada: TestUser;
let project: TestProject;
let paymentId: number;

/** Two owners, and a round that Ada's payment has sold out. */
startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  tunde = await createAdmin(deps.db, "owner", { fullName: "Tunde Ade" });
  ada = await createUser(deps.db, { fullName: "Ada Eze" });
  const first = await createProject(deps.db, { title: "Catfish ponds" });
  const { payment } = await createPayment(deps, { project: first, backer: ada, owner: amaka, status: "approved" });
  paymentId = payment.id;
  return () => {
    project = first;
  };
});
afterEach(() => expectMoneyHolds(deps));

const as = (who: TestUser) => callAs(deps, who);
const ask = async (by: TestUser | Caller, words = reason) =>
  ("id" in by ? await as(by) : by).secondPerson.ask({
    kind: "write_off",
    details: { projectId: project.id, round: 1 },
    reason: words,
  });
const openRequest = async (by: TestUser) => {
  const { requests } = await (await as(by)).secondPerson.list();
  const found = requests.find(({ projectId }) => projectId === project.id);
  if (!found) throw new Error("nothing is asked");
  return found;
};
const requestsOf = () =>
  deps.db
    .select()
    .from(secondPersonRequests)
    .where(eq(secondPersonRequests.subject, `${project.id}/1`));
const outcome = async () => (await findRound(deps.db, { projectId: project.id, round: 1 })).outcome;
const actionsOf = async () =>
  (await deps.db.select({ action: auditLogs.actionType }).from(auditLogs).orderBy(auditLogs.id))
    .map(({ action }) => action)
    .filter((action) => /second_person|write_off|withdraw/.test(action));

describe("asking", () => {
  test("changes nothing yet, tells the other owners, and says what would happen", async () => {
    await ask(amaka);
    expect(await outcome()).toBe("funded");
    expect(await openRequest(tunde)).toMatchObject({
      askedBy: "Amaka Obi",
      reason,
      title: "End round 1 of Catfish ponds",
      consequences: [
        "₦500,000 of approved payments can't be taken back or given back any more.",
        "The one backer of the round reads the reason on the project's page and in an email.",
        "The project can be deleted then. This can't be undone.",
      ],
      isOwn: false,
    });
    expect((await openRequest(amaka)).isOwn).toBe(true);
    const told = await deps.db.select().from(notifications).where(eq(notifications.kind, "second_person"));
    expect(told.filter(({ projectId }) => projectId === project.id).map(({ userId }) => userId)).toEqual([tunde.id]);
    expect((await queuedMailsTo(deps.db, tunde.email)).map(({ subject }) => subject)).toContain(
      "A second person is needed: End round 1 of Catfish ponds",
    );
    expect((await queuedMailsTo(deps.db, amaka.email)).map(({ subject }) => subject)).not.toContain(
      "A second person is needed: End round 1 of Catfish ponds",
    );
  });

  test("a second time for the same is refused, until the first has ended", async () => {
    await ask(amaka);
    await expect(ask(tunde)).rejects.toThrow(texts.alreadyAsked);
    await (await as(tunde)).secondPerson.decline({ requestId: (await openRequest(tunde)).id });
    await ask(tunde);
    expect((await requestsOf()).map(({ decision }) => decision).sort()).toEqual(["declined", null]);
  });

  test("is refused without words, for an open project, and where nothing is sold", async () => {
    await expect(ask(amaka, "Too short")).rejects.toThrow(texts.reasonTooShort);
    await expect(ask(amaka, `${" ".repeat(30)}too short`)).rejects.toThrow(texts.reasonTooShort);
    await (await as(amaka)).projects.reopen({ projectId: project.id });
    const caller = await as(amaka);
    const second = { kind: "write_off", details: { projectId: project.id, round: 2 }, reason } as const;
    await expect(caller.secondPerson.ask(second)).rejects.toThrow(writeOffTexts.nothingSold);
    const lots = await createProject(deps.db, { lots: 4, minimumLots: 2 });
    await createPayment(deps, { project: lots, backer: ada, owner: amaka, status: "approved" });
    const open = { kind: "write_off", details: { projectId: lots.id, round: 1 }, reason } as const;
    await expect(caller.secondPerson.ask(open)).rejects.toThrow(writeOffTexts.roundOpen);
    expect(await requestsOf()).toEqual([]);
  });

  test("waits for payments that could still be approved", async () => {
    const lots = await createProject(deps.db, { lots: 4, minimumLots: 2 });
    await createPayment(deps, { project: lots, owner: amaka, status: "approved" });
    const { payment } = await createPayment(deps, { project: lots, owner: amaka });
    await (await as(amaka)).projects.close({ projectId: lots.id });
    const details = { projectId: lots.id, round: 1 };
    const write = async () => (await as(amaka)).secondPerson.ask({ kind: "write_off", details, reason });
    await expect(write()).rejects.toThrow(paymentTexts.paymentsWait(1));
    await decide(deps, amaka, { paymentId: payment.id, status: "rejected" });
    await write();
  });
});

describe("confirming", () => {
  test("writes the round off: the backer reads why, nothing is taken back, and the project can go", async () => {
    await ask(amaka);
    const before = await findPayment(deps.db, paymentId);
    const caller = await as(tunde);
    await expect(caller.projects.delete({ projectId: project.id })).rejects.toThrow(projectAdminTexts.hasMoney);
    await caller.secondPerson.confirm({ requestId: (await openRequest(tunde)).id });
    expect(await outcome()).toBe("written_off");
    expect(await findPayment(deps.db, paymentId)).toEqual(before);
    expect((await actionsOf()).slice(-3)).toEqual(["ask_second_person", "confirm_as_second_person", "write_off_round"]);
    const backed = await (await as(ada)).backings.project({ projectId: project.id });
    expect(backed.writtenOff).toEqual([{ round: 1, at: deps.clock.now(), reason }]);
    const [mail] = (await queuedMailsTo(deps.db, ada.email)).filter(({ subject }) => subject.includes("has ended"));
    expect(mail?.text).toContain(reason);
    expect((await queuedMailsTo(deps.db, amaka.email)).map(({ subject }) => subject)).toContain(
      "Your request was confirmed: End round 1 of Catfish ponds",
    );
    await expect(decide(deps, amaka, { paymentId, status: "rejected" })).rejects.toThrow(writeOffTexts.writtenOff);
    await caller.projects.delete({ projectId: project.id });
    await expect(decide(deps, amaka, { paymentId, status: "pending" })).rejects.toThrow(writeOffTexts.writtenOff);
  });

  test("ends a round below its minimum too, and approves nothing of it any more", async () => {
    project = await createProject(deps.db, { title: "Snails", lots: 4, minimumLots: 2 });
    await createPayment(deps, { project, backer: ada, owner: amaka, status: "approved" });
    const { payment: rejected } = await createPayment(deps, { project, owner: amaka, status: "rejected" });
    await (await as(amaka)).projects.close({ projectId: project.id });
    await ask(amaka);
    await (await as(tunde)).secondPerson.confirm({ requestId: (await openRequest(tunde)).id });
    const approval = decide(deps, amaka, { paymentId: rejected.id, status: "approved" });
    await expect(approval).rejects.toThrow(writeOffTexts.writtenOff);
    const giveBack = { projectId: project.id, outcome: "not_funded", seenApprovedLots: 1 } as const;
    await expect((await as(amaka)).payments.decideRound(giveBack)).rejects.toThrow(paymentTexts.roundDecided);
  });

  test("is not for whoever asked, while there is another owner", async () => {
    await ask(amaka);
    const { id: requestId } = await openRequest(amaka);
    const own = (await as(amaka)).secondPerson.confirm({ requestId, currentPassword: amaka.password });
    await expect(own).rejects.toThrow(texts.needsAnother);
    await expect((await as(amaka)).secondPerson.decline({ requestId })).rejects.toThrow(texts.notOwn);
    await expect((await as(tunde)).secondPerson.withdraw({ requestId })).rejects.toThrow(texts.onlyOwn);
    expect(await outcome()).toBe("funded");
  });

  test("checks anew what has changed since", async () => {
    await ask(amaka);
    const { id: requestId } = await openRequest(tunde);
    await decide(deps, amaka, { paymentId, status: "rejected" });
    await expect((await as(tunde)).secondPerson.confirm({ requestId })).rejects.toThrow(writeOffTexts.nothingSold);
    expect((await openRequest(tunde)).isPossible).toBe(false);
    expect(await requestsOf()).toMatchObject([{ decision: null }]);
  });
});

describe("a request ends", () => {
  const refused = async () => {
    const [request] = await requestsOf();
    if (!request) throw new Error("nothing was asked");
    expect((await (await as(tunde)).secondPerson.list()).requests).toEqual([]);
    const confirmation = (await as(tunde)).secondPerson.confirm({ requestId: request.id });
    await expect(confirmation).rejects.toThrow(texts.gone);
    expect(await outcome()).toBe("funded");
  };

  test("after seven days, to the moment", async () => {
    const at = deps.clock.now();
    await ask(amaka);
    deps.clock.advance({ days: 7, ms: -1 });
    await openRequest(tunde);
    deps.clock.advance({ ms: 1 });
    await refused();
    await ask(tunde);
    expect((await requestsOf()).map(({ decision }) => decision).sort()).toEqual(["lapsed", null]);
    deps.clock.set(at);
  });

  test("when it is withdrawn", async () => {
    await ask(amaka);
    await (await as(amaka)).secondPerson.withdraw({ requestId: (await openRequest(amaka)).id });
    await refused();
    expect((await actionsOf()).at(-1)).toBe("withdraw_request");
  });

  const ways: Record<string, (caller: Caller) => Promise<unknown>> = {
    "loses the owner's role": (caller) => caller.admins.removeRole({ userId: amaka.id, role: "owner" }),
    "is deactivated": (caller) => caller.admins.deactivate({ userId: amaka.id }),
    "is removed": (caller) => caller.admins.remove({ userId: amaka.id }),
    "is blocked": (caller) => caller.users.block({ userId: amaka.id }),
  };
  test.each(Object.entries(ways))("when whoever asked %s, even if the rights come back", async (_how, takeAway) => {
    await createAdmin(deps.db, "owner");
    await ask(amaka);
    await takeAway(await as(tunde));
    await refused();
    await deps.db.update(users).set({ isAdmin: true, isBlocked: false }).where(eq(users.id, amaka.id));
    await inTransaction(deps.db, (tx) => keepOwnerTerms(tx, deps.clock.now()));
    expect(await requestsOf()).toMatchObject([{ decision: "lapsed", decidedBy: null }]);
    await refused();
  });

  test("when whoever asked closes the account", async () => {
    await ask(amaka);
    await (await as(amaka)).users.close({ currentPassword: amaka.password, confirmation: closePhrase });
    await refused();
  });

  test("without the rows knowing, when whoever asked is no owner any more", async () => {
    await ask(amaka);
    await blockUser(deps.db, amaka.id);
    await refused();
  });
});

describe("an owner who is alone", () => {
  startEachWith(deps, async () => {
    await dismissAdmins(deps.db, tunde.id);
  });

  test("confirms with a code of the second factor, which counts once", async () => {
    const { secret } = await enrol(deps, amaka);
    await ask(amaka);
    const { id: requestId } = await openRequest(amaka);
    const caller = await as(amaka);
    expect((await openRequest(amaka)).refusal).toBeNull();
    const confirm = (code?: string) =>
      caller.secondPerson.confirm({ requestId, currentPassword: amaka.password, ...(code && { code }) });
    await expect(confirm()).rejects.toThrow(twoFactorTexts.codeMissing);
    await expect(confirm(wrongCodeAt(secret, deps.clock.now()))).rejects.toThrow(twoFactorTexts.codeWrong);
    await expect(caller.secondPerson.confirm({ requestId })).rejects.toThrow(accountTexts.passwordMissing);
    expect(await outcome()).toBe("funded");
    deps.clock.advance({ seconds: 30 });
    const code = codeAt(secret, deps.clock.now());
    await confirm(code);
    expect(await outcome()).toBe("written_off");
    expect(await requestsOf()).toMatchObject([{ decision: "confirmed", isAlone: true, decidedBy: amaka.id }]);

    project = await createProject(deps.db);
    await createPayment(deps, { project, backer: ada, owner: amaka, status: "approved" });
    await ask(amaka);
    const next = { requestId: (await openRequest(amaka)).id, currentPassword: amaka.password, code };
    await expect(caller.secondPerson.confirm(next)).rejects.toThrow(twoFactorTexts.codeWrong);
    expect(await outcome()).toBe("funded");
  });

  test("without a second factor can't", async () => {
    await ask(amaka);
    const { id: requestId } = await openRequest(amaka);
    const confirmation = (await as(amaka)).secondPerson.confirm({ requestId, currentPassword: amaka.password });
    await expect(confirmation).rejects.toThrow(texts.needsFactor);
    expect(await outcome()).toBe("funded");
  });
});
