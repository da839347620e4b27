import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectUpdates } from "#server/db/schema/projects.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { photoPrints, updatePhotos } from "#server/db/schema/update-photos.ts";
import { sweepReports } from "#server/features/reports/jobs.ts";
import { cleanUp } from "#server/housekeeping.ts";
import { uploadTexts } from "#shared/files.ts";
import { mediaTexts } from "#shared/projects/media-texts.ts";
import { updateTexts as texts } from "#shared/projects/updates-texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { fundFarm } from "#tests/support/harvests.ts";
import { findProject } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { upload } from "#tests/support/uploads.ts";

/** Photos of an update that an administrator writes. */

const deps = await openTestDeps();
const { db, clock } = deps;
let app: FastifyInstance;
let manager: TestUser;
let asManager: Caller;
let projectId: number;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
});
afterAll(() => app.close());
beforeEach(async () => {
  manager = await createAdmin(db, "manager");
  asManager = await callAs(deps, manager);
  projectId = (await createProject(db)).id;
});

let drawn = 0;
function drawPhoto(): Promise<Buffer> {
  drawn = (drawn + 1) % 256;
  const background = { r: drawn, g: 120, b: 40 };
  return sharp({ create: { width: 330, height: 220, channels: 3, background } })
    .png()
    .toBuffer();
}

type Sent = { photoKey?: string; by?: TestUser; file?: Buffer; of?: { projectId: number; number: number } };

/** Sends a photo for an update, or for a report. */
async function send({ photoKey = randomUUID(), by = manager, file, of }: Sent = {}) {
  const fields = { photoKey, ...(of && { projectId: String(of.projectId), number: String(of.number) }) };
  const form = { fields, file: file ?? (await drawPhoto()), name: "pen.png" };
  const answer = await upload(deps, app, by, of ? "/uploads/report-photos" : "/uploads/update-photos", form);
  return { ...answer, photoKey };
}

const named = (photoKey: string, altText = "") => ({ photoKey, altText });
const update = (photos: { photoKey: string; altText: string }[], change: object = {}) => ({
  projectId,
  title: "Week one",
  content: "The ponds are full.",
  idempotencyKey: randomUUID(),
  photos,
  ...change,
});
const countUpdates = () => db.$count(projectUpdates, eq(projectUpdates.projectId, projectId));
const shown = async () => {
  const { items } = await (await callAs(deps, "anonymous")).updates.list({ projectId });
  return items.map(({ photos }) => photos.map(({ url, altText, width, height }) => ({ url, altText, width, height })));
};
const filesOf = (photoKeys: string[]) => db.$count(storedFiles, inArray(storedFiles.id, photoKeys));
async function countFiles() {
  let count = 0;
  for await (const _file of deps.storage.list()) count += 1;
  return [count, await db.$count(storedFiles)];
}

