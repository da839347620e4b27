import { and, asc, eq, isNull } from "drizzle-orm";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { sumOfEntries } from "#server/books/sums.ts";
import { harvestParts } from "#server/db/schema/harvests.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { papers } from "#server/db/schema/papers.ts";
import { paymentEvidence, projectPayments } from "#server/db/schema/payments.ts";
import { farmReleases, payouts } from "#server/db/schema/payouts.ts";
import { projectBackings } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { paymentStrikes } from "#server/db/schema/strikes.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { deleteStoredFile } from "#server/files/orphans.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { unseenTexts } from "#shared/harvests/unseen-texts.ts";
import type { Kobo } from "#shared/money.ts";
import { paymentEvidenceTexts } from "#shared/payments/evidence.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { strikeTexts as texts } from "#shared/payments/strikes-texts.ts";
import { moneyTabPath, ownMoneyTexts } from "#shared/payouts/payee-accounts-texts.ts";
import { secondPersonKey, vatKey } from "#shared/settings/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  endChoosing,
  type Farm,
  fundFarm,
  keepEvidence,
  openDraft,
  partsOf,
  seenDraft,
  sell,
  settlementsOf,
} from "#tests/support/harvests.ts";
import { createPayment, decide, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { giveAccount, keepRun } from "#tests/support/payouts.ts";
import { callAs, cookieJar, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { agree, confirmNext, matchByTwo } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount, takenBackPart } from "#tests/support/statements.ts";

/** A payment that never came, or that the bank took back, once its approval can't be taken back any more. */

const deps = await openTestDeps();
let amaka: TestUser;
let bola: TestUser;
let bank: OwnAccount;

beforeAll(async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  await setBankDetails(deps.db);
  bank = await openOwnAccount(deps, { importedBy: amaka.id });
  // One owner approves what no statement shows.
  await deps.db.insert(settings).values({ key: secondPersonKey, value: "900000000" });
});
afterEach(() => expectMoneyHolds(deps));

const owners = () => ({ asker: amaka, confirmer: bola });
const asOwner = () => callAs(deps, amaka);
/** Returns a draft harvest as a request to open it names it. */
const seenAsText = async (harvestId: number) => {
  const { seenAt } = await seenDraft(deps.db, harvestId);
  return { harvestId, seenAt: seenAt.toISOString() };
};
const reason = "The bank says that this transfer was never made.";

type Payment = typeof projectPayments.$inferSelect;
const paymentsOf = ({ project }: Farm): Promise<Payment[]> =>
  deps.db
    .select()
    .from(projectPayments)
    .where(eq(projectPayments.projectId, project.id))
    .orderBy(asc(projectPayments.id));

/** Funds a farm with three backers. Lines show all payments but those whose place is in `unseen`. */
async function fund({ lots = [4, 2, 1], unseen = [] as number[] } = {}) {
  const farm = await fundFarm(deps, { owner: amaka, lots, unseenReason: "Seen in the bank's app" });
  const made = await paymentsOf(farm);
  for (const [place, payment] of made.entries()) if (!unseen.includes(place)) await arrive(payment);
  const [first, second, third] = made;
  if (!first) throw new Error("nobody paid");
  return { farm, payments: [first, second ?? first, third ?? first] as const };
}

async function arrive({ id, reference }: Payment, amountKobo?: Kobo) {
  const [payment] = await deps.db.select().from(projectPayments).where(eq(projectPayments.id, id));
  const kobo = amountKobo ?? payment?.amountKobo ?? 0n;
  const line = await keepLine(deps, bank, { amountKobo: kobo, narration: `NIP ${reference}` });
  const part = { kind: "payment" as const, amountKobo: kobo, paymentId: id };
  await (await asOwner()).bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
}

