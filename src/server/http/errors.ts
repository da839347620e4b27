import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Env } from "#server/platform/env.ts";
import { type AppError, httpStatusOf, refusalOf } from "#server/platform/errors.ts";
import { type ErrorReason, errorTexts } from "#shared/errors.ts";
import { securityHeaders } from "./security.ts";

/** The body of every refusal outside tRPC. */
export type ErrorBody = {
  error: {
    reason: ErrorReason;
    message: string;
    fields?: Record<string, string[]>;
    details?: Record<string, string | number>;
  };
};

/**
 * Converts errors outside tRPC to responses: an AppError with its own text, Fastify's refusals (4xx) with a neutral
 * one, any other error as a logged 500. Unknown addresses get a 404 of the same shape.
 */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (reply.sent) return;
    // Headers of the failed response (a file's type or length) don't fit this one.
    for (const name of ["content-length", "content-disposition", "content-range", "content-encoding", "etag"]) {
      reply.removeHeader(name);
    }
    reply.header("cache-control", "no-store");
    const refusal = refusalOf(error);
    if (refusal) {
      if (refusal.reason === "unavailable") request.log.error({ err: refusal }, "request refused by a fault");
      return reply.code(httpStatusOf[refusal.reason]).send(bodyOf(refusal.reason, refusal.message, refusal));
    }
    const status = error.statusCode ?? 500;
    if (status >= 400 && status < 500) {
      request.log.info({ code: error.code, status }, "bad request");
      const reason = reasonOf(status);
      return reply.code(status).send(bodyOf(reason, clientTexts[status] ?? errorTexts.unreadable));
    }
    request.log.error({ err: error, req: request }, "unexpected error");
    return reply.code(500).send(bodyOf("internal", errorTexts.internal));
  });
  app.setNotFoundHandler((_request, reply) => sendNotFound(reply));
}

function sendNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).header("cache-control", "no-store").send(bodyOf("not_found", errorTexts.notFound));
}

/** For Fastify's `frameworkErrors`: an unreadable URL never reaches a route, a hook or the error handler. */
export function refuseAddress(env: Env) {
  const headers = { ...securityHeaders(env), "cache-control": "no-store" };
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    reply.headers({ ...headers, "x-request-id": request.id });
    return reply.code(400).send(bodyOf("invalid", errorTexts.unreadable));
  };
}

/**
 * For Fastify's `clientErrorHandler`: a malformed or unfinished request is answered on the raw connection, which is
 * then closed.
 */
export function refuseConnection(env: Env) {
  const headers = { ...securityHeaders(env), "cache-control": "no-store", connection: "close" };
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy(error);
      return;
    }
    const status = statusOfNode[error.code ?? ""] ?? 400;
    const body = JSON.stringify(bodyOf("invalid", clientTexts[status] ?? errorTexts.unreadable));
    const head = Object.entries({
      ...headers,
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${body}`);
  };
}

/** A client that is still sending can read the response until then. Ending our side alone doesn't end the client's. */
const LINGER_MS = 2000;

const statusOfNode: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

const clientTexts: Record<number, string> = {
  404: errorTexts.notFound,
  408: "The request took too long. Please try again.",
  413: errorTexts.tooLarge,
  429: errorTexts.rateLimited,
  431: errorTexts.tooLarge,
};

function reasonOf(status: number): ErrorReason {
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  if (status === 404) return "not_found";
  if (status === 409) return "conflict";
  return status === 429 ? "rate_limited" : "invalid";
}

function bodyOf(reason: ErrorReason, message: string, extra?: AppError): ErrorBody {
  return {
    error: {
      reason,
      message,
      ...(extra?.fields && { fields: extra.fields }),
      ...(extra?.details && { details: extra.details }),
    },
  };
}
