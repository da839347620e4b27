import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The two builds: all that each is made of, and where it says so when it is finished. */
const builds = {
  client: {
    sources: [
      "src/client",
      "src/shared",
      "public",
      "index.html",
      "livestream.html",
      "vite.config.ts",
      "vite-dense-start.ts",
      "vite-mantine-css.ts",
      "postcss.config.js",
      "package-lock.json",
    ],
    stamp: "dist/.build.json",
  },
  server: {
    sources: ["src/server", "src/shared", "scripts/build-server.ts", "package-lock.json"],
    stamp: "dist/.server/.build.json",
  },
};
type BuildName = keyof typeof builds;

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
export function hashSources(name: BuildName): string {
  const hash = createHash("sha256");
  // The route tree is written by the build itself.
  for (const file of builds[name].sources.flatMap(listFiles).filter((path) => !path.endsWith(".gen.ts"))) {
    const content = readFileSync(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** The hash that the finished build was made from; undefined where there is none, or it was cut short. */
export function readStamp(name: BuildName): string | undefined {
  try {
    const stamp: unknown = JSON.parse(readFileSync(builds[name].stamp, "utf8"));
    if (typeof stamp === "object" && stamp && "sources" in stamp) return String(stamp.sources);
  } catch {
    // No stamp, or half of one: the same as no build.
  }
  return undefined;
}

export function writeStamp(name: BuildName, hash: string): void {
  writeFileSync(builds[name].stamp, `${JSON.stringify({ sources: hash })}\n`);
}

export function removeStamp(name: BuildName): void {
  rmSync(builds[name].stamp, { force: true });
}
