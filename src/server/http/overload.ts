import underPressure from "@fastify/under-pressure";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorTexts } from "#shared/errors.ts";
import type { ErrorBody } from "./errors.ts";

type OverloadLimits = {
  /** The average delay of timers in a sample. */
  maxDelayMs: number;
  sampleMs: number;
};

/** Even on a small machine, people have stopped waiting for a response that is delayed this long. */
const OVERLOAD_LIMITS: OverloadLimits = { maxDelayMs: 1000, sampleMs: 1000 };

const RETRY_AFTER_SECONDS = 10;

/**
 * Refuses requests at once (503 with Retry-After) when the process can't keep up. Otherwise they would all wait for
 * responses that nobody needs any more. Memory isn't measured, because its limit differs from machine to machine.
 */
export async function registerOverload(
  app: FastifyInstance,
  { maxDelayMs, sampleMs }: OverloadLimits = OVERLOAD_LIMITS,
): Promise<void> {
  let since = 0;
  let last = Number.NEGATIVE_INFINITY;
  // A short standstill of the machine exceeds the limit in one sample, an overload in every one.
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
    // The handler's return value is the response, although its type says void.
    pressureHandler: refuse as (request: FastifyRequest, reply: FastifyReply) => void,
  });
}

/** Health checks, and assets of a page that is already loaded. */
function isSpared({ url }: FastifyRequest): boolean {
  return url === "/healthz" || url === "/readyz" || url.startsWith("/assets/");
}
