import { asc, eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { notifications } from "#server/db/schema/notifications.ts";
import { farmReleases, payouts, roundReturns } from "#server/db/schema/payouts.ts";
import { readStatement } from "#server/features/papers/contents/statement-rows.ts";
import { dueAfter } from "#server/features/papers/contents/statements.ts";
import { findPaidBack } from "#server/features/payouts/arrivals.ts";
import { dayInLagos } from "#shared/dates.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import { roundReturnTexts as texts } from "#shared/payouts/returns-texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createPayment, decide, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { giveAccount, keepRun } from "#tests/support/payouts.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject, farmOf, type TestProject } from "#tests/support/projects.ts";
import { twoAgree } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** Money of a funded round that its farm doesn't get, or pays back, and that goes back to the people who paid it. */

const deps = await openTestDeps();
let amaka: TestUser;
let bola: TestUser;
let owner: Caller;
let second: Caller;
let bank: OwnAccount;

beforeAll(async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  owner = await callAs(deps, amaka);
  second = await callAs(deps, bola);
  await setBankDetails(deps.db);
  bank = await openOwnAccount(deps, { importedBy: amaka.id });
});
afterEach(() => expectMoneyHolds(deps));

/** A funded round of 7 lots, which three people bought 4, 2 and 1 of; lines show all of it unless told otherwise. */
async function fund({ isLastSeen = true } = {}) {
  const project = await createProject(deps.db, { lots: 7, minimumLots: 7, fundingGoalKobo: 70_000_00n });
  const backers = [];
  for (const [place, lots] of [4, 2, 1].entries()) {
    const backer = await createUser(deps.db, { fullName: `Backer ${place}` });
    const { payment } = await createPayment(deps, { project, lots, owner: amaka, backer });
    if (place < 2 || isLastSeen) await arrive(payment);
    await decide(deps, amaka, { paymentId: payment.id, status: "approved", unseenReason: "Seen in the bank's app" });
    backers.push({ ...backer, payment });
  }
  return { project, backers };
}
async function arrive({ id, reference, amountKobo }: { id: number; reference: string; amountKobo: bigint }) {
  const line = await keepLine(deps, bank, { amountKobo, narration: `NIP ${reference}` });
  const part = { kind: "payment" as const, amountKobo, paymentId: id };
  await owner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
}
const moneyOf = async (project: TestProject) =>
  (await owner.farmReleases.ofProject({ projectId: project.id })).rounds[0];

/** Releases a part to the farm and sends it. */
async function sendToFarm(project: TestProject, amountKobo: bigint) {
  const seenKobo = (await moneyOf(project))?.releasableKobo ?? 0n;
  await owner.farmReleases.release({ part: 1, askId: null, projectId: project.id, round: 1, seenKobo, amountKobo });
  const account = await giveAccount(deps, farmOf(project), { addedBy: amaka.id });
  const isOfFarm = eq(payouts.projectId, project.id);
  const owed = (await deps.db.select().from(payouts).where(isOfFarm)).filter(({ state }) => state === "due");
  await keepRun(
    deps,
    owed.map((payout) => ({ payout, account })),
    { ownAccount: bank, owner: amaka, second: bola },
  );
  const [release] = await deps.db.select().from(farmReleases).where(eq(farmReleases.projectId, project.id));
  if (!release) throw new Error("nothing was released");
  return release;
}
const payBack = async (releaseId: number, amountKobo: bigint) => {
  const line = await keepLine(deps, bank, { amountKobo, narration: "FARM RETURNS MONEY" });
  const part = { kind: "farm_paid_back" as const, amountKobo, releaseId };
  await owner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  return line;
};
const reason = "The farm gave up after the flood of November.";
const returning = (project: TestProject, amountKobo: bigint) => ({
  kind: "return_to_backers" as const,
  details: { projectId: project.id, round: 1, amountKobo: String(amountKobo) },
  reason,
});
const partsOf = async (project: TestProject) =>
  (
    await deps.db
      .select()
      .from(payouts)
      .where(sql`${payouts.projectId} = ${project.id} and ${payouts.kind} = 'returned'`)
      .orderBy(asc(payouts.paymentId))
  ).map(({ amountKobo }) => amountKobo);

