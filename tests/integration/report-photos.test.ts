import { createHash, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
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
import { sessionCookieName } from "#server/platform/context.ts";
import { reportTexts } from "#shared/reports/texts.ts";
import { isPostgres } from "#tests/support/database.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { type Farm, fundFarm, keepEvidence, openHarvestOf } from "#tests/support/harvests.ts";
import { countOpenJobs } from "#tests/support/jobs.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createReportScene } from "#tests/support/report-scene.ts";
import { twoAgree } from "#tests/support/second-person.ts";

const deps = await openTestDeps();
const { db, clock } = deps;
let app: FastifyInstance;
let owner: TestUser;
let otherOwner: TestUser;
let manager: TestUser;
let farm: Farm;
let reporter: TestUser;
let projectId: number;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  owner = await createAdmin(db, "owner");
  otherOwner = await createAdmin(db, "owner");
  manager = await createAdmin(db, "manager");
});
afterAll(() => app.close());
beforeEach(async () => {
  await moveToAnotherFarm();
});

/** From here on a farm reports that was funded just now; its first report is due at this moment. */
async function moveToAnotherFarm(): Promise<void> {
  farm = await fundFarm(deps, { owner, lots: [1], unseenReason: "Told by phone." });
  projectId = farm.project.id;
  reporter = await createFarmPerson(db, farm.project.farmId ?? 0, "reporter");
  await sweepReports(deps);
  clock.set((await firstReport()).dueAt);
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
    .resize(480, 400, { kernel: "cubic" })
    .jpeg()
    .toBuffer();
}

/** Stores a photo that nobody sent with a report; gives its file's id. */
async function keepPhoto(bytes: Buffer): Promise<string> {
  const key = newFileKey("photo");
  await deps.storage.write(key, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return (await storePhoto({ ...deps, actor: null }, { key, sha256, originalName: "pond.jpg" })).fileId;
}

async function send(file: Buffer, given: { photoKey?: string; number?: number; by?: TestUser; token?: string } = {}) {
  const { photoKey = randomUUID(), number = 1, by = reporter, token } = given;
  const session = {
    userId: by.id,
    kind: by.isAdmin ? "admin" : "backer",
    device: "Test",
    ipAddress: "127.0.0.1",
  } as const;
  const form = new FormData();
  const fields = { ...(token ? { token } : { projectId: String(projectId) }), number: String(number), photoKey };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new Blob([new Uint8Array(file)], { type: "image/jpeg" }), "pen.jpg");
  const request = new Request("http://localhost/", { method: "POST", body: form });
  const answer = await app.inject({
    method: "POST",
    url: "/uploads/report-photos",
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      origin: deps.env.publicUrl,
      "x-upload": "1",
      "content-type": request.headers.get("content-type") ?? "",
      ...(token ? {} : { cookie: `${sessionCookieName(deps.env)}=${await startSession(deps, session)}` }),
    },
  });
  const { url, error } = answer.json();
  return { status: answer.statusCode, photoKey, url, message: error?.message };
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
/** The only harvest of the round is lost. */
async function endRound(): Promise<void> {
  const [asker, second] = [await callAs(deps, owner), await callAs(deps, otherOwner)];
  const harvestId = await openHarvestOf(asker, farm, 100_000n, second);
  await asker.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, owner) });
  await twoAgree(asker, second, {
    kind: "lose",
    details: { what: "harvest", harvestId },
    reason: "The flood took all of the farm's fish.",
  });
}
const listed = async () => (await (await callAs(deps, manager)).reports.list({ projectId, page: 1 })).items.at(-1);

