import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OwnPage } from "#shared/site/pages.ts";

/**
 * All that the server finds beside its code. The code is src/server, or the bundle that scripts/build-server.ts makes of
 * it: there a file of code may stand anywhere, so nothing else asks where it stands.
 */
const root = findRoot(import.meta.dirname);
const isBundle = import.meta.filename.endsWith(".js");

function findRoot(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : findRoot(dirname(folder));
}

export const migrationsFolder = join(root, "drizzle");
export const demoFolder = join(root, "demo");
export const builtClient = join(root, "dist");
/** The drawing of a demo farm. */
export const sceneFile = (slug: string): string => join(root, isBundle ? "dist" : "public", "scenes", `${slug}.svg`);
export const fontFile = (name: string): string => join(root, "fonts", name);
/** A text that the operator answers for, as the software brings it. */
export const shippedText = (page: OwnPage): string => join(root, "texts", `${page}.html`);

/** A program that runs in a process of its own, by its place in src/server without ".ts". */
export function programFile(program: `${string}-worker`): URL {
  return pathToFileURL(join(root, isBundle ? `dist/.server/${program}.js` : `src/server/${program}.ts`));
}
