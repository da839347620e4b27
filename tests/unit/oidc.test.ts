import { createHash, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createOidc } from "#server/accounts/google/oidc.ts";
import { OidcError, type OidcReason } from "#server/accounts/google/oidc-error.ts";
import type { Oidc, OidcAnswer, OidcFlow } from "#server/platform/deps.ts";
import { testClock } from "#tests/support/deps.ts";
import { freePort } from "#tests/support/free-port.ts";
import { type OpenIdServer, startOpenIdServer } from "#tests/support/openid-server.ts";

const clock = testClock();
const client = { clientId: "gona", clientSecret: "a-secret", publicUrl: "https://gona.example", clock };
let openId: OpenIdServer;
let oidc: Oidc;

beforeAll(async () => {
  openId = await startOpenIdServer({ clock });
  oidc = createOidc({ ...client, issuer: openId.issuer });
});
afterEach(() => {
  openId.tampering = {};
  openId.person = { sub: "google-ada", email: "ada@example.com", email_verified: true, name: "Ada Obi" };
});
afterAll(() => openId.stop());

async function reasonOf(work: Promise<unknown>): Promise<OidcReason | "none"> {
  try {
    await work;
    return "none";
  } catch (error) {
    if (error instanceof OidcError) return error.reason;
    throw error;
  }
}

function addressOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

/** Goes to the provider and back; `change` is what happens to the answer or the kept values on the way. */
async function signIn(change: { answer?: OidcAnswer; saved?: Partial<OidcFlow> } = {}, at = oidc) {
  const { url, saved } = await at.begin({ kind: "backer", purpose: "sign-in" });
  const answer = await openId.visit(url);
  return at.finish({ ...answer, ...change.answer }, { ...saved, ...change.saved } as OidcFlow);
}

describe("the way there", () => {
  test("the address carries PKCE, state and nonce, and the secrets stay here", async () => {
    const { url, saved } = await oidc.begin({ kind: "backer", purpose: "sign-in", next: "/discover?sort=new" });
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(url.startsWith(`${openId.issuer}/authorize?`)).toBe(true);
    expect(query).toEqual({
      response_type: "code",
      client_id: "gona",
      redirect_uri: "https://gona.example/auth-callback",
      scope: "openid email profile",
      state: saved.state,
      nonce: saved.nonce,
      code_challenge_method: "S256",
      code_challenge: createHash("sha256").update(saved.codeVerifier).digest("base64url"),
    });
    expect(saved).toMatchObject({ kind: "backer", purpose: "sign-in", next: "/discover?sort=new" });
    expect(new Set([saved.state, saved.nonce, saved.codeVerifier]).size).toBe(3);
  });

  test("administrators are asked for consent and offline access, and come back to their own page", async () => {
    const { url } = await oidc.begin({ kind: "admin", purpose: "sign-in" });
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      redirect_uri: "https://gona.example/admin/auth-callback",
      access_type: "offline",
      prompt: "consent",
    });
  });

  test("without an issuer it is Google, whose addresses need no discovery", async () => {
    for (const issuer of [undefined, "https://accounts.google.com", "https://accounts.google.com/"]) {
      const { url } = await createOidc({ ...client, issuer }).begin({ kind: "backer", purpose: "sign-in" });
      expect(url).toMatch(/^https:\/\/accounts\.google\.com\/o\/oauth2\/v2\/auth\?/);
    }
  });

  test("an address elsewhere is not kept to return to", async () => {
    const { saved } = await oidc.begin({ kind: "backer", purpose: "sign-in", next: "//evil.example" });
    expect(saved.next).toBeNull();
  });
});

