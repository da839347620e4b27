import { desc, eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { settings } from "#server/db/schema/settings.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { arrivalTexts, paymentTexts } from "#shared/payments/texts.ts";
import { approvePaymentTexts, declareArrivedTexts, secondPersonTexts } from "#shared/second-person/texts.ts";
import { secondPersonKey } from "#shared/settings/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  agreeToTerms,
  createPayment,
  expectMoneyHolds,
  findPayment,
  seen,
  sendReceipt,
  setBankDetails,
  sumsOf,
} from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { matchByTwo } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount, takenBackPart } from "#tests/support/statements.ts";

/** Approvals of payments once the bank's statements are imported. */

const deps = await openTestDeps();
const reason = "I saw the transfer in the bank's app.";
let account: OwnAccount;
let amaka: TestUser;
let tunde: TestUser;
let project: TestProject;
/** A payment approved by its receipt before any statement was imported. */
let unseen: Awaited<ReturnType<typeof createPayment>>;

const as = (who: TestUser) => callAs(deps, who);
const price = 5_000_000n;

/** Returns the details with which an owner who sees a payment now asks a second person to approve it. */
const approvalOf = async (paymentId: number, { missingKobo = price, writtenOffKobo = 0n } = {}) => ({
  ...(await seen(deps.db, paymentId)),
  missingKobo: String(missingKobo),
  writtenOffKobo: String(writtenOffKobo),
});

beforeAll(async () => {
  amaka = await createAdmin(deps.db, "owner");
  tunde = await createAdmin(deps.db, "owner");
  const farm = await createProject(deps.db, { fundingGoalKobo: 40n * price, lots: 40, minimumLots: 30 });
  unseen = await createPayment(deps, { project: farm, owner: amaka, status: "approved" });
  const { payment } = await createPayment(deps, { owner: amaka });
  // Without statements nothing of this is there.
  const ask = await approvalOf(payment.id);
  const early = (await as(amaka)).secondPerson;
  await expect(early.ask({ kind: "approve_payment", details: ask, reason })).rejects.toThrow(
    approvePaymentTexts.noStatements,
  );
  const declared = { paymentId: unseen.payment.id, amountKobo: "1" };
  await expect(early.ask({ kind: "declare_arrived", details: declared, reason })).rejects.toThrow(
    declareArrivedTexts.approved,
  );
  const { items, isBankKnown } = await (await as(amaka)).payments.list({});
  expect(isBankKnown).toBe(false);
  expect(items.map(({ bank }) => bank)).toEqual(items.map(() => null));
  account = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: price });
  // From here on ₦40,000 is much.
  await deps.db.insert(settings).values({ key: secondPersonKey, value: "40000" });
});

