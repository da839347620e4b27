import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "#server/core/secret.ts";

/** The value of a cookie that a browser keeps for us: the content in the open, signed for one purpose. */
export function seal(secret: string, purpose: string, content: object): string {
  const body = Buffer.from(JSON.stringify(content)).toString("base64url");
  return `${body}.${signatureOf(secret, purpose, body).toString("base64url")}`;
}

/** What {@link seal} was given for that purpose, or null: nothing, or not of our making. */
export function unseal(secret: string, purpose: string, sealed: string | undefined): unknown {
  const [body, signature, ...rest] = sealed?.split(".") ?? [];
  if (!body || !signature || rest.length > 0) return null;
  const given = Buffer.from(signature, "base64url");
  const wanted = signatureOf(secret, purpose, body);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  return JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
}

const signatureOf = (secret: string, purpose: string, body: string) =>
  createHmac("sha256", deriveKey(secret, purpose)).update(body).digest();
