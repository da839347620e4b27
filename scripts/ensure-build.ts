import { existsSync } from "node:fs";
import { hashSources, readStamp } from "./build-stamp.ts";

const stamp = readStamp("client");
if (stamp !== undefined && !existsSync("node_modules/vite")) {
  console.log("build: dist/ is used as it is (no build tools installed)");
} else if (stamp !== hashSources("client")) {
  console.log(stamp === undefined ? "build: making dist/ …" : "build: sources changed, making dist/ again …");
  await import("./build.ts");
} else if (readStamp("server") !== hashSources("server")) {
  const { buildServer } = await import("./build-server.ts");
  await buildServer();
  console.log("build: the server in dist/ is made anew");
} else {
  console.log("build: dist/ is up to date");
}
