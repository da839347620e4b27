import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** A strong validator (RFC 9110, 8.8.3) of this content. */
export function etagOf(content: string | Uint8Array): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 27)}"`;
}

/**
 * Returns true if the client already has the content of this ETag, so that 304 answers it (RFC 9110, 13.1.2: weak
 * comparison).
 */
export function isKnown({ headers }: Pick<FastifyRequest, "headers">, etag: string): boolean {
  const known = headers["if-none-match"];
  if (known === undefined) return false;
  if (known.trim() === "*") return true;
  return known.split(",").some((tag) => withoutMark(tag.trim()) === withoutMark(etag));
}

const withoutMark = (tag: string) => tag.replace(/^W\//, "");
