import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { listFiles } from "./build-stamp.ts";

const compressible = /\.(js|css|html|svg|json|txt)$/;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Writes `x.br` and `x.gz` beside every compressible file `x` of the folder: made once with the strongest setting, so
 * that the server never compresses while somebody waits. Returns the number of files compressed.
 */
export async function precompress(folder: string): Promise<number> {
  const files = listFiles(folder).filter((file) => compressible.test(file));
  const queue = files.values();
  const worker = async () => {
    for (const file of queue) await compress(file);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return files.length;
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const [br, gz] = await Promise.all([brotli(content, { params }), zip(content, { level: 9 })]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
