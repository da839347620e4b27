import { and, asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { harvestParts } from "#server/db/schema/harvests.ts";
import { holderChanges } from "#server/db/schema/holder-changes.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { papers } from "#server/db/schema/papers.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { backingWeights, projectBackings } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { readStatement } from "#server/features/papers/contents/statement-rows.ts";
import { dueAfter } from "#server/features/papers/contents/statements.ts";
import { carryOutHolderChanges } from "#server/features/payments/holder-changes/jobs.ts";
import { findOpenAffair } from "#server/features/people/users/queries.ts";
import { hasBacking } from "#server/features/projects/backings/queries.ts";
import { dayInLagos } from "#shared/dates.ts";
import { paymentEvidenceTexts } from "#shared/payments/evidence.ts";
import { holderChangeTexts as texts } from "#shared/payments/holder-changes-texts.ts";
import { strikeTexts } from "#shared/payments/strikes-texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  endChoosing,
  type Farm,
  fundFarm,
  keepEvidence,
  openHarvestOf,
  partsOf,
  sell,
  settlementsOf,
} from "#tests/support/harvests.ts";
import { createPayment, decide, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { giveAccount, keepRun } from "#tests/support/payouts.ts";
import { blockUser, callAs, createAdmin, createUser, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { agree, giveWeight } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** Changes of holder in a round: two owners agree to one, 14 days run, and either of the two holders may object. */

const deps = await openTestDeps();
let amaka: TestUser;
let bola: TestUser;
let heir: TestUser;

beforeEach(async () => {
  await dismissAdmins(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  heir = await createUser(deps.db, { fullName: "Ngozi Eze" });
  await setBankDetails(deps.db);
});
afterEach(() => expectMoneyHolds(deps));

let opened: Promise<OwnAccount> | undefined;
const openBank = () => {
  opened ??= openOwnAccount(deps, { importedBy: amaka.id });
  return opened;
};

const owners = () => ({ asker: amaka, confirmer: bola });
const asOwner = () => callAs(deps, amaka);
const reason = "He died in October, and his daughter inherits.";

type Payment = typeof projectPayments.$inferSelect;
const paymentsOf = (userId: string): Promise<Payment[]> =>
  deps.db.select().from(projectPayments).where(eq(projectPayments.userId, userId)).orderBy(asc(projectPayments.id));

async function fund(lots = [4, 2, 1]) {
  const farm = await fundFarm(deps, { owner: amaka, lots, unseenReason: "Seen in the bank's app" });
  const [first, second] = farm.backers;
  if (!first || !second) throw new Error("nobody paid");
  const [payment] = await paymentsOf(first.id);
  if (!payment) throw new Error("nobody paid");
  return { farm, old: first, other: second, payment };
}

let kept: ReturnType<typeof fund> | undefined;
/** A farm for tests in which nothing passes on, each with owners and an heir of its own. */
const keptFarm = () => {
  kept ??= fund([2, 1]);
  return kept;
};

async function asking(payment: Payment, to: TestUser = heir) {
  const fileIds = [await keepEvidence(deps, amaka)];
  const people = { fromUserId: payment.userId, toUserId: to.id };
  const details = { paymentId: payment.id, ...people, cause: "death" as const, fileIds };
  return { kind: "change_holder" as const, details, reason };
}
const begin = async (payment: Payment, to?: TestUser) => agree(deps, owners(), await asking(payment, to));
const ask = async (payment: Payment, to?: TestUser) => (await asOwner()).secondPerson.ask(await asking(payment, to));
async function lastChange() {
  const change = (await deps.db.select().from(holderChanges).orderBy(asc(holderChanges.id))).at(-1);
  if (!change) throw new Error("no change runs");
  return change;
}
async function wait() {
  deps.clock.advance({ days: 14 });
  await carryOutHolderChanges(deps);
}
async function change(payment: Payment, to?: TestUser) {
  await begin(payment, to);
  await wait();
  expect(await lastChange()).toMatchObject({ outcome: "carried_out" });
}

const harvestOf = async (farm: Farm, quantity = 700_000n) =>
  openHarvestOf(await asOwner(), farm, quantity, await callAs(deps, bola));
/** Sold for so much, and settled. */
async function settle(harvestId: number, amountKobo: bigint, amount: string) {
  await sell(deps, owners(), { harvestId, amountKobo, quantity: 10_000n });
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount });
  return (await settlementsOf(deps, harvestId)).at(-1)?.id ?? 0;
}
const payoutsTo = (userId: string) =>
  deps.db.select().from(payouts).where(eq(payouts.userId, userId)).orderBy(asc(payouts.id));
/** Returns the amount due to a person at the end of a statement of today. */
const dueTo = async ({ id: userId, fullName }: TestUser) => {
  const day = dayInLagos(deps.clock.now());
  return dueAfter(await readStatement(deps.db, { userId, fullName, firstDay: day, lastDay: day }));
};
const subjectsTo = async ({ email }: TestUser) => (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);

test("nothing moves for 14 days; then the lots are the new holder's, and papers keep the old name", async () => {
  const { farm, old, payment } = await fund();
  const key = farm.project.id;
  await begin(payment);
  await carryOutHolderChanges(deps);
  expect(await paymentsOf(heir.id)).toEqual([]);
  const mine = (await (await callAs(deps, heir)).holderChanges.mine()).changes;
  expect(mine).toMatchObject([{ isFrom: false, fromName: old.fullName, amountKobo: payment.amountKobo, reason }]);
  const about = { projectId: key, projectTitle: farm.project.title, until: (await lastChange()).until };
  const tasksOf = async (who: TestUser) => (await callAs(deps, who)).tasks.mine();
  expect(await tasksOf(old)).toEqual([{ kind: "object", ...about, isFrom: true }]);
  expect(await tasksOf(heir)).toEqual([{ kind: "object", ...about, isFrom: false }]);
  await wait();
  expect([await tasksOf(old), await tasksOf(heir)]).toEqual([[], []]);
  expect(await paymentsOf(heir.id)).toMatchObject([{ id: payment.id, status: "approved" }]);
  expect([await hasBacking(deps.db, key, old.id), await hasBacking(deps.db, key, heir.id)]).toEqual([false, true]);
  const [receipt] = await deps.db.select().from(papers).where(eq(papers.paymentId, payment.id));
  expect(receipt).toMatchObject({ userId: old.id, replacedAt: null });
  expect(await lastChange()).toMatchObject({ outcome: "carried_out", backingId: null });
  expect(await subjectsTo(old)).toEqual(expect.arrayContaining([expect.stringMatching(/^Your lots have passed to/)]));
  expect(await subjectsTo(heir)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Lots are to pass to you/),
      expect.stringMatching(/^Lots have passed to you/),
    ]),
  );

  // Once it isn't approved any more, its reference is for nobody's next purchase.
  await decide(deps, amaka, { paymentId: payment.id, status: "pending" });
  for (const who of [old, heir]) {
    const page = await (await callAs(deps, who)).payments.open({ projectId: key });
    expect(page).toMatchObject({ reference: null, purchase: null });
  }
});

