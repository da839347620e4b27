import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { Deps } from "#server/core/deps.ts";
import { isLoopbackAuthority } from "#server/core/loopback.ts";
import { keepPublicAnswers } from "#server/core/public-answers.ts";
import { rawHeaders } from "./raw-headers.ts";

/** An answer as it goes over the network: names and values of its headers in turn, and its bytes. */
type ReadyAnswer = { head: string[]; body: Buffer };

export type ReadyAnswers = {
  /** Answers a request whose answer is at hand, and says whether it did. */
  give(request: IncomingMessage, response: ServerResponse): boolean;
  /** Called before an answer is made. What it returns keeps the answer, unless something has changed in between. */
  begin(): (url: string, reply: FastifyReply, body: Buffer) => void;
  /** From now on every request goes to the routes, which close its connection behind it. */
  close(): void;
};

const KEPT_BYTES = 16 * 1024 * 1024;

/**
 * Whole answers to GET requests that are the same for everybody, by their address: given before routes, hooks and
 * calls are looked at, with the headers that those gave the first one. In an overload they cost next to nothing, so
 * they aren't refused.
 */
export function keepReadyAnswers(deps: Pick<Deps, "clock" | "env" | "events" | "log">): ReadyAnswers {
  const kept = keepPublicAnswers<ReadyAnswer>(deps, {
    maxBytes: KEPT_BYTES,
    bytesOf: ({ head, body }) => body.length + 2 * head.join("").length,
  });
  let isClosing = false;
  return {
    give(request, response) {
      const { method, url = "", headers, socket } = request;
      const answer = method === "GET" && !isClosing ? kept.peek(url) : undefined;
      if (!answer || (deps.env.isLocalUse && !isLoopbackAuthority(headers.host))) return false;
      const reqId = randomUUID();
      const head = [...answer.head];
      head[head.indexOf("x-request-id") + 1] = reqId;
      response.writeHead(200, head);
      response.end(answer.body);
      deps.log.info({ reqId, req: { method, url, ip: socket.remoteAddress }, status: 200, ms: 0 }, "request");
      return true;
    },
    begin() {
      const keep = kept.begin();
      return (url, reply, body) => {
        // A cookie is meant for one person.
        if (reply.hasHeader("set-cookie")) return;
        reply.header("content-length", body.length);
        keep(url, { head: rawHeaders(reply), body });
      };
    },
    close() {
      isClosing = true;
      kept.close();
    },
  };
}
