import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { projects } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { requireSignInKey } from "#shared/settings/texts.ts";
import { openTestDeps, type TestDeps } from "#tests/support/deps.ts";
import { writeFiles } from "#tests/support/http-app.ts";
import { createAdmin } from "#tests/support/people.ts";
import { beginMissingRounds, createFarm, createProject, farmOf, type TestProject } from "#tests/support/projects.ts";

const origin = "https://gona.example";
const template = `<!doctype html><html><head><meta property="csp-nonce" nonce="__CSP_NONCE__"><!--head--></head><body><!--boot--></body></html>`;
const navigation = { accept: "text/html,application/xhtml+xml" };

const deps: TestDeps = await openTestDeps({ env: { PUBLIC_URL: origin } });
let app: FastifyInstance;
beforeAll(async () => {
  const distDir = join(deps.env.dataDir, "dist");
  await cp("public", distDir, { recursive: true });
  await writeFiles(distDir, { "index.html": template, "scenes/broken.svg": "<svg" });
  app = await buildApp(deps, { distDir });
  return () => app.close();
});

let project: TestProject;
beforeEach(async () => {
  project = await createProject(deps.db, { title: "Snail pens in Epe", imageAlt: "Snails on a leaf" });
});
afterEach(async () => {
  await deps.db.delete(projects);
  await deps.db.delete(settings);
});

