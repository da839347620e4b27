import { existsSync } from "node:fs";
import { hashSources, readStamp } from "./build-stamp.ts";

const stamp = readStamp();
if (stamp !== undefined && !existsSync("node_modules/vite")) {
  console.log("build: dist/ is used as it is (no build tools installed)");
} else if (stamp !== hashSources()) {
  console.log(stamp === undefined ? "build: making dist/ …" : "build: sources changed, making dist/ again …");
  await import("./build.ts");
} else {
  console.log("build: dist/ is up to date");
}
