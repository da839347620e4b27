import type { FastifyBaseLogger } from "fastify";

/** Resolves as `work` does, or rejects after `limitMs`. The work itself is not cancelled. */
export async function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

type InTurn = { <Value>(work: () => Promise<Value>): Promise<Value>; waiting(): number };

/**
 * Runs so many of the given functions at once, the others in their order; `waiting()` counts those that wait or run. One that
 * takes longer than `limitMs`, if that is given, rejects and leaves its turn to the next.
 */
export function atMost(limit: number, limitMs?: number): InTurn {
  const next: (() => void)[] = [];
  let running = 0;
  const run = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (running < limit) running += 1;
    else await new Promise<void>((resolve) => next.push(resolve));
    try {
      return await (limitMs ? within(limitMs, work()) : work());
    } finally {
      const start = next.shift();
      if (start) start();
      else running -= 1;
    }
  };
  return Object.assign(run, { waiting: () => running + next.length });
}

/** Runs the given functions one after the other. */
export const oneAtATime = (limitMs?: number): InTurn => atMost(1, limitMs);

/**
 * Runs a job's items one after the other. A failing item is logged, and the next ones still run.
 * Throws at the end if any item failed, so that the job is retried; the first failure is the cause.
 */
export async function forEachOnItsOwn<Item>(
  log: Pick<FastifyBaseLogger, "error">,
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await run(item);
    } catch (error) {
      failures.push(error);
      log.error({ err: error, item }, "an item of a job failed; the next ones go on");
    }
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} of ${items.length} items failed`, { cause: failures[0] });
}
