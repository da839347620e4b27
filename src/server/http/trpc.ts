import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from "@trpc/server/adapters/fastify";
import type { FastifyInstance } from "fastify";
import { createCallContext } from "#server/core/context.ts";
import type { Deps } from "#server/core/deps.ts";
import { guardTrpcScope } from "#server/http/security.ts";
import { type AppRouter, appRouter } from "#server/router.ts";

/** The tRPC endpoint, in its own scope. The official adapter stands only here, so that it can be exchanged. */
export async function registerTrpc(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook("onRequest", guardTrpcScope(deps.env));
    scope.addHook("onSend", async (_request, reply) => {
      // What a person sees is theirs alone, and may have changed at the next look.
      if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
    });
    await scope.register(fastifyTRPCPlugin, {
      prefix: "/trpc",
      trpcOptions: {
        router: appRouter,
        createContext: ({ req, res }) => createCallContext(deps, req, res),
        maxBatchSize: 10,
        onError({ error, path, req }) {
          if (error.code === "INTERNAL_SERVER_ERROR" || error.code === "SERVICE_UNAVAILABLE")
            req.log.error({ err: error.cause ?? error, path }, "procedure failed");
        },
      } satisfies FastifyTRPCPluginOptions<AppRouter>["trpcOptions"],
    });
  });
}
