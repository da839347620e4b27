import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { OidcClaims } from "#server/platform/deps.ts";
import { emailField, fullNameField } from "#shared/accounts/inputs.ts";
import { OidcError, type OidcReason } from "./oidc-error.ts";
import { flowSeconds } from "./oidc-flow.ts";

/** The accepted difference between the provider's clock and ours. */
const toleranceSeconds = 60;

/** Caches the provider's keys by their address; jose fetches and renews them. */
export function rememberKeys(timeoutMs: number): (jwksUri: string) => JWTVerifyGetKey {
  let current: { jwksUri: string; keys: JWTVerifyGetKey } | undefined;
  return (jwksUri) => {
    if (current?.jwksUri === jwksUri) return current.keys;
    const remote = createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: timeoutMs });
    const keys: JWTVerifyGetKey = (header, token) =>
      remote(header, token).catch((error: unknown) => {
        throw isTokensFault(error)
          ? error
          : new OidcError("unreachable", "no keys from the provider", { cause: error });
      });
    current = { jwksUri, keys };
    return keys;
  };
}

/** The keys were fetched, but none is the token's. */
function isTokensFault(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

/**
 * Verifies an id_token and returns its claims. It must be fresh, and signed by this provider for us and this request.
 * Throws OidcError: wrong_issuer, wrong_audience, wrong_nonce, wrong_signature, expired_token, invalid_token,
 * unusable_address, unreachable.
 */
export async function verifyIdToken(
  idToken: string,
  expected: { issuers: string[]; clientId: string; nonce: string; keys: JWTVerifyGetKey; now: Date },
): Promise<OidcClaims> {
  const { clientId } = expected;
  const { payload } = await jwtVerify(idToken, expected.keys, {
    issuer: expected.issuers,
    audience: clientId,
    algorithms: ["RS256", "ES256"],
    requiredClaims: ["sub", "exp", "iat"],
    // The token was made for this flow, so it can't be older than the flow.
    maxTokenAge: flowSeconds,
    clockTolerance: toleranceSeconds,
    currentDate: expected.now,
  }).catch((error: unknown) => {
    throw tokenFault(error);
  });
  const hasSeveralAudiences = Array.isArray(payload.aud) && payload.aud.length > 1;
  if ((hasSeveralAudiences || payload.azp !== undefined) && payload.azp !== clientId)
    throw new OidcError("wrong_audience", "the token was made for another party");
  if (payload.nonce !== expected.nonce) throw new OidcError("wrong_nonce", "the token was made for another request");
  return claimsOf(payload);
}

const reasonOfClaim: Record<string, OidcReason> = { iss: "wrong_issuer", aud: "wrong_audience" };

/** Jose's errors carry the person's claims, so only their message is kept. */
function tokenFault(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError)) return error;
  if (error instanceof errors.JWTExpired) return new OidcError("expired_token", error.message);
  if (error instanceof errors.JWTClaimValidationFailed)
    return new OidcError(reasonOfClaim[error.claim] ?? "invalid_token", error.message);
  const isForged = error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey;
  return new OidcError(isForged ? "wrong_signature" : "invalid_token", error.message);
}

function claimsOf(payload: JWTPayload): OidcClaims {
  const { sub, email_verified: isVerified, name } = payload;
  const email = emailField.safeParse(payload.email);
  // OpenID Connect limits a subject to 255 characters. Accounts are found by it.
  if (typeof sub !== "string" || !/^[\x20-\x7e]{1,255}$/.test(sub) || typeof payload.email !== "string")
    throw new OidcError("invalid_token", "the token names no person with an address");
  // A look-alike address must not become the address that it imitates.
  if (!email.success) throw new OidcError("unusable_address", "the address is none that an account here can have");
  const fullName = fullNameField.safeParse(name);
  return {
    subject: sub,
    email: email.data,
    isEmailVerified: isVerified === true,
    fullName: fullName.success ? fullName.data : (email.data.split("@", 1)[0] ?? ""),
  };
}
