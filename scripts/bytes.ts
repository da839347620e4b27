import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

/**
 * What the home page's first load weighs in brotli, against its budget (product decision: phones on slow 4G decide).
 * Run after a build: `npm run bytes`. Exit 1 over the budget.
 */
const KB = 1000;
const budgets = { js: 130 * KB, css: 15 * KB };

type Chunk = { file: string; name?: string; isEntry?: boolean; imports?: string[]; css?: string[] };

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));

/** The files that a chunk can't run without: itself, what it imports, their styles. */
function filesOf(key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const css of chunk.css ?? []) seen.add(css);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
}

function brotliSize(file: string): number {
  return brotliCompressSync(readFileSync(join(dist, file))).length;
}

function write(line: string) {
  process.stdout.write(`${line}\n`);
}

const kilobytes = (bytes: number) => `${(bytes / KB).toFixed(1).padStart(7)} kB`;

const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry);
if (!entry) throw new Error("dist/.vite/manifest.json names no entry: run the build first");

const first = [...filesOf(entry)];
let isOver = false;
write("First load of the home page, brotli:");
for (const kind of ["js", "css"] as const) {
  const files = first.filter((file) => file.endsWith(`.${kind}`));
  const sizes = files.map((file) => ({ file, size: brotliSize(file) }));
  for (const { file, size } of sizes) write(`  ${kilobytes(size)}  ${file}`);
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  isOver ||= total > budgets[kind];
  write(
    `  ${kilobytes(total)}  all ${kind}, of ${kilobytes(budgets[kind]).trim()}${total > budgets[kind] ? ": OVER" : ""}`,
  );
}

const later = Object.values(manifest).filter(({ file }) => file.endsWith(".js") && !first.includes(file));
const largest = later.map(({ file, name }) => ({ file, name, size: brotliSize(file) })).sort((a, b) => b.size - a.size);
write("Largest chunks fetched later:");
for (const { file, name, size } of largest.slice(0, 8)) write(`  ${kilobytes(size)}  ${file}  ${name ?? ""}`);

if (isOver) process.exitCode = 1;
