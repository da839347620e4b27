import { parseArgs } from "node:util";
import postgres from "postgres";
import { type PostgresServer, startPostgres } from "#tests/support/postgres-server.ts";
import type { FaultKind } from "./faults.ts";
import { formatReport } from "./report.ts";
import { type RunReport, runFaults } from "./run.ts";
import type { SeededFault } from "./seeded-fault.ts";
import { seededFaults } from "./seeds.ts";

/**
 * `npm run test:faults`: the whole run; `-- --operations 2000` a shorter one. `-- --seeded` checks the checker: a short
 * run on each of the faults put into the product on purpose, or with `--only lock` on those with that word.
 */
const { values } = parseArgs({
  options: {
    operations: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
    seeded: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});
const seed = Number(values.seed);
const print = (text: string) => process.stdout.write(`${text}\n`);

async function openDatabase(server: PostgresServer, name: string) {
  const admin = postgres(server.url, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  return {
    adminUrl: server.url,
    databaseUrl: server.url.replace(/\/postgres$/, `/${name}`),
    restartDatabase: server.restart,
  };
}

const isSound = ({ checks }: RunReport) => checks.every(({ findings }) => findings.length === 0);

const pattern: FaultKind[] = [
  "kill before commit",
  "kill after mail",
  "lose some connections",
  "kill after commit",
  "mail server away",
  "kill before mail",
  "disk full",
  "kill after commit",
  "lose all connections",
  "kill before commit",
  "restart the database",
  "kill after mail",
];
const operationsPerPattern = 5000;

async function runWhole(server: PostgresServer): Promise<boolean> {
  const operations = Number(values.operations);
  const rounds = Math.max(1, Math.round(operations / operationsPerPattern));
  const faults = Array.from({ length: rounds }, () => pattern).flat();
  print(`fault run: ${operations} operations, ${faults.length} faults, seed ${seed}`);
  const report = await runFaults({
    ...(await openDatabase(server, "faults")),
    operations,
    backers: 40,
    administrators: 24,
    projects: 60,
    farms: 12,
    faults,
    clockOffsetMs: 10 * 60_000,
    hasSmallDisk: true,
    isLong: operations >= 10_000,
    seed,
    tell: print,
  });
  print(`\n${formatReport(report)}`);
  return isSound(report);
}

/** Few projects, so that people meet; without a seeded fault it has to be sound. */
async function runShort(server: PostgresServer, name: string, seeded?: SeededFault): Promise<RunReport> {
  return runFaults({
    ...(await openDatabase(server, name)),
    operations: 500,
    backers: 10,
    administrators: 12,
    projects: 3,
    farms: 2,
    replicas: 2,
    faults: seeded?.faults ?? ["kill before commit", "kill after commit", "mail server away"],
    seeded,
    seed,
    drainLimitMs: 60_000,
  });
}

async function runSeeded(server: PostgresServer): Promise<boolean> {
  let isAllCaught = true;
  if (values.only === "") {
    const control = await runShort(server, "control");
    isAllCaught = isSound(control);
    print(isAllCaught ? "nothing seeded: sound" : `nothing seeded, and yet:\n${formatReport(control)}`);
  }
  const wanted = seededFaults.filter(({ name }) => name.includes(values.only));
  for (const [index, seeded] of wanted.entries()) {
    const { checks } = await runShort(server, `seeded_${index}`, seeded);
    const caught = checks.filter(({ findings }) => findings.length > 0).map(({ name }) => name);
    print(`${seeded.name}: ${caught.length === 0 ? "NOT CAUGHT" : `caught by "${caught.join('", "')}"`}`);
    isAllCaught &&= caught.length > 0;
  }
  return isAllCaught;
}

// What a run has started goes with it, also on Ctrl-C.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const server = await startPostgres({ settings: ["jit=off"] });
try {
  process.exitCode = (await (values.seeded ? runSeeded(server) : runWhole(server))) ? 0 : 1;
} finally {
  await server.stop();
}
