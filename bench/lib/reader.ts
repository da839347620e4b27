import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The reads that another client made of a busy server: how many, how many refused, and the slowest. */
export type Seen = { reads: number; refused: number; slowestMs: number };

/**
 * Calls `run` while a reader requests these addresses, and returns what the reader saw. The reader has its own thread,
 * so that this one's sending doesn't slow it.
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
