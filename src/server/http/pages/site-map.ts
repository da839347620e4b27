import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";
import { listSitemapFarms } from "#server/features/farm-pages/farm-page.ts";
import {
  listSitemapParts,
  listSitemapProjects,
  readSitemapState,
  SITEMAP_PART,
} from "#server/features/projects/queries.ts";
import { requiresSignInForProjects } from "#server/features/settings/queries.ts";
import { openCache } from "#server/platform/cache.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { etagOf, isKnown } from "#server/platform/etag.ts";
import { escapeHtml } from "#server/platform/text.ts";
import { errorTexts } from "#shared/errors.ts";
import { publicPathsOf } from "./page-heads.ts";

/** Path prefixes that crawlers should not visit. Sign-in pages have their own noindex. */
const closedPaths = [
  "/admin",
  "/profile",
  "/back-project/",
  "/backed-project/",
  "/project-updates/",
  "/create-project",
  "/edit-project/",
  "/uploads/",
  "/auth/",
  "/dev/",
];

/** Finding when each part last changed reads every project, which takes a second for a million of them. */
const PARTS_MAX_AGE_MS = 10 * 60_000;
const ROWS_AT_ONCE = 5000;
/** The maximum of PostgreSQL's integer type. */
const LAST_ID = 2_147_483_647;
const open = '<?xml version="1.0" encoding="UTF-8"?>\n';
const xml = "application/xml";
const schema = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/**
 * GET /robots.txt, /sitemap.xml (an index), /sitemaps/pages.xml, /sitemaps/farms.xml and /sitemaps/projects-{part}.xml:
 * what search engines may list. A part has the projects of {@link SITEMAP_PART} consecutive ids, at most 50,000, and is
 * streamed.
 */
export function registerSiteMap(
  app: FastifyInstance,
  { clock, db, env, site }: Pick<Deps, "clock" | "db" | "env" | "site">,
): void {
  const parts = openCache<Awaited<ReturnType<typeof listSitemapParts>>>({
    // Room for one key, whose letters count too.
    maxBytes: 100,
    bytesOf: () => 1,
    maxAgeMs: PARTS_MAX_AGE_MS,
    now: () => clock.now().getTime(),
  });
  const listParts = () => parts.get("parts", () => listSitemapParts(db));
  const addressOf = (path: string) => escapeHtml(`${env.publicUrl}${path}`);

  app.get("/robots.txt", async (_request, reply) => {
    const lines = ["User-agent: *", ...closedPaths.map((path) => `Disallow: ${path}`), "Allow: /"];
    return sendText(reply, "text/plain", `${lines.join("\n")}\n\nSitemap: ${env.publicUrl}/sitemap.xml\n`);
  });

  app.get("/sitemap.xml", async (_request, reply) => {
    const isClosed = await requiresSignInForProjects(db);
    const shown = isClosed ? [] : await listParts();
    const farms = isClosed ? [] : await listSitemapFarms(db, 1);
    const entries = [
      `<sitemap><loc>${addressOf("/sitemaps/pages.xml")}</loc></sitemap>`,
      ...shown.map(
        ({ part, updatedAt }) =>
          `<sitemap><loc>${addressOf(`/sitemaps/projects-${part}.xml`)}</loc><lastmod>${updatedAt.toISOString()}</lastmod></sitemap>`,
      ),
      ...(farms.length > 0 ? [`<sitemap><loc>${addressOf("/sitemaps/farms.xml")}</loc></sitemap>`] : []),
    ];
    return sendText(reply, xml, `${open}<sitemapindex ${schema}>\n${entries.join("\n")}\n</sitemapindex>\n`);
  });

  app.get("/sitemaps/pages.xml", async (_request, reply) => {
    const entries = publicPathsOf(site.current()).map((path) => `<url><loc>${addressOf(path)}</loc></url>`);
    return sendText(reply, xml, `${open}<urlset ${schema}>\n${entries.join("\n")}\n</urlset>\n`);
  });

  app.get("/sitemaps/farms.xml", async (_request, reply) => {
    const farms = (await requiresSignInForProjects(db)) ? [] : await listSitemapFarms(db);
    const entries = farms.map(
      ({ id, updatedAt }) =>
        `<url><loc>${addressOf(`/farms/${id}`)}</loc><lastmod>${updatedAt.toISOString()}</lastmod></url>`,
    );
    return sendText(reply, xml, `${open}<urlset ${schema}>\n${entries.join("\n")}\n</urlset>\n`);
  });

  app.get<{ Params: { part: string } }>("/sitemaps/projects-:part.xml", async ({ params }, reply) => {
    const after = /^\d{1,5}$/.test(params.part) ? Number(params.part) * SITEMAP_PART : LAST_ID;
    const until = Math.min(after + SITEMAP_PART, LAST_ID);
    const isPart = after < LAST_ID && !(await requiresSignInForProjects(db));
    const state = isPart ? await readSitemapState(db, { after, until }) : null;
    if (!state?.total) throw new AppError("not_found", errorTexts.notFound);
    const etag = `W/${etagOf(JSON.stringify([env.publicUrl, params.part, state]))}`;
    return sendFresh(reply, etag, xml, () => Readable.from(writePart(after, until)));
  });

  async function* writePart(from: number, until: number) {
    yield `${open}<urlset ${schema}>\n`;
    for (let after = from; ; ) {
      const rows = await listSitemapProjects(db, { after, until, limit: ROWS_AT_ONCE });
      yield rows
        .map(
          ({ id, updatedAt }) =>
            `<url><loc>${addressOf(`/project/${id}`)}</loc><lastmod>${updatedAt.toISOString()}</lastmod></url>\n`,
        )
        .join("");
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_AT_ONCE) break;
      after = last.id;
    }
    yield "</urlset>\n";
  }
}

const sendText = (reply: FastifyReply, type: string, text: string) => sendFresh(reply, etagOf(text), type, () => text);

/** Sends a document that clients cache for an hour and then revalidate. */
function sendFresh(reply: FastifyReply, etag: string, type: string, body: () => string | Readable): FastifyReply {
  reply.headers({ etag, "cache-control": "public, max-age=3600" });
  if (isKnown(reply.request, etag)) return reply.code(304).send();
  return reply.type(`${type}; charset=utf-8`).send(body());
}
