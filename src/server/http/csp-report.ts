import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Clock } from "#server/platform/clock.ts";
import type { Deps } from "#server/platform/deps.ts";
import { addressForLog } from "#server/platform/logger.ts";
import { escapeHtml } from "#server/platform/text.ts";

const LINES_PER_MINUTE = 10;

/** The response to a GET of the report address (specification, section 2: an empty page). */
const emptyPage = (name: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(name)}</title></head><body></body></html>`;

/**
 * POST /csp-report: browsers report what our policy blocked. Reports are logged, at most ten a minute. A GET returns an
 * empty page.
 */
export function registerCspReport(app: FastifyInstance, deps: Pick<Deps, "clock" | "site">): void {
  const mayLog = perMinute(LINES_PER_MINUTE, deps.clock);
  app.register(async (scope) => {
    const types = ["application/csp-report", "application/reports+json", "application/json"];
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(types, { parseAs: "string", bodyLimit: 16 * 1024 }, (_request, body, done) => {
      done(null, reportsIn(String(body)));
    });
    scope.get("/csp-report", async (_request, reply) =>
      reply.type("text/html; charset=utf-8").send(emptyPage(deps.site.current().name)),
    );
    scope.post("/csp-report", { config: { anyOrigin: true } }, async (request, reply) => {
      for (const report of z.array(reportSchema).catch([]).parse(request.body)) {
        if (mayLog()) request.log.warn({ report }, "blocked by the content security policy");
      }
      return reply.code(204).send();
    });
  });
}

const short = z.string().transform((text) => text.slice(0, 200));
/** Addresses without what may be a token. */
const address = short.transform(addressForLog);
const count = z.number().optional();

const reportSchema = z.object({
  directive: short,
  blocked: address.optional(),
  page: address.optional(),
  source: address.optional(),
  line: count,
});

const oldReport = z.object({
  "csp-report": z.looseObject({ "violated-directive": z.string() }),
});
const newReport = z.object({
  type: z.literal("csp-violation"),
  body: z.looseObject({ effectiveDirective: z.string() }),
});

/** Reads both formats of browsers as one list, and skips anything else. */
function reportsIn(text: string): unknown[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return [];
  }
  return (Array.isArray(json) ? json.slice(0, LINES_PER_MINUTE) : [json]).flatMap((entry) => {
    const old = oldReport.safeParse(entry);
    if (old.success) {
      const report = old.data["csp-report"];
      return [
        {
          directive: report["effective-directive"] ?? report["violated-directive"],
          blocked: report["blocked-uri"],
          page: report["document-uri"],
          source: report["source-file"],
          line: report["line-number"],
        },
      ];
    }
    const current = newReport.safeParse(entry);
    if (!current.success) return [];
    const { body } = current.data;
    return [
      {
        directive: body.effectiveDirective,
        blocked: body.blockedURL,
        page: body.documentURL,
        source: body.sourceFile,
        line: body.lineNumber,
      },
    ];
  });
}

/** True at most `limit` times a minute in this process, to keep the log short. */
function perMinute(limit: number, clock: Clock): () => boolean {
  let minute = 0;
  let used = 0;
  return () => {
    const now = Math.floor(clock.now().getTime() / 60_000);
    if (now !== minute) {
      minute = now;
      used = 0;
    }
    used += 1;
    return used <= limit;
  };
}
