import { cp } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { projectMedia, projects } from "#server/db/schema/projects.ts";
import { videoPath } from "#server/features/projects/media/rules.ts";
import { storePhoto } from "#server/files/photos.ts";
import { newFileKey } from "#server/files/storage.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { writeFiles } from "#tests/support/http-app.ts";
import { contextOf, createPayment } from "#tests/support/money.ts";
import { callAs, cookieJar, createAdmin } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";

const forever = "public, max-age=31536000, immutable";
const anHour = "public, max-age=3600";
const aMonthStale = "public, max-age=3600, stale-while-revalidate=2592000";
const script = "console.log('farm');".repeat(100);

const deps = await openTestDeps();
let app: FastifyInstance;
let project: TestProject;
let receipt: { url: string; cookie: string };
const addresses: Record<string, string> = {};

beforeAll(async () => {
  const distDir = join(deps.env.dataDir, "dist");
  await cp("public", distDir, { recursive: true });
  await writeFiles(distDir, {
    "index.html": "<!doctype html><html><head><!--head--></head><body></body></html>",
    "assets/main-1a2b.js": script,
    "assets/main-1a2b.js.br": brotliCompressSync(script),
  });
  app = await buildApp(deps, { distDir });
  const owner = await createAdmin(deps.db, "owner");
  project = await createProject(deps.db);

  const original = await sharp({ create: { width: 400, height: 300, channels: 3, background: "green" } })
    .png()
    .toBuffer();
  const photoKey = newFileKey("photo");
  await deps.storage.write(photoKey, original);
  const ctx = await contextOf(deps, owner);
  const photo = await storePhoto(ctx, { key: photoKey, sha256: "0".repeat(64), originalName: "a.png" });

  const key = newFileKey("video");
  await deps.storage.write(key, Buffer.alloc(10_000, "frame"));
  const [file] = await deps.db
    .insert(storedFiles)
    .values({
      kind: "video",
      storageKey: key,
      sha256: "1".repeat(64),
      bytes: 10_000,
      contentType: "video/mp4",
      originalName: "a.mp4",
    })
    .returning();
  const video = videoPath(key, "video/mp4");
  const posterFileId = photo.fileId;
  await deps.db
    .insert(projectMedia)
    .values({ projectId: project.id, type: "video", url: video, fileId: file?.id, posterFileId });

  const { payment } = await createPayment(deps);
  const jar = cookieJar();
  const { url } = await (await callAs(deps, owner, { jar })).receipts.link({ paymentId: payment.id });
  const session = sessionCookieName(deps.env);
  receipt = { url, cookie: `${session}=${jar.get(session)}` };

  Object.assign(addresses, {
    "an asset": "/assets/main-1a2b.js",
    "a drawing": "/scenes/catfish-ponds.svg",
    "a script of its own name": "/color-scheme.js",
    "a photo": photo.url,
    "a smaller photo in AVIF": photo.url.replace("400.webp", "320.avif"),
    "a video": video,
    "a card": `/cards/project/${project.id}.jpg`,
    "the site's card": "/cards/site.jpg",
    "robots.txt": "/robots.txt",
    "the site map": "/sitemap.xml",
    "the site map of pages": "/sitemaps/pages.xml",
    "a part of the site map": "/sitemaps/projects-0.xml",
    "a receipt": receipt.url,
  });
  return () => app.close();
});

const get = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  app.inject({ method, url, headers });

const sandboxed = "sandbox; default-src 'none'";
// Workers among them load our scripts and ask our server.
const ofBuild = expect.stringContaining("default-src 'none'; script-src 'self'; connect-src 'self'");
const ofData = expect.stringMatching(/^default-src 'none'; base-uri 'none'/);

