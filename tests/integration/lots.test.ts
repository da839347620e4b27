import { and, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isCheckViolation } from "#server/db/errors.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { settings } from "#server/db/schema/settings.ts";
import { closeExpiredProjects } from "#server/features/projects/jobs.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { projectAdminTexts, projectFormTexts } from "#shared/projects/admin-texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  createPayment,
  decide,
  declareArrived,
  expectMoneyHolds,
  findPayment,
  findProject,
} from "#tests/support/money.ts";
import { callAs, createAdmin, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
let owner: TestUser;
/** Forty lots of ₦50,000, of which thirty are enough. */
let project: TestProject;

beforeEach(async () => {
  await dismissAdmins(deps.db);
  owner = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  project = await createProject(deps.db, { fundingGoalKobo: 200_000_000n, lots: 40, minimumLots: 30 });
});
afterEach(() => expectMoneyHolds(deps));

const roundOf = async (round = 1) => findRound(deps.db, { projectId: project.id, round });
const buy = (lots: number, status: "pending" | "approved" = "approved") =>
  createPayment(deps, { project, owner, lots, status });
const balanceOf = async (account: string, paymentId: number) => {
  const [found] = await deps.db
    .select({ kobo: sql<string>`coalesce(sum(${ledgerEntries.amountKobo}), 0)::text` })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.account, account as "bank"), eq(ledgerEntries.paymentId, paymentId)));
  return BigInt(found?.kobo ?? 0);
};
const passTime = async () => {
  deps.clock.advance({ days: 31 });
  await closeExpiredProjects(deps);
};

