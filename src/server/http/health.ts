import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/platform/deps.ts";
import { readinessProbe } from "#server/platform/readiness.ts";

/**
 * GET /healthz: the process is running. GET /readyz: it may receive traffic, because the database responds within two
 * seconds and has every migration. Otherwise, and while the server stops, it is 503 with the reason.
 */
export function registerHealth(app: FastifyInstance, { db }: Pick<Deps, "db">): void {
  const probe = readinessProbe(db);
  let isStopping = false;
  app.addHook("preClose", async () => {
    isStopping = true;
  });

  app.get("/healthz", async (_request, reply) => reply.header("cache-control", "no-store").send({ status: "ok" }));

  app.get("/readyz", async (request, reply) => {
    reply.header("cache-control", "no-store");
    if (isStopping) return reply.code(503).send({ status: "stopping" });
    try {
      const status = await probe();
      return reply.code(status === "ready" ? 200 : 503).send({ status });
    } catch (error) {
      request.log.error({ err: error }, "not ready");
      return reply.code(503).send({ status: "database unreachable" });
    }
  });
}
