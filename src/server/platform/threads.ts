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
 * Gives a function that answers a task in a thread. So many run at once, others wait for their turn, which counts towards
 * their time. It throws "unavailable" if too many wait, ThreadOverrun, and what its thread throws.
 */
export function threadsOf<Task, Answer>({ script, limits, atOnce, maxWaiting, busyText }: ThreadsOptions) {
  const threads = new Piscina<Task, Answer>({
    filename: fileURLToPath(script),
    ...{ minThreads: 0, maxThreads: atOnce, idleTimeout: idleMilliseconds },
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 32 },
  });
  // A thread that ends between two tasks takes nothing with it: the next task starts another.
  threads.on("error", () => {});
  return async (task: Task, given: ArrayBuffer[] = []): Promise<Answer> => {
    if (threads.queueSize >= maxWaiting) throw new AppError("unavailable", busyText);
    try {
      return await threads.run(task, { transferList: given, signal: AbortSignal.timeout(limits.milliseconds) });
    } catch (error) {
      throw overrunOf(error) ?? error;
    }
  };
}

function overrunOf(error: unknown): ThreadOverrun | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "AbortError") return new ThreadOverrun("time");
  return Reflect.get(error, "code") === "ERR_WORKER_OUT_OF_MEMORY" ? new ThreadOverrun("memory") : undefined;
}
