import { and, desc, eq, isNull } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { settings } from "#server/db/schema/settings.ts";
import type { Kobo } from "#shared/money.ts";
import { surplusTexts as texts } from "#shared/payments/surplus-texts.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { holdHoursKey, maxLotsKey } from "#shared/settings/texts.ts";
import { consentTexts } from "#shared/site/consent-texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { agreeToTerms, createPayment, decide, expectMoneyHolds, setBankDetails, sumsOf } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** Surplus of an approved payment pays for another lot of the round, when its backer presses the button. */

const deps = await openTestDeps();
const naira = (amount: number): Kobo => BigInt(amount) * 100n;
const price = naira(100_000);
let amaka: TestUser;
let ada: TestUser;
let owner: Caller;
let backer: Caller;
let account: OwnAccount;
let project: TestProject;

beforeAll(async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  owner = await callAs(deps, amaka);
  account = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(1000) });
  await setBankDetails(deps.db);
  await deps.db.insert(settings).values({ key: maxLotsKey, value: "8" });
});
/** Twelve lots of ₦100,000, of which one person may have eight. */
beforeEach(async () => {
  ada = await createUser(deps.db, { fullName: "Adaeze Okafor" });
  backer = await callAs(deps, ada);
  project = await createProject(deps.db, { lots: 12, minimumLots: 1, fundingGoalKobo: 12n * price });
});
afterEach(async () => {
  await expectMoneyHolds(deps);
  await deps.db.update(settings).set({ value: "0" }).where(eq(settings.key, holdHoursKey));
});

async function arrive(paymentId: number, amountKobo: Kobo, isNamed = true) {
  const { reference } = await paymentOf(paymentId);
  const narration = isNamed ? `NIP ${reference} OKAFOR ADAEZE` : "TRANSFER FROM ZENITH";
  const line = await keepLine(deps, account, { amountKobo, narration });
  const parts = [{ kind: "payment" as const, amountKobo, paymentId }];
  await owner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts });
  return line.id;
}

/** Makes Ada's approved payment of one lot, for which the lines bring these sums. */
async function overpay(...sums: number[]) {
  const { payment } = await createPayment(deps, { backer: ada, project, owner: amaka });
  const lineIds: number[] = [];
  for (const sum of sums) lineIds.push(await arrive(payment.id, naira(sum)));
  await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
  return { paymentId: payment.id, lineIds };
}

const paymentOf = async (paymentId: number) => {
  const [found] = await deps.db.select().from(projectPayments).where(eq(projectPayments.id, paymentId));
  if (!found) throw new Error("no such payment");
  return found;
};
const pendingOf = () =>
  deps.db
    .select()
    .from(projectPayments)
    .where(and(eq(projectPayments.projectId, project.id), eq(projectPayments.status, "pending")));
const standing = async (lineId: number) => {
  const found = await deps.db
    .select()
    .from(lineMatches)
    .where(and(eq(lineMatches.lineId, lineId), isNull(lineMatches.undoneAt)))
    .orderBy(lineMatches.id);
  return found.map((match) => [match.paymentId, match.amountKobo]);
};
const refundsOf = (paymentId: number) =>
  deps.db.select().from(refunds).where(eq(refunds.paymentId, paymentId)).orderBy(refunds.id);
const use = async (
  paymentId: number,
  given: Partial<Parameters<Caller["bank"]["useSurplus"]>[0]> = {},
  by = backer,
) => {
  const { terms, siteTerms } = await by.payments.open({ projectId: project.id });
  return by.bank.useSurplus({
    paymentId,
    lots: 1,
    termsVersion: terms.version,
    siteTerms: siteTerms.sha256,
    hasReadTerms: true,
    ...given,
  });
};

