import underPressure from "@fastify/under-pressure";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ErrorBody } from "#server/http/errors.ts";
import { errorTexts } from "#shared/errors.ts";

type OverloadLimits = {
  /** By how much timers come late, on average of a sample. */
  maxDelayMs: number;
  sampleMs: number;
};

/** On a small machine too, an answer that waits so long for its turn comes too late for people who wait for it. */
const OVERLOAD_LIMITS: OverloadLimits = { maxDelayMs: 1000, sampleMs: 1000 };

const RETRY_AFTER_SECONDS = 10;

/**
 * When the process can't keep up, requests are refused at once (503 with Retry-After) instead of waiting together for
 * answers that nobody is there for any more. Memory is no measure here: how much there is, only the machine knows.
 */
export async function registerOverload(
  app: FastifyInstance,
  { maxDelayMs, sampleMs }: OverloadLimits = OVERLOAD_LIMITS,
): Promise<void> {
  let since = 0;
  let last = Number.NEGATIVE_INFINITY;
  // A machine that stood still for a moment fills one sample, an overload every one.
  const isLasting = (): boolean => {
    const now = performance.now();
    if (now - last > 2 * sampleMs + maxDelayMs) since = now;
    last = now;
    return now - since > sampleMs;
  };
  const refuse = (request: FastifyRequest, reply: FastifyReply): string | ErrorBody | undefined => {
    if (isSpared(request) || !isLasting()) return undefined;
    reply.code(503).headers({ "retry-after": RETRY_AFTER_SECONDS, "cache-control": "no-store" });
    if (!request.headers.accept?.includes("text/html")) {
      return { error: { reason: "unavailable", message: errorTexts.overloaded } };
    }
    reply.type("text/plain; charset=utf-8");
    return `${errorTexts.overloaded}\n`;
  };
  await app.register(underPressure, {
    maxEventLoopDelay: maxDelayMs,
    sampleInterval: sampleMs,
    // What it returns is the answer; its type doesn't know that.
    pressureHandler: refuse as (request: FastifyRequest, reply: FastifyReply) => void,
  });
}

/** Who asks whether the process is up, and the parts of a page that is already there. */
function isSpared({ url }: FastifyRequest): boolean {
  return url === "/healthz" || url === "/readyz" || url.startsWith("/assets/");
}