async function takeBack({ id, reference, amountKobo }: Payment) {
  const line = await keepLine(deps, bank, { amountKobo: -amountKobo, narration: `RVSL ${reference}` });
  const part = await takenBackPart(deps.db, { paymentId: id, amountKobo });
  const two = { db: deps.db, asks: await asOwner(), confirms: await callAs(deps, bola) };
  await matchByTwo(two, { lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
}

const striking = async ({ id, amountKobo }: Payment, lostKobo = amountKobo) => ({
  kind: "strike_payment" as const,
  details: { paymentId: id, lostKobo: String(lostKobo), fileIds: [await keepEvidence(deps, amaka)] },
  reason,
});
const strike = async (payment: Payment, lostKobo?: Kobo) => agree(deps, owners(), await striking(payment, lostKobo));

async function open(farm: Pick<Farm, "project">, quantity = 700_000n): Promise<number> {
  const facts = { quantity: String(quantity / 1000n), lostQuantity: "0", referencePrice: "2,750", note: "" };
  const by = await asOwner();
  const { harvestId } = await by.harvests.create({ projectId: farm.project.id, round: 1, ...facts });
  await openDraft(by, harvestId, await callAs(deps, bola));
  return harvestId;
}
const settle = async (harvestId: number, amount: string) =>
  (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount });

async function of(account: "in_transit" | "receivable" | "unallocated", { id }: Payment): Promise<Kobo> {
  const isIt = and(eq(ledgerEntries.account, account), eq(ledgerEntries.paymentId, id));
  const [found] = await deps.db.select({ kobo: sumOfEntries() }).from(ledgerEntries).where(isIt);
  return found?.kobo ?? 0n;
}
async function losses(): Promise<Kobo> {
  const [found] = await deps.db
    .select({ kobo: sumOfEntries() })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.account, "losses"));
  return found?.kobo ?? 0n;
}
const backingsOf = ({ project }: Pick<Farm, "project">) =>
  deps.db.select().from(projectBackings).where(eq(projectBackings.projectId, project.id));
const harvestPayouts = (settlementId: number) =>
  deps.db.select().from(payouts).where(eq(payouts.settlementId, settlementId)).orderBy(payouts.id);

test("a payment that was approved on a forged receipt is struck once a harvest opened: the others share it", async () => {
  const { farm, payments } = await fund({ unseen: [1] });
  const [seen, forged] = payments;
  const by = await asOwner();
  const details = () => by.payments.details({ paymentId: forged.id });
  await expect(by.secondPerson.ask(await striking(forged))).rejects.toThrow(texts.takeBackInstead);
  expect(await details()).toEqual({
    siteTerms: expect.anything(),
    strikeRefusal: texts.takeBackInstead,
    struck: null,
    evidence: [],
  });
  const harvestId = await open(farm);
  await expect(by.secondPerson.ask(await striking(seen))).rejects.toThrow(texts.allSeen);
  await expect(by.secondPerson.ask(await striking(forged, 1n))).rejects.toThrow(texts.changed);
  expect(await details()).toMatchObject({ strikeRefusal: null });
  const before = await losses();
  await strike(forged);
  expect(await of("in_transit", forged)).toBe(0n);
  expect((await losses()) - before).toBe(forged.amountKobo);
  expect(await backingsOf(farm)).toHaveLength(2);
  expect(await details()).toMatchObject({ strikeRefusal: texts.struckAlready, struck: { reason } });
  await expect(by.secondPerson.ask(await striking(forged))).rejects.toThrow(texts.struckAlready);
  expect(await deps.db.$count(paymentStrikes, eq(paymentStrikes.paymentId, forged.id))).toBe(1);
  const valid = and(eq(papers.paymentId, forged.id), isNull(papers.replacedAt));
  expect(await deps.db.$count(papers, valid)).toBe(0);

  // Its backer reads why, and is led to their money, where it stands.
  const backer = await farm.as(1);
  const mails = await queuedMailsTo(deps.db, farm.backers[1]?.email ?? "");
  const mail = mails.find(({ subject }) => subject.startsWith("Your payment no longer counts"));
  for (const words of [reason, moneyTabPath]) expect(mail?.text).toContain(words);
  expect(mail?.text).not.toContain("/backed-project/");
  await expect(backer.backings.project({ projectId: farm.project.id })).rejects.toThrow(ownStrikeTexts.backsNoMore);
  const notices = (await backer.notifications.list({})).items;
  expect(notices.find(({ title }) => title.includes("no longer counts"))).toMatchObject({ isAboutMoney: true });
  expect((await backer.payeeAccounts.mine()).struck).toMatchObject([{ id: expect.anything(), reason }]);

  // What comes after all is held for them.
  await arrive(forged);
  expect(await of("unallocated", forged)).toBe(-forged.amountKobo);
  await endChoosing(deps, harvestId);
  expect(await partsOf(deps, harvestId)).toMatchObject([{ quantity: 560_000n }, { quantity: 140_000n }]);
  const [kept] = await deps.db.select().from(projectPayments).where(eq(projectPayments.id, forged.id));
  expect(kept?.status).toBe("approved");
});

