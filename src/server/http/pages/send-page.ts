import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendCompressed } from "#server/http/compression.ts";
import { pagePolicy } from "#server/platform/content-policy.ts";

/** The server-rendered parts of a page. Every `nonceMark` in them is replaced by the response's nonce. */
export type PageContent = {
  nonceMark: string;
  /** Tags for the beginning and the end of the head. */
  head: string;
  tags: string;
  /** Placed after the entry's CSS, so that it can override it. */
  css: string;
  /** The HTML inside `#root`; empty if the browser renders the page. */
  root: string;
  boot: string;
};

export type Page = {
  status: number;
  /** The tags for the page's head. */
  head: string;
  /** Styles derived from the operator's colour. They override all others. */
  css?: string;
  content?: PageContent | undefined;
  /** Made for one person, so no cache may store it. Even the browser's would show it to the next person on Back. */
  isPrivate?: boolean;
};

const startScript = '<script type="module"';

const placeholders = /__CSP_NONCE__|<!--(?:head|root|boot)-->|<\/head>|<script type="module"/g;

const styleTag = (css: string, nonce: string, id = "") =>
  css ? `<style nonce="${nonce}"${id && ` id="${id}"`}>${css}</style>` : "";

/**
 * Replaces all placeholders in one pass with a function, so that typed text is read neither as a placeholder nor as a
 * pattern.
 */
function renderPage(template: string, { head, css = "", content }: Page, nonce: string): string {
  const part = (name: "head" | "tags" | "root" | "boot") => content?.[name].replaceAll(content.nonceMark, nonce) ?? "";
  return template.replace(placeholders, (placeholder) => {
    if (placeholder === "<!--head-->") return `${head}${part("head")}`;
    if (placeholder === "</head>")
      return `${part("tags")}${styleTag(content?.css ?? "", nonce)}${styleTag(css, nonce, "look")}</head>`;
    // A rendered page is readable without scripts, so its pictures load first.
    if (placeholder === startScript) return content?.root ? `${startScript} fetchpriority="low"` : startScript;
    if (placeholder === "<!--root-->") return part("root");
    return placeholder === "<!--boot-->" ? part("boot") : nonce;
  });
}

export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  template: string,
  page: Page,
): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString("base64");
  const html = renderPage(template, page, nonce);
  reply.code(page.status).headers({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": pagePolicy(nonce),
    "cache-control": page.isPrivate ? "no-store" : "no-cache",
  });
  return sendCompressed(request, reply, html);
}
