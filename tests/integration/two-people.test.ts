import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { backingWeights } from "#server/db/schema/projects.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { ownerTerms } from "#server/db/schema/users.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { secondPersonTexts as texts } from "#shared/second-person/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import {
  createPayment,
  decide,
  expectMoneyHolds,
  findPayment,
  listViolated,
  setBankDetails,
} from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, giveRole, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { codeAt, enrol } from "#tests/support/two-factor.ts";

/** Two people are two people, also when one of them is dishonest: attacks by direct calls, and what they leave. */

const deps = await openTestDeps();
const { db, clock } = deps;
const reason = "The ponds were flooded, and no fish is left.";
let amaka: TestUser;
let tunde: TestUser;
let projectId: number;

startEachWith(deps, async () => {
  amaka = await createAdmin(db, "owner", { fullName: "Amaka Obi" });
  tunde = await createAdmin(db, "owner", { fullName: "Tunde Ade" });
  await setBankDetails(db);
  const project = await createProject(db, { title: "Catfish ponds" });
  projectId = project.id;
  await createPayment(deps, { project, backer: await createUser(db), owner: amaka, status: "approved" });
});
afterEach(() => expectMoneyHolds(deps));

const as = (who: TestUser) => callAs(deps, who);

async function askToWriteOff(by: TestUser): Promise<number> {
  await (await as(by)).secondPerson.ask({ kind: "write_off", details: { projectId, round: 1 }, reason });
  const [request] = await db.select().from(secondPersonRequests).where(eq(secondPersonRequests.requestedBy, by.id));
  return request?.id ?? 0;
}

/** Expects a confirmation to be refused in these words, and nothing to happen. */
async function expectRefused(
  by: TestUser,
  confirmation: Parameters<Caller["secondPerson"]["confirm"]>[0],
  words: string,
): Promise<void> {
  const before = await db.$count(ledgerTransactions);
  await expect((await as(by)).secondPerson.confirm(confirmation)).rejects.toThrow(words);
  expect((await findRound(db, { projectId, round: 1 })).outcome).toBe("funded");
  expect(await db.$count(secondPersonRequests, eq(secondPersonRequests.decision, "confirmed"))).toBe(0);
  expect(await db.$count(ledgerTransactions)).toBe(before);
}

const hoursLater = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000);

describe("one of two owners", () => {
  const ways: Record<string, (caller: Caller) => Promise<unknown>> = {
    "deactivates the other": (caller) => caller.admins.deactivate({ userId: tunde.id }),
    "takes the other's role": (caller) => caller.admins.removeRole({ userId: tunde.id, role: "owner" }),
    "removes the other": (caller) => caller.admins.remove({ userId: tunde.id }),
    "blocks the other": (caller) => caller.users.block({ userId: tunde.id }),
  };

  test.each(Object.entries(ways))("who %s is alone a week later, not at once", async (_, takeAway) => {
    const { secret } = await enrol(deps, amaka);
    await takeAway(await as(amaka));
    const alone = hoursLater(7 * 24);
    const requestId = await askToWriteOff(amaka);
    const proof = () => ({ currentPassword: amaka.password, code: codeAt(secret, clock.now()) });
    clock.advance({ seconds: 30 });
    await expectRefused(amaka, { requestId, ...proof() }, texts.aloneFrom(alone));
    const [listed] = (await (await as(amaka)).secondPerson.list()).requests;
    expect(listed?.refusal).toBe(texts.aloneFrom(alone));
    // The request ends with its week, so a new one is made.
    clock.set(new Date(alone.getTime() + 1000));
    const next = await askToWriteOff(amaka).then(async () => (await (await as(amaka)).secondPerson.list()).requests[0]);
    expect(next?.refusal).toBeNull();
    await (await as(amaka)).secondPerson.confirm({ requestId: next?.id ?? 0, ...proof() });
    expect((await findRound(db, { projectId, round: 1 })).outcome).toBe("written_off");
  });
});

describe("a second address of one person's", () => {
  /** An owner by an invitation that was accepted just now. */
  async function inviteOwner(): Promise<TestUser> {
    const puppet = await createUser(db, { isAdmin: true });
    await giveRole(db, puppet.id, "owner", clock.now());
    return puppet;
  }

  test("neither confirms nor asks within 72 hours", async () => {
    const puppet = await inviteOwner();
    const counts = hoursLater(72);
    const asked = await askToWriteOff(amaka);
    await expectRefused(puppet, { requestId: asked }, texts.countsFrom(counts));
    await (await as(amaka)).secondPerson.withdraw({ requestId: asked });
    const turned = await askToWriteOff(puppet);
    await expectRefused(amaka, { requestId: turned }, texts.makerCountsFrom(counts));
    clock.set(counts);
    await (await as(amaka)).secondPerson.confirm({ requestId: turned });
    expect((await findRound(db, { projectId, round: 1 })).outcome).toBe("written_off");
  });

  test("begins its 72 hours anew after a break", async () => {
    const requestId = await askToWriteOff(amaka);
    await (await as(amaka)).admins.deactivate({ userId: tunde.id });
    clock.advance({ hours: 1 });
    await (await as(amaka)).admins.reactivate({ userId: tunde.id });
    await expectRefused(tunde, { requestId }, texts.countsFrom(hoursLater(72)));
    const terms = await db.select().from(ownerTerms).where(eq(ownerTerms.userId, tunde.id)).orderBy(ownerTerms.id);
    expect(terms.map(({ until }) => until === null)).toEqual([false, true]);
  });
});

