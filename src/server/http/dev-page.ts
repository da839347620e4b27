import { randomBytes } from "node:crypto";
import type { FastifyReply } from "fastify";
import { escapeHtml } from "#server/platform/text.ts";

/** The frame that shows a mail's HTML, sent by {@link sendMailHtml} at `path`. */
export function mailFrame(path: string): string {
  return `<iframe title="The mail as HTML" src="${escapeHtml(path)}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;
}

/** Sends a mail's HTML for a frame of our pages; no script in it runs. */
export function sendMailHtml(reply: FastifyReply, html: string): FastifyReply {
  reply.headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-frame-options": "SAMEORIGIN",
    "content-security-policy":
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; form-action 'none'; frame-ancestors 'self'",
  });
  // Links open in a new tab, because our pages can't be framed.
  return reply.send(`<base target="_blank">${html}`);
}

/** Sends a plain page for developers, with its own styles and no script. */
export function sendDevPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  const nonce = randomBytes(16).toString("base64");
  reply.headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  });
  return reply.send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; }
body { max-width: 760px; margin: 0 auto; padding: 24px 16px; font: 16px/1.5 system-ui, sans-serif; }
ul { padding: 0; list-style: none; } li { padding: 8px 0; border-bottom: 1px solid #8886; } li span { display: block; font-size: 14px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; } iframe { width: 100%; height: 560px; border: 1px solid #8886; }
</style></head><body><h1>${escapeHtml(title)}</h1>
${body}
</body></html>
`);
}
