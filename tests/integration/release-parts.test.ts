import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { farmPeople } from "#server/db/schema/farms.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { farmReleases, payouts } from "#server/db/schema/payouts.ts";
import { releaseAsks } from "#server/db/schema/release-parts.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { photoFindings } from "#server/db/schema/update-photos.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import type { ReleasePart } from "#shared/projects/release-parts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { createPayment, decide, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { createProject, farmOf, type TestProject } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { agree } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** The parts in which a round's money goes to its farm: asked for, checked and released by different people. */

const deps = await openTestDeps();
const { clock } = deps;
let amaka: TestUser;
let bola: TestUser;
let chidi: TestUser;
let keeper: TestUser;
let owner: Caller;
let second: Caller;
let manager: Caller;
let farm: Caller;
let project: TestProject;
let backer: TestUser;
let ownAccount: OwnAccount;

const steps: ReleasePart[] = [
  { label: "Chicks and first feed", rate: 4000, proof: "", afterDays: 0 },
  { label: "Feed to week 5", rate: 3500, proof: "a receipt and a photo", afterDays: 14 },
  { label: "Slaughter and transport", rate: 2500, proof: "", afterDays: 14 },
];

startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  chidi = await createAdmin(deps.db, "manager", { fullName: "Chidi Eze" });
  await setBankDetails(deps.db);
  ownAccount = await openOwnAccount(deps, { importedBy: amaka.id });
  const first = await fund(steps);
  const paid = backer;
  keeper = await createFarmPerson(deps.db, farmOf(first).farmId, "keeper");
  return async () => {
    [project, backer] = [first, paid];
    await begin();
  };
});
afterEach(() => expectMoneyHolds(deps));

/** Sessions that begin now. */
async function begin() {
  [owner, second, manager] = [await callAs(deps, amaka), await callAs(deps, bola), await callAs(deps, chidi)];
  farm = await callAs(deps, keeper);
}

/** The project's only round is funded by ₦1,000,000 that a line shows. */
async function fund(releaseParts: ReleasePart[]): Promise<TestProject> {
  project = await createProject(deps.db, { lots: 2, fundingGoalKobo: 100_000_000n, releaseParts });
  const made = await createPayment(deps, { project, lots: 2, owner: amaka });
  backer = made.backer;
  const { id, reference, amountKobo } = made.payment;
  const line = await keepLine(deps, ownAccount, { amountKobo, narration: `NIP ${reference}` });
  const part = { kind: "payment" as const, amountKobo, paymentId: id };
  await (await callAs(deps, amaka)).bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  await decide(deps, amaka, { paymentId: id, status: "approved", unseenReason: "Seen in the bank's app" });
  return project;
}

const ofPart = (part: number) => ({ projectId: project.id, round: 1, part });
const ask = (part: number, by: Caller = farm, fileIds: string[] = []) =>
  (by === farm ? by.farmReleaseParts : by.releaseParts).ask({ ...ofPart(part), note: "", fileIds });
const lastAsk = async () => {
  const [found] = await deps.db.select().from(releaseAsks).orderBy(desc(releaseAsks.id)).limit(1);
  if (!found) throw new Error("nothing was asked for");
  return found;
};
const askIdOf = async (part: number) => {
  const isOf = and(eq(releaseAsks.projectId, project.id), eq(releaseAsks.part, part));
  const [found] = await deps.db.select().from(releaseAsks).where(isOf).orderBy(desc(releaseAsks.id)).limit(1);
  return found?.id ?? null;
};
const check = async (by: Caller) => by.releaseParts.check({ askId: (await lastAsk()).id });
const refuse = async (by: Caller, refusal = "The receipt is of another farm.") =>
  by.releaseParts.refuse({ askId: (await lastAsk()).id, refusal });
const seenKobo = async () =>
  (await owner.farmReleases.ofProject({ projectId: project.id })).rounds[0]?.releasableKobo ?? 0n;
const release = async (part: number, amountKobo: bigint, by: Caller = second) =>
  by.farmReleases.release({ ...ofPart(part), askId: await askIdOf(part), seenKobo: await seenKobo(), amountKobo });
