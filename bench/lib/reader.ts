import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** What somebody else saw of a server that was kept busy. */
export type Seen = { reads: number; refused: number; slowestMs: number };

/**
 * Runs it, and gives what a reader of these addresses saw meanwhile. The reader has a thread of its own: what this one sends
 * doesn't count.
 */
export async function readMeanwhile(addresses: string[], run: () => Promise<void>): Promise<Seen> {
  const reader = new Worker(new URL("./reader-thread.ts", import.meta.url), { workerData: addresses });
  const answer = once(reader, "message");
  try {
    await run();
  } finally {
    reader.postMessage("stop");
  }
  const [seen] = (await answer) as [Seen];
  return seen;
}
