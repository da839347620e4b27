import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { cellsOf, columns, type Measurement } from "./measurement.ts";

const file = join(import.meta.dirname, "../RESULTS.md");

const rowOf = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const header = [...columns, "commit"];

/** The measured rows as a table, for the terminal. */
export function tableOf(measurements: Measurement[]): string {
  return [rowOf(columns), rowOf(columns.map(() => "---")), ...measurements.map((it) => rowOf(cellsOf(it)))].join("\n");
}

/**
 * Puts the measured rows into RESULTS.md, each with its commit; rows that were not measured now stay as they are.
 */
export function writeResults(measurements: Measurement[], versions: string[]): void {
  const commit = gitCommit();
  const kept = existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.startsWith("| "))
        .slice(2)
    : [];
  const rows = new Map(kept.map((line) => [line.split(" | ")[0]?.slice(2) ?? "", line]));
  for (const measurement of measurements) rows.set(measurement.name, rowOf([...cellsOf(measurement), commit]));
  const sorted = [...rows.keys()].sort().map((name) => rows.get(name));
  const text = [
    "# Results of the benchmarks",
    "",
    "Written by `npm run bench`. Each row is measured against its own reference in the same run, in alternating rounds:",
    "ratios can be compared, absolute figures only within a row. CPU is the server's process per request.",
    "",
    `Last run: ${versions.join(", ")}; ${cpus().length} processor cores (${cpus()[0]?.model.trim()}), shared by load, server and database.`,
    "",
    rowOf(header),
    rowOf(header.map(() => "---")),
    ...sorted,
    "",
  ];
  writeFileSync(file, text.join("\n"));
}

/** Of the measured code: with a plus where the folder holds changes that no commit has. */
function gitCommit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain", "--", "src", "bench/lib", "package-lock.json") ? "+" : ""}`;
}
