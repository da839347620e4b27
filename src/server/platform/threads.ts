import { Worker } from "node:worker_threads";
import { AppError } from "#server/platform/errors.ts";

/**
 * Work in a thread of its own: it doesn't keep other requests waiting, and where it is made to take memory or time it ends its
 * thread and nothing else.
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
  /** The thread's file: it posts one message, which is the answer to its `workerData`. */
  script: URL;
  atOnce: number;
  maxWaiting: number;
  /** What is said if too many wait. */
  busyText: string;
};

/**
 * Gives a function that answers a task in a new thread. So many run at once, others wait for their turn. It throws
 * "unavailable" if too many wait, ThreadOverrun, and what its thread throws.
 */
export function threadsOf<Task, Answer>({ script, atOnce, maxWaiting, busyText }: ThreadsOptions) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task: Task, limits: ThreadLimits, given: ArrayBuffer[] = []): Promise<Answer> => {
    if (waiting.length >= maxWaiting) throw new AppError("unavailable", busyText);
    if (running < atOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await runThread<Answer>(script, { workerData: task, transferList: given }, limits);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

function runThread<Answer>(
  script: URL,
  given: { workerData: unknown; transferList: ArrayBuffer[] },
  { heapMegabytes, milliseconds }: ThreadLimits,
): Promise<Answer> {
  const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 32 };
  const worker = new Worker(script, { ...given, resourceLimits });
  return new Promise<Answer>((resolve, reject) => {
    const timer = setTimeout(() => reject(new ThreadOverrun("time")), milliseconds);
    worker.once("message", resolve);
    worker.once("error", (error: Error & { code?: unknown }) =>
      reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new ThreadOverrun("memory") : error),
    );
    worker.once("exit", (code) => reject(new Error(`a thread ended with ${code} and no answer`)));
    worker.once("exit", () => clearTimeout(timer));
  }).finally(() => worker.terminate());
}