const where = async () => {
  const found = await (await callAs(deps, "anonymous")).releaseParts.whereMoneyIs({ projectId: project.id });
  if (!found) throw new Error("no round was funded");
  return found;
};
const states = async () => (await where()).parts.map(({ state }) => state);
const document = async (by: TestUser, sha256 = crypto.randomUUID().replaceAll("-", "").repeat(2)) => {
  const [file] = await deps.db
    .insert(storedFiles)
    .values({
      kind: "evidence",
      storageKey: `evidence/${crypto.randomUUID()}`,
      sha256,
      bytes: 10,
      contentType: "application/pdf",
      originalName: "receipt.pdf",
      uploadedBy: by.id,
      createdAt: clock.now(),
    })
    .returning();
  return file?.id ?? "";
};
const lastAudit = async () =>
  (await deps.db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1))[0]?.actionType;

test("a part is asked for by the farm, checked, released and paid, and backers read each step", async () => {
  expect(await where()).toMatchObject({
    raisedKobo: 100_000_000n,
    places: { atFarmKobo: 0n, waitingKobo: 100_000_000n, withUsKobo: 0n, returnedKobo: 0n },
    parts: [{ amountKobo: 40_000_000n }, { amountKobo: 35_000_000n }, { amountKobo: 25_000_000n }],
  });
  await ask(1);
  expect(await states()).toEqual(["asked", "planned", "planned"]);
  expect(await lastAudit()).toBe("ask_for_part");
  const told = await deps.db
    .select({ id: notifications.userId })
    .from(notifications)
    .where(eq(notifications.title, "A farm asks for money"));
  expect(new Set(told.map(({ id }) => id))).toEqual(new Set([amaka.id, bola.id, chidi.id]));
  await check(manager);
  expect(await states()).toEqual(["checked", "planned", "planned"]);
  expect((await where()).places).toMatchObject({ waitingKobo: 60_000_000n, withUsKobo: 40_000_000n });
  await expect(release(1, 40_000_001n)).rejects.toThrow(texts.moreThanPart("₦400,000"));
  await release(1, 40_000_000n);
  expect(await states()).toEqual(["released", "planned", "planned"]);
  const [made] = await deps.db.select().from(farmReleases).where(eq(farmReleases.projectId, project.id));
  expect(made).toMatchObject({ part: 1, askId: (await lastAsk()).id, requestId: null, publicReason: null });
  await deps.db
    .update(payouts)
    .set({ state: "waiting" })
    .where(and(eq(payouts.releaseId, made?.id ?? 0), isNull(payouts.sentAt)));
  expect((await where()).places).toMatchObject({ atFarmKobo: 0n, waitingKobo: 60_000_000n, withUsKobo: 40_000_000n });
  expect((await queuedMailsTo(deps.db, backer.email)).map(({ subject }) => subject)).toContain(
    `${project.title}: ₦400,000 goes to the farm`,
  );
  expect((await queuedMailsTo(deps.db, keeper.email)).map(({ subject }) => subject)).toEqual([
    `${project.title}: part 1 is checked`,
    `${project.title}: ₦400,000 is on its way`,
  ]);
});

test("parts come in order, and not before their day", async () => {
  await expect(ask(2)).rejects.toThrow(/^This part can be asked for from /);
  clock.advance({ days: 15 });
  await reporting();
  await begin();
  await expect(ask(2)).rejects.toThrow(texts.earlierFirst(1));
  await ask(1);
  await expect(ask(1)).rejects.toThrow(texts.askedAlready);
  await expect(release(1, 1n)).rejects.toThrow(texts.notChecked(1));
  await check(manager);
  await release(1, 10_000_000n);
  await expect(ask(1)).rejects.toThrow(texts.releasedAlready);
  await expect(ask(2)).rejects.toThrow(texts.earlierFirst(1));
  await release(1, 30_000_000n);
  await expect(release(3, 1n)).rejects.toThrow(texts.earlierFirst(2));
  await expect(ask(2)).rejects.toThrow(texts.proofNeeded("a receipt and a photo"));
  await ask(2, farm, [await document(keeper)]);
  expect(await states()).toEqual(["released", "asked", "planned"]);
});

