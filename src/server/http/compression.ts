import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const WORTH_COMPRESSING = 1024;
const brotli = promisify(brotliCompress);

/**
 * Sends text that differs from answer to answer: compressed as it goes, where it is long enough and the browser takes
 * it. A millisecond for 100 kB; the usual window of 4 MB would cost ten times that to make and clear away.
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: Buffer,
): Promise<FastifyReply> {
  reply.header("vary", "accept-encoding");
  const isWorthIt = text.length >= WORTH_COMPRESSING && /\bbr\b/.test(String(request.headers["accept-encoding"]));
  if (!isWorthIt) return reply.send(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 17,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  return reply.header("content-encoding", "br").send(await brotli(text, { params }));
}
