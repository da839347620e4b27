/** A path of this site is at most so long: a cookie carries it through Google's sign-in. */
export const ownPathMax = 500;

/**
 * A path on this site unchanged. Null for anything else: an address elsewhere is never followed. Browsers read a
 * backslash as a slash, and leave control characters out.
 */
export const ownPath = (next: string | null | undefined): string | null =>
  next && next.length <= ownPathMax && /^\/(?!\/)[^\\\p{Cc}]*$/u.test(next) ? next : null;
