import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LIVE_HEARTBEAT_MS, livePath } from "#shared/live.ts";
import { startBuiltServer } from "#tests/support/built-server.ts";
import { createUser } from "#tests/support/people.ts";
import { startPostgres } from "#tests/support/postgres-server.ts";
import type { Measurement } from "./lib/measurement.ts";
import { cpuSeconds, residentMb } from "./lib/processes.ts";
import { cookieOf, withDeps } from "./lib/product-deps.ts";

/**
 * 2,000 people sit before a screen: each has a session and an open stream of live events, on which nothing happens but
 * the heartbeat. They come from several networks, as behind a proxy: one may hold a thousand.
 */
const STREAMS = 2000;
const NETWORKS = 8;
const PEOPLE_AT_A_TIME = 50;
/** Longer than the heartbeat's interval, so that every stream has had one. */
const SETTLE_MS = 35_000;
const ROUNDS = 3;

async function openStream(url: string, cookie: string, network: number, agent: Agent): Promise<IncomingMessage> {
  const headers = { cookie, accept: "text/event-stream", "x-forwarded-for": `198.51.100.${network}` };
  const opening = get(`${url}${livePath}`, { agent, headers });
  return new Promise((resolve, reject) => {
    opening.once("error", reject);
    opening.once("response", (answer: IncomingMessage) => {
      answer.on("data", () => resolve(answer));
      answer.on("error", reject);
      if (answer.statusCode !== 200) reject(new Error(`a stream was answered ${answer.statusCode}`));
    });
  });
}

type Round = { kbEach: number; restMb: number; cpuMs: number };

async function holdStreams(databaseUrl: string, cookies: string[]): Promise<Round> {
  const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: "warn", TRUST_PROXY: "127.0.0.1" };
  const server = await startBuiltServer({ env });
  const agent = new Agent();
  const streams: IncomingMessage[] = [];
  try {
    // What the first ones bring, code and connections to the database, is not theirs.
    for (const cookie of cookies.slice(0, PEOPLE_AT_A_TIME)) {
      const stream = await openStream(server.url, cookie, 0, agent);
      stream.destroy();
    }
    await sleep(3000);
    const restMb = residentMb(server.pid);
    streams.push(
      ...(await inTurns(STREAMS, (index) =>
        openStream(server.url, cookies[index] ?? "", 1 + (index % NETWORKS), agent),
      )),
    );
    const cpuBefore = cpuSeconds(server.pid);
    await sleep(SETTLE_MS);
    const cpuMs = ((cpuSeconds(server.pid) - cpuBefore) * 1000) / (STREAMS * (SETTLE_MS / LIVE_HEARTBEAT_MS));
    const open = streams.filter((stream) => !stream.destroyed && !stream.complete).length;
    if (open !== STREAMS) throw new Error(`of ${STREAMS} streams ${open} are still open`);
    return { kbEach: ((residentMb(server.pid) - restMb) * 1024) / STREAMS, restMb, cpuMs };
  } finally {
    for (const stream of streams) stream.destroy();
    agent.destroy();
    await server.stop();
  }
}

/** Makes so many of something, some at a time. */
async function inTurns<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) {
    const from = made.length;
    const size = Math.min(PEOPLE_AT_A_TIME, count - from);
    made.push(...(await Promise.all(Array.from({ length: size }, (_, index) => make(from + index)))));
  }
  return made;
}

export async function measure(): Promise<Measurement[]> {
  const postgres = await startPostgres();
  try {
    const dataDir = mkdtempSync(join(tmpdir(), "gona-bench-"));
    const cookies = await withDeps({ databaseUrl: postgres.url, dataDir }, (deps) =>
      inTurns(STREAMS, async () => cookieOf(deps, await createUser(deps.db))),
    );
    rmSync(dataDir, { recursive: true });
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push(await holdStreams(postgres.url, cookies));
      console.log(`${rounds.at(-1)?.kbEach.toFixed(1)} KB each`);
    }
    const mean = (of: (round: Round) => number) => rounds.reduce((sum, round) => sum + of(round), 0) / rounds.length;
    return [
      {
        name: "sse",
        what: "memory per idle live connection, 2,000 of them, each with its own session",
        values: rounds.map(({ kbEach }) => kbEach),
        unit: "KB",
        target: { atMost: 20 },
        limitedBy:
          "15 KB are a stream's own, half of them objects and half outside of the heap (node's socket, parser, request and answer); the rest is V8's young generation, which grows at the first load of any kind: held at half its size, other pages took a fifth more processor time",
        details: `resident memory over ${mean(({ restMb }) => restMb).toFixed(0)} MB at rest, after a heartbeat on each; ${mean(({ cpuMs }) => cpuMs).toFixed(2)} ms of CPU per connection and heartbeat`,
      },
    ];
  } finally {
    await postgres.stop();
  }
}
