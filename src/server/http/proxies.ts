import type { FastifyInstance } from "fastify";
import type { Env } from "#server/platform/env.ts";
import { forwardedAddresses } from "#server/platform/network.ts";

/** Fastify's `trustProxy`: its own number of hops trusts nobody, for it knows no address to trust. */
export function trustedProxies({ trustProxy }: Env): string[] | ((address: string, hop: number) => boolean) | false {
  return typeof trustProxy === "number" ? (_address, hop) => hop < trustProxy : trustProxy;
}

/**
 * What a proxy passes on as an address, but is none, never becomes anybody's: limits count by it. Register before whatever
 * asks for a request's address.
 */
export function registerForwarded(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers } = request.raw;
    const forwarded = headers["x-forwarded-for"];
    if (forwarded !== undefined) headers["x-forwarded-for"] = forwardedAddresses(String(forwarded));
    done();
  });
}
