import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { holidays } from "#server/db/schema/holidays.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { remindOfReviews } from "#server/features/payments/review/jobs.ts";
import { readPageText } from "#server/platform/page-texts.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import {
  createPayment,
  decide,
  expectMoneyHolds,
  findPayment,
  keepPending,
  sendReceipt,
} from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { twoAgree } from "#tests/support/second-person.ts";

/** The deadline for our answer to a receipt, and the reminders when it passes. */

const deps = await openTestDeps();
const { db } = deps;
let owner: TestUser;
let other: TestUser;

/** A Monday at ten in Lagos: an answer is promised until the end of Tuesday. */
const monday = new Date("2026-11-23T09:00:00.000Z");
const midnight = new Date("2026-11-24T23:00:00.000Z");

beforeEach(async () => {
  await emptyDatabase(db);
  await deps.site.refresh();
  deps.clock.set(monday);
  [owner, other] = [await createAdmin(db, "owner"), await createAdmin(db, "owner")];
  await createAdmin(db, "manager");
});
afterEach(() => expectMoneyHolds(deps));

const at = (moment: string) => deps.clock.set(new Date(moment));
const lateIds = async (input: { cursor?: string } = {}) => {
  const asOwner = await callAs(deps, owner);
  return (await asOwner.payments.list({ late: true, ...input })).items.map(({ id, late }) => `${id} ${late}`);
};
async function remind(moment: string): Promise<void> {
  at(moment);
  await remindOfReviews(deps);
}
const reminders = async ({ email }: TestUser) =>
  (await queuedMailsTo(db, email)).filter(({ subject }) => /late/.test(subject));

/** Imports the next statement, which shows a payment's transfer, and matches it as an owner. */
async function showAndMatch(
  { id: paymentId, amountKobo, reference }: Awaited<ReturnType<typeof findPayment>>,
  { accountId, day }: { accountId: number; day: string },
): Promise<void> {
  const file = csvOf({ openingKobo: 1_00n, truths: [line(day, amountKobo, reference)] });
  await importAs(deps, owner, { accountId, file });
  const asOwner = await callAs(deps, owner);
  const { items } = await asOwner.bank.lines({ accountId, tab: "to_match" });
  const lineId = items.find((one) => one.amountKobo === amountKobo)?.id ?? 0;
  await asOwner.bank.match({ lineId, seenMatchedKobo: 0n, parts: [{ kind: "payment", amountKobo, paymentId }] });
}

describe("the promise", () => {
  test("is made with the receipt, and a better picture doesn't move it", async () => {
    const { payment, backer, project } = await createPayment(deps, { owner });
    expect(payment.reviewBy).toEqual(midnight);
    at("2026-11-24T09:00:00.000Z");
    await sendReceipt(deps, { backer, projectId: project.id });
    expect((await findPayment(db, payment.id)).reviewBy).toEqual(midnight);
  });

  test("is made anew when a payment is reviewed again", async () => {
    const { payment } = await createPayment(deps, { owner, status: "rejected" });
    at("2026-11-27T09:00:00.000Z");
    await decide(deps, owner, { paymentId: payment.id, status: "pending" });
    expect((await findPayment(db, payment.id)).reviewBy?.toISOString()).toBe("2026-11-30T23:00:00.000Z");
  });

  test("is of as many working days as the setting says, in the texts too, and stays where it was made", async () => {
    const before = await createPayment(deps, { owner });
    const asOwner = await callAs(deps, owner);
    await asOwner.settings.save({ values: { reviewdays: "3" } });
    expect(deps.site.current().reviewDays).toBe(3);
    const { payment } = await createPayment(deps, { owner });
    expect(payment.reviewBy?.toISOString()).toBe("2026-11-26T23:00:00.000Z");
    expect((await findPayment(db, before.payment.id)).reviewBy).toEqual(midnight);
    expect((await readPageText(deps, "terms")).html).toContain("within 3 working days");
    expect((await asOwner.site.figures()).reviewDays).toBe("3 working days");
    await expect(asOwner.settings.save({ values: { reviewdays: "0" } })).rejects.toThrow();
    await expect(asOwner.settings.save({ values: { reviewdays: "31" } })).rejects.toThrow();
    expect(deps.site.current().reviewDays).toBe(3);
  });
});

