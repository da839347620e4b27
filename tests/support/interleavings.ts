import type { Stepper } from "./stepping.ts";

/**
 * Every interleaving of two writes that can matter, without trying them all.
 *
 * A write is statements and a commit, at READ COMMITTED, and every lock is kept until the commit (PostgreSQL lets go of
 * none before). So as long as neither has committed, the two know of each other by waiting only: two statements of
 * different writes that don't wait for each other can change places, and nothing is different. What is left of an
 * interleaving, then, is which write commits first (say A), how many statements B had sent by then, and whether the
 * last of them was waiting. One run each is enough:
 *
 *   B sends its first `cut` statements; A sends all of its own up to its commit;
 *   B perhaps sends one more, which perhaps waits for A; A commits; B goes on to its end.
 *
 * for every `cut`, with and without the one more, and the same with A and B exchanged. Where A has to wait for B on its
 * way, it can't be the first: B goes on, and either commits first or waits for A in turn, which is a deadlock, and all
 * of those are reached this way. Once A waits at the very first statement that can wait at all, a larger `cut` changes
 * nothing any more: the rest is left out.
 */
export type Work = () => Promise<unknown>;

type Plan = { early: 0 | 1; cut: number; sendsOneMore: boolean };

/** How one run went: what each write answered, and whether there was a deadlock on the way. */
export type Played = { plan: Plan | "serial"; answers: [string, string]; deadlocks: number };

/** Statements that may have to wait for another transaction. */
const canWait = (statement: string) =>
  /^\s*(insert|update|delete|commit)|\bfor (no key |key )?(update|share)\b|pg_advisory_xact_lock/i.test(statement);

/**
 * Plays all of them, or with `cuts` only the one of each write while it is B, which must not be over by then. `prepare`
 * makes the state before and the two writes, each on its stepper's connection; `judge` looks at what came of it. Gives
 * the number of runs.
 */
export async function playInterleavings(
  steppers: [Stepper, Stepper],
  prepare: () => Promise<[Work, Work]>,
  judge: (played: Played) => Promise<void>,
  cuts?: [number, number],
): Promise<number> {
  let runs = 0;
  const play = async (plan: Plan) => {
    runs += 1;
    const begun = await beginBoth(steppers, prepare);
    const seen = await playOne([steppers[plan.early], steppers[1 - plan.early] as Stepper], plan);
    await judge({ plan, ...(await endOf(steppers, begun)) });
    return seen;
  };
  for (const early of [0, 1] as const) {
    const only = cuts?.[1 - early];
    for (let cut = only ?? 0; ; cut += 1) {
      const seen = await play({ early, cut, sendsOneMore: false });
      if (only !== undefined && seen.next === null) throw new Error(`A write was over before its statement ${cut + 1}`);
      if (seen.waitedAtOnce) break;
      if (!seen.waited && seen.next !== null && canWait(seen.next)) await play({ early, cut, sendsOneMore: true });
      if (only !== undefined || seen.next === null || seen.next === "commit") break;
    }
  }
  return runs;
}

/**
 * One after the other, in both orders: what an interleaving may come to. Gives how many statements each write sends
 * before its commit when it is the first; a single statement outside a transaction is its own commit.
 */
export async function playSerially(
  steppers: [Stepper, Stepper],
  prepare: () => Promise<[Work, Work]>,
  judge: (played: Played) => Promise<void>,
): Promise<[number, number]> {
  const lengths: [number, number] = [0, 0];
  for (const early of [0, 1] as const) {
    const begun = await beginBoth(steppers, prepare);
    await runOut([steppers[early], steppers[1 - early] as Stepper]);
    const { sent } = steppers[early];
    lengths[early] = sent.includes("commit") ? sent.indexOf("commit") : sent.length - 1;
    await judge({ plan: "serial", ...(await endOf(steppers, begun)) });
  }
  return lengths;
}

/** In the order given, 0 or 1 for the write whose turn it is; one that waits or is done leaves its turn to the other. */
export async function playInOrder(
  steppers: [Stepper, Stepper],
  prepare: () => Promise<[Work, Work]>,
  order: (0 | 1)[],
): Promise<Omit<Played, "plan">> {
  const begun = await beginBoth(steppers, prepare);
  for (const turn of order) {
    const [one, other] = [steppers[turn], steppers[1 - turn] as Stepper];
    const mover = one.held !== null ? one : other;
    if (mover.held !== null) await mover.step();
    for (const stepper of steppers) await stepper.settle();
  }
  await runOut(steppers);
  return endOf(steppers, begun);
}

type Begun = { results: [Promise<unknown>, Promise<unknown>]; deadlocksBefore: number };

const deadlocksOf = (steppers: [Stepper, Stepper]) => steppers[0].deadlocks + steppers[1].deadlocks;

async function beginBoth(steppers: [Stepper, Stepper], prepare: () => Promise<[Work, Work]>): Promise<Begun> {
  const works = await prepare();
  const deadlocksBefore = deadlocksOf(steppers);
  const first = await steppers[0].begin(works[0]);
  const second = await steppers[1].begin(works[1]);
  return { results: [first.result, second.result], deadlocksBefore };
}

async function endOf(steppers: [Stepper, Stepper], { results, deadlocksBefore }: Begun) {
  const [one, other] = await Promise.allSettled(results);
  const answers: [string, string] = [answerOf(one), answerOf(other)];
  return { answers, deadlocks: deadlocksOf(steppers) - deadlocksBefore };
}

/** "done", or the reason and the sentence of a refusal; anything else is a fault, and says so. */
function answerOf(result: PromiseSettledResult<unknown>): string {
  if (result.status === "fulfilled") return "done";
  const error: unknown = result.reason;
  if (!(error instanceof Error)) return `fault: ${String(error)}`;
  const reason: unknown = Reflect.get(error, "reason");
  return typeof reason === "string" ? `${reason}: ${error.message}` : `fault: ${String(error.cause ?? error)}`;
}

async function playOne([early, late]: [Stepper, Stepper], { cut, sendsOneMore }: Plan) {
  while (late.sent.length < cut && late.held !== null) await late.step();
  const next = late.held;
  let waited = false;
  while (early.held !== null && early.held !== "commit" && !waited) waited = await early.step();
  const waitedAtOnce = waited && early.sent.filter(canWait).length === 1;
  if (sendsOneMore) await late.step();
  await runOut([early, late]);
  return { waited, waitedAtOnce, next };
}

/** To the end of both, the first as far as it can go by itself. */
async function runOut([first, second]: [Stepper, Stepper]): Promise<void> {
  while (!first.isDone || !second.isDone) {
    const mover = first.held !== null ? first : second;
    if (mover.held !== null) await mover.step();
    // Where both wait for each other the database ends one of them, after its deadlock_timeout.
    const waits = [await first.settle(), await second.settle()];
    if (waits.every(Boolean)) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
