import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#server/core/deps.ts";
import { isLoopbackAuthority } from "#server/core/loopback.ts";
import { keepPublicAnswers } from "#server/core/public-answers.ts";
import { compress, isWorthBrotli } from "./compression.ts";
import { rawHeaders } from "./raw-headers.ts";

/** An answer as it goes over the network: names and values of its headers in turn, and its bytes. */
type Form = { head: string[]; body: Buffer };
/** `small` is the same compressed, once it was first asked for; while it is in the making, the answer itself. */
type ReadyAnswer = Form & { small?: Form };

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

export type ReadyAnswers = {
  /** Answers a request, once somebody else's making of its answer has ended; what isn't made goes to `handle`. */
  give(request: IncomingMessage, response: ServerResponse, handle: Handle): void;
  /**
   * Called before an answer is made that is the same for everybody. What it returns is to be called when it is made,
   * with its bytes, and as well when it failed, without.
   */
  begin(request: FastifyRequest, reply: FastifyReply): (body: Buffer | undefined) => void;
  /** From now on every request goes to the routes, which close its connection behind it. */
  close(): void;
};

const KEPT_BYTES = 16 * 1024 * 1024;

/** Compressed once for all: who asks before it is done gets the answer as it is. */
function smallFormOf(answer: ReadyAnswer): Form {
  if (answer.small) return answer.small;
  answer.small = answer;
  const keep = (body: Buffer) => {
    const head = [...answer.head];
    head[head.indexOf("content-length") + 1] = String(body.length);
    answer.small = { head: [...head, "content-encoding", "br", "vary", "accept-encoding"], body };
  };
  // Without it the answer goes as it is: nobody is waiting.
  compress(answer.body).then(keep, () => {});
  return answer;
}

/**
 * Whole answers to GET requests that are the same for everybody, by their address: given before routes, hooks and
 * calls are looked at, with the headers that those gave the first one. In an overload they cost next to nothing, so
 * they aren't refused.
 */
export function keepReadyAnswers(deps: Pick<Deps, "clock" | "env" | "events" | "log">): ReadyAnswers {
  const kept = keepPublicAnswers<ReadyAnswer>(deps, {
    maxBytes: KEPT_BYTES,
    // Twice, with room for the smaller form.
    bytesOf: ({ head, body }) => 2 * (body.length + 2 * head.join("").length),
  });
  let isClosing = false;

  const send = (request: IncomingMessage, response: ServerResponse, answer: ReadyAnswer, since: number) => {
    const { method, url, socket, headers } = request;
    const { head, body } = isWorthBrotli(answer.body.length, headers) ? smallFormOf(answer) : answer;
    const reqId = randomUUID();
    const own = [...head];
    own[own.indexOf("x-request-id") + 1] = reqId;
    response.writeHead(200, own);
    response.end(body);
    const ms = Math.round(performance.now() - since);
    deps.log.info({ reqId, req: { method, url, ip: socket.remoteAddress }, status: 200, ms }, "request");
  };

  return {
    give(request, response, handle) {
      const { method, url = "", headers } = request;
      const mayGive = method === "GET" && !isClosing && (!deps.env.isLocalUse || isLoopbackAuthority(headers.host));
      if (!mayGive) return handle(request, response);
      const since = performance.now();
      const answer = kept.peek(url);
      if (answer) return send(request, response, answer, since);
      const made = kept.whenMade(url);
      if (!made) return handle(request, response);
      void made.then((other) => {
        if (other && !isClosing) send(request, response, other, since);
        else handle(request, response);
      });
    },
    begin(request, reply) {
      if (request.method !== "GET") return () => {};
      const end = kept.begin(request.url);
      return (body) => {
        if (!body) return end(undefined);
        reply.header("content-length", body.length);
        end({ head: rawHeaders(reply), body });
      };
    },
    close() {
      isClosing = true;
      kept.close();
    },
  };
}
