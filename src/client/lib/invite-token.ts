import { tabStorage } from "./browser-storage.ts";
import { takeLink } from "./mailed-link.ts";

/** Invitations to the team, and to farms. */
type Kept = "invite-token" | "farm-invite-token";

/**
 * The token of the invitation's link that led here now or before; empty without one. It is kept for this tab until the
 * invitation is accepted: neither a reload nor a sign-in on the way loses it.
 */
export function readInviteToken(name: Kept): string {
  const link = takeLink();
  if (link?.type !== "invite") return tabStorage.read(name) ?? "";
  // Where the browser keeps nothing, the link works until the page is left.
  tabStorage.keep(name, link.token);
  return link.token;
}

export function forgetInviteToken(name: Kept): void {
  tabStorage.keep(name, null);
}
