import type { FastifyInstance } from "fastify";
import { createContext } from "#server/core/context.ts";
import type { Deps } from "#server/core/deps.ts";
import { storePhoto } from "#server/core/pictures.ts";
import { limitRate } from "#server/core/rate-limit.ts";
import { requirePermission } from "#server/core/trpc.ts";
import { prepareUploadScope, receiveUpload } from "#server/http/uploads.ts";

/** POST /uploads/project-image: a main image, to be named by the form that is saved later. */
export async function registerProjectRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (scope) => {
    await prepareUploadScope(scope, deps.env);
    scope.post("/uploads/project-image", async (request, reply) => {
      // The caller is known before a byte of the body is read.
      const context = await createContext(deps, request, reply);
      const ctx = { ...context, actor: requirePermission(context, "projects:edit") };
      await limitRate(ctx, `project-images:${ctx.actor.id}`, { hits: 60, windowSeconds: 600 });
      const upload = await receiveUpload(request, { kind: "photo", storage: ctx.storage });
      return reply.header("cache-control", "no-store").send(await storePhoto(ctx, upload));
    });
  });
}
