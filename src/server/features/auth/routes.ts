import type { FastifyInstance } from "fastify";
import { createContext } from "#server/core/context.ts";
import type { Deps } from "#server/core/deps.ts";
import { beginGoogle } from "#server/core/google.ts";
import { beginGoogleQuery } from "#shared/google.ts";

/** GET /auth/google/start, which a link leads to: as a form or a script's request it would need leave to go elsewhere. */
export function registerAuthRoutes(app: FastifyInstance, deps: Deps): void {
  const { env } = deps;
  app.get("/auth/google/start", async (request, reply) => {
    reply.header("cache-control", "no-store");
    // The provider brings the person back to the public address: the cookie of the flow must be set there.
    if (env.isLocalUse && request.host !== new URL(env.publicUrl).host)
      return reply.redirect(env.publicUrl + request.url);
    const ctx = await createContext(deps, request, reply);
    return reply.redirect(await beginGoogle(ctx, beginGoogleQuery.parse(request.query)));
  });
}