test("what a round returns to its backers after a change is the new holder's", async () => {
  const { farm, payment } = await fund();
  const { id: paymentId, reference, amountKobo } = payment;
  const line = await keepLine(deps, await openBank(), { amountKobo, narration: `NIP ${reference}` });
  const part = { kind: "payment" as const, amountKobo, paymentId };
  await (await asOwner()).bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  await change(payment);
  const details = { projectId: farm.project.id, round: 1, amountKobo: "100000" };
  await agree(deps, owners(), { kind: "return_to_backers", details, reason: "The farm didn't need it." });
  expect(await payoutsTo(heir.id)).toMatchObject([{ kind: "returned", paymentId, amountKobo: 1_000_00n }]);
});

test("a choice that is open is the new holder's: they choose, and the old one has no part", async () => {
  const { farm, old, payment } = await fund();
  const harvestId = await harvestOf(farm);
  await begin(payment);
  deps.clock.advance({ days: 13, hours: 12 });
  // The days for choosing would be over otherwise.
  const secondId = await harvestOf(farm);
  deps.clock.advance({ hours: 12 });
  await carryOutHolderChanges(deps);
  const choice = { harvestId: secondId, taken: "100", given: "0" };
  await expect((await callAs(deps, old)).harvests.choose(choice)).rejects.toThrow();
  await (await callAs(deps, heir)).harvests.choose(choice);
  for (const id of [harvestId, secondId]) {
    expect((await partsOf(deps, id))[0]).toMatchObject({ userId: heir.id, weightKobo: payment.amountKobo });
  }
});

