import type { FastifyReply } from "fastify";

/** An answer's headers so far as `writeHead` takes them without keeping a copy: names and values in turn. */
export function rawHeaders(reply: FastifyReply): string[] {
  return Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined ? [] : [name, String(value)],
  );
}
