import { useEffect, useRef, useState } from "react";
import { ownPath } from "#shared/accounts/own-path.ts";
import { type RouterInputs, trpc } from "./trpc.ts";

/**
 * Reads the token of a mailed link from the address's fragment and removes it from the address bar and the history at
 * once. Null when there is none.
 */
export function takeLink(): { type: string; token: string; next: string | null } | null {
  const { hash, pathname, search } = window.location;
  if (hash !== "") window.history.replaceState(window.history.state, "", pathname + search);
  const fields = new URLSearchParams(hash.slice(1));
  const [type, token] = [fields.get("type"), fields.get("access_token")];
  return type && token ? { type, token, next: ownPath(fields.get("next")) } : null;
}

/** Returns true if a mailed link of that type brought the person here and {@link takeLink} hasn't taken it yet. */
export function isLinkOfType(type: string): boolean {
  return new URLSearchParams(window.location.hash.slice(1)).get("type") === type;
}

type Purpose = RouterInputs["auth"]["mailedLink"]["purpose"];

/** As the links' fragments name them. */
const types: Record<Purpose, string> = { confirm_email: "signup", change_email: "email_change" };

/** The link that brought the person here, taken out of the address, and what using it would take. Looking uses nothing up. */
export function useMailedLink(purpose: Purpose) {
  const [token, setToken] = useState("");
  const [next, setNext] = useState<string | null>(null);
  const { mutate, data, error } = trpc.auth.mailedLink.useMutation();
  const isTaken = useRef(false);
  useEffect(() => {
    if (isTaken.current) return;
    isTaken.current = true;
    const link = takeLink();
    // A link without a token is answered by the server like any other that doesn't work.
    const taken = link?.type === types[purpose] ? link.token : "";
    setToken(taken);
    setNext(link?.next ?? null);
    mutate({ token: taken, purpose });
  }, [mutate, purpose]);
  return { token, next, link: data, error };
}
