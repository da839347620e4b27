import { existsSync } from "node:fs";
import { hashSources, type Part, readStamp } from "./build-stamp.ts";

/** Runs before `npm start` and the commands: builds what is missing or old, and prints nothing if all is up to date. */
const isMissing = (part: Part) => readStamp(part) === undefined;
const isOld = (part: Part) => readStamp(part) !== hashSources(part);

if (!existsSync("node_modules/vite")) {
  if (isMissing("pages") || isMissing("server")) {
    console.error(
      "build: there is no finished build in dist/, and what makes it isn't installed: run `npm ci` (without --omit=dev), or bring a dist/ that `npm run build` made of this version.",
    );
    process.exit(1);
  }
} else if (isOld("pages")) {
  console.error(isMissing("pages") ? "build: making dist/ …" : "build: sources changed, making dist/ again …");
  await import("./build.ts");
} else if (isOld("server")) {
  console.error("build: the server's sources changed, bundling them …");
  const { buildServer } = await import("./build-server.ts");
  await buildServer();
}