test("a payment that the bank took back after its money went to the farm is struck: the farm keeps it, the company loses it", async () => {
  const { farm, payments } = await fund();
  const round = { projectId: farm.project.id, round: 1 };
  await (await asOwner()).farmReleases.release({
    part: 1,
    askId: null,
    ...round,
    seenKobo: 700_000_00n,
    amountKobo: 700_000_00n,
  });
  await takeBack(payments[0]);
  expect(await of("receivable", payments[0])).toBe(payments[0].amountKobo);
  const before = await losses();
  await strike(payments[0]);
  expect(await of("receivable", payments[0])).toBe(0n);
  expect((await losses()) - before).toBe(payments[0].amountKobo);
  expect(await backingsOf(farm)).toHaveLength(2);
  const harvestId = await open(farm);
  expect(await partsOf(deps, harvestId)).toMatchObject([{ weightKobo: 20_000_000n }, { weightKobo: 10_000_000n }]);
});

test("three backers, one struck after the first of three settlements: who was paid keeps it, the others' later parts are all that came", async () => {
  await deps.db.insert(settings).values({ key: vatKey, value: "7.5" });
  onTestFinished(async () => void (await deps.db.delete(settings).where(eq(settings.key, vatKey))));
  const { farm, payments } = await fund();
  const harvestId = await open(farm);
  await endChoosing(deps, harvestId);
  await sell(deps, owners(), { harvestId, quantity: 100_000n, amountKobo: 1_000_000_01n });
  await settle(harvestId, "1,000,000.01");
  const [first] = await settlementsOf(deps, harvestId);
  const backer = farm.backers[0];
  if (!first || !backer) throw new Error("nothing was settled");
  const paid = (await harvestPayouts(first.id)).find(({ userId }) => userId === backer.id);
  const account = await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id });
  if (!paid) throw new Error("nobody is paid");
  await keepRun(deps, [{ payout: paid, account }], { ownAccount: bank, owner: amaka, second: bola });
  await takeBack(payments[0]);
  await strike(payments[0]);
  expect(await harvestPayouts(first.id)).toContainEqual(
    expect.objectContaining({ id: paid.id, state: "sent", amountKobo: paid.amountKobo }),
  );
  for (const [amountKobo, typed] of [
    [777_777_77n, "777,777.77"],
    [500_000_03n, "500,000.03"],
  ] as const) {
    await sell(deps, owners(), { harvestId, quantity: 100_000n, amountKobo });
    await settle(harvestId, typed);
  }
  const later = (await settlementsOf(deps, harvestId)).slice(1);
  expect(later.map(({ netKobo, feeKobo, vatKobo }) => netKobo + feeKobo + vatKobo)).toEqual([777_777_77n, 500_000_03n]);
  for (const { id, netKobo } of later) {
    const made = await harvestPayouts(id);
    expect(made.every(({ userId }) => userId !== backer.id)).toBe(true);
    expect(made.reduce((sum, { amountKobo }) => sum + amountKobo, 0n)).toBe(netKobo);
  }
});

