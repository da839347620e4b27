import { createServer } from "node:net";

/**
 * The ports are below those that the kernel gives to connections and to whoever asks for any, and each worker of a run
 * has a part of its own: a server that takes seconds to start finds the port that was probed for it, and nobody else's
 * server there.
 */
const firstPort = 10_000;
const partLength = 2500;
const parts = 8;
const worker = Number(process.env.TEST_PARALLEL_INDEX ?? process.env.VITEST_POOL_ID ?? parts - 1) % parts;
// Two checkouts may be tested at once on a machine.
let latest = Math.floor(Math.random() * partLength);

/** A TCP port on 127.0.0.1 that nobody listens on at this moment, and that this worker was not given lately. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < partLength; tried++) {
    latest = (latest + 1) % partLength;
    const port = firstPort + worker * partLength + latest;
    if (await isFree(port)) return port;
  }
  throw new Error("No port is free for the tests");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