const requireSignIn = () => deps.db.insert(settings).values({ key: requireSignInKey, value: "true" });
const open = (url: string) => app.inject({ url, headers: navigation });
const titleOf = (html: string) => /<title>(.*?)<\/title>/s.exec(html)?.[1];
const tag = (html: string, name: string) => new RegExp(`(?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
const canonicalOf = (html: string) => /rel="canonical" href="([^"]*)"/.exec(html)?.[1];

const addressesIn = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1]);

describe("a page's head", () => {
  test("names a project with its words and its picture, at its one address", async () => {
    const { statusCode, body } = await open(`/project/${project.id}?tab=updates&utm_source=chat`);
    expect(statusCode).toBe(200);
    expect(titleOf(body)).toBe("Snail pens in Epe · Gona");
    expect(canonicalOf(body)).toBe(`${origin}/project/${project.id}`);
    expect(tag(body, "robots")).toBeUndefined();
    expect(tag(body, "description")).toBe(project.shortDescription);
    expect({
      site: tag(body, "og:site_name"),
      locale: tag(body, "og:locale"),
      type: tag(body, "og:type"),
      title: tag(body, "og:title"),
      url: tag(body, "og:url"),
      alt: tag(body, "og:image:alt"),
      size: [tag(body, "og:image:width"), tag(body, "og:image:height")],
      card: tag(body, "twitter:card"),
    }).toEqual({
      site: "Gona",
      locale: "en_NG",
      type: "website",
      title: "Snail pens in Epe",
      url: `${origin}/project/${project.id}`,
      alt: "Snails on a leaf",
      size: ["1200", "630"],
      card: "summary_large_image",
    });
    const image = String(tag(body, "og:image"));
    expect(image).toMatch(new RegExp(`^${origin}/cards/project/${project.id}\\.jpg\\?v=[0-9a-f]{8}$`));
    expect(tag(body, "twitter:image")).toBe(image);
    expect((await app.inject(image.slice(origin.length))).statusCode).toBe(200);
  });

  test("names a farm with its place and its story, and no other page of it", async () => {
    const { farmId } = farmOf(project);
    const { statusCode, body } = await open(`/farms/${farmId}`);
    expect([statusCode, titleOf(body), canonicalOf(body)]).toEqual([
      200,
      "Gona Farms · Gona",
      `${origin}/farms/${farmId}`,
    ]);
    expect(tag(body, "description")).toBe(
      "Gona Farms, Ibadan, Oyo: what it runs now, and how each of its rounds went.",
    );
    const card = tag(body, "og:image")?.replace(origin, "") ?? "";
    expect(card).toMatch(new RegExp(`^/cards/farm/${farmId}\\.jpg\\?v=`));
    const answer = await app.inject(card);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "image/jpeg"]);
    expect(addressesIn((await app.inject("/sitemaps/farms.xml")).body)).toContain(`${origin}/farms/${farmId}`);
    for (const wrong of ["/farms/99999", "/farms/x", `/farms/${farmId}/people`]) {
      expect((await open(wrong)).statusCode, wrong).toBe(404);
    }
    const nobodys = await createFarm(deps.db, { name: "Runs nothing" });
    expect((await open(`/farms/${nobodys.id}`)).statusCode).toBe(404);
    await requireSignIn();
    const hidden = await open(`/farms/${farmId}`);
    expect([hidden.statusCode, titleOf(hidden.body)]).toEqual([200, "Farm · Gona"]);
    expect((await app.inject(card)).statusCode).toBe(404);
    expect(addressesIn((await app.inject("/sitemaps/farms.xml")).body)).toEqual([]);
  });

  test("says that a project is closed", async () => {
    const closed = await createProject(deps.db, { title: "Goat herd", isClosed: true });
    expect(titleOf((await open(`/project/${closed.id}`)).body)).toBe("Goat herd (CLOSED) · Gona");
  });

  test("holds a hostile title as text, with a nonce for nobody else", async () => {
    const title = `</title><script nonce="__CSP_NONCE__">$& $1 "x"</script> \u202e🐌`;
    const hostile = await createProject(deps.db, {
      title,
      shortDescription: `"><img src=x onerror=alert(1)> ${title}`,
    });
    const { statusCode, body, headers } = await open(`/project/${hostile.id}`);
    expect(statusCode).toBe(200);
    expect(body).not.toMatch(/<script|<img/);
    expect(body).toContain(
      "&lt;script nonce=&quot;__CSP_NONCE__&quot;&gt;$&amp; $1 &quot;x&quot;&lt;/script&gt; \u202e🐌 · Gona",
    );
    const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1] ?? "none";
    expect(body.split(nonce)).toHaveLength(2);
  });

  test.each(["999999", "0", "abc", "1.5", "99999999999"])("tells that there is no project %s", async (id) => {
    const { statusCode, body, headers } = await open(`/project/${id}`);
    expect(statusCode).toBe(404);
    expect(headers["content-type"]).toContain("text/html");
    expect(titleOf(body)).toBe("Project Not Found · Gona");
    expect(tag(body, "robots")).toBe("noindex");
    expect(canonicalOf(body)).toBeUndefined();
  });

  test("gives nothing of a project away where projects are for signed-in people, not even that there is none", async () => {
    await requireSignIn();
    const there = await open(`/project/${project.id}`);
    const missing = await open("/project/999999");
    const withoutNonce = (body: string) => body.replace(/nonce="[^"]*"/, "");
    expect(there.statusCode).toBe(200);
    expect(missing.statusCode).toBe(200);
    expect(withoutNonce(there.body)).toBe(withoutNonce(missing.body));
    expect(titleOf(there.body)).toBe("Project · Gona");
    expect(tag(there.body, "robots")).toBe("noindex");
    expect(tag(there.body, "og:image")).toBe(`${origin}/cards/site.jpg?v=1`);
    expect(there.body).not.toContain("Snail");
  });

  test("of the set-up isn't listed, and is that of any unknown page once the site has an owner", async () => {
    const withoutNonce = (body: string) => body.replace(/nonce="[^"]*"/, "");
    const before = await open("/setup");
    expect([before.statusCode, titleOf(before.body)]).toEqual([200, "Set up this site · Gona"]);
    expect(tag(before.body, "robots")).toBe("noindex");
    await createAdmin(deps.db, "owner");
    const [after, unknown] = [await open("/setup"), await open("/no-such-page")];
    expect(after.statusCode).toBe(404);
    expect(withoutNonce(after.body)).toBe(withoutNonce(unknown.body));
  });

  test("of the public pages says what they are, without filters in the address", async () => {
    const home = await open("/?utm_source=x");
    expect([home.statusCode, titleOf(home.body), canonicalOf(home.body)]).toEqual([200, "Gona", `${origin}/`]);
    const discover = await open("/discover?category=livestock&search=snail");
    expect([discover.statusCode, titleOf(discover.body), canonicalOf(discover.body)]).toEqual([
      200,
      "Discover · Gona",
      `${origin}/discover`,
    ]);
    expect((await open("/Discover/")).statusCode).toBe(200);
  });

  test.each([
    "/login",
    "/profile?tab=pending",
    "/profile/account",
    "/back-project/1",
    "/backed-project/1",
    "/admin",
    "/admin/dashboard",
    "/admin/project/3",
  ])("keeps %s out of search engines", async (url) => {
    const { statusCode, body } = await open(url);
    expect(statusCode).toBe(200);
    expect(tag(body, "robots")).toBe("noindex");
    expect(canonicalOf(body)).toBeUndefined();
  });

  test.each(["/nowhere", "/project", "/project/1/more", "/admin/nowhere", "/discover/x", "/%F0%9F%90%8C"])(
    "of %s says that there is no such page",
    async (url) => {
      const { statusCode, body, headers } = await open(url);
      expect(statusCode).toBe(404);
      expect(headers["content-security-policy"]).toContain("'nonce-");
      expect(titleOf(body)).toBe("Page not found · Gona");
      expect(tag(body, "robots")).toBe("noindex");
    },
  );
});

