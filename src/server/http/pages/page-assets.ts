import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] };
/**
 * `tags` in a page's head fetch its scripts along with the entry's. `css` is inlined, so that the page renders without
 * fetching half a dozen small files first.
 */
type PageAssets = { tags: string; css: string };

/** On every page, and lazily loaded in the browser. */
const FOOTER = "src/client/app/shell/footer.tsx";

/**
 * Reads the build's manifest. Returns a function that gives a page's assets by the source of its route chunk, or null
 * for none.
 */
export function readPageAssets(distDir: string): (source: string | null) => PageAssets {
  const file = join(distDir, ".vite/manifest.json");
  const manifest: Record<string, Chunk> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};

  /** A chunk and all chunks that it imports, except those of the entry. */
  const partsOf = (key: string, seen = new Set<Chunk>()): Set<Chunk> => {
    const chunk = manifest[key];
    if (!chunk || chunk.isEntry || seen.has(chunk)) return seen;
    seen.add(chunk);
    for (const imported of chunk.imports ?? []) partsOf(imported, seen);
    return seen;
  };
  const footer = partsOf(FOOTER);
  const cache = new Map<string | null, PageAssets>();
  return (source) => {
    const found = cache.get(source);
    if (found) return found;
    const own = source === null ? new Set<Chunk>() : partsOf(`${source}?tsr-split=component`);
    const sheets = [...new Set([...own, ...footer].flatMap(({ css = [] }) => css))];
    const scripts = [...own].map(({ file }) => {
      return `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`;
    });
    // The chunk loader finds its styles in the page, and doesn't fetch them again. Chromium fetches a disabled sheet ahead
    // unless its media match nothing.
    const known = sheets.map((file) => `<link rel="stylesheet" disabled media="not all" href="/${file}">`);
    const assets = {
      tags: [...scripts, ...known].join(""),
      css: sheets.map((file) => readFileSync(join(distDir, file), "utf8")).join(""),
    };
    cache.set(source, assets);
    return assets;
  };
}
