import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { outside } from "./build-server.ts";

/**
 * For the image, after the build: leaves in package.json and node_modules the packages alone that the bundle doesn't
 * contain, in the versions of the lockfile.
 */
const file = "package.json";
const { devDependencies: _build, optionalDependencies: _node, ...manifest } = JSON.parse(readFileSync(file, "utf8"));
const isOutside = ([name]: [string, unknown]) => outside.includes(name);
manifest.dependencies = Object.fromEntries(Object.entries(manifest.dependencies).filter(isOutside));
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
execFileSync("npm", ["prune"], { stdio: "inherit" });
