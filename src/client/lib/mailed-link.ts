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