test("an owner whose term was forgotten counts as nobody's second, and leaves nobody alone", async () => {
  const { secret } = await enrol(deps, amaka);
  const requestId = await askToWriteOff(amaka);
  const terms = await db.delete(ownerTerms).where(eq(ownerTerms.userId, tunde.id)).returning();
  const proof = { currentPassword: amaka.password, code: codeAt(secret, clock.now()) };
  await expectRefused(amaka, { requestId, ...proof }, texts.needsAnother);
  await expectRefused(tunde, { requestId }, texts.countsFrom(hoursLater(72)));
  const stray = [{ violation: "owner without a term that stands", row: { userId: tunde.id } }];
  expect(await listViolated(deps)).toMatchObject([{ violations: stray }]);
  await db.insert(ownerTerms).values(terms.map(({ userId, since }) => ({ userId, since })));
});

test("the owners of a new site count at once, until its first payment is approved", async () => {
  await emptyDatabase(db);
  const [one, other] = [await createUser(db, { isAdmin: true }), await createUser(db, { isAdmin: true })];
  for (const { id } of [one, other]) await giveRole(db, id, "owner", clock.now());
  await setBankDetails(db);
  const blocked = await createUser(db, { isBlocked: true });
  const account = { bankCode: "044", accountNumber: "0690000031", accountName: blocked.fullName };
  const ask = async () =>
    (await as(one)).secondPerson.ask({
      kind: "enter_payee_account",
      details: { userId: blocked.id, ...account },
      reason,
    });
  await ask();
  const [request] = (await (await as(other)).secondPerson.list()).requests;
  expect(request?.refusal).toBeNull();
  await createPayment(deps, {
    project: await createProject(db),
    backer: await createUser(db),
    owner: one,
    status: "approved",
  });
  expect((await (await as(other)).secondPerson.list()).requests[0]?.refusal).toBe(texts.countsFrom(hoursLater(72)));
});

describe("an owner's own money", () => {
  test("is decided by others: the payment, and a request about it", async () => {
    const project = await createProject(db);
    const { payment } = await createPayment(deps, { project, backer: amaka, owner: tunde });
    await expect(decide(deps, amaka, { paymentId: payment.id, status: "approved" })).rejects.toThrow(texts.ownMoney);
    expect((await findPayment(db, payment.id)).status).toBe("pending");
    await decide(deps, tunde, { paymentId: payment.id, status: "approved" });
    expect((await findPayment(db, payment.id)).status).toBe("approved");
  });

  test("is asked for by them, and confirmed by another, never the other way round", async () => {
    const { payment } = await createPayment(deps, { project: await createProject(db), backer: amaka, owner: tunde });
    const details = { paymentId: payment.id, amountKobo: String(payment.amountKobo) };
    const say = async (by: TestUser) =>
      (await as(by)).secondPerson.ask({
        kind: "declare_arrived",
        details,
        reason: "I have seen it at the bank, twice.",
      });
    await say(tunde);
    const [own] = (await (await as(amaka)).secondPerson.list()).requests;
    expect(own?.refusal).toBe(texts.ownMoney);
    const confirming = (await as(amaka)).secondPerson.confirm({ requestId: own?.id ?? 0 });
    await expect(confirming).rejects.toThrow(texts.ownMoney);
    await (await as(tunde)).secondPerson.withdraw({ requestId: own?.id ?? 0 });
    await say(amaka);
    const [turned] = (await (await as(tunde)).secondPerson.list()).requests;
    await (await as(tunde)).secondPerson.confirm({ requestId: turned?.id ?? 0 });
    expect(await db.$count(secondPersonRequests, eq(secondPersonRequests.decision, "confirmed"))).toBe(1);
  });
});

describe("a request that ended by itself says why", () => {
  const account = { bankCode: "044", accountNumber: "0690000031", accountName: "Ada Obi" };
  const closed = async (person: TestUser) =>
    (await as(person)).users.close({ currentPassword: person.password, confirmation: "close my account" });
  const openRequest = async () => (await (await as(tunde)).secondPerson.list()).requests[0]?.id ?? 0;

  test("where to pay somebody to whose account has ended since", async () => {
    const person = await createUser(db, { isBlocked: true });
    const details = { userId: person.id, ...account };
    await (await as(amaka)).secondPerson.ask({ kind: "enter_payee_account", details, reason });
    const requestId = await openRequest();
    await (await as(amaka)).users.unblock({ userId: person.id });
    await closed(person);
    await expectRefused(tunde, { requestId }, texts.accountEnded);
  });

  test("a part for somebody whose account has ended since", async () => {
    const person = await createUser(db);
    await (await as(amaka)).backings.grant({ projectId, userId: person.id });
    const details = { projectId, userId: person.id, round: 1, weightKobo: "100", seenKobo: "0" };
    await (await as(amaka)).secondPerson.ask({ kind: "set_weight", details, reason });
    const requestId = await openRequest();
    await closed(person);
    await expectRefused(tunde, { requestId }, texts.accountEnded);
    expect(await db.$count(backingWeights)).toBe(0);
  });
});

test("every owner is told of what two of them did", async () => {
  const third = await createAdmin(db, "owner");
  const requestId = await askToWriteOff(amaka);
  await (await as(tunde)).secondPerson.confirm({ requestId });
  const done = "Two owners did this: End round 1 of Catfish ponds";
  const subjectsTo = async ({ email }: TestUser) => (await queuedMailsTo(db, email)).map(({ subject }) => subject);
  expect(await subjectsTo(third)).toContain(done);
  expect(await subjectsTo(tunde)).toContain(done);
  expect((await subjectsTo(amaka)).filter((subject) => subject.startsWith("Your request was confirmed"))).toHaveLength(
    1,
  );
});
