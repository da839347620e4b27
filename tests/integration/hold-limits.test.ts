import { and, eq, like } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { holds } from "#server/db/schema/holds.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { settings } from "#server/db/schema/settings.ts";
import { sweepHolds } from "#server/features/projects/holds/jobs.ts";
import { countLotsHeld } from "#server/features/projects/holds/queries.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { holdLimits, holdTexts } from "#shared/projects/holds-texts.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { decide, expectMoneyHolds, sendReceipt, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { siteTermsOf } from "#tests/support/site-terms.ts";

/** Limits that stop one person, or a few accounts of theirs, from keeping farms from others and flooding their mail. */

const deps = await openTestDeps();
const farmCount = 6;
let owner: TestUser;
let ada: TestUser;
/** Each of three lots. */
let farms: TestProject[];

beforeEach(async () => {
  await emptyDatabase(deps.db);
  deps.clock.set(new Date("2026-11-23T09:00:00.000Z"));
  await setBankDetails(deps.db);
  await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
  owner = await createAdmin(deps.db, "owner");
  ada = await createUser(deps.db);
  farms = [];
  const endsAt = new Date("2027-03-01T09:00:00.000Z");
  for (let n = 0; n < farmCount; n += 1) {
    farms.push(await createProject(deps.db, { fundingGoalKobo: 30_000_000n, lots: 3, endsAt }));
  }
});
afterEach(() => expectMoneyHolds(deps));

const hold = async (by: TestUser, projectId: number, lots = 3) =>
  (await callAs(deps, by)).payments.begin({
    projectId,
    lots,
    termsVersion: 1,
    siteTerms: await siteTermsOf(deps),
    hasReadTerms: true,
  });
const release = async (by: TestUser, projectId: number) => (await callAs(deps, by)).holds.release({ projectId });
const vainOf = async (by: TestUser, projectId: number) =>
  (await (await callAs(deps, by)).payments.open({ projectId })).hold?.vain;
const idOf = (n: number) => farms[n]?.id ?? 0;
const pausedFromNow = () => holdTexts.paused(new Date(deps.clock.now().getTime() + holdLimits.days * 86_400_000));
/** How many of the farms have no free lot now. */
const countKept = async () => {
  const held = farms.map(({ id }) => countLotsHeld(deps.db, { projectId: id, round: 1 }, deps.clock.now()));
  return (await Promise.all(held)).filter((lots) => lots === 3).length;
};

test("lots that are given back and taken again are held three times, and then not for 30 days", async () => {
  let taken = 0;
  for (let n = 0; n < 5; n += 1) {
    try {
      await hold(ada, idOf(0));
      taken += 1;
      await release(ada, idOf(0));
    } catch (error) {
      expect(error).toMatchObject({ message: pausedFromNow() });
    }
  }
  expect(taken).toBe(3);
  expect(await deps.db.$count(holds, eq(holds.userId, ada.id))).toBe(3);
  await expect(hold(ada, idOf(1))).rejects.toThrow(pausedFromNow());
  deps.clock.advance({ days: 30, minutes: 1 });
  await hold(ada, idOf(0));
});

test("who changes their mind once or twice holds on, and reads how many are counted before they give back", async () => {
  for (const before of [0, 1]) {
    await hold(ada, idOf(before));
    expect(await vainOf(ada, idOf(before))).toBe(before);
    await release(ada, idOf(before));
  }
  await hold(ada, idOf(2));
  expect(await vainOf(ada, idOf(2))).toBe(2);
  const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: idOf(2), lots: 3 });
  await decide(deps, owner, { paymentId, status: "approved" });
  // What is bought is no hold in vain, and nothing is paused.
  await hold(ada, idOf(3));
  expect(await vainOf(ada, idOf(3))).toBe(2);
});

test("a hold whose receipt is rejected counts, also one that ended while it was reviewed", async () => {
  const send = async (n: number) => {
    await hold(ada, idOf(n));
    return sendReceipt(deps, { backer: ada, projectId: idOf(n), lots: 3 });
  };
  const first = await send(0);
  await decide(deps, owner, { paymentId: first.paymentId, status: "rejected" });
  expect(await vainOf(ada, idOf(0))).toBe(1);
  // A better picture, and its approval: then it came to something.
  const again = await sendReceipt(deps, { backer: ada, projectId: idOf(0), lots: 3 });
  const late = await send(1);
  deps.clock.advance({ days: 8 });
  await sweepHolds(deps);
  expect(await vainOf(ada, idOf(1))).toBe(1);
  await decide(deps, owner, { paymentId: late.paymentId, status: "rejected" });
  expect(await vainOf(ada, idOf(1))).toBe(2);
  await decide(deps, owner, { paymentId: again.paymentId, status: "rejected" });
  const last = await send(2);
  await decide(deps, owner, { paymentId: last.paymentId, status: "rejected" });
  await expect(hold(ada, idOf(3))).rejects.toThrow(pausedFromNow());
});

