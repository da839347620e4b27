import { desc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { declareArrivedTexts } from "#shared/second-person/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { createPayment, expectMoneyHolds, findPayment, seen, sumsOf } from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";

/** The list of backers whose receipt has no money behind it, as far as the platform knows. */

const deps = await openTestDeps();
const reason = "Both of us saw it in the bank's app.";
const price = 5_000_000n;
let amaka: TestUser;
let tunde: TestUser;

beforeEach(async () => {
  await emptyDatabase(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  tunde = await createAdmin(deps.db, "owner", { fullName: "Tunde Ade" });
});
afterEach(() => expectMoneyHolds(deps));

const as = (who: TestUser) => callAs(deps, who);
const farm = () => createProject(deps.db, { fundingGoalKobo: price });
const set = async (paymentId: number, status: PaymentStatus) =>
  (await as(amaka)).payments.setStatus({ ...(await seen(deps.db, paymentId)), status });
const buy = async (project = farm()) => createPayment(deps, { project: await project, owner: amaka });
const rejected = async () => {
  const made = await buy();
  await set(made.payment.id, "rejected");
  return made;
};
const listed = async () => (await as(amaka)).payments.saidPaid({});
const idsOf = async () => (await listed()).items.map(({ id }) => id);
const declare = async (paymentId: number, amountKobo = price) =>
  (await as(amaka)).secondPerson.ask({
    kind: "declare_arrived",
    details: { paymentId, amountKobo: String(amountKobo) },
    reason,
  });
const request = async () => {
  const [found] = (await (await as(tunde)).secondPerson.list()).requests;
  if (!found) throw new Error("nothing is asked");
  return found;
};
const confirm = async () => (await as(tunde)).secondPerson.confirm({ requestId: (await request()).id });
const placesIn = (paymentId: number) => sumsOf(deps.db, paymentId);
const audited = (action: string) =>
  deps.db
    .select({ details: auditLogs.details })
    .from(auditLogs)
    .where(eq(auditLogs.actionType, action))
    .orderBy(desc(auditLogs.id));

describe("the list", () => {
  test("has rejected payments and those whose lots are gone, with what was sent", async () => {
    const { payment } = await rejected();
    const project = await farm();
    const loser = await buy(Promise.resolve(project));
    const winner = await buy(Promise.resolve(project));
    const waiting = await buy();
    await set(winner.payment.id, "approved");
    const { items, nextCursor } = await listed();
    expect(nextCursor).toBeNull();
    expect(items).toMatchObject([
      { id: loser.payment.id, status: "pending", refundDue: "project_taken", amountKobo: price },
      { id: payment.id, status: "rejected", refundDue: null, reference: payment.reference },
    ]);
    expect(items.map(({ id }) => id)).not.toContain(waiting.payment.id);
  });

  test("leaves out what arrived, what is given back, and who sent the receipt again", async () => {
    const held = await buy();
    await declare(held.payment.id);
    await confirm();
    await set(held.payment.id, "rejected");
    const resent = await rejected();
    await createPayment(deps, { project: resent.project, backer: resent.backer, owner: amaka });
    expect(await idsOf()).toEqual([]);
    await (await as(amaka)).payments.giveUnallocatedBack({ paymentId: held.payment.id, seenUnallocatedKobo: price });
    expect(await idsOf()).toEqual([]);
  });

  test("leaves out what the bank's statement shows", async () => {
    const account = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: 0n });
    const { payment } = await rejected();
    expect(await listed()).toMatchObject({ items: [{ id: payment.id }] });
    const { id: lineId } = await keepLine(deps, account, { amountKobo: price });
    const part = { kind: "payment" as const, amountKobo: price, paymentId: payment.id };
    await (await as(amaka)).bank.match({ lineId, seenMatchedKobo: 0n, parts: [part] });
    expect(await idsOf()).toEqual([]);
  });
});

describe("what two people say", () => {
  test("two people say that a rejected payment arrived, and its refund is due", async () => {
    const { payment, backer } = await rejected();
    await declare(payment.id);
    expect(await request()).toMatchObject({
      isPossible: true,
      consequences: [
        expect.stringContaining(payment.reference),
        "The bank's statements show nothing of it.",
        "₦50,000 count as having arrived, and are in transit until a line of a statement takes their place.",
        "They are due to the backer, who is emailed.",
      ],
    });
    expect(await placesIn(payment.id)).toEqual({});
    await confirm();
    expect(await placesIn(payment.id)).toEqual({ in_transit: price, backer_due: -price });
    expect(await deps.db.select().from(refunds)).toMatchObject([{ paymentId: payment.id, reason: "not_approved" }]);
    expect(await deps.db.select().from(payouts)).toMatchObject([{ state: "waiting", amountKobo: price }]);
    expect((await audited("declare_arrived"))[0]?.details).toMatchObject({ paymentId: payment.id, reason });
    expect(await audited("make_refund_due")).toHaveLength(1);
    expect((await queuedMailsTo(deps.db, backer.email)).at(-1)?.text).toContain("₦50,000 will be returned to you");
    expect(await idsOf()).toEqual([]);
    await expect(declare(payment.id)).rejects.toThrow(declareArrivedTexts.refundStands);
  });

  test("a payment whose lots are gone is rejected by it, and its refund is due", async () => {
    const project = await farm();
    const loser = await buy(Promise.resolve(project));
    const winner = await buy(Promise.resolve(project));
    await set(winner.payment.id, "approved");
    await declare(loser.payment.id);
    await confirm();
    expect(await findPayment(deps.db, loser.payment.id)).toMatchObject({ status: "rejected", decidedBy: tunde.id });
    expect(await deps.db.select().from(refunds)).toMatchObject([{ reason: "lots_gone", amountKobo: price }]);
    const mails = await queuedMailsTo(deps.db, loser.backer.email);
    expect(mails.at(-1)?.text).toContain("₦50,000 will be returned to you");
  });

  test("a part of a payment that may still be approved is unallocated, and pays first", async () => {
    const { payment } = await buy();
    await declare(payment.id, 3_000_000n);
    expect((await request()).consequences.at(-1)).toBe("It is kept for the backer until the payment is decided.");
    await confirm();
    expect(await placesIn(payment.id)).toEqual({ in_transit: 3_000_000n, unallocated: -3_000_000n });
    await expectMoneyHolds(deps);
    await expect(declare(payment.id, 2_000_001n)).rejects.toThrow(declareArrivedTexts.tooMuch("₦20,000"));
    await set(payment.id, "approved");
    expect(await placesIn(payment.id)).toEqual({ in_transit: price, project_funding: -price });
    await expect(declare(payment.id, 1n)).rejects.toThrow(declareArrivedTexts.approved);
    await expectMoneyHolds(deps);
    await set(payment.id, "rejected");
    expect(await placesIn(payment.id)).toEqual({ in_transit: 3_000_000n, unallocated: -3_000_000n });
  });

  test("neither the asker alone nor a manager confirms it, and nothing changes", async () => {
    const { payment } = await rejected();
    await declare(payment.id);
    const { id: requestId } = await request();
    await expect((await as(amaka)).secondPerson.confirm({ requestId })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect((await callAs(deps, "manager")).secondPerson.confirm({ requestId })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await placesIn(payment.id)).toEqual({});
    expect(await idsOf()).toEqual([payment.id]);
  });
});

test("a closed account is unknown in the list", async () => {
  const { payment, backer } = await rejected();
  await (await as(backer)).users.close({ currentPassword: backer.password, confirmation: "close my account" });
  expect((await listed()).items).toMatchObject([{ id: payment.id, backerName: "Unknown" }]);
});
