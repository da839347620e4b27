import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { perDatabase } from "#server/db/prepared.ts";
import { openTestDeps } from "#tests/support/deps.ts";

/** Prepared reads outside of transactions share one connection, and a second while something slow is on the first. */

const { db } = await openTestDeps();

/** A prepared read that tells which process of the database answered it. */
const reading = (name: string, value: SQL) => {
  const statement = perDatabase((on) =>
    on.select({ process: sql<number>`pg_backend_pid()`, value }).from(sql`generate_series(1, 1)`).prepare(name),
  );
  return async () => (await statement(db).execute())[0]?.process;
};
const quick = reading("quick", sql`1`);
const slow = reading("slow", sql`pg_sleep(2)`);
const failing = reading("failing", sql`1 / (generate_series - 1)`);

test("many at once go by one connection", async () => {
  await quick();
  const processes = await Promise.all(Array.from({ length: 20 }, quick));
  expect(new Set(processes).size).toBe(1);
  expect(processes[0]).toBeTypeOf("number");
});

test("one that takes long holds up nobody who comes later", async () => {
  const usual = await quick();
  let hasEnded = false;
  const held = slow().finally(() => {
    hasEnded = true;
  });
  await sleep(50);
  const others = [await quick(), await quick()];
  expect(hasEnded).toBe(false);
  expect(others[0]).not.toBe(usual);
  expect(others[1]).toBe(others[0]);
  expect(await held).toBe(usual);
  expect(await quick()).toBe(usual);
});

test("one that fails leaves the way free", async () => {
  const usual = await quick();
  await expect(failing()).rejects.toThrow();
  await sleep(50);
  expect(await quick()).toBe(usual);
});
