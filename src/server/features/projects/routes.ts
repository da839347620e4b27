import type { FastifyInstance } from "fastify";
import { storePhoto } from "#server/files/photos.ts";
import { receiveUpload } from "#server/files/uploads.ts";
import type { Deps } from "#server/platform/deps.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";

/** POST /uploads/project-image: a main image. The project's form names it when it is saved. */
export function registerProjectUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post("/uploads/project-image", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "projects:edit");
    await limitRate(ctx, `project-images:${ctx.actor.id}`, { hits: 60, windowSeconds: 600 });
    const upload = await receiveUpload(request, { kind: "photo", storage: ctx.storage });
    return reply.header("cache-control", "no-store").send(await storePhoto(ctx, upload));
  });
}
