import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The two parts of a build: what each is made of, and where it says that it is finished. */
const parts = {
  pages: {
    sources: [
      "src/client",
      "src/shared",
      "public",
      "index.html",
      "livestream.html",
      "report.html",
      "scripts/build-pages.ts",
      "vite.config.ts",
      "postcss.config.js",
      "package-lock.json",
    ],
    stampFile: "dist/.build.json",
  },
  server: {
    sources: ["src/server", "src/shared", "scripts/build-server.ts", "package.json", "package-lock.json"],
    stampFile: "dist/.server/.build.json",
  },
};
export type Part = keyof typeof parts;

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
export function hashSources(part: Part): string {
  const hash = createHash("sha256");
  // The route tree is written by the build itself.
  for (const file of parts[part].sources.flatMap(listFiles).filter((path) => !path.endsWith(".gen.ts"))) {
    const content = readFileSync(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** The hash that the finished part was made from; undefined where there is none, or it was cut short. */
export function readStamp(part: Part): string | undefined {
  try {
    const stamp: unknown = JSON.parse(readFileSync(parts[part].stampFile, "utf8"));
    if (typeof stamp === "object" && stamp && "sources" in stamp) return String(stamp.sources);
  } catch {
    // No stamp, or half of one: the same as no build.
  }
  return undefined;
}

/**
 * Runs the build of a part. The hash is taken first, so that an edit during the build makes it old; the stamp is written
 * last, so that a build that was killed isn't taken for a whole one.
 */
export async function stamped(part: Part, build: () => Promise<void>): Promise<void> {
  const hash = hashSources(part);
  const { stampFile } = parts[part];
  rmSync(stampFile, { force: true });
  await build();
  writeFileSync(stampFile, `${JSON.stringify({ sources: hash })}\n`);
}