test("the day that is told after the third is the day on which one may hold again", async () => {
  for (const n of [0, 1, 2]) {
    if (n > 0) deps.clock.advance({ days: 10 });
    await hold(ada, idOf(n));
    await release(ada, idOf(n));
  }
  const message = pausedFromNow();
  await expect(hold(ada, idOf(3))).rejects.toMatchObject({ message });
  // The first of the three is longer than 30 days ago, and counts still.
  for (const days of [11, 18]) {
    deps.clock.advance({ days });
    await expect(hold(ada, idOf(3))).rejects.toMatchObject({ message });
  }
  deps.clock.advance({ days: 1, minutes: 1 });
  await hold(ada, idOf(3));
});

test("pictures for receipts keep two farms, not six for a week; who paid once isn't limited", async () => {
  let kept = 0;
  for (const { id } of farms) {
    try {
      await hold(ada, id);
      await sendReceipt(deps, { backer: ada, projectId: id, lots: 3 });
      kept += 1;
    } catch (error) {
      const titles = farms.slice(0, 2).map(({ title }) => title);
      expect([paymentTexts.stillLooking(titles), holdTexts.tooMany]).toContain((error as Error).message);
    }
  }
  expect(kept).toBe(2);
  expect(await deps.db.$count(projectPayments, eq(projectPayments.userId, ada.id))).toBe(2);
  // A better picture of the same transfer may come at any time.
  const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: idOf(0), lots: 3 });
  deps.clock.advance({ hours: 25 });
  await sweepHolds(deps);
  expect(await countKept()).toBe(2);

  await decide(deps, owner, { paymentId, status: "approved" });
  for (const n of [4, 5]) {
    await hold(ada, idOf(n));
    await sendReceipt(deps, { backer: ada, projectId: idOf(n), lots: 3 });
  }
  expect(await deps.db.$count(projectPayments, eq(projectPayments.userId, ada.id))).toBe(4);
});

test("two receipts that are sent at once are counted one after the other", async () => {
  await hold(ada, idOf(0));
  await sendReceipt(deps, { backer: ada, projectId: idOf(0), lots: 3 });
  await hold(ada, idOf(1));
  await hold(ada, idOf(2));
  const sent = await Promise.allSettled(
    [1, 2].map((n) => sendReceipt(deps, { backer: ada, projectId: idOf(n), lots: 3 })),
  );
  expect(sent.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("four accounts that hold, give back and wait in turn make three mails each", async () => {
  const people = [ada, await createUser(deps.db), await createUser(deps.db), await createUser(deps.db)];
  const callers = await Promise.all(people.map((person) => callAs(deps, person)));
  const siteTerms = await siteTermsOf(deps);
  for (let turn = 0; turn < 8; turn += 1) {
    for (const [n, { payments, holds }] of callers.entries()) {
      const projectId = idOf((turn + n) % farmCount);
      const acts = [
        () => payments.begin({ projectId, lots: 3, termsVersion: 1, siteTerms, hasReadTerms: true }),
        () => holds.join({ projectId, lots: 1 }),
        () => holds.release({ projectId }),
        () => holds.leave({ projectId }),
      ];
      for (const act of acts) await act().catch(() => {});
    }
  }
  for (const { email } of people) {
    const isTold = and(eq(outgoingMails.recipient, email), like(outgoingMails.eventKey, "hold:%"));
    expect(await deps.db.$count(outgoingMails, isTold)).toBe(holdLimits.lapsed);
  }
});

test("a person holds lots and joins waiting lists 20 times a day", async () => {
  const others = [await createUser(deps.db), await createUser(deps.db), await createUser(deps.db)];
  for (const [n, other] of others.entries()) await hold(other, idOf(n));
  const calls = await callAs(deps, ada);
  for (let n = 0; n < holdLimits.perDay; n += 1) {
    await calls.holds.join({ projectId: idOf(n % 3), lots: 1 });
    await calls.holds.leave({ projectId: idOf(n % 3) });
  }
  const refusal = { code: "TOO_MANY_REQUESTS", message: holdTexts.tooManyToday };
  await expect(calls.holds.join({ projectId: idOf(0), lots: 1 })).rejects.toMatchObject(refusal);
  await expect(hold(ada, idOf(4))).rejects.toMatchObject(refusal);
  deps.clock.advance({ hours: 24, minutes: 1 });
  await hold(ada, idOf(4));
});
