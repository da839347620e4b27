import { timingSafeEqual } from "node:crypto";
import {
  CodeChallengeMethod,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
  OAuth2RequestError,
  type OAuth2Tokens,
  UnexpectedErrorResponseBodyError,
} from "arctic";
import { within } from "#server/platform/async.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Oidc, OidcAnswer, OidcClaims, OidcFlow, OidcFlowPurpose } from "#server/platform/deps.ts";
import { ownPath } from "#shared/accounts/own-path.ts";
import type { SessionKind } from "#shared/accounts/sessions.ts";
import { OidcError } from "./oidc-error.ts";
import { type Endpoints, findProvider } from "./oidc-provider.ts";
import { rememberKeys, verifyIdToken } from "./oidc-token.ts";

const callbackPaths: Record<SessionKind, string> = { backer: "/auth-callback", admin: "/admin/auth-callback" };
const scopes = ["openid", "email", "profile"];

/**
 * Without `issuer` the provider is Google. Another provider's endpoints are discovered unless given. `publicUrl` is the
 * site's origin, whose two callback pages must be registered with the provider. Each request to the provider is limited
 * to `timeoutMs`.
 */
export function createOidc(options: {
  issuer: string | undefined;
  endpoints?: Endpoints;
  clientId: string;
  clientSecret: string;
  publicUrl: string;
  clock: Clock;
  timeoutMs?: number;
}): Oidc {
  const { clientId, clientSecret, publicUrl, clock, timeoutMs = 5000 } = options;
  const provider = findProvider({ ...options, timeoutMs });
  const keys = rememberKeys(timeoutMs);
  const clientOf = (kind: SessionKind) => new OAuth2Client(clientId, clientSecret, publicUrl + callbackPaths[kind]);

  return {
    /**
     * Returns the address for the browser, and the flow to keep meanwhile (see sealFlow). A `next` that isn't a path on
     * this site is dropped. Throws OidcError "unreachable".
     */
    async begin(request: OidcFlowPurpose & { kind: SessionKind; next?: string | undefined }) {
      const { authorizationEndpoint } = await provider();
      const secrets = { state: generateState(), nonce: generateState(), codeVerifier: generateCodeVerifier() };
      const url = clientOf(request.kind).createAuthorizationURLWithPKCE(
        authorizationEndpoint,
        secrets.state,
        CodeChallengeMethod.S256,
        secrets.codeVerifier,
        scopes,
      );
      url.searchParams.set("nonce", secrets.nonce);
      if (request.kind === "admin") {
        // Required by the specification. The refresh token of offline access isn't kept.
        url.searchParams.set("access_type", "offline");
        url.searchParams.set("prompt", "consent");
      }
      const saved: OidcFlow = { ...request, next: ownPath(request.next), ...secrets };
      return { url: url.href, saved };
    },

    /** Returns the verified claims of the returning person. Throws OidcError with any reason except openFlow's two. */
    async finish(answer: OidcAnswer, saved: OidcFlow): Promise<OidcClaims> {
      const code = readAnswer(answer, saved);
      const { issuers, tokenEndpoint, jwksUri } = await provider();
      const exchange = clientOf(saved.kind).validateAuthorizationCode(tokenEndpoint, code, saved.codeVerifier);
      const tokens = await within(timeoutMs, exchange).catch((error: unknown) => {
        throw exchangeFault(error);
      });
      const { nonce } = saved;
      return verifyIdToken(readToken(tokens), { issuers, keys: keys(jwksUri), clientId, nonce, now: clock.now() });
    },
  };
}

/** The code of a response to our request. An error also counts only with our state. */
function readAnswer({ code, state, error }: OidcAnswer, saved: OidcFlow): string {
  if (!isSame(state, saved.state)) throw new OidcError("wrong_state", "the state is not the one that was sent");
  if (error === "access_denied") throw new OidcError("cancelled", "access was denied");
  if (error === "server_error" || error === "temporarily_unavailable") throw new OidcError("unreachable", error);
  if (error !== undefined) throw new OidcError("code_refused", `the provider refused: ${error.slice(0, 100)}`);
  if (!code) throw new OidcError("code_refused", "there is no code");
  return code;
}

function exchangeFault(error: unknown): OidcError {
  if (error instanceof OAuth2RequestError) return new OidcError("code_refused", error.code.slice(0, 100));
  if (error instanceof UnexpectedErrorResponseBodyError) return new OidcError("code_refused", `status ${error.status}`);
  return new OidcError("unreachable", "no tokens from the provider", { cause: error });
}

function readToken(tokens: OAuth2Tokens): string {
  try {
    return tokens.idToken();
  } catch {
    throw new OidcError("invalid_token", "there is no id_token");
  }
}

function isSame(given: string | undefined, wanted: string): boolean {
  if (given === undefined) return false;
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
