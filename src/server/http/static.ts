import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendCompressed } from "#server/http/compression.ts";
import { pagePolicy } from "#server/platform/content-policy.ts";

/** What is put into a page before any script has run. In all of it `nonceMark` stands for the answer's nonce. */
export type PageContent = {
  nonceMark: string;
  /** Tags for the head: those that come first, and those that come last. */
  head: string;
  tags: string;
  /** Put behind the start's, which it may overrule. */
  css: string;
  /** The HTML within `#root`; empty where the browser draws the page. */
  root: string;
  boot: string;
};

export type Page = {
  status: number;
  /** The tags of the page's head. */
  head: string;
  content?: PageContent | undefined;
  /** Made for one person: kept by no cache, the browser's neither, whose Back would show it to the next one. */
  isPrivate?: boolean;
};

type StaticOptions = {
  distDir: string;
  /** What the page at a decoded path (with its slash, without a query) is answered with. */
  pageOf: (path: string, request: FastifyRequest, reply: FastifyReply) => Promise<Page>;
};

/**
 * Serves the built client from `distDir`: hashed assets for ever, other public files for an hour, and the one page
 * for every other address. Register after all other routes.
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
    setHeaders: (reply) => reply.header("content-security-policy", pagePolicy()),
  });

  app.get("/*", async (request, reply) => {
    const path = decodedPath(request.url);
    if (path === undefined) return reply.callNotFound();
    if (publicFiles.has(path)) {
      if (path.startsWith("assets/")) return reply.sendFile(path, { maxAge: "365d", immutable: true });
      if (!/\.svg$/.test(path)) return reply.sendFile(path, { maxAge: "1h" });
      // A drawing of before the last release does no harm: it is shown at once, and asked for anew behind it.
      reply.header("cache-control", "public, max-age=3600, stale-while-revalidate=2592000");
      return reply.sendFile(path, { cacheControl: false });
    }
    if (!isPage(request)) return reply.callNotFound();
    const page = await pageOf(`/${path}`, request, reply);
    if (page.status === 404 && !takesHtml(request)) return reply.callNotFound();
    return sendPage(request, reply, template, page);
  });
}

const startScript = '<script type="module"';
const placeholders = /__CSP_NONCE__|<!--(?:head|root|boot)-->|<\/head>|<script type="module"/g;

const styleTag = (css: string, nonce: string) => (css ? `<style nonce="${nonce}">${css}</style>` : "");

/** In one pass and by a function: what people typed must be read neither as a placeholder nor as a pattern. */
function renderPage(template: string, { head, content }: Page, nonce: string): string {
  const part = (name: "head" | "tags" | "root" | "boot") => content?.[name].replaceAll(content.nonceMark, nonce) ?? "";
  return template.replace(placeholders, (placeholder) => {
    if (placeholder === "<!--head-->") return `${head}${part("head")}`;
    if (placeholder === "</head>") return `${part("tags")}${styleTag(content?.css ?? "", nonce)}</head>`;
    // A rendered page can be read: its picture goes before the scripts.
    if (placeholder === startScript) return content?.root ? `${startScript} fetchpriority="low"` : startScript;
    if (placeholder === "<!--root-->") return part("root");
    return placeholder === "<!--boot-->" ? part("boot") : nonce;
  });
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  template: string,
  page: Page,
): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString("base64");
  const html = Buffer.from(renderPage(template, page, nonce));
  reply.code(page.status).headers({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": pagePolicy(nonce),
    "cache-control": page.isPrivate ? "no-store" : "no-cache",
  });
  return sendCompressed(request, reply, html);
}

/** Addresses below these are never pages: an unknown one is a 404 in JSON. */
const notPages = /^\/(trpc|uploads|files|assets|cards|sitemaps|livestream|dev)(\/|$)/;

/**
 * Pages answer to everybody, whatever a request says of itself: monitors, link checkers and previews ask as scripts do.
 * What looks like a file is a page for browsers only, which read there that it isn't found.
 */
function isPage({ url, headers }: FastifyRequest): boolean {
  const path = url.split("?", 1)[0] ?? "";
  if (notPages.test(path)) return false;
  return !path.slice(path.lastIndexOf("/")).includes(".") || /\btext\/html\b/.test(headers.accept ?? "");
}

/** Who asks for data only is told in data that there is no such address. */
const takesHtml = ({ headers: { accept = "*/*" } }: FastifyRequest) => /\btext\/html\b|\*\/\*/.test(accept);

function decodedPath(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split("?", 1)[0] ?? "").slice(1);
  } catch {
    return undefined;
  }
}

/**
 * Every file of the build that has an address of its own, read once: nothing else on the disk can be asked for. Pages
 * are templates, and are filled before they are sent.
 */
async function listPublicFiles(distDir: string): Promise<Set<string>> {
  const entries = await readdir(distDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(distDir.length).replace(/^\//, ""));
  const isServed = (path: string) => !/(^|\/)\./.test(path) && !/\.(br|gz)$/.test(path) && !/\.html$/.test(path);
  return new Set(paths.filter(isServed));
}
