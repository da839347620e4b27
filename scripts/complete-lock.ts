import { readFileSync, writeFileSync } from "node:fs";

/**
 * Run after `npm install` behind a registry that mirrors only some platforms: npm then leaves the optional packages of
 * the other platforms out of the lock file, and refuses `npm ci` for it. Adds them with the version that their parent
 * names; npm skips them by os and cpu, and fetches them where they fit.
 */
type Entry = { version?: string; dev?: boolean; license?: string; optionalDependencies?: Record<string, string> };
type Lock = { packages: Record<string, Entry & Record<string, unknown>> };

const systems = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const processors = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "x64"];

const file = "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8")) as Lock;
const { "": root, ...packages } = lock.packages;

let added = 0;
for (const [path, parent] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    if (packages[`${path}/node_modules/${name}`] ?? packages[`node_modules/${name}`]) continue;
    const words = name.split("/").at(-1)?.split("-") ?? [];
    const os = words.filter((word) => systems.includes(word));
    const cpu = words.filter((word) => processors.includes(word));
    if (os.length === 0 || cpu.length === 0) continue;
    packages[`node_modules/${name}`] = {
      version,
      cpu,
      ...(parent.dev && { dev: true }),
      license: parent.license ?? "MIT",
      ...(words.some((word) => word.startsWith("musl")) && { libc: ["musl"] }),
      ...(words.some((word) => word.startsWith("gnu")) && { libc: ["glibc"] }),
      optional: true,
      os,
    };
    added++;
  }
}

const sorted = Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : 1));
lock.packages = { ...(root && { "": root }), ...Object.fromEntries(sorted) };
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added} packages of other platforms added to ${file}\n`);