test("lots pass on also where the only harvest was withdrawn, and count for the new holder in the next", async () => {
  const { farm, old, payment } = await fund();
  const harvestId = await harvestOf(farm);
  await (await asOwner()).harvests.withdraw({ harvestId, reason: "The scale was wrong." });
  await change(payment);
  // What everybody had in it is nobody's any more, and stays as it was.
  expect((await partsOf(deps, harvestId)).map(({ userId }) => userId)).toContain(old.id);
  const next = await harvestOf(farm);
  const holders = (await partsOf(deps, next)).map(({ userId }) => userId);
  expect([holders.includes(heir.id), holders.includes(old.id)]).toEqual([true, false]);
});

test("produce that lies ready is handed out by a new code only", async () => {
  const { farm, old, payment } = await fund();
  await begin(payment);
  const harvestId = await harvestOf(farm);
  await (await callAs(deps, old)).harvests.choose({ harvestId, taken: "100", given: "0" });
  await endChoosing(deps, harvestId);
  const [before] = await partsOf(deps, harvestId);
  await carryOutHolderChanges(deps);
  const [after] = await partsOf(deps, harvestId);
  expect(after).toMatchObject({ userId: heir.id, taken: 100_000n });
  expect(after?.code).not.toBe(before?.code);
  const by = await asOwner();
  await expect(by.harvests.collect({ harvestId, code: before?.code ?? "" })).rejects.toThrow();
  await by.harvests.collect({ harvestId, code: after?.code ?? "" });
  expect(await subjectsTo(heir)).toEqual(expect.arrayContaining([expect.stringMatching(/^Collect your produce/)]));
});

test("what is due moves, also out of a run that is void, and what is in a run stays; a later settlement pays the new holder", async () => {
  const { farm, old, payment } = await fund();
  const harvestId = await harvestOf(farm);
  await endChoosing(deps, harvestId);
  const account = await giveAccount(deps, { userId: old.id }, { addedBy: old.id });
  const first = await settle(harvestId, 100_000_00n, "100,000");
  const [payout] = await payoutsTo(old.id);
  if (!payout) throw new Error("nothing is due");
  const ownAccount = await openBank();
  const by = { ownAccount, owner: amaka, second: bola, isExported: false };
  await keepRun(deps, [{ payout, account }], by);
  const second = await settle(harvestId, 50_000_00n, "50,000");
  const [, later] = await payoutsTo(old.id);
  if (!later) throw new Error("nothing is due");
  const runId = await keepRun(deps, [{ payout: later, account }], by);
  await (await callAs(deps, bola)).payouts.voidRun({ runId, reason: "The account is to be looked at again." });
  await change(payment);
  expect(await payoutsTo(old.id)).toMatchObject([{ settlementId: first }]);
  expect(await payoutsTo(heir.id)).toMatchObject([{ settlementId: second, state: "waiting", formerUserId: old.id }]);
  const third = await settle(harvestId, 20_000_00n, "20,000");
  expect(await payoutsTo(heir.id)).toMatchObject([
    { settlementId: second },
    { settlementId: third, formerUserId: null },
  ]);
  const statement = and(eq(papers.settlementId, second), eq(papers.userId, old.id));
  expect(await deps.db.$count(papers, statement)).toBe(1);
});

