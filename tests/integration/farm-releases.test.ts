import { and, asc, desc, eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { alarms } from "#server/db/schema/alarms.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { farms } from "#server/db/schema/farms.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { farmReleases, payeeAccounts, payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import type { Payout } from "#server/features/payouts/service.ts";
import { formatNaira } from "#shared/money.ts";
import { payeeAccountLimits } from "#shared/payouts/payee-accounts-texts.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { farmAccountTexts, secondPersonTexts } from "#shared/second-person/texts.ts";
import { openTestReplicas, queuedMailsTo } from "#tests/support/deps.ts";
import { createPayment, decide, expectMoneyHolds, setBankDetails, sumIn } from "#tests/support/money.ts";
import { giveAccount, keepRun } from "#tests/support/payouts.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createFarm, createProject, farmOf, type TestProject } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { twoAgree } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** Money of a funded round that goes on to its farm. */

const { deps, replicas } = await openTestReplicas();
let amaka: TestUser;
let bola: TestUser;
let owner: Caller;
let second: Caller;
let ownAccount: OwnAccount;
let funded: Awaited<ReturnType<typeof fund>>;

startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  owner = await callAs(deps, amaka);
  second = await callAs(replicas[0] ?? deps, bola);
  await setBankDetails(deps.db);
  ownAccount = await openOwnAccount(deps, { importedBy: amaka.id });
  funded = await fund();
});
afterEach(() => expectMoneyHolds(deps));

/** A project whose only round was sold and is funded. A line shows what was paid, or a part of it. */
async function fund(
  lots = 1,
  arrived = (amountKobo: bigint) => amountKobo,
  run: { farmId?: number | null; creator?: string } = {},
) {
  const project = await createProject(deps.db, { lots, ...run });
  const { payment } = await createPayment(deps, { project, lots, owner: amaka });
  await arrive(payment, arrived(payment.amountKobo));
  await decide(deps, amaka, { paymentId: payment.id, status: "approved", unseenReason: "Seen in the bank's app" });
  return { project, payment, amountKobo: payment.amountKobo };
}
/** A line shows money of a payment. */
async function arrive({ id, reference }: { id: number; reference: string }, amountKobo: bigint) {
  const line = await keepLine(deps, ownAccount, { amountKobo, narration: `NIP ${reference}` });
  const part = { kind: "payment" as const, amountKobo, paymentId: id };
  await owner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
}
const release = (project: TestProject, seenKobo: bigint, by = owner) =>
  by.farmReleases.release({ part: 1, askId: null, projectId: project.id, round: 1, seenKobo, amountKobo: seenKobo });
const setAccount = (details: { farmId: number; bankCode: string; accountNumber: string; accountName: string }) => ({
  kind: "set_farm_account" as const,
  details,
  reason: "The farm's letter names this account.",
});
const releasesOf = (project: TestProject) =>
  deps.db.select().from(farmReleases).where(eq(farmReleases.projectId, project.id)).orderBy(asc(farmReleases.id));
const payoutsOf = (project: TestProject) =>
  deps.db
    .select()
    .from(payouts)
    .where(and(eq(payouts.projectId, project.id), eq(payouts.kind, "farm")))
    .orderBy(asc(payouts.id));
const sumOf = (account: "farm_released" | "farm_due", project: TestProject) =>
  sumIn(deps.db, account, eq(ledgerEntries.projectId, project.id));
const lastAudit = async (actionType: string) =>
  (
    await deps.db
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.actionType, actionType as never))
      .orderBy(desc(auditLogs.id))
      .limit(1)
  )[0];

