import { createHash, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { photoFindings, photoPrints, updatePhotos } from "#server/db/schema/update-photos.ts";
import { sweepReports } from "#server/features/reports/jobs.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { type Farm, fundFarm } from "#tests/support/harvests.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
const { db, clock } = deps;
let app: FastifyInstance;
let owner: TestUser;
let manager: TestUser;
let farm: Farm;
let reporter: TestUser;
let projectId: number;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  owner = await createAdmin(db, "owner");
  manager = await createAdmin(db, "manager");
});
afterAll(() => app.close());
beforeEach(async () => {
  farm = await fundFarm(deps, { owner, lots: [1], unseenReason: "Told by phone." });
  projectId = farm.project.id;
  reporter = await createFarmPerson(db, farm.project.farmId ?? 0, "reporter");
  await sweepReports(deps);
  const [report] = await reportsOf();
  clock.set(report?.dueAt ?? new Date());
});

const reportsOf = () =>
  db.select().from(farmReports).where(eq(farmReports.projectId, projectId)).orderBy(farmReports.number);
const photosOf = async () => {
  const [report] = await reportsOf();
  return db
    .select()
    .from(updatePhotos)
    .where(eq(updatePhotos.reportId, report?.id ?? 0))
    .orderBy(updatePhotos.position);
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
  return { status: answer.statusCode, photoKey, message: answer.json().error?.message };
}
const sendReport = async (photoKeys: string[]) =>
  (await callAs(deps, reporter)).reports.send({
    by: { projectId },
    number: 1,
    idempotencyKey: randomUUID(),
    content: "All pens are clean.",
    figures: {},
    farmNote: "",
    photoKeys,
    isConfirmed: false,
  });
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
    const [report] = await reportsOf();
    await (await callAs(deps, manager)).reports.publish({ reportId: report?.id ?? 0, isCodeSeen: true });
    const { items } = await (await callAs(deps, "anonymous")).updates.list({ projectId, page: 1, search: "" });
    expect(items[0]?.photos).toHaveLength(2);
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
    await sendReport([]);
    expect((await send(await drawPen())).message).toBe("This report was sent. It takes no more photos.");
    expect(await db.$count(storedFiles)).toBe(files);
  });
});

describe("what is noticed", () => {
  test("is the same file, one that looks the same or its mirror, with where it was shown", async () => {
    const earlier = await drawPen();
    const other = farm;
    const { photoKey } = await send(earlier);
    await sendReport([photoKey]);
    farm = await fundFarm(deps, { owner, lots: [1], unseenReason: "Told by phone." });
    projectId = farm.project.id;
    reporter = await createFarmPerson(db, farm.project.farmId ?? 0, "reporter");
    await sweepReports(deps);
    clock.set((await reportsOf())[0]?.dueAt ?? new Date());
    const mirrored = await sharp(earlier).flop().resize(300).jpeg({ quality: 60 }).toBuffer();
    const keys = [await send(earlier), await send(mirrored), await send(await drawPen())];
    await sendReport(keys.map((sent) => sent.photoKey));
    const shown = await listed();
    expect(
      shown?.photos.map(({ findings }) => findings.map(({ kind, other: found }) => [kind, found?.projectTitle])),
    ).toEqual([[["same_bytes", other.project.title]], [["alike", other.project.title]], []]);
  });

  test("is a date of the camera that is old or still to come", async () => {
    const taken = async (date: string) =>
      sharp(await drawPen())
        .withExif({ IFD2: { DateTimeOriginal: date } })
        .jpeg()
        .toBuffer();
    const day = (days: number) =>
      new Date(clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10).replaceAll("-", ":");
    const keys = [];
    for (const days of [-30, -5, 3]) keys.push((await send(await taken(`${day(days)} 08:00:00`))).photoKey);
    await sendReport(keys);
    expect((await listed())?.photos.map(({ findings }) => findings.map(({ kind }) => kind))).toEqual([
      ["old"],
      [],
      ["future"],
    ]);
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
  const { photoKey } = await send(await drawPen());
  const [photo] = await photosOf();
  expect(await db.$count(photoPrints, eq(photoPrints.fileId, photo?.fileId ?? ""))).toBe(1);
  expect(photo?.photoKey).toBe(photoKey);
  await db.delete(updatePhotos).where(eq(updatePhotos.fileId, photo?.fileId ?? ""));
  await db.delete(storedFiles).where(eq(storedFiles.id, photo?.fileId ?? ""));
  expect(await db.$count(photoPrints, eq(photoPrints.fileId, photo?.fileId ?? ""))).toBe(0);
});
