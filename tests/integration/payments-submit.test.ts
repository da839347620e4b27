import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { inTransaction } from "#server/db/open.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { changeOffer } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  agreeToTerms,
  createPayment,
  expectMoneyHolds,
  findPayment,
  sendReceipt,
  setBankDetails,
  storeReceiptFile,
} from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { siteTermsOf } from "#tests/support/site-terms.ts";

const deps = await openTestDeps();
let backer: TestUser;
let project: TestProject;

beforeEach(async () => {
  await dismissAdmins(deps.db);
  await setBankDetails(deps.db);
  backer = await createUser(deps.db);
  project = await createProject(deps.db);
});
afterEach(() => expectMoneyHolds(deps));

const paymentsOf = (projectId: number) =>
  deps.db.select().from(projectPayments).where(eq(projectPayments.projectId, projectId));
const receiptsOf = (paymentId: number) =>
  deps.db.select().from(paymentReceipts).where(eq(paymentReceipts.paymentId, paymentId));
/** As if the goal had been changed by hand: the edit screen refuses it while a payment waits. */
const setGoal = (fundingGoalKobo: bigint) =>
  inTransaction(deps.db, async (tx) => {
    await tx.update(projects).set({ fundingGoalKobo }).where(eq(projects.id, project.id));
    await changeOffer(tx, { projectId: project.id, round: 1 }, { lots: 1, minimumLots: 1, fundingGoalKobo });
  });
const close = () =>
  deps.db.update(projects).set({ isClosed: true, closedAt: deps.clock.now() }).where(eq(projects.id, project.id));

const begin = async (caller: Caller) =>
  caller.payments.begin({
    projectId: project.id,
    lots: 1,
    termsVersion: 1,
    siteTerms: await siteTermsOf(deps),
    hasReadTerms: true,
  });

describe("the payment page", () => {
  test("shows amount, bank details and a reference that stays the same", async () => {
    const caller = await callAs(deps, backer);
    await begin(caller);
    const page = await caller.payments.open({ projectId: project.id });
    expect(page).toEqual({
      project: {
        id: project.id,
        title: project.title,
        imageUrl: project.imageUrl,
        imageAlt: "",
        isClosed: false,
      },
      round: { lots: 1, lotPriceKobo: 50_000_000n, approvedLots: 0, minimumLots: 1 },
      siteTerms: { version: 0, sha256: await siteTermsOf(deps) },
      terms: { version: 1, clauses: expect.any(Array), plan: expect.objectContaining({ farmPartRate: 0 }) },
      mostLots: 1,
      hold: null,
      purchase: { lots: 1, amountKobo: 50_000_000n },
      reference: expect.stringMatching(/^GONA-/),
      bankDetails: { bankName: "Test Bank", accountName: "Gona Farms Limited", accountNumber: "0123456789" },
      ownPayment: null,
      isOtherUnderReview: false,
      isTakenByOther: false,
      blockedBy: null,
      surplus: null,
    });
    expect((await caller.payments.open({ projectId: project.id })).reference).toBe(page.reference);
    const other = await callAs(deps, "backer");
    await begin(other);
    expect((await other.payments.open({ projectId: project.id })).reference).not.toBe(page.reference);
  });

  test("of a closed project gives no reference and no bank details, unless the reference was there before", async () => {
    const caller = await callAs(deps, backer);
    await begin(caller);
    await close();
    expect(await caller.payments.open({ projectId: project.id })).toMatchObject({
      blockedBy: null,
      reference: expect.stringMatching(/^GONA-/),
      bankDetails: { bankName: "Test Bank" },
    });
    const late = await callAs(deps, "backer");
    expect(await late.payments.open({ projectId: project.id })).toMatchObject({
      blockedBy: "closed",
      reference: null,
      bankDetails: null,
    });
  });

  test("tells of a stranger's receipt under review without naming it, and keeps the own amount frozen", async () => {
    await sendReceipt(deps, { backer, projectId: project.id });
    await setGoal(60_000_000n);
    const mine = await callAs(deps, backer);
    expect(await mine.payments.open({ projectId: project.id })).toMatchObject({
      isOtherUnderReview: false,
      ownPayment: { status: "pending", amountKobo: 50_000_000n },
    });
    const other = await callAs(deps, "backer");
    expect(await other.payments.open({ projectId: project.id })).toMatchObject({
      isOtherUnderReview: true,
      round: { lotPriceKobo: 60_000_000n },
      ownPayment: null,
      blockedBy: "terms",
    });
  });

  test("needs an existing project", async () => {
    const caller = await callAs(deps, backer);
    await expect(caller.payments.open({ projectId: 2_000_000_000 })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "Project not found",
    });
  });
});

