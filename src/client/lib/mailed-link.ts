/**
 * Reads the token of a mailed link from the address's fragment and removes it from the address bar and the history at
 * once. Null when there is none.
 */
export function takeLink(): { type: string; token: string } | null {
  const { hash, pathname, search } = window.location;
  if (hash !== "") window.history.replaceState(window.history.state, "", pathname + search);
  const fields = new URLSearchParams(hash.slice(1));
  const [type, token] = [fields.get("type"), fields.get("access_token")];
  return type && token ? { type, token } : null;
}

/** Whether a mailed link of that type brought the person here, as long as {@link takeLink} hasn't taken it. */
export function isLinkOfType(type: string): boolean {
  return new URLSearchParams(window.location.hash.slice(1)).get("type") === type;
}