describe("buying lots", () => {
  test("costs the price of a lot each, and the project stays open while lots are free", async () => {
    const { payment, backer } = await buy(3);
    expect(payment).toMatchObject({ lots: 3, round: 1, amountKobo: 15_000_000n, status: "approved" });
    expect(await findProject(deps.db, project.id)).toMatchObject({
      isClosed: false,
      backersCount: 1,
      currentFundingKobo: 15_000_000n,
    });
    expect(await roundOf()).toMatchObject({ approvedLots: 3, outcome: null });
    const [mail] = (await queuedMailsTo(deps.db, backer.email)).filter(({ subject }) => subject.includes("confirmed"));
    expect(mail?.text).toContain("Lots: 3");
    const visitor = await callAs(deps, "anonymous");
    expect(await visitor.projects.byId({ projectId: project.id })).toMatchObject({
      lots: 40,
      approvedLots: 3,
      lotPriceKobo: 5_000_000n,
    });
  });

  test("the last lot funds the round and closes the project, and the next payment is refused", async () => {
    await buy(20);
    const late = await buy(2, "pending");
    await buy(20);
    expect(await roundOf()).toMatchObject({ approvedLots: 40, outcome: "funded", decidedBy: null });
    expect(await findProject(deps.db, project.id)).toMatchObject({ isClosed: true, currentFundingKobo: 200_000_000n });
    await expect(decide(deps, owner, { paymentId: late.payment.id, status: "approved" })).rejects.toMatchObject({
      reason: "conflict",
      message: paymentTexts.lotsNotFree(0, 2),
    });
    const mine = await callAs(deps, late.backer);
    expect(await mine.payments.listMyPending()).toMatchObject({
      pending: [{ payment: { refundDue: "project_taken" } }],
    });
    const told = await queuedMailsTo(deps.db, late.backer.email);
    expect(told.map(({ subject }) => subject)).toContain(`The lots of ${project.title} were taken by other backers`);
  });

  test("a payment for more lots than are left is refused, and one that fits goes on", async () => {
    await buy(20);
    await buy(17);
    const tooMany = await buy(3, "pending");
    const fitting = await buy(2, "pending");
    await decide(deps, owner, { paymentId: fitting.payment.id, status: "approved" });
    await expect(decide(deps, owner, { paymentId: tooMany.payment.id, status: "approved" })).rejects.toThrow(
      paymentTexts.lotsNotFree(1, 3),
    );
    expect(await roundOf()).toMatchObject({ approvedLots: 39, outcome: null });
    expect(await findPayment(deps.db, tooMany.payment.id)).toMatchObject({ status: "pending" });
  });

  test("nobody buys more than is free, or than the setting allows one person", async () => {
    await expect(buy(21)).rejects.toMatchObject({ reason: "conflict", message: paymentTexts.lotsLeft(20) });
    const { backer } = await buy(15);
    await expect(createPayment(deps, { project, backer, lots: 6 })).rejects.toThrow(paymentTexts.lotsLeft(5));
    await deps.db.insert(settings).values({ key: "maxlots", value: "2" });
    await expect(createPayment(deps, { project, lots: 3 })).rejects.toThrow(paymentTexts.lotsLeft(2));
    await deps.db.delete(settings).where(eq(settings.key, "maxlots"));
    expect(await deps.db.$count(projectPayments, eq(projectPayments.projectId, project.id))).toBe(1);
  });

  test("a second purchase has a reference of its own, and one support of the same backing", async () => {
    const { payment: first, backer } = await buy(2);
    const { payment: second } = await createPayment(deps, { project, owner, backer, lots: 3, status: "approved" });
    expect(second.reference).not.toBe(first.reference);
    expect(await findProject(deps.db, project.id)).toMatchObject({ backersCount: 1, currentFundingKobo: 25_000_000n });
    await decide(deps, owner, { paymentId: first.id, status: "rejected" });
    expect(await deps.db.$count(projectBackings, eq(projectBackings.projectId, project.id))).toBe(1);
    expect(await roundOf()).toMatchObject({ approvedLots: 3 });
    const references = await deps.db.select().from(paymentReferences).where(eq(paymentReferences.userId, backer.id));
    expect(references.filter(({ retiredAt }) => retiredAt === null).map(({ reference }) => reference)).toEqual([
      first.reference,
    ]);
  });

  test("taking back the last lot leaves the round undecided, so that reopening goes on with it", async () => {
    await buy(20);
    const { payment } = await buy(20);
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
    expect(await roundOf()).toMatchObject({ approvedLots: 20, outcome: null, decidedAt: null });
    await (await callAs(deps, owner)).projects.reopen({ projectId: project.id });
    expect(await findProject(deps.db, project.id)).toMatchObject({ round: 1, isClosed: false });
  });
});

