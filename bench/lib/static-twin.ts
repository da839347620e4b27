import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

export type StaticFile = { path: string; name: string; headers: Record<string, string> };

const scripts = /<script\b[^>]*>.*?<\/script>|<link rel="modulepreload"[^>]*>/gs;
const addresses = /<(?:link|img)\b[^>]*?\b(?:href|src)="(\/(?:assets|art|scenes|files)\/[^"]+)"/g;
const compressible = /html|css|svg|json|text/;

/**
 * Writes pages as plain files without scripts, with their own styles and pictures: the least that shows the same. Text
 * is compressed as far as brotli goes. Returns the folder.
 */
export async function copyPages(url: string, paths: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gona-twin-"));
  const files = new Map<string, StaticFile>();
  const keep = async (path: string, type: string, content: Buffer) => {
    const isSmaller = compressible.test(type);
    const name = `file-${files.size}`;
    const headers = { "content-type": type, "cache-control": "no-cache" };
    files.set(path, { path, name, headers: isSmaller ? { ...headers, "content-encoding": "br" } : headers });
    await writeFile(join(folder, name), isSmaller ? brotliCompressSync(content) : content);
  };
  for (const path of paths) {
    const html = (await (await fetch(url + path, { headers: { accept: "text/html" } })).text()).replace(scripts, "");
    await keep(path, "text/html; charset=utf-8", Buffer.from(html));
    for (const [, address = ""] of html.matchAll(addresses)) {
      if (files.has(address)) continue;
      const answer = await fetch(url + address);
      await keep(address, String(answer.headers.get("content-type")), Buffer.from(await answer.arrayBuffer()));
    }
  }
  await writeFile(join(folder, "files.json"), JSON.stringify([...files.values()]));
  return folder;
}
