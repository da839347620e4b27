import type { FastifyInstance } from "fastify";
import { parseUploadFields, receiveUpload } from "#server/files/uploads.ts";
import type { Deps } from "#server/platform/deps.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { updatePhotoFields } from "#shared/projects/updates.ts";
import { keepUpdatePhoto } from "./photos.ts";

/** POST /uploads/update-photos: one photo of an update, which names it when it is published. */
export function registerUpdateUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post("/uploads/update-photos", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "projects:edit");
    await limitRate(ctx, `update-photos:${ctx.actor.id}`, { hits: 120, windowSeconds: 600 });
    const { fields, ...upload } = await receiveUpload(request, { kind: "photo", storage: ctx.storage });
    const { photoKey } = await parseUploadFields(ctx, updatePhotoFields, { fields, key: upload.key });
    return reply.header("cache-control", "no-store").send(await keepUpdatePhoto(ctx, { photoKey, upload }));
  });
}
