import type { FastifyInstance } from "fastify";
import type { Env } from "#server/platform/env.ts";
import { forwardedAddresses } from "#server/platform/network.ts";

/** Fastify's `trustProxy`. A number of hops becomes a function, because Fastify's own would trust no address. */
export function trustedProxies({ trustProxy }: Env): string[] | ((address: string, hop: number) => boolean) | false {
  return typeof trustProxy === "number" ? (_address, hop) => hop < trustProxy : trustProxy;
}

/**
 * Removes invalid entries from X-Forwarded-For, so that none becomes a client's address, by which limits count.
 * Register it before any code that reads a request's address.
 */
export function registerForwarded(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers } = request.raw;
    const forwarded = headers["x-forwarded-for"];
    if (forwarded !== undefined) headers["x-forwarded-for"] = forwardedAddresses(String(forwarded));
    done();
  });
}
