import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Page, sendPage } from "#server/http/pages/send-page.ts";
import { buildPolicy } from "#server/platform/content-policy.ts";

type StaticOptions = {
  distDir: string;
  /** Describes the response at a decoded path (with its leading slash, without a query). */
  pageOf: (path: string, request: FastifyRequest, reply: FastifyReply) => Promise<Page>;
};

/**
 * Serves the built client from `distDir`: hashed assets for ever, other public files for an hour, and the HTML page for
 * every other address. Register it after all other routes.
 */
export async function registerStatic(app: FastifyInstance, { distDir, pageOf }: StaticOptions): Promise<void> {
  const indexFile = join(distDir, "index.html");
  if (!existsSync(indexFile)) {
    app.get("/*", async (request, reply) =>
      isPage(request)
        ? reply.code(503).type("text/plain; charset=utf-8").send("The client isn't built yet: run `npm run build`.\n")
        : reply.callNotFound(),
    );
    return;
  }

  const template = await readFile(indexFile, "utf8");
  const publicFiles = await listPublicFiles(distDir);
  await app.register(fastifyStatic, {
    root: distDir,
    serve: false,
    preCompressed: true,
    setHeaders: (reply) => reply.header("content-security-policy", buildPolicy),
  });

  app.get("/assets/*", { config: { isData: true } }, async (request, reply) => {
    const path = decodedPath(request.url);
    if (path === undefined || !publicFiles.has(path)) return reply.callNotFound();
    return reply.sendFile(path, { maxAge: "365d", immutable: true });
  });

  app.get("/*", async (request, reply) => {
    const path = decodedPath(request.url);
    if (path === undefined) return reply.callNotFound();
    if (publicFiles.has(path)) {
      if (!/\.svg$/.test(path)) return reply.sendFile(path, { maxAge: "1h" });
      // A drawing of an earlier release is harmless, so it is shown at once and revalidated in the background.
      reply.header("cache-control", "public, max-age=3600, stale-while-revalidate=2592000");
      return reply.sendFile(path, { cacheControl: false });
    }
    if (!isPage(request)) return reply.callNotFound();
    const page = await pageOf(`/${path}`, request, reply);
    if (page.status === 404 && !takesHtml(request)) return reply.callNotFound();
    return sendPage(request, reply, template, page);
  });
}

/** Addresses below these are never pages: an unknown one is a 404 as JSON. */
const notPages = /^\/(trpc|uploads|files|assets|cards|sitemaps|livestream|dev)(\/|$)/;

/**
 * Pages are served whatever the Accept header says, because monitors, link checkers and previews send the headers of
 * scripts.
 * A path that looks like a file gets the not-found page only in browsers.
 */
function isPage({ url, headers }: FastifyRequest): boolean {
  const path = url.split("?", 1)[0] ?? "";
  if (notPages.test(path)) return false;
  return !path.slice(path.lastIndexOf("/")).includes(".") || /\btext\/html\b/.test(headers.accept ?? "");
}

/** Requests that accept no HTML get the 404 as JSON. */
const takesHtml = ({ headers: { accept = "*/*" } }: FastifyRequest) => /\btext\/html\b|\*\/\*/.test(accept);

/** As the client's router reads it: an encoded slash stays one. */
function decodedPath(url: string): string | undefined {
  try {
    return decodeURI(url.split("?", 1)[0] ?? "").slice(1);
  } catch {
    return undefined;
  }
}

/**
 * Every file of the build with its own address, listed once; no other file on the disk can be requested. HTML pages are
 * left out, because they are templates that are filled first.
 */
async function listPublicFiles(distDir: string): Promise<Set<string>> {
  const entries = await readdir(distDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(distDir.length).replace(/^\//, ""));
  const isServed = (path: string) => !/(^|\/)\./.test(path) && !/\.(br|gz)$/.test(path) && !/\.html$/.test(path);
  return new Set(paths.filter(isServed));
}