describe("the project's form", () => {
  const create = async (fields: object) =>
    (await callAs(deps, owner)).projects.create({ ...projectFormOf({ fundingGoal: "2,000,000" }), ...fields });

  test("asks for lots of whole naira, and a minimum within them", async () => {
    const { id } = await create({ lots: 40, minimumLots: 30 });
    expect(await findRound(deps.db, { projectId: id, round: 1 })).toMatchObject({
      lots: 40,
      minimumLots: 30,
      lotPriceKobo: 5_000_000n,
    });
    const whole = await create({ lots: 8 });
    expect(await findRound(deps.db, { projectId: whole.id, round: 1 })).toMatchObject({ minimumLots: 8 });
    for (const [fields, message] of [
      [{ lots: 7 }, projectFormTexts.lotsUneven],
      [{ lots: 0 }, projectFormTexts.lotsWhole],
      [{ lots: 1001 }, projectFormTexts.lotsWhole],
      [{ lots: 4, minimumLots: 5 }, projectFormTexts.minimumLots],
    ] as const) {
      await expect(create(fields)).rejects.toThrow(message);
    }
  });

  test("changes lots until somebody pays, then refuses", async () => {
    const admin = await callAs(deps, owner);
    const edit = async (fields: object) => {
      const { updatedAt } = await findProject(deps.db, project.id);
      const form = projectFormOf({ fundingGoal: "2,000,000" });
      return admin.projects.update({
        ...form,
        lots: 40,
        minimumLots: 30,
        ...fields,
        projectId: project.id,
        seenUpdatedAt: updatedAt,
      });
    };
    await edit({ lots: 20, minimumLots: 10 });
    expect(await roundOf()).toMatchObject({ lots: 20, minimumLots: 10, lotPriceKobo: 10_000_000n });
    await edit({});
    const { payment } = await buy(1, "pending");
    for (const fields of [{ lots: 20, minimumLots: 10 }, { minimumLots: 29 }]) {
      await expect(edit(fields)).rejects.toThrow(projectAdminTexts.lotsLocked.paid);
    }
    expect(await roundOf()).toMatchObject({ lots: 40, minimumLots: 30 });
    await edit({ title: "Another title" });
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
    await edit({ lots: 10, minimumLots: 10 });
    expect(await roundOf()).toMatchObject({ lots: 10 });
  });

  test("a clone is sold by the same lots, and so is the next round", async () => {
    const admin = await callAs(deps, owner);
    const clone = await admin.projects.clone({ projectId: project.id, idempotencyKey: crypto.randomUUID() });
    expect(await findRound(deps.db, { projectId: clone.id, round: 1 })).toMatchObject({ lots: 40, minimumLots: 30 });
    await buy(20);
    await buy(20);
    await admin.projects.reopen({ projectId: project.id });
    expect(await roundOf(2)).toMatchObject({ lots: 40, minimumLots: 30, lotPriceKobo: 5_000_000n, approvedLots: 0 });
    expect(await findProject(deps.db, project.id)).toMatchObject({ round: 2, currentFundingKobo: 0n });
  });
});

