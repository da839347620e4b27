import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { writeMyData } from "#server/features/people/users/export/my-data.ts";
import type { Deps } from "#server/platform/deps.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { exportPath } from "#shared/accounts/texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import { fileNameOf } from "#shared/site/site.ts";

/** GET /files/my-data.json: downloads the caller's own data. */
export function registerExportRoutes(app: FastifyInstance, deps: Deps): void {
  app.get(exportPath, async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply);
    await limitRate(ctx, `my-data:${ctx.actor.id}`, { hits: 10, windowSeconds: 3600 });
    const day = dayInLagos(ctx.clock.now());
    return reply
      .type("application/json; charset=utf-8")
      .header("cache-control", "no-store")
      .header("content-disposition", `attachment; filename="${fileNameOf(ctx.site.current())}-my-data-${day}.json"`)
      .send(Readable.from(writeMyData(ctx)));
  });
}