test("what a settlement hasn't paid to struck backers isn't due to them again: the others share it, with its fee and taxes", async () => {
  const farm = await fundFarm(deps, {
    owner: amaka,
    lots: [4, 1, 2, 2, 2, 2, 2],
    unseenReason: "Seen in the bank's app",
  });
  const [first, second, ...struck] = await paymentsOf(farm);
  const [returned, refused, inDraft, withheld, due] = struck;
  if (!first || !second || !returned || !refused || !inDraft || !withheld || !due) throw new Error("nobody paid");
  for (const payment of [first, second, ...struck]) await arrive(payment);
  const harvestId = await open(farm, 750_000n);
  await endChoosing(deps, harvestId);
  await sell(deps, owners(), { harvestId, quantity: 750_000n, amountKobo: 1_500_000_00n });
  await settle(harvestId, "1,500,000");
  const [settlement] = await settlementsOf(deps, harvestId);
  const payoutsTo = async ({ userId }: Payment) =>
    (await harvestPayouts(settlement?.id ?? 0)).filter((payout) => payout.userId === userId);
  const payoutTo = async (payment: Payment) => {
    const [payout] = await payoutsTo(payment);
    if (!payout) throw new Error("nobody is paid");
    return payout;
  };
  const inRun = async (payment: Payment, isExported: boolean) => {
    const account = await giveAccount(deps, { userId: payment.userId }, { addedBy: payment.userId });
    const run = { ownAccount: bank, owner: amaka, second: bola, isExported };
    return keepRun(deps, [{ payout: await payoutTo(payment), account }], run);
  };
  await inRun(returned, true);
  const refusedRun = await inRun(refused, true);
  const draft = await inRun(inDraft, false);
  await (await asOwner()).payouts.withhold({ payoutId: (await payoutTo(withheld)).id, reason });
  for (const payment of struck) await takeBack(payment);
  await (await asOwner()).secondPerson.ask(await striking(due));
  const { requests } = await (await callAs(deps, bola)).secondPerson.list();
  expect(requests.at(-1)?.consequences).toContain(texts.notSettled(190_000_00n, 200_000_00n));
  await confirmNext(deps, bola);
  for (const payment of [returned, refused, inDraft, withheld]) await strike(payment);
  const statesOf = async (payment: Payment) => (await payoutsTo(payment)).map(({ state }) => state);

  /** Settles anew, expects the unstruck backers (4 lots and 1) to share it all, and returns the settlement's id. */
  const settleAnew = async (amount: string, amounts: Kobo[]) => {
    await settle(harvestId, amount);
    const again = (await settlementsOf(deps, harvestId)).at(-1);
    const shares = (await harvestPayouts(again?.id ?? 0)).map(({ userId, amountKobo }) => [userId, amountKobo]);
    expect(shares).toEqual([first, second].map(({ userId }, place) => [userId, amounts[place]]));
    return again?.id ?? 0;
  };
  expect([await statesOf(due), await statesOf(withheld)]).toEqual([["cancelled"], ["cancelled"]]);
  const settlementId = await settleAnew("400,000", [304_000_00n, 76_000_00n]);
  await (await asOwner()).harvests.reverse({ settlementId, reason });
  await settleAnew("400,000", [304_000_00n, 76_000_00n]);

  expect([await statesOf(returned), await statesOf(refused), await statesOf(inDraft)]).toEqual([
    ["sent"],
    ["sent"],
    ["in_run"],
  ]);
  const { id: payoutId, amountKobo, reference } = await payoutTo(returned);
  const line = await keepLine(deps, bank, { amountKobo, narration: `RETURNED ${reference}` });
  const part = { kind: "returned" as const, payoutId, amountKobo, reason: "Account closed" };
  const refusal = { runId: refusedRun, payoutIds: [(await payoutTo(refused)).id] };
  const ends: [Payment, () => Promise<unknown>][] = [
    [returned, async () => (await asOwner()).bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] })],
    [refused, () => agree(deps, owners(), { kind: "refuse_payouts", details: refusal, reason })],
    [inDraft, async () => (await asOwner()).payouts.voidRun({ runId: draft, reason })],
  ];
  for (const [payment, end] of ends) {
    await end();
    for (const state of await statesOf(payment)) expect(["cancelled", "failed"]).toContain(state);
    const backer = farm.backers.find(({ id }) => id === payment.userId);
    const subjects = (await queuedMailsTo(deps.db, backer?.email ?? "")).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringMatching(/^Your share isn't paid/));
    expect(subjects).not.toContainEqual(expect.stringMatching(/^Money came back/));
    await settleAnew("200,000", [152_000_00n, 38_000_00n]);
  }
});

