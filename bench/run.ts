import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findPostgresBinaries } from "#tests/support/postgres-server.ts";
import type { Script } from "./lib/measurement.ts";
import { type Results, tableOf, writeResults } from "./lib/results.ts";

/**
 * `npm run bench` runs every script of this folder, `npm run bench -- NAME…` the named ones. The rows go into
 * RESULTS.md. Ends with 1 where a script failed; a missed target is a row that says so, not a failure.
 */
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .map((file) => file.replace(/\.ts$/, ""))
  .sort();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. There are ${names.join(", ")}.`);
  process.exit(1);
}

// What is measured is the product as it stands here.
execFileSync(process.execPath, ["scripts/ensure-build.ts"], { cwd: join(import.meta.dirname, ".."), stdio: "inherit" });

const results: Results = new Map();
for (const name of wanted.length > 0 ? wanted : names) {
  const started = performance.now();
  console.log(`\n${name} …`);
  try {
    const { measure } = (await import(`./${name}.ts`)) as Script;
    const found = await measure();
    results.set(name, found);
    console.log(tableOf(new Map([[name, found]])));
    console.log(`(${((performance.now() - started) / 1000).toFixed(0)} s)`);
    // After each script: a run that is cut off leaves what it has measured.
    writeResults(results, names, versions());
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}
console.log(`\n${tableOf(results)}\n`);
if (process.exitCode === 1) console.log("Some scripts failed.");
// Servers that hold on to their last connections must not keep this process.
process.exit();

function versions(): string[] {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, "../package-lock.json"), "utf8")) as {
    packages: Record<string, { version?: string }>;
  };
  const packages = ["fastify", "@trpc/server", "drizzle-orm", "postgres"];
  const postgres = join(findPostgresBinaries() ?? "", "postgres");
  return [
    `Node ${process.version}`,
    execFileSync(postgres, ["--version"], { encoding: "utf8" }).trim().replace("postgres (PostgreSQL)", "PostgreSQL"),
    ...packages.map((name) => `${name} ${lock.packages[`node_modules/${name}`]?.version}`),
  ];
}
