import { readClaim, signClaim } from "#server/platform/secret.ts";

const purpose = "stop-search";

/** The token of a link that stops a saved search. It never expires, as mails are kept. */
export const signSearchLink = (appSecret: string, searchId: number): string =>
  signClaim(appSecret, purpose, String(searchId));

/**
 * Gives the search of a genuine token, or null. It only grants reading the search's name, stopping it, and taking that
 * back.
 */
export function readSearchLink(appSecret: string, token: string): number | null {
  const claim = readClaim(appSecret, purpose, token);
  return claim === null ? null : Number(claim);
}
