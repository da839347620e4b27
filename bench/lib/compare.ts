import autocannon from "autocannon";
import { inTurns, median, ROUNDS } from "./measurement.ts";
import { type Contender, cpuSeconds } from "./processes.ts";

/** The requests that each connection sends over and over, in this order. */
export type Load = { paths: string[]; headers?: Record<string, string> };

type Reading = { perSecond: number; cpuMs: number };

const SECONDS = 3;
const CONNECTIONS = 32;

/** Sends requests for `seconds`. Throws if one fails. CPU is the server's process alone, without the database's. */
export async function load(contender: Contender & Load, seconds = SECONDS): Promise<Reading> {
  const { url, pid, paths, headers = {} } = contender;
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

/** Throughput of `ours` over that of `reference`, one ratio per round, after a round of each that isn't counted. */
export async function compareThroughput(
  ours: Contender & Load,
  reference: Contender & Load,
): Promise<{ values: number[]; details: string }> {
  await load(ours);
  await load(reference);
  const readings = await inTurns(
    ROUNDS,
    () => load(ours),
    () => load(reference),
  );
  const written = (side: "first" | "second") => {
    const perSecond = median(readings.map((reading) => reading[side].perSecond));
    const cpuMs = median(readings.map((reading) => reading[side].cpuMs));
    return `${Math.round(perSecond).toLocaleString("en")}/s, ${cpuMs.toFixed(3)} ms CPU`;
  };
  return {
    values: readings.map(({ first, second }) => first.perSecond / second.perSecond),
    details: `ours ${written("first")}; reference ${written("second")}`,
  };
}
