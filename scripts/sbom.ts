import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../", import.meta.url));

/** Files of the build whose name begins with a dot have no public address. */
export const sbomName = ".sbom.cdx.json";

/**
 * Writes the list of packages (CycloneDX) with npm's own command, from the lockfile and without a network. Packages
 * that only build and test are marked, not left out: the pages are bundled from some of them, and `--omit dev` also
 * drops packages that both the server and a build tool need.
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
  // The list of a thousand packages is larger than the default buffer.
  const { stdout } = await run(file, [...first, ...wanted], { cwd: root, maxBuffer: 64 * 1024 ** 2 });
  const sbom = JSON.parse(stdout) as { metadata: { component: { name: string } } };
  // npm names the product after the folder.
  sbom.metadata.component.name = (
    JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { name: string }
  ).name;
  writeFileSync(join(folder, sbomName), `${JSON.stringify(sbom, null, 2)}\n`);
}
