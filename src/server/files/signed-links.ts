import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "#server/platform/secret.ts";

/** The path that a link is signed for, its session (`subject`: the hash of the session's id), and our secret. */
type LinkClaim = { secret: string; path: string; subject: string };

/**
 * A private file's address: `path` with `expires` and `signature` in the query.
 * It is valid only for its session, until `expiresAt` (whole seconds).
 */
export function signLink(claim: LinkClaim & { expiresAt: Date }): string {
  const expires = Math.floor(claim.expiresAt.getTime() / 1000);
  return `${claim.path}?expires=${expires}&signature=${signatureOf(claim, expires).toString("base64url")}`;
}

/** Returns true if a link from {@link signLink} is genuine, for this path and session, and not expired. */
export function verifyLink(claim: LinkClaim & { query: unknown; now: Date }): boolean {
  const { expires, signature } = queryOf(claim.query);
  if (expires === undefined || signature === undefined || !/^\d{1,12}$/.test(expires)) return false;
  const given = Buffer.from(signature, "base64url");
  const wanted = signatureOf(claim, Number(expires));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return false;
  return claim.now.getTime() < Number(expires) * 1000;
}

function signatureOf(claim: LinkClaim, expires: number): Buffer {
  const key = deriveKey(claim.secret, "signed-links");
  return createHmac("sha256", key)
    .update(JSON.stringify([claim.path, claim.subject, expires]))
    .digest();
}

function queryOf(query: unknown): { expires?: string; signature?: string } {
  if (typeof query !== "object" || query === null) return {};
  const { expires, signature } = query as Record<string, unknown>;
  // A repeated parameter arrives as an array, which our links never contain.
  return typeof expires === "string" && typeof signature === "string" ? { expires, signature } : {};
}