describe("the way back", () => {
  test("it tells who has signed in", async () => {
    openId.person = { sub: "google-7", email: " Ada@Example.com", email_verified: true, name: " Ada Obi " };
    expect(await signIn()).toEqual({
      subject: "google-7",
      email: "ada@example.com",
      isEmailVerified: true,
      fullName: "Ada Obi",
    });
  });

  test.each([false, "true", 1, undefined])("an address with email_verified %j isn't verified", async (value) => {
    openId.person.email_verified = value;
    expect(await signIn()).toMatchObject({ isEmailVerified: false });
  });

  test.each([undefined, "", "  ", "a".repeat(201)])("the name %j gives way to the address", async (name) => {
    openId.tampering.claims = (claims) => {
      claims.name = name;
    };
    expect(await signIn()).toMatchObject({ fullName: "ada" });
  });

  test("a person who says no has cancelled", async () => {
    openId.tampering.cancels = true;
    expect(await reasonOf(signIn())).toBe("cancelled");
  });

  test("a wrong or missing state is refused before the provider is asked, with a code or an error", async () => {
    const broken = createOidc({ ...client, issuer: `http://127.0.0.1:${await freePort()}` });
    const { saved } = await oidc.begin({ kind: "backer", purpose: "sign-in" });
    for (const state of [undefined, "", "another", `${saved.state}x`]) {
      expect(await reasonOf(broken.finish({ code: "a-code", state }, saved))).toBe("wrong_state");
      expect(await reasonOf(broken.finish({ error: "access_denied", state }, saved))).toBe("wrong_state");
    }
  });

  test("other errors of the provider are told apart", async () => {
    const { saved } = await oidc.begin({ kind: "backer", purpose: "sign-in" });
    const { state } = saved;
    expect(await reasonOf(oidc.finish({ state, error: "server_error" }, saved))).toBe("unreachable");
    expect(await reasonOf(oidc.finish({ state, error: "temporarily_unavailable" }, saved))).toBe("unreachable");
    expect(await reasonOf(oidc.finish({ state, error: "invalid_scope" }, saved))).toBe("code_refused");
    expect(await reasonOf(oidc.finish({ state }, saved))).toBe("code_refused");
  });

  test("a code is refused that is made up, used already, or another browser's", async () => {
    expect(await reasonOf(signIn({ answer: { code: "made-up" } }))).toBe("code_refused");
    expect(await reasonOf(signIn({ saved: { codeVerifier: "x".repeat(43) } }))).toBe("code_refused");
    const { url, saved } = await oidc.begin({ kind: "backer", purpose: "sign-in" });
    const answer = await openId.visit(url);
    expect(await reasonOf(oidc.finish(answer, saved))).toBe("none");
    expect(await reasonOf(oidc.finish(answer, saved))).toBe("code_refused");
    openId.tampering.tokenAnswer = { statusCode: 400, body: { error: "invalid_grant" } };
    expect(await reasonOf(signIn())).toBe("code_refused");
  });
});

