/** Why a sign-in at the identity provider came to nothing. */
export type OidcReason =
  /** The person said no at the provider. */
  | "cancelled"
  /** No flow of ours, or one begun for another place or person. */
  | "wrong_flow"
  | "expired_flow"
  | "wrong_state"
  /** The provider refused the request, or the code: used, over, not ours. */
  | "code_refused"
  | "wrong_issuer"
  | "wrong_audience"
  | "wrong_nonce"
  | "wrong_signature"
  | "expired_token"
  | "invalid_token"
  /** The person's address is none that an account here can have. */
  | "unusable_address"
  /** No answer from the provider in time, or none that makes sense. */
  | "unreachable";

/** The detail is for the log: it never holds codes, tokens or what they say of the person. */
export class OidcError extends Error {
  readonly reason: OidcReason;

  constructor(reason: OidcReason, detail: string, options?: { cause?: unknown }) {
    super(`${reason}: ${detail}`, options);
    this.name = "OidcError";
    this.reason = reason;
  }
}
