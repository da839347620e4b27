import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Reply, Started } from "./answer-tasks.ts";
import { atMost } from "./async.ts";
import { AppError } from "./errors.ts";

/**
 * Work in processes of its own: it doesn't keep other requests waiting, and where it is made to take memory or time it ends
 * its process and nothing else. A thread won't do: V8 ends the whole process where a single object outgrows a thread's heap.
 */

/** `milliseconds` are those of one task, from when its process is ready for it. */
export type ProcessLimits = { heapMegabytes: number; milliseconds: number };

/** The process was ended, because it took more than it may. */
export class ProcessOverrun extends Error {
  readonly of: "memory" | "time";

  constructor(of: "memory" | "time") {
    super(`a process took more ${of} than it may`);
    this.of = of;
  }
}

type ProcessesOptions = {
  /** The process's file: it gives what it does to `answerTasks`. */
  script: URL;
  limits: ProcessLimits;
  atOnce: number;
  maxWaiting: number;
  /** The message if too many wait. */
  busyText: string;
};

/** A process with what ended it. */
type Running = { child: ChildProcess; ended: AbortSignal };

/** Starting a process takes ten times as long as reading a usual statement, and who sends one file often sends another. */
const idleMilliseconds = 30_000;

/** A machine that can't start a process in this time has too much to do. */
const startMilliseconds = 30_000;

/**
 * Gives a function that answers a task in a process. So many run at once, others wait for their turn. It throws "unavailable"
 * if too many wait or none can be started, ProcessOverrun, and what the process throws.
 */
export function processesOf<Task extends object, Answer>(options: ProcessesOptions) {
  const { limits, atOnce, maxWaiting, busyText } = options;
  const idle = new Map<Running, NodeJS.Timeout>();
  const inTurn = atMost(atOnce);
  return async (task: Task): Promise<Answer> => {
    if (inTurn.waiting() >= atOnce + maxWaiting) throw new AppError("unavailable", busyText);
    const reply = await inTurn(async () => {
      const running = takeIdle(idle) ?? (await startReady(options));
      const given = await hear<Reply<Answer>>(running, limits.milliseconds, task);
      keepIdle(idle, running);
      return given;
    });
    if ("error" in reply) throw reply.error;
    return reply.answer;
  };
}

/** Starts a process, and waits until it can be given a task: on a busy machine that takes longer than many a task. */
async function startReady({ script, limits, busyText }: ProcessesOptions): Promise<Running> {
  const running = start(script, limits.heapMegabytes);
  await hear<Started>(running, startMilliseconds).catch((error: unknown) => {
    const isLate = error instanceof ProcessOverrun && error.of === "time";
    throw isLate ? new AppError("unavailable", busyText) : error;
  });
  return running;
}

/** Errors of a bundled program name the sources' lines where ours do. */
const sourceMaps = process.execArgv.filter((option) => option === "--enable-source-maps");

function start(script: URL, heapMegabytes: number): Running {
  const child = fork(fileURLToPath(script), {
    // Nothing of the environment is needed, and its secrets least of all.
    env: {},
    execArgv: [`--max-old-space-size=${heapMegabytes}`, ...sourceMaps],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const ended = new AbortController();
  let lastWords = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    lastWords = `${lastWords}${text}`.slice(-lastWordsLength);
  });
  child.on("error", (error) => ended.abort(error));
  // What it wrote is read by then.
  child.on("close", (code, signal) => {
    const isFull = memorySignals.has(signal ?? "");
    const text = `the process of ${script.pathname} ended by ${signal ?? `code ${code}`}: ${lastWords}`;
    ended.abort(isFull ? new ProcessOverrun("memory") : new Error(text));
  });
  // Requests come first where there are few processor cores.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return { child, ended: ended.signal };
}

/** V8's signals where the heap is full, and the kernel's where the machine's memory is. */
const memorySignals: ReadonlySet<string> = new Set(["SIGABRT", "SIGILL", "SIGKILL", "SIGTRAP"]);

/** Characters of what a process wrote before its end. */
const lastWordsLength = 4000;

/**
 * Waits for a process's next message, after giving it a task if there is one. A process that takes too long is ended.
 */
async function hear<Word>({ child, ended }: Running, milliseconds: number, task?: object): Promise<Word> {
  try {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(milliseconds)]);
    const said = once(child, "message", { signal });
    if (task) child.send(task);
    const [word] = (await said) as [Word];
    return word;
  } catch (error) {
    child.kill("SIGKILL");
    throw causeOf(error);
  }
}

/** Finds the cause of an ended wait: an overrun, or the reason why the process ended. */
function causeOf(error: unknown): unknown {
  const cause = error instanceof Error && error.name === "AbortError" ? error.cause : error;
  return cause instanceof Error && cause.name === "TimeoutError" ? new ProcessOverrun("time") : cause;
}

function takeIdle(idle: Map<Running, NodeJS.Timeout>): Running | undefined {
  for (const [running, timer] of idle) {
    idle.delete(running);
    clearTimeout(timer);
    if (running.ended.aborted) continue;
    running.child.ref();
    running.child.channel?.ref();
    return running;
  }
  return undefined;
}

/** An idle process keeps nobody from ending. */
function keepIdle(idle: Map<Running, NodeJS.Timeout>, running: Running): void {
  const { child } = running;
  const end = () => {
    idle.delete(running);
    child.kill("SIGKILL");
  };
  idle.set(running, setTimeout(end, idleMilliseconds).unref());
  child.unref();
  child.channel?.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
}