test("a part of what has arrived is released, and what the farm pays back is the round's again, up to what it got", async () => {
  const { project } = await fund();
  const release = await sendToFarm(project, 50_000_00n);
  expect(await moneyOf(project)).toMatchObject({
    owedKobo: 20_000_00n,
    releasedKobo: 50_000_00n,
    releasableKobo: 20_000_00n,
  });
  const more = { projectId: project.id, round: 1, part: 1, askId: null, seenKobo: 20_000_00n, amountKobo: 20_000_01n };
  await expect(owner.farmReleases.release(more)).rejects.toThrow(farmReleaseTexts.moreThanThere(20_000_00n));
  expect(await owner.bank.releases({ lineId: 1 })).toContainEqual(
    expect.objectContaining({ id: release.id, atFarmKobo: 50_000_00n }),
  );
  await payBack(release.id, 12_345_67n);
  expect(await moneyOf(project)).toMatchObject({ releasedKobo: 37_654_33n, releasableKobo: 32_345_67n });
  await expect(payBack(release.id, 37_654_34n)).rejects.toThrow(farmReleaseTexts.moreThanAtFarm(37_654_33n));
  const takingBack = owner.farmReleases.takeBack({ releaseId: release.id, reason });
  await expect(takingBack).rejects.toThrow(farmReleaseTexts.someReturned);
  // Nor can its payout have come back or failed.
  const [payout] = await deps.db.select().from(payouts).where(eq(payouts.releaseId, release.id));
  if (!payout) throw new Error("nothing was sent");
  const line = await keepLine(deps, bank, { amountKobo: payout.amountKobo, narration: `RTN ${payout.reference}` });
  const part = { kind: "returned" as const, amountKobo: payout.amountKobo, payoutId: payout.id };
  const match = owner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  await expect(match).rejects.toThrow(payoutTexts.paidBack);
  expect(await findPaidBack(deps.db, [payout])).toBe(payoutTexts.paidBack);
  await owner.farmReleases.release({
    part: 1,
    askId: null,
    projectId: project.id,
    round: 1,
    seenKobo: 32_345_67n,
    amountKobo: 32_345_67n,
  });
  expect(await moneyOf(project)).toMatchObject({ owedKobo: 0n, releasedKobo: 70_000_00n });
});

test("that the farm paid back is undone while its money is there, and not after it was returned", async () => {
  const { project } = await fund();
  const release = await sendToFarm(project, 70_000_00n);
  const line = await payBack(release.id, 10_000_00n);
  const undo = async () => {
    const { matches } = await owner.bank.line({ lineId: line.id });
    const standing = matches.find(({ undoneAt }) => undoneAt === null);
    await owner.bank.undo({ matchId: standing?.id ?? 0, reason: "It was the farm's other debt." });
  };
  await undo();
  expect(await moneyOf(project)).toMatchObject({ owedKobo: 0n, releasedKobo: 70_000_00n });
  const part = { kind: "farm_paid_back" as const, amountKobo: 10_000_00n, releaseId: release.id };
  await owner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  await twoAgree(owner, second, returning(project, 4_000_00n));
  await expect(undo()).rejects.toThrow(farmReleaseTexts.paidBackGone);
});

test("what comes back is divided to the kobo over what each backer paid, and each reads their sum and why", async () => {
  const { project, backers } = await fund();
  const release = await sendToFarm(project, 70_000_00n);
  await payBack(release.id, 10_000_00n);
  const asked = { projectId: project.id, round: 1, amountKobo: "1000000" };
  expect((await owner.roundReturns.preview(asked)).text).toBe(texts.divided(3, 142_857n, 571_429n));
  await twoAgree(owner, second, returning(project, 10_000_00n));
  expect(await partsOf(project)).toEqual([571_429n, 285_714n, 142_857n]);
  expect(await moneyOf(project)).toMatchObject({ owedKobo: 0n, releasedKobo: 60_000_00n, returnedKobo: 10_000_00n });
  const [first] = backers;
  const [told] = await deps.db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, first?.id ?? ""))
    .orderBy(sql`id desc`)
    .limit(1);
  expect(told?.title).toContain("₦5,714.29");
  expect(told?.content).toContain(reason);
  expect((await queuedMailsTo(deps.db, first?.email ?? "")).at(-1)?.subject).toContain("Money comes back to you");
  const money = await (await callAs(deps, first ?? amaka)).payeeAccounts.mine();
  expect(money.payouts).toMatchObject([{ kind: "returned", state: "waiting", amountKobo: 571_429n }]);
});

