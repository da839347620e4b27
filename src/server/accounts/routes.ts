import type { FastifyInstance } from "fastify";
import { beginGoogle } from "#server/accounts/google/google.ts";
import { createContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { beginGoogleQuery } from "#shared/accounts/google.ts";

const startPath = "/auth/google/start";

/**
 * GET /auth/google/start, the target of a link. The content policy would block the redirect of a form or a script to
 * the provider.
 */
export function registerAuthRoutes(app: FastifyInstance, deps: Deps): void {
  const publicHost = new URL(deps.env.publicUrl).host;
  app.get(startPath, async (request, reply) => {
    reply.header("cache-control", "no-store");
    const { isMoved, ...query } = beginGoogleQuery.parse(request.query);
    // The provider redirects to the public host, so the flow's cookie must be set there. The browser is redirected only
    // once, because behind a proxy that hides the requested host it always looks different.
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
