import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { isReached, type Measurement, median } from "./measurement.ts";

/** The measurements of each script, by its name. */
export type Results = Map<string, Measurement[]>;

const file = join(import.meta.dirname, "../RESULTS.md");
const columns = ["script", "measured", "median", "min–max (rounds)", "target", "reached", "details"];
const rowOf = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const headOf = (names: string[]) => [rowOf(names), rowOf(names.map(() => "---"))];

function cellsOf(script: string, measurement: Measurement): string[] {
  const { what, values, unit, target, details, limitedBy } = measurement;
  const written = (value: number) => `${value.toFixed(unit ? 1 : 2)}${unit ? ` ${unit}` : ""}`;
  const isMissed = !isReached(measurement);
  const bound =
    "exactly" in target
      ? `= ${target.exactly}`
      : "atLeast" in target
        ? `≥ ${written(target.atLeast)}`
        : `≤ ${written(target.atMost)}`;
  return [
    script,
    what,
    written(median(values)),
    `${written(Math.min(...values))}–${written(Math.max(...values))} (${values.length})`,
    bound,
    isMissed ? "**no**" : "yes",
    isMissed && limitedBy ? `${details}. Limited by: ${limitedBy}` : details,
  ];
}

/** The measured rows as a table, for the terminal. */
export function tableOf(results: Results): string {
  const rows = [...results].flatMap(([script, found]) => found.map((it) => rowOf(cellsOf(script, it))));
  return [...headOf(columns), ...rows].join("\n");
}

/**
 * Puts the measured rows into RESULTS.md, each with its commit. Rows of `scripts` that were not measured now stay as
 * they are; rows of scripts that are gone go.
 */
export function writeResults(results: Results, scripts: string[], versions: string[]): void {
  const commit = gitCommit();
  const earlier = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const rows = scripts.flatMap((script) => {
    const found = results.get(script)?.map((it) => rowOf([...cellsOf(script, it), commit]));
    return found ?? earlier.filter((line) => line.startsWith(`| ${script} |`));
  });
  const missed = rows.filter((row) => row.includes("| **no** |")).map((row) => row.split(" | ")[1]);
  const text = [
    "# Results of the benchmarks",
    "",
    "Written by `npm run bench`. Each row is measured against its own reference in the same run, in alternating rounds:",
    "ratios can be compared, absolute figures only within a row. CPU is the server's process per request. The hand-written",
    "reference and the Prisma peer give the same fields as the product: lots, holds, terms, money and what the bank shows.",
    "",
    `Last run: ${versions.join(", ")}; ${cpus().length} processor cores (${cpus()[0]?.model.trim()}), shared by load, server and database. Processes that wanted to run at its end, on average of 15 minutes: ${(loadavg()[2] ?? 0).toFixed(1)}; more than the bench's own four or so is other work, which slows all down and ratios least.`,
    "",
    missed.length === 0 ? "No target is missed." : `Missed: ${missed.join("; ")}.`,
    "",
    ...headOf([...columns, "commit"]),
    ...rows,
    "",
  ];
  writeFileSync(file, text.join("\n"));
}

/** Returns the measured commit's short hash, with a plus if measured code has uncommitted changes. */
function gitCommit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain", "--", "src", "bench/*.ts", "package-lock.json") ? "+" : ""}`;
}
