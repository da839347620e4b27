import { createHash, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { rows } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { projectMedia, projects } from "#server/db/schema/projects.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { photoFindings, photoPrints, updatePhotos } from "#server/db/schema/update-photos.ts";
import { sweepReports } from "#server/features/reports/jobs.ts";
import { deleteStoredFile } from "#server/files/orphans.ts";
import { storePhoto } from "#server/files/photos.ts";
import { newFileKey } from "#server/files/storage.ts";
import { reportTexts } from "#shared/reports/texts.ts";
import { isPostgres } from "#tests/support/database.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { type Farm, fundFarm, keepEvidence, openHarvestOf } from "#tests/support/harvests.ts";
import { countOpenJobs } from "#tests/support/jobs.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { createReportScene } from "#tests/support/report-scene.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { twoAgree } from "#tests/support/second-person.ts";
import { upload } from "#tests/support/uploads.ts";

const deps = await openTestDeps();
const { db, clock } = deps;
let app: FastifyInstance;
let owner: TestUser;
let otherOwner: TestUser;
let manager: TestUser;
type Reporting = { farm: Farm; reporter: TestUser };
let first: Reporting;
let second: Reporting;
let farm: Farm;
let reporter: TestUser;
let projectId: number;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
});
afterAll(() => app.close());
/** Two farms whose first reports are due at this moment. */
startEachWith(deps, async () => {
  owner = await createAdmin(db, "owner");
  otherOwner = await createAdmin(db, "owner");
  manager = await createAdmin(db, "manager");
  const farms: Reporting[] = [];
  for (let count = 0; count < 2; count += 1) {
    const funded = await fundFarm(deps, { owner, lots: [1], unseenReason: "Told by phone." });
    farms.push({ farm: funded, reporter: await createFarmPerson(db, funded.project.farmId ?? 0, "reporter") });
  }
  await sweepReports(deps);
  return async () => {
    [first, second] = farms as [Reporting, Reporting];
    goTo(first);
    clock.set((await firstReport()).dueAt);
  };
});

/** From here on this farm reports. */
function goTo(reporting: Reporting): void {
  ({ farm, reporter } = reporting);
  projectId = farm.project.id;
}

const reportsOf = () =>
  db.select().from(farmReports).where(eq(farmReports.projectId, projectId)).orderBy(farmReports.number);
const firstReport = async () => {
  const [report] = await reportsOf();
  if (!report) throw new Error("no report is owed");
  return report;
};
const photosOf = async () => {
  const { id } = await firstReport();
  return db.select().from(updatePhotos).where(eq(updatePhotos.reportId, id)).orderBy(updatePhotos.position);
};

let drawn = 0;
/** A photo that no other looks like. */
function drawPen(): Promise<Buffer> {
  drawn += 1;
  const shades = createHash("sha256").update(String(drawn)).digest().subarray(0, 30);
  return sharp(shades, { raw: { width: 6, height: 5, channels: 1 } })
    .resize(144, 120, { kernel: "cubic" })
    .jpeg()
    .toBuffer();
}

/** Stores a photo that nobody sent with a report. Returns its file's id. */
async function keepPhoto(bytes: Buffer): Promise<string> {
  const key = newFileKey("photo");
  await deps.storage.write(key, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return (await storePhoto({ ...deps, actor: null }, { key, sha256, originalName: "pond.jpg" })).fileId;
}

async function send(file: Buffer, given: { photoKey?: string; by?: TestUser; token?: string } = {}) {
  const { photoKey = randomUUID(), by = reporter, token } = given;
  const fields = { ...(token ? { token } : { projectId: String(projectId) }), number: "1", photoKey };
  const answer = await upload(deps, app, token ? null : by, "/uploads/report-photos", {
    fields,
    file,
    name: "pen.jpg",
  });
  return { ...answer, photoKey };
}
const reportOf = (photoKeys: string[]) => ({
  by: { projectId },
  number: 1,
  idempotencyKey: randomUUID(),
  content: "All pens are clean.",
  figures: {},
  farmNote: "",
  photoKeys,
  isConfirmed: false,
});
const sendReport = async (photoKeys: string[]) => (await callAs(deps, reporter)).reports.send(reportOf(photoKeys));
const publish = async () =>
  (await callAs(deps, manager)).reports.publish({ reportId: (await firstReport()).id, isCodeSeen: false });
const sendBack = async () =>
  (await callAs(deps, manager)).reports.sendBack({ reportId: (await firstReport()).id, reason: "Which pen is it?" });
/** The only harvest of the round is lost. */
async function endRound(): Promise<void> {
  const [asker, confirmer] = [await callAs(deps, owner), await callAs(deps, otherOwner)];
  const harvestId = await openHarvestOf(asker, farm, 100_000n, confirmer);
  await asker.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, owner) });
  await twoAgree(asker, confirmer, {
    kind: "lose",
    details: { what: "harvest", harvestId },
    reason: "The flood took all of the farm's fish.",
  });
}
const listed = async () => (await (await callAs(deps, manager)).reports.list({ projectId, page: 1 })).items.at(-1);

