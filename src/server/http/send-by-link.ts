import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { ActorContext } from "#server/core/context.ts";
import { AppError, isUnavailable } from "#server/core/errors.ts";
import { verifyLink } from "#server/core/signed-links.ts";
import { sendFile } from "./send-file.ts";

type LinkedFile = {
  id: string;
  path: string;
  /** The file, where the caller may read it now; throws otherwise. */
  find: () => Promise<{ key: string; contentType: string; originalName: string }>;
  disposition: "inline" | "attachment";
  texts: { gone: string; expired: string };
};

/** Sends a private file by a link of the caller's own session only, and still asks whether they may read it. */
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
