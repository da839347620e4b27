import type { FastifyInstance } from "fastify";
import { openPhotoSender } from "#server/files/send-photo.ts";
import type { Deps } from "#server/platform/deps.ts";

/** GET /files/photos/{id}/{width}.{format}. Photos are public (product decision), and their ids can't be guessed. */
export function registerPhotos(app: FastifyInstance, deps: Pick<Deps, "db" | "log" | "storage">): void {
  const sendPhoto = openPhotoSender(deps);

  app.get<{ Params: { id: string; file: string } }>("/files/photos/:id/:file", async ({ params }, reply) =>
    sendPhoto(reply, `photo/${params.id}/${params.file}`, "public"),
  );
}
