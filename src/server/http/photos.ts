import type { FastifyInstance } from "fastify";
import { openPhotoSender } from "#server/files/send-photo.ts";
import type { Deps } from "#server/platform/deps.ts";

/**
 * GET /files/photos/{id}/{width}.{format}. Photos of farms are public (product decision), and their ids can't be guessed.
 * Those of harvests have no address here.
 */
export function registerPhotos(app: FastifyInstance, deps: Pick<Deps, "db" | "log" | "storage">): void {
  const sendPhoto = openPhotoSender(deps);

  app.get<{ Params: { id: string; file: string } }>("/files/photos/:id/:file", async ({ params }, reply) => {
    const { id, file } = params;
    return sendPhoto(reply, `photo/${id}/${file}`, { name: `${id}-${file}`, cache: "public" });
  });
}