test("of a person with two payments the other one keeps its part, and the rest is the others'", async () => {
  const project = await createProject(deps.db, { lots: 4, minimumLots: 4, fundingGoalKobo: 400_000_00n });
  const [twice, other] = [await createUser(deps.db), await createUser(deps.db)];
  const buy = { project, owner: amaka, status: "approved" as const, unseenReason: "Seen in the bank's app" };
  const { payment: kept } = await createPayment(deps, { ...buy, backer: twice, lots: 1 });
  const { payment: forged } = await createPayment(deps, { ...buy, backer: twice, lots: 1 });
  const { payment: seen } = await createPayment(deps, { ...buy, backer: other, lots: 2 });
  await arrive(kept);
  await arrive(seen);
  const harvestId = await open({ project });
  await endChoosing(deps, harvestId);
  await sell(deps, owners(), { harvestId, quantity: 300_000n, amountKobo: 400_000_00n });
  await settle(harvestId, "400,000");
  await strike(forged);
  const [first] = await settlementsOf(deps, harvestId);
  const standing = (await harvestPayouts(first?.id ?? 0)).filter(({ state }) => state !== "cancelled");
  expect(standing.map(({ userId, amountKobo }) => [userId, amountKobo])).toEqual([
    [other.id, 190_000_00n],
    [twice.id, 95_000_00n],
  ]);
  const [statement] = await deps.db
    .select()
    .from(papers)
    .where(and(eq(papers.settlementId, first?.id ?? 0), eq(papers.userId, twice.id), isNull(papers.replacedAt)));
  expect(statement?.amountKobo).toBe(95_000_00n);
  expect(await backingsOf({ project })).toHaveLength(2);
  await settle(harvestId, "100,000");
  const [, again] = await settlementsOf(deps, harvestId);
  expect((await harvestPayouts(again?.id ?? 0)).map(({ amountKobo }) => amountKobo)).toEqual([31_666_67n, 63_333_34n]);
});

test("where the only backer is struck the farm has what is sold", async () => {
  const { farm, payments } = await fund({ lots: [1], unseen: [0] });
  const harvestId = await open(farm);
  await strike(payments[0]);
  await endChoosing(deps, harvestId);
  expect(await deps.db.$count(harvestParts, eq(harvestParts.harvestId, harvestId))).toBe(0);
  await sell(deps, owners(), { harvestId, quantity: 700_000n, amountKobo: 100_000_00n });
  await settle(harvestId, "100,000");
  expect(await settlementsOf(deps, harvestId)).toMatchObject([{ farmKobo: 100_000_00n, netKobo: 0n }]);
});

test("opening a harvest names each payment that the bank doesn't wholly show, and takes two owners while there is one, as they see it", async () => {
  const { farm, payments } = await fund({ unseen: [1, 2] });
  await arrive(payments[2], 60_000_00n);
  const facts = { quantity: "700", lostQuantity: "0", referencePrice: "2,750", note: "" };
  const by = await asOwner();
  const { harvestId } = await by.harvests.create({ projectId: farm.project.id, round: 1, ...facts });
  const unseen = [
    { reference: payments[1].reference, backer: farm.backers[1]?.fullName, missingKobo: 200_000_00n },
    { reference: payments[2].reference, backer: farm.backers[2]?.fullName, missingKobo: 40_000_00n },
  ];
  expect((await by.harvests.one({ harvestId })).unseen).toEqual(unseen);
  await expect(by.harvests.open(await seenDraft(deps.db, harvestId))).rejects.toThrow(payments[2].reference);
  const request = { kind: "open_harvest" as const, reason };
  const seen = await seenAsText(harvestId);
  await expect(by.secondPerson.ask({ ...request, details: { ...seen, unseenKobo: "20000000" } })).rejects.toThrow(
    unseenTexts.changed,
  );
  expect(await partsOf(deps, harvestId)).toHaveLength(0);
  await by.secondPerson.ask({ ...request, details: { ...seen, unseenKobo: "24000000" } });
  const { requests } = await (await callAs(deps, bola)).secondPerson.list();
  expect(requests.at(-1)?.consequences.slice(0, 2)).toEqual(
    unseenTexts.each(unseen.map((one) => ({ ...one, backer: one.backer ?? "" }))),
  );
  await arrive(payments[1]);
  await expect(confirmNext(deps, bola)).rejects.toThrow(unseenTexts.changed);
  await arrive(payments[2], 40_000_00n);
  await by.harvests.open(await seenDraft(deps.db, harvestId));
  expect(await partsOf(deps, harvestId)).toHaveLength(3);
});

