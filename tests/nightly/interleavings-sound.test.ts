import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Db, inTransaction, rows, type Tx } from "#server/db/open.ts";
import { openTestDatabase, type TestDatabase } from "#tests/support/database.ts";
import { type Played, playInOrder, playInterleavings, playSerially } from "#tests/support/interleavings.ts";
import { isDone, type Pair, pairsWithEachAct, type Write } from "#tests/support/pairs.ts";
import { Stepper } from "#tests/support/stepping.ts";

/**
 * Proves that stepping through interleavings sees what it is for: on two counters, with writes that are wrong on
 * purpose.
 */

let database: TestDatabase;
let observer: postgres.Sql;
let steppers: [Stepper, Stepper];
beforeAll(async () => {
  database = await openTestDatabase();
  await database.db.execute(sql`create table counters (id int primary key, value int not null)`);
  observer = postgres(database.url ?? "", { max: 1 });
  const open = () => Stepper.open(database.url ?? "", observer);
  steppers = [await open(), await open()];
});
afterAll(async () => {
  await Promise.all([...steppers.map((stepper) => stepper.close()), observer.end()]);
  await database.close();
});

type Step = (tx: Tx) => Promise<unknown>;

const read = async (tx: Tx, id: number) => {
  const [row] = await rows<{ value: number }>(tx, sql`select value from counters where id = ${id}`);
  return row?.value ?? 0;
};
const lock = (tx: Tx, id: number) => tx.execute(sql`select from counters where id = ${id} for update`);
const set = (tx: Tx, id: number, value: number) =>
  tx.execute(sql`update counters set value = ${value} where id = ${id}`);
const add = (tx: Tx, id: number, amount: number) =>
  tx.execute(sql`update counters set value = value + ${amount} where id = ${id}`);

const prepare = (writes: [Step, Step]) => async () => {
  await database.db.execute(sql`delete from counters`);
  await database.db.execute(sql`insert into counters values (1, 1), (2, 10)`);
  const workOf = (index: 0 | 1) => () => inTransaction(steppers[index].db as Db, writes[index]);
  return [workOf(0), workOf(1)] as [() => Promise<unknown>, () => Promise<unknown>];
};

/** Returns the outcomes of two writes: the counters at the end of each run, and how many runs had a deadlock. */
async function outcomesOf(play: (judge: (played: Omit<Played, "plan">) => Promise<void>) => Promise<unknown>) {
  const outcomes = new Set<string>();
  let deadlocks = 0;
  await play(async ({ answers, deadlocks: met }) => {
    expect(answers).toEqual(["done", "done"]);
    const found = await rows<{ value: number }>(database.db, sql`select value from counters order by id`);
    outcomes.add(found.map(({ value }) => value).join(" "));
    deadlocks += met;
  });
  return { outcomes: [...outcomes].sort(), deadlocks };
}

const interleaved = (writes: [Step, Step]) =>
  outcomesOf((judge) => playInterleavings(steppers, prepare(writes), judge));
const serial = (writes: [Step, Step]) => outcomesOf((judge) => playSerially(steppers, prepare(writes), judge));

/** Every order of so many turns of each: far too many for real writes. */
function allOrders(first: number, second: number): (0 | 1)[][] {
  if (first === 0 && second === 0) return [[]];
  const after = (turn: 0 | 1, rest: (0 | 1)[][]) => rest.map((order) => [turn, ...order]);
  return [
    ...(first > 0 ? after(0, allOrders(first - 1, second)) : []),
    ...(second > 0 ? after(1, allOrders(first, second - 1)) : []),
  ];
}
const inAllOrders = (writes: [Step, Step], turns: [number, number]) =>
  outcomesOf(async (judge) => {
    for (const order of allOrders(...turns)) await judge(await playInOrder(steppers, prepare(writes), order));
  });

const double: Step = async (tx) => set(tx, 1, 2 * (await read(tx, 1)));
const move =
  (from: number, to: number): Step =>
  async (tx) => {
    await add(tx, from, -1);
    await add(tx, to, 1);
  };
const addFive: Step = async (tx) => set(tx, 1, 5 + (await read(tx, 1)));

test("a lost update is seen", async () => {
  expect(await serial([double, addFive])).toEqual({ outcomes: ["12 10", "7 10"], deadlocks: 0 });
  expect(await interleaved([double, addFive])).toEqual({ outcomes: ["12 10", "2 10", "6 10", "7 10"], deadlocks: 0 });
});

test("with a lock first nothing is lost", async () => {
  const locked =
    (write: Step): Step =>
    async (tx) => {
      await lock(tx, 1);
      await write(tx);
    };
  const writes: [Step, Step] = [locked(double), locked(addFive)];
  expect(await interleaved(writes)).toEqual(await serial(writes));
});

test("locks taken in different orders meet in a deadlock, and both are done in the end", async () => {
  const { outcomes, deadlocks } = await interleaved([move(1, 2), move(2, 1)]);
  expect(outcomes).toEqual(["1 10"]);
  expect(deadlocks).toBeGreaterThan(0);
});

test("stopped halfway only, a lost update and a deadlock are seen, too", async () => {
  const halfway = (writes: [Step, Step]) =>
    outcomesOf((judge) => playInterleavings(steppers, prepare(writes), judge, [1, 1]));
  expect(await halfway([double, addFive])).toEqual({ outcomes: ["2 10", "6 10"], deadlocks: 0 });
  expect((await halfway([move(1, 2), move(2, 1)])).deadlocks).toBeGreaterThan(0);
});

/** Reads, waits and writes that cross: whatever can come of all orders comes of the few, too. */
const crossing: [string, Step, Step][] = [
  [
    "each writes what it read of the other's",
    async (tx) => set(tx, 2, await read(tx, 1)),
    async (tx) => set(tx, 1, await read(tx, 2)),
  ],
  [
    "one reads twice and writes both",
    async (tx) => {
      const before = await read(tx, 1);
      await add(tx, 2, before + (await read(tx, 2)));
    },
    async (tx) => {
      await add(tx, 1, 100);
      await add(tx, 2, 1000);
    },
  ],
  [
    "locks in different orders, with reads between",
    async (tx) => {
      await lock(tx, 1);
      await add(tx, 2, await read(tx, 1));
    },
    async (tx) => {
      await lock(tx, 2);
      await add(tx, 1, 3 * (await read(tx, 2)));
    },
  ],
];
test.each(crossing)("%s: the few interleavings come to all that all come to", async (_name, one, other) => {
  const few = await interleaved([one, other]);
  const all = await inAllOrders([one, other], [4, 4]);
  expect(few.outcomes).toEqual(all.outcomes);
  expect(few.deadlocks > 0).toBe(all.deadlocks > 0);
});

test("each act that meets another is in a pair that every change plays, with each of its kinds", () => {
  const close = (): Write => ({ by: {} as Write["by"], run: async () => {} });
  const [edit, reopen] = [(_field: string) => close(), close];
  const pairs: Record<string, Pair> = {
    "two edit the goal": async () => [edit("goal"), edit("goal")],
    "one closes, and one edits the goal": async () => [close(), edit("goal")],
    "one edits the lots, after one reopened": async (scene) => {
      await isDone(scene, reopen());
      return [edit("lots"), edit("lots")];
    },
  };
  const namesOf = (some: Record<string, Pair>) => pairsWithEachAct(some).map(([name]) => name);
  expect(namesOf(pairs)).toEqual(["one closes, and one edits the goal", "one edits the lots, after one reopened"]);
  const reopening: Pair = async () => [reopen(), reopen()];
  expect(namesOf({ ...pairs, "two reopen": reopening })).toContain("two reopen");
});