describe("a report's photo", () => {
  test("is kept once for its key, also sent several times at once, and comes with the report in the order that was sent", async () => {
    await expect(sendReport([randomUUID()])).rejects.toThrow("A photo hasn't arrived yet.");
    expect((await reportsOf())[0]?.sentAt).toBeNull();
    const files = await db.$count(storedFiles);
    const photoKey = randomUUID();
    const photos = await Promise.all([drawPen(), drawPen(), drawPen()]);
    const answers = await Promise.all(photos.map((photo) => send(photo, { photoKey })));
    const [kept, ...others] = await photosOf();
    expect(others).toEqual([]);
    expect(answers.map(({ status, url }) => [status, url])).toEqual(answers.map(() => [200, kept?.url]));
    expect(await send(await drawPen(), { photoKey })).toMatchObject({ status: 200, url: kept?.url });
    expect(await db.$count(storedFiles)).toBe(files + 1);
    const [other, dropped] = [await send(await drawPen()), await send(await drawPen())];
    expect([other.status, dropped.status]).toEqual([200, 200]);
    expect(await photosOf()).toHaveLength(3);
    await sendReport([other.photoKey, photoKey]);
    expect((await photosOf()).map((photo) => photo.photoKey)).toEqual([other.photoKey, photoKey]);
    await publish();
    const { items } = await (await callAs(deps, "anonymous")).updates.list({ projectId, page: 1, search: "" });
    expect(items[0]?.photos).toHaveLength(2);
  });

  test("comes by a link too; a stranger's is refused and leaves no file", async () => {
    const { url } = await (await callAs(deps, manager)).reports.makeLink({ projectId, label: "Musa" });
    expect((await send(await drawPen(), { token: url.split("/").at(-1) ?? "" })).status).toBe(200);
    const files = await db.$count(storedFiles);
    expect((await send(await drawPen(), { token: "guess" })).status).toBe(404);
    const stranger = await createFarmPerson(db, second.farm.project.farmId ?? 0, "keeper");
    expect((await send(await drawPen(), { by: stranger })).status).toBe(403);
    expect(await db.$count(storedFiles)).toBe(files);
  });

  test("is refused if its report isn't open yet, is missed, was sent, is published or is of a round that is over, as the report is, and leaves no file", async () => {
    const expectRefused = async (message: string) => {
      const files = await db.$count(storedFiles);
      expect(await send(await drawPen())).toMatchObject({ status: 409, message });
      expect(await db.$count(storedFiles)).toBe(files);
      if (message !== reportTexts.photoAfterSending) await expect(sendReport([])).rejects.toThrow(message);
    };
    clock.advance({ hours: -73 });
    await expectRefused(reportTexts.tooEarly);
    clock.advance({ hours: 73 + 7 * 24 });
    await expectRefused(reportTexts.tooLate);
    // A late one comes.
    clock.advance({ hours: -24 });
    const { photoKey } = await send(await drawPen());
    await sendReport([photoKey]);
    expect(await photosOf()).toHaveLength(1);
    await expectRefused(reportTexts.photoAfterSending);
    await publish();
    await expectRefused(reportTexts.photoAfterSending);
    goTo(second);
    clock.advance({ hours: -6 * 24 });
    await send(await drawPen());
    await endRound();
    await expectRefused(reportTexts.roundEnded);
    // What was never sent goes with the round.
    await sweepReports(deps);
    expect(await photosOf()).toEqual([]);
  });

  test("goes with its report that was never sent, 30 days after it came; one that was sent stays", async () => {
    const { photoKey } = await send(await drawPen());
    await sendReport([photoKey]);
    const sent = await photosOf();
    await sendBack();
    clock.advance({ hours: 1 });
    await send(await drawPen());
    expect(await photosOf()).toHaveLength(2);
    clock.advance({ hours: 30 * 24 - 1 });
    await sweepReports(deps);
    expect(await photosOf()).toHaveLength(2);
    const before = await countOpenJobs(db, "delete-file");
    clock.advance({ hours: 1 });
    await sweepReports(deps);
    expect(await photosOf()).toEqual(sent);
    expect(await countOpenJobs(db, "delete-file")).toBe(before + 1);
  });
});

