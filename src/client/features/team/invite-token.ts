import { takeLink } from "#client/lib/mailed-link.ts";

/** Kept for this tab until the invitation is accepted: neither a reload nor a sign-in on the way loses it. */
const KEY = "invite-token";

/** The token of the link that led here now or before; empty without one. */
export function readInviteToken(): string {
  const link = takeLink();
  try {
    if (link?.type === "invite") sessionStorage.setItem(KEY, link.token);
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    // Storage is blocked: the link then works until the page is left.
    return link?.type === "invite" ? link.token : "";
  }
}

export function forgetInviteToken() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: nothing was kept.
  }
}
