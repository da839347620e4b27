import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { statementLines } from "#server/db/schema/bank.ts";
import { holds } from "#server/db/schema/holds.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { settings } from "#server/db/schema/settings.ts";
import { sweepHolds } from "#server/features/projects/holds/jobs.ts";
import { bankTexts, wallTexts } from "#shared/bank/texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import { arrivalTexts } from "#shared/payments/texts.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { agreeToTerms, createPayment, decide, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** A transfer without our reference becomes the payment of whoever holds lots, or agreed to buy some. */

const deps = await openTestDeps();
const naira = (amount: number): Kobo => BigInt(amount) * 100n;
let amaka: TestUser;
let owner: Caller;
let ada: TestUser;
let bank: OwnAccount;
let project: TestProject;

beforeEach(async () => {
  await emptyDatabase(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  owner = await callAs(deps, amaka);
  ada = await createUser(deps.db, { fullName: "Adaeze Okafor" });
  await setBankDetails(deps.db);
  await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
  bank = await openOwnAccount(deps, { importedBy: amaka.id });
  project = await createProject(deps.db, { lots: 4, minimumLots: 4, fundingGoalKobo: naira(200_000) });
});
afterEach(() => expectMoneyHolds(deps));

const line = (values: Partial<typeof statementLines.$inferInsert>) =>
  keepLine(deps, bank, {
    date: dayInLagos(deps.clock.now()),
    amountKobo: naira(100_000),
    narration: "MOBILE TRANSFER FROM ADAEZE OKAFOR",
    ...values,
  });
const referenceOf = async (userId: string) => {
  const [agreed] = await deps.db.select().from(paymentReferences).where(eq(paymentReferences.userId, userId));
  return agreed?.reference ?? "";
};
const pick = (lineId: number, reference: string, amountKobo = naira(100_000)) =>
  owner.bank.match({ lineId, seenMatchedKobo: 0n, parts: [{ kind: "purchase", amountKobo, reference }] });
const paymentsOf = (userId: string) => deps.db.select().from(projectPayments).where(eq(projectPayments.userId, userId));

test("whoever agreed and sent no receipt is found by name, with what they hold, those of the amount first", async () => {
  const bisi = await createUser(deps.db, { fullName: "Bisi Alabi" });
  await agreeToTerms(deps, bisi, project.id, 1);
  await agreeToTerms(deps, ada, project.id, 2);
  const { id } = await line({});
  const reference = await referenceOf(ada.id);
  expect(await owner.bank.purchases({ lineId: id })).toMatchObject([
    { backerName: "Adaeze Okafor", reference, lots: 2, amountKobo: naira(100_000), hold: { state: "live" } },
    { backerName: "Bisi Alabi", lots: 1, amountKobo: naira(50_000), hold: { state: "live" } },
  ]);
  expect(await owner.bank.purchases({ lineId: id, search: "bisi" })).toMatchObject([{ backerName: "Bisi Alabi" }]);
  await createPayment(deps, { project, backer: bisi, owner: amaka });
  expect((await owner.bank.purchases({ lineId: id })).map(({ backerName }) => backerName)).toEqual(["Adaeze Okafor"]);
});

test("picking one makes the payment of what they hold, without a receipt, and tells them", async () => {
  await agreeToTerms(deps, ada, project.id, 2);
  const reference = await referenceOf(ada.id);
  const { id } = await line({});
  await pick(id, reference);
  const [payment] = await paymentsOf(ada.id);
  expect(payment).toMatchObject({
    status: "pending",
    lots: 2,
    amountKobo: naira(100_000),
    round: 1,
    reference,
    currentReceiptId: null,
  });
  expect(await deps.db.select().from(holds)).toMatchObject([{ state: "claimed" }]);
  const told = await deps.db.select().from(notifications).where(eq(notifications.userId, ada.id));
  expect(told.at(-1)).toMatchObject({ title: "We found your transfer" });
  expect(told.at(-1)?.content).toContain(`${arrivalTexts.found} ${arrivalTexts.foundAll}`);
  expect((await queuedMailsTo(deps.db, ada.email)).at(-1)?.subject).toContain("We found your transfer");
  await decide(deps, amaka, { paymentId: payment?.id ?? 0, status: "approved" });
});

test("what was held may have lapsed: the agreement is enough", async () => {
  await agreeToTerms(deps, ada, project.id, 2);
  deps.clock.advance({ days: 3 });
  await sweepHolds(deps);
  owner = await callAs(deps, amaka);
  const { id } = await line({});
  expect(await owner.bank.purchases({ lineId: id })).toMatchObject([{ backerName: "Adaeze Okafor", hold: null }]);
  await pick(id, await referenceOf(ada.id));
  expect(await paymentsOf(ada.id)).toMatchObject([{ status: "pending", lots: 2 }]);
});

test("a name that fits somebody else's open payment takes a second person", async () => {
  const bisi = await createUser(deps.db, { fullName: "Bisi Alabi" });
  await agreeToTerms(deps, bisi, project.id, 2);
  const { payment } = await createPayment(deps, { project, backer: ada, owner: amaka, lots: 2 });
  const { id } = await line({});
  const tried = pick(id, await referenceOf(bisi.id));
  await expect(tried).rejects.toThrow(wallTexts.fitsOther(`Adaeze Okafor, ${payment.reference}`));
  expect(await paymentsOf(bisi.id)).toEqual([]);
});

test("the same line and the same person are picked once", async () => {
  await agreeToTerms(deps, ada, project.id, 2);
  const reference = await referenceOf(ada.id);
  const first = await line({});
  const second = await line({ narration: "MOBILE TRANSFER FROM ADAEZE OKAFOR AGAIN" });
  await pick(first.id, reference);
  await expect(pick(second.id, reference)).rejects.toThrow(bankTexts.lineChanged);
  expect(await owner.bank.purchases({ lineId: second.id })).toEqual([]);
});