/** The farm reports, so that no release stops. */
async function reporting() {
  await deps.db
    .update(farmReports)
    .set({ sentAt: clock.now(), firstSentAt: clock.now(), content: "All are well." })
    .where(eq(farmReports.projectId, project.id));
}

test("whoever asked doesn't check, and whoever asked or checked doesn't release alone", async () => {
  await ask(1, manager);
  await expect(check(manager)).rejects.toThrow(texts.ownAsk);
  await check(owner);
  await expect(release(1, 40_000_000n, owner)).rejects.toThrow(texts.checkedByYou);
  expect(await deps.db.$count(farmReleases, eq(farmReleases.projectId, project.id))).toBe(0);
  await release(1, 40_000_000n, second);
  expect(await states()).toEqual(["released", "planned", "planned"]);
});

test("two owners may release what one of them checked", async () => {
  await ask(1);
  await check(owner);
  const details = { ...ofPart(1), askId: await askIdOf(1), seenKobo: String(await seenKobo()), amountKobo: "40000000" };
  const reason = "Nobody else is in the office this week.";
  await agree(deps, { asker: amaka, confirmer: bola }, { kind: "release_to_farm", details, reason });
  const [made] = await deps.db.select().from(farmReleases).where(isNotNull(farmReleases.requestId));
  expect(made).toMatchObject({ part: 1, madeBy: bola.id, publicReason: null });
});

test("a refusal is told to the farm, which asks again; a check is taken back by one while nothing is released", async () => {
  await ask(1);
  await refuse(manager);
  expect(await lastAsk()).toMatchObject({ verdict: "refused" });
  expect(await states()).toEqual(["planned", "planned", "planned"]);
  expect((await queuedMailsTo(deps.db, keeper.email)).at(-1)?.text).toContain("The receipt is of another farm.");
  await ask(1);
  await check(manager);
  await expect(check(owner)).rejects.toThrow(texts.decidedAlready);
  await refuse(owner);
  expect(await lastAsk()).toMatchObject({ verdict: "refused" });
  expect(await states()).toEqual(["planned", "planned", "planned"]);
  await ask(1);
  await check(manager);
  await release(1, 1_000_00n);
  await expect(refuse(owner)).rejects.toThrow(texts.releasedAlready);
});

test("what was noticed about its photos is dismissed before a part is checked", async () => {
  const fileId = await document(keeper);
  await ask(1, farm, [fileId]);
  const [finding] = await deps.db.insert(photoFindings).values({ fileId, kind: "old" }).returning();
  const findingId = finding?.id ?? 0;
  await expect(check(manager)).rejects.toThrow(texts.findingsFirst);
  await manager.releaseParts.decideFinding({ findingId, verdict: "confirmed" });
  await expect(check(manager)).rejects.toThrow(texts.findingConfirmed);
  await manager.releaseParts.decideFinding({ findingId, verdict: "dismissed" });
  await check(manager);
  await expect(manager.releaseParts.decideFinding({ findingId, verdict: "confirmed" })).rejects.toThrow(
    texts.decidedAlready,
  );
});

test("a proof is the asker's own upload, once", async () => {
  const fileId = await document(keeper);
  await expect(ask(1, manager, [fileId])).rejects.toThrow(texts.proofUpload);
  await expect(ask(1, farm, [fileId, fileId])).rejects.toThrow(texts.proofUpload);
  await ask(1, farm, [fileId]);
  await refuse(manager);
  await expect(ask(1, farm, [fileId])).rejects.toThrow(texts.proofUpload);
  const { rounds } = await farm.farmReleaseParts.ofProject({ projectId: project.id });
  expect(rounds[0]?.asks).toMatchObject([{ verdict: "refused", proofs: [{ url: null }] }]);
});