describe("the token", () => {
  const changed: [string, Record<string, unknown>, OidcReason | "none"][] = [
    ["another nonce", { nonce: "another" }, "wrong_nonce"],
    ["no nonce", { nonce: undefined }, "wrong_nonce"],
    ["another audience", { aud: "another" }, "wrong_audience"],
    ["no audience", { aud: undefined }, "wrong_audience"],
    ["several audiences and no party", { aud: ["gona", "another"] }, "wrong_audience"],
    ["several audiences and another party", { aud: ["gona", "another"], azp: "another" }, "wrong_audience"],
    ["another party", { azp: "another" }, "wrong_audience"],
    ["several audiences and us as the party", { aud: ["another", "gona"], azp: "gona" }, "none"],
    ["another issuer", { iss: "https://evil.example" }, "wrong_issuer"],
    ["Google as issuer, where it is not Google", { iss: "https://accounts.google.com" }, "wrong_issuer"],
    ["no issuer", { iss: undefined }, "wrong_issuer"],
    ["no subject", { sub: undefined }, "invalid_token"],
    ["a number as subject", { sub: 7 }, "invalid_token"],
    ["an endless subject", { sub: "7".repeat(256) }, "invalid_token"],
    ["no end", { exp: undefined }, "invalid_token"],
    ["no beginning", { iat: undefined }, "invalid_token"],
    ["no address", { email: undefined }, "invalid_token"],
    ["a broken address", { email: "ada" }, "unusable_address"],
  ];
  test.each(changed)("with %s", async (_, claims, reason) => {
    openId.tampering.claims = (all) => void Object.assign(all, claims);
    expect(await reasonOf(signIn())).toBe(reason);
  });

  const now = () => Math.floor(clock.now().getTime() / 1000);
  test.each([
    ["over for 59 seconds", () => ({ exp: now() - 59 }), "none"],
    ["over for 60 seconds", () => ({ exp: now() - 60 }), "expired_token"],
    ["made 660 seconds ago", () => ({ iat: now() - 660 }), "none"],
    ["made 661 seconds ago", () => ({ iat: now() - 661 }), "expired_token"],
    ["made in 60 seconds", () => ({ iat: now() + 60 }), "none"],
    ["made in 61 seconds", () => ({ iat: now() + 61 }), "invalid_token"],
  ])("%s, by the injected clock", async (_, times, reason) => {
    openId.tampering.claims = (claims) => void Object.assign(claims, times());
    expect(await reasonOf(signIn())).toBe(reason);
  });

  test("with a harmed signature, a foreign key or changed claims is forged", async () => {
    openId.tampering.idToken = (token) => {
      const [header, payload, signature = ""] = token.split(".");
      return [header, payload, (signature.startsWith("A") ? "B" : "A") + signature.slice(1)].join(".");
    };
    expect(await reasonOf(signIn())).toBe("wrong_signature");
    openId.tampering.idToken = (token) => {
      const [header, payload = "", signature] = token.split(".");
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
      const changed = Buffer.from(JSON.stringify({ ...claims, email: "owner@gona.example" })).toString("base64url");
      return [header, changed, signature].join(".");
    };
    expect(await reasonOf(signIn())).toBe("wrong_signature");
  });

  test("unsigned, signed with a shared secret or by a key the provider doesn't know is refused", async () => {
    const claims = { iss: openId.issuer, aud: "gona", sub: "evil", email: "owner@gona.example", iat: now() };
    const unsigned = [{ alg: "none" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
    openId.tampering.idToken = () => `${unsigned.join(".")}.`;
    expect(await reasonOf(signIn())).toBe("invalid_token");

    const shared = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from("a-secret"));
    openId.tampering.idToken = () => shared;
    expect(await reasonOf(signIn())).toBe("invalid_token");

    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const foreign = await new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "foreign" }).sign(privateKey);
    openId.tampering.idToken = () => foreign;
    expect(await reasonOf(signIn())).toBe("wrong_signature");

    for (const token of ["", "a.b", "a.b.c", "€"]) {
      openId.tampering.idToken = () => token;
      expect(await reasonOf(signIn())).toBe("invalid_token");
    }
  });

  test.each([
    ["ES256", "none"],
    ["RS512", "invalid_token"],
    ["PS256", "invalid_token"],
  ])("signed with %s by the provider's own key", async (algorithm, reason) => {
    const provider = await startOpenIdServer({ clock, algorithm });
    expect(await reasonOf(signIn({}, createOidc({ ...client, issuer: provider.issuer })))).toBe(reason);
    await provider.stop();
  });

  test("that is missing is no token", async () => {
    openId.tampering.tokenAnswer = { statusCode: 200, body: { access_token: "x", token_type: "Bearer" } };
    expect(await reasonOf(signIn())).toBe("invalid_token");
  });

  test("of Google may name it with and without the scheme, and nobody else", async () => {
    const endpoints = {
      authorizationEndpoint: `${openId.issuer}/authorize`,
      tokenEndpoint: `${openId.issuer}/token`,
      jwksUri: `${openId.issuer}/jwks`,
    };
    const google = createOidc({ ...client, issuer: undefined, endpoints });
    for (const iss of ["https://accounts.google.com", "accounts.google.com"]) {
      openId.tampering.claims = (claims) => void Object.assign(claims, { iss });
      expect(await reasonOf(signIn({}, google))).toBe("none");
    }
    openId.tampering.claims = () => {};
    expect(await reasonOf(signIn({}, google))).toBe("wrong_issuer");
  });

  test("leaves nothing of the person in the error that is logged", async () => {
    openId.tampering.claims = (claims) => void Object.assign(claims, { nonce: "another", aud: "another" });
    const error = await signIn().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OidcError);
    expect(JSON.stringify(error) + String(error) + String((error as OidcError).cause)).not.toContain("ada");
  });
});

