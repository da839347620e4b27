import type { FastifyInstance } from "fastify";
import { photoKey, readVariantKey } from "#server/files/photo-files.ts";
import { openVariants } from "#server/files/photo-variants.ts";
import { sendFile } from "#server/files/send-file.ts";
import { FileMissingError } from "#server/files/storage.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";

/** GET /files/photos/{id}/{width}.{format}. Photos are public (product decision), and their ids can't be guessed. */
export function registerPhotos(app: FastifyInstance, deps: Pick<Deps, "db" | "log" | "storage">): void {
  const findVariant = openVariants(deps);

  app.get<{ Params: { id: string; file: string } }>("/files/photos/:id/:file", async ({ params }, reply) => {
    const variant = readVariantKey(`photo/${params.id}/${params.file}`);
    if (!variant) throw notFound();
    const send = (key: string, cache: "public" | "brief") =>
      sendFile(reply, {
        storage: deps.storage,
        key,
        contentType: key.endsWith(".avif") ? "image/avif" : "image/webp",
        originalName: key.replace("photo/", "").replace("/", "-"),
        disposition: "inline",
        cache,
      });
    try {
      return await send(photoKey(variant), "public");
    } catch (error) {
      if (!(error instanceof AppError && error.cause instanceof FileMissingError)) throw error;
    }
    const found = await findVariant(variant);
    if (!found) throw notFound();
    return send(found.key, found.isSubstitute ? "brief" : "public");
  });
}

const notFound = () => new AppError("not_found", "File not found");
