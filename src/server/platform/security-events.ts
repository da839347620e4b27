import { authTexts } from "#shared/auth.ts";
import type { Deps } from "./deps.ts";
import type { AppError } from "./errors.ts";

/** What happened, and whether somebody was refused: those lines are warnings. */
const events = {
  sign_in: "done",
  sign_in_failed: "refused",
  /** A second factor was wrong, at sign-in or within the account. */
  second_factor_failed: "refused",
  /** The password that a change within the account asks for was wrong. */
  proof_failed: "refused",
  /** The failure that used up the last attempt. */
  locked: "refused",
  /** An attempt while a lock stands: it was not looked at. */
  attempt_refused: "refused",
  reset_requested: "done",
  reset_refused: "refused",
  password_changed: "done",
  email_change_requested: "done",
  email_changed: "done",
  second_factor_on: "done",
  second_factor_off: "done",
  recovery_codes_renewed: "done",
  /** APP_SECRET was changed, at the command line. */
  secret_rotated: "done",
  identity_linked: "done",
  identity_unlinked: "done",
  /** Somebody signed in asked for what their rights don't give. */
  access_refused: "refused",
} as const;

export type SecurityEvent = keyof typeof events;

/** Names of ours and ids, never what a person typed. */
type Facts = {
  /** The account it happened to; null where there is none. */
  userId: string | null;
  /** How or why, as one word: "password", "wrong_password". */
  reason: string;
  /** Who did it to somebody else's account. */
  by?: string;
};

/**
 * The one line that a security event is in the log (product decision): `kind` is "security" in all of them. Called after
 * the commit. The request's id leads to its line, which has the address that it came from.
 */
export function reportSecurityEvent({ log }: Pick<Deps, "log">, event: SecurityEvent, facts: Facts): void {
  const { userId, reason, by } = facts;
  const line = { kind: "security", event, reason, userId, ...(by === undefined ? {} : { by }) };
  if (events[event] === "refused") log.warn(line, "security event");
  else log.info(line, "security event");
}

const reasonsOfTexts: Record<string, string> = {
  [authTexts.blocked]: "blocked",
  [authTexts.checkEmail]: "unconfirmed",
  [authTexts.notAdmin]: "not_admin",
};

/** A refusal's text as one word. */
export const reasonOfRefusal = ({ message, reason }: AppError): string => reasonsOfTexts[message] ?? reason;