test("money of the payment that is due goes along, and is taken back there", async () => {
  const { farm, old, payment } = await fund();
  const bank = await openBank();
  for (const one of [payment, ...(await Promise.all(farm.backers.slice(1).map(({ id }) => paymentsOf(id)))).flat()]) {
    const amountKobo = one.amountKobo + (one.id === payment.id ? 5_000_00n : 0n);
    const line = await keepLine(deps, bank, { amountKobo, narration: `NIP ${one.reference}` });
    const part = { kind: "payment" as const, amountKobo, paymentId: one.id };
    await (await asOwner()).bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  }
  const surplus = { paymentId: payment.id, seenUnallocatedKobo: 5_000_00n };
  await (await asOwner()).payments.giveUnallocatedBack(surplus);
  const details = { projectId: farm.project.id, round: 1, amountKobo: "7000000" };
  await agree(deps, owners(), { kind: "return_to_backers", details, reason: "The farm needs less than it asked for." });
  await change(payment);
  const [refund, returned] = await payoutsTo(heir.id);
  expect([refund, returned]).toMatchObject([
    { kind: "surplus", amountKobo: 5_000_00n },
    { kind: "returned", amountKobo: 40_000_00n },
  ]);
  expect([await dueTo(old), await dueTo(heir)]).toEqual([0n, 45_000_00n]);
  await (await asOwner()).payments.takeRefundBack({
    refundId: refund?.refundId ?? 0,
    reason: "It was meant for the next round.",
  });
  const takenBack = { returnId: returned?.returnId ?? 0 };
  await agree(deps, owners(), { kind: "take_return_back", details: takenBack, reason: "The farm needs it after all." });
  expect([await dueTo(old), await dueTo(heir)]).toEqual([0n, 0n]);
});

test("a payment that changed its holder is struck from the new one", async () => {
  const { farm, old, payment } = await fund();
  const harvestId = await harvestOf(farm);
  await endChoosing(deps, harvestId);
  await settle(harvestId, 100_000_00n, "100,000");
  await change(payment);
  const fileIds = [await keepEvidence(deps, amaka)];
  const details = { paymentId: payment.id, lostKobo: String(payment.amountKobo), fileIds };
  await agree(deps, owners(), { kind: "strike_payment", details, reason: "The bank says that it was never made." });
  expect((await payoutsTo(heir.id)).filter(({ state }) => state !== "cancelled")).toEqual([]);
  expect(await hasBacking(deps.db, farm.project.id, heir.id)).toBe(false);
  expect(await subjectsTo(heir)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Your payment no longer counts/)]),
  );
  expect(await subjectsTo(old)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^Your payment no longer counts/)]),
  );
});

test("a strike takes from the old holder, too, what was in a run when the lots passed on, and left it since", async () => {
  const { farm, old, payment } = await fund();
  const harvestId = await harvestOf(farm);
  await endChoosing(deps, harvestId);
  const account = await giveAccount(deps, { userId: old.id }, { addedBy: old.id });
  const [kept, due] = [await settle(harvestId, 100_000_00n, "100,000"), await settle(harvestId, 50_000_00n, "50,000")];
  const [payout] = await payoutsTo(old.id);
  if (!payout) throw new Error("nothing is due");
  const by = { ownAccount: await openBank(), owner: amaka, second: bola, isExported: false };
  const runId = await keepRun(deps, [{ payout, account }], by);
  await change(payment);
  await (await callAs(deps, bola)).payouts.voidRun({ runId, reason: "The account is to be looked at again." });
  expect([await payoutsTo(old.id), await payoutsTo(heir.id)]).toMatchObject([
    [{ settlementId: kept, state: "due" }],
    [{ settlementId: due, state: "waiting" }],
  ]);
  const fileIds = [await keepEvidence(deps, amaka)];
  const details = { paymentId: payment.id, lostKobo: String(payment.amountKobo), fileIds };
  await (await asOwner()).secondPerson.ask({
    kind: "strike_payment",
    details,
    reason: "The bank says that it was never made.",
  });
  const asBola = await callAs(deps, bola);
  const request = (await asBola.secondPerson.list()).requests.find(({ kind }) => kind === "strike_payment");
  expect(request?.consequences).toContain(strikeTexts.formerHolder(payout.amountKobo));
  await asBola.secondPerson.confirm({ requestId: request?.id ?? 0 });
  expect([await payoutsTo(old.id), await payoutsTo(heir.id)]).toMatchObject([
    [{ state: "cancelled" }],
    [{ state: "cancelled" }],
  ]);
  expect([await dueTo(old), await dueTo(heir)]).toEqual([0n, 0n]);
  expect(await subjectsTo(old)).toContain(`Your share isn't paid: ${farm.project.title}`);
});

