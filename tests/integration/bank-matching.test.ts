import { and, desc, eq, isNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { placesOf, readMoney } from "#server/books/places.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { holds } from "#server/db/schema/holds.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReferences } from "#server/db/schema/payments.ts";
import { settings } from "#server/db/schema/settings.ts";
import { findCandidates } from "#server/features/bank/matching/candidates/find-candidates.ts";
import { refreshSuggestions } from "#server/features/bank/matching/suggestions.ts";
import { makeRefundNotes } from "#server/features/papers/service.ts";
import { makeRefundDue } from "#server/features/payments/unallocated/service.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import { formatWeekdayTime } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import { arrivalTexts, paymentTexts, restDeadline } from "#shared/payments/texts.ts";
import { holdHoursKey, maxLotsKey } from "#shared/settings/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  agreeToTerms,
  createPayment,
  decide,
  expectMoneyHolds,
  findPayment,
  setBankDetails,
} from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { matchByTwo } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount, takenBackPart } from "#tests/support/statements.ts";

/** Explanations of a bank statement's lines: suggestions, matches, and how they are undone. */

const deps = await openTestDeps();
const naira = (amount: number): Kobo => BigInt(amount) * 100n;
let amaka: TestUser;
let tunde: TestUser;
let ada: TestUser;
let owner: Caller;
let account: OwnAccount;
let other: OwnAccount;
let today: string;

beforeEach(async () => {
  // Every receipt notifies all administrators, so those of earlier tests are dismissed.
  await dismissAdmins(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  tunde = await createAdmin(deps.db, "owner", { fullName: "Tunde Ade" });
  ada = await createUser(deps.db, { fullName: "Adaeze Okafor" });
  owner = await callAs(deps, amaka);
  today = deps.clock.now().toISOString().slice(0, 10);
  account ??= await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(1000) });
  other ??= await openOwnAccount(deps, { importedBy: amaka.id, accountNumber: "9876543210" });
  await setBankDetails(deps.db);
});
afterEach(async () => {
  await expectMoneyHolds(deps);
  // The bank's own lines and the ledger agree whatever happened.
  for (const { differenceKobo } of (await owner.bank.overview()).accounts) expect(differenceKobo).toBe(0n);
});

const line = (values: Partial<typeof statementLines.$inferInsert> & { amountKobo: Kobo }, on = account) =>
  keepLine(deps, on, { date: today, ...values });
const readLine = async (id: number) => {
  const [found] = await deps.db.select().from(statementLines).where(eq(statementLines.id, id));
  if (!found) throw new Error("no such line");
  return found;
};
const candidatesOf = async (id: number) => (await findCandidates(deps.db, [await readLine(id)])).get(id) ?? [];
const money = async (paymentId: number) =>
  deps.db.transaction(async (tx) => placesOf(await readMoney(tx, await findPayment(tx, paymentId))));
const matchesOf = (lineId: number) =>
  deps.db
    .select()
    .from(lineMatches)
    .where(and(eq(lineMatches.lineId, lineId), isNull(lineMatches.undoneAt)));
const subjectsTo = async (person: TestUser) =>
  (await queuedMailsTo(deps.db, person.email)).map(({ subject }) => subject);
const lastAudit = async () => (await deps.db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1))[0];
const sumOf = async (account: typeof ledgerEntries.$inferSelect.account) =>
  (await deps.db.select().from(ledgerEntries).where(eq(ledgerEntries.account, account))).reduce(
    (sum, entry) => sum + entry.amountKobo,
    0n,
  );
const two = async () => ({ asks: owner, confirms: await callAs(deps, tunde) });
const toPayment = (lineId: number, paymentId: number, amountKobo: Kobo, seenMatchedKobo = 0n) => ({
  lineId,
  seenMatchedKobo,
  parts: [{ kind: "payment" as const, amountKobo, paymentId }],
});