test("nobody is asked to open a harvest whose round isn't funded any more, and nobody opens it", async () => {
  const { farm, payments } = await fund({ unseen: [1] });
  const facts = { quantity: "700", lostQuantity: "0", referencePrice: "2,750", note: "" };
  const by = await asOwner();
  const { harvestId } = await by.harvests.create({ projectId: farm.project.id, round: 1, ...facts });
  const details = { ...(await seenAsText(harvestId)), unseenKobo: String(payments[1].amountKobo) };
  await by.secondPerson.ask({ kind: "open_harvest", details, reason });
  await decide(deps, amaka, { paymentId: payments[0].id, status: "rejected", reason });
  const asked = (await (await callAs(deps, bola)).secondPerson.list()).requests.at(-1);
  expect(asked).toMatchObject({ consequences: [harvestTexts.notFunded], isPossible: false });
  await by.secondPerson.withdraw({ requestId: asked?.id ?? 0 });
  await expect(by.secondPerson.ask({ kind: "open_harvest", details, reason })).rejects.toThrow(harvestTexts.notFunded);
  await expect(by.harvests.open(await seenDraft(deps.db, harvestId))).rejects.toThrow(harvestTexts.notFunded);
});

test("two owners strike by evidence, which whoever may view payments opens then, and nobody else", async () => {
  const { farm, payments } = await fund({ unseen: [1, 2] });
  await open(farm);
  const asked = await striking(payments[1]);
  const withFiles = async (fileIds: string[]) =>
    (await asOwner()).secondPerson.ask({ ...asked, details: { ...asked.details, fileIds } });
  const { fileFirst } = paymentEvidenceTexts;
  await expect(withFiles([])).rejects.toThrow(fileFirst);
  await expect(withFiles([await keepEvidence(deps, bola)])).rejects.toThrow(fileFirst);
  await (await asOwner()).secondPerson.ask(await striking(payments[2]));
  const [ofOther] = await deps.db.select().from(paymentEvidence).where(eq(paymentEvidence.paymentId, payments[2].id));
  await expect(withFiles([ofOther?.fileId ?? ""])).rejects.toThrow(fileFirst);
  await withFiles(asked.details.fileIds);
  const [fileId] = asked.details.fileIds;
  const app = await buildApp(deps, { distDir: "/nowhere" });
  onTestFinished(async () => void (await app.close()));
  const read = async (url: string, jar: ReturnType<typeof cookieJar>) => {
    const name = sessionCookieName(deps.env);
    return app.inject({ url, cookies: { [name]: jar.get(name) ?? "" } });
  };
  const jar = cookieJar();
  const second = await callAs(deps, bola, { jar });
  const request = (await second.secondPerson.list()).requests.at(-1);
  const paper = request?.papers?.[0];
  expect((await read(paper?.url ?? "", jar)).headers["content-type"]).toBe("application/pdf");
  await confirmNext(deps, bola);
  const managers = cookieJar();
  const manager = await callAs(deps, await createAdmin(deps.db, "manager"), { jar: managers });
  const { evidence, struck } = await manager.payments.details({ paymentId: payments[1].id });
  expect(struck).toMatchObject({ lostKobo: payments[1].amountKobo, reason });
  expect(evidence.map(({ name }) => name)).toEqual(["weighing.pdf"]);
  expect((await read(evidence[0]?.url ?? "", managers)).statusCode).toBe(200);
  const backers = cookieJar();
  await callAs(deps, await createUser(deps.db), { jar: backers });
  expect((await read(evidence[0]?.url ?? "", backers)).statusCode).toBe(403);
  await deleteStoredFile(deps, fileId ?? "");
  expect((await read(evidence[0]?.url ?? "", managers)).statusCode).toBe(200);
});

/** Makes three backers who are owed the whole round back; then the bank takes the first one's transfer back. */
async function takeBackAfterReturn() {
  const { farm, payments } = await fund();
  const details = { projectId: farm.project.id, round: 1, amountKobo: "70000000" };
  await agree(deps, owners(), { kind: "return_to_backers", details, reason: "The farm gave up after the flood." });
  await takeBack(payments[0]);
  const owed = await deps.db
    .select()
    .from(payouts)
    .where(and(eq(payouts.kind, "returned"), eq(payouts.projectId, farm.project.id)))
    .orderBy(payouts.paymentId);
  const [own, other] = owed;
  if (!own || !other?.userId) throw new Error("nothing is owed");
  const pay = async (payout: typeof own, isExported: boolean) => {
    const userId = payout.userId ?? "";
    const account = await giveAccount(deps, { userId }, { addedBy: userId });
    return keepRun(deps, [{ payout, account }], { ownAccount: bank, owner: amaka, second: bola, isExported });
  };
  return { farm, payment: payments[0], own, other, pay };
}

