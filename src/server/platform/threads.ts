import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { AppError } from "#server/platform/errors.ts";

/**
 * Work in threads: it doesn't keep other requests waiting, and where it is made to take memory or time it ends its thread and
 * nothing else.
 */

export type ThreadLimits = { heapMegabytes: number; milliseconds: number };

/** The thread was ended, because it took more than it may. */
export class ThreadOverrun extends Error {
  readonly of: "memory" | "time";

  constructor(of: "memory" | "time") {
    super(`a thread took more ${of} than it may`);
    this.of = of;
  }
}

type ThreadsOptions = {
  /** The thread's file: its default export answers a task. */
  script: URL;
  limits: ThreadLimits;
  atOnce: number;
  maxWaiting: number;
  /** What is said if too many wait. */
  busyText: string;
};

/** Starting a thread takes ten times as long as reading a usual statement, and who sends one file often sends another. */
const idleMilliseconds = 30_000;

/**
 * Gives a function that answers a task in a thread. So many run at once, others wait for their turn. It throws "unavailable" if
 * too many wait, ThreadOverrun, and what its thread throws.
 */
export function threadsOf<Task, Answer>({ script, limits, atOnce, maxWaiting, busyText }: ThreadsOptions) {
  const threads = new Piscina<Task, Answer>({
    filename: fileURLToPath(script),
    ...{ minThreads: 0, maxThreads: atOnce, idleTimeout: idleMilliseconds },
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 32 },
  });
  const running = new Set<AbortController>();
  // A thread that ends before it has a task can't start. Who waits for it hears so at once.
  threads.on("error", (error) => {
    for (const task of running) task.abort(error);
  });
  let taken = 0;
  // The library's own queue stands still once every thread was ended.
  const waiting: (() => void)[] = [];
  return async (task: Task, given: ArrayBuffer[] = []): Promise<Answer> => {
    if (waiting.length >= maxWaiting) throw new AppError("unavailable", busyText);
    if (taken < atOnce) taken += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    const ended = new AbortController();
    running.add(ended);
    try {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(limits.milliseconds)]);
      return await threads.run(task, { transferList: given, signal });
    } catch (error) {
      throw causeOf(error);
    } finally {
      running.delete(ended);
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    }
  };
}

/** What ended a task: an overrun, or what its thread threw. */
function causeOf(error: unknown): unknown {
  const cause = error instanceof Error && error.name === "AbortError" ? error.cause : error;
  if (!(cause instanceof Error)) return cause;
  if (cause.name === "TimeoutError") return new ThreadOverrun("time");
  return Reflect.get(cause, "code") === "ERR_WORKER_OUT_OF_MEMORY" ? new ThreadOverrun("memory") : cause;
}
