/** The reason why a sign-in at the identity provider failed. */
export type OidcReason =
  /** The person cancelled at the provider. */
  | "cancelled"
  /** No genuine flow, or one for another page or person. */
  | "wrong_flow"
  | "expired_flow"
  | "wrong_state"
  /** The provider refused the request or the code: used, expired, or not issued to us. */
  | "code_refused"
  | "wrong_issuer"
  | "wrong_audience"
  | "wrong_nonce"
  | "wrong_signature"
  | "expired_token"
  | "invalid_token"
  /** The address isn't one that an account here can have. */
  | "unusable_address"
  /** The provider's response was late or made no sense. */
  | "unreachable";

/** The detail is for the log. It never contains codes, tokens or claims. */
export class OidcError extends Error {
  readonly reason: OidcReason;

  constructor(reason: OidcReason, detail: string, options?: { cause?: unknown }) {
    super(`${reason}: ${detail}`, options);
    this.name = "OidcError";
    this.reason = reason;
  }
}