test("who never paid gets nothing of what comes back", async () => {
  const { project } = await fund({ isLastSeen: false });
  await twoAgree(owner, second, returning(project, 60_000_00n));
  expect(await partsOf(project)).toEqual([40_000_00n, 20_000_00n]);
  await expect(twoAgree(owner, second, returning(project, 1n))).rejects.toThrow(texts.moreThanThere(0n));
});

test("it takes two owners, neither of them a backer of the round, and no more than is there", async () => {
  const { project } = await fund();
  await expect(owner.secondPerson.ask(returning(project, 70_000_01n))).rejects.toThrow(texts.moreThanThere(70_000_00n));
  const manager = await callAs(deps, await createAdmin(deps.db, "manager"));
  await expect(manager.secondPerson.ask(returning(project, 1n))).rejects.toMatchObject({ code: "FORBIDDEN" });
  await owner.secondPerson.ask(returning(project, 70_000_00n));
  const [request] = (await second.secondPerson.list()).requests.filter(({ kind }) => kind === "return_to_backers");
  expect(request?.consequences.join(" ")).toContain("3 backers get between ₦10,000 and ₦40,000");
  await expect(owner.secondPerson.confirm({ requestId: request?.id ?? 0 })).rejects.toThrow(
    secondPersonTexts.needsAnother,
  );
  expect(await deps.db.$count(roundReturns, eq(roundReturns.projectId, project.id))).toBe(0);
});

test("an approval can't be taken back after its round's money was returned, and can once that was taken back by two", async () => {
  const { project, backers } = await fund();
  const [first] = backers;
  if (!first) throw new Error("nobody paid");
  await twoAgree(owner, second, returning(project, 7_000_00n));
  const reverse = () => decide(deps, amaka, { paymentId: first.payment.id, status: "pending" });
  await expect(reverse()).rejects.toThrow(texts.wentBack(7_000_00n));
  const [returned] = await deps.db.select().from(roundReturns).where(eq(roundReturns.projectId, project.id));
  const takingBack = {
    kind: "take_return_back" as const,
    details: { returnId: returned?.id ?? 0 },
    reason: "It was another round's money.",
  };
  await twoAgree(owner, second, takingBack);
  expect(await moneyOf(project)).toMatchObject({ owedKobo: 70_000_00n, returnedKobo: 0n });
  await expect(owner.secondPerson.ask(takingBack)).rejects.toThrow(texts.takenBackAlready);
  await reverse();
});

test("a person's statement says what came back and adds up; a return that is in a run can't be taken back", async () => {
  const { project, backers } = await fund();
  await twoAgree(owner, second, returning(project, 7_000_00n));
  const day = dayInLagos(deps.clock.now());
  const { id: userId = "", fullName = "" } = backers[0] ?? {};
  const statement = await readStatement(deps.db, { userId, fullName, firstDay: day, lastDay: day });
  expect(statement.refunds).toMatchObject([{ reason: "returned", kobo: 4_000_00n }]);
  expect(dueAfter(statement)).toBe(4_000_00n);

  const account = await giveAccount(deps, { userId }, { addedBy: userId });
  const due = (await deps.db.select().from(payouts).where(eq(payouts.projectId, project.id))).find(
    ({ state }) => state === "due",
  );
  if (!due) throw new Error("nothing is due");
  await keepRun(deps, [{ payout: due, account }], { ownAccount: bank, owner: amaka, second: bola });
  const [returned] = await deps.db.select().from(roundReturns).where(eq(roundReturns.projectId, project.id));
  const takingBack = {
    kind: "take_return_back" as const,
    details: { returnId: returned?.id ?? 0 },
    reason: "It was another round's money.",
  };
  await expect(twoAgree(owner, second, takingBack)).rejects.toThrow(payoutTexts.alreadyOnItsWay);
});