type Sent = Partial<Parameters<typeof submitReceipt>[1]>;
/** Sends a receipt of one lot of the project, for which the caller has agreed to the terms. */
const submit = async (ctx: ActorContext, sent: Sent = {}) =>
  submitReceipt(ctx, {
    projectId: project.id,
    lots: 1,
    idempotencyKey: randomUUID(),
    ...sent,
    file: sent.file ?? (await storeReceiptFile(deps)),
  });

describe("sending a receipt", () => {
  test("makes a pending payment at the goal and notifies who may view payments", async () => {
    const manager = await createAdmin(deps.db, "manager");
    const viewer = await createAdmin(deps.db, "viewer");
    const { paymentId, reference } = await sendReceipt(deps, { backer, projectId: project.id });
    expect(await findPayment(deps.db, paymentId)).toMatchObject({
      status: "pending",
      amountKobo: project.fundingGoalKobo,
      projectTitle: project.title,
      userId: backer.id,
      reference,
    });
    const told = await deps.db.select().from(notifications).where(eq(notifications.projectId, project.id));
    expect(told.map(({ userId, kind }) => [userId, kind])).toEqual([[manager.id, "receipt_submitted"]]);
    expect(await queuedMailsTo(deps.db, manager.email)).toHaveLength(1);
    expect(await queuedMailsTo(deps.db, viewer.email)).toEqual([]);
    expect(await queuedMailsTo(deps.db, backer.email)).toEqual([]);

    const mine = await callAs(deps, backer);
    expect((await mine.payments.listMyPending()).pending).toMatchObject([
      { payment: { id: paymentId, refundDue: null }, project: { id: project.id, daysLeft: 30 } },
    ]);
  });

  test("again replaces the receipt; the replaced file is kept, the amount stays frozen", async () => {
    const first = await sendReceipt(deps, { backer, projectId: project.id });
    await setGoal(60_000_000n);
    const second = await sendReceipt(deps, { backer, projectId: project.id });
    expect(second).toMatchObject({ paymentId: first.paymentId, amountKobo: 50_000_000n });
    expect((await findPayment(deps.db, first.paymentId)).currentReceiptId).toBe(second.receiptId);
    expect(await receiptsOf(first.paymentId)).toHaveLength(2);
    expect(await storedKeys()).toHaveLength(await deps.db.$count(paymentReceipts));
    await setGoal(50_000_000n);
  });

  test("with the same key gives the same reply and one row, also after the project closed, and keeps one file", async () => {
    const idempotencyKey = randomUUID();
    const reply = await sendReceipt(deps, { backer, projectId: project.id, idempotencyKey });
    deps.clock.advance({ minutes: 3 });
    expect(await sendReceipt(deps, { backer, projectId: project.id, idempotencyKey })).toEqual(reply);
    await close();
    await deps.db.delete(settings);
    expect(await sendReceipt(deps, { backer, projectId: project.id, idempotencyKey })).toEqual(reply);
    expect(await paymentsOf(project.id)).toHaveLength(1);
    expect(await receiptsOf(reply.paymentId)).toHaveLength(1);
    expect(await storedKeys()).toHaveLength(await deps.db.$count(paymentReceipts));
  });

  test("gets its answer also while an upload that isn't kept can't be removed", async () => {
    const idempotencyKey = randomUUID();
    const reply = await sendReceipt(deps, { backer, projectId: project.id, idempotencyKey });
    const away = vi.spyOn(deps.storage, "remove").mockRejectedValue(new Error("the S3 server is away"));
    try {
      expect(await sendReceipt(deps, { backer, projectId: project.id, idempotencyKey })).toEqual(reply);
      const other = await createProject(deps.db);
      await expect(sendReceipt(deps, { backer, projectId: other.id, idempotencyKey })).rejects.toThrow(
        paymentTexts.keyUsedElsewhere,
      );
    } finally {
      const left = away.mock.calls.map(([key]) => key);
      away.mockRestore();
      for (const key of left) await deps.storage.remove(key);
    }
  });

  test("ten times at once with one key gives one reply, one row and one file", async () => {
    const ctx = await agreeToTerms(deps, backer, project.id);
    const idempotencyKey = randomUUID();
    const replies = await Promise.all(Array.from({ length: 10 }, () => submit(ctx, { idempotencyKey })));
    for (const reply of replies) expect(reply).toEqual(replies[0]);
    const [payment, ...others] = await paymentsOf(project.id);
    expect(others).toEqual([]);
    expect(await receiptsOf(payment?.id ?? 0)).toHaveLength(1);
    expect(await storedKeys()).toHaveLength(await deps.db.$count(paymentReceipts));
  });

  test("with a key that was used for another project is refused, at once too, and nothing is kept", async () => {
    const idempotencyKey = randomUUID();
    const other = await createProject(deps.db);
    await agreeToTerms(deps, backer, other.id);
    const ctx = await agreeToTerms(deps, backer, project.id);
    const send = (projectId: number) => submit(ctx, { projectId, idempotencyKey });
    const results = await Promise.allSettled([send(project.id), send(other.id)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { reason: "conflict", message: paymentTexts.keyUsedElsewhere },
    });
    expect([...(await paymentsOf(project.id)), ...(await paymentsOf(other.id))]).toHaveLength(1);
    expect(await storedKeys()).toHaveLength(await deps.db.$count(paymentReceipts));
  });

  test("with a stranger's key is a receipt of one's own", async () => {
    const idempotencyKey = randomUUID();
    const theirs = await sendReceipt(deps, { backer, projectId: project.id, idempotencyKey });
    const other = await createUser(deps.db);
    const mine = await sendReceipt(deps, { backer: other, projectId: project.id, idempotencyKey });
    expect(mine.paymentId).not.toBe(theirs.paymentId);
    expect(await findPayment(deps.db, mine.paymentId)).toMatchObject({ userId: other.id });
  });

  test("without bank details is refused, and the file is removed", async () => {
    await agreeToTerms(deps, backer, project.id);
    await deps.db.delete(settings);
    const filesBefore = await storedKeys();
    await expect(sendReceipt(deps, { backer, projectId: project.id })).rejects.toMatchObject({
      reason: "conflict",
      message: "Payment details are not available yet. Please contact us.",
    });
    expect(await paymentsOf(project.id)).toEqual([]);
    expect(await storedKeys()).toEqual(filesBefore);
    const caller = await callAs(deps, backer);
    expect(await caller.payments.open({ projectId: project.id })).toMatchObject({
      bankDetails: null,
      blockedBy: "no_bank_details",
    });
  });

  test("after the project closed works for whoever holds a reference, and only for them", async () => {
    await agreeToTerms(deps, backer, project.id);
    const { owner } = await createPayment(deps, { project, status: "approved" });
    const { paymentId } = await sendReceipt(deps, { backer, projectId: project.id });
    const ownerCaller = await callAs(deps, owner);
    const { items } = await ownerCaller.payments.list({ projectId: project.id });
    expect(items.find(({ id }) => id === paymentId)).toMatchObject({ status: "pending", refundDue: "project_taken" });
    const mine = await callAs(deps, backer);
    expect(await mine.payments.open({ projectId: project.id })).toMatchObject({
      isTakenByOther: true,
      ownPayment: { id: paymentId, refundDue: "project_taken" },
    });

    const late = await createUser(deps.db);
    await expect(sendReceipt(deps, { backer: late, projectId: project.id })).rejects.toMatchObject({
      reason: "conflict",
      message: "Project is closed",
    });
    expect(
      await deps.db
        .select()
        .from(projectPayments)
        .where(and(eq(projectPayments.projectId, project.id), eq(projectPayments.userId, late.id))),
    ).toEqual([]);
  });

  test("of a file that was sent for another payment is marked for the administrators", async () => {
    const content = Buffer.from("the same receipt twice");
    const send = async (person: TestUser) =>
      submit(await agreeToTerms(deps, person, project.id), { file: await storeReceiptFile(deps, content) });
    await send(backer);
    await send(backer);
    const manager = await callAs(deps, "manager");
    const marks = async () =>
      (await manager.payments.list({ projectId: project.id })).items.map(({ receipt }) => receipt?.isUsedBefore);
    expect(await marks()).toEqual([false]);
    await send(await createUser(deps.db));
    expect(await marks()).toEqual([true, true]);
    // Each leads to both, also after one of them was sent another receipt: the file was used all the same.
    const { items } = await manager.payments.list({ projectId: project.id });
    const ids = items.map(({ id }) => id);
    await createPayment(deps, { project });
    const sharing = async (paymentId: number) =>
      (await manager.payments.list({ sameReceiptAs: paymentId })).items.map(({ id }) => id);
    for (const id of ids) expect(await sharing(id)).toEqual(ids);
    await sendReceipt(deps, { backer, projectId: project.id });
    const [newer = 0, older = 0] = ids;
    expect(await sharing(newer)).toEqual(ids);
    expect(await sharing(older)).toEqual([older]);
  });
});

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of deps.storage.list()) keys.push(key);
  return keys.sort();
}