describe("a late receipt", () => {
  test("is seen by backer, owner and list alike, from the midnight on", async () => {
    const { payment, backer, project } = await createPayment(deps, { owner });
    const texts = async () => {
      const asBacker = await callAs(deps, backer);
      const { pending } = await asBacker.payments.listMyPending();
      const { ownPayment } = await asBacker.payments.open({ projectId: project.id });
      const [bought] = await asBacker.payments.listMyPurchases({ projectId: project.id });
      return [pending[0]?.payment.lateText, ownPayment?.lateText, bought?.lateText];
    };
    deps.clock.set(new Date(midnight.getTime() - 1));
    expect([await lateIds(), await texts()]).toEqual([[], [null, null, null]]);
    deps.clock.set(midnight);
    const told = "We promised an answer by Tuesday. We are late, and sorry.";
    expect([await lateIds(), await texts()]).toEqual([[`${payment.id} review`], [told, told, told]]);
    const asOwner = await callAs(deps, owner);
    expect(await asOwner.payments.statusCounts({})).toMatchObject({ pending: 1, late: 1 });
    await remind("2026-11-25T08:00:00.000Z");
    expect((await reminders(owner)).map(({ subject }) => subject)).toEqual(["Gona: 1 payment is late"]);
    expect((await reminders(other))[0]?.text).toContain("The oldest promise was for 24 Nov 2026.");
    // A week later a weekday would be another.
    at("2026-12-02T09:00:00.000Z");
    expect((await texts())[0]).toBe("We promised an answer by 24 Nov 2026. We are late, and sorry.");
    await decide(deps, owner, { paymentId: payment.id, status: "approved" });
    expect(await lateIds()).toEqual([]);
  });

  test("says what the bank shows, where statements are imported", async () => {
    const accountId = await keepOwnAccount(db);
    const { payment, backer } = await createPayment(deps, { owner });
    at("2026-11-25T09:00:00.000Z");
    await importAs(deps, owner, { accountId, file: csvOf({ openingKobo: 0n, truths: [line("2026-11-24", 1_00n)] }) });
    const text = async () => (await (await callAs(deps, backer)).payments.listMyPending()).pending[0]?.payment.lateText;
    const late = "We promised an answer by Tuesday. We are late, and sorry.";
    expect(await text()).toBe(`${late} Our bank has not shown us your transfer yet.`);
    await showAndMatch(payment, { accountId, day: "2026-11-25" });
    expect(await text()).toBe(`${late} Our bank shows your transfer.`);
  });

  test("is mailed to owners once a working day, by day, while it is late", async () => {
    await createPayment(deps, { owner });
    await remind("2026-11-24T12:00:00.000Z");
    await remind("2026-11-24T23:24:00.000Z");
    expect(await reminders(owner)).toEqual([]);
    await remind("2026-11-25T06:24:00.000Z");
    await remind("2026-11-25T15:24:00.000Z");
    expect([(await reminders(owner)).length, (await reminders(other)).length]).toEqual([1, 1]);
    await db.insert(holidays).values({ day: "2026-11-26", name: "A day off", createdAt: monday });
    await remind("2026-11-26T09:24:00.000Z");
    await remind("2026-11-27T09:24:00.000Z");
    await remind("2026-11-28T09:24:00.000Z");
    await remind("2026-11-29T09:24:00.000Z");
    await remind("2026-11-30T09:24:00.000Z");
    expect((await reminders(owner)).length).toBe(3);
    await db.update(projectPayments).set({ reviewBy: null });
    await remind("2026-12-01T09:24:00.000Z");
    expect((await reminders(owner)).length).toBe(3);
  });
});