describe("a report's photo", () => {
  test("is kept once for its key, and comes with the report in the order that was sent", async () => {
    const [first, second, dropped] = [
      await send(await drawPen()),
      await send(await drawPen()),
      await send(await drawPen()),
    ];
    expect([first.status, second.status, dropped.status]).toEqual([200, 200, 200]);
    expect((await send(await drawPen(), { photoKey: first.photoKey })).status).toBe(200);
    expect(await photosOf()).toHaveLength(3);
    await sendReport([second.photoKey, first.photoKey]);
    expect((await photosOf()).map(({ photoKey }) => photoKey)).toEqual([second.photoKey, first.photoKey]);
    await publish();
    const { items } = await (await callAs(deps, "anonymous")).updates.list({ projectId, page: 1, search: "" });
    expect(items[0]?.photos).toHaveLength(2);
  });

  test("that comes several times at once is kept once, and each answer has the address of the one that is kept", async () => {
    const photoKey = randomUUID();
    const files = await db.$count(storedFiles);
    const photos = await Promise.all([drawPen(), drawPen(), drawPen()]);
    const answers = await Promise.all(photos.map((photo) => send(photo, { photoKey })));
    const [kept, ...others] = await photosOf();
    expect(others).toEqual([]);
    expect(answers.map(({ status, url }) => [status, url])).toEqual(answers.map(() => [200, kept?.url]));
    expect(await db.$count(storedFiles)).toBe(files + 1);
  });

  test("that hasn't arrived keeps the report from being sent, and nothing is lost", async () => {
    await expect(sendReport([randomUUID()])).rejects.toThrow("A photo hasn't arrived yet.");
    expect((await reportsOf())[0]?.sentAt).toBeNull();
  });

  test("comes by a link too; a stranger's and one after sending are refused and leave no file", async () => {
    const { url } = await (await callAs(deps, manager)).reports.makeLink({ projectId, label: "Musa" });
    expect((await send(await drawPen(), { token: url.split("/").at(-1) ?? "" })).status).toBe(200);
    const other = await fundFarm(deps, { owner, lots: [1], unseenReason: "Told by phone." });
    const stranger = await createFarmPerson(db, other.project.farmId ?? 0, "keeper");
    const files = await db.$count(storedFiles);
    expect((await send(await drawPen(), { token: "guess" })).status).toBe(404);
    expect((await send(await drawPen(), { by: stranger })).status).toBe(403);
    expect(await db.$count(storedFiles)).toBe(files);
  });

  test.each([
    ["was sent", () => sendReport([]), reportTexts.photoAfterSending],
    ["is published", () => sendReport([]).then(publish), reportTexts.photoAfterSending],
    ["isn't open yet", async () => clock.advance({ hours: -73 }), reportTexts.tooEarly],
    ["is missed", async () => clock.advance({ hours: 7 * 24 }), reportTexts.tooLate],
    ["is of a round that is over", () => endRound(), reportTexts.roundEnded],
  ])("is refused if its report %s, as the report is, and leaves no file", async (_, happens, message) => {
    await happens();
    const files = await db.$count(storedFiles);
    expect(await send(await drawPen())).toMatchObject({ status: 409, message });
    expect(await db.$count(storedFiles)).toBe(files);
    if (message !== reportTexts.photoAfterSending) await expect(sendReport([])).rejects.toThrow(message);
  });

  test("comes with a late report", async () => {
    clock.advance({ hours: 6 * 24 });
    const { photoKey } = await send(await drawPen());
    await sendReport([photoKey]);
    expect(await photosOf()).toHaveLength(1);
  });

  test("goes with its report that was never sent, 30 days after it came; one that was sent stays", async () => {
    const { photoKey } = await send(await drawPen());
    await sendReport([photoKey]);
    const sent = await photosOf();
    await (await callAs(deps, manager)).reports.sendBack({
      reportId: (await firstReport()).id,
      reason: "Which pen is it?",
    });
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

  test("goes once its round is over", async () => {
    await send(await drawPen());
    await endRound();
    await sweepReports(deps);
    expect(await photosOf()).toEqual([]);
  });
});

describe("what is noticed", () => {
  test("is the same file, one that looks the same or its mirror, with where it was shown", async () => {
    const earlier = await drawPen();
    const other = farm;
    const { photoKey } = await send(earlier);
    await sendReport([photoKey]);
    await moveToAnotherFarm();
    const mirrored = await sharp(earlier).flop().resize(300).jpeg({ quality: 60 }).toBuffer();
    const keys = [await send(earlier), await send(mirrored), await send(await drawPen())];
    await sendReport(keys.map((sent) => sent.photoKey));
    const shown = await listed();
    expect(
      shown?.photos.map(({ findings }) => findings.map(({ kind, other: found }) => [kind, found?.projectTitle])),
    ).toEqual([[["same_bytes", other.project.title]], [["alike", other.project.title]], []]);
  });

  const foundOf = async () => (await listed())?.photos.map(({ findings }) => findings.map(({ kind }) => kind));
  const sendPhotos = async (...photos: Buffer[]) => {
    const keys = [];
    for (const photo of photos) keys.push((await send(photo)).photoKey);
    await sendReport(keys);
  };

  test("isn't the photo of a draft: whoever sends second has it", async () => {
    const photo = await drawPen();
    const first = { by: reporter, project: projectId, at: clock.now(), ...(await send(photo)) };
    await moveToAnotherFarm();
    await sendPhotos(photo);
    expect(await foundOf()).toEqual([[]]);
    const second = farm.project.title;
    [reporter, projectId] = [first.by, first.project];
    clock.set(first.at);
    await sendReport([first.photoKey]);
    const [shown] = (await listed())?.photos ?? [];
    expect(shown?.findings.map(({ kind, other }) => [kind, other?.projectTitle])).toEqual([["same_bytes", second]]);
  });

  // The embedded database has one connection, and nobody waits there.
  test.runIf(isPostgres())("is the photo of a report that is being sent at the same time", async () => {
    const photo = await drawPen();
    const { title } = farm.project;
    const first = await send(photo);
    const sendFirst = reportOf([first.photoKey]);
    const [byFirst, dueFirst] = [reporter, clock.now()];
    await moveToAnotherFarm();
    const second = await send(photo);
    const dueSecond = clock.now();
    clock.set(dueFirst);
    const { sending } = await db.transaction(async (tx) => {
      await (await callAs({ ...deps, db: tx as unknown as typeof db }, byFirst)).reports.send(sendFirst);
      clock.set(dueSecond);
      let isSent = false;
      const sending = sendReport([second.photoKey]).finally(() => {
        isSent = true;
      });
      const waits = sql`select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(async () => isSent || (await rows(db, waits)).length > 0).toBe(true);
      return { sending };
    });
    await sending;
    const [shown] = (await listed())?.photos ?? [];
    expect(shown?.findings.map(({ kind, other }) => [kind, other?.projectTitle])).toEqual([["same_bytes", title]]);
  });

  test("is a picture of a project, and a photo of a published update", async () => {
    const [photo, picture] = [await drawPen(), await drawPen()];
    const files = [await keepPhoto(photo), await keepPhoto(picture)];
    await sendPhotos(photo, picture);
    expect(await foundOf()).toEqual([[], []]);
    await moveToAnotherFarm();
    await db.insert(projectMedia).values({ projectId, type: "photo", url: "/files/x", fileId: files[0] });
    await db.update(projects).set({ imageFileId: files[1] }).where(eq(projects.id, projectId));
    await moveToAnotherFarm();
    await sendPhotos(await sharp(photo).resize(300).jpeg().toBuffer(), picture);
    const shown = (await listed())?.photos ?? [];
    expect(shown.map(({ findings }) => findings.map(({ kind }) => kind))).toEqual([
      ["alike", "alike"],
      ["same_bytes", "same_bytes"],
    ]);
  });

  test("is one earlier photo behind many of the same report", async () => {
    const earlier = await drawPen();
    await sendPhotos(earlier);
    const { title } = farm.project;
    await moveToAnotherFarm();
    const burst = [80, 60, 50, 40].map((quality) => sharp(earlier).flop().jpeg({ quality }).toBuffer());
    await sendPhotos(...(await Promise.all(burst)));
    const shown = (await listed())?.photos ?? [];
    expect(shown.map(({ findings }) => findings.map(({ other }) => other?.projectTitle))).toEqual(
      burst.map(() => [title]),
    );
  });

  test("isn't that two photos have one colour; the same file of one colour is", async () => {
    const wall = (shade: number) =>
      sharp({ create: { width: 480, height: 400, channels: 3, background: { r: shade, g: shade, b: shade } } })
        .jpeg()
        .toBuffer();
    const first = await wall(200);
    await sendPhotos(first);
    await moveToAnotherFarm();
    await sendPhotos(await wall(210), first);
    expect(await foundOf()).toEqual([[], ["same_bytes"]]);
  });

  test("is noticed once, although its report is sent again", async () => {
    const photo = await drawPen();
    await sendPhotos(photo);
    await moveToAnotherFarm();
    const keys = [(await send(photo)).photoKey];
    await sendReport(keys);
    await (await callAs(deps, manager)).reports.sendBack({
      reportId: (await firstReport()).id,
      reason: "Which pen is it?",
    });
    clock.advance({ hours: 1 });
    keys.push((await send(photo)).photoKey);
    await sendReport(keys);
    expect(await foundOf()).toEqual([["same_bytes"], ["same_bytes"]]);
  });

  test("is a date of the camera that is old or still to come", async () => {
    const taken = async (date: string) =>
      sharp(await drawPen())
        .withExif({ IFD2: { DateTimeOriginal: date } })
        .jpeg()
        .toBuffer();
    /** So many hours from now, as a camera in Lagos writes it. */
    const inHours = (hours: number) =>
      new Date(clock.now().getTime() + (hours + 1) * 3_600_000)
        .toISOString()
        .slice(0, 19)
        .replaceAll("-", ":")
        .replace("T", " ");
    const keys = [];
    for (const hours of [-241, -239, 23, 25]) keys.push((await send(await taken(inHours(hours)))).photoKey);
    // What counts is when the photos came.
    clock.advance({ hours: 48 });
    await sendReport(keys);
    expect(await foundOf()).toEqual([["old"], [], [], ["future"]]);
  });

  test("keeps the report from being published until a person decides, and the clock waits", async () => {
    const old = await sharp(await drawPen())
      .withExif({ IFD2: { DateTimeOriginal: "2025:01:01 08:00:00" } })
      .jpeg()
      .toBuffer();
    const { photoKey } = await send(old);
    await sendReport([photoKey]);
    clock.advance({ hours: 30 });
    await sweepReports(deps);
    const reportId = (await reportsOf())[0]?.id ?? 0;
    expect((await reportsOf())[0]?.publishedAt).toBeNull();
    const byManager = await callAs(deps, manager);
    await expect(byManager.reports.publish({ reportId, isCodeSeen: false })).rejects.toThrow(
      "Decide about the photos first.",
    );
    const findingId = (await listed())?.photos[0]?.findings[0]?.id ?? 0;
    await byManager.reports.decideFinding({ findingId, verdict: "confirmed" });
    await sweepReports(deps);
    expect((await reportsOf())[0]?.publishedAt).toBeNull();
    await byManager.reports.decideFinding({ findingId, verdict: "dismissed" });
    await sweepReports(deps);
    expect((await reportsOf())[0]?.publishedAt).not.toBeNull();
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
