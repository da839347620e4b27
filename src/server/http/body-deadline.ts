import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

type Limit = {
  receiveMs: number;
  /** Responds on the raw connection, as Fastify's `clientErrorHandler` does. */
  refuse: (error: NodeJS.ErrnoException, socket: Duplex) => void;
};

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Limits the time in which a request's body must arrive, even if nobody reads it or the response was already sent.
 * Node's `requestTimeout` applies to the whole server and must be long enough for uploads. {@link liftBodyDeadline}
 * exempts an upload from this limit.
 */
export function withBodyDeadline(limit: Limit, handle: RequestListener): RequestListener {
  return (request, response) => {
    if (hasBody(request)) setDeadline(request, response, limit);
    handle(request, response);
  };
}

/** Exempts a request from the time limit of its body. */
export function liftBodyDeadline(request: IncomingMessage): void {
  clearTimeout(deadlines.get(request));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function setDeadline(request: IncomingMessage, response: ServerResponse, { receiveMs, refuse }: Limit): void {
  const timer = setTimeout(() => {
    const { socket } = request;
    if (request.complete || socket.destroyed) return;
    if (response.headersSent) socket.destroy();
    else refuse(Object.assign(new Error("the body took too long"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
  }, receiveMs).unref();
  deadlines.set(request, timer);
  request.once("close", () => clearTimeout(timer));
}
