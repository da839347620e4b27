import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] };
/** Tags for a page's head: `code` fetches its scripts with the start's, `styles` lets it be seen before they have run. */
type PageCode = { code: string; styles: string };

/** Beneath every page, and fetched by itself in the browser. */
const FOOTER = "src/client/app/footer.tsx";

/** Reads the build's list of files; gives the tags by the source of a page's own code, which null has none of. */
export function readPageCode(distDir: string): (source: string | null) => PageCode {
  const file = join(distDir, ".vite/manifest.json");
  const manifest: Record<string, Chunk> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};

  /** All that a chunk can't run without, itself too, but what the start brings. */
  const partsOf = (key: string, seen = new Set<Chunk>()): Set<Chunk> => {
    const chunk = manifest[key];
    if (!chunk || chunk.isEntry || seen.has(chunk)) return seen;
    seen.add(chunk);
    for (const imported of chunk.imports ?? []) partsOf(imported, seen);
    return seen;
  };
  const footer = partsOf(FOOTER);
  const known = new Map<string | null, PageCode>();
  return (source) => {
    const found = known.get(source);
    if (found) return found;
    const own = source === null ? new Set<Chunk>() : partsOf(`${source}?tsr-split=component`);
    const sheets = new Set([...own, ...footer].flatMap(({ css = [] }) => css));
    const tags = {
      code: [...own].map((chunk) => `<link rel="modulepreload" crossorigin href="/${chunk.file}">`).join(""),
      styles: [...sheets].map((css) => `<link rel="stylesheet" crossorigin href="/${css}">`).join(""),
    };
    known.set(source, tags);
    return tags;
  };
}
