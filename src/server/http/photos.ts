import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/core/deps.ts";
import { AppError } from "#server/core/errors.ts";
import { keyOfPhotoPath } from "#server/core/pictures.ts";
import { sendFile } from "#server/http/send-file.ts";

/** GET /files/photos/{id}/{width}.webp: photos are for everyone (product decision), and an id is no one's to guess. */
export function registerPhotos(app: FastifyInstance, { storage }: Pick<Deps, "storage">): void {
  app.get<{ Params: { id: string; file: string } }>("/files/photos/:id/:file", async ({ params }, reply) => {
    const key = keyOfPhotoPath(`/files/photos/${params.id}/${params.file}`);
    if (!key) throw new AppError("not_found", "File not found");
    const originalName = `${params.id}-${params.file}`;
    return sendFile(reply, {
      storage,
      key,
      contentType: "image/webp",
      originalName,
      disposition: "inline",
      cache: "public",
    });
  });
}
