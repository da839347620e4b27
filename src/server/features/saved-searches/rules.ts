import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "#server/platform/secret.ts";

/** Returns a signer of links that stop a saved search; create it once for many mails. They never expire, as mails are kept. */
export function searchLinkSigner(appSecret: string): (searchId: number) => string {
  const key = deriveKey(appSecret, "stop-search");
  return (searchId) => `${searchId}.${createHmac("sha256", key).update(String(searchId)).digest("base64url")}`;
}

/** Gives the search of a genuine token, or null. It only grants reading the search's name and stopping it. */
export function readSearchLink(appSecret: string, token: string): number | null {
  const searchId = Number(token.split(".")[0]);
  const wanted = Buffer.from(searchLinkSigner(appSecret)(searchId));
  const given = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? searchId : null;
}
