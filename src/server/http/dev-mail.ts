import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply } from "fastify";
import PostalMime, { type Email } from "postal-mime";
import type { Env } from "#server/core/env.ts";
import { AppError } from "#server/core/errors.ts";
import { escapeHtml } from "#server/core/html.ts";
import { mailFolder } from "#server/core/mailer.ts";
import { requireLoopbackHost } from "#server/http/security.ts";

const MAX_LISTED = 200;

/**
 * GET /dev/mail: the mails that went to no server, newest first, for whoever tries the product on their own machine.
 * Exists in local use without an SMTP server only, and answers only to this machine's own names.
 */
export function registerDevMail(app: FastifyInstance, env: Env): void {
  if (!env.isLocalUse || env.smtpUrl !== undefined) return;
  const folder = mailFolder(env.dataDir);
  app.register(async (scope) => {
    scope.addHook("onRequest", requireLoopbackHost);

    scope.get("/dev/mail", async (_request, reply) => {
      const names = (await readdir(folder).catch(() => [])).filter((name) =>
        idPattern.test(name.replace(/\.eml$/, "")),
      );
      const ids = names
        .sort()
        .reverse()
        .slice(0, MAX_LISTED)
        .map((name) => name.replace(/\.eml$/, ""));
      const mails = await Promise.all(ids.map(async (id) => ({ id, mail: await readMail(folder, id) })));
      return sendPage(reply, "Mail", listHtml(mails));
    });

    scope.get<{ Params: { id: string } }>("/dev/mail/:id", async (request, reply) => {
      const mail = await readMail(folder, request.params.id);
      return sendPage(reply, mail.subject ?? "Mail", mailHtml(request.params.id, mail));
    });

    scope.get<{ Params: { id: string } }>("/dev/mail/:id/html", async (request, reply) => {
      const mail = await readMail(folder, request.params.id);
      reply.headers({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "x-frame-options": "SAMEORIGIN",
        "content-security-policy":
          "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; form-action 'none'; frame-ancestors 'self'",
      });
      // Links leave the frame: our pages can't be framed.
      return reply.send(`<base target="_blank">${mail.html ?? ""}`);
    });
  });
}

/** A mail's id is its file's name without the ending, as the mailer makes it. */
const idPattern = /^[0-9TZ-]{20,30}-[0-9a-f]{8}$/;

async function readMail(folder: string, id: string): Promise<Email> {
  if (!idPattern.test(id)) throw new AppError("not_found", "Mail not found");
  try {
    return await PostalMime.parse(await readFile(join(folder, `${id}.eml`)));
  } catch (error) {
    throw new AppError("not_found", "Mail not found", { cause: error });
  }
}

function listHtml(mails: { id: string; mail: Email }[]): string {
  if (mails.length === 0) return "<p>No mail yet. What the server sends appears here.</p>";
  const rows = mails.map(
    ({ id, mail }) =>
      `<li><a href="/dev/mail/${id}">${escapeHtml(mail.subject ?? "(no subject)")}</a>
<span>${escapeHtml(recipientsOf(mail))} · ${escapeHtml(mail.date ?? "")}</span></li>`,
  );
  return `<ul>${rows.join("\n")}</ul>`;
}

function mailHtml(id: string, mail: Email): string {
  const headers = mail.headers.map((header) => `${header.originalKey}: ${header.value}`).join("\n");
  return `<p><a href="/dev/mail">All mail</a></p>
<p>To ${escapeHtml(recipientsOf(mail))}</p>
<h2>Text</h2><pre>${linked(mail.text ?? "")}</pre>
<h2>HTML</h2><iframe title="The mail as HTML" src="/dev/mail/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<h2>Headers</h2><pre>${escapeHtml(headers)}</pre>`;
}

const recipientsOf = (mail: Email) => (mail.to ?? []).map((recipient) => recipient.address ?? "").join(", ");

/** Escaped text with its web addresses as links. */
function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"')]+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join("");
}

function sendPage(reply: FastifyReply, title: string, body: string): FastifyReply {
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
