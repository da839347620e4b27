import { desc } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { inTransaction } from "#server/db/open.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { matchParts } from "#server/features/bank/matching/match-line.ts";
import { askSecondPerson, confirmRequest } from "#server/features/second-person/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import type { askSecondPersonInput } from "#shared/second-person/inputs.ts";
import { openTestDatabase } from "./database.ts";
import { type TestDeps, testDeps } from "./deps.ts";
import { type Played, playInterleavings, playSerially } from "./interleavings.ts";
import { type KeptState, offerKeptState } from "./kept-state.ts";
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

/** Amaka has asked for something that takes two, and Tunde confirms it. */
export async function confirming(scene: Scene, asked: Asked): Promise<Write> {
  const request = { ...asked, reason: "Both of us have seen it." } as z.output<typeof askSecondPersonInput>;
  await isDone(scene, { by: scene.amaka, run: (ctx) => askSecondPerson(ctx, request) });
  const { id } = secondPersonRequests;
  const [kept] = await scene.deps.db.select({ id }).from(secondPersonRequests).orderBy(desc(id)).limit(1);
  return { by: scene.tunde, run: (ctx) => confirmRequest(ctx, { requestId: kept?.id ?? 0 }) };
}
type WithoutReason<Request> = Request extends unknown ? Omit<Request, "reason"> : never;
type Asked = WithoutReason<z.output<typeof askSecondPersonInput>>;

/** Parts of a line are explained, which nothing explained when somebody looked, unless the line says so. */
export const matching = (
  by: Member,
  { id: lineId, matchedKobo = 0n }: { id: number; matchedKobo?: bigint },
  ...parts: LinePart[]
): Write => ({
  by,
  run: (ctx) => inTransaction(ctx.db, (tx) => matchParts(tx, ctx, { lineId, seenMatchedKobo: matchedKobo, parts })),
});

let observer: postgres.Sql;
let steppers: [Stepper, Stepper];
let kept: KeptState;

/** The database of the pairs, until the tests of the file are done. */
export async function openPairs(): Promise<TestDeps> {
  const database = await openTestDatabase();
  const deps = await testDeps(database);
  beforeAll(async () => {
    observer = postgres(database.url ?? "", { max: 1 });
    const open = () => Stepper.open(database.url ?? "", observer);
    steppers = [await open(), await open()];
    kept = await offerKeptState(deps.db);
  });
  afterAll(async () => {
    await Promise.all([...steppers.map((stepper) => stepper.close()), observer.end()]);
    await deps.close();
    await database.close();
  });
  return deps;
}

type Outcome = { answers: string[]; state: unknown };

/** Returns the answers and the state. Refusals lose their message, which may tell which of two checks refused. */
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

/**
 * Returns the words of a pair's source: the acts that meet, their kinds and states, and the scene, without what is done
 * before.
 */
const wordsOf = (pair: Pair) =>
  [...`${pair}`.replace(/.*\bisDone\b.*/g, "").matchAll(/(\w+)\)?\(|"(\w+)"/g)].map(
    ([_all, called, named]) => called ?? named ?? "",
  );

/** Few pairs that have every word of all, so that no act can be left out: next is the one with the most that are missing. */
export function pairsWithEachAct(pairs: Record<string, Pair>): [name: string, pair: Pair][] {
  const missing = new Set(Object.values(pairs).flatMap(wordsOf));
  const missingIn = (pair: Pair) => new Set(wordsOf(pair).filter((word) => missing.has(word))).size;
  const chosen: [string, Pair][] = [];
  while (missing.size > 0) {
    const most = Object.entries(pairs).reduce((one, other) => (missingIn(other[1]) > missingIn(one[1]) ? other : one));
    for (const word of wordsOf(most[1])) missing.delete(word);
    chosen.push(most);
  }
  return chosen;
}

/**
 * A test of each pair. Each change plays as many as it takes for each act to be in one, and stops each of the two once,
 * halfway to its commit; the nightly run plays all, and stops them everywhere.
 */
export function playPairs(deps: TestDeps, pairs: Record<string, Pair>): void {
  const played = isLong ? Object.entries(pairs) : pairsWithEachAct(pairs);
  test.each(played)("%s: as one after the other", async (_name, pair) => {
    const scene = await setScene(deps);
    const [one, other] = await pair(scene);
    await kept.keep();
    const prepare = async () => {
      await kept.restore();
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
