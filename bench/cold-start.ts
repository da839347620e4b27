import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "#tests/support/free-port.ts";
import { startPostgres } from "#tests/support/postgres-server.ts";
import { listPaths } from "./lib/calls.ts";
import { ROUNDS } from "./lib/compare.ts";
import type { Measurement } from "./lib/measurement.ts";
import { cpuSeconds, residentMb } from "./lib/processes.ts";
import { seedDatabase } from "./lib/seed-database.ts";

/**
 * From the start of the process to its first answer, asked for every 2 ms: the product's first list of projects out of
 * a migrated PostgreSQL, and an empty Fastify's "{}". A first start of each isn't counted: it fills the system's cache
 * of files, and the product's of compiled code.
 */
const root = join(import.meta.dirname, "..");
const LIMIT_MS = 60_000;

type Start = { ms: number; cpuMs: number; memoryMb: number };

async function startOnce(program: string[], path: string, given: Record<string, string>): Promise<Start> {
  const port = String(await freePort());
  const env = {
    PATH: process.env.PATH,
    HOST: "127.0.0.1",
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...given,
  };
  const started = performance.now();
  const child = spawn(process.execPath, program, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  const gone = once(child, "exit");
  try {
    while ((await statusOf(port, path)) !== 200) {
      if (child.exitCode !== null || performance.now() - started > LIMIT_MS)
        throw new Error(`${program.join(" ")} didn't start`);
      await sleep(2);
    }
    const ms = performance.now() - started;
    const pid = child.pid ?? 0;
    return { ms, cpuMs: cpuSeconds(pid) * 1000, memoryMb: residentMb(pid) };
  } finally {
    child.kill("SIGTERM");
    await gone;
  }
}

const statusOf = (port: string, path: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    get({ host: "127.0.0.1", port, path, agent: false }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode));
    }).once("error", () => resolve(undefined));
  });

export async function measure(): Promise<Measurement[]> {
  const postgres = await startPostgres();
  const dataDir = mkdtempSync(join(tmpdir(), "gona-bench-"));
  try {
    await seedDatabase(postgres.url, 1000, () => {});
    const env = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, LOG_LEVEL: "warn" };
    const ours = () => startOnce(["src/server/main.ts"], listPaths[0] ?? "", env);
    const reference = () => startOnce(["bench/references/empty.ts"], "/", {});
    await ours();
    await reference();
    const rounds: { ours: Start; reference: Start }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const early = round % 2 === 0 ? await ours() : null;
      const other = await reference();
      rounds.push({ ours: early ?? (await ours()), reference: other });
    }
    const mean = (of: (round: (typeof rounds)[number]) => number) =>
      (rounds.reduce((sum, round) => sum + of(round), 0) / rounds.length).toFixed(0);
    return [
      {
        name: "cold-start",
        what: "first list of projects out of a migrated PostgreSQL ÷ first answer of an empty Fastify, from the start of the process",
        values: rounds.map((round) => round.ours.ms / round.reference.ms),
        target: { atMost: 1.5 },
        limitedBy:
          "loading 2 MB of code, and the database: connecting, migrations and the first list are answered in turn ",
        details: `ours ${mean((it) => it.ours.ms)} ms, ${mean((it) => it.ours.cpuMs)} ms CPU, ${mean((it) => it.ours.memoryMb)} MB; reference ${mean((it) => it.reference.ms)} ms, ${mean((it) => it.reference.cpuMs)} ms CPU, ${mean((it) => it.reference.memoryMb)} MB`,
      },
    ];
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
