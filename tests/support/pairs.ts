import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ActorContext } from "#server/platform/context.ts";
import { openTestDatabase } from "./database.ts";
import { type TestDeps, testDeps } from "./deps.ts";
import { type Played, playInterleavings, playSerially } from "./interleavings.ts";
import { isLong } from "./length.ts";
import { listViolated } from "./money.ts";
import { call, describeState, type Member, type Scene, setScene } from "./race-scene.ts";
import { Stepper } from "./stepping.ts";

/** Pairs of writes that meet, for tests that play each pair in every interleaving that can matter. */

/** Somebody's write, all that it takes from outside the database being there: one transaction, or one statement. */
export type Write = { by: Member; run: (ctx: ActorContext) => Promise<unknown> };
export type Pair = (scene: Scene) => Promise<[Write, Write]>;

/** Done before the two begin. */
export const isDone = ({ deps }: Scene, { by, run }: Write) =>
  call({ deps } as Scene, [{ db: deps.db } as Stepper, by], run);

let observer: postgres.Sql;
let steppers: [Stepper, Stepper];

/** The database of the pairs, until the tests of the file are done. */
export async function openPairs(): Promise<TestDeps> {
  const database = await openTestDatabase();
  const deps = await testDeps(database);
  beforeAll(async () => {
    observer = postgres(database.url ?? "", { max: 1 });
    const open = () => Stepper.open(database.url ?? "", observer);
    steppers = [await open(), await open()];
  });
  afterAll(async () => {
    await Promise.all([...steppers.map((stepper) => stepper.close()), observer.end()]);
    await deps.close();
    await database.close();
  });
  return deps;
}

type Outcome = { answers: string[]; state: unknown };

/** Of a refusal the reason only: its words may tell which of two checks it was that refused. */
async function outcomeOf(deps: TestDeps, played: Played): Promise<Outcome> {
  const { answers } = played;
  const when = JSON.stringify(played);
  expect(await listViolated(deps), when).toEqual([]);
  expect(
    answers.filter((answer) => answer.startsWith("fault")),
    when,
  ).toEqual([]);
  return { answers: answers.map((answer) => answer.replace(/:.*/, "")), state: await describeState(deps.db) };
}

/** A test of each pair. Each change stops each of the two once, halfway to its commit; the nightly run stops it everywhere. */
export function playPairs(deps: TestDeps, pairs: Record<string, Pair>): void {
  test.each(Object.entries(pairs))("%s: as one after the other", async (_name, pair) => {
    const prepare = async () => {
      const scene = await setScene(deps);
      const [one, other] = await pair(scene);
      const workOf =
        (index: 0 | 1, { by, run }: Write) =>
        () =>
          call(scene, [steppers[index], by], run);
      return [workOf(0, one), workOf(1, other)] as [() => Promise<unknown>, () => Promise<unknown>];
    };
    const possible: Outcome[] = [];
    const lengths = await playSerially(steppers, prepare, async (played) => {
      possible.push(await outcomeOf(deps, played));
    });
    const judge = async (played: Played) => {
      expect(played.deadlocks, JSON.stringify(played)).toBe(0);
      const outcome = await outcomeOf(deps, played);
      const nearest = possible.find(({ answers }) => answers.join() === outcome.answers.join()) ?? possible[0];
      if (!possible.some((serial) => JSON.stringify(serial) === JSON.stringify(outcome))) {
        expect(outcome, JSON.stringify(played)).toEqual(nearest);
      }
    };
    // The first statement looks up who calls.
    const halfway = lengths.map((statements) => Math.floor(statements / 2) + 1) as [number, number];
    const runs = await playInterleavings(steppers, prepare, judge, isLong ? undefined : halfway);
    if (isLong) expect(runs).toBeGreaterThan(5);
  });
}