test("what was approved before the bank showed it is still found by its reference", async () => {
  const { payment } = await createPayment(deps, { backer: ada, status: "pending" });
  const sure = await line({ amountKobo: payment.amountKobo, reference: payment.reference });
  await refreshSuggestions(deps.db);
  expect((await readLine(sure.id)).suggestedRule).toBe("our_reference");
  const unseenReason = "Ada showed it in her bank's app";
  await decide(deps, amaka, { paymentId: payment.id, status: "approved", unseenReason });
  expect((await candidatesOf(sure.id))[0]).toMatchObject({ rule: "our_reference", payment: { status: "approved" } });
  await owner.bank.match(toPayment(sure.id, payment.id, payment.amountKobo));
  expect(await money(payment.id)).toMatchObject({ missingKobo: 0n, inTransitKobo: 0n, unallocatedKobo: 0n });
  expect(await readLine(sure.id)).toMatchObject({ suggestedRule: null, matchedKobo: payment.amountKobo });
});

describe("matching", () => {
  test("a part is told to the backer with a deadline, and three transfers make one payment", async () => {
    const project = await createProject(deps.db, { fundingGoalKobo: naira(11_200_000) });
    const { payment } = await createPayment(deps, { backer: ada, project });
    for (const part of [5_000_000, 5_000_000, 1_200_000]) {
      const { id } = await line({ amountKobo: naira(part), reference: payment.reference });
      await owner.bank.match(toPayment(id, payment.id, naira(part)));
    }
    expect(await money(payment.id)).toMatchObject({ missingKobo: 0n, unallocatedKobo: naira(11_200_000) });
    const [, , , first, second, ...more] = await queuedMailsTo(deps.db, ada.email).then((mails) => [
      undefined,
      undefined,
      undefined,
      ...mails.filter(({ subject }) => subject.startsWith("A part")),
    ]);
    expect(more).toEqual([]);
    const until = formatWeekdayTime(restDeadline(deps.clock.now(), []));
    expect(first?.text).toContain(
      `₦5,000,000 of ₦11,200,000 has arrived. Send the rest with the same reference by ${until}.`,
    );
    expect(second?.text).toContain("₦10,000,000 of ₦11,200,000 has arrived.");
    // Saturday's two working days end on Tuesday evening.
    expect(until).toBe("Tuesday 18:00");
  });

  test("too much is held, and told", async () => {
    const { payment } = await createPayment(deps, { backer: ada });
    const { id } = await line({ amountKobo: payment.amountKobo + naira(2_000), reference: payment.reference });
    await owner.bank.match(toPayment(id, payment.id, payment.amountKobo + naira(2_000)));
    expect(await subjectsTo(ada)).toContain(`More than your payment has arrived: ${payment.projectTitle}`);
    const [mail] = (await queuedMailsTo(deps.db, ada.email)).filter(({ subject }) => subject.startsWith("More"));
    expect(mail?.text).toContain(arrivalTexts.surplus(naira(2_000)));
  });

  test("one transfer pays two payments and the operator", async () => {
    const one = (await createPayment(deps, { backer: ada })).payment;
    const two = (await createPayment(deps, { backer: ada })).payment;
    const { id } = await line({ amountKobo: naira(1_000_500) });
    const parts = [
      { kind: "payment" as const, amountKobo: naira(500_000), paymentId: one.id },
      { kind: "payment" as const, amountKobo: naira(500_000), paymentId: two.id },
    ];
    await owner.bank.match({ lineId: id, seenMatchedKobo: 0n, parts });
    await owner.bank.match({
      lineId: id,
      seenMatchedKobo: naira(1_000_000),
      parts: [{ kind: "operator", amountKobo: naira(500), reason: "Interest" }],
    });
    expect((await matchesOf(id)).map(({ kind, amountKobo }) => [kind, amountKobo])).toEqual([
      ["payment", naira(500_000)],
      ["payment", naira(500_000)],
      ["operator", naira(500)],
    ]);
    expect(await lastAudit()).toMatchObject({
      actionType: "match_line",
      userId: amaka.id,
      details: { lineId: id, matches: [{ kind: "operator", amountKobo: "50000", reason: "Interest" }] },
    });
  });

  test("charges and the operator's money go out", async () => {
    const before = { charges: await sumOf("bank_charges"), operator: await sumOf("operator") };
    const { id } = await line({ amountKobo: -naira(1_050), narration: "STAMP DUTY" });
    await owner.bank.match({
      lineId: id,
      seenMatchedKobo: 0n,
      parts: [
        { kind: "bank_charges", amountKobo: naira(50) },
        { kind: "operator", amountKobo: naira(1_000), reason: "Office rent" },
      ],
    });
    expect((await sumOf("bank_charges")) - before.charges).toBe(naira(50));
    expect((await sumOf("operator")) - before.operator).toBe(naira(1_000));
  });

  test("money of a rejected payment is kept for the backer", async () => {
    const { payment } = await createPayment(deps, { backer: ada, status: "rejected" });
    const { id } = await line({ amountKobo: payment.amountKobo, reference: payment.reference });
    await owner.bank.match(toPayment(id, payment.id, payment.amountKobo));
    expect(await money(payment.id)).toMatchObject({ unallocatedKobo: payment.amountKobo });
  });

  test("a credit that the bank takes back after the approval is receivable", async () => {
    const { payment } = await createPayment(deps, { backer: ada });
    const credit = await line({ amountKobo: payment.amountKobo, reference: payment.reference });
    await owner.bank.match(toPayment(credit.id, payment.id, payment.amountKobo));
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    expect(await money(payment.id)).toMatchObject({ inTransitKobo: 0n });
    const debit = await line({ amountKobo: -payment.amountKobo, narration: "REVERSAL NIP" });
    const [candidate] = await candidatesOf(debit.id);
    if (!candidate?.part) throw new Error("nothing is suggested");
    await matchByTwo(await two(), { lineId: debit.id, seenMatchedKobo: 0n, parts: [candidate.part] });
    expect(await money(payment.id)).toMatchObject({
      receivableKobo: payment.amountKobo,
      missingKobo: payment.amountKobo,
    });
    const again = await line({ amountKobo: -payment.amountKobo, narration: "REVERSAL NIP" });
    await expect(owner.bank.match({ lineId: again.id, seenMatchedKobo: 0n, parts: [candidate.part] })).rejects.toThrow(
      bankTexts.moreThanArrived(0n),
    );
  });

  test("a transfer without a receipt makes the payment of its reference, once", async () => {
    const project = await createProject(deps.db);
    await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
    await agreeToTerms(deps, ada, project.id);
    await deps.db.update(settings).set({ value: "0" }).where(eq(settings.key, holdHoursKey));
    const [given] = await deps.db.select().from(paymentReferences).where(eq(paymentReferences.userId, ada.id));
    const reference = given?.reference ?? "";
    const { id } = await line({ amountKobo: project.fundingGoalKobo, reference });
    const [candidate] = await candidatesOf(id);
    expect(candidate).toMatchObject({ kind: "purchase", rule: "our_reference", isSure: true });
    if (!candidate?.part) throw new Error("nothing is suggested");
    await owner.bank.match({ lineId: id, seenMatchedKobo: 0n, parts: [candidate.part] });
    const [match] = await matchesOf(id);
    expect(await findPayment(deps.db, match?.paymentId ?? 0)).toMatchObject({
      status: "pending",
      currentReceiptId: null,
      userId: ada.id,
      reference,
      lots: 1,
    });
    const [hold] = await deps.db.select().from(holds).where(eq(holds.reference, reference));
    expect(hold).toMatchObject({ state: "claimed", until: null });
    const [mail] = (await queuedMailsTo(deps.db, ada.email)).filter(({ subject }) =>
      subject.startsWith("Your transfer"),
    );
    expect(mail?.text).toContain("Your transfer has arrived. You needn't send a receipt.");
    const again = await line({ amountKobo: project.fundingGoalKobo, reference });
    await expect(owner.bank.match({ lineId: again.id, seenMatchedKobo: 0n, parts: [candidate.part] })).rejects.toThrow(
      bankTexts.lineChanged,
    );
    await owner.bank.undo({ matchId: match?.id ?? 0, reason: "Another's money" });
    const stateOfHold = async () =>
      (await deps.db.select().from(holds).where(eq(holds.reference, reference)))[0]?.state;
    expect(await stateOfHold()).toBe("live");
    const told = (await queuedMailsTo(deps.db, ada.email)).filter(({ text }) => text.includes(arrivalTexts.anothers));
    expect(told.map(({ subject }) => subject)).toEqual([`Your transfer has not arrived yet: ${project.title}`]);

    const paymentId = match?.paymentId ?? 0;
    await owner.bank.match(toPayment(again.id, paymentId, project.fundingGoalKobo));
    expect(await stateOfHold()).toBe("claimed");
    const { id: lineId } = await line({ amountKobo: -project.fundingGoalKobo, narration: "RVSL" });
    const parts = [await takenBackPart(deps.db, { paymentId, amountKobo: project.fundingGoalKobo })];
    await owner.bank.match({ lineId, seenMatchedKobo: 0n, parts });
    expect(await stateOfHold()).toBe("live");
  });
});

