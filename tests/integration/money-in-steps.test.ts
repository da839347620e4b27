import { and, asc, desc, eq, like } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp, { type Sharp } from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { demoPdf } from "#server/cli/seed-papers.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { farmReleases, payouts } from "#server/db/schema/payouts.ts";
import { releaseAsks, releaseProofs } from "#server/db/schema/release-parts.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { sweepReports } from "#server/features/reports/jobs.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import { releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { roundReturnTexts } from "#shared/payouts/returns-texts.ts";
import type { ReleasePart } from "#shared/projects/release-parts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { keepEvidence, openHarvestOf } from "#tests/support/harvests.ts";
import { createPayment, decide, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { giveAccount, keepRun } from "#tests/support/payouts.ts";
import { callAs, createAdmin, createUser, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { createProject, farmOf, type TestProject } from "#tests/support/projects.ts";
import { twoAgree } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";
import { codeAt, enrol } from "#tests/support/two-factor.ts";
import { sessionCookie, upload } from "#tests/support/uploads.ts";

/** A farm's money in steps, and back, as the people of one farm and its office live it. */

const deps = await openTestDeps();
const { db, clock } = deps;
let app: FastifyInstance;
let amaka: TestUser;
let bola: TestUser;
let chidi: TestUser;
let musa: TestUser;
let project: TestProject;
let bank: OwnAccount | undefined;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
});
afterAll(() => app.close());
beforeEach(async () => {
  await dismissAdmins(db);
  amaka = await createAdmin(db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(db, "owner", { fullName: "Bola Ade" });
  chidi = await createAdmin(db, "manager", { fullName: "Chidi Eze" });
  await setBankDetails(db);
});
afterEach(() => expectMoneyHolds(deps));

const as = (person: TestUser) => callAs(deps, person);
const proof = "a photo of the birds";
const steps: ReleasePart[] = [
  { label: "Chicks and first feed", rate: 3333, proof, afterDays: 0 },
  { label: "Feed to week 5", rate: 3333, proof, afterDays: 14 },
  { label: "Slaughter and transport", rate: 3334, proof: "", afterDays: 28 },
];

type Backer = { person: TestUser; paymentId: number; amountKobo: bigint };

/** Each buys so many lots of ₦100,001, which a line shows; the last one funds the round. Musa keeps the farm. */
async function fund(lots: readonly number[], releaseParts = steps): Promise<Backer[]> {
  const all = lots.reduce((sum, one) => sum + one, 0);
  const fundingGoalKobo = 10_000_100n * BigInt(all);
  project = await createProject(db, { lots: all, minimumLots: all, fundingGoalKobo, releaseParts });
  const keeper = await createUser(db, { fullName: "Musa Bello" });
  musa = await createFarmPerson(db, farmOf(project).farmId, "keeper", keeper);
  bank ??= await openOwnAccount(deps, { importedBy: amaka.id });
  const backers: Backer[] = [];
  for (const some of lots) {
    const made = await createPayment(deps, { project, lots: some, owner: amaka, backer: await createUser(db) });
    const { id: paymentId, reference, amountKobo } = made.payment;
    const line = await keepLine(deps, bank, { amountKobo, narration: `NIP ${reference}` });
    const part = { kind: "payment" as const, amountKobo, paymentId };
    await (await as(amaka)).bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
    await decide(deps, amaka, { paymentId, status: "approved" });
    backers.push({ person: made.backer, paymentId, amountKobo });
  }
  return backers;
}

const ofPart = (part: number) => ({ projectId: project.id, round: 1, part });
const places = async () => (await where()).places;
async function where() {
  const found = await (await callAs(deps, "anonymous")).releaseParts.whereMoneyIs({ projectId: project.id });
  if (!found) throw new Error("no round was funded");
  const { atFarmKobo, waitingKobo, withUsKobo, returnedKobo } = found.places;
  expect(atFarmKobo + waitingKobo + withUsKobo + returnedKobo).toBe(found.raisedKobo);
  return found;
}
const states = async () => (await where()).parts.map(({ state }) => state);

/** A photo of six by five shades, drawn from a number. */
const drawPhoto = (seed: number): Sharp =>
  sharp(Buffer.from(Array.from({ length: 30 }, (_, at) => (seed * 7919 + at * at * 131 + at * 47) % 256)), {
    raw: { width: 6, height: 5, channels: 1 },
  }).resize(480, 400, { kernel: "cubic" });

/** Sends a proof as the browser does. */
async function sendProof(by: TestUser, file: Buffer, name: string): Promise<string> {
  const { status, fileId } = await upload(deps, app, by, "/uploads/release-proofs", { file, name });
  expect(status).toBe(200);
  return fileId ?? "";
}
const sendPhoto = async (by: TestUser, photo: Sharp) => sendProof(by, await photo.jpeg().toBuffer(), "birds.jpg");

async function ask(part: number, by: TestUser, fileIds: string[] = []): Promise<number> {
  const caller = await as(by);
  const asked = { ...ofPart(part), note: "", fileIds };
  await (by.isAdmin ? caller.releaseParts : caller.farmReleaseParts).ask(asked);
  const [found] = await db.select().from(releaseAsks).orderBy(desc(releaseAsks.id)).limit(1);
  return found?.id ?? 0;
}
const check = async (askId: number, by: TestUser) => (await as(by)).releaseParts.check({ askId });
const refuse = async (askId: number, by: TestUser, refusal = "The photo shows other birds than yours.") =>
  (await as(by)).releaseParts.refuse({ askId, refusal });
const askIdOf = async (part: number) => {
  const isOf = and(eq(releaseAsks.projectId, project.id), eq(releaseAsks.part, part));
  const [found] = await db.select().from(releaseAsks).where(isOf).orderBy(desc(releaseAsks.id)).limit(1);
  return found?.id ?? null;
};
const seenKobo = async () =>
  (await (await as(amaka)).farmReleases.ofProject({ projectId: project.id })).rounds[0]?.releasableKobo ?? 0n;
async function release(part: number, by: TestUser, amountKobo: bigint): Promise<void> {
  await (await as(by)).farmReleases.release({
    ...ofPart(part),
    askId: await askIdOf(part),
    seenKobo: await seenKobo(),
    amountKobo,
  });
}
const lastRelease = async () => {
  const [made] = await db.select().from(farmReleases).orderBy(desc(farmReleases.id)).limit(1);
  if (!made) throw new Error("nothing was released");
  return made;
};

/** Pays the last release by a run, and matches the bank's lines that show it. */
async function payFarm(): Promise<void> {
  if (!bank) throw new Error("no account");
  const { id: releaseId } = await lastRelease();
  const account = await giveAccount(deps, farmOf(project), { addedBy: amaka.id });
  const owed = await db.select().from(payouts).where(eq(payouts.releaseId, releaseId));
  const sent = owed.map((payout) => ({ payout: { ...payout, state: "due" as const }, account }));
  await keepRun(deps, sent, { ownAccount: bank, owner: amaka, second: bola });
  for (const { id: payoutId, amountKobo, reference } of owed) {
    const line = await keepLine(deps, bank, { amountKobo: -amountKobo, narration: `NIP ${reference}` });
    const part = { kind: "payout" as const, amountKobo, payoutId };
    await (await as(amaka)).bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  }
}

/** The farm reports, so that nothing stops. */
async function report(): Promise<void> {
  await sweepReports(deps);
  const sent = { sentAt: clock.now(), firstSentAt: clock.now(), content: "All birds are well." };
  await db.update(farmReports).set(sent).where(eq(farmReports.projectId, project.id));
}

/** Divides a sum over whole lots by largest remainder, computed independently of the product. */
function divideByLots(totalKobo: bigint, lots: readonly number[]): bigint[] {
  const all = BigInt(lots.reduce((sum, one) => sum + one, 0));
  const cut = lots.map((one, at) => ({ at, off: (totalKobo * BigInt(one)) % all }));
  const parts = lots.map((one) => (totalKobo * BigInt(one)) / all);
  const rest = Number(totalKobo - parts.reduce((sum, one) => sum + one, 0n));
  const raised = cut.sort((a, b) => Number(b.off - a.off) || a.at - b.at).slice(0, rest);
  return parts.map((kobo, at) => (raised.some((one) => one.at === at) ? kobo + 1n : kobo));
}

test("one part goes, the next is refused for a reused photo, the batch is lost, and what is left goes back to 46 lots' backers", async () => {
  const lots = [10, 10, 9, 8, 7, 2];
  const backers = await fund(lots);
  const raisedKobo = 460_004_600n;
  // By their rates 153,319,533.18, the same again and 153,365,533.64 kobo.
  const parts = [153_319_533n, 153_319_533n, 153_365_534n];
  expect(await where()).toMatchObject({ raisedKobo, parts: parts.map((amountKobo) => ({ amountKobo })) });
  expect(await places()).toMatchObject({ atFarmKobo: 0n, waitingKobo: raisedKobo, withUsKobo: 0n });

  const first = await ask(1, musa, [await sendPhoto(musa, drawPhoto(1))]);
  await check(first, chidi);
  expect((await where()).parts[0]?.proofs).toMatchObject([{ url: expect.stringContaining("/"), width: 480 }]);
  await release(1, bola, parts[0] ?? 0n);
  await payFarm();
  expect(await states()).toEqual(["paid", "planned", "planned"]);
  expect(await places()).toMatchObject({ atFarmKobo: 153_319_533n, waitingKobo: 306_685_067n, withUsKobo: 0n });

  clock.advance({ days: 15 });
  await report();
  const reused = drawPhoto(1).flop().jpeg({ quality: 40 });
  const second = await ask(2, musa, [await sendPhoto(musa, sharp(await reused.toBuffer()))]);
  const managed = await (await as(chidi)).releaseParts.ofProject({ projectId: project.id });
  const [finding] = managed[0]?.asks[0]?.proofs[0]?.findings ?? [];
  expect(finding).toMatchObject({ kind: "alike", verdict: null, other: { projectTitle: project.title } });
  await expect(check(second, chidi)).rejects.toThrow(texts.findingsFirst);
  const findingId = finding?.id ?? 0;
  await (await as(chidi)).releaseParts.decideFinding({ findingId, verdict: "confirmed" });
  await expect(check(second, chidi)).rejects.toThrow(texts.findingConfirmed);
  await expect(release(2, bola, 1n)).rejects.toThrow(texts.notChecked(2));
  await refuse(second, chidi, "It is the photo of part 1, mirrored. Please take one of today.");
  expect((await where()).parts[1]).toMatchObject({ state: "planned", proofs: [], releasedKobo: 0n });
  expect((await queuedMailsTo(db, musa.email)).at(-1)?.text).toContain("It is the photo of part 1, mirrored.");

  const again = await ask(2, musa, [await sendPhoto(musa, drawPhoto(2))]);
  await check(again, chidi);
  await release(2, bola, parts[1] ?? 0n);
  await payFarm();
  expect(await states()).toEqual(["paid", "paid", "planned"]);

  await loseBatch();
  await payBack(20_000_000n);
  expect(await places()).toMatchObject({
    atFarmKobo: 286_639_066n,
    waitingKobo: 153_365_534n,
    withUsKobo: 20_000_000n,
  });
  const leaving = { ...ofPart(3), isSkipped: true };
  const reason = "Newcastle disease took all birds on 3 December.";
  await twoAgree(await as(amaka), await as(bola), { kind: "skip_part", details: leaving, reason });
  expect((await where()).parts[2]).toMatchObject({ state: "skipped", skippedReason: reason });
  const backKobo = 173_365_534n;
  const details = { projectId: project.id, round: 1, amountKobo: String(backKobo) };
  const tooMuch = { ...details, amountKobo: String(backKobo + 1n) };
  const returning = { kind: "return_to_backers" as const, reason };
  await expect((await as(amaka)).secondPerson.ask({ ...returning, details: tooMuch })).rejects.toThrow(
    roundReturnTexts.moreThanThere(backKobo),
  );
  await twoAgree(await as(amaka), await as(bola), { ...returning, details });

  const owed = await db
    .select()
    .from(payouts)
    .where(and(eq(payouts.projectId, project.id), eq(payouts.kind, "returned")))
    .orderBy(asc(payouts.paymentId));
  const expected = divideByLots(backKobo, lots);
  expect(expected.reduce((sum, kobo) => sum + kobo, 0n)).toBe(backKobo);
  expect(owed.map(({ userId, amountKobo }) => [userId, amountKobo])).toEqual(
    backers.map(({ person }, at) => [person.id, expected[at]]),
  );
  expect(await places()).toEqual({ atFarmKobo: 286_639_066n, waitingKobo: 0n, withUsKobo: 0n, returnedKobo: backKobo });
  expect((await queuedMailsTo(db, backers.at(-1)?.person.email ?? "")).at(-1)?.subject).toContain(
    "Money comes back to you",
  );
});

/** The only harvest of the round is lost. */
async function loseBatch(): Promise<void> {
  const [asker, confirmer] = [await as(amaka), await as(bola)];
  const harvestId = await openHarvestOf(asker, { project }, 100_000n, confirmer);
  await asker.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
  const details = { what: "harvest" as const, harvestId };
  await twoAgree(asker, confirmer, { kind: "lose", details, reason: "Newcastle disease took all birds." });
}

/** Matches a line by which the farm pays back a part of its last release. */
async function payBack(amountKobo: bigint): Promise<void> {
  if (!bank) throw new Error("no account");
  const line = await keepLine(deps, bank, { amountKobo, narration: "FARM RETURNS UNUSED FEED MONEY" });
  const part = { kind: "farm_paid_back" as const, amountKobo, releaseId: (await lastRelease()).id };
  await (await as(amaka)).bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
}

test("two missed reports stop a release, two owners override that, and a backer reads why", async () => {
  const [backer] = await fund([2, 1], [{ label: "Chicks and feed", rate: 10_000, proof: "", afterDays: 0 }]);
  await sweepReports(deps);
  await check(await ask(1, musa), chidi);
  clock.advance({ days: 8 });
  await sweepReports(deps);
  expect((await where()).isStopped).toBe(false);
  clock.advance({ days: 15 });
  await sweepReports(deps);
  expect((await where()).isStopped).toBe(true);
  await expect(release(1, bola, 30_000_300n)).rejects.toThrow(texts.stopped);
  expect(await db.$count(farmReleases, eq(farmReleases.projectId, project.id))).toBe(0);

  const details = { ...ofPart(1), askId: await askIdOf(1), seenKobo: String(await seenKobo()), amountKobo: "30000300" };
  const reason = "The network was down in Epe for three weeks; Bola has seen the birds.";
  await twoAgree(await as(bola), await as(amaka), { kind: "release_to_farm", details, reason });
  const read = await (await as(backer?.person ?? amaka)).releaseParts.whereMoneyIs({ projectId: project.id });
  expect(read?.parts).toMatchObject([{ state: "released", publicReason: reason }]);
  expect((await queuedMailsTo(db, backer?.person.email ?? "")).at(-1)?.text).toContain(reason);
});

test("what names who asked for a part or checked it is known as about them, so that it goes with their account", async () => {
  await fund([1], [{ label: "Chicks and feed", rate: 10_000, proof: "", afterDays: 0 }]);
  await check(await ask(1, musa), chidi);
  const { content, aboutUserId, projectId } = notifications;
  for (const named of [musa, chidi]) {
    const isNaming = and(eq(projectId, project.id), like(content, `%${named.fullName}%`));
    const found = await db.select({ aboutUserId }).from(notifications).where(isNaming);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map((one) => one.aboutUserId))).toEqual(new Set([named.id]));
  }
});