test("a strike leaves the old holder what they have in the round besides", async () => {
  const { farm, old, payment } = await fund();
  const { id: projectId } = farm.project;
  await change(payment);
  await (await asOwner()).backings.grant({ projectId, userId: old.id });
  await giveWeight(deps, owners(), { projectId, userId: old.id, weightKobo: payment.amountKobo });
  const harvestId = await harvestOf(farm, 1_100_000n);
  await endChoosing(deps, harvestId);
  await settle(harvestId, 110_000_00n, "110,000");
  const [before] = await payoutsTo(old.id);
  const fileIds = [await keepEvidence(deps, amaka)];
  const details = { paymentId: payment.id, lostKobo: String(payment.amountKobo), fileIds };
  await agree(deps, owners(), { kind: "strike_payment", details, reason: "The bank says that it was never made." });
  expect(before).toMatchObject({ state: "waiting" });
  expect(await payoutsTo(old.id)).toEqual([before]);
  expect(await payoutsTo(heir.id)).toMatchObject([{ state: "cancelled" }]);
  const account = await giveAccount(deps, { userId: old.id }, { addedBy: old.id });
  const [due] = await payoutsTo(old.id);
  if (!due) throw new Error("nothing is due");
  const by = { ownAccount: await openBank(), owner: amaka, second: bola, isExported: false };
  const runId = await keepRun(deps, [{ payout: due, account }], by);
  await (await callAs(deps, bola)).payouts.voidRun({ runId, reason: "The account is to be looked at again." });
  expect(await payoutsTo(old.id)).toMatchObject([{ id: due.id, state: "due", amountKobo: due.amountKobo }]);
});

test("a part that owners granted goes along, and what supports the old holder in another round stays", async () => {
  const { farm, old, payment } = await fund();
  const { id: projectId } = farm.project;
  await deps.db
    .update(projectBackings)
    .set({ grantedAt: deps.clock.now(), grantedBy: amaka.id })
    .where(and(eq(projectBackings.projectId, projectId), eq(projectBackings.userId, old.id)));
  await giveWeight(deps, owners(), { projectId, userId: old.id, weightKobo: 1_000_00n });
  const harvestId = await harvestOf(farm);
  await change(payment);
  expect((await partsOf(deps, harvestId))[0]).toMatchObject({
    userId: heir.id,
    weightKobo: payment.amountKobo + 1_000_00n,
  });
  const weights = await deps.db
    .select({ userId: projectBackings.userId, kobo: backingWeights.weightKobo })
    .from(backingWeights)
    .innerJoin(projectBackings, eq(projectBackings.id, backingWeights.backingId))
    .where(eq(projectBackings.projectId, projectId));
  expect(weights).toEqual([{ userId: heir.id, kobo: 1_000_00n }]);
  expect(await hasBacking(deps.db, projectId, old.id)).toBe(false);
});

