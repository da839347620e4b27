import autocannon from "autocannon";
import { type Contender, cpuSeconds } from "./processes.ts";

/** What is sent, over and over, in this order on each connection. */
export type Load = { paths: string[]; headers?: Record<string, string> };

type Reading = { perSecond: number; cpuMs: number };

/** At least 7: the median of fewer says little on a busy machine. */
export const ROUNDS = 7;
const SECONDS = 3;
const WARM_UP_SECONDS = 3;
const CONNECTIONS = 32;

async function load({ url, pid }: Contender, { paths, headers = {} }: Load, seconds: number): Promise<Reading> {
  const before = cpuSeconds(pid);
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: paths.map((path) => ({ method: "GET" as const, path, headers })),
  });
  const answered = result["2xx"];
  if (result.errors > 0 || result.non2xx > 0 || answered === 0) {
    throw new Error(`${url}${paths[0]}: ${result.errors} errors, ${result.non2xx} answers that are no 2xx`);
  }
  return { perSecond: answered / result.duration, cpuMs: ((cpuSeconds(pid) - before) * 1000) / answered };
}

/**
 * Throughput of `ours` over that of `reference`, one ratio per round. The two take turns, and the one that begins
 * changes with each round. CPU is the server's process alone, without the database's.
 */
export async function compareThroughput({
  ours,
  reference,
  rounds = ROUNDS,
}: {
  ours: Contender & Load;
  reference: Contender & Load;
  rounds?: number;
}): Promise<{ values: number[]; details: string }> {
  for (const contender of [ours, reference]) await load(contender, contender, WARM_UP_SECONDS);
  const readings: { ours: Reading; reference: Reading }[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await load(ours, ours, SECONDS);
      readings.push({ ours: first, reference: await load(reference, reference, SECONDS) });
    } else {
      const first = await load(reference, reference, SECONDS);
      readings.push({ ours: await load(ours, ours, SECONDS), reference: first });
    }
  }
  const mean = (pick: (reading: { ours: Reading; reference: Reading }) => number) =>
    readings.reduce((sum, reading) => sum + pick(reading), 0) / readings.length;
  const written = (perSecond: number, cpuMs: number) =>
    `${Math.round(perSecond).toLocaleString("en")}/s, ${cpuMs.toFixed(3)} ms CPU`;
  return {
    values: readings.map((round) => round.ours.perSecond / round.reference.perSecond),
    details: `ours ${written(
      mean((round) => round.ours.perSecond),
      mean((round) => round.ours.cpuMs),
    )}; reference ${written(
      mean((round) => round.reference.perSecond),
      mean((round) => round.reference.cpuMs),
    )}`,
  };
}
