import { useEffect, useRef, useState } from "react";
import { takeLink } from "./mailed-link.ts";
import { type RouterInputs, trpc } from "./trpc.ts";

type Purpose = RouterInputs["auth"]["mailedLink"]["purpose"];

/** As the links' fragments name them. */
const types: Record<Purpose, string> = { confirm_email: "signup", change_email: "email_change" };

/** The link that brought the person here, taken out of the address, and what using it would take. Looking uses nothing up. */
export function useMailedLink(purpose: Purpose) {
  const [token, setToken] = useState("");
  const { mutate, data, error } = trpc.auth.mailedLink.useMutation();
  const isTaken = useRef(false);
  useEffect(() => {
    if (isTaken.current) return;
    isTaken.current = true;
    const link = takeLink();
    // A link without a token is answered by the server like any other that doesn't work.
    const taken = link?.type === types[purpose] ? link.token : "";
    setToken(taken);
    mutate({ token: taken, purpose });
  }, [mutate, purpose]);
  return { token, link: data, error };
}
