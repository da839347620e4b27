import { type MutableRedirectUri, type MutableResponse, type MutableToken, OAuth2Server } from "oauth2-mock-server";
import { type Clock, systemClock } from "#server/platform/clock.ts";

/** The provider's faults from now on; an empty object is a provider that works. */
export interface OpenIdTampering {
  /** The person says no. */
  cancels?: boolean;
  /** Changes the id_token's claims before they are signed. */
  claims?(claims: Record<string, unknown>): void;
  /** Changes the signed id_token. */
  idToken?(token: string): string;
  /** Replaces the token endpoint's answer. */
  tokenAnswer?: { statusCode: number; body: Record<string, unknown> };
  /** Changes the discovery document. */
  discovery?(document: Record<string, unknown>): void;
}

export interface OpenIdServer {
  /** The value for GOOGLE_ISSUER. Any client id and secret will do. */
  issuer: string;
  /** Who signs in: everyone who comes by. */
  person: { sub: string; email: string; email_verified: unknown; name?: string };
  tampering: OpenIdTampering;
  /** How often the discovery document was read. */
  discoveries: number;
  /** Does what the browser does at an authorization address; gives the query that it brings to the callback page. */
  visit(url: string): Promise<{ redirectUri: string; code?: string; state?: string; error?: string }>;
  stop(): Promise<void>;
}

/**
 * A real OpenID provider on a free port of 127.0.0.1. It shows no page: whoever comes agrees at once. Its tokens are
 * made by `clock` and signed with `algorithm`.
 */
export async function startOpenIdServer({
  clock = systemClock,
  algorithm = "RS256",
}: {
  clock?: Clock;
  algorithm?: string;
} = {}): Promise<OpenIdServer> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate(algorithm);
  await server.start(0, "127.0.0.1");
  const issuer = `http://127.0.0.1:${server.address().port}`;
  server.issuer.url = issuer;

  const openId: OpenIdServer = {
    issuer,
    person: { sub: "google-ada", email: "ada@example.com", email_verified: true, name: "Ada Obi" },
    tampering: {},
    discoveries: 0,
    async visit(url) {
      const answer = await fetch(url, { redirect: "manual" });
      const target = new URL(answer.headers.get("location") ?? "");
      return { redirectUri: target.origin + target.pathname, ...Object.fromEntries(target.searchParams) };
    },
    stop: () => server.stop(),
  };

  server.service.on("beforeWellKnownOpenIdConfiguration", ({ body }: MutableResponse) => {
    openId.discoveries += 1;
    if (body !== "") openId.tampering.discovery?.(body);
  });
  server.service.on("beforeAuthorizeRedirect", ({ url }: MutableRedirectUri) => {
    if (!openId.tampering.cancels) return;
    url.searchParams.delete("code");
    url.searchParams.set("error", "access_denied");
  });
  server.service.on("beforeTokenSigning", ({ payload }: MutableToken) => {
    const seconds = Math.floor(clock.now().getTime() / 1000);
    Object.assign(payload, openId.person, { iat: seconds, exp: seconds + 3600 });
    Reflect.deleteProperty(payload, "nbf");
    openId.tampering.claims?.(payload);
  });
  server.service.on("beforeResponse", (answer: MutableResponse) => {
    const { idToken, tokenAnswer } = openId.tampering;
    if (idToken && answer.body !== "") answer.body.id_token = idToken(String(answer.body.id_token));
    if (tokenAnswer) Object.assign(answer, tokenAnswer);
  });
  return openId;
}
