import { readFileSync } from "node:fs";

/**
 * The address, as a pattern for Playwright, of the built chunk that holds the lazily fetched code of `source`, a part
 * of a path in src/client.
 */
export function chunkOf(source: string): string {
  const manifest: Record<string, { file: string }> = JSON.parse(readFileSync("dist/.vite/manifest.json", "utf8"));
  const found = Object.entries(manifest).filter(([name]) => name.includes(`src/client/${source}`));
  const [chunk] = found;
  if (!chunk || found.length > 1) throw new Error(`${found.length} chunks of ${source}`);
  return `**/${chunk[1].file}`;
}