test("an approved payment that statements don't show for seven days is late, and what waits for longest comes first", async () => {
  const accountId = await keepOwnAccount(db);
  await importAs(deps, owner, { accountId, file: csvOf({ openingKobo: 0n, truths: [line("2026-11-20", 1_00n)] }) });
  const unseen = await createPayment(deps, { owner, status: "approved", unseenReason: "I saw it in the app" });
  at("2026-11-24T09:00:00.000Z");
  const first = await createPayment(deps, { owner });
  at("2026-11-25T09:00:00.000Z");
  const second = await createPayment(deps, { owner });
  deps.clock.set(new Date(monday.getTime() + 7 * 86_400_000 - 1));
  expect(await lateIds()).toEqual([`${first.payment.id} review`, `${second.payment.id} review`]);
  deps.clock.set(new Date(monday.getTime() + 7 * 86_400_000));
  const all = [`${unseen.payment.id} unseen`, `${first.payment.id} review`, `${second.payment.id} review`];
  expect(await lateIds()).toEqual(all);
  await remind("2026-11-30T09:24:00.000Z");
  expect((await reminders(owner))[0]?.text).toContain("An approved payment was not seen on a statement for 7 days.");
  // The other filters narrow it, and its status can be asked for besides.
  const asOwner = await callAs(deps, owner);
  expect((await asOwner.payments.list({ late: true, status: "pending" })).items).toHaveLength(2);
  expect((await asOwner.payments.list({ late: true, projectId: first.project.id })).items).toHaveLength(1);
  // Once the bank shows it, it isn't late.
  await showAndMatch(unseen.payment, { accountId, day: "2026-11-29" });
  expect(await lateIds()).toEqual(all.slice(1));
});

test("once two owners void the only opening, the bank is as unknown as before the first statement", async () => {
  const accountId = await keepOwnAccount(db);
  const file = csvOf({ openingKobo: 0n, truths: [line("2026-11-20", 1_00n)] });
  const imported = await importAs(deps, owner, { accountId, file });
  if (imported.kind !== "imported") throw new Error("not imported");
  const unseen = await createPayment(deps, { owner, status: "approved", unseenReason: "I saw it in the app" });
  const { backer } = await createPayment(deps, { owner });
  at("2026-12-01T09:00:00.000Z");
  const text = async () => (await (await callAs(deps, backer)).payments.listMyPending()).pending[0]?.payment.lateText;
  expect(await text()).toContain("Our bank has not shown us your transfer yet.");
  expect(await lateIds()).toContain(`${unseen.payment.id} unseen`);
  const [asOwner, asOther] = [await callAs(deps, owner), await callAs(deps, other)];
  for (const details of [
    { what: "statement" as const, statementId: imported.statementId },
    { what: "opening" as const, accountId },
  ]) {
    await twoAgree(asOwner, asOther, { kind: "void_bank_data", details, reason: "This file is of another account." });
  }
  expect(await text()).not.toContain("bank");
  expect(await lateIds()).not.toContain(`${unseen.payment.id} unseen`);
  await remindOfReviews(deps);
  expect((await reminders(owner)).map((mail) => mail.text).join("\n")).not.toContain("was not seen on a statement");
  const next = await createPayment(deps, { owner });
  await decide(deps, owner, { paymentId: next.payment.id, status: "approved" });
  expect(await findPayment(db, next.payment.id)).toMatchObject({ status: "approved" });
});

test("pages of what is late follow each other, also where two were promised at one moment", async () => {
  const project = await createProject(db);
  const promised = Array.from({ length: 53 }, (_, place) => ({
    createdAt: monday,
    reviewBy: place < 52 ? midnight : monday,
  }));
  const made = await keepPending(db, project, promised);
  at("2026-11-25T09:00:00.000Z");
  const asOwner = await callAs(deps, owner);
  const page = await asOwner.payments.list({ late: true });
  const next = await asOwner.payments.list({ late: true, cursor: page.nextCursor ?? "" });
  expect([...page.items, ...next.items].map(({ id }) => id)).toEqual([made[52], ...made.slice(0, 52)]);
  expect(next.nextCursor).toBeNull();
});