describe("reducing a payment to what has arrived", () => {
  /** Ten of twelve lots at ₦100,000, held by Ada; Musa waits for four. */
  const hold = async () => {
    await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
    const project = await createProject(deps.db, { lots: 12, minimumLots: 1, fundingGoalKobo: naira(1_200_000) });
    await deps.db.insert(settings).values({ key: maxLotsKey, value: "20" }).onConflictDoNothing();
    const { payment } = await createPayment(deps, { backer: ada, project, lots: 10 });
    const musa = await createUser(deps.db);
    await agreeToTerms(deps, musa, project.id, 2);
    const waiting = await createUser(deps.db);
    await (await callAs(deps, waiting)).holds.join({ projectId: project.id, lots: 4 });
    await deps.db.update(settings).set({ value: "0" }).where(eq(settings.key, holdHoursKey));
    return { project, payment, waiting };
  };
  const arrive = async (paymentId: number, amountKobo: Kobo) => {
    const { id } = await line({ amountKobo });
    await owner.bank.match(toPayment(id, paymentId, amountKobo));
  };

  test("keeps the lots that are paid, offers the others to who waits, and is audited", async () => {
    const { project, payment, waiting } = await hold();
    await arrive(payment.id, naira(650_000));
    const backer = await callAs(deps, ada);
    const [own] = (await backer.payments.listMyPending()).pending;
    expect(own?.payment).toMatchObject({ arrivedKobo: naira(650_000), restBy: restDeadline(deps.clock.now(), []) });
    expect(await backer.payments.listMyPurchases({ projectId: project.id })).toMatchObject([
      { arrivedKobo: naira(650_000), restBy: restDeadline(deps.clock.now(), []) },
    ]);
    await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
    await backer.payments.reduceToArrived({ paymentId: payment.id, lots: 6 });
    await deps.db.update(settings).set({ value: "0" }).where(eq(settings.key, holdHoursKey));
    expect(await findPayment(deps.db, payment.id)).toMatchObject({
      lots: 6,
      amountKobo: naira(600_000),
      status: "pending",
    });
    const standing = await deps.db.select().from(holds).where(eq(holds.projectId, project.id)).orderBy(holds.id);
    expect(standing.map(({ userId, lots, state, reference }) => [userId, lots, state, reference !== null])).toEqual([
      [ada.id, 6, "claimed", true],
      [expect.any(String), 2, "live", true],
      [waiting.id, 4, "live", false],
    ]);
    expect(await lastAudit()).toMatchObject({
      actionType: "reduce_payment",
      userId: ada.id,
      details: { paymentId: payment.id, before: { lots: 10 }, after: { lots: 6, amountKobo: "60000000" } },
    });
    expect(await money(payment.id)).toMatchObject({ missingKobo: 0n, unallocatedKobo: naira(650_000) });
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    expect((await findPayment(deps.db, payment.id)).status).toBe("approved");
  });

  test("is refused for another's payment, for other lots than have arrived, and once it is decided", async () => {
    const { payment } = await hold();
    const backer = await callAs(deps, ada);
    const reduce = (lots: number, by = backer) => by.payments.reduceToArrived({ paymentId: payment.id, lots });
    await expect(reduce(6)).rejects.toThrow(arrivalTexts.notReducible);
    await arrive(payment.id, naira(650_000));
    await expect(reduce(5)).rejects.toThrow(arrivalTexts.notReducible);
    await expect(reduce(10)).rejects.toThrow(arrivalTexts.notReducible);
    await expect(reduce(0)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(reduce(6, await callAs(deps, "backer"))).rejects.toThrow(paymentTexts.gone);
    expect(await findPayment(deps.db, payment.id)).toMatchObject({ lots: 10, amountKobo: naira(1_000_000) });
    await decide(deps, amaka, { paymentId: payment.id, status: "rejected" });
    await expect(reduce(6)).rejects.toThrow(arrivalTexts.notReducible);
    expect(await findPayment(deps.db, payment.id)).toMatchObject({ lots: 10, status: "rejected" });
  });

  test("owners see until when the rest was expected", async () => {
    const { payment } = await createPayment(deps, { backer: ada });
    await arrive(payment.id, naira(100_000));
    const listed = async () => (await owner.payments.list({})).items.find(({ id }) => id === payment.id);
    expect((await listed())?.restBy).toEqual(restDeadline(deps.clock.now(), []));
    await arrive(payment.id, naira(400_000));
    expect((await listed())?.restBy).toBeNull();
  });
});

describe("refusals, and nothing changed", () => {
  test("wrong directions, more than the rest, what is gone, and a line that changed", async () => {
    const { payment } = await createPayment(deps, { backer: ada });
    const into = await line({ amountKobo: naira(500) });
    const out = await line({ amountKobo: -naira(500) });
    const sameWay = await line({ amountKobo: naira(500) }, other);
    const opposite = await line({ amountKobo: -naira(300) }, other);
    const all = (lineId: number, part: Parameters<Caller["bank"]["match"]>[0]["parts"][number], seen = 0n) =>
      owner.bank.match({ lineId, seenMatchedKobo: seen, parts: [part] });
    const amountKobo = naira(500);
    await expect(all(out.id, { kind: "payment", amountKobo, paymentId: payment.id })).rejects.toThrow(bankTexts.onlyIn);
    await expect(all(into.id, { kind: "bank_charges", amountKobo })).rejects.toThrow(bankTexts.onlyOut);
    await expect(
      all(into.id, { kind: "taken_back", amountKobo, paymentId: payment.id, creditMatchId: 1 }),
    ).rejects.toThrow(bankTexts.onlyOut);
    await expect(all(into.id, { kind: "payment", amountKobo: naira(501), paymentId: payment.id })).rejects.toThrow(
      bankTexts.moreThanRest(amountKobo),
    );
    await expect(all(into.id, { kind: "payment", amountKobo, paymentId: 999_999 })).rejects.toThrow(
      bankTexts.paymentGone,
    );
    await expect(all(into.id, { kind: "purchase", amountKobo, reference: "GONA-NONE-NONE" })).rejects.toThrow(
      bankTexts.notAgreed,
    );
    await expect(all(into.id, { kind: "own_transfer", amountKobo, counterLineId: out.id })).rejects.toThrow(
      bankTexts.sameAccount,
    );
    await expect(all(into.id, { kind: "own_transfer", amountKobo, counterLineId: sameWay.id })).rejects.toThrow(
      bankTexts.sameDirection,
    );
    await expect(all(into.id, { kind: "own_transfer", amountKobo, counterLineId: opposite.id })).rejects.toThrow(
      bankTexts.moreThanCounter(naira(300)),
    );
    await expect(all(into.id, { kind: "operator", amountKobo, reason: "Interest" }, 1n)).rejects.toThrow(
      bankTexts.lineChanged,
    );
    await expect(all(into.id, { kind: "operator", amountKobo, reason: " " })).rejects.toThrow(bankTexts.reasonMissing);
    await expect(all(999_999, { kind: "operator", amountKobo, reason: "Interest" })).rejects.toThrow(
      bankTexts.lineGone,
    );
    await expect(owner.bank.undo({ matchId: 999_999, reason: "A mistake" })).rejects.toThrow(bankTexts.matchGone);
    for (const { id } of [into, out, sameWay, opposite]) {
      expect(await matchesOf(id)).toEqual([]);
      expect((await readLine(id)).matchedKobo).toBe(0n);
    }
    expect((await money(payment.id)).unallocatedKobo).toBe(0n);
  });
});

describe("undoing", () => {
  test("posts where the money stands now, once, and is audited", async () => {
    const { payment } = await createPayment(deps, { backer: ada });
    const { id } = await line({ amountKobo: payment.amountKobo, reference: payment.reference });
    await owner.bank.match(toPayment(id, payment.id, payment.amountKobo));
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    const [match] = await matchesOf(id);
    const undo = { matchId: match?.id ?? 0, reason: "Another's transfer" };
    await owner.bank.undo(undo);
    expect(await money(payment.id)).toMatchObject({ inTransitKobo: payment.amountKobo });
    expect(await readLine(id)).toMatchObject({ matchedKobo: 0n, suggestedRule: "our_reference" });
    expect(await lastAudit()).toMatchObject({
      actionType: "undo_match",
      details: { matchId: undo.matchId, lineId: id, reason: undo.reason, paymentId: payment.id },
    });
    await expect(owner.bank.undo(undo)).rejects.toThrow(bankTexts.matchGone);
    await owner.bank.match(toPayment(id, payment.id, payment.amountKobo));
    expect(await money(payment.id)).toMatchObject({ inTransitKobo: 0n });
  });

  test("of every kind brings the ledger back", async () => {
    const accounts = [
      "operator",
      "bank_charges",
      "unmatched_in",
      "unmatched_out",
      "in_transit",
      "unallocated",
    ] as const;
    const read = () => Promise.all(accounts.map(sumOf));
    const { payment } = await createPayment(deps, { backer: ada });
    const credit = await line({ amountKobo: naira(900) });
    const debit = await line({ amountKobo: -naira(900), narration: "REVERSAL AND CHARGES" });
    const counter = await line({ amountKobo: naira(300) }, other);
    const before = await read();
    await owner.bank.match({
      lineId: credit.id,
      seenMatchedKobo: 0n,
      parts: [
        { kind: "payment", amountKobo: naira(600), paymentId: payment.id },
        { kind: "operator", amountKobo: naira(300), reason: "Interest" },
      ],
    });
    await owner.bank.match({
      lineId: debit.id,
      seenMatchedKobo: 0n,
      parts: [
        await takenBackPart(deps.db, { paymentId: payment.id, amountKobo: naira(200) }),
        { kind: "own_transfer", amountKobo: naira(300), counterLineId: counter.id },
        { kind: "bank_charges", amountKobo: naira(50) },
        { kind: "operator", amountKobo: naira(350), reason: "Rent" },
      ],
    });
    expect(await money(payment.id)).toMatchObject({ unallocatedKobo: naira(400) });
    const made = (await Promise.all([matchesOf(debit.id), matchesOf(counter.id), matchesOf(credit.id)])).flat();
    expect(made).toHaveLength(6);
    for (const { id: matchId } of made) await owner.bank.undo({ matchId, reason: "All of it was wrong" });
    expect(await read()).toEqual(before);
    for (const { id } of [credit, debit, counter]) expect((await readLine(id)).matchedKobo).toBe(0n);
  });

  test("is refused once the money was given back", async () => {
    const { payment } = await createPayment(deps, { backer: ada });
    const { id } = await line({ amountKobo: payment.amountKobo, reference: payment.reference });
    await owner.bank.match(toPayment(id, payment.id, payment.amountKobo));
    await decide(deps, amaka, { paymentId: payment.id, status: "rejected" });
    await deps.db.transaction(async (tx) => {
      const about = { payment: await findPayment(tx, payment.id), amountKobo: payment.amountKobo };
      const at = deps.clock.now();
      const { id } = await makeRefundDue(tx, { ...about, reason: "not_approved", actorId: amaka.id, at });
      await makeRefundNotes(tx, [id], at);
    });
    const [match] = await matchesOf(id);
    await expect(owner.bank.undo({ matchId: match?.id ?? 0, reason: "A mistake" })).rejects.toThrow(
      bankTexts.givenBack,
    );
    expect(await matchesOf(id)).toHaveLength(1);
    expect((await readLine(id)).matchedKobo).toBe(payment.amountKobo);
  });
});
