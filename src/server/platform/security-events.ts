import { authTexts } from "#shared/accounts/inputs.ts";
import type { Deps } from "./deps.ts";
import type { AppError } from "./errors.ts";

/** The events, and whether somebody was refused. Refusals are logged as warnings. */
const events = {
  sign_in: "done",
  sign_in_failed: "refused",
  /** A second factor was wrong, at sign-in or within the account. */
  second_factor_failed: "refused",
  /** A change within the account was refused because its password was wrong. */
  proof_failed: "refused",
  /** A failure used up the last attempt. */
  locked: "refused",
  /** An attempt during a lock, refused unchecked. */
  attempt_refused: "refused",
  /** A wrong code was entered at /setup. */
  setup_refused: "refused",
  reset_requested: "done",
  reset_refused: "refused",
  password_changed: "done",
  email_change_requested: "done",
  email_changed: "done",
  second_factor_on: "done",
  second_factor_off: "done",
  recovery_codes_renewed: "done",
  /** APP_SECRET was rotated on the command line. */
  secret_rotated: "done",
  identity_linked: "done",
  identity_unlinked: "done",
  /** A signed-in person requested something beyond their rights. */
  access_refused: "refused",
} as const;

export type SecurityEvent = keyof typeof events;

/** Fixed names and ids, never typed text. */
type Facts = {
  /** The account concerned, or null. */
  userId: string | null;
  /** How or why, as one word: "password", "wrong_password". */
  reason: string;
  /** The person who did it to another account. */
  by?: string;
};

/**
 * Logs a security event as one line (product decision); `kind` is "security" in all of them. Call it after the commit.
 * The line shares its request id with the request's line, which has the client's address.
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

/** The reason word for a refusal's text. */
export const reasonOfRefusal = ({ message, reason }: AppError): string => reasonsOfTexts[message] ?? reason;