describe("a surplus pays for another lot", () => {
  test("the line is matched anew with both payments, what is left is due again, and the new one waits for an owner", async () => {
    const {
      paymentId,
      lineIds: [lineId = 0],
    } = await overpay(230_000);
    expect(await refundsOf(paymentId)).toMatchObject([{ amountKobo: naira(130_000), takenBackAt: null }]);
    const { surplus } = await backer.payments.open({ projectId: project.id });
    expect(surplus).toEqual({ paymentId, surplusKobo: naira(130_000), lots: 1, amountKobo: price });
    await use(paymentId);
    const [made, ...others] = await pendingOf();
    if (!made) throw new Error("no payment was made");
    expect(others).toEqual([]);
    expect(made).toMatchObject({ userId: ada.id, lots: 1, amountKobo: price, currentReceiptId: null });
    expect(await standing(lineId)).toEqual([
      [paymentId, naira(130_000)],
      [made.id, price],
    ]);
    expect(await refundsOf(paymentId)).toMatchObject([
      { takenBackReason: texts.reason },
      { amountKobo: naira(30_000), reason: "surplus", takenBackAt: null },
    ]);
    expect((await sumsOf(deps.db, paymentId)).unallocated).toBeUndefined();
    expect(await sumsOf(deps.db, made.id)).toMatchObject({ unallocated: -price });
    const [audited] = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "use_surplus"));
    expect(audited).toMatchObject({ userId: ada.id, details: { paymentId: made.id, ofPaymentId: paymentId, lots: 1 } });
    const [told] = await deps.db
      .select()
      .from(notifications)
      .where(eq(notifications.userId, amaka.id))
      .orderBy(desc(notifications.id))
      .limit(1);
    expect(told?.title).toBe("Surplus used for another lot");
    // It is wholly seen, so it is among those that are confirmed at once.
    expect((await owner.bank.listSurePayments()).map((sure) => sure.paymentId)).toContain(made.id);
    await decide(deps, amaka, { paymentId: made.id, status: "approved" });
    expect((await paymentOf(made.id)).status).toBe("approved");
  });

  test("of a transfer of its own nothing stays with the first payment, and a rejected one's money is given back", async () => {
    const {
      paymentId,
      lineIds: [first = 0, second = 0],
    } = await overpay(100_000, 200_000);
    await use(paymentId, { lots: 2 });
    const [made] = await pendingOf();
    if (!made) throw new Error("no payment was made");
    expect(await standing(first)).toEqual([[paymentId, price]]);
    expect(await standing(second)).toEqual([[made.id, 2n * price]]);
    await decide(deps, amaka, { paymentId: made.id, status: "rejected", reason: "No", isGivenBack: true });
    expect(await refundsOf(made.id)).toMatchObject([{ amountKobo: 2n * price, reason: "not_approved" }]);
  });

  test("it pays for as many lots as a purchase of theirs that was rejected before", async () => {
    const { paymentId } = await overpay(200_000);
    const { payment } = await createPayment(deps, { backer: ada, project, owner: amaka });
    await decide(deps, amaka, { paymentId: payment.id, status: "rejected", reason: "Blurred" });
    deps.clock.advance({ minutes: 1 });
    await use(paymentId);
    const [made] = await pendingOf();
    expect(made).toMatchObject({ reference: payment.reference, lots: 1 });
    expect(made?.id).not.toBe(payment.id);
  });

  test("lots that they hold already are those that it pays for", async () => {
    const { paymentId } = await overpay(200_000);
    await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
    await agreeToTerms(deps, ada, project.id, 1);
    expect((await backer.payments.open({ projectId: project.id })).surplus?.lots).toBe(1);
    await use(paymentId);
    expect(await pendingOf()).toMatchObject([{ lots: 1 }]);
  });

  test("of two presses at once one buys", async () => {
    const { paymentId } = await overpay(300_000);
    const { terms, siteTerms } = await backer.payments.open({ projectId: project.id });
    const agreed = { termsVersion: terms.version, siteTerms: siteTerms.sha256, hasReadTerms: true } as const;
    const press = () => backer.bank.useSurplus({ paymentId, lots: 1, ...agreed });
    const answers = await Promise.allSettled([press(), press()]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(answers.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: texts.otherPending },
    });
    expect(await pendingOf()).toHaveLength(1);
  });
});

