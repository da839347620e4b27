import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Seen } from "./reader.ts";

/** The thread of reader.ts: it reads one address after the other until it is told to stop. */
const addresses = workerData as string[];
const seen: Seen = { reads: 0, refused: 0, slowestMs: 0 };
let isOver = false;
parentPort?.once("message", () => {
  isOver = true;
});
while (!isOver) {
  const started = performance.now();
  const answer = await fetch(addresses[seen.reads % addresses.length] ?? "");
  await answer.arrayBuffer();
  seen.slowestMs = Math.max(seen.slowestMs, performance.now() - started);
  seen.reads += 1;
  if (answer.status !== 200) seen.refused += 1;
  await sleep(5);
}
parentPort?.postMessage(seen);
