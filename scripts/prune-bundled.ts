import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { outside } from "./build-server.ts";

/**
 * Prunes package.json and node_modules for the image, after the build. Only packages that the bundle doesn't contain
 * stay, in the versions of the lockfile.
 */
const file = "package.json";
const { devDependencies: _build, optionalDependencies: _node, ...manifest } = JSON.parse(readFileSync(file, "utf8"));
const isOutside = ([name]: [string, unknown]) => outside.includes(name);
manifest.dependencies = Object.fromEntries(Object.entries(manifest.dependencies).filter(isOutside));
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
execFileSync("npm", ["prune"], { stdio: "inherit" });