test.each([
  ["an asset", forever, ofBuild],
  ["a drawing", aMonthStale, ofBuild],
  ["a script of its own name", anHour, ofBuild],
  ["a photo", forever, sandboxed],
  ["a smaller photo in AVIF", forever, sandboxed],
  ["a video", forever, sandboxed],
  ["a card", anHour, ofData],
  ["the site's card", anHour, ofData],
  ["robots.txt", anHour, ofData],
  ["the site map", anHour, ofData],
  ["the site map of pages", anHour, ofData],
  ["a part of the site map", anHour, ofData],
  // Kept by nobody, but a reader may ask for the rest of what it has.
  ["a receipt", "private, no-store", sandboxed],
])("%s has a validator, by which it isn't sent twice", async (name, cacheControl, policy) => {
  const url = addresses[name] ?? "";
  const cookie: Record<string, string> = name === "a receipt" ? { cookie: receipt.cookie } : {};
  const first = await get(url, cookie);
  expect(first.statusCode).toBe(200);
  expect(first.rawPayload.length).toBeGreaterThan(0);
  const etag = String(first.headers.etag);
  expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
  const shared = {
    etag,
    "cache-control": cacheControl,
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
  };
  expect(first.headers).toMatchObject(shared);
  expect(first.headers).not.toHaveProperty("set-cookie");

  for (const known of [etag, `"other", ${etag}`, `W/${etag.replace(/^W\//, "")}`, "*"]) {
    const again = await get(url, { ...cookie, "if-none-match": known });
    expect([known, again.statusCode, again.body]).toEqual([known, 304, ""]);
    // A browser replaces its stored headers with these.
    expect(again.headers).toMatchObject(shared);
    expect(again.headers.vary).toBe(first.headers.vary);
  }
  const changed = await get(url, { ...cookie, "if-none-match": '"other"' });
  expect([changed.statusCode, changed.rawPayload]).toEqual([200, first.rawPayload]);
  const head = await get(url, cookie, "HEAD");
  expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, "", etag]);
});

test("what a browser may have compressed says so, and has a validator for each form", async () => {
  const url = addresses["an asset"] ?? "";
  const [small, plain] = [await get(url, { "accept-encoding": "gzip, br" }), await get(url)];
  expect([small.headers["content-encoding"], plain.headers["content-encoding"]]).toEqual(["br", undefined]);
  expect([small.headers.vary, plain.headers.vary]).toEqual(["accept-encoding", "accept-encoding"]);
  expect(small.headers.etag).not.toBe(plain.headers.etag);
  const known = { "if-none-match": String(plain.headers.etag), "accept-encoding": "gzip, br" };
  expect((await get(url, known)).statusCode).toBe(200);
});

test("no photo or card depends on what a browser accepts: each form has an address of its own", async () => {
  for (const name of ["a photo", "a smaller photo in AVIF", "a card"]) {
    const url = addresses[name] ?? "";
    const [any, none] = [await get(url, { accept: "image/avif,*/*" }), await get(url, { accept: "image/png" })];
    expect([any.headers.vary, any.rawPayload]).toEqual([undefined, none.rawPayload]);
  }
});

test.each([
  ["who is signed in", "/trpc/auth.viewer", 200],
  ["a list", "/trpc/projects.featured", 200],
  ["an unknown photo", `/files/photos/${"e".repeat(32)}/320.avif`, 404],
  ["an unknown address", "/files/none", 404],
  ["the server's health", "/healthz", 200],
])("%s is kept by nobody", async (_name, url, status) => {
  const answer = await get(url);
  expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([status, "no-store"]);
  expect(answer.headers).not.toHaveProperty("etag");
});

test("a page is asked for each time: its nonce is good for one answer", async () => {
  const { headers } = await get("/faq", { accept: "text/html" });
  expect(headers).toMatchObject({ "cache-control": "no-cache", vary: "accept-encoding" });
  expect(headers).not.toHaveProperty("etag");
});

test("a receipt is sent to nobody else, whatever they know of it", async () => {
  const { headers } = await get(receipt.url, { cookie: receipt.cookie });
  for (const known of [String(headers.etag), "*"]) {
    const answer = await get(receipt.url, { "if-none-match": known });
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([401, "no-store"]);
  }
});

test("the site map of projects is another one after each change", async () => {
  const url = addresses["a part of the site map"] ?? "";
  const tags = new Set<unknown>();
  const remember = async () => tags.add((await get(url)).headers.etag);
  await remember();
  const added = await createProject(deps.db);
  await remember();
  const updatedAt = new Date(added.updatedAt.getTime() + 1000);
  await deps.db.update(projects).set({ updatedAt });
  await remember();
  expect(tags.size).toBe(3);
  await remember();
  expect(tags.size).toBe(3);
});
