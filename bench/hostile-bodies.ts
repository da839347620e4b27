import type { BuiltServer } from "#tests/support/built-server.ts";
import { anybodysProcedure, hostileBodies, largestProcedure } from "#tests/support/hostile-bodies.ts";
import type { Measurement } from "./lib/measurement.ts";
import { onDatabase } from "./lib/scene.ts";

/**
 * Bodies made to keep the process busy, of twelve shapes: how long refusing one takes at five sizes, by the
 * procedure that reads the largest, and what somebody else notices while twenty of each come in at once.
 */
const KB = 1024;
const SIZES_KB = [16, 32, 64, 128, 256];
const ROUNDS = 3;
const REQUESTS = 150;
const AT_ONCE = 20;

async function post({ url }: BuiltServer, procedure: string, body: string): Promise<number> {
  const headers = { origin: url, "content-type": "application/json" };
  const answer = await fetch(`${url}/trpc/${procedure}`, { method: "POST", headers, body });
  await answer.arrayBuffer();
  if (answer.status < 400 || answer.status >= 500) throw new Error(`a hostile body was answered ${answer.status}`);
  return answer.status;
}

/** Returns the shortest time in which a body is refused, in ms: other work of the machine only makes it longer. */
async function timeOf(server: BuiltServer, body: string): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let sent = 0; sent < REQUESTS; sent++) {
    const started = performance.now();
    await post(server, largestProcedure, body);
    shortest = Math.min(shortest, performance.now() - started);
  }
  return shortest;
}

type Times = { shape: string; ms: number[] };

async function timesOf(server: BuiltServer): Promise<Times[]> {
  const times: Times[] = [];
  for (const [shape, bodyOf] of Object.entries(hostileBodies)) {
    const ms: number[] = [];
    for (const size of SIZES_KB) ms.push(await timeOf(server, bodyOf(size * KB)));
    times.push({ shape, ms });
  }
  return times;
}

/** Time per byte at the largest size ÷ at a quarter of it: 1 is linear, 4 quadratic. */
const growthOf = ({ ms }: Times) => (ms[4] ?? 0) / (ms[2] ?? 1) / 4;
const worstOf = (times: Times[]) => times.reduce((worst, one) => (growthOf(one) > growthOf(worst) ? one : worst));
const written = ({ shape, ms }: Times) => `${shape}: ${ms.map((each) => each.toFixed(2)).join(", ")} ms`;

type Seen = { refused: number; slowestMs: number; reads: number };

/** Reads an uncached answer over and over until `run` ends, and returns what the reader saw. */
async function readWhile(server: BuiltServer, run: () => Promise<void>): Promise<Seen> {
  const seen: Seen = { refused: 0, slowestMs: 0, reads: 0 };
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const started = performance.now();
      const answer = await fetch(`${server.url}/trpc/auth.viewer`);
      await answer.arrayBuffer();
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - started);
      seen.reads += 1;
      if (answer.status !== 200) seen.refused += 1;
    }
  })();
  await run().finally(() => {
    isOver = true;
  });
  await reading;
  return seen;
}

async function sendAll(server: BuiltServer): Promise<void> {
  for (const bodyOf of Object.values(hostileBodies)) {
    for (const [procedure, kilobytes] of [
      [anybodysProcedure, 32],
      [largestProcedure, 256],
    ] as const) {
      const body = bodyOf(kilobytes * KB);
      await Promise.all(Array.from({ length: AT_ONCE }, () => post(server, procedure, body)));
    }
  }
}

export async function measure(): Promise<Measurement[]> {
  return onDatabase(0, async ({ startProduct }) => {
    const server = await startProduct();
    // The first of each kind pays for the compiler.
    await timesOf(server);
    const rounds: Times[][] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await timesOf(server));
    const storms: Seen[] = [];
    for (let round = 0; round < ROUNDS; round++) storms.push(await readWhile(server, () => sendAll(server)));
    const last = rounds.at(-1) ?? [];
    const slowestShape = last.reduce((most, one) => ((one.ms[4] ?? 0) > (most.ms[4] ?? 0) ? one : most));
    const slowest = Math.max(...storms.map(({ slowestMs }) => slowestMs));
    const reads = storms.reduce((sum, storm) => sum + storm.reads, 0);
    return [
      {
        what: "time per byte to refuse a hostile body of 256 kB ÷ of 64 kB, the worst of 12 shapes (quadratic: 4)",
        values: rounds.map((times) => growthOf(worstOf(times))),
        target: { atMost: 1.5 },
        details: `at ${SIZES_KB.join(", ")} kB, the worst growth ${written(worstOf(last))}; the slowest ${written(slowestShape)}`,
      },
      {
        what: `reads refused while ${AT_ONCE} hostile bodies at once of each shape come in, of 32 and of 256 kB`,
        values: storms.map(({ refused }) => refused),
        target: { exactly: 0 },
        details: `${reads} reads, the slowest ${slowest.toFixed(0)} ms`,
      },
    ];
  });
}
