/** A path of this site is at most so long: a cookie carries it through Google's sign-in. */
export const ownPathMax = 500;

/** A path on this site unchanged. Null for anything else: an address elsewhere is never followed. */
export const ownPath = (next: string | null | undefined): string | null =>
  next && next.length <= ownPathMax && /^\/(?![/\\])\P{Cc}*$/u.test(next) ? next : null;