test("all that the round has is owed to the farm, in payouts as large as banks transfer", async () => {
  const { project, amountKobo } = funded;
  expect((await owner.farmReleases.ofProject({ projectId: project.id })).rounds).toMatchObject([
    { round: 1, outcome: "funded", owedKobo: amountKobo, releasedKobo: 0n, unseenKobo: 0n },
  ]);
  await release(project, amountKobo);
  expect(await sumOf("farm_released", project)).toBe(amountKobo);
  expect(await sumOf("farm_due", project)).toBe(-amountKobo);
  const made = await payoutsOf(project);
  expect(made.reduce((sum, payout) => sum + payout.amountKobo, 0n)).toBe(amountKobo);
  for (const payout of made) expect(payout).toMatchObject({ state: "waiting", userId: null, parts: made.length });
  expect(await lastAudit("release_to_farm")).toMatchObject({
    userId: amaka.id,
    details: { projectId: project.id, round: 1, amountKobo: amountKobo.toString() },
  });
  const { rounds, releases, farms } = await owner.farmReleases.ofProject({ projectId: project.id });
  expect(rounds).toMatchObject([{ owedKobo: 0n, releasedKobo: amountKobo }]);
  expect(releases).toMatchObject([{ amountKobo, madeByName: "Amaka Obi", canBeTakenBack: true }]);
  expect(farms).toMatchObject([{ id: project.farmId, name: "Gona Farms", account: null, waitingAccount: null }]);
});

test("what an alarm names goes by two owners, who read the alarm", async () => {
  const { project, payment, amountKobo } = funded;
  const { project: other, amountKobo: otherKobo } = await fund();
  const alarm = (violation: string, row: unknown) => ({ name: "I12", finding: { violation, row }, key: violation });
  await deps.db.insert(alarms).values([
    { ...alarm("payment and ledger differ", { paymentId: payment.id }), createdAt: deps.clock.now() },
    { ...alarm("another farm", { projectId: 999_999 }), createdAt: deps.clock.now() },
    { ...alarm("it was so once", { projectId: other.id }), createdAt: deps.clock.now(), resolvedAt: deps.clock.now() },
  ]);
  await release(other, otherKobo);
  const { rounds } = await owner.farmReleases.ofProject({ projectId: project.id });
  expect(rounds).toMatchObject([{ alarms: ["payment and ledger differ"] }]);
  await expect(release(project, amountKobo)).rejects.toThrow(texts.alarm(["payment and ledger differ"]));
  expect(await releasesOf(project)).toEqual([]);
  const details = {
    projectId: project.id,
    round: 1,
    part: 1,
    askId: null,
    seenKobo: String(amountKobo),
    amountKobo: String(amountKobo),
  };
  const reason = "The self-check counts a line twice; both of us looked.";
  await owner.secondPerson.ask({ kind: "release_to_farm", details, reason });
  const request = (await second.secondPerson.list()).requests.find(({ kind }) => kind === "release_to_farm");
  expect(request?.title).toContain(formatNaira(amountKobo));
  expect(request?.consequences.join()).toContain("payment and ledger differ");
  await expect(owner.secondPerson.confirm({ requestId: request?.id ?? 0 })).rejects.toThrow();
  await second.secondPerson.confirm({ requestId: request?.id ?? 0 });
  expect(await releasesOf(project)).toMatchObject([{ amountKobo, madeBy: bola.id }]);
  expect(await lastAudit("release_to_farm")).toMatchObject({ details: { requestId: request?.id, reason } });
  await deps.db.delete(alarms);
});

test("an alarm that less is there than is owed is about every farm's money", async () => {
  const { project, amountKobo } = funded;
  const row = { thereKobo: 1, owedKobo: 2, missingKobo: 1 };
  const finding = { violation: "less money is there than is owed to others", row };
  await deps.db.insert(alarms).values({ name: "I18", finding, key: "cover", createdAt: deps.clock.now() });
  await expect(release(project, amountKobo)).rejects.toThrow(texts.alarm([finding.violation]));
  await deps.db.delete(alarms);
  await release(project, amountKobo);
});

test("it is released once, by whoever presses first", async () => {
  const { project, amountKobo } = funded;
  const answers = await Promise.allSettled([release(project, amountKobo), release(project, amountKobo, second)]);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(release(project, amountKobo)).rejects.toThrow(texts.nothingOwed);
  expect(await releasesOf(project)).toHaveLength(1);
});