test("a lot passes from one to the next, and back; a settlement is reversed from whom it is owed to now", async () => {
  const { farm, old, payment } = await fund();
  const harvestId = await harvestOf(farm);
  await endChoosing(deps, harvestId);
  const reversed = await settle(harvestId, 100_000_00n, "100,000");
  const settlementId = await settle(harvestId, 50_000_00n, "50,000");
  await change(payment);
  const reason = "A buyer's second transfer was forgotten.";
  await (await asOwner()).harvests.reverse({ settlementId: reversed, reason });
  const owed = (await payoutsTo(heir.id)).find((payout) => payout.settlementId === settlementId)?.amountKobo ?? 0n;
  expect([await dueTo(old), await dueTo(heir)]).toEqual([0n, owed]);
  for (const [userId, dueKobo] of [[old.id, 0n] as const, [heir.id, owed] as const]) {
    const due = and(eq(ledgerEntries.account, "backer_due"), eq(ledgerEntries.userId, userId));
    const entries = await deps.db.select().from(ledgerEntries).where(due);
    expect(entries.reduce((sum, { amountKobo }) => sum - amountKobo, 0n)).toBe(dueKobo);
  }
  const [second] = await paymentsOf(heir.id);
  if (!second) throw new Error("nothing moved");
  await change(second, old);
  const standing = (await payoutsTo(old.id)).filter(({ state }) => state !== "cancelled");
  expect(standing).toMatchObject([{ settlementId, formerUserId: null }]);
  expect(await paymentsOf(heir.id)).toEqual([]);
  expect(await hasBacking(deps.db, farm.project.id, old.id)).toBe(true);
});

test.each(["old", "new"] as const)("the %s holder stops it with one press, and owners are told", async (who) => {
  const { old, payment } = await keptFarm();
  await begin(payment);
  const { id: changeId } = await lastChange();
  await (await callAs(deps, who === "old" ? old : heir)).holderChanges.object({ changeId });
  await wait();
  expect(await lastChange()).toMatchObject({ outcome: "objected" });
  expect(await paymentsOf(heir.id)).toEqual([]);
  for (const person of [amaka, bola]) {
    expect(await subjectsTo(person)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^A change of holder was objected to/)]),
    );
  }
  expect(await subjectsTo(heir)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Nothing passes to another holder/)]),
  );
});

test("an owner stops it with a reason, and nobody else objects", async () => {
  const { other, payment } = await keptFarm();
  await begin(payment);
  const { id: changeId } = await lastChange();
  await expect((await callAs(deps, other)).holderChanges.object({ changeId })).rejects.toThrow(texts.notYours);
  await (await callAs(deps, bola)).holderChanges.stop({
    changeId,
    reason: "The certificate is a forgery, says the registry.",
  });
  expect(await lastChange()).toMatchObject({ outcome: "stopped", endedBy: bola.id });
  await expect((await callAs(deps, heir)).holderChanges.object({ changeId })).rejects.toThrow(texts.endedAlready);
});

test("once the days are over nobody objects, also where the job is late", async () => {
  const { old, payment } = await fund();
  await begin(payment);
  const { id: changeId } = await lastChange();
  deps.clock.advance({ days: 15 });
  await expect((await callAs(deps, old)).holderChanges.object({ changeId })).rejects.toThrow(texts.overAlready);
  await carryOutHolderChanges(deps);
  await carryOutHolderChanges(deps);
  expect(await lastChange()).toMatchObject({ outcome: "carried_out" });
  const posted = eq(ledgerTransactions.holderChangeId, changeId);
  expect(await deps.db.$count(ledgerTransactions, posted)).toBe(0);
});

test.each([
  [
    "its payment was taken back",
    texts.notApproved,
    (payment: Payment) => decide(deps, amaka, { paymentId: payment.id, status: "pending" }),
  ],
  ["the new holder was blocked", texts.blocked, () => blockUser(deps.db, heir.id)],
] as const)("it ends with words to all where %s", async (_why, words, happens) => {
  const { old, payment } = await fund();
  await begin(payment);
  await happens(payment);
  await wait();
  expect(await lastChange()).toMatchObject({ outcome: "failed", endReason: words });
  const [mail] = (await queuedMailsTo(deps.db, old.email)).filter(({ subject }) =>
    subject.startsWith("Nothing passes"),
  );
  expect(mail?.text).toContain(words);
});

