import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signLink, verifyLink } from "#server/files/signed-links.ts";
import { deriveKey, loadAppSecret } from "#server/platform/secret.ts";
import { tempFolder } from "#tests/support/http-app.ts";

test("the secret is made once, even by ten starters at once, and only its owner may read it", async () => {
  const dataDir = join(await tempFolder(), "data");
  const secrets = await Promise.all(Array.from({ length: 10 }, () => loadAppSecret({ appSecret: undefined, dataDir })));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(await loadAppSecret({ appSecret: undefined, dataDir })).toBe(secrets[0]);
  expect((await stat(join(dataDir, "app-secret"))).mode & 0o777).toBe(0o600);
});

test("APP_SECRET comes first, and a damaged file is not used", async () => {
  const dataDir = await tempFolder();
  await writeFile(join(dataDir, "app-secret"), "");
  expect(await loadAppSecret({ appSecret: "given", dataDir })).toBe("given");
  await expect(loadAppSecret({ appSecret: undefined, dataDir })).rejects.toThrow("is damaged");
});

test("each purpose has a key of its own", () => {
  expect(deriveKey("secret", "a")).toHaveLength(32);
  expect(deriveKey("secret", "a")).toEqual(deriveKey("secret", "a"));
  expect(deriveKey("secret", "a")).not.toEqual(deriveKey("secret", "b"));
});

test("a signed link opens one path for one session until it is over", () => {
  const now = new Date("2026-11-21T10:00:00Z");
  const claim = { secret: "s".repeat(32), path: "/files/receipts/7", subject: "session-hash" };
  const link = new URL(signLink({ ...claim, expiresAt: new Date(now.getTime() + 3600_000) }), "http://localhost");
  const query = Object.fromEntries(link.searchParams);
  expect(link.pathname).toBe(claim.path);
  expect(verifyLink({ ...claim, query, now })).toBe(true);
  expect(verifyLink({ ...claim, query, now: new Date(now.getTime() + 3599_000) })).toBe(true);

  expect(verifyLink({ ...claim, query, now: new Date(now.getTime() + 3600_000) }), "over").toBe(false);
  expect(verifyLink({ ...claim, query, now, subject: "another" }), "another session").toBe(false);
  expect(verifyLink({ ...claim, query, now, path: "/files/receipts/8" }), "another file").toBe(false);
  expect(verifyLink({ ...claim, query, now, secret: "t".repeat(32) }), "another secret").toBe(false);
  expect(verifyLink({ ...claim, query: { ...query, expires: "99999999999" }, now }), "prolonged").toBe(false);
  for (const bad of [{}, null, "x", { ...query, signature: "" }, { ...query, signature: [query.signature] }]) {
    expect(verifyLink({ ...claim, query: bad, now })).toBe(false);
  }
});
