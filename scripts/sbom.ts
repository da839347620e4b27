import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../", import.meta.url));

/** Their names begin with a dot: what does is in the build and has no address. */
export const sbomNames = {
  /** What is installed where the server runs. */
  server: ".sbom.cdx.json",
  /** That, what the pages are bundled from, and what builds and tests. */
  all: ".sbom-all.cdx.json",
} as const;

/** Writes the lists of packages (CycloneDX), by npm's own command out of the lockfile: no network is needed. */
export async function writeSboms(folder: string): Promise<void> {
  await Promise.all([
    writeSbom(join(folder, sbomNames.server), ["--omit", "dev"]),
    writeSbom(join(folder, sbomNames.all), []),
  ]);
}

async function writeSbom(path: string, more: string[]): Promise<void> {
  const wanted = [
    "sbom",
    "--sbom-format",
    "cyclonedx",
    "--sbom-type",
    "application",
    "--package-lock-only",
    "--offline",
  ];
  // The npm that runs the script, or else the one in the PATH.
  const npm = process.env.npm_execpath;
  const [file, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  // A list of a thousand packages is larger than what is kept of a program's output by itself.
  const { stdout } = await run(file, [...first, ...wanted, ...more], { cwd: root, maxBuffer: 64 * 1024 ** 2 });
  const sbom = JSON.parse(stdout) as { metadata: { component: { name: string } } };
  // npm calls the product as the folder is called.
  sbom.metadata.component.name = (
    JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { name: string }
  ).name;
  writeFileSync(path, `${JSON.stringify(sbom, null, 2)}\n`);
}
