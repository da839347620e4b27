import { expect, test, vi } from "vitest";
import { hashPassword, verifyPassword } from "#server/accounts/passwords.ts";

test("a password is verified against its hash, however the keyboard wrote its letters", async () => {
  const hash = await hashPassword("Ọ̀ṣun-river-9".normalize("NFD"));
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hash, "Ọ̀ṣun-river-9".normalize("NFC"))).toBe(true);
  expect(await verifyPassword(hash, "ọ̀ṣun-river-9")).toBe(false);
  expect(await verifyPassword(null, "Ọ̀ṣun-river-9")).toBe(false);
});

test("the same password never gives the same hash", async () => {
  expect(await hashPassword("Catfish-Pond-42")).not.toBe(await hashPassword("Catfish-Pond-42"));
});

test("of many at once the queue's end is refused, the others are done, and a refusal spoils no later look", async () => {
  vi.resetModules();
  const fresh = await import("#server/accounts/passwords.ts");
  const flood = Array.from({ length: 300 }, () => fresh.hashPassword("Catfish-Pond-42"));
  // The first look of all finds the queue full.
  await expect(fresh.verifyPassword(null, "Catfish-Pond-42")).rejects.toThrow("Something went wrong");
  const results = await Promise.allSettled(flood);
  const done = results.filter(({ status }) => status === "fulfilled").length;
  expect(done).toBeGreaterThanOrEqual(200);
  expect(done).toBeLessThan(300);
  expect(await fresh.verifyPassword(null, "Catfish-Pond-42")).toBe(false);
}, 60_000);
