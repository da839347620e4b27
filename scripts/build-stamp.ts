import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** All that the built client is made of. */
const sources = [
  "src/client",
  "src/shared",
  "public",
  "index.html",
  "livestream.html",
  "vite.config.ts",
  "postcss.config.js",
  "package-lock.json",
];
/** Where the build says that it is finished. */
const stampFile = "dist/.build.json";

/** Every file under a folder, or the file itself, in a stable order. Nothing where there is nothing. */
export function listFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
    .sort();
}

/** A hash of the contents, so that neither a fresh checkout nor another clock makes a build look old. */
export function hashSources(): string {
  const hash = createHash("sha256");
  // The route tree is written by the build itself.
  for (const file of sources.flatMap(listFiles).filter((path) => !path.endsWith(".gen.ts"))) {
    const content = readFileSync(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** The hash that the finished build was made from; undefined where there is none, or it was cut short. */
export function readStamp(): string | undefined {
  try {
    const stamp: unknown = JSON.parse(readFileSync(stampFile, "utf8"));
    if (typeof stamp === "object" && stamp && "sources" in stamp) return String(stamp.sources);
  } catch {
    // No stamp, or half of one: the same as no build.
  }
  return undefined;
}

export function writeStamp(hash: string): void {
  writeFileSync(stampFile, `${JSON.stringify({ sources: hash })}\n`);
}

export function removeStamp(): void {
  rmSync(stampFile, { force: true });
}
