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

test("all of many at once are done, and beyond the queue's end the rest is refused", async () => {
  const hash = await hashPassword("Catfish-Pond-42");
  const checks = Array.from({ length: 300 }, () => verifyPassword(hash, "Catfish-Pond-42"));
  const results = await Promise.allSettled(checks);
  const done = results.filter((result) => result.status === "fulfilled");
  expect(done.every((result) => result.value)).toBe(true);
  expect(done.length).toBeGreaterThanOrEqual(200);
  expect(done.length).toBeLessThan(300);
  expect(await verifyPassword(hash, "Catfish-Pond-42")).toBe(true);
}, 60_000);

test("a first look that finds the queue full spoils none of the later ones", async () => {
  vi.resetModules();
  const fresh = await import("#server/accounts/passwords.ts");
  const flood = Array.from({ length: 300 }, () => fresh.hashPassword("Catfish-Pond-42"));
  await expect(fresh.verifyPassword(null, "Catfish-Pond-42")).rejects.toThrow("Something went wrong");
  await Promise.allSettled(flood);
  expect(await fresh.verifyPassword(null, "Catfish-Pond-42")).toBe(false);
}, 60_000);