describe("a round whose time is over", () => {
  const decideRound = async (outcome: "funded" | "not_funded", seenApprovedLots: number) =>
    (await callAs(deps, owner)).payments.decideRound({ projectId: project.id, outcome, seenApprovedLots });

  test("below its minimum everything is given back: every amount is due, to the kobo", async () => {
    const paid = [await buy(9), await buy(8)];
    await passTime();
    const admin = await callAs(deps, owner);
    expect(await admin.payments.roundToDecide({ projectId: project.id })).toMatchObject({
      approvedLots: 17,
      minimumLots: 30,
      totalKobo: 85_000_000n,
      isReached: false,
      waiting: 0,
      backers: [{ lots: 9 }, { lots: 8 }],
    });
    await decideRound("not_funded", 17);
    expect(await roundOf()).toMatchObject({ outcome: "not_funded", approvedLots: 0, decidedBy: owner.id });
    expect(await findProject(deps.db, project.id)).toMatchObject({
      currentFundingKobo: 0n,
      backersCount: 0,
      isClosed: true,
    });
    for (const { payment, backer } of paid) {
      expect(await findPayment(deps.db, payment.id)).toMatchObject({ status: "rejected" });
      expect(await balanceOf("backer_due", payment.id)).toBe(-payment.amountKobo);
      expect(await balanceOf("unallocated", payment.id)).toBe(0n);
      expect(await deps.db.select().from(refunds).where(eq(refunds.paymentId, payment.id))).toMatchObject([
        { userId: backer.id, amountKobo: payment.amountKobo, reason: "not_funded" },
      ]);
      expect((await queuedMailsTo(deps.db, backer.email)).map(({ subject }) => subject)).toContain(
        `${project.title} was not funded: your money will be returned`,
      );
      // As long as it is due, however long ago it was decided.
      deps.clock.advance({ days: 400 });
      expect(await (await callAs(deps, backer)).payments.listMyPending()).toMatchObject({
        rejected: [{ payment: { id: payment.id, refundDue: "not_funded" } }],
      });
      deps.clock.advance({ days: -400 });
    }
    const [first] = paid;
    await expect(decide(deps, owner, { paymentId: first?.payment.id ?? 0, status: "approved" })).rejects.toThrow(
      paymentTexts.notFunded,
    );
    // What was given back stays what it was sold by. The next round may be sold by something else.
    const edit = async () => {
      const { updatedAt } = await findProject(deps.db, project.id);
      const form = projectFormOf({ fundingGoal: "2,000,000" });
      await admin.projects.update({ ...form, lots: 8, projectId: project.id, seenUpdatedAt: updatedAt });
    };
    await expect(edit()).rejects.toThrow(projectAdminTexts.lotsLocked.decided);
    await expect(
      deps.db.update(projectRounds).set({ minimumLots: 1 }).where(eq(projectRounds.projectId, project.id)),
    ).rejects.toSatisfy((error) => isCheckViolation(error, "sold_round_is_frozen"));
    expect(await admin.projects.forEdit({ projectId: project.id })).toMatchObject({ lockedBy: "decided" });
    await admin.projects.reopen({ projectId: project.id });
    expect(await findProject(deps.db, project.id)).toMatchObject({ round: 2 });
    await edit();
    expect(await roundOf(2)).toMatchObject({ lots: 8 });
  });

  test("at its minimum it is funded by an owner's decision, and not before", async () => {
    await buy(20);
    await buy(10);
    await expect(decideRound("funded", 30)).rejects.toThrow(paymentTexts.roundOpen);
    await passTime();
    await expect(decideRound("not_funded", 30)).rejects.toThrow(paymentTexts.minimumReached);
    await decideRound("funded", 30);
    expect(await roundOf()).toMatchObject({ outcome: "funded", approvedLots: 30, decidedBy: owner.id });
    await expect(decideRound("funded", 30)).rejects.toThrow(paymentTexts.roundDecided);
    expect(await (await callAs(deps, owner)).payments.roundToDecide({ projectId: project.id })).toBeNull();
  });

  test("isn't decided while a payment waits that fits, or by what an owner no longer sees", async () => {
    const { payment } = await buy(5);
    const waiting = await buy(2, "pending");
    await passTime();
    await expect(decideRound("not_funded", 5)).rejects.toThrow(paymentTexts.paymentsWait(1));
    await decide(deps, owner, { paymentId: waiting.payment.id, status: "approved" });
    await expect(decideRound("not_funded", 5)).rejects.toThrow(paymentTexts.roundChanged);
    await expect(decideRound("funded", 7)).rejects.toThrow(paymentTexts.minimumMissed);
    expect(await findPayment(deps.db, payment.id)).toMatchObject({ status: "approved" });
    expect(await deps.db.$count(refunds)).toBe(2);
  });
});

describe("an approval that is taken back", () => {
  test("leaves what has arrived unallocated, and the next approval uses it up", async () => {
    const { payment } = await buy(3);
    await decide(deps, owner, { paymentId: payment.id, status: "pending" });
    await declareArrived(deps, owner, { ...payment, amountKobo: 10_000_000n });
    expect(await balanceOf("unallocated", payment.id)).toBe(-10_000_000n);
    await decide(deps, owner, { paymentId: payment.id, status: "approved" });
    expect(await balanceOf("unallocated", payment.id)).toBe(0n);
    expect(await findProject(deps.db, project.id)).toMatchObject({ currentFundingKobo: 15_000_000n });
  });

  test("in an earlier round leaves it funded, and it can be approved again in that round", async () => {
    await buy(20);
    const { payment } = await buy(20);
    await (await callAs(deps, owner)).projects.reopen({ projectId: project.id });
    await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
    expect(await roundOf(1)).toMatchObject({ approvedLots: 20, outcome: "funded" });
    await decide(deps, owner, { paymentId: payment.id, status: "approved" });
    expect(await roundOf(1)).toMatchObject({ approvedLots: 40, outcome: "funded" });
    const [open] = await deps.db.select().from(projects).where(eq(projects.id, project.id));
    expect(open).toMatchObject({ round: 2, isClosed: false, currentFundingKobo: 0n });
  });
});