describe("an update with photos", () => {
  test("shows them to everybody in the order given, with what they show, and keeps their prints", async () => {
    const [first, second] = [await send(), await send()];
    const { updateId } = await asManager.updates.publish(
      update([named(second.photoKey, " The  pond "), named(first.photoKey)]),
    );
    expect(await shown()).toEqual([
      [
        { url: second.url, altText: "The pond", width: 330, height: 220 },
        { url: first.url, altText: "", width: 330, height: 220 },
      ],
    ]);
    expect(await db.$count(photoPrints, inArray(photoPrints.fileId, [first.photoKey, second.photoKey]))).toBe(2);
    const [audited] = await db
      .select({ details: auditLogs.details })
      .from(auditLogs)
      .where(and(eq(auditLogs.actionType, "add_project_update"), eq(auditLogs.userId, manager.id)));
    expect(audited?.details).toMatchObject({ updateId, photos: 2 });
  });

  test("is answered again for the same key only if the photos and their texts are the same too", async () => {
    const [first, second] = [await send(), await send()];
    const input = update([named(first.photoKey, "The pond"), named(second.photoKey)]);
    const answer = await asManager.updates.publish(input);
    expect(await asManager.updates.publish(input)).toEqual(answer);
    const others = [
      [],
      [named(first.photoKey, "The pond")],
      [named(second.photoKey), named(first.photoKey, "The pond")],
      [named(first.photoKey, "The pen"), named(second.photoKey)],
    ];
    for (const photos of others) {
      await expect(asManager.updates.publish({ ...input, photos })).rejects.toThrow(texts.keyUsedElsewhere);
    }
    expect(await countUpdates()).toBe(1);
  });

  test("takes six photos, and none that was never sent, is somebody else's or is in another update", async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, async () => (await send()).photoKey));
    const other = await createAdmin(db, "owner");
    const cases = [
      [[...keys, randomUUID()], texts.photosMany],
      [[keys[0] ?? "", randomUUID()], texts.photoGone],
      [[(await send({ by: other })).photoKey], texts.photoGone],
      [[keys[0] ?? "", keys[0] ?? ""], texts.photoUsed],
    ] as const;
    for (const [wanted, message] of cases) {
      const refused = asManager.updates.publish(update(wanted.map((key) => named(key))));
      await expect(refused).rejects.toThrow(message);
    }
    await expect(asManager.updates.publish(update([named(keys[0] ?? "", "x".repeat(201))]))).rejects.toThrow(
      mediaTexts.altTextLong,
    );
    expect(await countUpdates()).toBe(0);
    expect(await db.$count(notifications, eq(notifications.projectId, projectId))).toBe(0);
    await asManager.updates.publish(update(keys.map((key) => named(key))));
    await expect(asManager.updates.publish(update([named(keys[0] ?? "")]))).rejects.toThrow(texts.photoUsed);
    expect(await countUpdates()).toBe(1);
  });

  test("is published once where two requests with its key, or with its photo, come at once", async () => {
    const { photoKey } = await send();
    const input = update([named(photoKey)]);
    const [one, two] = await Promise.all([asManager.updates.publish(input), asManager.updates.publish(input)]);
    expect(one).toEqual(two);
    const again = await send();
    const raced = await Promise.allSettled(
      [1, 2].map(() => asManager.updates.publish(update([named(again.photoKey)]))),
    );
    const refused = raced.flatMap((result) => (result.status === "rejected" ? [String(result.reason.message)] : []));
    expect(refused).toEqual([texts.photoUsed]);
    expect(await countUpdates()).toBe(2);
  });

  test("is compared with the photos of later reports", async () => {
    const owner = await createAdmin(db, "owner");
    const farm = await fundFarm(deps, { owner, lots: [1], unseenReason: "Told by phone." });
    await sweepReports(deps);
    const [due] = await db.select().from(farmReports).where(eq(farmReports.projectId, farm.project.id));
    clock.set(due?.dueAt ?? new Date());
    asManager = await callAs(deps, manager);
    const file = await drawPhoto();
    await asManager.updates.publish(update([named((await send({ file })).photoKey)]));
    const { photoKey } = await send({ file, of: { projectId: farm.project.id, number: 1 } });
    await asManager.reports.send({
      by: { projectId: farm.project.id },
      number: 1,
      idempotencyKey: randomUUID(),
      content: "All pens are clean.",
      figures: {},
      farmNote: "",
      photoKeys: [photoKey],
      isConfirmed: false,
    });
    const { items } = await asManager.reports.list({ projectId: farm.project.id, page: 1 });
    const { title } = await findProject(db, projectId);
    expect(items.at(-1)?.photos[0]?.findings).toMatchObject([{ kind: "same_bytes", other: { projectTitle: title } }]);
  });

  test("takes its photos along when its project is deleted", async () => {
    const { photoKey } = await send();
    await asManager.updates.publish(update([named(photoKey)]));
    await (await callAs(deps, "owner")).projects.delete({ projectId });
    expect(await db.$count(updatePhotos, eq(updatePhotos.fileId, photoKey))).toBe(0);
    clock.advance({ hours: 2 });
    await cleanUp(deps);
    expect(await filesOf([photoKey])).toBe(0);
  });
});

describe("POST /uploads/update-photos", () => {
  test("keeps a photo once for its key, sent again or twice at once", async () => {
    const first = await send();
    const before = await countFiles();
    expect(await send({ photoKey: first.photoKey })).toEqual(first);
    expect(await countFiles()).toEqual(before);
    const photoKey = randomUUID();
    const raced = await Promise.all([send({ photoKey }), send({ photoKey })]);
    expect(raced.map(({ status }) => status)).toEqual([200, 200]);
    expect(raced[0].url).toBe(raced[1].url);
    // Two sizes in two formats, and one row.
    expect(await countFiles()).toEqual([(before[0] ?? 0) + 4, (before[1] ?? 0) + 1]);
  });

  test("refuses another's key and a file that is no photo, and leaves nothing of them", async () => {
    const { photoKey } = await send({ by: await createAdmin(db, "owner") });
    const before = await countFiles();
    expect(await send({ photoKey })).toMatchObject({ status: 409, message: texts.photoKeyUsed });
    const heic = Buffer.from("0000001866747970686569630000000068656963", "hex");
    expect(await send({ file: heic })).toMatchObject({ status: 400, message: uploadTexts.heic });
    expect((await send({ by: await createAdmin(db, "viewer") })).status).toBe(403);
    expect((await send({ by: await createUser(db) })).status).toBe(403);
    expect(await countFiles()).toEqual(before);
  });

  test("keeps a photo that no update names for an hour; the key can be used again", async () => {
    const [published, forgotten] = [await send(), await send()];
    await asManager.updates.publish(update([named(published.photoKey)]));
    clock.advance({ hours: 2 });
    await cleanUp(deps);
    expect(await filesOf([published.photoKey])).toBe(1);
    expect(await filesOf([forgotten.photoKey])).toBe(0);
    asManager = await callAs(deps, manager);
    await expect(asManager.updates.publish(update([named(forgotten.photoKey)]))).rejects.toThrow(texts.photoGone);
    expect((await send({ photoKey: forgotten.photoKey })).status).toBe(200);
    await asManager.updates.publish(update([named(forgotten.photoKey)]));
    expect(await countUpdates()).toBe(2);
  });
});
