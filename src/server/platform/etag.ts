import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** A strong validator (RFC 9110, 8.8.3) of what these bytes, or this text, stand for. */
export function etagOf(content: string | Uint8Array): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 27)}"`;
}

/** Whether the sender has what an ETag stands for, and is answered with 304 (RFC 9110, 13.1.2: compared weakly). */
export function isKnown({ headers }: Pick<FastifyRequest, "headers">, etag: string): boolean {
  const known = headers["if-none-match"];
  if (known === undefined) return false;
  if (known.trim() === "*") return true;
  return known.split(",").some((tag) => withoutMark(tag.trim()) === withoutMark(etag));
}

const withoutMark = (tag: string) => tag.replace(/^W\//, "");