test("while a return is due to its backer, or in a run, a payment isn't struck: the return is taken back, and then its approval", async () => {
  const { payment, own, pay } = await takeBackAfterReturn();
  const runId = await pay(own, false);
  await expect(strike(payment)).rejects.toThrow(texts.returnInRun(own.amountKobo));
  await (await asOwner()).payouts.voidRun({ runId, reason });
  const { strikeRefusal } = await (await asOwner()).payments.details({ paymentId: payment.id });
  expect(strikeRefusal).toBe(texts.returnFirst(own.amountKobo));
  await expect(strike(payment)).rejects.toThrow(texts.returnFirst(own.amountKobo));
  const details = { returnId: own.returnId ?? 0 };
  await agree(deps, owners(), { kind: "take_return_back", details, reason });
  await expect(strike(payment)).rejects.toThrow(texts.takeBackInstead);
});

test("what a return owes a struck backer is withheld where others were paid, and two owners may let it go", async () => {
  const { payment, own, other, pay } = await takeBackAfterReturn();
  await pay(other, true);
  await (await asOwner()).secondPerson.ask(await striking(payment));
  const { requests } = await (await callAs(deps, bola)).secondPerson.list();
  expect(requests.at(-1)?.consequences).toContain(texts.returnWithheld(own.amountKobo));
  await confirmNext(deps, bola);
  const [kept] = await deps.db.select().from(payouts).where(eq(payouts.id, own.id));
  expect(kept).toMatchObject({ state: own.state, withheldReason: reason, letGoRequestId: null });
  await agree(deps, owners(), { kind: "let_payout_go", details: { payoutId: own.id }, reason });
});

test("what a return had on its way to a struck backer is withheld when it comes back, or the bank refused it", async () => {
  const { farm, payment, own, pay } = await takeBackAfterReturn();
  const struck = farm.backers[0] ?? amaka;
  const runId = await pay(own, true);
  await strike(payment);
  const held = { state: "due", withheldReason: reason, letGoRequestId: null };
  const replacing = async (id: number) => {
    const [next] = await deps.db.select().from(payouts).where(eq(payouts.replacesId, id));
    if (!next) throw new Error("nothing takes its place");
    return next;
  };
  const refused = { runId, payoutIds: [own.id] };
  await agree(deps, owners(), { kind: "refuse_payouts", details: refused, reason: "The file was damaged." });
  const second = await replacing(own.id);
  expect(second).toMatchObject(held);
  await agree(deps, owners(), { kind: "let_payout_go", details: { payoutId: second.id }, reason });
  await pay(second, true);
  const { reference, amountKobo } = second;
  for (const [kind, kobo] of [["payout", -amountKobo] as const, ["returned", amountKobo] as const]) {
    const line = await keepLine(deps, bank, { amountKobo: kobo, narration: `${kind} ${reference}`, reference });
    const part = { kind, amountKobo, payoutId: second.id };
    await (await asOwner()).bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  }
  expect(await replacing(second.id)).toMatchObject(held);
  const { items } = await (await callAs(deps, struck)).notifications.list({});
  expect(items.find(({ title }) => title === "Money came back")?.content).toContain(ownMoneyTexts.again(true));
});

test("a round isn't given back as not funded while one of its payments was struck, but written off", async () => {
  const { farm, payments } = await fund();
  const { id: projectId } = farm.project;
  const by = await asOwner();
  await by.farmReleases.release({
    part: 1,
    askId: null,
    projectId,
    round: 1,
    seenKobo: 700_000_00n,
    amountKobo: 700_000_00n,
  });
  await takeBack(payments[0]);
  await strike(payments[0]);
  const [release] = await deps.db.select().from(farmReleases).where(eq(farmReleases.projectId, projectId));
  await by.farmReleases.takeBack({ releaseId: release?.id ?? 0, reason });
  for (const { id } of payments.slice(1)) await decide(deps, amaka, { paymentId: id, status: "rejected", reason });
  await expect(by.payments.decideRound({ projectId, outcome: "not_funded", seenApprovedLots: 4 })).rejects.toThrow(
    texts.notGivenBack,
  );
  await agree(deps, owners(), { kind: "write_off", details: { projectId, round: 1 }, reason });
  expect(await findRound(deps.db, { projectId, round: 1 })).toMatchObject({ outcome: "written_off" });
});
