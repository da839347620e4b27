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

test("a column of another type, as a newer process's migration makes it, mixes up nobody's rows", async () => {
  await db.execute(sql`create table changing (id int primary key, value int)`);
  await db.execute(sql`insert into changing select n, n from generate_series(1, 3) n`);
  const rowOf = perDatabase((on) =>
    on
      .select({ id: sql<number>`id`, value: sql<unknown>`value` })
      .from(sql`changing`)
      .where(sql`id = ${sql.placeholder("id")}`)
      .prepare("changing_row"),
  );
  const otherOf = perDatabase((on) =>
    on
      .select({ id: sql<number>`-id`, value: sql<unknown>`value` })
      .from(sql`changing`)
      .where(sql`id = ${sql.placeholder("id")}`)
      .prepare("changing_other"),
  );
  const readAll = () =>
    Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const id = 1 + (index % 3);
        const [row] = await (index % 2 === 0 ? rowOf(db) : otherOf(db)).execute({ id });
        await quick();
        return { asked: index % 2 === 0 ? id : -id, row };
      }),
    );
  const idsAsAsked = (read: Awaited<ReturnType<typeof readAll>>) => read.every(({ asked, row }) => row?.id === asked);
  expect(idsAsAsked(await readAll())).toBe(true);
  for (const type of ["bigint", "text", "int"]) {
    await db.execute(sql`alter table changing alter column value type ${sql.raw(type)} using value::${sql.raw(type)}`);
    expect(idsAsAsked(await readAll()), type).toBe(true);
  }
});
