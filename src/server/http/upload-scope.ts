import fastifyMultipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Env } from "#server/platform/env.ts";
import { liftBodyDeadline } from "./body-deadline.ts";
import { guardUploadScope } from "./security.ts";

/**
 * The only scope that accepts multipart bodies, with its guards, parser and longer time limit. Its routes read their
 * file with `receiveUpload` or `receiveForm` of #server/files/uploads.ts.
 */
export async function registerUploads(
  app: FastifyInstance,
  env: Env,
  addRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook("onRequest", guardUploadScope(env));
    scope.addHook("onRequest", async ({ raw }) => liftBodyDeadline(raw));
    scope.addHook("onSend", async (request, reply) => {
      if (reply.statusCode >= 400) discardRest(request);
    });
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false });
    addRoutes(scope);
  });
}

const DISCARD_BYTES = 16 * 1024 * 1024;
const DISCARD_MS = 10_000;
const LINGER_MS = 2000;

/**
 * Reads on for a while after an upload was refused, because a client that is cut off while sending loses the response.
 * Then closes the connection.
 */
function discardRest(request: FastifyRequest): void {
  const { raw } = request;
  if (raw.readableEnded || raw.destroyed) return;
  let left = DISCARD_BYTES;
  const cut = () => raw.destroy();
  let timer = setTimeout(cut, DISCARD_MS);
  raw.once("close", () => clearTimeout(timer));
  raw.on("error", () => clearTimeout(timer));
  raw.unpipe();
  raw.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left > 0 || raw.isPaused()) return;
    raw.pause();
    clearTimeout(timer);
    timer = setTimeout(cut, LINGER_MS);
  });
  raw.resume();
}
