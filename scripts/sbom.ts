import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../", import.meta.url));

/** Its name begins with a dot: what does is in the build and has no address. */
export const sbomName = ".sbom.cdx.json";

/**
 * Writes the list of packages (CycloneDX), by npm's own command out of the lockfile: no network is needed. Those that only
 * build and test are marked as such, and not left out: the pages are bundled from some of them, and with `--omit dev` npm
 * also leaves out what the server needs wherever a build tool needs it too.
 */
export async function writeSbom(folder: string): Promise<void> {
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
  const { stdout } = await run(file, [...first, ...wanted], { cwd: root, maxBuffer: 64 * 1024 ** 2 });
  const sbom = JSON.parse(stdout) as { metadata: { component: { name: string } } };
  // npm calls the product as the folder is called.
  sbom.metadata.component.name = (
    JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { name: string }
  ).name;
  writeFileSync(join(folder, sbomName), `${JSON.stringify(sbom, null, 2)}\n`);
}
