import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { AppError } from "#server/core/errors.ts";
import { FileMissingError, type FileStorage } from "#server/core/storage.ts";

type SentFile = {
  storage: FileStorage;
  key: string;
  contentType: string;
  originalName: string;
  /** Only pictures and videos are ever shown inline; all else is sent as an attachment whatever is asked. */
  disposition: "inline" | "attachment";
  /** "public" for what everyone may read: its key never changes its content. */
  cache?: "private" | "public";
};

/**
 * Answers with a stored file, or the part that a Range header asks for (206, or 416 where it lies outside).
 * Whatever the file holds can't run as a page of ours. Throws AppError "not_found".
 */
export async function sendFile(reply: FastifyReply, file: SentFile): Promise<FastifyReply> {
  const size = await sizeOf(file);
  reply.headers({
    "content-type": file.contentType,
    "content-disposition": contentDisposition(dispositionOf(file), file.originalName),
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": file.cache === "public" ? "public, max-age=31536000, immutable" : "private, no-store",
    "accept-ranges": "bytes",
  });
  const range = parseRange(reply.request.headers.range, size);
  if (range === "outside") return reply.code(416).header("content-range", `bytes */${size}`).send();
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range) reply.code(206).header("content-range", `bytes ${start}-${end}/${size}`);
  reply.header("content-length", end - start + 1);
  if (reply.request.method === "HEAD") return reply.send(Readable.from([]));
  return reply.send(await file.storage.read(file.key, range));
}

async function sizeOf({ storage, key }: SentFile): Promise<number> {
  try {
    return await storage.size(key);
  } catch (error) {
    if (error instanceof FileMissingError) throw new AppError("not_found", "File not found", { cause: error });
    throw error;
  }
}

function dispositionOf({ disposition, contentType }: SentFile): "inline" | "attachment" {
  return /^(image\/(jpeg|png|webp|avif)|video\/(mp4|webm))$/.test(contentType) ? disposition : "attachment";
}

/** RFC 6266: a plain name for old readers, and the real one in UTF-8. */
function contentDisposition(disposition: "inline" | "attachment", name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** One range of bytes, both ends included; undefined where the whole is to be sent (none asked, or several). */
function parseRange(header: string | undefined, size: number): { start: number; end: number } | "outside" | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "outside" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  // A range that ends before it begins is no range at all (RFC 9110), and is ignored.
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "outside" : { start, end };
}
