import { and, eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { buildApp } from "#server/app.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { deleteStoredFile } from "#server/files/orphans.ts";
import { cleanUp } from "#server/housekeeping.ts";
import { fileRules, photoTexts } from "#shared/files.ts";
import { photoSrcSet } from "#shared/photos.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { countOpenJobs } from "#tests/support/jobs.ts";
import { findProject } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { uploadFile } from "#tests/support/uploads.ts";

const deps = await openTestDeps();
let app: FastifyInstance;
let url: string;
let manager: TestUser;
let asManager: Caller;
let asOwner: Caller;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
  manager = await createAdmin(deps.db, "manager");
  asManager = await callAs(deps, manager);
  asOwner = await callAs(deps, "owner");
});
afterAll(async () => {
  await app.close();
});

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of deps.storage.list()) found.push(key);
  return found.sort();
}

let before: string[] = [];
afterEach(async () => {
  before = await keys();
});

const upload = (file: Uint8Array | null) => uploadFile(deps, url, { path: "project-image", person: manager, file });

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 40, g: 120, b: 60 } } });

/** A photo as a phone takes it: lying on its side, and telling where it was taken. */
const phonePhoto = () =>
  canvas(2400, 1200)
    .jpeg()
    .withExif({ IFD0: { Copyright: "zebra-canary", Orientation: "6" }, IFD3: { GPSLatitude: "6/1 35/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .toBuffer();

const smallPhoto = () => canvas(400, 300).png().toBuffer();

async function uploaded(file?: Buffer) {
  const { status, body } = await upload(file ?? (await smallPhoto()));
  expect(status).toBe(200);
  return { fileId: String(body.fileId), url: String(body.url), body };
}

describe("POST /uploads/project-image", () => {
  test("draws the photo anew, upright, without metadata, in sizes for small screens, and drops the original", async () => {
    const { body, url: path, fileId } = await uploaded(await phonePhoto());
    expect(body).toMatchObject({ width: 1200, height: 2400, sizes: [320, 480, 672, 1008, 1200] });
    expect(path).toMatch(/^\/files\/photos\/[0-9a-f]{32}\/1200\.webp$/);
    const stored = (await keys()).filter((key) => !before.includes(key));
    expect(stored).toHaveLength(10);
    for (const format of ["avif", "webp"] as const) {
      // What a page offers is what there is.
      const offered = (photoSrcSet(path, format) ?? "").split(", ").map((entry) => entry.split(" "));
      expect(offered.map(([, width]) => width)).toEqual(["320w", "480w", "672w", "1008w", "1200w"]);
      for (const [address = "", width = ""] of offered) {
        expect(stored).toContain(address.replace("/files/photos", "photo"));
        const answer = await fetch(`${url}${address}`);
        expect(answer.headers.get("content-type")).toBe(`image/${format}`);
        const picture = Buffer.from(await answer.arrayBuffer());
        const found = await sharp(picture).metadata();
        const size = Number.parseInt(width, 10);
        expect(found).toMatchObject({ mediaType: `image/${format}`, width: size, height: size * 2 });
        expect([found.exif, found.orientation]).toEqual([undefined, undefined]);
        expect(picture.includes("zebra-canary")).toBe(false);
      }
    }
    const [row] = await deps.db.select().from(storedFiles).where(eq(storedFiles.id, fileId));
    expect(row).toMatchObject({ kind: "photo", contentType: "image/webp", uploadedBy: manager.id });
  });

  test("never makes a photo larger than it came, nor wider than 1600", async () => {
    expect((await uploaded(await canvas(300, 200).png().toBuffer())).body).toMatchObject({ width: 300, sizes: [300] });
    expect((await uploaded(await canvas(4000, 2000).webp().toBuffer())).body).toMatchObject({
      width: 1600,
      height: 800,
      sizes: [320, 480, 672, 1008, 1280, 1600],
    });
  });

  test("refuses what isn't a photo, is damaged, or has more than 40 megapixels, and leaves nothing", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>');
    const gif = await canvas(9, 9).gif().toBuffer();
    const whole = await canvas(400, 300).jpeg().toBuffer();
    const cut = whole.subarray(0, whole.length / 2);
    const huge = await canvas(8000, 5001).png().toBuffer();
    const cases: [Buffer | null, string][] = [
      [null, fileRules.photo.texts.missing],
      [svg, fileRules.photo.texts.type],
      [gif, fileRules.photo.texts.type],
      [cut, photoTexts.unreadable],
      [huge, photoTexts.pixels],
    ];
    const rowsBefore = await deps.db.$count(storedFiles);
    for (const [file, message] of cases) {
      const { status, body } = await upload(file);
      expect([status, body.error]).toEqual([400, expect.objectContaining({ reason: "invalid", message })]);
    }
    expect(await deps.db.$count(storedFiles)).toBe(rowsBefore);
    await expect.poll(keys).toEqual(before);
  });

  test("leaves nothing where the disk or the database fails in the middle", async () => {
    const write = deps.storage.write;
    let calls = 0;
    vi.spyOn(deps.storage, "write").mockImplementation(async (key, source) => {
      calls += 1;
      if (calls === 3) throw new Error("the disk is full");
      return write(key, source);
    });
    expect((await upload(await smallPhoto())).status).toBe(500);
    vi.restoreAllMocks();
    await expect.poll(keys).toEqual(before);
  });
});

describe("GET /files/photos", () => {
  test("knows nothing but the sizes of photos", async () => {
    const { url: path } = await uploaded();
    const others = ["/files/photos/x/1600.webp", path.replace("400", "961"), path.replace("webp", "jpg"), `${path}x`];
    for (const other of others) expect([other, (await fetch(`${url}${other}`)).status]).toEqual([other, 404]);
  });
});

describe("a project's picture", () => {
  const imageOf = async (id: number) => (await findProject(deps.db, id)).imageFileId;
  const hasRow = (fileId: string) => deps.db.$count(storedFiles, and(eq(storedFiles.id, fileId)));
  const sweep = async () => {
    deps.clock.advance({ hours: 2 });
    await cleanUp(deps);
  };

  test("stays while a project shows it, also a clone, and goes with the last one", async () => {
    const { fileId, url: imageUrl } = await uploaded();
    const { id } = await asManager.projects.create(projectFormOf({ imageUrl }));
    expect(await imageOf(id)).toBe(fileId);
    const clone = await asManager.projects.clone({ projectId: id, idempotencyKey: crypto.randomUUID() });
    await sweep();
    const { updatedAt } = await findProject(deps.db, id);
    const jobs = await countOpenJobs(deps.db, "delete-file");
    const asNewManager = await callAs(deps, manager);
    await asNewManager.projects.update({ ...projectFormOf(), projectId: id, seenUpdatedAt: updatedAt });
    expect(await imageOf(id)).toBeNull();
    expect(await countOpenJobs(deps.db, "delete-file")).toBe(jobs + 1);
    // The job looks, and the clone still shows it.
    await deleteStoredFile(deps, fileId);
    expect([await hasRow(fileId), (await fetch(`${url}${imageUrl}`)).status]).toEqual([1, 200]);
    asOwner = await callAs(deps, "owner");
    await asOwner.projects.delete({ projectId: clone.id });
    await deleteStoredFile(deps, fileId);
    expect(await hasRow(fileId)).toBe(0);
    const id32 = imageUrl.split("/")[3] ?? "none";
    expect((await keys()).filter((key) => key.includes(id32))).toEqual([]);
  });

  test("stays also where the project names it by its whole address", async () => {
    const { fileId, url: path } = await uploaded();
    const env = { ...deps.env, publicUrl: "https://gona.example" };
    const asSecureManager = await callAs({ ...deps, env }, manager);
    const { id } = await asSecureManager.projects.create(projectFormOf({ imageUrl: `https://gona.example${path}` }));
    expect(await findProject(deps.db, id)).toMatchObject({ imageUrl: path, imageFileId: fileId });
  });

  test("that no project came to show is swept after an hour, with all its sizes", async () => {
    const { fileId, url: path } = await uploaded();
    await cleanUp(deps);
    expect(await hasRow(fileId)).toBe(1);
    await sweep();
    expect(await hasRow(fileId)).toBe(0);
    for (const name of ["320.avif", "320.webp", "400.avif", "400.webp"]) {
      expect((await fetch(`${url}${path.replace("400.webp", name)}`)).status).toBe(404);
    }
    const form = projectFormOf({ imageUrl: path });
    const asNewManager = await callAs(deps, manager);
    await expect(asNewManager.projects.create(form)).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: "This picture is no longer stored. Please upload it again.",
    });
  });
});
