import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { ActorContext } from "#server/platform/context.ts";
import type { FileStorage } from "#server/platform/deps.ts";
import { AppError, isUnavailable } from "#server/platform/errors.ts";
import { etagOf, isKnown } from "#server/platform/etag.ts";
import { verifyLink } from "./signed-links.ts";
import { FileMissingError } from "./storage.ts";

type SentFile = {
  storage: FileStorage;
  key: string;
  contentType: string;
  originalName: string;
  /** Only pictures and videos may be inline; any other file is sent as an attachment. */
  disposition: "inline" | "attachment";
  /** "public": anyone may read this address for ever. "brief": a substitute for now. */
  cache?: keyof typeof cacheControl;
};

const cacheControl = {
  private: "private, no-store",
  public: "public, max-age=31536000, immutable",
  brief: "public, max-age=60",
} as const;

/**
 * Sends a stored file, the part that a Range header asks for (206, or 416 outside the file), or 304 if the client has
 * it.
 * The file can't run as a page of this site, whatever it contains. Throws AppError "not_found".
 */
export async function sendFile(reply: FastifyReply, file: SentFile): Promise<FastifyReply> {
  const { request } = reply;
  const size = await sizeOf(file);
  // A key's content never changes, except that a photo's file may be drawn again by a newer library.
  const etag = etagOf(`${file.key} ${size}`);
  const ofEveryAnswer = {
    etag,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": cacheControl[file.cache ?? "private"],
    "accept-ranges": "bytes",
  };
  if (isKnown(request, etag)) return reply.code(304).headers(ofEveryAnswer).send();
  const range = wantsRange(request, etag) ? parseRange(request.headers.range, size) : undefined;
  if (range === "outside") {
    return reply
      .code(416)
      .headers({ ...ofEveryAnswer, "content-range": `bytes */${size}` })
      .send();
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  // The file is opened before headers are set, so that no failure is cached for a year.
  const body = request.method === "HEAD" ? Readable.from([]) : await file.storage.read(file.key, range);
  if (range) reply.code(206).header("content-range", `bytes ${start}-${end}/${size}`);
  reply.headers({
    ...ofEveryAnswer,
    "content-type": file.contentType,
    "content-disposition": contentDisposition(dispositionOf(file), file.originalName),
    "content-length": end - start + 1,
  });
  return reply.send(body);
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

/** Ranges are for GET only (RFC 9110, 14.2), and with If-Range only if the client's part is of this very file. */
function wantsRange({ method, headers }: FastifyRequest, etag: string): boolean {
  return method === "GET" && (headers["if-range"] === undefined || headers["if-range"] === etag);
}

/** One range of bytes, both ends included. Undefined sends the whole file: no range was asked for, or several. */
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

type LinkedFile = {
  id: string;
  path: string;
  /** Finds the file, or throws if the caller may not read it now. */
  find: () => Promise<{ key: string; contentType: string; originalName: string }>;
  disposition: "inline" | "attachment";
  texts: { gone: string; expired: string };
};

/** Sends a private file to a link of the caller's own session. The caller's right to read it is still checked. */
export async function sendByLink(
  ctx: ActorContext,
  reply: FastifyReply,
  { id, path, find, disposition, texts }: LinkedFile,
): Promise<FastifyReply> {
  if (!z.uuid().safeParse(id).success) throw new AppError("not_found", texts.gone);
  const claim = { secret: ctx.appSecret, path, subject: ctx.actor.session.idHash };
  if (!verifyLink({ ...claim, query: reply.request.query, now: ctx.clock.now() })) {
    throw new AppError("forbidden", texts.expired);
  }
  const file = await find();
  try {
    return await sendFile(reply, { ...file, storage: ctx.storage, disposition });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    ctx.log.error({ err: error, path }, "a stored file can't be read");
    throw new AppError("not_found", texts.gone, { cause: error });
  }
}