describe("refused, and nothing changed", () => {
  test("another's payment, no terms ticked, other terms, more lots than it pays for, and a payment that isn't approved", async () => {
    const { paymentId } = await overpay(200_000);
    const stranger = await callAs(deps, await createUser(deps.db));
    await expect(use(paymentId, {}, stranger)).rejects.toThrow(paymentTexts.gone);
    await expect(use(paymentId, { hasReadTerms: false as true })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(use(paymentId, { termsVersion: 99 })).rejects.toThrow(termsTexts.changed);
    await expect(use(paymentId, { siteTerms: "0".repeat(64) })).rejects.toThrow(consentTexts.changedMeanwhile);
    await expect(use(paymentId, { lots: 2 })).rejects.toThrow(texts.tooLittle);
    expect(await pendingOf()).toEqual([]);
    expect(await refundsOf(paymentId)).toMatchObject([{ amountKobo: price, takenBackAt: null }]);

    const { payment } = await createPayment(deps, { backer: ada, project, owner: amaka });
    await arrive(payment.id, 2n * price);
    await expect(use(payment.id)).rejects.toThrow(texts.notApproved);
    await expect(use(paymentId)).rejects.toThrow(texts.otherPending);
    expect((await backer.payments.open({ projectId: project.id })).surplus).toBeNull();
  });

  test("a closed project, lots that are gone or more than one person may have, and lots that others hold", async () => {
    const { paymentId } = await overpay(200_000);
    const one = await createUser(deps.db);
    await deps.db.update(settings).set({ value: "12" }).where(eq(settings.key, maxLotsKey));
    const { payment } = await createPayment(deps, { backer: one, project, lots: 11, owner: amaka });
    await arrive(payment.id, 11n * price);
    await deps.db.update(settings).set({ value: "1" }).where(eq(settings.key, maxLotsKey));
    await expect(use(paymentId)).rejects.toThrow(paymentTexts.lotsLeft(0));
    await deps.db.update(settings).set({ value: "8" }).where(eq(settings.key, maxLotsKey));
    await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
    await decide(deps, amaka, { paymentId: payment.id, status: "rejected", isGivenBack: false });
    for (const lots of [8, 3]) await agreeToTerms(deps, await createUser(deps.db), project.id, lots);
    expect((await backer.payments.open({ projectId: project.id })).surplus).toBeNull();
    await expect(use(paymentId)).rejects.toThrow(holdTexts.noneFree);
    await owner.projects.close({ projectId: project.id });
    await expect(use(paymentId)).rejects.toThrow(paymentTexts.projectClosed);
  });

  test("money that is withheld, no single line that brought so much, and a line that doesn't name them", async () => {
    const { paymentId } = await overpay(100_000, 50_000, 50_000);
    const [refund] = await refundsOf(paymentId);
    // The line of ₦100,000 carries it: what the others brought is enough for the first lot.
    expect((await backer.payments.open({ projectId: project.id })).surplus?.lots).toBe(1);
    const [payout] = await deps.db
      .select()
      .from(payouts)
      .where(eq(payouts.refundId, refund?.id ?? 0));
    await owner.payouts.withhold({ payoutId: payout?.id ?? 0, reason: "The bank asks whose money this is" });
    expect((await backer.payments.open({ projectId: project.id })).surplus).toBeNull();
    await expect(use(paymentId)).rejects.toThrow(texts.tooLittle);

    const parts = await overpay(50_000, 50_000, 50_000, 50_000);
    await expect(use(parts.paymentId)).rejects.toThrow(texts.noTransfer);

    const { payment } = await createPayment(deps, { backer: ada, project, owner: amaka });
    await arrive(payment.id, naira(210_000), false);
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    await expect(use(payment.id)).rejects.toThrow(texts.noTransfer);
    expect((await backer.payments.open({ projectId: project.id })).surplus).toBeNull();
  });
});
