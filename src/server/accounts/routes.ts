import type { FastifyInstance } from "fastify";
import { beginGoogle } from "#server/accounts/google/google.ts";
import { createContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { beginGoogleQuery } from "#shared/google.ts";

const startPath = "/auth/google/start";

/** GET /auth/google/start, which a link leads to: as a form or a script's request it would need leave to go elsewhere. */
export function registerAuthRoutes(app: FastifyInstance, deps: Deps): void {
  const publicHost = new URL(deps.env.publicUrl).host;
  app.get(startPath, async (request, reply) => {
    reply.header("cache-control", "no-store");
    const { isMoved, ...query } = beginGoogleQuery.parse(request.query);
    // The provider leads back to the public address: the cookie of the flow must be set there. Once: behind a proxy that
    // hides the address that was asked for, it always looks different.
    if (request.host !== publicHost && !isMoved) {
      const moved = new URL(startPath, deps.env.publicUrl);
      for (const [name, value] of Object.entries({ ...query, isMoved: "1" })) {
        if (value !== undefined) moved.searchParams.set(name, value);
      }
      return reply.redirect(moved.href);
    }
    const ctx = await createContext(deps, request, reply);
    return reply.redirect(await beginGoogle(ctx, query));
  });
}