describe("three different people send a part on", () => {
  test("by direct calls nobody does two of the three, whoever they are", async () => {
    await fund([1], [{ label: "Chicks and feed", rate: 10_000, proof: "", afterDays: 0 }]);
    const all = { Amaka: amaka, Bola: bola, Chidi: chidi, Musa: musa };
    const [checkers, owners] = [
      ["Amaka", "Bola", "Chidi"],
      ["Amaka", "Bola"],
    ];
    for (const [asks, asker] of Object.entries(all)) {
      const askId = await ask(1, asker);
      for (const releaser of [amaka, bola]) expect(await isDone(release(1, releaser, 1n))).toBe(false);
      await refuse(askId, chidi);
      for (const [checks, checker] of Object.entries(all)) {
        const ownAsk = await ask(1, asker);
        const isChecked = await isDone(check(ownAsk, checker));
        // Of two owners one is left to release it, because Chidi could check as well.
        const isLastOwner = owners.includes(asks) && owners.includes(checks);
        const mayCheck = checkers.includes(checks) && checks !== asks && !isLastOwner;
        expect([asks, checks, isChecked]).toEqual([asks, checks, mayCheck]);
        for (const [releases, releaser] of isChecked ? Object.entries(all) : []) {
          const isReleased = await isDone(release(1, releaser, 1n));
          const isThird = releases !== asks && releases !== checks;
          expect([asks, checks, releases, isReleased]).toEqual([
            ...[asks, checks, releases],
            owners.includes(releases) && isThird,
          ]);
          if (isReleased) await takeReleaseBack();
        }
        await refuse(ownAsk, bola);
      }
    }
  });

  test("the only administrator does all three by a request with a reason and the second factor, and not without", async () => {
    await fund([1]);
    await dismissAdmins(db, bola.id);
    await dismissAdmins(db, chidi.id);
    const { secret } = await enrol(deps, amaka);
    const askId = await ask(1, amaka, [await sendPhoto(amaka, drawPhoto(3))]);
    await expect(check(askId, amaka)).rejects.toThrow(texts.ownAsk);
    await expect(release(1, amaka, 3_333_033n)).rejects.toThrow(texts.checkedByYou);
    const details = {
      ...ofPart(1),
      askId: await askIdOf(1),
      seenKobo: String(await seenKobo()),
      amountKobo: "3333033",
    };
    const caller = await as(amaka);
    await expect(caller.secondPerson.ask({ kind: "release_to_farm", details, reason: "" })).rejects.toThrow();
    const reason = "I run this site alone, and have seen the chicks.";
    await caller.secondPerson.ask({ kind: "release_to_farm", details, reason });
    const requestId = (await caller.secondPerson.list()).requests.at(-1)?.id ?? 0;
    const confirm = (code: string) =>
      caller.secondPerson.confirm({ requestId, currentPassword: amaka.password, ...(code && { code }) });
    await expect(confirm("")).rejects.toThrow(twoFactorTexts.codeMissing);
    expect(await states()).toEqual(["asked", "planned", "planned"]);
    clock.advance({ seconds: 30 });
    await confirm(codeAt(secret, clock.now()));
    expect(await states()).toEqual(["released", "planned", "planned"]);
    expect(await lastRelease()).toMatchObject({ askId, requestId, madeBy: amaka.id, publicReason: null });
    const [checked] = await db.select().from(releaseAsks).where(eq(releaseAsks.id, askId));
    expect(checked).toMatchObject({ verdict: "checked", decidedBy: amaka.id, requestId });
    const [asked] = await db.select().from(secondPersonRequests).where(eq(secondPersonRequests.id, requestId));
    expect(asked).toMatchObject({ isAlone: true, reason });
  });

  test("while another administrator could check, nobody releases what they asked for, not even by two", async () => {
    await fund([1]);
    await ask(1, amaka, [await sendPhoto(amaka, drawPhoto(4))]);
    const details = { ...ofPart(1), askId: await askIdOf(1), seenKobo: String(await seenKobo()), amountKobo: "1" };
    const request = { kind: "release_to_farm" as const, details, reason: "We want it to go quickly." };
    await expect((await as(amaka)).secondPerson.ask(request)).rejects.toThrow(texts.notChecked(1));
    await expect((await as(chidi)).secondPerson.ask(request)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(check((await lastAsk()).id, bola)).rejects.toThrow(texts.releasesIt);
    await check((await lastAsk()).id, chidi);
    await (await as(amaka)).secondPerson.ask(request);
    const [own] = (await (await as(amaka)).secondPerson.list()).requests.slice(-1);
    await expect((await as(amaka)).secondPerson.confirm({ requestId: own?.id ?? 0 })).rejects.toThrow(
      secondPersonTexts.needsAnother,
    );
    await (await as(bola)).secondPerson.confirm({ requestId: own?.id ?? 0 });
    expect(await lastRelease()).toMatchObject({ requestId: own?.id, madeBy: bola.id });
  });
});

const isDone = async (call: Promise<unknown>): Promise<boolean> => {
  const [answer] = await Promise.allSettled([call]);
  if (answer.status === "fulfilled") return true;
  expect(answer.reason).toMatchObject({ code: expect.stringMatching(/^(FORBIDDEN|CONFLICT)$/) });
  return false;
};
const takeReleaseBack = async () =>
  (await as(amaka)).farmReleases.takeBack({ releaseId: (await lastRelease()).id, reason: "It was made too early." });
const lastAsk = async () => {
  const [found] = await db.select().from(releaseAsks).orderBy(desc(releaseAsks.id)).limit(1);
  if (!found) throw new Error("nothing was asked for");
  return found;
};

test("a document of a proof is for administrators, the farm's keepers, and once it was checked for the round's backers", async () => {
  const [backer] = await fund([1]);
  const paper = Buffer.from(demoPdf({ title: "Feed", rows: [] }));
  const askId = await ask(1, musa, [await sendProof(musa, paper, "receipt.pdf")]);
  const [kept] = await db.select().from(releaseProofs).where(eq(releaseProofs.askId, askId));
  const opens = async (person: TestUser | null) => {
    const cookie = person ? await sessionCookie(deps, person) : "";
    const answer = await app.inject({ url: `/files/release-proofs/${kept?.id}`, headers: { cookie } });
    return [answer.statusCode, answer.statusCode === 200 && answer.headers["content-type"]];
  };
  const otherFarm = farmOf(await createProject(db));
  const otherKeeper = await createFarmPerson(db, otherFarm.farmId, "keeper", await createUser(db));
  const yes = [200, "application/pdf"];
  const no = [404, false];
  for (const isChecked of [false, true]) {
    if (isChecked) await check(askId, chidi);
    expect(await opens(null)).toEqual([401, false]);
    for (const person of [await createUser(db), otherKeeper]) expect(await opens(person)).toEqual(no);
    for (const person of [musa, chidi, amaka]) expect(await opens(person)).toEqual(yes);
    expect(await opens(backer?.person ?? null)).toEqual(isChecked ? yes : no);
  }
});