describe("the provider", () => {
  test("is discovered once an hour", async () => {
    const fresh = createOidc({ ...client, issuer: `${openId.issuer}/` });
    const begin = () => fresh.begin({ kind: "backer", purpose: "sign-in" });
    const before = openId.discoveries;
    await Promise.all([begin(), begin()]);
    clock.advance({ seconds: 3599 });
    await begin();
    expect(openId.discoveries - before).toBe(1);
    clock.advance({ seconds: 1 });
    await begin();
    expect(openId.discoveries - before).toBe(2);
  });

  test("is asked again after a failure", async () => {
    const fresh = createOidc({ ...client, issuer: openId.issuer });
    const begin = () => fresh.begin({ kind: "backer", purpose: "sign-in" });
    openId.tampering.discovery = (document) => Reflect.deleteProperty(document, "jwks_uri");
    expect(await reasonOf(begin())).toBe("unreachable");
    openId.tampering = {};
    expect(await reasonOf(begin())).toBe("none");
  });

  test.each([
    ["the name of another", { issuer: "https://evil.example" }],
    ["a token address without https", { token_endpoint: "http://id.example/token" }],
    ["a key address without https", { jwks_uri: "http://id.example/keys" }],
    ["a script as address", { authorization_endpoint: "javascript:alert(1)" }],
  ])("is not believed with %s", async (_, fields) => {
    openId.tampering.discovery = (document) => void Object.assign(document, fields);
    expect(await reasonOf(signIn({}, createOidc({ ...client, issuer: openId.issuer })))).toBe("unreachable");
  });

  test("that sends us elsewhere for its configuration is not followed", async () => {
    const mover = createServer((request, response) => {
      response.writeHead(302, { location: openId.issuer + request.url }).end();
    }).listen(0, "127.0.0.1");
    await once(mover, "listening");
    openId.tampering.discovery = (document) => void Object.assign(document, { issuer: addressOf(mover) });
    expect(await reasonOf(signIn({}, createOidc({ ...client, issuer: addressOf(mover) })))).toBe("unreachable");
    mover.close();
  });

  test("elsewhere is not even asked without https", async () => {
    const { begin } = createOidc({ ...client, issuer: "http://id.example" });
    expect(await reasonOf(begin({ kind: "backer", purpose: "sign-in" }))).toBe("unreachable");
  });

  test("that is down, at any of its addresses, is unreachable", async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await reasonOf(signIn({}, createOidc({ ...client, issuer: nowhere })))).toBe("unreachable");
    for (const field of ["token_endpoint", "jwks_uri"]) {
      openId.tampering.discovery = (document) => void Object.assign(document, { [field]: nowhere });
      expect(await reasonOf(signIn({}, createOidc({ ...client, issuer: openId.issuer })))).toBe("unreachable");
    }
    openId.tampering = { tokenAnswer: { statusCode: 503, body: {} } };
    expect(await reasonOf(signIn())).toBe("unreachable");
  });

  test("that never answers is unreachable after the time limit", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const nowhere = addressOf(silent);
    const impatient = { ...client, timeoutMs: 150 };
    expect(await reasonOf(signIn({}, createOidc({ ...impatient, issuer: nowhere })))).toBe("unreachable");
    for (const field of ["token_endpoint", "jwks_uri"]) {
      openId.tampering.discovery = (document) => void Object.assign(document, { [field]: nowhere });
      expect(await reasonOf(signIn({}, createOidc({ ...impatient, issuer: openId.issuer })))).toBe("unreachable");
    }
    silent.closeAllConnections();
    silent.close();
  });
});
