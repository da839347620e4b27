import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendCompressed } from "#server/http/compression.ts";
import { iconTags } from "#server/http/icons.ts";
import { pagePolicy } from "#server/platform/content-policy.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError, httpStatusOf } from "#server/platform/errors.ts";
import { escapeHtml } from "#server/platform/text.ts";
import { errorTexts } from "#shared/errors.ts";
import { readProjectId } from "#shared/projects/project-id.ts";
import type { ReportPageFacts } from "#shared/reports/page-texts.ts";
import { lookCss } from "#shared/site/look.ts";
import type { Site } from "#shared/site/site.ts";
import { type OpenReport, type ReportPage, renderNotice, renderReport, signInNotice } from "./report-html.ts";

type By = ReportPageFacts["by"];

type ReportPagesOptions = {
  distDir: string;
  /** Throws AppError with a sentence for the person. */
  openReport: (by: By, request: FastifyRequest, reply: FastifyReply) => Promise<OpenReport>;
};

/**
 * GET /report/{token} and /farm/{project}/report: the page on which a farm reports. It is rendered here and has a
 * script of its own (report.html, src/client/report), because a cheap phone in a field has no time for the app.
 */
export async function registerReportPages(
  app: FastifyInstance,
  deps: Pick<Deps, "clock" | "site">,
  { distDir, openReport }: ReportPagesOptions,
): Promise<void> {
  const file = join(distDir, "report.html");
  const template = existsSync(file) ? await readFile(file, "utf8") : undefined;

  const answer = async (request: FastifyRequest, reply: FastifyReply, by: By | null) => {
    if (template === undefined) {
      return reply
        .code(503)
        .type("text/plain; charset=utf-8")
        .send("The client isn't built yet: run `npm run build`.\n");
    }
    const open = async () => {
      if (by === null) throw new AppError("not_found", errorTexts.notFound);
      return { by, report: await openReport(by, request, reply) };
    };
    const { status, page } = await findPage(deps, open, request.url.split("?", 1)[0] ?? "");
    return sendReportPage(request, reply.code(status), { template, page, site: deps.site.current() });
  };

  app.get<{ Params: { token: string } }>("/report/:token", async (request, reply) =>
    answer(request, reply, { token: request.params.token }),
  );
  app.get<{ Params: { projectId: string } }>("/farm/:projectId/report", async (request, reply) => {
    const projectId = readProjectId(request.params.projectId);
    return answer(request, reply, projectId === null ? null : { projectId });
  });
}

/** The titles of refusals on a page; the refusal's own sentence stands below. */
const titles: Record<Exclude<AppError["reason"], "unauthenticated">, string> = {
  not_found: "This link doesn't work",
  forbidden: "This link doesn't work",
  rate_limited: "Too many attempts",
  unavailable: "Nothing to report now",
  conflict: "Nothing to report now",
  invalid: "This link doesn't work",
  proof_required: "Sign in to report",
};

async function findPage(
  { clock, site }: Pick<Deps, "clock" | "site">,
  open: () => Promise<{ by: By; report: OpenReport }>,
  path: string,
): Promise<{ status: number; page: ReportPage }> {
  const at = { site: site.current(), now: clock.now() };
  try {
    const { by, report } = await open();
    return { status: 200, page: renderReport(report, by, at) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { reason, message } = error;
    const notice = reason === "unauthenticated" ? signInNotice(path) : { title: titles[reason], text: message };
    return { status: httpStatusOf[reason], page: renderNotice(notice, at.site) };
  }
}

/**
 * Own headers: the token stands in the address, so no cache, search engine or other site may learn it; the camera is
 * allowed.
 */
const ownHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer",
  "permissions-policy":
    "camera=(self), microphone=(), geolocation=(), payment=(), usb=(), midi=(), browsing-topics=(), display-capture=()",
};

const placeholders = /<!--(?:head|page)-->|<\/head>/g;

function sendReportPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { template, page, site }: { template: string; page: ReportPage; site: Site },
): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString("base64");
  const look = lookCss(site.look);
  const parts: Record<string, string> = {
    "<!--head-->": [`<title>${escapeHtml(page.title)}</title>`, ...iconTags(site)].join("\n    "),
    "<!--page-->": page.html,
    "</head>": `${look && `<style nonce="${nonce}">${look}</style>`}</head>`,
  };
  // By a function, so that typed text is no pattern.
  const html = template.replace(placeholders, (placeholder) => parts[placeholder] ?? "");
  reply.headers({ ...ownHeaders, "content-security-policy": pagePolicy(nonce) });
  return sendCompressed(request, reply, html);
}
