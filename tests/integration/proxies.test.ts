import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { rateLimits, signInCounters } from "#server/db/schema/sessions.ts";
import { readEnv } from "#server/platform/env.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { securityLog } from "#tests/support/security-log.ts";

const origin = "https://gona.example";
const seen = securityLog();
const deps = await openTestDeps({ env: { PUBLIC_URL: origin }, log: seen.log });
let app: Awaited<ReturnType<typeof buildApp>>;

const start = async (TRUST_PROXY: string) => {
  const { trustProxy } = readEnv({ TRUST_PROXY });
  app = await buildApp({ ...deps, env: { ...deps.env, trustProxy } }, { distDir: "/nowhere" });
};
beforeEach(async () => {
  await deps.db.delete(rateLimits);
  await deps.db.delete(signInCounters);
});
afterEach(() => app.close());

/** A mail with a link, of which an address may ask for 20 an hour; as the proxy at `remoteAddress` passes it on. */
async function ask(index: number, forwarded: string | undefined, remoteAddress = "10.0.0.5"): Promise<number> {
  const headers = {
    origin,
    "content-type": "application/json",
    ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }),
  };
  const payload = JSON.stringify({ json: { email: `person-${index}@example.com` } });
  const url = "/trpc/auth.requestPasswordReset";
  return (await app.inject({ method: "POST", url, headers, payload, remoteAddress })).statusCode;
}

/** How many of 25 requests were looked at. */
async function lookedAt(forwardedOf: (index: number) => string, remoteAddress?: string): Promise<number> {
  let count = 0;
  for (let index = 0; index < 25; index += 1) {
    if ((await ask(index, forwardedOf(index), remoteAddress)) !== 429) count += 1;
  }
  return count;
}

describe.each(["10.0.0.5", "10.0.0.0/8", "1"])("with TRUST_PROXY=%s", (value) => {
  test("25 requests of one client count as one client's, whatever addresses they claim", async () => {
    await start(value);
    expect(await lookedAt((index) => `198.51.100.${index}, 203.0.113.7`)).toBe(20);
    expect(await ask(1, "203.0.113.8"), "another client's").toBe(200);
  });

  test("what is no address becomes nobody's", async () => {
    await start(value);
    expect(await lookedAt((index) => `guess-${index}`)).toBe(20);
    const ips = seen.text().matchAll(/"ip":"([^"]*)"/g);
    for (const [, ip] of ips) expect(ip).toMatch(/^[\d.]+$/);
  });
});

test("a client that isn't the proxy doesn't choose its address", async () => {
  await start("10.0.0.5");
  expect(await lookedAt((index) => `198.51.100.${index}`, "192.0.2.44")).toBe(20);
});
