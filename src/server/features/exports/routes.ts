import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/platform/deps.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { dayInLagos } from "#shared/dates.ts";
import { exportFormatsOf, exportNames, exportPath } from "#shared/exports/texts.ts";
import { startExport } from "./service.ts";
import { exportables } from "./tables.ts";

const contentTypes = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" };

/** GET /files/exports/{name}.csv, of some also .json: downloads the rows that match the filters in the query. */
export function registerExports(app: FastifyInstance, deps: Deps): void {
  for (const name of exportNames) {
    const { permissions, read } = exportables[name];
    for (const format of exportFormatsOf(name)) {
      app.get(exportPath(name, format), { exposeHeadRoute: false }, async (request, reply) => {
        const ctx = await createActorContext(deps, request, reply, ...permissions);
        await limitRate(ctx, `export:${ctx.actor.id}`, { hits: 30, windowSeconds: 3600 });
        const bytes = await startExport(ctx, { name, format, table: read(request.query) });
        const day = dayInLagos(ctx.clock.now());
        return reply
          .type(contentTypes[format])
          .header("cache-control", "no-store")
          .header("content-disposition", `attachment; filename="${name}-${day}.${format}"`)
          .send(Readable.from(bytes));
      });
    }
  }
}