/** Two owners, and forty lots of ₦50,000. */
beforeEach(async () => {
  await dismissAdmins(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  tunde = await createAdmin(deps.db, "owner", { fullName: "Tunde Ade" });
  project = await createProject(deps.db, { fundingGoalKobo: 40n * price, lots: 40, minimumLots: 30 });
});
afterEach(() => expectMoneyHolds(deps));

const buy = (lots = 1) => createPayment(deps, { project, owner: amaka, lots });

/** A line of money in that explains a payment, or of money that the bank takes back. */
async function match(paymentId: number, amountKobo: bigint): Promise<number> {
  const { reference } = await findPayment(deps.db, paymentId);
  const { id: lineId } = await keepLine(deps, account, { amountKobo, narration: `NIP ${reference}` });
  if (amountKobo > 0n) {
    const part = { kind: "payment" as const, amountKobo, paymentId };
    await (await as(amaka)).bank.match({ lineId, seenMatchedKobo: 0n, parts: [part] });
    return lineId;
  }
  const part = await takenBackPart(deps.db, { paymentId, amountKobo: -amountKobo });
  const two = { asks: await as(amaka), confirms: await as(tunde) };
  await matchByTwo(two, { lineId, seenMatchedKobo: 0n, parts: [part] });
  return lineId;
}

async function undoMatch(lineId: number): Promise<void> {
  const [made] = await deps.db.select().from(lineMatches).where(eq(lineMatches.lineId, lineId));
  await (await as(amaka)).bank.undo({ matchId: made?.id ?? 0, reason: "It was another's" });
}

type Given = { unseenReason?: string; isGivenBack?: boolean };
const set = async (by: TestUser, paymentId: number, status: PaymentStatus, given: Given = {}) =>
  (await as(by)).payments.setStatus({ ...(await seen(deps.db, paymentId)), status, ...given });
const statusOf = async (paymentId: number) => (await findPayment(deps.db, paymentId)).status;
const placesIn = (paymentId: number) => sumsOf(deps.db, paymentId);
const lastAudit = async (action: string) => {
  const [entry] = await deps.db
    .select()
    .from(auditLogs)
    .where(eq(auditLogs.actionType, action))
    .orderBy(desc(auditLogs.id))
    .limit(1);
  return entry?.details;
};
const rowOf = async (paymentId: number, filter: { bank?: "in_bank" | "not_seen" | "part" | "taken_back" } = {}) =>
  (await (await as(amaka)).payments.list({ projectId: project.id, ...filter })).items.find(
    ({ id }) => id === paymentId,
  );
const requestFor = async (kind: "approve_payment" | "declare_arrived", paymentId: number) => {
  const { requests } = await (await as(tunde)).secondPerson.list();
  const found = requests.find((request) => request.kind === kind && request.subject === String(paymentId));
  if (!found) throw new Error("nothing is asked");
  return found;
};
const confirm = async (kind: "approve_payment" | "declare_arrived", paymentId: number) =>
  (await as(tunde)).secondPerson.confirm({ requestId: (await requestFor(kind, paymentId)).id });

describe("approving", () => {
  test("takes nothing more where the bank shows the money", async () => {
    const { payment } = await buy();
    const lineId = await match(payment.id, price);
    expect(await rowOf(payment.id, { bank: "in_bank" })).toMatchObject({
      bank: { state: "in_bank", need: "nothing", missingKobo: 0n, lineIds: [lineId] },
    });
    await set(amaka, payment.id, "approved");
    expect(await placesIn(payment.id)).toEqual({ unmatched_in: price, project_funding: -price });
    expect(await lastAudit("update_payment_status")).not.toHaveProperty("unseenReason");
  });

  test("takes two still where the other owner was sent away a moment ago", async () => {
    const { payment } = await buy();
    await (await as(amaka)).admins.deactivate({ userId: tunde.id });
    expect(await rowOf(payment.id, { bank: "not_seen" })).toMatchObject({ bank: { need: "second_person" } });
    const before = await findPayment(deps.db, payment.id);
    await expect(set(amaka, payment.id, "approved", { unseenReason: reason })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect(await findPayment(deps.db, payment.id)).toEqual(before);
  });

  test("takes a reason where the bank doesn't show it, which is kept", async () => {
    await dismissAdmins(deps.db, tunde.id);
    const { payment } = await buy();
    expect(await rowOf(payment.id, { bank: "not_seen" })).toMatchObject({
      bank: { state: "not_seen", need: "reason" },
    });
    const before = await findPayment(deps.db, payment.id);
    await expect(set(amaka, payment.id, "approved")).rejects.toThrow(paymentTexts.unseenReasonMissing);
    await expect(set(amaka, payment.id, "approved", { unseenReason: "   " })).rejects.toThrow(
      paymentTexts.unseenReasonMissing,
    );
    await expect(set(amaka, payment.id, "approved", { unseenReason: "x".repeat(501) })).rejects.toThrow(
      paymentTexts.reasonTooLong,
    );
    expect(await findPayment(deps.db, payment.id)).toEqual(before);
    expect(await placesIn(payment.id)).toEqual({});
    await set(amaka, payment.id, "approved", { unseenReason: reason });
    expect(await placesIn(payment.id)).toEqual({ in_transit: price, project_funding: -price });
    expect(await lastAudit("update_payment_status")).toMatchObject({
      paymentId: payment.id,
      unseenReason: reason,
      missingKobo: String(price),
    });
    // The line comes later, and the bank may take the money back.
    tunde = await createAdmin(deps.db, "owner");
    await match(payment.id, price);
    expect((await rowOf(payment.id))?.bank).toMatchObject({ state: "in_bank" });
    await match(payment.id, -price);
    expect((await rowOf(payment.id, { bank: "taken_back" }))?.bank).toMatchObject({ state: "taken_back" });
    expect(await rowOf(payment.id, { bank: "in_bank" })).toBeUndefined();
  });

  test("writes a missing rest up to ₦100 off, and not a kobo more", async () => {
    const { payment } = await buy();
    const { payment: other } = await buy();
    await match(payment.id, price - 100_00n);
    await match(other.id, price - 100_01n);
    await set(amaka, payment.id, "approved");
    expect(await placesIn(payment.id)).toMatchObject({ bank_charges: 100_00n, project_funding: -price });
    await expect(set(amaka, other.id, "approved")).rejects.toThrow(paymentTexts.unseenReasonMissing);
    expect((await rowOf(other.id, { bank: "part" }))?.bank).toMatchObject({
      state: "part",
      arrivedKobo: price - 100_01n,
      smallRestKobo: 0n,
    });
    await set(amaka, other.id, "approved", { unseenReason: reason });
    expect(await placesIn(other.id)).toMatchObject({ in_transit: 100_01n });
    // A reversal takes the write-off back.
    await set(amaka, payment.id, "pending");
    expect(await placesIn(payment.id)).toEqual({
      unmatched_in: price - 100_00n,
      unallocated: -(price - 100_00n),
    });
    expect(await lastAudit("update_payment_status")).toMatchObject({ arrivedKobo: String(price - 100_00n) });
  });

  test("of much that the bank doesn't show takes a second person, who reads what is missing", async () => {
    const { payment, backer } = await buy();
    expect((await rowOf(payment.id))?.bank).toMatchObject({ need: "second_person" });
    await expect(set(amaka, payment.id, "approved", { unseenReason: reason })).rejects.toThrow(
      paymentTexts.needsSecondPerson("₦40,000", "₦0"),
    );
    expect(await statusOf(payment.id)).toBe("pending");
    const details = await approvalOf(payment.id);
    await (await as(amaka)).secondPerson.ask({ kind: "approve_payment", details, reason });
    expect(await requestFor("approve_payment", payment.id)).toMatchObject({
      title: `Approve ₦50,000 for ${project.title}`,
      consequences: [
        `The payment is ${backer.fullName}'s, with the reference ${payment.reference}.`,
        "The bank's statements show nothing of it.",
        "₦50,000 stay in transit until the bank shows them.",
        "The backer becomes one of the project's, and is emailed.",
      ],
      isPossible: true,
      isOwn: false,
    });
    expect(await statusOf(payment.id)).toBe("pending");
    const { id: requestId } = await requestFor("approve_payment", payment.id);
    await expect((await as(amaka)).secondPerson.confirm({ requestId })).rejects.toThrow(secondPersonTexts.needsAnother);
    await confirm("approve_payment", payment.id);
    expect(await findPayment(deps.db, payment.id)).toMatchObject({ status: "approved", decidedBy: tunde.id });
    expect(await placesIn(payment.id)).toEqual({ in_transit: price, project_funding: -price });
    expect(await lastAudit("update_payment_status")).toMatchObject({ requestId, unseenReason: reason });
    expect((await queuedMailsTo(deps.db, backer.email)).map(({ subject }) => subject)).toContain(
      `Your backing of ${project.title} is confirmed`,
    );
    await expect((await as(amaka)).secondPerson.ask({ kind: "approve_payment", details, reason })).rejects.toThrow(
      approvePaymentTexts.approved,
    );
  });

  test("with a rest of more than ₦100 written off takes a second person, as long as the rest is what it was", async () => {
    const { payment } = await buy();
    const ask = async (writtenOffKobo: bigint) =>
      (await as(amaka)).secondPerson.ask({
        kind: "approve_payment",
        details: await approvalOf(payment.id, { missingKobo: writtenOffKobo, writtenOffKobo }),
        reason,
      });
    await expect(ask(price)).rejects.toThrow(approvePaymentTexts.nothingArrived);
    await match(payment.id, price - 500_00n);
    await expect(ask(499_00n)).rejects.toThrow(approvePaymentTexts.restChanged);
    await ask(500_00n);
    await match(payment.id, 1_00n);
    await expect(confirm("approve_payment", payment.id)).rejects.toThrow(approvePaymentTexts.restChanged);
    expect(await statusOf(payment.id)).toBe("pending");
    const { id: requestId } = await requestFor("approve_payment", payment.id);
    await (await as(tunde)).secondPerson.decline({ requestId });
    await ask(499_00n);
    await confirm("approve_payment", payment.id);
    expect(await placesIn(payment.id)).toMatchObject({ bank_charges: 499_00n, project_funding: -price });
  });

  test("is confirmed as it was asked for: not after a rejection, and not when less is in the bank", async () => {
    const { payment } = await buy();
    await match(payment.id, 1_000_00n);
    const details = await approvalOf(payment.id, { missingKobo: price - 1_000_00n });
    await (await as(amaka)).secondPerson.ask({ kind: "approve_payment", details, reason });
    await set(tunde, payment.id, "rejected");
    expect(await requestFor("approve_payment", payment.id)).toMatchObject({ isPossible: false });
    await expect(confirm("approve_payment", payment.id)).rejects.toThrow(paymentTexts.changed);
    await set(tunde, payment.id, "pending");
    await match(payment.id, 1_00n);
    await expect(confirm("approve_payment", payment.id)).rejects.toThrow(approvePaymentTexts.restChanged);
    expect(await statusOf(payment.id)).toBe("pending");
  });
});

test("one owner alone can't leave a payment approved that takes two to approve", async () => {
  const { payment } = await buy();
  const lineId = await match(payment.id, price);
  await set(amaka, payment.id, "approved");
  await expect(undoMatch(lineId)).rejects.toThrow(bankTexts.approvedByIt);
  expect(await placesIn(payment.id)).toEqual({ unmatched_in: price, project_funding: -price });
  await set(amaka, payment.id, "pending");
  await undoMatch(lineId);
  expect(await placesIn(payment.id)).toEqual({});
});

test("a refund stays due whose money two owners booked as lost", async () => {
  const { payment } = await buy();
  await match(payment.id, price);
  await set(amaka, payment.id, "rejected", { isGivenBack: true });
  const [refund] = await deps.db.select().from(refunds).where(eq(refunds.paymentId, payment.id));
  const line = await keepLine(deps, account, { amountKobo: -price });
  const details = { paymentId: payment.id, lineId: line.id, amountKobo: String(price) };
  await (await as(amaka)).secondPerson.ask({ kind: "book_loss", details, reason });
  const { requests } = await (await as(tunde)).secondPerson.list();
  await (await as(tunde)).secondPerson.confirm({
    requestId: requests.find(({ kind }) => kind === "book_loss")?.id ?? 0,
  });
  const takeBack = (await as(amaka)).payments.takeRefundBack({ refundId: refund?.id ?? 0, reason: "By mistake" });
  await expect(takeBack).rejects.toThrow(paymentTexts.refundLost);
});

describe("a surplus", () => {
  test("of less than ₦100 is kept as the company's own, told, and counts as arrived again without the approval", async () => {
    const { payment, backer } = await buy();
    await match(payment.id, price + 99_50n);
    await set(amaka, payment.id, "approved");
    expect(await rowOf(payment.id)).toMatchObject({ refundDue: null, unallocatedKobo: 0n, refunds: [] });
    expect(await placesIn(payment.id)).toMatchObject({ operator: -99_50n, project_funding: -price });
    const [mail] = (await queuedMailsTo(deps.db, backer.email)).filter(({ subject }) => subject.includes("confirmed"));
    expect(mail?.text).toContain(arrivalTexts.surplus(99_50n));
    expect(arrivalTexts.surplus(99_50n)).toContain("We keep it.");
    expect(await lastAudit("update_payment_status")).toMatchObject({ keptKobo: "9950" });
    await set(amaka, payment.id, "pending");
    expect(await placesIn(payment.id)).toEqual({
      unmatched_in: price + 99_50n,
      unallocated: -price - 99_50n,
    });
    await set(amaka, payment.id, "approved");
    expect(await rowOf(payment.id)).toMatchObject({ unallocatedKobo: 0n });
  });

  test("of less than ₦100 that comes after the approval is kept and told too, until more comes, and with it all goes back", async () => {
    const { payment, backer } = await buy();
    await match(payment.id, price);
    await set(amaka, payment.id, "approved");
    await match(payment.id, 60_00n);
    expect(await placesIn(payment.id)).toMatchObject({ operator: -60_00n, project_funding: -price });
    expect(await rowOf(payment.id)).toMatchObject({ unallocatedKobo: 0n });
    const mails = (await queuedMailsTo(deps.db, backer.email)).filter(({ text }) => text.includes("We keep it."));
    expect(mails).toMatchObject([{ text: expect.stringContaining(arrivalTexts.surplus(60_00n)) }]);
    await match(payment.id, 60_00n);
    expect(await placesIn(payment.id)).toMatchObject({ unallocated: -120_00n });
    expect(await placesIn(payment.id)).not.toHaveProperty("operator");
    const seen = { paymentId: payment.id, seenUnallocatedKobo: 120_00n };
    await (await as(amaka)).payments.giveUnallocatedBack(seen);
    expect(await placesIn(payment.id)).toMatchObject({ backer_due: -120_00n });
  });

  test("a small rest that was written off and comes after all is kept", async () => {
    const { payment } = await buy();
    await match(payment.id, price - 50_00n);
    await set(amaka, payment.id, "approved");
    await match(payment.id, 50_00n);
    expect(await placesIn(payment.id)).toMatchObject({ bank_charges: 50_00n, operator: -50_00n });
    expect(await rowOf(payment.id)).toMatchObject({ unallocatedKobo: 0n });
  });

  test("of ₦100 goes back, and one that was kept isn't kept any more once the bank takes all of it back", async () => {
    const whole = await buy();
    await match(whole.payment.id, price + 100_00n);
    await set(amaka, whole.payment.id, "approved");
    expect(await rowOf(whole.payment.id)).toMatchObject({ refundDue: "surplus", refundKobo: 100_00n });
    const { payment } = await buy();
    await match(payment.id, price + 1_00n);
    await set(amaka, payment.id, "approved");
    await match(payment.id, -price - 1_00n);
    expect(await placesIn(payment.id)).toMatchObject({ receivable: price, project_funding: -price });
    expect(await placesIn(payment.id)).not.toHaveProperty("operator");
  });

  test("becomes a refund due with the approval, is taken back with a reason, and given back again", async () => {
    const { payment, backer } = await buy();
    await match(payment.id, price + 700_00n);
    await set(amaka, payment.id, "approved");
    expect(await placesIn(payment.id)).toMatchObject({ backer_due: -700_00n, project_funding: -price });
    const [mail] = (await queuedMailsTo(deps.db, backer.email)).filter(({ subject }) => subject.includes("confirmed"));
    expect(mail?.text).toContain(paymentTexts.surplus("₦700"));
    const own = async () => (await (await as(backer)).payments.listMyPending()).approved;
    expect(await own()).toMatchObject([{ payment: { refundDue: "surplus", refundKobo: 700_00n } }]);
    const listed = await rowOf(payment.id);
    expect(listed).toMatchObject({ refundDue: "surplus", refundKobo: 700_00n, unallocatedKobo: 0n });
    const refundId = listed?.refunds[0]?.id ?? 0;

    const takeBack = async (by: TestUser, why: string) =>
      (await as(by)).payments.takeRefundBack({ refundId, reason: why });
    await expect(takeBack(amaka, "  ")).rejects.toThrow(paymentTexts.reasonMissing);
    expect(await own()).toHaveLength(1);
    await takeBack(amaka, "The backer wants it in the next round.");
    expect(await own()).toEqual([]);
    expect(await deps.db.select().from(refunds).where(eq(refunds.id, refundId))).toMatchObject([
      { takenBackBy: amaka.id, takenBackReason: "The backer wants it in the next round." },
    ]);
    expect(await lastAudit("take_refund_back")).toMatchObject({ refundId, paymentId: payment.id, amountKobo: "70000" });
    expect((await queuedMailsTo(deps.db, backer.email)).at(-1)?.text).toContain(
      "The backer wants it in the next round.",
    );
    expect(await placesIn(payment.id)).toMatchObject({ unallocated: -700_00n });
    await expect(takeBack(amaka, reason)).rejects.toThrow(paymentTexts.refundGone);

    expect(await rowOf(payment.id)).toMatchObject({ unallocatedKobo: 700_00n, refunds: [], refundDue: null });
    const give = async (by: TestUser, seenUnallocatedKobo: bigint) =>
      (await as(by)).payments.giveUnallocatedBack({ paymentId: payment.id, seenUnallocatedKobo });
    await expect(give(amaka, 699_00n)).rejects.toThrow(paymentTexts.unallocatedChanged);
    await expect(give(amaka, 0n)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await give(amaka, 700_00n);
    await expect(give(amaka, 700_00n)).rejects.toThrow(paymentTexts.nothingUnallocated);
    expect(await rowOf(payment.id)).toMatchObject({ refundDue: "surplus", refundKobo: 700_00n, unallocatedKobo: 0n });
    expect(await lastAudit("make_refund_due")).toMatchObject({ paymentId: payment.id, reason: "surplus" });
  });

  test("that is taken back pays first for what is missing by then", async () => {
    const { payment } = await buy();
    await match(payment.id, price - 300_00n);
    const wrong = await match(payment.id, 1_000_00n);
    await set(amaka, payment.id, "approved");
    const [refund] = await deps.db.select().from(refunds).where(eq(refunds.paymentId, payment.id));
    await undoMatch(wrong);
    expect(await placesIn(payment.id)).toMatchObject({ in_transit: 1_000_00n, backer_due: -700_00n });
    await (await as(amaka)).payments.takeRefundBack({ refundId: refund?.id ?? 0, reason });
    expect(await placesIn(payment.id)).toEqual({
      unmatched_in: price - 300_00n,
      in_transit: 300_00n,
      project_funding: -price,
    });
    expect(await rowOf(payment.id)).toMatchObject({ unallocatedKobo: 0n, bank: { missingKobo: 300_00n } });
  });
});

describe("a rejection of money that arrived", () => {
  test("gives it back or holds it, as the owner says, and what is held is given back later", async () => {
    const first = await buy();
    const second = await buy();
    for (const { payment } of [first, second]) await match(payment.id, 2_000_000n);
    await set(amaka, first.payment.id, "rejected", { isGivenBack: true });
    expect(await rowOf(first.payment.id)).toMatchObject({ refundDue: "not_approved", refundKobo: 2_000_000n });
    expect((await queuedMailsTo(deps.db, first.backer.email)).at(-1)?.text).toContain(
      "₦20,000 will be returned to you",
    );
    await expect(set(amaka, first.payment.id, "approved", { unseenReason: reason })).rejects.toThrow(
      paymentTexts.refundStands,
    );
    const paymentId = second.payment.id;
    const give = async () =>
      (await as(amaka)).payments.giveUnallocatedBack({ paymentId, seenUnallocatedKobo: 2_000_000n });
    await expect(give()).rejects.toThrow(paymentTexts.rejectFirst);
    await set(amaka, paymentId, "rejected");
    expect(await rowOf(paymentId)).toMatchObject({ refundDue: null, unallocatedKobo: 2_000_000n });
    await give();
    expect(await rowOf(paymentId)).toMatchObject({
      refundDue: "not_approved",
      unallocatedKobo: 0n,
      bank: { state: "part" },
    });
    expect((await queuedMailsTo(deps.db, second.backer.email)).at(-1)?.subject).toBe(
      `Money of your payment for ${project.title} will be returned`,
    );
  });
});

describe("an approval that no statement shows", () => {
  const declare = async (paymentId: number, amountKobo: bigint) =>
    (await as(amaka)).secondPerson.ask({
      kind: "declare_arrived",
      details: { paymentId, amountKobo: String(amountKobo) },
      reason,
    });

  test("has nothing due with its round; what two people say of it then is", async () => {
    const paymentId = unseen.payment.id;
    project = unseen.project;
    const owner = await as(amaka);
    await owner.projects.close({ projectId: project.id });
    expect(await placesIn(paymentId)).toEqual({ in_transit: price, project_funding: -price });
    expect(await rowOf(paymentId)).toMatchObject({ bank: { state: "not_seen", missingKobo: price } });
    expect(await owner.payments.roundToDecide({ projectId: project.id })).toMatchObject({
      backers: [{ paymentId, amountKobo: price, dueKobo: 0n }],
      totalDueKobo: 0n,
    });
    await owner.payments.decideRound({ projectId: project.id, outcome: "not_funded", seenApprovedLots: 1 });
    expect(await placesIn(paymentId)).toEqual({});
    expect((await queuedMailsTo(deps.db, unseen.backer.email)).at(-1)?.text).toContain(
      "We have not seen your transfer in our bank account.",
    );
    await expect(declare(paymentId, price + 1n)).rejects.toThrow(declareArrivedTexts.tooMuch("₦50,000"));
    await expect(declare(paymentId, 0n)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await declare(paymentId, price - 1_000_000n);
    expect(await requestFor("declare_arrived", paymentId)).toMatchObject({
      title: `Declare ₦40,000 for ${project.title} as arrived`,
      isPossible: true,
    });
    await confirm("declare_arrived", paymentId);
    expect(await lastAudit("declare_arrived")).toMatchObject({ paymentId, amountKobo: "4000000", reason });
    expect(await placesIn(paymentId)).toEqual({ in_transit: 4_000_000n, backer_due: -4_000_000n });
    expect((await queuedMailsTo(deps.db, unseen.backer.email)).at(-1)?.text).toContain("₦40,000 will be returned");
    await expect(declare(paymentId, 1_000_000n)).rejects.toThrow(declareArrivedTexts.refundStands);
  });

  test("and of which two people had said before that it came is due back as far as they said", async () => {
    const { payment, backer } = await buy();
    await declare(payment.id, 3_000_000n);
    await confirm("declare_arrived", payment.id);
    expect(await placesIn(payment.id)).toEqual({ in_transit: 3_000_000n, unallocated: -3_000_000n });
    await set(amaka, payment.id, "approved", { unseenReason: reason });
    expect(await placesIn(payment.id)).toEqual({ in_transit: price, project_funding: -price });
    expect(await rowOf(payment.id)).toMatchObject({ bank: { state: "part", missingKobo: 2_000_000n } });
    await expect(declare(payment.id, 1n)).rejects.toThrow(declareArrivedTexts.approved);
    await (await as(amaka)).projects.close({ projectId: project.id });
    const decision = { projectId: project.id, outcome: "not_funded", seenApprovedLots: 1 } as const;
    await (await as(amaka)).payments.decideRound(decision);
    expect(await placesIn(payment.id)).toEqual({ in_transit: 3_000_000n, backer_due: -3_000_000n });
    expect((await queuedMailsTo(deps.db, backer.email)).at(-1)?.text).toContain("₦30,000 will be returned to you.");
  });
});

describe("a payment without a receipt", () => {
  test("is listed, waits with its backer, takes a receipt later, and is approved", async () => {
    await setBankDetails(deps.db);
    const backer = await createUser(deps.db);
    await agreeToTerms(deps, backer, project.id);
    const open = async () => (await as(backer)).payments.open({ projectId: project.id });
    const { id: lineId } = await keepLine(deps, account, { amountKobo: price });
    const part = { kind: "purchase" as const, amountKobo: price, reference: (await open()).reference ?? "" };
    await (await as(amaka)).bank.match({ lineId, seenMatchedKobo: 0n, parts: [part] });
    const paymentId = (await open()).ownPayment?.id ?? 0;
    expect(await rowOf(paymentId)).toMatchObject({ receipt: null, bank: { state: "in_bank" } });
    const { pending } = await (await as(backer)).payments.listMyPending();
    expect(pending).toMatchObject([{ payment: { id: paymentId, submittedAt: null } }]);
    expect((await open()).ownPayment).toMatchObject({ id: paymentId, submittedAt: null });
    await expect((await as(amaka)).receipts.link({ paymentId })).rejects.toThrow(paymentTexts.noReceipt);
    const unseen = { paymentId, status: "approved", seenStatus: "pending", seenReceiptSha256: "0".repeat(64) } as const;
    await expect((await as(amaka)).payments.setStatus(unseen)).rejects.toThrow(paymentTexts.changed);

    const sent = await sendReceipt(deps, { backer, projectId: project.id });
    expect(sent.paymentId).toBe(paymentId);
    expect(await rowOf(paymentId)).toMatchObject({ receipt: { id: sent.receiptId } });
    await deps.db.update(projectPayments).set({ currentReceiptId: null }).where(eq(projectPayments.id, paymentId));
    await (await as(amaka)).payments.setStatus({ ...unseen, seenReceiptSha256: null });
    expect(await statusOf(paymentId)).toBe("approved");
  });
});

test("what one owner takes from approved payments is added up with what they approve unseen", async () => {
  const half = price / 2n;
  const halves: number[] = [];
  for (const { payment } of [await buy(), await buy()]) {
    await match(payment.id, half);
    halves.push(await match(payment.id, half));
    await set(amaka, payment.id, "approved");
  }
  const [first = 0, other = 0] = halves;
  await undoMatch(first);
  await expect(undoMatch(other)).rejects.toThrow(bankTexts.approvedByIt);
  const { payment } = await buy();
  await match(payment.id, half);
  const approving = set(amaka, payment.id, "approved", { unseenReason: "The rest is on its way." });
  await expect(approving).rejects.toThrow("You have approved ₦25,000");
  expect(await statusOf(payment.id)).toBe("pending");
  await set(tunde, payment.id, "approved", { unseenReason: "The rest is on its way." });
});
