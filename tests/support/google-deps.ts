import { afterAll } from "vitest";
import { openTestDeps, type TestClock, type TestDeps } from "./deps.ts";
import { type OpenIdServer, startOpenIdServer } from "./openid-server.ts";

/** A database of its own for a test file, and in Google's place a provider of its own, both gone after its tests. */
export async function openGoogleDeps(clock: TestClock): Promise<{ deps: TestDeps; openId: OpenIdServer }> {
  const openId = await startOpenIdServer({ clock });
  afterAll(() => openId.stop());
  const env = { GOOGLE_CLIENT_ID: "gona", GOOGLE_CLIENT_SECRET: "a-secret", GOOGLE_ISSUER: openId.issuer };
  return { deps: await openTestDeps({ env, clock }), openId };
}