describe("a card", () => {
  const cardOf = (id: number) => app.inject(`/cards/project/${id}.jpg`);

  test("is a JPEG of the project's picture in the size that chat programs show, and is kept for an hour", async () => {
    const { statusCode, headers, rawPayload } = await cardOf(project.id);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "image/jpeg",
      "cache-control": "public, max-age=3600",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    const { format, width, height } = await sharp(rawPayload).metadata();
    expect([format, width, height]).toEqual(["jpeg", 1200, 630]);
    // WhatsApp shows none above 300 kB.
    expect(rawPayload.length).toBeLessThan(300_000);
    const again = await app.inject({
      url: `/cards/project/${project.id}.jpg?v=1`,
      headers: { "if-none-match": `"other", W/${headers.etag}` },
    });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  test("differs with the picture, and is the same for many who ask at once", async () => {
    const goats = await createProject(deps.db, { imageUrl: "/scenes/goat-herd.svg" });
    const answers = await Promise.all([cardOf(goats.id), cardOf(goats.id), cardOf(goats.id), cardOf(project.id)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const tags = answers.map(({ headers }) => headers.etag);
    expect(new Set(tags.slice(0, 3)).size).toBe(1);
    expect(tags[3]).not.toBe(tags[0]);
  });

  test("shows the funding goal: with another goal it is another picture, at another address", async () => {
    const imageUrl = "/scenes/goat-herd.svg";
    const cheap = await createProject(deps.db, { imageUrl, fundingGoalKobo: 75_000_000n });
    const dear = await createProject(deps.db, { imageUrl, fundingGoalKobo: 125_000_000n });
    const [first, second] = [await cardOf(cheap.id), await cardOf(dear.id)];
    expect(first.headers.etag).not.toBe(second.headers.etag);
    const versionOf = async (id: number) =>
      /v=(\w+)/.exec(String(tag((await open(`/project/${id}`)).body, "og:image")))?.[1];
    expect(await versionOf(cheap.id)).not.toBe(await versionOf(dear.id));
  });

  test("shows a photo that was uploaded to us", async () => {
    const id = "0123456789abcdef0123456789abcdef";
    const red = sharp({ create: { width: 800, height: 500, channels: 3, background: "#c00000" } });
    await deps.storage.write(`photo/${id}/800.webp`, await red.webp().toBuffer());
    for (const imageUrl of [`/files/photos/${id}/800.webp`, `${origin}/files/photos/${id}/800.webp`]) {
      const withPhoto = await createProject(deps.db, { imageUrl });
      const { rawPayload } = await cardOf(withPhoto.id);
      const { dominant } = await sharp(rawPayload).stats();
      expect(dominant.r).toBeGreaterThan(150);
      expect(dominant.g).toBeLessThan(60);
    }
  });

  test.each([
    "/files/photos/00000000000000000000000000000000/800.webp",
    "https://elsewhere.example/picture.jpg",
    "http://127.0.0.1:1/picture.jpg",
    "https://gona.example.evil.example/scenes/goat-herd.svg",
    "/scenes/../../../etc/passwd.svg",
    "/scenes/%2e%2e/index.svg",
    "/scenes/gone.svg",
    "/scenes/broken.svg",
    "file:///etc/passwd",
    "/scenes/tractor.mp4",
  ])("is the site's where the picture is %s", async (imageUrl) => {
    const site = await app.inject("/cards/site.jpg");
    expect(site.headers["content-type"]).toBe("image/jpeg");
    const other = await createProject(deps.db, { imageUrl });
    const card = await cardOf(other.id);
    expect(card.statusCode).toBe(200);
    expect(card.headers.etag).toBe(site.headers.etag);
  });

  test("is not found without a project, and where projects are for signed-in people", async () => {
    for (const url of ["/cards/project/999999.jpg", "/cards/project/x.jpg", "/cards/project/1.png", "/cards/x"]) {
      const answer = await open(url);
      expect([url, answer.statusCode, answer.json().error.reason]).toEqual([url, 404, "not_found"]);
    }
    await requireSignIn();
    expect((await cardOf(project.id)).statusCode).toBe(404);
  });
});

describe("search engines", () => {
  test("are told what to leave alone, and where the map is", async () => {
    const { headers, body } = await app.inject("/robots.txt");
    expect(headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "public, max-age=3600",
    });
    for (const path of ["/admin", "/profile", "/back-project/", "/backed-project/"])
      expect(body).toContain(`\nDisallow: ${path}\n`);
    expect(body).toMatch(/\nSitemap: https:\/\/gona\.example\/sitemap\.xml\n$/);
  });

  test("find every public page and every project, open or closed", async () => {
    const closed = await createProject(deps.db, { isClosed: true });
    const index = await app.inject("/sitemap.xml");
    expect(index.headers).toMatchObject({
      "content-type": "application/xml; charset=utf-8",
      "cache-control": "public, max-age=3600",
    });
    expect(addressesIn(index.body)).toEqual([
      `${origin}/sitemaps/pages.xml`,
      `${origin}/sitemaps/projects-0.xml`,
      `${origin}/sitemaps/farms.xml`,
    ]);
    const pages = addressesIn((await app.inject("/sitemaps/pages.xml")).body);
    expect(pages).toContain(`${origin}/`);
    expect(pages).toContain(`${origin}/discover`);
    expect(pages.join(" ")).not.toMatch(/admin|profile|login/);
    const part = await app.inject("/sitemaps/projects-0.xml");
    expect(part.body).toMatch(/^<\?xml .*<\/urlset>\n$/s);
    expect(addressesIn(part.body)).toEqual([`${origin}/project/${project.id}`, `${origin}/project/${closed.id}`]);
    expect(part.body).toContain(`<lastmod>${project.updatedAt.toISOString()}</lastmod>`);
  });

  test("get a part for each fifty thousand ids that are in use, which is looked up every ten minutes", async () => {
    const far = { ...project, id: 150_001 };
    deps.clock.advance({ minutes: 10 });
    const before = (await app.inject("/sitemap.xml")).body;
    await deps.db.transaction(async (tx) => {
      const made = [far, { ...far, id: 2_147_483_647 }];
      await tx.insert(projects).overridingSystemValue().values(made);
      await beginMissingRounds(tx);
    });
    expect((await app.inject("/sitemap.xml")).body).toBe(before);
    deps.clock.advance({ minutes: 10 });
    const index = addressesIn((await app.inject("/sitemap.xml")).body);
    expect(index.slice(1, -1)).toEqual([0, 3, 42_949].map((part) => `${origin}/sitemaps/projects-${part}.xml`));
    for (const [part, id] of [
      [3, 150_001],
      [42_949, 2_147_483_647],
    ])
      expect(addressesIn((await app.inject(`/sitemaps/projects-${part}.xml`)).body)).toEqual([
        `${origin}/project/${id}`,
      ]);
    for (const part of ["1", "2", "99999", "x", "-1"])
      expect((await app.inject(`/sitemaps/projects-${part}.xml`)).statusCode).toBe(404);
  });

  test("learn of no project where projects are for signed-in people", async () => {
    await requireSignIn();
    expect(addressesIn((await app.inject("/sitemap.xml")).body)).toEqual([`${origin}/sitemaps/pages.xml`]);
    expect((await app.inject("/sitemaps/projects-0.xml")).statusCode).toBe(404);
  });
});