test("nobody but keepers of its farm and managers asks", async () => {
  const reporter = await createFarmPerson(deps.db, farmOf(project).farmId, "reporter");
  const other = await createFarmPerson(deps.db, farmOf(await createProject(deps.db)).farmId, "keeper");
  for (const person of [reporter, other, backer]) {
    const by = await callAs(deps, person);
    await expect(by.farmReleaseParts.ask({ ...ofPart(1), note: "", fileIds: [] })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  }
  await deps.db.update(farmPeople).set({ endedAt: clock.now() }).where(eq(farmPeople.userId, keeper.id));
  await expect(ask(1)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await states()).toEqual(["planned", "planned", "planned"]);
});

test("two missed reports in a row stop a release; two owners go on, and backers read why", async () => {
  await ask(1);
  await check(manager);
  const at = clock.now();
  const missed = [1, 2].map((number) => ({
    projectId: project.id,
    round: 1,
    number,
    code: "7K3P",
    createdAt: at,
    dueAt: new Date(at.getTime() - (30 - number) * dayMs),
  }));
  await deps.db.delete(farmReports).where(eq(farmReports.projectId, project.id));
  await deps.db.insert(farmReports).values(missed);
  expect((await where()).isStopped).toBe(true);
  await expect(release(1, 40_000_000n)).rejects.toMatchObject({ message: texts.stopped });
  const details = { ...ofPart(1), askId: await askIdOf(1), seenKobo: String(await seenKobo()), amountKobo: "40000000" };
  const reason = "The network was down in Epe for three weeks; we saw the birds.";
  await agree(deps, { asker: bola, confirmer: amaka }, { kind: "release_to_farm", details, reason });
  expect((await where()).parts[0]).toMatchObject({ state: "released", publicReason: reason });
  expect((await queuedMailsTo(deps.db, backer.email)).at(-1)?.text).toContain(reason);
});

test("two owners leave a part out, and take that back", async () => {
  await ask(1);
  const skip = (part: number, isSkipped: boolean) =>
    agree(
      deps,
      { asker: amaka, confirmer: bola },
      { kind: "skip_part", details: { ...ofPart(part), isSkipped }, reason: "The farm has its own feed this year." },
    );
  await expect(skip(1, true)).rejects.toThrow(texts.cannotSkip);
  await skip(2, true);
  expect((await where()).parts[1]).toMatchObject({
    state: "skipped",
    skippedReason: "The farm has its own feed this year.",
  });
  await expect(skip(2, true)).rejects.toThrow(texts.isSkipped);
  await skip(2, false);
  expect(await states()).toEqual(["asked", "planned", "planned"]);
  await expect(skip(2, false)).rejects.toThrow(texts.notSkipped);
});

test("a round without parts is released as a whole, by an owner", async () => {
  await fund([]);
  await expect(ask(1, manager)).rejects.toThrow(texts.noSteps);
  await expect(release(2, 1n)).rejects.toThrow(texts.gone);
  expect((await where()).places).toMatchObject({ waitingKobo: 0n, withUsKobo: 100_000_000n });
  await expect(release(1, 100_000_001n)).rejects.toThrow(farmReleaseTexts.moreThanThere(100_000_000n));
  await release(1, 100_000_000n);
  expect(await states()).toEqual(["released"]);
});

describe("who may check and release", () => {
  const askedTwice = async () => ({
    ...ofPart(1),
    askId: await askIdOf(1),
    seenKobo: String(await seenKobo()),
    amountKobo: "40000000",
  });
  const lastRequest = async () => {
    const [found] = await deps.db.select().from(secondPersonRequests).orderBy(desc(secondPersonRequests.id)).limit(1);
    return found?.id ?? 0;
  };
  const reason = "Nobody else is in the office this week.";
  const byTwo = async (asker: TestUser, confirmer: TestUser) =>
    agree(deps, { asker, confirmer }, { kind: "release_to_farm", details: await askedTwice(), reason });

  test("an owner doesn't check what no other owner could release then, while somebody else can", async () => {
    await ask(1, second);
    await expect(check(owner)).rejects.toThrow(texts.releasesIt);
    await check(manager);
    await release(1, 40_000_000n, owner);
  });

  test("the only owner who checked, before managers came, doesn't release it alone", async () => {
    await dismissAdmins(deps.db, bola.id);
    await dismissAdmins(deps.db, chidi.id);
    await ask(1);
    await check(owner);
    const late = await createAdmin(deps.db, "manager");
    clock.advance({ days: 8 });
    await reporting();
    owner = await callAs(deps, amaka);
    const asked = { kind: "release_to_farm" as const, details: await askedTwice(), reason };
    await expect(owner.secondPerson.ask(asked)).rejects.toThrow(texts.thirdChecks);
    await refuse(owner);
    farm = await callAs(deps, keeper);
    await ask(1);
    await expect(check(owner)).rejects.toThrow(texts.releasesIt);
    await check(await callAs(deps, late));
    await release(1, 40_000_000n, owner);
  });

  test("of three owners, whoever asked and whoever checked don't release it together", async () => {
    const third = await createAdmin(deps.db, "owner");
    await ask(1, owner);
    await check(second);
    await expect(byTwo(amaka, bola)).rejects.toThrow(texts.thirdConfirms);
    const requestId = await lastRequest();
    await (await callAs(deps, third)).secondPerson.confirm({ requestId });
    expect((await where()).parts[0]).toMatchObject({ state: "released" });
  });

  test("a request doesn't outlive what it was asked for with", async () => {
    await ask(1);
    await check(owner);
    const details = await askedTwice();
    await owner.secondPerson.ask({ kind: "release_to_farm", details, reason });
    await refuse(manager);
    await ask(1);
    await check(manager);
    const requestId = await lastRequest();
    await expect(second.secondPerson.confirm({ requestId })).rejects.toThrow(texts.askChanged);
    await expect(
      second.farmReleases.release({ ...ofPart(1), askId: details.askId, seenKobo: 100_000_000n, amountKobo: 1n }),
    ).rejects.toThrow(texts.askChanged);
  });

  test("whoever invited a keeper, or works for the farm, doesn't check what the keeper asks for", async () => {
    await deps.db.update(farmPeople).set({ invitedBy: chidi.id }).where(eq(farmPeople.userId, keeper.id));
    await createFarmPerson(deps.db, farmOf(project).farmId, "reporter", amaka);
    await ask(1);
    await expect(check(manager)).rejects.toThrow(texts.invitedAsker);
    await expect(check(owner)).rejects.toThrow(texts.ofFarm);
    const shown = await manager.releaseParts.ofProject({ projectId: project.id });
    expect(shown[0]?.asks[0]).toMatchObject({ checkRefusal: texts.invitedAsker, isCheckable: true });
    await check(second);
    await expect(release(1, 40_000_000n, owner)).rejects.toThrow(texts.releaseOfFarm);
    expect(await deps.db.$count(farmReleases, eq(farmReleases.projectId, project.id))).toBe(0);
  });

  test("who works for the farm doesn't confirm its release, and who confirms reads who asked and checked", async () => {
    await createFarmPerson(deps.db, farmOf(project).farmId, "keeper", bola);
    const third = await createAdmin(deps.db, "owner");
    await ask(1);
    await check(owner);
    await owner.secondPerson.ask({ kind: "release_to_farm", details: await askedTwice(), reason });
    const requestId = await lastRequest();
    await expect(second.secondPerson.confirm({ requestId })).rejects.toThrow(texts.concernsFarm);
    const other = await callAs(deps, third);
    const [open] = (await other.secondPerson.list()).requests;
    expect(open?.consequences).toContain(texts.facts(1, "Chicks and first feed", keeper.fullName, "Amaka Obi"));
    await other.secondPerson.confirm({ requestId });
    expect((await where()).parts[0]).toMatchObject({ state: "released" });
  });

  test("whoever asked doesn't decide what was noticed about their own proof", async () => {
    const fileId = await document(chidi);
    await ask(1, manager, [fileId]);
    const [finding] = await deps.db.insert(photoFindings).values({ fileId, kind: "old" }).returning();
    const decided = { findingId: finding?.id ?? 0, verdict: "dismissed" as const };
    await expect(manager.releaseParts.decideFinding(decided)).rejects.toThrow(texts.ownAsk);
    await owner.releaseParts.decideFinding(decided);
  });
});

describe("a farm's silence", () => {
  const missed = async (number: number, more: Partial<typeof farmReports.$inferInsert> = {}) => {
    const at = clock.now();
    const dueAt = new Date(at.getTime() - (30 - number) * dayMs);
    const report = { projectId: project.id, round: 1, number, code: "7K3P", createdAt: at, dueAt, ...more };
    await deps.db.insert(farmReports).values(report);
  };
  startEachWith(deps, async () => {
    await ask(1);
    await check(manager);
    await deps.db.delete(farmReports).where(eq(farmReports.projectId, project.id));
    await missed(1);
  });

  test("isn't ended by an excuse that comes after the report was missed", async () => {
    await missed(2, { excusedAt: clock.now(), excusedBy: chidi.id, excuse: "The network was down in Epe." });
    await expect(release(1, 40_000_000n)).rejects.toMatchObject({ message: texts.stopped });
  });

  test("is no silence where the excuse came before", async () => {
    const excusedAt = new Date(clock.now().getTime() - 29 * dayMs);
    await missed(2, { excusedAt, excusedBy: chidi.id, excuse: "The network is down in Epe." });
    await release(1, 40_000_000n);
  });

  test("isn't ended by a report that came after it was missed and was sent back", async () => {
    const at = clock.now();
    await missed(2, { firstSentAt: at, sentBackAt: at, sentBackNote: "It is about other birds." });
    await expect(release(1, 40_000_000n)).rejects.toMatchObject({ message: texts.stopped });
  });
});

test("the same paper as another farm's is noticed, and shown with where it was sent", async () => {
  const sha256 = "a".repeat(64);
  const [first, again] = [await document(keeper, sha256), await document(keeper, sha256)];
  const before = project;
  await ask(1, farm, [first]);
  await fund(steps);
  const other = await createFarmPerson(deps.db, farmOf(project).farmId, "keeper");
  await deps.db.update(storedFiles).set({ uploadedBy: other.id }).where(eq(storedFiles.id, again));
  farm = await callAs(deps, other);
  await ask(1, farm, [again]);
  const [round] = await manager.releaseParts.ofProject({ projectId: project.id });
  expect(round?.asks[0]?.proofs[0]?.findings).toMatchObject([
    { kind: "same_bytes", verdict: null, other: { url: null, projectTitle: before.title } },
  ]);
  await expect(check(manager)).rejects.toThrow(texts.findingsFirst);
});

test("two asks of one person don't take the same paper at once", async () => {
  const here = project;
  const { farmId } = farmOf(here);
  await fund(steps);
  const there = project;
  await createFarmPerson(deps.db, farmOf(there).farmId, "keeper", keeper);
  expect(farmOf(there).farmId).not.toBe(farmId);
  const fileId = await document(keeper);
  const asked = [here, there].map(({ id }) =>
    farm.farmReleaseParts.ask({ projectId: id, round: 1, part: 1, note: "", fileIds: [fileId] }),
  );
  const answers = await Promise.allSettled(asked);
  const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  expect(refused).toMatchObject([{ code: "BAD_REQUEST", message: texts.proofUpload }]);
});

test("only the round's backers are told, may open its papers, and are told that money stays after all", async () => {
  const stranger = await grantOtherRound();
  const mayOpenPapers = async (person: TestUser) =>
    (await (await callAs(deps, person)).releaseParts.whereMoneyIs({ projectId: project.id }))?.mayOpenPapers;
  expect([await mayOpenPapers(backer), await mayOpenPapers(stranger), (await where()).mayOpenPapers]).toEqual([
    ...[true, false, false],
  ]);
  await ask(1);
  await check(manager);
  await release(1, 40_000_000n);
  const [made] = await deps.db.select().from(farmReleases).where(eq(farmReleases.projectId, project.id));
  await owner.farmReleases.takeBack({ releaseId: made?.id ?? 0, reason: "It was made too early." });
  const subjects = async (email: string) => (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);
  expect((await subjects(backer.email)).slice(-2)).toEqual([
    `${project.title}: ₦400,000 goes to the farm`,
    `${project.title}: ₦400,000 stays with us for now`,
  ]);
  expect((await subjects(keeper.email)).at(-1)).toBe(`${project.title}: ₦400,000 isn't on its way any more`);
  expect(await subjects(stranger.email)).toEqual([]);
});

/** Somebody who backs the project, and not its round. */
async function grantOtherRound(): Promise<TestUser> {
  const stranger = await createUser(deps.db);
  await owner.backings.grant({ projectId: project.id, userId: stranger.id });
  return stranger;
}
