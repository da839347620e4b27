import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { projectBackings, projectMedia } from "#server/db/schema/projects.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { projectLimits } from "#shared/projects/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { writeFiles } from "#tests/support/http-app.ts";
import { blockUser, callAs, cookieJar, createAdmin, createUser, type Who } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps({ env: { NODE_ENV: "", PUBLIC_URL: "http://localhost:3000" } });
const source = "https://live.farm.example:8443/pond/index.m3u8?a=1&b='2";

let app: FastifyInstance;
beforeAll(async () => {
  const distDir = await writeFiles(join(deps.env.dataDir, "dist"), {
    "index.html": "<title>Gona</title>",
    "livestream.html": `<main data-source="__SOURCE__"><video aria-label="__LABEL__"></video><p>__STATUS__</p></main>`,
  });
  app = await buildApp(deps, { distDir });
});
afterAll(() => app.close());

type MediaValues = Pick<typeof projectMedia.$inferInsert, "type" | "url"> & { altText?: string };

/** Adds media to a project, the first one newest. Returns their ids. */
async function addMedia(projectId: number, media: MediaValues[]): Promise<number[]> {
  const now = deps.clock.now().getTime();
  const rows = await deps.db
    .insert(projectMedia)
    .values(media.map((values, age) => ({ ...values, projectId, createdAt: new Date(now - age * 60_000) })))
    .returning({ id: projectMedia.id });
  return rows.map(({ id }) => id);
}

async function createBacker(projectId: number) {
  const backer = await createUser(deps.db);
  await deps.db.insert(projectBackings).values({ projectId, userId: backer.id, grantedAt: deps.clock.now() });
  return backer;
}

