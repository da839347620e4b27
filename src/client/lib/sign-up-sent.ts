import { keepForTab, readKept } from "./tab-store.ts";

/** The address that this tab signed up with and that waits for its confirmation; a reload keeps it. */
export function readSentTo(): string | null {
  const { email } = readKept("sign-up-sent");
  return typeof email === "string" ? email : null;
}

/** Null once it was confirmed, or another account is to be made. */
export function keepSentTo(email: string | null): void {
  keepForTab("sign-up-sent", email === null ? null : { email });
}
