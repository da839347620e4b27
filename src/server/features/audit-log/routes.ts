import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { isStorable } from "#server/platform/text.ts";
import { auditFilterInput } from "#shared/audit-log.ts";
import { auditExportFormats, auditExportPath } from "#shared/audit-log-texts.ts";
import { isoInLagos } from "#shared/dates.ts";
import { errorTexts } from "#shared/errors.ts";
import { startAuditExport } from "./service.ts";

const contentTypes = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" };

/** GET /files/audit-logs.csv and .json: downloads the entries that match the filters in the query. */
export function registerAuditLogRoutes(app: FastifyInstance, deps: Deps): void {
  for (const format of auditExportFormats) {
    app.get(auditExportPath(format), { exposeHeadRoute: false }, async (request, reply) => {
      const ctx = await createActorContext(deps, request, reply, "settings:manage");
      await limitRate(ctx, `audit-export:${ctx.actor.id}`, { hits: 30, windowSeconds: 3600 });
      const filter = auditFilterInput.safeParse(request.query);
      if (!filter.success || !isStorable(filter.data)) throw new AppError("invalid", errorTexts.unreadable);
      const entries = await startAuditExport(ctx, { filter: filter.data, format });
      const day = isoInLagos(ctx.clock.now()).slice(0, 10);
      return reply
        .type(contentTypes[format])
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="audit-logs-${day}.${format}"`)
        .send(Readable.from(entries));
    });
  }
}
