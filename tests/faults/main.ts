import { parseArgs } from "node:util";
import postgres from "postgres";
import { startPostgres } from "#tests/support/postgres-server.ts";
import type { FaultKind } from "./faults.ts";
import { formatReport } from "./report.ts";
import { runFaults } from "./run.ts";

/** `npm run test:faults`: the whole run; `-- --operations 2000` a shorter one. */
const { values } = parseArgs({
  options: {
    operations: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
  },
});
const operations = Number(values.operations);
const seed = Number(values.seed);

const print = (text: string) => process.stdout.write(`${text}\n`);

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
const rounds = Math.max(1, Math.round(operations / 2500));
const faults = Array.from({ length: rounds }, () => pattern).flat();

const server = await startPostgres();
try {
  const admin = postgres(server.url, { max: 1 });
  await admin`create database faults`;
  await admin.end();
  const databaseUrl = server.url.replace(/\/postgres$/, "/faults");
  print(`fault run: ${operations} operations, ${faults.length} faults, seed ${seed}`);
  const report = await runFaults({
    adminUrl: server.url,
    databaseUrl,
    restartDatabase: server.restart,
    operations,
    backers: 48,
    administrators: 16,
    projects: 100,
    faults,
    clockOffsetMs: 10 * 60_000,
    hasSmallDisk: true,
    seed,
    tell: (text) => print(text),
  });
  print(`\n${formatReport(report)}`);
  process.exitCode = report.checks.some(({ findings }) => findings.length > 0) ? 1 : 0;
} finally {
  await server.stop();
}
