import type { FastifyReply } from "fastify";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { photoKey, readVariantKey } from "./photo-files.ts";
import { openVariants } from "./photo-variants.ts";
import { sendFile } from "./send-file.ts";
import { FileMissingError } from "./storage.ts";

type Sent = {
  /** As it is saved. The name of a private photo tells nothing of its key. */
  name: string;
  /** "public": anyone may read the photo. "private": nothing keeps a copy. */
  cache: "public" | "private";
};

/**
 * Returns a function that sends a photo's file by its key, and draws it if it isn't stored. Throws AppError "not_found"
 * if the key names no file of a photo.
 */
export function openPhotoSender(deps: Pick<Deps, "db" | "log" | "storage">) {
  const findVariant = openVariants(deps);

  return async (reply: FastifyReply, key: string, { name, cache }: Sent): Promise<FastifyReply> => {
    const variant = readVariantKey(key);
    if (!variant) throw notFound();
    const send = (sent: string, isSubstitute: boolean) =>
      sendFile(reply, {
        storage: deps.storage,
        key: sent,
        contentType: sent.endsWith(".avif") ? "image/avif" : "image/webp",
        originalName: name,
        disposition: "inline",
        cache: isSubstitute && cache === "public" ? "brief" : cache,
      });
    try {
      return await send(photoKey(variant), false);
    } catch (error) {
      if (!(error instanceof AppError && error.cause instanceof FileMissingError)) throw error;
    }
    const found = await findVariant(variant);
    if (!found) throw notFound();
    return send(found.key, found.isSubstitute);
  };
}

const notFound = () => new AppError("not_found", "File not found");
