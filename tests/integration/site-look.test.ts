import { desc, eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { siteProfiles } from "#server/db/schema/site.ts";
import { deleteStoredFile, findOrphans } from "#server/files/orphans.ts";
import { markTexts } from "#shared/files.ts";
import { profileTexts as texts } from "#shared/site/profile-texts.ts";
import { markSizes } from "#shared/site/site.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { listening } from "#tests/support/http-app.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { uploadFile } from "#tests/support/uploads.ts";

const deps = await openTestDeps();
const { db } = deps;
let app: FastifyInstance;
let ownerRow: TestUser;
let owner: Caller;
let url: string;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  url = await listening(app);
  ownerRow = await createAdmin(db, "owner", { fullName: "Amaka Obi" });
  owner = await callAs(deps, ownerRow);
});
afterAll(() => app.close());

const newest = async () => (await db.select().from(siteProfiles).orderBy(desc(siteProfiles.version)))[0];
const picture = (width: number, height: number, format: "png" | "jpeg" | "webp" = "png") =>
  sharp({ create: { width, height, channels: 3, background: "#7a1414" } })
    .toFormat(format)
    .toBuffer();

const upload = (file: Buffer) => uploadFile(deps, url, { path: "mark", person: ownerRow, file });
const uploaded = async (content: Buffer) => String((await upload(content)).body.fileId);
const seenVersion = async () => (await owner.site.profile()).profile.version;

test("a colour is saved with its shades, and audited; one that reads badly is refused with what works", async () => {
  const before = await newest();
  const refused = await owner.site.tryColor({ color: "#40A050" });
  expect(refused).toMatchObject({
    fault: expect.stringContaining("3.3 to 1; 4.5 is needed"),
    nearest: expect.any(String),
  });
  const look = { markFileId: null, seenVersion: await seenVersion() };
  await expect(owner.site.saveLook({ ...look, color: "#40a050" })).rejects.toThrow("reads badly");
  expect(await newest()).toEqual(before);
  const saved = await owner.site.saveLook({ ...look, color: "#7A1414" });
  expect(saved).toMatchObject({ wasChanged: true, site: { look: { color: "#7a1414" } } });
  expect(await newest()).toMatchObject({ color: "#7a1414", name: before?.name, writtenBy: ownerRow.id });
  expect((await newest())?.shades).toHaveLength(10);
  expect((await db.select().from(auditLogs).orderBy(desc(auditLogs.id)))[0]).toMatchObject({
    actionType: "change_look",
    details: { before: { color: null }, after: { color: "#7a1414" } },
  });
  await expect(owner.site.saveLook({ ...look, color: "#0b3d91" })).rejects.toThrow(texts.changedMeanwhile);
});

test.each([
  ["png", 256, 256],
  ["jpeg", 4096, 256],
  ["webp", 300, 1000],
] as const)(
  "a mark as %s of %s × %s is drawn in every size, and served to everybody for ever",
  async (format, width, height) => {
    const fileId = await uploaded(await picture(width, height, format));
    for (const size of markSizes) {
      const answer = await app.inject({ url: `/files/marks/${fileId}/${size}.png` });
      expect(answer.headers).toMatchObject({
        "content-type": "image/png",
        "cache-control": expect.stringContaining("immutable"),
      });
      expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: size, height: size, format: "png" });
    }
    expect((await app.inject({ url: `/files/marks/${fileId}/64.png` })).statusCode).toBe(404);
  },
);

test.each([
  ["too small", 255, 300],
  ["too large", 4097, 300],
])("a mark that is %s is refused, and nothing is kept of it", async (_what, width, height) => {
  const before = await db.$count(storedFiles);
  const { status, body } = await upload(await picture(width, height));
  expect([status, body.error]).toEqual([400, expect.objectContaining({ message: markTexts.size })]);
  expect(await db.$count(storedFiles)).toBe(before);
});

test("a saved mark is the site's, and no sweep takes it; one that nothing names goes", async () => {
  const [kept, dropped] = [await uploaded(await picture(300, 300)), await uploaded(await picture(301, 301))];
  await owner.site.saveLook({ color: null, markFileId: kept, seenVersion: await seenVersion() });
  expect(deps.site.current().markPath).toBe(`/files/marks/${kept}`);
  const orphans = [];
  for await (const { key } of findOrphans(deps, new Date(Date.now() + 60_000))) orphans.push(key);
  expect(orphans).toEqual([]);
  for (const id of [kept, dropped]) await deleteStoredFile(deps, id);
  expect(await db.select().from(storedFiles).where(eq(storedFiles.id, kept))).toHaveLength(1);
  expect(await db.select().from(storedFiles).where(eq(storedFiles.id, dropped))).toEqual([]);
  await expect(
    owner.site.saveLook({ color: null, markFileId: dropped, seenVersion: await seenVersion() }),
  ).rejects.toThrow(texts.markGone);
});

test("without a mark the first letter stands in, at an address of its own for each letter and colour", async () => {
  await owner.site.saveLook({ color: "#0b3d91", markFileId: null, seenVersion: await seenVersion() });
  const { markPath } = deps.site.current();
  expect(markPath).toBe("/files/marks/47-0b3d91");
  const answer = await app.inject({ url: `${markPath}/180.png` });
  expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 180, height: 180 });
  expect((await app.inject({ url: "/files/marks/48-0b3d91/180.png" })).statusCode).toBe(404);
  expect((await app.inject({ url: "/favicon.ico" })).headers.location).toBe(`${markPath}/32.png`);
  expect((await app.inject({ url: "/site.webmanifest" })).json()).toMatchObject({
    name: "Gona",
    icons: [{ src: `${markPath}/192.png` }, { src: `${markPath}/512.png`, sizes: "512x512" }],
  });
});