describe("the gallery", () => {
  test("holds photos, videos and YouTube entries for everybody, newest first, and no livestream", async () => {
    const project = await createProject(deps.db);
    const other = await createProject(deps.db);
    await addMedia(other.id, [{ type: "photo", url: "/scenes/goat-herd.svg" }]);
    const [video, stream, youtube, photo] = await addMedia(project.id, [
      { type: "video", url: "/files/media/1.mp4" },
      { type: "livestream", url: `[url]${source}` },
      { type: "youtube", url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" },
      { type: "photo", url: "/scenes/catfish-ponds.svg", altText: "The pond" },
    ]);
    const anonymous = await callAs(deps, "anonymous");
    const page = await anonymous.media.gallery({ projectId: project.id });
    expect(page.items.map(({ id }) => id)).toEqual([video, youtube, photo]);
    expect(page.total).toBe(3);
    expect(page.items[2]).toMatchObject({ type: "photo", url: "/scenes/catfish-ponds.svg", altText: "The pond" });
    expect(page.items.some(({ id }) => id === stream)).toBe(false);
  });

  test("comes in pages that leave nothing out, however many share a moment", async () => {
    const project = await createProject(deps.db);
    const total = 2 * projectLimits.contentPageSize + 1;
    const createdAt = deps.clock.now();
    await deps.db.insert(projectMedia).values(
      Array.from({ length: total }, (_, index) => ({
        projectId: project.id,
        type: "photo" as const,
        url: `/scenes/${index}.svg`,
        createdAt,
      })),
    );
    const anonymous = await callAs(deps, "anonymous");
    const seen: number[] = [];
    for (const [page, size] of [
      [1, 5],
      [2, 5],
      [3, 1],
      [4, 0],
    ]) {
      const answer = await anonymous.media.gallery({ projectId: project.id, page });
      expect(answer.items).toHaveLength(size ?? 0);
      expect(answer.total).toBe(total);
      seen.push(...answer.items.map(({ id }) => id));
    }
    expect(new Set(seen).size).toBe(total);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  });
});

describe("livestreams", () => {
  test("are described for a backer and every administrator, and the address of one that plays here isn't told", async () => {
    const project = await createProject(deps.db);
    const backer = await createBacker(project.id);
    const [hls, link, embed] = await addMedia(project.id, [
      { type: "livestream", url: `[url]${source}`, altText: "Pond 3" },
      { type: "livestream", url: "[url]https://farm.example/camera" },
      {
        type: "livestream",
        url: `[embed]<iframe src="https://player.vimeo.com/video/1" onload="alert(1)"></iframe>`,
      },
      { type: "livestream", url: "[embed]<script>alert(1)</script>" },
      { type: "livestream", url: "[url]javascript:alert(1)" },
      { type: "photo", url: "/scenes/catfish-ponds.svg" },
    ]);
    for (const who of [backer, "viewer", "manager", "owner"] satisfies Who[]) {
      const caller = await callAs(deps, who);
      const { items, total } = await caller.media.livestreams({ projectId: project.id });
      expect(total).toBe(3);
      expect(items).toEqual([
        expect.objectContaining({ id: hls, altText: "Pond 3", stream: { kind: "hls" } }),
        expect.objectContaining({ id: link, stream: { kind: "link", href: "https://farm.example/camera" } }),
        expect.objectContaining({ id: embed, stream: { kind: "vimeo", videoId: "1", privacyHash: null } }),
      ]);
    }
  });

  test("come five a page", async () => {
    const project = await createProject(deps.db);
    const ids = await addMedia(
      project.id,
      Array.from({ length: 6 }, (_, index) => ({
        type: "livestream" as const,
        url: `[url]https://a.example/${index}`,
      })),
    );
    const caller = await callAs(deps, await createBacker(project.id));
    const pageOf = async (page: number) =>
      (await caller.media.livestreams({ projectId: project.id, page })).items.map(({ id }) => id);
    expect([await pageOf(1), await pageOf(2)]).toEqual([ids.slice(0, 5), ids.slice(5)]);
    const viewer = await callAs(deps, "viewer");
    const second = await viewer.media.ofType({ projectId: project.id, type: "livestream", page: 2 });
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(5));
    expect(second.counts.livestream).toBe(6);
  });

  test("of a project that somebody else backs don't exist, as those of none", async () => {
    const project = await createProject(deps.db);
    const backer = await createBacker(project.id);
    await addMedia(project.id, [{ type: "livestream", url: `[url]${source}` }]);
    const other = await createProject(deps.db);
    const stranger = await callAs(deps, await createBacker(other.id));
    for (const projectId of [project.id, 999_999]) {
      await expect(stranger.media.livestreams({ projectId })).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "Project not found",
      });
    }
    const anonymous = await callAs(deps, "anonymous");
    await expect(anonymous.media.livestreams({ projectId: project.id })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    const blocked = await callAs(deps, backer);
    await blockUser(deps.db, backer.id);
    await expect(blocked.media.livestreams({ projectId: project.id })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});

describe("GET /livestream/{id}", () => {
  async function get(path: string | number, who: Who) {
    const jar = cookieJar();
    await callAs(deps, who, { jar });
    const name = sessionCookieName(deps.env);
    const cookie = `${name}=${jar.get(name) ?? ""}`;
    return app.inject({ url: `/livestream/${path}`, headers: { host: "localhost:3000", accept: "text/html", cookie } });
  }

  async function streamOf(url: string) {
    const project = await createProject(deps.db);
    const backer = await createBacker(project.id);
    const [id = 0] = await addMedia(project.id, [{ type: "livestream", url, altText: `"><script>alert(1)</script>` }]);
    return { id, backer };
  }

  test("plays for a backer and an administrator, from the stream's host and no other, in frames of ours", async () => {
    const { id, backer } = await streamOf(`[url]${source}`);
    for (const who of [backer, await createAdmin(deps.db, "viewer")]) {
      const { statusCode, headers, body } = await get(id, who);
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "x-frame-options": "SAMEORIGIN",
      });
      const policy = String(headers["content-security-policy"]).split("; ");
      expect(policy).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src https://live.farm.example:8443",
        "media-src https://live.farm.example:8443 blob:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        "report-uri /csp-report",
        "report-to csp",
      ]);
      expect(body).toContain(
        'data-source="https://live.farm.example:8443/pond/index.m3u8?a=1&amp;b=%272"><video aria-label="&quot;&gt;&lt;script&gt;',
      );
      expect(body).toContain("<p>Starting the livestream…</p>");
      expect(body).not.toContain("<script>");
    }
  });

  test("plays nothing for anybody else, and says so in its frame", async () => {
    const { id, backer } = await streamOf(`[url]${source}`);
    const stranger = await createUser(deps.db);
    const blocked = await createUser(deps.db);
    await blockUser(deps.db, blocked.id);
    const refused = [
      { answer: await get(id, "anonymous"), status: 401, text: "Authentication required" },
      { answer: await get(id, blocked), status: 401, text: "Authentication required" },
      { answer: await get(id, stranger), status: 404, text: "Project not found" },
      { answer: await get(id + 1000, backer), status: 404, text: "Project not found" },
      { answer: await get("abc", backer), status: 404, text: "Project not found" },
      { answer: await get("9".repeat(30), backer), status: 404, text: "Project not found" },
    ];
    for (const { answer, status, text } of refused) {
      expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(`<p>${text}</p>`)]);
      expect(answer.body).toContain('data-source=""');
      expect(answer.body).not.toContain("farm.example");
      expect(answer.headers["x-frame-options"]).toBe("SAMEORIGIN");
      expect(answer.headers["content-security-policy"]).not.toMatch(/connect-src|media-src/);
    }
  });

  test("is no page for what is only a link, nor for what isn't a livestream", async () => {
    const { id, backer } = await streamOf("[url]https://farm.example/camera");
    expect((await get(id, backer)).statusCode).toBe(404);
    const project = await createProject(deps.db);
    const [video = 0] = await addMedia(project.id, [{ type: "video", url: "[url]https://farm.example/a.m3u8" }]);
    expect((await get(video, await createBacker(project.id))).statusCode).toBe(404);
  });

  test("in local use plays from this machine by http too", async () => {
    const { id, backer } = await streamOf("[url]http://127.0.0.1:9000/a.m3u8");
    const { statusCode, headers } = await get(id, backer);
    expect(statusCode).toBe(200);
    expect(headers["content-security-policy"]).toContain("connect-src http://127.0.0.1:9000;");
  });
});