test("not by others than owners, not of a round that isn't funded, not another sum than was seen", async () => {
  const { project, amountKobo } = funded;
  const manager = await callAs(deps, await createAdmin(deps.db, "manager"));
  await expect(release(project, amountKobo, manager)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(release(project, amountKobo - 1n)).rejects.toThrow(texts.changed);
  await expect(release({ ...project, id: 999_999 }, amountKobo)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(
    owner.farmReleases.release({
      part: 1,
      askId: null,
      projectId: project.id,
      round: 7,
      seenKobo: amountKobo,
      amountKobo,
    }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await releasesOf(project)).toEqual([]);
  const open = await createProject(deps.db, { lots: 2 });
  const { payment } = await createPayment(deps, { project: open, lots: 1, owner: amaka });
  await decide(deps, amaka, { paymentId: payment.id, status: "approved", unseenReason: "Seen in the bank's app" });
  await expect(release(open, payment.amountKobo)).rejects.toThrow(texts.notFunded);
  expect(await releasesOf(open)).toEqual([]);
});

test("an approval can't be taken back while the farm has its money, and can after the release was taken back", async () => {
  const { project, payment, amountKobo } = funded;
  await release(project, amountKobo);
  const takeBack = () => decide(deps, amaka, { paymentId: payment.id, status: "pending" });
  await expect(takeBack()).rejects.toThrow(texts.wentToFarm(amountKobo));
  const [made] = await releasesOf(project);
  const reason = "The farm starts a month later than it said.";
  await owner.farmReleases.takeBack({ releaseId: made?.id ?? 0, reason });
  expect(await sumOf("farm_released", project)).toBe(0n);
  expect(await sumOf("farm_due", project)).toBe(0n);
  for (const payout of await payoutsOf(project)) expect(payout.state).toBe("cancelled");
  expect(await lastAudit("take_release_back")).toMatchObject({ details: { releaseId: made?.id, reason } });
  await expect(owner.farmReleases.takeBack({ releaseId: made?.id ?? 0, reason })).rejects.toThrow(
    texts.takenBackAlready,
  );
  await takeBack();
  expect((await owner.farmReleases.ofProject({ projectId: project.id })).rounds).toEqual([]);
});

test("a release with a payout in a run or sent can't be taken back", async () => {
  const { project, amountKobo } = funded;
  await release(project, amountKobo);
  const account = await giveAccount(deps, farmOf(project), { addedBy: amaka.id });
  const [payout] = await payoutsOf(project);
  const [made] = await releasesOf(project);
  if (!payout || !made) throw new Error("nothing was released");
  expect(payout.state).toBe("due");
  const reason = "We would rather keep it for another month.";
  const takeBack = () => owner.farmReleases.takeBack({ releaseId: made.id, reason });
  await keepRun(deps, [{ payout, account }], { ownAccount, owner: amaka, second: bola, isExported: false });
  await expect(takeBack()).rejects.toThrow(payoutTexts.alreadyOnItsWay);
  expect(await releasesOf(project)).toMatchObject([{ takenBackAt: null }]);
});

test("a project stays while its farm's money is due or on its way", async () => {
  const { project, amountKobo } = funded;
  await release(project, amountKobo);
  await expect(owner.projects.delete({ projectId: project.id })).rejects.toMatchObject({ code: "CONFLICT" });
  await writeOff(project);
  await expect(owner.projects.delete({ projectId: project.id })).rejects.toThrow(texts.onItsWay);
  const account = await giveAccount(deps, farmOf(project), { addedBy: amaka.id });
  const owed = (await payoutsOf(project)).map((payout) => ({ payout, account }));
  await keepRun(deps, owed, { ownAccount, owner: amaka, second: bola });
  await expect(owner.projects.delete({ projectId: project.id })).rejects.toThrow(texts.onItsWay);
  expect(await deps.db.$count(projects, eq(projects.id, project.id))).toBe(1);
});

/** Two owners write the round off. */
async function writeOff(project: TestProject) {
  const details = { projectId: project.id, round: 1 };
  const reason = "The ponds were flooded, and nothing is left of them.";
  await owner.secondPerson.ask({ kind: "write_off", details, reason });
  const { requests } = await second.secondPerson.list();
  const asked = requests.find(({ subject }) => subject === `${project.id}/1`);
  await second.secondPerson.confirm({ requestId: asked?.id ?? 0 });
}

test("money that came back is taken back with its release, and paid once more after the account is given again", async () => {
  const { project, amountKobo } = funded;
  await release(project, amountKobo);
  const account = await giveAccount(deps, farmOf(project), { addedBy: amaka.id });
  const owed = (await payoutsOf(project)).map((payout) => ({ payout, account }));
  await keepRun(deps, owed, { ownAccount, owner: amaka, second: bola });
  const sent = await payoutsOf(project);
  await Promise.all(
    sent.map(async (payout) => {
      const line = await keepReturn(payout.amountKobo, payout.reference);
      const returned = { kind: "returned" as const, amountKobo: payout.amountKobo, payoutId: payout.id };
      const part = { ...returned, isAccountWrong: true };
      await owner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
    }),
  );
  const waiting = (await payoutsOf(project)).filter(({ state }) => state === "waiting");
  expect(waiting).toHaveLength(sent.length);
  const [made] = await releasesOf(project);
  await owner.farmReleases.takeBack({ releaseId: made?.id ?? 0, reason: "Nobody knows its account any more." });
  expect(await sumOf("farm_due", project)).toBe(0n);
});

async function keepReturn(amountKobo: bigint, reference: string) {
  return keepLine(deps, ownAccount, { amountKobo, reference });
}

test("money that comes back after the project was deleted is paid once an owner gives the farm's account", async () => {
  const { project, amountKobo } = funded;
  await release(project, amountKobo);
  const account = await giveAccount(deps, farmOf(project), { addedBy: amaka.id });
  const owed = (await payoutsOf(project)).map((payout) => ({ payout, account }));
  await keepRun(deps, owed, { ownAccount, owner: amaka, second: bola });
  const show = async (kind: "payout" | "returned", { id: payoutId, amountKobo: kobo, reference }: Payout) => {
    const line = await keepReturn(kind === "payout" ? -kobo : kobo, reference);
    const isAccountWrong = kind === "returned" && { isAccountWrong: true };
    const part = { kind, amountKobo: kobo, payoutId, ...isAccountWrong };
    await owner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  };
  const sent = await payoutsOf(project);
  for (const payout of sent) await show("payout", payout);
  await writeOff(project);
  await owner.projects.delete({ projectId: project.id });
  for (const payout of sent) await show("returned", payout);
  const { payouts: waiting } = await owner.payouts.list({ list: "waiting" });
  expect(waiting.filter(({ projectId }) => projectId === project.id)).toHaveLength(sent.length);
  for (const payout of waiting) expect(payout.farmName).toBe("Gona Farms");
  const given = { bankCode: "044", accountNumber: "0690000031", accountName: "Epe Ponds Ltd" };
  await twoAgree(owner, second, setAccount({ ...farmOf(project), ...given }));
  const again = (await payoutsOf(project)).filter(({ state }) => state !== "failed");
  expect(again.map(({ state }) => state)).toEqual(sent.map(() => "due"));
  const mail = (await queuedMailsTo(deps.db, bola.email)).at(-1);
  expect(mail?.text).toContain("the money of Gona Farms, for all its projects,");
});

test("only what has arrived can be released, and the rest once a statement shows it", async () => {
  const { project, payment, amountKobo } = await fund(1, (kobo) => kobo - 2_500_000n);
  const arrivedKobo = amountKobo - 2_500_000n;
  const roundsOf = async () => (await owner.farmReleases.ofProject({ projectId: project.id })).rounds;
  expect(await roundsOf()).toMatchObject([
    { owedKobo: amountKobo, unseenKobo: 2_500_000n, releasableKobo: arrivedKobo },
  ]);
  await expect(release(project, amountKobo)).rejects.toThrow(texts.notArrived(arrivedKobo, amountKobo));
  expect(texts.notArrived(arrivedKobo, amountKobo)).toContain(formatNaira(amountKobo));
  expect(await releasesOf(project)).toEqual([]);
  await release(project, arrivedKobo);
  expect(await roundsOf()).toMatchObject([{ owedKobo: 2_500_000n, releasedKobo: arrivedKobo, releasableKobo: 0n }]);
  await expect(release(project, 2_500_000n)).rejects.toThrow(texts.notArrived(0n, 2_500_000n));
  await arrive(payment, 2_500_000n);
  await release(project, 2_500_000n);
  expect(await sumOf("farm_released", project)).toBe(amountKobo);
});

test("an approval whose money arrived and went to the farm stays, though another's that hasn't arrived is owed", async () => {
  const project = await createProject(deps.db, { lots: 2 });
  const approve = async (arrives: boolean) => {
    const { payment } = await createPayment(deps, { project, lots: 1, owner: amaka });
    if (arrives) await arrive(payment, payment.amountKobo);
    await decide(deps, amaka, { paymentId: payment.id, status: "approved", unseenReason: "Seen in the bank's app" });
    return payment;
  };
  const [arrived, coming] = [await approve(true), await approve(false)];
  await release(project, arrived.amountKobo);
  const takeBack = ({ id: paymentId }: { id: number }) => decide(deps, amaka, { paymentId, status: "pending" });
  await expect(takeBack(arrived)).rejects.toThrow(texts.wentToFarm(arrived.amountKobo));
  await takeBack(coming);
  const { rounds } = await owner.farmReleases.ofProject({ projectId: project.id });
  expect(rounds).toMatchObject([{ owedKobo: 0n, releasedKobo: arrived.amountKobo }]);
});

test("a farm's account counts once another owner confirmed it; every owner is told, and it rests", async () => {
  const { project, amountKobo } = funded;
  await release(project, amountKobo);
  const given = { ...farmOf(project), bankCode: "044", accountNumber: "0690000031", accountName: "Epe Ponds Ltd" };
  await owner.secondPerson.ask(setAccount(given));
  const { requests } = await owner.secondPerson.list();
  const request = requests.find(({ subject }) => subject === String(project.farmId));
  expect(request?.consequences).toContain(`It is used for all the farm's projects: ${project.title}.`);
  expect(request?.consequences).toContain(`${formatNaira(amountKobo)} is due to the farm now.`);
  const requestId = request?.id ?? 0;
  await expect(owner.secondPerson.confirm({ requestId })).rejects.toThrow(secondPersonTexts.needsAnother);
  expect(await deps.db.$count(payeeAccounts, eq(payeeAccounts.farmId, given.farmId))).toBe(0);
  for (const payout of await payoutsOf(project)) expect(payout.state).toBe("waiting");
  expect((await owner.farmReleases.ofProject({ projectId: project.id })).farms).toMatchObject([
    { account: null, waitingAccount: { bankName: "Access Bank", accountNumber: "0690000031", askedBy: "Amaka Obi" } },
  ]);
  await second.secondPerson.confirm({ requestId });
  for (const payout of await payoutsOf(project)) expect(payout.state).toBe("due");
  const { account, waitingAccount } = await owner.farmReleases.account(farmOf(project));
  expect(account).toMatchObject({ accountNumber: "0690000031", isUsable: false });
  expect(waitingAccount).toBeNull();
  const rests = (account?.usableFrom.getTime() ?? 0) - deps.clock.now().getTime();
  expect(Math.round(rests / 3_600_000)).toBe(payeeAccountLimits.restHours);
  for (const { email } of [amaka, bola]) {
    const subjects = (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("a farm's account was changed"))).toHaveLength(1);
  }
  expect(await lastAudit("set_farm_account")).toMatchObject({
    details: { farmId: given.farmId, farm: "Gona Farms", before: null },
  });
  await expect(owner.secondPerson.ask(setAccount({ ...given, farmId: 999_999 }))).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a farm has one account for all its projects: what is released of the second is due at once", async () => {
  const farm = await createFarm(deps.db, { name: "Epe Fisheries" });
  const run = { farmId: farm.id, creator: farm.name };
  const [first, other] = [await fund(1, undefined, run), await fund(1, undefined, run)];
  await release(first.project, first.amountKobo);
  const account = await giveAccount(deps, { farmId: farm.id }, { addedBy: amaka.id });
  await release(other.project, other.amountKobo);
  const owed = [...(await payoutsOf(first.project)), ...(await payoutsOf(other.project))];
  for (const payout of owed) expect(payout).toMatchObject({ state: "due", farmId: farm.id });
  await keepRun(
    deps,
    owed.map((payout) => ({ payout, account })),
    { ownAccount, owner: amaka, second: bola },
  );
  for (const { project } of [first, other]) {
    expect((await owner.farmReleases.ofProject({ projectId: project.id })).farms).toMatchObject([
      { id: farm.id, name: "Epe Fisheries", account: { accountNumber: account.accountNumber } },
    ]);
  }
});

test("a round that nobody runs releases nothing until its farm is chosen; sold, it keeps that one", async () => {
  const { project, amountKobo } = await fund(1, undefined, { farmId: null, creator: "Admin" });
  await expect(release(project, amountKobo)).rejects.toThrow(texts.noFarm);
  const { rounds, farms: ran } = await owner.farmReleases.ofProject({ projectId: project.id });
  expect(rounds).toMatchObject([{ farmId: null, releasableKobo: amountKobo }]);
  expect(ran).toEqual([]);
  const [chosen, another] = [await createFarm(deps.db), await createFarm(deps.db)];
  const isOfProject = eq(projectRounds.projectId, project.id);
  await deps.db.update(projectRounds).set({ farmId: chosen.id }).where(isOfProject);
  await expect(deps.db.update(projectRounds).set({ farmId: another.id }).where(isOfProject)).rejects.toThrow();
  await release(project, amountKobo);
  expect(await payoutsOf(project)).toMatchObject([{ farmId: chosen.id }]);
});

test("a project that changes farm before a lot of it is sold pays the new farm", async () => {
  const project = await createProject(deps.db);
  const farm = await createFarm(deps.db, { name: "Ikorodu Fisheries" });
  await deps.db.update(projects).set({ farmId: farm.id, creator: farm.name }).where(eq(projects.id, project.id));
  await deps.db.update(projectRounds).set({ farmId: farm.id }).where(eq(projectRounds.projectId, project.id));
  const { payment } = await createPayment(deps, { project, owner: amaka });
  await arrive(payment, payment.amountKobo);
  await decide(deps, amaka, { paymentId: payment.id, status: "approved", unseenReason: "Seen in the bank's app" });
  await release(project, payment.amountKobo);
  for (const payout of await payoutsOf(project)) expect(payout.farmId).toBe(farm.id);
});

test("a closed farm keeps its account, and is given another only while something is due to it", async () => {
  const { project, amountKobo } = funded;
  const given = { ...farmOf(project), bankCode: "044", accountNumber: "0690000031", accountName: "Epe Ponds Ltd" };
  await twoAgree(owner, second, setAccount(given));
  await deps.db.update(farms).set({ closedAt: deps.clock.now() }).where(eq(farms.id, given.farmId));
  const other = { ...given, accountNumber: "0123456789" };
  await expect(owner.secondPerson.ask(setAccount(other))).rejects.toThrow(farmAccountTexts.closed);
  await release(project, amountKobo);
  for (const payout of await payoutsOf(project)) expect(payout.state).toBe("due");
  await twoAgree(owner, second, setAccount(other));
  expect((await owner.farmReleases.account(farmOf(project))).account).toMatchObject({ accountNumber: "0123456789" });
});
