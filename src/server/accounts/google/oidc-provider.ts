import { z } from "zod";
import type { Clock } from "#server/platform/clock.ts";
import { isHttpsOrLoopback } from "#server/platform/env.ts";
import { hourMs } from "#shared/lagos-time.ts";
import { OidcError } from "./oidc-error.ts";

/** An OpenID provider's endpoints, and the issuer names in its tokens. */
export type Endpoints = { authorizationEndpoint: string; tokenEndpoint: string; jwksUri: string };
export type Provider = Endpoints & { issuers: string[] };

const googleIssuer = "https://accounts.google.com";
const googleEndpoints: Endpoints = {
  authorizationEndpoint: "https://accounts.google.com/o/oauth2/v2/auth",
  tokenEndpoint: "https://oauth2.googleapis.com/token",
  jwksUri: "https://www.googleapis.com/oauth2/v3/certs",
};
/** Google's tokens may name the issuer without the scheme. */
const googleIssuers = [googleIssuer, "accounts.google.com"];

const cacheMs = hourMs;

type Options = {
  /** Undefined means Google. */
  issuer: string | undefined;
  /** Known endpoints, which need no discovery. */
  endpoints?: Endpoints | undefined;
  clock: Clock;
  timeoutMs: number;
};

/**
 * Returns a function that finds the provider. Google's endpoints are known; another provider's are read from its
 * `/.well-known/openid-configuration` and cached for an hour. It throws OidcError "unreachable".
 */
export function findProvider({ issuer = googleIssuer, endpoints, clock, timeoutMs }: Options): () => Promise<Provider> {
  const isGoogle = withoutSlash(issuer) === googleIssuer;
  const known = endpoints ?? (isGoogle ? googleEndpoints : undefined);
  if (known) {
    const provider = { ...known, issuers: isGoogle ? googleIssuers : [issuer] };
    return async () => provider;
  }
  let cached: { found: Promise<Provider>; until: number } | undefined;
  return () => {
    const now = clock.now().getTime();
    if (cached && now < cached.until) return cached.found;
    const found = discover(issuer, timeoutMs);
    const entry = { found, until: now + cacheMs };
    cached = entry;
    // A failure isn't cached: the next request tries again.
    found.catch(() => {
      if (cached === entry) cached = undefined;
    });
    return found;
  };
}

const configuration = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
});

async function discover(issuer: string, timeoutMs: number): Promise<Provider> {
  const address = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const parsed = configuration.safeParse(await readJson(address, timeoutMs));
  if (!parsed.success) throw new OidcError("unreachable", `${address} is no OpenID configuration`);
  const found = parsed.data;
  if (withoutSlash(found.issuer) !== withoutSlash(issuer))
    throw new OidcError("unreachable", `${address} is the configuration of ${found.issuer}`);
  const provider = {
    issuers: [found.issuer],
    authorizationEndpoint: found.authorization_endpoint,
    tokenEndpoint: found.token_endpoint,
    jwksUri: found.jwks_uri,
  };
  for (const endpoint of [provider.authorizationEndpoint, provider.tokenEndpoint, provider.jwksUri]) {
    if (!isHttpsOrLoopback(endpoint)) throw new OidcError("unreachable", `${endpoint} is not https`);
  }
  return provider;
}

async function readJson(address: string, timeoutMs: number): Promise<unknown> {
  if (!isHttpsOrLoopback(address)) throw new OidcError("unreachable", `${address} is not https`);
  try {
    const response = await fetch(address, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    return await response.json();
  } catch (cause) {
    throw new OidcError("unreachable", `no configuration at ${address}`, { cause });
  }
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, "");
}
