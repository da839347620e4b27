import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasPostgres } from "#tests/support/postgres-server.ts";
import type { VitestReport } from "./vitest-report.ts";

/** The script of `npm test`: the build, the tests on both databases, the browser tests, and a one-line summary. */

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const isCi = Boolean(process.env.CI) && process.env.CI !== "false";
const reports = mkdtempSync(join(tmpdir(), "gona-tests-"));
const total: Count = { passed: 0, failed: 0, skipped: 0 };
let current: ChildProcess | undefined;
let isInterrupted = false;

/** Runs one Node program on our terminal. Returns true if it succeeds. */
async function run(program: string, args: string[] = [], env: Record<string, string> = {}): Promise<boolean> {
  if (isInterrupted) return false;
  current = spawn(process.execPath, [program, ...args], { stdio: "inherit", env: { ...process.env, ...env } });
  const [code] = await once(current, "exit");
  return code === 0;
}

/** Adds a part to the sum. One that failed without a failed test (it didn't even start) counts as one failure. */
function add(ok: boolean, count: Partial<Count> = {}): void {
  total.passed += count.passed ?? 0;
  total.skipped += count.skipped ?? 0;
  total.failed += Math.max(count.failed ?? 0, ok ? 0 : 1);
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** Vitest's failures, printed again at the very end because Playwright's long list comes between. */
const lastWords: string[] = [];

async function runVitest(): Promise<void> {
  const path = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=./scripts/vitest-report.ts"];
  const ok = await run("node_modules/vitest/vitest.mjs", ["run", ...reporters], { VITEST_REPORT_FILE: path });
  const report = readReport(path) as VitestReport | undefined;
  if (!report) return add(false);
  add(ok, { passed: report.passed, failed: report.failed.length, skipped: report.skipped });
  lastWords.push(...report.failed.map((line) => `FAILED: ${line}`));
}

async function runPlaywright(): Promise<void> {
  const path = join(reports, "playwright.json");
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: path };
  const ok = await run("node_modules/playwright/cli.js", ["test", "--reporter=list,json"], env);
  const report = readReport(path) as { stats: { expected: number; unexpected: number; skipped: number } } | undefined;
  if (!report) return add(false);
  const { expected, unexpected, skipped } = report.stats;
  add(ok, { passed: expected, failed: unexpected, skipped });
}

// Ctrl-C reaches the running part by itself; we wait for its end, so that it can stop what it started.
process.on("SIGINT", () => {
  isInterrupted = true;
});
process.on("SIGTERM", () => {
  isInterrupted = true;
  current?.kill("SIGTERM");
});

// The vitest project `postgres` takes part where a server can be had; a run without one says so, at the end too.
const canUsePostgres = hasPostgres();
const note =
  "postgres: SKIPPED, no PostgreSQL server found: the integration tests ran on the embedded database, without races, faults and several processes. Install the package postgresql or set TEST_DATABASE_URL.";
if (!canUsePostgres) {
  console.log(note);
  add(!isCi, { skipped: isCi ? 0 : 1 });
}

if (await run("scripts/ensure-build.ts")) {
  await runVitest();
  await runPlaywright();
} else {
  add(false);
}
rmSync(reports, { recursive: true, force: true });
if (isInterrupted) {
  console.log("tests: interrupted");
  process.exit(130);
}
if (!canUsePostgres) console.log(note);
for (const line of lastWords) console.log(line);
console.log(`tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
