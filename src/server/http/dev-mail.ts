import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import PostalMime, { type Email } from "postal-mime";
import { mailFolder } from "#server/mail/mailer.ts";
import type { Env } from "#server/platform/env.ts";
import { AppError } from "#server/platform/errors.ts";
import { escapeHtml } from "#server/platform/text.ts";
import { mailFrame, sendDevPage, sendMailHtml } from "./dev-page.ts";
import { requireLoopbackHost } from "./security.ts";

const MAX_LISTED = 200;

/**
 * GET /dev/mail: the mails saved for want of a mail server, newest first, for trying the product locally.
 * It exists only in local use without an SMTP server, and responds only to this machine's own names.
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
      return sendDevPage(
        reply,
        "Mail",
        `${listHtml(mails)}<p><a href="/dev/mail/previews">Previews of every mail</a></p>`,
      );
    });

    scope.get<{ Params: { id: string } }>("/dev/mail/:id", async (request, reply) => {
      const mail = await readMail(folder, request.params.id);
      return sendDevPage(reply, mail.subject ?? "Mail", mailHtml(request.params.id, mail));
    });

    scope.get<{ Params: { id: string } }>("/dev/mail/:id/html", async (request, reply) => {
      const mail = await readMail(folder, request.params.id);
      return sendMailHtml(reply, mail.html ?? "");
    });
  });
}

/** A mail's id is its file name without the extension, as the mailer creates it. */
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
<h2>HTML</h2>${mailFrame(`/dev/mail/${id}/html`)}
<h2>Headers</h2><pre>${escapeHtml(headers)}</pre>`;
}

const recipientsOf = (mail: Email) => (mail.to ?? []).map((recipient) => recipient.address ?? "").join(", ");

/** Escapes the text and makes its web addresses links. */
function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"')]+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join("");
}
