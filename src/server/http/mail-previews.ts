import type { FastifyInstance } from "fastify";
import { renderMail } from "#server/mail/layout.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { escapeHtml } from "#server/platform/text.ts";
import { mailFrame, sendDevPage, sendMailHtml } from "./dev-page.ts";
import { mailSamples } from "./mail-samples.ts";
import { requireLoopbackHost } from "./security.ts";

/**
 * GET /dev/mail/previews: every mail of the product with made-up data, as HTML and as text, for developers.
 * It exists only in local use, and responds only to this machine's own names.
 */
export function registerMailPreviews(app: FastifyInstance, { env, site }: Pick<Deps, "env" | "site">): void {
  if (!env.isLocalUse) return;
  const find = async (id: string) => {
    const sample = mailSamples(site.current()).find((it) => it.id === id);
    if (!sample) throw new AppError("not_found", "Mail not found");
    return { ...sample, ...renderMail(site.current(), sample.content) };
  };
  app.register(async (scope) => {
    scope.addHook("onRequest", requireLoopbackHost);

    scope.get("/dev/mail/previews", async (_request, reply) => {
      const rows = mailSamples(site.current()).map(
        ({ id, subject }) =>
          `<li><a href="/dev/mail/previews/${id}">${escapeHtml(subject)}</a><span>${escapeHtml(id)}</span></li>`,
      );
      return sendDevPage(reply, "Mail previews", `<ul>${rows.join("\n")}</ul>`);
    });

    scope.get<{ Params: { id: string } }>("/dev/mail/previews/:id", async (request, reply) => {
      const { id, subject, text } = await find(request.params.id);
      const body = `<p><a href="/dev/mail/previews">All previews</a></p>
<h2>HTML</h2>${mailFrame(`/dev/mail/previews/${id}/html`)}
<h2>Text</h2><pre>${escapeHtml(text)}</pre>`;
      return sendDevPage(reply, subject, body);
    });

    scope.get<{ Params: { id: string } }>("/dev/mail/previews/:id/html", async (request, reply) =>
      sendMailHtml(reply, (await find(request.params.id)).html),
    );
  });
}
