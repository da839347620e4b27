import { expect, test } from "vitest";
import { keepFlow, openFlow, sealFlow, takeFlow } from "#server/accounts/google/oidc-flow.ts";
import type { OidcFlow } from "#server/platform/deps.ts";
import { readEnv } from "#server/platform/env.ts";
import { ownPath } from "#shared/accounts/own-path.ts";
import { testClock } from "#tests/support/deps.ts";

const clock = testClock();
const keys = { appSecret: "a secret of the tests, long enough for a key", clock };
const secrets = { state: "a-state", nonce: "a-nonce", codeVerifier: "a-verifier" };
const signInFlow: OidcFlow = { kind: "backer", purpose: "sign-in", next: "/discover", ...secrets };
const linkFlow: OidcFlow = { kind: "backer", purpose: "link", userId: "ada", next: null, ...secrets };
const nobody = { kind: "backer", viewerId: null } as const;

test("a flow is kept for ten minutes, to the second", () => {
  const sealed = sealFlow(keys, signInFlow);
  expect(openFlow(keys, sealed, nobody)).toEqual(signInFlow);
  clock.advance({ seconds: 599 });
  expect(openFlow(keys, sealed, nobody)).toEqual(signInFlow);
  clock.advance({ seconds: 1 });
  expect(() => openFlow(keys, sealed, nobody)).toThrow(/^expired_flow/);
});

test("the cookie is good for one return, which sees who is signed in", () => {
  const jar = new Map<string, string>();
  const set: unknown[] = [];
  const ctx = {
    ...keys,
    env: readEnv({ PUBLIC_URL: "https://gona.example" }),
    actor: null,
    cookies: {
      get: (name: string) => jar.get(name),
      set: (name: string, value: string, options: unknown) => {
        jar.set(name, value);
        set.push({ name, options });
      },
      clear: (name: string) => void jar.delete(name),
      clearStorage: () => undefined,
    },
  };
  keepFlow(ctx, signInFlow);
  expect(set).toEqual([
    { name: "__Host-openid-flow", options: { maxAgeSeconds: 600, sameSite: "lax", httpOnly: true } },
  ]);
  expect(takeFlow(ctx, "backer")).toEqual(signInFlow);
  expect(() => takeFlow(ctx, "backer")).toThrow(/^wrong_flow/);
  keepFlow(ctx, linkFlow);
  expect(() => takeFlow(ctx, "backer")).toThrow(/^wrong_flow/);
  expect(jar.size).toBe(0);
});

test("the cookie fits into what browsers keep", () => {
  const next = ownPath(`/${"ọ".repeat(499)}`);
  const random = "x".repeat(43);
  const flow: OidcFlow = { ...linkFlow, next, state: random, nonce: random, codeVerifier: random };
  expect(sealFlow(keys, flow).length).toBeLessThan(3500);
});

test("a flow of a backer doesn't end at the administrators' page, nor the other way", () => {
  const sealed = sealFlow(keys, signInFlow);
  expect(() => openFlow(keys, sealed, { ...nobody, kind: "admin" })).toThrow(/^wrong_flow/);
  const admins = sealFlow(keys, { ...signInFlow, kind: "admin" });
  expect(() => openFlow(keys, admins, nobody)).toThrow(/^wrong_flow/);
});

test("a flow to link opens for the account that began it: it signs nobody in", () => {
  const sealed = sealFlow(keys, linkFlow);
  expect(openFlow(keys, sealed, { kind: "backer", viewerId: "ada" })).toEqual(linkFlow);
  expect(() => openFlow(keys, sealed, nobody)).toThrow(/^wrong_flow/);
  expect(() => openFlow(keys, sealed, { kind: "backer", viewerId: "bola" })).toThrow(/^wrong_flow/);
});

test("a cookie that is missing, forged or of another secret is none", () => {
  const sealed = sealFlow(keys, signInFlow);
  const [body = "", signature = ""] = sealed.split(".");
  const forged = Buffer.from(JSON.stringify({ ...signInFlow, kind: "admin" })).toString("base64url");
  const elsewhere = sealFlow({ ...keys, appSecret: "another secret, just as long as the first" }, signInFlow);
  const wrong = [undefined, "", ".", body, `${body}.`, `.${signature}`, `${forged}.${signature}`, `${sealed}.x`];
  for (const cookie of [...wrong, elsewhere]) expect(() => openFlow(keys, cookie, nobody)).toThrow(/^wrong_flow/);
});

test.each(["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", "discover", "", "/a\n"])(
  "%j is no path of ours to return to",
  (next) => {
    expect(ownPath(next)).toBeNull();
  },
);

test("a path is kept up to 500 characters", () => {
  expect(ownPath("/discover?sort=new#top")).toBe("/discover?sort=new#top");
  expect(ownPath(`/${"a".repeat(499)}`)).toHaveLength(500);
  expect(ownPath(`/${"a".repeat(500)}`)).toBeNull();
});
