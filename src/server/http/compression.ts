import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const WORTH_COMPRESSING = 1024;
const brotli = promisify(brotliCompress);

/**
 * Sends a text that differs between responses, compressed if it is long enough and the browser accepts it. That takes 1
 * ms for 100 kB. Brotli's default window of 4 MB would take ten times as long to allocate and free.
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  reply.header("vary", "accept-encoding");
  const isWorthIt =
    Buffer.byteLength(text) >= WORTH_COMPRESSING && /\bbr\b/.test(String(request.headers["accept-encoding"]));
  if (!isWorthIt) return reply.send(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 17,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
  };
  return reply.header("content-encoding", "br").send(await brotli(text, { params }));
}