describe("what is noticed", () => {
  const sendPhotos = async (...photos: Buffer[]) => {
    const keys = [];
    for (const photo of photos) keys.push((await send(photo)).photoKey);
    await sendReport(keys);
    return keys;
  };
  /** Lists the findings of each photo of the report: their kind, and the project where the other photo was shown. */
  const listFindings = async () =>
    (await listed())?.photos.map(({ findings }) => findings.map(({ kind, other }) => [kind, other?.projectTitle]));
  const takenOn = async (date: string) =>
    sharp(await drawPen())
      .withExif({ IFD2: { DateTimeOriginal: date } })
      .jpeg()
      .toBuffer();

  test("is the same file, one that looks the same or its mirror, with where it was shown: once, although the report is sent again", async () => {
    const [earlier, other] = [await drawPen(), await drawPen()];
    await sendPhotos(earlier, other);
    const { title } = farm.project;
    goTo(second);
    const mirrored = await sharp(earlier).flop().resize(100).jpeg({ quality: 60 }).toBuffer();
    const keys = await sendPhotos(earlier, mirrored, await drawPen());
    expect(await listFindings()).toEqual([[["same_bytes", title]], [["alike", title]], []]);
    await sendBack();
    clock.advance({ hours: 1 });
    const { photoKey } = await send(other);
    await sendReport([...keys, photoKey]);
    expect(await listFindings()).toEqual([[["same_bytes", title]], [["alike", title]], [], [["same_bytes", title]]]);
  });

  test("is one earlier photo behind many of the same report", async () => {
    const earlier = await drawPen();
    await sendPhotos(earlier);
    const { title } = farm.project;
    goTo(second);
    const burst = [80, 60, 50, 40].map((quality) => sharp(earlier).flop().jpeg({ quality }).toBuffer());
    await sendPhotos(...(await Promise.all(burst)));
    expect(await listFindings()).toEqual(burst.map(() => [["alike", title]]));
  });

  test("isn't the photo of a draft: whoever sends second has it", async () => {
    const photo = await drawPen();
    const draft = await send(photo);
    goTo(second);
    await sendPhotos(photo);
    expect(await listFindings()).toEqual([[]]);
    goTo(first);
    await sendReport([draft.photoKey]);
    expect(await listFindings()).toEqual([[["same_bytes", second.farm.project.title]]]);
  });

  // The embedded database has one connection, and nobody waits there.
  test.runIf(isPostgres())("is the photo of a report that is being sent at the same time", async () => {
    const photo = await drawPen();
    const sendFirst = reportOf([(await send(photo)).photoKey]);
    goTo(second);
    const { photoKey } = await send(photo);
    const { sending } = await db.transaction(async (tx) => {
      // The report is sent, and its transaction stays open: a transaction answers all that a database is asked in it.
      await (await callAs({ ...deps, db: tx as unknown as typeof db }, first.reporter)).reports.send(sendFirst);
      let isSent = false;
      const sending = sendReport([photoKey]).finally(() => {
        isSent = true;
      });
      const waits = sql`select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(async () => isSent || (await rows(db, waits)).length > 0).toBe(true);
      return { sending };
    });
    await sending;
    expect(await listFindings()).toEqual([[["same_bytes", first.farm.project.title]]]);
  });

  test("is a picture of a project, and a photo of a published update, but no file that nothing shows", async () => {
    const [photo, picture] = [await drawPen(), await drawPen()];
    const files = [await keepPhoto(photo), await keepPhoto(picture)];
    clock.advance({ minutes: 1 });
    await sendPhotos(photo, picture);
    const { title } = farm.project;
    expect(await listFindings()).toEqual([[], []]);
    const shown = await createProject(db);
    await db.insert(projectMedia).values({ projectId: shown.id, type: "photo", url: "/files/x", fileId: files[0] });
    await db.update(projects).set({ imageFileId: files[1] }).where(eq(projects.id, shown.id));
    goTo(second);
    await sendPhotos(await sharp(photo).resize(100).jpeg().toBuffer(), picture);
    const foundAs = (kind: string) => [shown.title, title].map((where) => [kind, where]);
    expect(await listFindings()).toEqual([foundAs("alike"), foundAs("same_bytes")]);
  });

  test("isn't that two photos have one colour; the same file of one colour is", async () => {
    const wall = (shade: number) =>
      sharp({ create: { width: 144, height: 120, channels: 3, background: { r: shade, g: shade, b: shade } } })
        .jpeg()
        .toBuffer();
    const earlier = await wall(200);
    await sendPhotos(earlier);
    const { title } = farm.project;
    goTo(second);
    await sendPhotos(await wall(210), earlier);
    expect(await listFindings()).toEqual([[], [["same_bytes", title]]]);
  });

  test("is a date of the camera that is old or still to come", async () => {
    /** So many hours from now, as a camera in Lagos writes it. */
    const inHours = (hours: number) =>
      new Date(clock.now().getTime() + (hours + 1) * 3_600_000)
        .toISOString()
        .slice(0, 19)
        .replaceAll("-", ":")
        .replace("T", " ");
    const keys = [];
    for (const hours of [-241, -239, 23, 25]) keys.push((await send(await takenOn(inHours(hours)))).photoKey);
    // What counts is when the photos came.
    clock.advance({ hours: 48 });
    await sendReport(keys);
    expect((await listFindings())?.flat().map(([kind]) => kind)).toEqual(["old", "future"]);
    expect((await listFindings())?.map((found) => found.length)).toEqual([1, 0, 0, 1]);
  });

  test("keeps the report from being published until a person decides, and the clock waits", async () => {
    await sendPhotos(await takenOn("2025:01:01 08:00:00"));
    const publishedAt = async () => (await firstReport()).publishedAt;
    clock.advance({ hours: 30 });
    await sweepReports(deps);
    expect(await publishedAt()).toBeNull();
    await expect(publish()).rejects.toThrow("Decide about the photos first.");
    const byManager = await callAs(deps, manager);
    const findingId = (await listed())?.photos[0]?.findings[0]?.id ?? 0;
    await byManager.reports.decideFinding({ findingId, verdict: "confirmed" });
    await sweepReports(deps);
    expect(await publishedAt()).toBeNull();
    await byManager.reports.decideFinding({ findingId, verdict: "dismissed" });
    await sweepReports(deps);
    expect(await publishedAt()).not.toBeNull();
    await expect(byManager.reports.decideFinding({ findingId, verdict: "confirmed" })).rejects.toThrow(
      "This report is published.",
    );
    expect(await db.$count(photoFindings, eq(photoFindings.verdict, "dismissed"))).toBe(1);
  });
});

test("a deleted project takes its reports' photos and their prints with it", async () => {
  const { project, token } = await createReportScene(db, clock.now());
  projectId = project.id;
  await send(await drawPen(), { token });
  const [photo] = await photosOf();
  const fileId = photo?.fileId ?? "";
  expect(await db.$count(photoPrints, eq(photoPrints.fileId, fileId))).toBe(1);
  await (await callAs(deps, owner)).projects.delete({ projectId });
  expect(await db.$count(updatePhotos, eq(updatePhotos.fileId, fileId))).toBe(0);
  await deleteStoredFile(deps, fileId);
  expect(await db.$count(storedFiles, eq(storedFiles.id, fileId))).toBe(0);
  expect(await db.$count(photoPrints, eq(photoPrints.fileId, fileId))).toBe(0);
});