test("who was blocked while it ran could not object: it isn't carried out, and the second owner of the next one reads it", async () => {
  const { old, payment } = await fund();
  await begin(payment);
  deps.clock.advance({ hours: 1 });
  await (await asOwner()).users.block({ userId: old.id });
  deps.clock.advance({ days: 13 });
  await (await asOwner()).users.unblock({ userId: old.id });
  deps.clock.advance({ days: 1 });
  await carryOutHolderChanges(deps);
  expect(await lastChange()).toMatchObject({ outcome: "failed", endReason: texts.holderBlocked });
  expect(await paymentsOf(heir.id)).toEqual([]);

  await (await asOwner()).users.block({ userId: old.id });
  await ask(payment);
  const [request] = (await (await callAs(deps, bola)).secondPerson.list()).requests;
  expect(request?.consequences).toContain(texts.cannotObject(old.fullName));
  await (await callAs(deps, bola)).secondPerson.confirm({ requestId: request?.id ?? 0 });
  await wait();
  expect(await lastChange()).toMatchObject({ outcome: "carried_out" });
});

test("a pending payment, an unconfirmed, closed, blocked or the same account, and one with a part already are refused", async () => {
  const { farm, old, other, payment } = await fund();
  const { payment: pending } = await createPayment(deps, { owner: amaka });
  await expect(ask(pending)).rejects.toThrow(texts.notApproved);
  await expect(ask(payment, old)).rejects.toThrow(texts.samePerson);
  const unconfirmed = await createUser(deps.db);
  await deps.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, unconfirmed.id));
  await expect(ask(payment, unconfirmed)).rejects.toThrow(texts.unconfirmed);
  const blocked = await createUser(deps.db);
  await blockUser(deps.db, blocked.id);
  await expect(ask(payment, blocked)).rejects.toThrow(texts.blocked);
  await harvestOf(farm);
  await expect(ask(payment, other)).rejects.toThrow(texts.hasPart(other.fullName));
  const by = await asOwner();
  const asked = await asking(payment);
  const fileIds = [await keepEvidence(deps, bola)];
  await expect(by.secondPerson.ask({ ...asked, details: { ...asked.details, fileIds } })).rejects.toThrow(
    paymentEvidenceTexts.fileFirst,
  );
  await begin(payment);
  await expect(ask(payment)).rejects.toThrow(texts.runningAlready);
});

test("before a harvest began lots join what the new holder has in the round", async () => {
  const { farm, other, payment } = await fund();
  await change(payment, other);
  const harvestId = await harvestOf(farm);
  expect(await partsOf(deps, harvestId)).toMatchObject([
    { userId: other.id, weightKobo: 60_000_000n },
    { weightKobo: 10_000_000n },
  ]);
});

test("neither the asking nor the confirming owner loses lots or gets any", async () => {
  const { payment } = await keptFarm();
  await expect(ask(payment, amaka)).rejects.toThrow(secondPersonTexts.ownMoney);
  await ask(payment, bola);
  const second = await callAs(deps, bola);
  const [request] = (await second.secondPerson.list()).requests;
  expect(request).toMatchObject({ refusal: secondPersonTexts.ownMoney, papers: [{ name: "weighing.pdf" }] });
  await expect(
    second.secondPerson.confirm({ requestId: request?.id ?? 0, currentPassword: "", code: "" }),
  ).rejects.toThrow(secondPersonTexts.ownMoney);
  await (await asOwner()).secondPerson.withdraw({ requestId: request?.id ?? 0 });
});

test("neither of the two closes their account meanwhile", async () => {
  const { old, payment } = await keptFarm();
  await begin(payment);
  const { id: changeId, until } = await lastChange();
  for (const { id } of [old, heir]) {
    expect(await findOpenAffair(deps.db, id, deps.clock.now())).toBe(texts.keepsOpen(until));
  }
  await (await callAs(deps, heir)).holderChanges.object({ changeId });
  expect(await findOpenAffair(deps.db, heir.id, deps.clock.now())).toBeNull();
});

test("the database refuses another holder without a change that was carried out", async () => {
  const { farm, payment } = await fund();
  const harvestId = await harvestOf(farm);
  await begin(payment);
  const set = { userId: heir.id };
  await expect(deps.db.update(projectPayments).set(set).where(eq(projectPayments.id, payment.id))).rejects.toThrow();
  await expect(deps.db.update(harvestParts).set(set).where(eq(harvestParts.harvestId, harvestId))).rejects.toThrow();
  await expect(deps.db.update(holderChanges).set({ toUserId: amaka.id })).rejects.toThrow();
});
